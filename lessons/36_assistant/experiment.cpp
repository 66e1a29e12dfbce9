#include "lessons/36_assistant/experiment.h"

#include <algorithm>
#include <cmath>

#include "lessons/material/training/next_checkpoint.h"
#include "nn/train/train.h"

namespace heed::lesson36 {

using namespace course;

namespace {

// Prompts [N, T], all of one length.
Indices prompts_of(const std::vector<std::string>& texts) {
    std::vector<int> ids;
    for (const std::string& text : texts)
        for (int token : tokens_of(text)) ids.push_back(token);
    const auto rows = static_cast<int64_t>(texts.size());
    return Indices(ids, {rows, static_cast<int64_t>(ids.size()) / rows});
}

std::vector<std::string> continued(const LanguageModel& model,
                                   const std::vector<std::string>& texts, int end, int length,
                                   Rng* rng) {
    const Decodable ready = model.decodable(prompts_of(texts));
    const DecodeOptions options{.end = end, .max_length = length};
    std::vector<std::string> result;
    for (const Hypothesis& h :
         rng ? sample_decode(ready, {}, *rng, options) : greedy_decode(ready, options))
        result.push_back(text_of(h.tokens) + (h.finished && end >= 0 ? "." : ""));
    return result;
}

std::vector<std::string> texts_of(const std::vector<Question>& questions) {
    std::vector<std::string> texts;
    for (const Question& q : questions) texts.push_back(q.text);
    return texts;
}

}  // namespace

// --- a predictor --------------------------------------------------------------------------------

LanguageModel new_model(Rng& rng) {
    return LanguageModel(
        {.vocabulary = vocabulary,
         .stack = gpt({.width = 32, .heads = 4, .layers = 2, .max_positions = longest_text})},
        rng);
}

void train_predictor(LanguageModel& model, int steps, Rng rng) {
    const std::vector<Question> questions = all_questions();
    Adam adam(parameters(model), {.lr = 3e-3});
    const auto schedule = [=](int64_t step) {  // full for a third of the steps, then down to 0
        return std::min(1.0, 1.5 * (1 - static_cast<double>(step) / (steps + 1)));
    };
    const TrainOptions options{
        .steps = steps, .clip_norm = 1, .schedule = schedule, .checkpoint = next_checkpoint({rng})};
    train(adam, options, [&](int64_t) {
        const Batch batch = pages(questions, 32, rng);
        return StepResult{sequence_cross_entropy(model(batch.ids), batch.next, -1)};
    });
}

std::vector<std::string> answers_of(const LanguageModel& model,
                                    const std::vector<Question>& questions, Rng* rng) {
    return continued(model, texts_of(questions), stop, longest_answer, rng);
}

double share_known(const LanguageModel& model, const std::vector<Question>& questions) {
    std::vector<std::string> statements;
    for (const Question& q : questions) statements.push_back(q.text.substr(0, 3) + "=");
    const std::vector<std::string> next = continued(model, statements, -1, 1, nullptr);
    double right = 0;
    for (std::size_t i = 0; i < questions.size(); ++i)
        right += next[i] == std::to_string(questions[i].answer);
    return right / static_cast<double>(questions.size());
}

double share_exact(const LanguageModel& model, const std::vector<Question>& questions, Rng rng) {
    return mean(sample_answers(model, questions, 4, exact_judge, rng).reward).item();
}

double share_best(const LanguageModel& model, const std::vector<Question>& questions) {
    const std::vector<std::string> answers = answers_of(model, questions);
    double right = 0;
    for (std::size_t i = 0; i < questions.size(); ++i)
        right += exact_judge(questions[i], answers[i]);
    return right / static_cast<double>(questions.size());
}

double share_asked(const LanguageModel& model, const std::vector<Question>& questions, Rng rng) {
    const std::vector<std::string> next =
        continued(model, texts_of(questions), -1, question_length, &rng);
    const std::vector<Question> all = all_questions();
    double asked = 0;
    for (const std::string& text : next)
        for (const Question& q : all) asked += q.text == text;
    return asked / static_cast<double>(questions.size());
}

// --- examples -----------------------------------------------------------------------------------

std::vector<RankResult> try_ranks(const LanguageModel& base, int shown, int draws, uint64_t seed,
                                  const TrainOnExamples& train) {
    std::vector<RankResult> results;
    for (int rank : {0, 1, 2, 8}) {
        RankResult result{.rank = rank};
        Rng rng(1000 * seed);  // the same questions for all ranks
        for (int draw = 0; draw < draws; ++draw) {
            const Split split = split_questions(shown, 50, rng.split());
            LanguageModel model = copy_model(base);
            if (rank > 0) add_adapters(model, {.rank = rank, .only = {"query", "value"}}, rng);
            result.trained = 0;
            for (const Parameter& p : parameters(model))
                if (p.tensor.requires_grad()) result.trained += p.tensor.numel();
            train(model, split.shown, 60, rank > 0 ? 1e-2 : 1e-3);
            result.shown += share_exact(model, split.shown, rng.split()) / draws;
            result.test += share_exact(model, split.test, rng.split()) / draws;
            result.best += share_best(model, split.test) / draws;
        }
        results.push_back(result);
    }
    return results;
}

// --- rewards ------------------------------------------------------------------------------------

Samples sample_answers(const LanguageModel& model, const std::vector<Question>& questions, int each,
                       const Judge& judge, Rng& rng) {
    Samples s;
    for (int i = 0; i < each; ++i)
        s.questions.insert(s.questions.end(), questions.begin(), questions.end());
    s.answers = answers_of(model, s.questions, &rng);
    std::vector<double> reward;
    for (std::size_t i = 0; i < s.questions.size(); ++i)
        reward.push_back(judge(s.questions[i], s.answers[i]));
    s.reward = tensor(reward, {each, static_cast<int64_t>(questions.size())});
    return s;
}

Tensor log_prob_of(const LanguageModel& model, const std::vector<Question>& questions,
                   const std::vector<std::string>& answers) {
    const Batch batch = answered(questions, answers);
    return answer_log_prob(model(batch.ids), batch.next);
}

LanguageModel for_rewards(const LanguageModel& model, Rng& rng) {
    LanguageModel copy = copy_model(model);
    add_adapters(copy, {.rank = 4, .only = {"query", "key", "value", "output", "hidden"}}, rng);
    return copy;
}

Tensor log_prob_of(const LanguageModel& model, const Samples& s) {
    return reshape(log_prob_of(model, s.questions, s.answers), s.reward.shape());
}

std::vector<Question> drawn(const std::vector<Question>& all, int count, Rng& rng) {
    std::vector<Question> some;
    for (int i = 0; i < count; ++i)
        some.push_back(all[static_cast<std::size_t>(rng.below(static_cast<int64_t>(all.size())))]);
    return some;
}

void Watch::note(int step, const LanguageModel& model) {
    Rng same = rng;
    const Samples s = sample_answers(model, split.test, 4, judge, same);
    double right = 0;
    for (std::size_t i = 0; i < s.questions.size(); ++i)
        right += exact_judge(s.questions[i], s.answers[i]);
    const NoGrad no_grad;
    const Tensor kl = kl_estimate(log_prob_of(model, s.questions, s.answers),
                                  log_prob_of(start, s.questions, s.answers));
    progress.steps.push_back(step);
    progress.exact.push_back(right / static_cast<double>(s.questions.size()));
    progress.best.push_back(share_best(model, split.test));
    progress.reward.push_back(mean(s.reward).item());
    progress.kl.push_back(mean(kl).item());
    progress.examples.clear();
    for (std::size_t i = 0; i < 6; ++i)
        progress.examples.push_back(s.questions[i].text + " " + s.answers[i]);
    if (progress.at_start.empty()) progress.at_start = progress.examples;
}

void Watch::note_pairs(const LanguageModel& model, const Pairs& pairs) {
    const auto [better_now, worse_now] = log_probs_at_start(model, pairs);
    const auto [better_then, worse_then] = log_probs_at_start(start, pairs);
    progress.better = mean(better_now - better_then).item();
    progress.worse = mean(worse_now - worse_then).item();
    const auto others = [](const Tensor& better, const Tensor& worse) {  // ln of what they leave
        return log(maximum(1.0 - exp(better) - exp(worse), 1e-6));
    };
    progress.others = mean(others(better_now, worse_now) - others(better_then, worse_then)).item();
}

std::vector<Noise> gradient_noise(const LanguageModel& model,
                                  const std::vector<Question>& questions, int batches, Rng rng) {
    const std::vector<std::string> names{"none, rewards 0 and 1", "none, rewards 10 and 11",
                                         "leave-one-out", "group"};
    std::vector<Tensor> wanted;
    for (const Parameter& p : parameters(model))
        if (p.tensor.requires_grad()) wanted.push_back(p.tensor);
    std::vector<std::vector<Tensor>> all(names.size());
    for (int b = 0; b < batches; ++b) {
        const Samples s =
            sample_answers(model, drawn(questions, group_questions, rng), group, exact_judge, rng);
        const Tensor log_prob = log_prob_of(model, s);
        const Tensor loss = -s.reward;
        const std::vector<Tensor> estimates{reinforce(loss, log_prob),
                                            reinforce(loss - 10.0, log_prob),
                                            reinforce(loss, log_prob, leave_one_out(loss)),
                                            reinforce(-group_advantage(s.reward), log_prob)};
        for (std::size_t k = 0; k < names.size(); ++k) {
            std::vector<Tensor> flat;
            for (const Tensor& g : grad(estimates[k], wanted)) flat.push_back(reshape(g, {-1}));
            all[k].push_back(concat(flat, 0));
        }
    }
    // The first three estimate the same gradient, and the mean of leave-one-out is used for them all.
    const double n = batches;
    std::vector<double> variances, squares;
    for (const std::vector<Tensor>& estimates : all) {
        const Tensor g = stack(estimates);  // [batches, parameters]
        const Tensor middle = mean(g, 0, true);
        variances.push_back(sum(square(g - middle)).item() / (n - 1));
        squares.push_back(sum(square(middle)).item() - variances.back() / n);  // |E g|², unbiased
    }
    std::vector<Noise> result;
    for (std::size_t k = 0; k < names.size(); ++k)
        result.push_back({names[k], variances[k] / squares[k < 3 ? 2 : 3]});
    return result;
}

// --- preferences --------------------------------------------------------------------------------

Pairs preference_pairs(const LanguageModel& model, const std::vector<Question>& questions,
                       int batches, const Judge& judge, Rng rng) {
    Pairs pairs;
    for (int b = 0; b < batches; ++b) {
        const Samples s =
            sample_answers(model, drawn(questions, group_questions, rng), group, judge, rng);
        for (int g = 0; g < group_questions; ++g) {
            std::vector<std::string> right, wrong;
            for (int i = 0; i < group; ++i) {
                const auto at = static_cast<std::size_t>(i * group_questions + g);
                (judge(s.questions[at], s.answers[at]) > 0 ? right : wrong)
                    .push_back(s.answers[at]);
            }
            for (std::size_t i = 0; i < std::min(right.size(), wrong.size()); ++i) {
                pairs.questions.push_back(s.questions[static_cast<std::size_t>(g)]);
                pairs.chosen.push_back(right[i]), pairs.rejected.push_back(wrong[i]);
            }
        }
    }
    return pairs;
}

Pairs drawn_pairs(const Pairs& all, Rng& rng) {
    Pairs some;
    for (int i = 0; i < group * group_questions / 2; ++i) {
        const auto at =
            static_cast<std::size_t>(rng.below(static_cast<int64_t>(all.questions.size())));
        some.questions.push_back(all.questions[at]);
        some.chosen.push_back(all.chosen[at]), some.rejected.push_back(all.rejected[at]);
    }
    return some;
}

std::pair<Tensor, Tensor> log_probs_of(const LanguageModel& model, const Pairs& pairs) {
    const Tensor better = log_prob_of(model, pairs.questions, pairs.chosen);
    return {better, log_prob_of(model, pairs.questions, pairs.rejected)};
}

std::pair<Tensor, Tensor> log_probs_at_start(const LanguageModel& start, const Pairs& pairs) {
    const NoGrad no_grad;
    return log_probs_of(start, pairs);
}

double kl_of_right_answers(const LanguageModel& start, const std::vector<Question>& questions) {
    std::vector<std::string> right;
    for (const Question& q : questions) right.push_back(fmt::format("{}.", q.answer));
    const NoGrad no_grad;
    return -mean(log_prob_of(start, questions, right)).item();
}

// --- shown by the lesson ------------------------------------------------------------------------

LanguageModel trained_predictor(AtCall lesson, int steps, Rng& rng) {
    LanguageModel model = new_model(rng);
    ProgressLine progress = lesson->progress("reading", 1);
    train_predictor(model, steps, rng.split());
    return model;
}

void show_continuations(AtCall lesson, const LanguageModel& base) {
    Rng rng(lesson->seed());
    const std::vector<std::string> prompts{"3+4=", "3+4?", "3+4?", "3+4?", "9-1?", "9-1?"};
    Table table({"given", "continued"});
    for (const std::string& prompt : prompts)
        table.row("`" + prompt + "`", "`" + continued(base, {prompt}, -1, 10, &rng)[0] + "`");
    lesson->table(table,
                  "The next ten characters, sampled from the predictor. A sampled digit may be "
                  "wrong even where the most probable one is right.");
}

void show_noise(AtCall lesson, const std::vector<Noise>& noise) {
    Table table({"baseline", "noise"});
    for (const Noise& one : noise) table.row(one.name, fmt::format("{:.1f}", one.noise));
    lesson->table(table, fmt::format("Variance of the gradient of one batch, {} questions with {} "
                                     "answers each, over the square of the mean gradient.",
                                     group_questions, group));
}

std::vector<Progress> train_by_judges(AtCall lesson, const LanguageModel& start, const Split& split,
                                      int steps, double kl, const TrainOnRewards& train) {
    ProgressLine progress = lesson->progress("four trainings", 4);
    std::vector<Progress> all;
    for (const Judge& judge : {Judge(exact_judge), Judge(sloppy_judge)})
        for (double price : {0.0, kl}) {
            Rng rng(10 * lesson->seed() + 1);
            LanguageModel model = for_rewards(start, rng);
            all.push_back(train(model, split, judge, steps, price, rng.split()));
            progress.update(static_cast<int64_t>(all.size()));
        }
    return all;
}

std::vector<Progress> train_by_pairs(AtCall lesson, const LanguageModel& start, const Split& split,
                                     int steps, const Progress& reinforce,
                                     const TrainOnPairs& train) {
    Rng rng(10 * lesson->seed() + 2);
    const Pairs pairs = preference_pairs(start, split.checked, steps, exact_judge, rng.split());
    Table table({"method", "sampled", "most probable", "KL"});
    const auto row = [&](const std::string& name, const Progress& p) {
        table.row(name, fmt::format("{:.2f}", p.exact.back()), fmt::format("{:.2f}", p.best.back()),
                  fmt::format("{:.1f}", p.kl.back()));
    };
    table.row("start", fmt::format("{:.2f}", reinforce.exact.front()),
              fmt::format("{:.2f}", reinforce.best.front()), "0");
    row("REINFORCE, strict judge", reinforce);
    std::vector<Progress> all;
    for (double beta : {0.1, 1.0}) {
        LanguageModel model = for_rewards(start, rng);
        all.push_back(train(model, pairs, split, steps, beta, rng.split()));
        row(fmt::format("DPO, β = {}", beta), all.back());
    }
    lesson->table(
        table,
        fmt::format("Shares of sampled and of most probable answers to the test questions that are "
                    "right, and the KL to the start. {} answers "
                    "for each method; they make {} pairs.",
                    steps * group * group_questions, pairs.questions.size()));
    return all;
}

}  // namespace heed::lesson36
