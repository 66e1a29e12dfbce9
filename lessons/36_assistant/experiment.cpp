#include "lessons/36_assistant/experiment.h"

#include <cmath>

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

std::vector<std::string> continued(const LanguageModel& model, const std::vector<std::string>& texts,
                                   int end, int length, Rng* rng) {
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

template <class T>
std::vector<T> drawn(const std::vector<T>& all, int count, Rng& rng) {
    std::vector<T> some;
    for (int i = 0; i < count; ++i)
        some.push_back(
            all[static_cast<std::size_t>(rng.below(static_cast<int64_t>(all.size())))]);
    return some;
}

// What a training has come to, with samples of its own.
void note(Progress& progress, int step, const LanguageModel& model, const LanguageModel& start,
          const Split& split, const Judge& judge, Rng rng) {
    const Samples s = sample_answers(model, split.test, 4, judge, rng);
    double right = 0;
    for (std::size_t i = 0; i < s.questions.size(); ++i)
        right += exact_judge(s.questions[i], s.answers[i]);
    const NoGrad no_grad;
    const Tensor kl = kl_estimate(log_prob_of(model, s.questions, s.answers),
                                  log_prob_of(start, s.questions, s.answers));
    progress.steps.push_back(step);
    progress.exact.push_back(right / static_cast<double>(s.questions.size()));
    progress.reward.push_back(mean(s.reward).item());
    progress.kl.push_back(mean(kl).item());
    progress.answers = s.answers;
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
    for (int step = 1; step <= steps; ++step) {
        const Batch batch = pages(questions, 32, rng);
        adam.lr = 3e-3 * std::min(1.0, 1.5 * (1 - step / (steps + 1.0)));
        adam.zero_grad();
        backward(sequence_cross_entropy(model(batch.ids), batch.next, -1));
        adam.step_clipped(1);
    }
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

void train_on_examples(LanguageModel& model, const std::vector<Question>& questions, int steps,
                       double lr) {
    std::vector<std::string> answers;
    for (const Question& q : questions) answers.push_back(fmt::format("{}.", q.answer));
    const Batch batch = answered(questions, answers);
    Adam adam(parameters(model), {.lr = lr});
    for (int step = 0; step < steps; ++step) {
        adam.zero_grad();
        backward(sequence_cross_entropy(model(batch.ids), batch.next, -1));
        adam.step_clipped(1);
    }
}

// --- rewards ------------------------------------------------------------------------------------

Samples sample_answers(const LanguageModel& model, const std::vector<Question>& questions,
                       int each, const Judge& judge, Rng& rng) {
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

Progress train_on_rewards(LanguageModel& model, const Split& split, const Judge& judge,
                          const RewardOptions& options, Rng rng) {
    const LanguageModel start = copy_model(model);
    const int each = 8, questions = 16;
    Adam adam(parameters(model), {.lr = options.lr});
    Progress progress;
    const Rng test = rng.split();
    note(progress, 0, model, start, split, judge, test);
    for (int step = 1; step <= options.steps; ++step) {
        const Samples s =
            sample_answers(model, drawn(split.checked, questions, rng), each, judge, rng);
        adam.zero_grad();
        const Tensor log_prob = log_prob_of(model, s.questions, s.answers);
        Tensor loss = -s.reward;  // [S, G]
        if (options.kl > 0) {
            const NoGrad no_grad;
            const Tensor before = log_prob_of(start, s.questions, s.answers);
            loss = loss + reshape(detach(log_prob) - before, loss.shape()) * options.kl;
        }
        backward(reinforce(loss, reshape(log_prob, loss.shape()), leave_one_out(loss)));
        adam.step_clipped(1);
        if (step % 20 == 0) note(progress, step, model, start, split, judge, test);
    }
    return progress;
}

std::vector<Noise> gradient_noise(const LanguageModel& model, const std::vector<Question>& questions,
                                  int batches, Rng rng) {
    const std::vector<std::string> names{"none", "mean of the batch", "leave-one-out",
                                         "group, divided by its deviation"};
    std::vector<Tensor> wanted;
    for (const Parameter& p : parameters(model))
        if (p.tensor.requires_grad()) wanted.push_back(p.tensor);
    std::vector<std::vector<Tensor>> all(names.size());
    for (int b = 0; b < batches; ++b) {
        const Samples s = sample_answers(model, drawn(questions, 8, rng), 8, exact_judge, rng);
        const Tensor log_prob =
            reshape(log_prob_of(model, s.questions, s.answers), s.reward.shape());
        const Tensor loss = -s.reward;
        const std::vector<Tensor> estimates{
            reinforce(loss, log_prob), reinforce(loss, log_prob, mean(loss)),
            reinforce(loss, log_prob, leave_one_out(loss)),
            reinforce(-group_advantage(s.reward), log_prob)};
        for (std::size_t k = 0; k < names.size(); ++k) {
            std::vector<Tensor> flat;
            for (const Tensor& g : grad(estimates[k], wanted)) flat.push_back(reshape(g, {-1}));
            all[k].push_back(concat(flat, 0));
        }
    }
    std::vector<Noise> result;
    for (std::size_t k = 0; k < names.size(); ++k) {
        const Tensor g = stack(all[k]);                // [batches, parameters]
        const Tensor middle = mean(g, 0, true);
        const double n = batches;
        const double variance = sum(square(g - middle)).item() / (n - 1);
        // |mean|² is too large by variance / n.
        result.push_back({names[k], variance / (sum(square(middle)).item() - variance / n)});
    }
    return result;
}

// --- preferences --------------------------------------------------------------------------------

Pairs preference_pairs(const LanguageModel& model, const std::vector<Question>& questions, int batches,
                       const Judge& judge, Rng rng) {
    Pairs pairs;
    for (int b = 0; b < batches; ++b) {
        const int each = 8, count = 8;
        const Samples s = sample_answers(model, drawn(questions, count, rng), each, judge, rng);
        for (int g = 0; g < count; ++g) {
            std::vector<std::string> right, wrong;
            for (int i = 0; i < each; ++i) {
                const auto at = static_cast<std::size_t>(i * count + g);
                (judge(s.questions[at], s.answers[at]) > 0 ? right : wrong).push_back(s.answers[at]);
            }
            for (std::size_t i = 0; i < std::min(right.size(), wrong.size()); ++i) {
                pairs.questions.push_back(s.questions[static_cast<std::size_t>(g)]);
                pairs.chosen.push_back(right[i]), pairs.rejected.push_back(wrong[i]);
            }
        }
    }
    return pairs;
}

Progress train_on_pairs(LanguageModel& model, const Pairs& pairs, const Split& split, int steps,
                        double beta, double lr, Rng rng) {
    const LanguageModel start = copy_model(model);
    Adam adam(parameters(model), {.lr = lr});
    Progress progress;
    const Rng test = rng.split();
    note(progress, 0, model, start, split, exact_judge, test);
    for (int step = 1; step <= steps; ++step) {
        Pairs some;
        for (int i = 0; i < 32; ++i) {
            const auto at = static_cast<std::size_t>(
                rng.below(static_cast<int64_t>(pairs.questions.size())));
            some.questions.push_back(pairs.questions[at]);
            some.chosen.push_back(pairs.chosen[at]), some.rejected.push_back(pairs.rejected[at]);
        }
        const auto of = [&](const LanguageModel& m, const std::vector<std::string>& answers) {
            return log_prob_of(m, some.questions, answers);
        };
        Tensor chosen, rejected;
        {
            const NoGrad no_grad;
            chosen = of(start, some.chosen), rejected = of(start, some.rejected);
        }
        adam.zero_grad();
        backward(dpo_loss(of(model, some.chosen), of(model, some.rejected), chosen, rejected,
                          {.beta = beta}));
        adam.step_clipped(1);
        if (step % 20 == 0) note(progress, step, model, start, split, exact_judge, test);
    }
    return progress;
}

}  // namespace heed::lesson36
