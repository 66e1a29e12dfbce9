#include "lessons/35_fast_decoding/experiment.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "autograd/autograd.h"
#include "autograd/record/grad_mode.h"
#include "lessons/material/training/next_checkpoint.h"
#include "nn/layers/losses.h"
#include "nn/layers/quantise.h"
#include "nn/optim/optimisers.h"
#include "nn/optim/schedules.h"
#include "nn/train/train.h"

namespace heed::lesson35 {

using namespace course;
using lesson23::Characters;
using lesson23::Counts;
using lesson23::Piece;

// --- the two models -----------------------------------------------------------------------------

namespace {

LanguageModel make_model(int64_t vocabulary, int64_t width, int64_t layers, Rng& rng) {
    return {
        {.vocabulary = vocabulary,
         .stack = gpt({.width = width, .heads = 4, .layers = layers, .max_positions = context})},
        rng};
}

Indices one_row(const std::vector<int>& tokens) {
    return Indices(tokens, {1, static_cast<int64_t>(tokens.size())});
}

// Texts that the table continues: it looks at the last `counted` characters.
struct CountedText {
    std::shared_ptr<const Counts> counts;
    int alphabet = 0;
    std::vector<int> text;

    DecodingStep step(const Indices& tokens) {
        text.push_back(tokens[0]);
        std::vector<double> logs;
        text.push_back(0);  // the next character, each in turn
        for (int next = 0; next < alphabet; ++next) {
            text.back() = next;
            logs.push_back(std::log(counts->probability(text, text.size() - 1, counted)));
        }
        text.pop_back();
        return {tensor(logs, {1, alphabet})};
    }
    void back(int64_t count) { text.resize(text.size() - static_cast<std::size_t>(count)); }
    void select_rows(const std::vector<int>&) {}
};

}  // namespace

Models train_models(AtCall lesson, int steps) {
    Rng rng(100 * lesson->seed() + 1);
    Models models;
    models.text = lesson23::characters_of(lesson23::english_lines(lesson->seed()), 0.9);
    models.target = make_model(models.text.size(), 64, 2, rng);
    std::vector<int> counted_text(models.text.train.begin(), models.text.train.begin() + 200'000);
    models.draft = std::make_shared<const Counts>(counted_text, models.text.size(), counted);

    Adam adam(parameters(models.target), {.lr = 3e-3});
    ProgressLine line = lesson->progress("training", steps);
    const TrainOptions options{
        .steps = steps,
        .clip_norm = 1,
        .schedule = schedules::warm_up_cosine(std::max(steps / 10, 1), steps, 0.1),
        .on_step =
            [&](const TrainProgress& now) {
                line.update(now.step, now.mean_loss, now.step * 6 * context);
            },
        .checkpoint = next_checkpoint({rng})};
    train(adam, options, [&](int64_t) {
        const Piece piece = lesson23::random_pieces(models.text.train, 6, context, rng);
        return StepResult{sequence_cross_entropy(models.target(piece.in), piece.out, -1),
                          piece.in.count()};
    });
    line.clear();
    return models;
}

double validation_loss(const LanguageModel& model, const Characters& text, int pieces) {
    const NoGrad no_grad;
    const Piece all = lesson23::pieces_in_order(text.valid, 0, pieces, context);
    return sequence_cross_entropy(model(all.in), all.out, -1).item();
}

std::vector<int> prompt_of(const Characters& text, Rng& rng) {
    const int64_t first = rng.below(static_cast<int64_t>(text.valid.size()) - 8);
    return {text.valid.begin() + first, text.valid.begin() + first + 8};
}

Decodable ready(const LanguageModel& model, const std::vector<int>& prompt) {
    return model.decodable(one_row(prompt));
}

Decodable ready(const std::shared_ptr<const Counts>& counts, int alphabet,
                const std::vector<int>& prompt) {
    CountedText text{counts, alphabet, prompt};
    text.text.pop_back();
    return {std::move(text), 1, Indices({prompt.back()})};
}

// --- time ---------------------------------------------------------------------------------------

namespace {

template <class F>
double seconds_of(F f) {
    const auto begin = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// What the memory delivers: a sum over 128 MB, which no cache holds. What the processor does: a product of
// matrices. The best of five.
void measure_machine(Timed& machine, Rng& rng) {
    const Tensor many = ones({32 << 20}), a = normal({512, 512}, 0, 1, rng);
    for (int turn = 0; turn < 5; ++turn) {
        machine.memory = std::max(machine.memory, 4.0 * static_cast<double>(many.numel()) /
                                                      seconds_of([&] { sum(many).item(); }));
        machine.operations =
            std::max(machine.operations, 2.0 * 512 * 512 * 512 / seconds_of([&] { matmul(a, a); }));
    }
}

}  // namespace

Timed time_passes(AtCall lesson) {
    const bool quick = lesson->quick();
    const NoGrad no_grad;
    Rng rng(1);
    const LanguageModel floats = make_model(64, quick ? 384 : 512, quick ? 4 : 6, rng);
    std::vector<LanguageModel> models{floats, floats, floats};
    quantise(models[1], {.bits = 8});
    quantise(models[2], {.bits = 4});

    Timed timed;
    timed.tokens = {1, 2, 4, 8, 16, 32, 64};
    measure_machine(timed, rng);
    for (LanguageModel& model : models)
        timed.megabytes.push_back(1e-6 * static_cast<double>(bytes_of_linear_weights(model)));
    timed.weights = 1e6 * timed.megabytes[0] / 4;
    timed.seconds.resize(models.size());
    for (const double each : timed.tokens) {
        const auto tokens = static_cast<int64_t>(each);
        const Indices last(std::vector<int>(static_cast<std::size_t>(tokens), 1), {tokens});
        std::vector<Decodable> texts;
        for (const LanguageModel& model : models)
            texts.push_back(model.decodable(last.reshaped({tokens, 1})));
        std::vector<std::vector<double>> times(models.size());
        for (int turn = 0; turn < (quick ? 7 : 15); ++turn)
            for (std::size_t i = 0; i < models.size();
                 ++i)  // in turn: all meet the same disturbances
                times[i].push_back(seconds_of([&] { texts[i].step(last); }));
        for (std::size_t i = 0; i < models.size(); ++i)
            timed.seconds[i].push_back(*std::min_element(times[i].begin(), times[i].end()));
    }
    return timed;
}

// --- distributions ------------------------------------------------------------------------------

double chi_square_deviations(const std::vector<double>& expected, const std::vector<double>& seen) {
    double sum = 0, cells = 0, rare_expected = 0, rare_seen = 0;
    const auto add = [&](double e, double s) { sum += (s - e) * (s - e) / e, ++cells; };
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (expected[i] >= 5)
            add(expected[i], seen[i]);
        else
            rare_expected += expected[i], rare_seen += seen[i];
    }
    if (rare_expected > 0) add(rare_expected, rare_seen);
    const double k = std::max(cells - 1, 1.0);
    return (sum - k) / std::sqrt(2 * k);
}

std::vector<double> probabilities(const Tensor& log_probabilities) {
    return exp(log_probabilities).to_vector();
}

double deviations_of_pairs(const Models& models, const std::vector<int>& prompt, int samples,
                           Rng& rng) {
    const int alphabet = models.text.size();
    const auto cell = [&](int first, int second) {
        return static_cast<std::size_t>(first * alphabet + second);
    };
    // The target, by enumeration: p(a) p(b | a).
    std::vector<double> expected(cell(alphabet, 0)), seen(expected.size());
    const Decodable target = ready(models.target, prompt);
    Decodable first = target;
    const std::vector<double> p =
        probabilities(first.step(Indices({prompt.back()})).log_probabilities);
    for (int a = 0; a < alphabet; ++a) {
        Decodable second = first;
        const std::vector<double> after =
            probabilities(second.step(Indices({a})).log_probabilities);
        for (int b = 0; b < alphabet; ++b)
            expected[cell(a, b)] =
                samples * p[static_cast<std::size_t>(a)] * after[static_cast<std::size_t>(b)];
    }
    const Decodable draft = ready(models.draft, alphabet, prompt);
    for (int i = 0; i < samples; ++i) {
        const Speculation s =
            speculative_decode(target, draft, {.draft = 2}, rng, {.end = -1, .max_length = 3});
        ++seen[cell(s.hypothesis.tokens[0], s.hypothesis.tokens[1])];
    }
    return chi_square_deviations(expected, seen);
}

Drafting draft_texts(const Models& models, int length, int texts, const SamplingOptions& sampling,
                     Rng& rng) {
    double accepted = 0, expected = 0, judged = 0, tokens = 0, passes = 0;
    for (int i = 0; i < texts; ++i) {
        const std::vector<int> prompt = prompt_of(models.text, rng);
        const Speculation s = speculative_decode(
            ready(models.target, prompt), ready(models.draft, models.text.size(), prompt),
            {.draft = length, .sampling = sampling}, rng, {.end = -1, .max_length = 110});
        accepted += static_cast<double>(s.accepted), expected += s.overlap;
        judged += static_cast<double>(s.judged), passes += static_cast<double>(s.passes);
        tokens += static_cast<double>(s.hypothesis.tokens.size());
    }
    return {accepted / judged, expected / judged, judged, tokens / passes};
}

}  // namespace heed::lesson35
