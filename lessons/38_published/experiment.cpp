#include "lessons/38_published/experiment.h"

#include <algorithm>
#include <chrono>

#include "autograd/autograd.h"
#include "autograd/record/grad_mode.h"
#include "lessons/course/course.h"
#include "lessons/material/training/next_checkpoint.h"
#include "nn/layers/losses.h"
#include "nn/layers/quantise.h"
#include "nn/optim/optimisers.h"
#include "nn/train/train.h"

namespace heed::lesson38 {

using namespace course;

void finding(AtCall lesson, const Subject& subject, const std::string& name,
             const std::string& text, double measured, Expectation expected) {
    if (lesson->quick() || subject.published)
        lesson->measured(name, text, measured);
    else
        lesson->claim(name, "finding: " + text, measured, expected);
}

std::string one_line(const std::string& text) {
    std::string line = text;
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line;
}

// --- part by part -------------------------------------------------------------------------------

namespace {

struct Part {
    std::string name, written_in;
    double numbers = 0;  // parameters
};

double numbers_in(const Linear& layer) {
    if (!layer.defined()) return 0;
    return static_cast<double>(layer.in_features() * layer.out_features());
}

std::vector<Part> parts_of(const LanguageModel& model) {
    double query = 0, key_value = 0, output = 0, network = 0, norms = 0;
    for (const TransformerEncoderLayer& layer : model.stack.layers) {
        const MultiHead& heads = layer.attention.multi_head;
        query += numbers_in(heads.query), output += numbers_in(heads.output);
        key_value += numbers_in(heads.key) + numbers_in(heads.value);
        network += numbers_in(layer.feed_forward.gate) + numbers_in(layer.feed_forward.hidden) +
                   numbers_in(layer.feed_forward.output);
        norms += 2.0 * static_cast<double>(layer.attention_residual.norm.weight.numel());
    }
    norms += static_cast<double>(model.stack.norm.weight.numel());
    const bool tied = model.head.weight.defined()
                          ? model.head.weight.data<float>() == model.embedding.weight.data<float>()
                          : model.head.quantised.data() == model.embedding.quantised.data();
    const double table = numbers_in(model.head);
    return {{"table of embeddings", "embeddings", table},
            {"queries", "query_key_value.1", query},
            {"keys and values in groups", "modern_block.3", key_value},
            {"rotation of queries and keys", "published.1", 0},
            {"causal mask", "self_attention.1", 0},
            {"output of the heads", "heads.1", output},
            {"gated network", "modern_block.2", network},
            {"RMS norms", "modern_block.1", norms},
            {tied ? "scores of the next token (the same table)" : "scores of the next token",
             "language_model", tied ? 0 : table}};
}

}  // namespace

void show_parts(AtCall lesson, const Subject& subject) {
    const std::vector<Part> parts = parts_of(subject.model);
    const int64_t arrays = std::ssize(parameters(subject.model));
    double all = 0;
    for (const Part& part : parts) all += part.numbers;
    Table table({"part", "written in", "parameters", "share"});
    for (const Part& part : parts)
        table.row(part.name, part.written_in, part.numbers,
                  fmt::format("{:.1f} %", 100 * part.numbers / all));
    lesson->say("The model: {}.", subject.name);
    lesson->table(table, fmt::format("Its {:.0f} parameters in {} arrays, and the lesson or "
                                     "exercise (name and number) in which you write what is done "
                                     "with them.",
                                     all, arrays));
}

// --- random strings, twice ----------------------------------------------------------------------

Twice draw_twice(const Subject& subject, int64_t rows, Rng& rng) {
    const int64_t n = subject.string_length, first = std::ssize(subject.first);
    std::vector<int> in, out, letters = subject.letters;
    for (int64_t row = 0; row < rows; ++row) {
        rng.shuffle(letters);
        in.insert(in.end(), subject.first.begin(), subject.first.end());
        for (int64_t i = 0; i < 2 * n; ++i) in.push_back(letters[static_cast<std::size_t>(i % n)]);
        for (int64_t i = 0; i < first + 2 * n; ++i)
            out.push_back(i < first + n || i + 1 == first + 2 * n
                              ? -1
                              : letters[static_cast<std::size_t>((i + 1 - first) % n)]);
    }
    const Shape shape{rows, first + 2 * n};
    return {Indices(std::move(in), shape), Indices(std::move(out), shape), first, n};
}

// --- precision ----------------------------------------------------------------------------------

bool in_blocks_of_32(const LanguageModel& model) {
    bool all = true;
    LanguageModel copy = model;  // shares its tensors; for_each_layer wants one that may change
    for_each_layer<Linear>(copy, [&](const std::string&, Linear& layer) {
        if (layer.defined()) all = all && layer.in_features() % block_weights == 0;
    });
    return all;
}

double bytes_a_token(const LanguageModel& model) {
    LanguageModel copy = model;
    return static_cast<double>(bytes_of_linear_weights(copy));
}

namespace {

template <class F>
double median_seconds(int times, F f) {
    std::vector<double> seconds;
    for (int i = 0; i < times; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        f();
        seconds.push_back(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    std::nth_element(seconds.begin(), seconds.begin() + times / 2, seconds.end());
    return seconds[static_cast<std::size_t>(times / 2)];
}

}  // namespace

double tokens_a_second(const LanguageModel& model) {
    Decodable text = model.decodable(Indices(std::vector<int>(8, 1), {1, 8}));
    return 1 / median_seconds(24, [&] { text.step(Indices({1})); });
}

double bytes_a_second() {
    const int64_t numbers = 24'000'000;
    const NoGrad no_grad;
    const Tensor x = ones({numbers});
    return 4.0 * static_cast<double>(numbers) / median_seconds(7, [&] { sum(x).item(); });
}

// --- adapters -----------------------------------------------------------------------------------

void train_on_other(AtCall lesson, LanguageModel& model, const Subject& subject, Rng rng) {
    const int64_t batch = subject.published ? 2 : 16, length = subject.other.in.size(1);
    const int steps = subject.published ? 30 : lesson->quick() ? 40 : 200;
    Adam adam(parameters(model), {.lr = subject.published ? 2e-3 : 1e-2});
    ProgressLine line = lesson->progress("adapters", steps);
    train(adam,
          {.steps = steps,
           .clip_norm = 1,
           .on_step = [&](const TrainProgress& now) { line.update(now.step, now.mean_loss); },
           .checkpoint = next_checkpoint({rng})},
          [&](int64_t) {
              std::vector<int> in, out;
              for (int64_t b = 0; b < batch; ++b) {
                  const int64_t row = rng.below(subject.other.in.size(0));
                  for (int64_t t = 0; t < length; ++t) {
                      in.push_back(subject.other.in.at({row, t}));
                      out.push_back(subject.other.out.at({row, t}));
                  }
              }
              const Shape shape{batch, length};
              return StepResult{sequence_cross_entropy(model(Indices(std::move(in), shape)),
                                                       Indices(std::move(out), shape), -1)};
          });
    line.clear();
}

}  // namespace heed::lesson38
