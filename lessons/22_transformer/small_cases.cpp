#include "lessons/22_transformer/small_cases.h"

#include <cmath>

#include "attention/attention.h"
#include "attention/decoding/beam.h"
#include "autograd/autograd.h"

namespace heed::lesson22 {

using namespace heed::course;

namespace {

std::string pair(const std::vector<double>& x) {
    return fmt::format("{}, {}", number(x[0], 4), number(x[1], 4));
}

const char* const words[] = {"(start)", "a", "the", "cat", "dog"};

// The probabilities of the next word depend on the last one only.
struct FourWords {
    DecodingStep step(const Indices& last) const {
        static const double next[5][5] = {{0, 0.6, 0.4, 0, 0},
                                          {0, 0, 0, 0.5, 0.5},
                                          {0, 0, 0, 0.9, 0.1},
                                          {0, 0.5, 0.5, 0, 0},
                                          {0, 0.5, 0.5, 0, 0}};
        std::vector<double> logs;
        for (std::int64_t row = 0; row < last.count(); ++row)
            for (double p : next[last[row]]) logs.push_back(std::log(p + 1e-30));
        return {tensor(logs, {last.count(), 5})};
    }
    void select_rows(const std::vector<int>&) const {}  // there is no state to rearrange
};

}  // namespace

void add_row(Table& table, int layers, const Tensor& alone, const Tensor& added) {
    const std::vector<double> x = alone.to_vector(), y = added.to_vector();
    table.row(layers, pair(x), number(x[1] - x[0], 4), pair(y), number(y[1] - y[0], 4));
}

void show_normalised(Lesson& lesson, const Tensor& tokens, const Tensor& normalised) {
    Table table({"token", "normalised"});
    const std::vector<double> x = tokens.to_vector(), y = normalised.to_vector();
    for (std::size_t i = 0; i < x.size(); i += 3)
        table.row(fmt::format("({}, {}, {})", x[i], x[i + 1], x[i + 2]),
                  fmt::format("({:.3f}, {:.3f}, {:.3f})", y[i], y[i + 1], y[i + 2]));
    lesson.table(table, "Scale 1 and shift 0.");
}

void show_absolute_values(Lesson& lesson, const Tensor& x, const Tensor& y) {
    Table table({"x", "FF(x)"});
    const std::vector<double> in = x.to_vector(), out = y.to_vector();
    for (std::size_t i = 0; i < in.size(); ++i) table.row(number(in[i]), number(out[i]));
    lesson.table(table, "A feed-forward network with two hidden units, weights set by hand.");
}

Decodable four_words() { return {FourWords{}, 1}; }

void show_searches(Lesson& lesson, const Hypothesis& greedy, const Hypothesis& beam) {
    Table table({"decoding", "sentence", "probability"});
    const auto row = [&](const char* name, const Hypothesis& found) {
        std::string sentence;
        for (int word : found.tokens)
            sentence += (sentence.empty() ? "" : " ") + std::string(words[word]);
        table.row(name, sentence, number(std::exp(found.log_probability), 3));
    };
    row("greedy", greedy);
    row("beam of 2", beam);
    lesson.table(table, "Both decodings of the example above.");

    Table scores({"words", "ln p", "divisor", "score"});
    for (const auto& [length, log_p] : {std::pair{2, -1.0}, {4, -1.15}})
        scores.row(length, fmt::format("{:.2f}", log_p),
                   fmt::format("{:.3f}", length_penalty(length, 0.6)),
                   fmt::format("{:.3f}", log_p / length_penalty(length, 0.6)));
    lesson.table(scores, "Two sentences with a length penalty of 0.6.");
}

double published_parameters(std::int64_t blocks) {
    const TransformerOptions stack{.width = 512, .heads = 8, .layers = blocks, .hidden = 2048};
    return 1e-6 * static_cast<double>(parameter_count(TransformerModelOptions{
                      .source_vocabulary = 37000, .target_vocabulary = 37000, .stack = stack}));
}

}  // namespace heed::lesson22
