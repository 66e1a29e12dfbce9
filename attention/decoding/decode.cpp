#include "attention/decoding/decode.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "autograd/ops/indexing.h"
#include "autograd/ops/reductions.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/record/grad_mode.h"

namespace heed {

namespace {

void check_options(const Decodable& model, const DecodeOptions& options, const char* operation) {
    check(model.step != nullptr, "{}: the model has no step function", operation);
    check(model.rows >= 1, "{}: the model has {} rows; one is needed for every sentence", operation,
          model.rows);
    check(options.max_length >= 1, "{}: max_length is {}, expected at least 1", operation,
          options.max_length);
}

// Writes all rows side by side. choose(logs [V], row) gives the next token of a row.
template <class Choose>
std::vector<Hypothesis> write(const Decodable& model, const DecodeOptions& options,
                              const char* operation, const Choose& choose) {
    check_options(model, options, operation);
    const NoGrad no_grad;
    const int64_t rows = model.rows;
    std::vector<Hypothesis> all(rows);
    std::vector<std::vector<Tensor>> weights(rows);  // per row, of every step
    std::vector<int> last(rows, options.start);
    DecodingState state = model.start;

    // The last step, with max_length tokens written, can only add an end.
    int64_t unfinished = rows;
    for (int place = 0; place <= options.max_length && unfinished > 0; ++place) {
        DecodingStep step = model.step(state, Indices(last));
        check(step.log_probabilities.dim() == 2 && step.log_probabilities.size(0) == rows,
              "{}: the step gave log-probabilities {} for {} rows; they are [N, V]", operation,
              step.log_probabilities.shape(), rows);
        const std::vector<double> logs = step.log_probabilities.to_vector();
        const int64_t vocabulary = step.log_probabilities.size(1);
        for (int64_t row = 0; row < rows; ++row) {
            Hypothesis& h = all[row];
            if (h.finished) continue;
            const auto begin = logs.begin() + row * vocabulary;
            const std::vector<double> of_row(begin, begin + vocabulary);
            const int token = choose(of_row, row);
            if (place == options.max_length && token != options.end) continue;  // no room is left
            h.log_probability += of_row[token];
            if (step.weights.defined()) weights[row].push_back(select(step.weights, 0, row));
            if (token == options.end) {
                h.finished = true;
                --unfinished;
            } else {
                h.tokens.push_back(token);
            }
            last[row] = token;
        }
        state = std::move(step.state);
    }
    for (int64_t row = 0; row < rows; ++row)
        if (!weights[row].empty()) all[row].weights = stack(weights[row]);
    return all;
}

int largest(const std::vector<double>& numbers) {
    return static_cast<int>(std::max_element(numbers.begin(), numbers.end()) - numbers.begin());
}

// One place by weights that add up to 1.
int draw(const std::vector<double>& distribution, Rng& rng) {
    double left = rng.uniform();
    int last = 0;
    for (std::size_t i = 0; i < distribution.size(); ++i) {
        if (distribution[i] == 0) continue;
        last = static_cast<int>(i);
        if ((left -= distribution[i]) < 0) break;
    }
    return last;
}

}  // namespace

std::vector<Hypothesis> greedy_decode(const Decodable& model, const DecodeOptions& options) {
    return write(model, options, "greedy",
                 [](const std::vector<double>& logs, int64_t) { return largest(logs); });
}

std::vector<double> sampling_distribution(const std::vector<double>& log_probabilities,
                                          const Sampling& sampling) {
    check(
        sampling.temperature >= 0 && sampling.top_k >= 0 && sampling.top_p > 0 &&
            sampling.top_p <= 1,
        "sample: temperature {} (at least 0), top_k {} (at least 0; 0 for all), top_p {} (above 0, "
        "at most 1)",
        sampling.temperature, sampling.top_k, sampling.top_p);
    check(!log_probabilities.empty(), "sample: no log-probabilities; a step gives [N, V] of them");
    const int64_t vocabulary = static_cast<int64_t>(log_probabilities.size());
    std::vector<double> p(vocabulary, 0.0);
    const int best = largest(log_probabilities);
    if (sampling.temperature == 0) {
        p[best] = 1;
        return p;
    }

    // Softmax at the given temperature, over the tokens sorted from the likeliest on.
    std::vector<int> order(vocabulary);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return log_probabilities[a] > log_probabilities[b]; });
    if (sampling.top_k > 0 && sampling.top_k < vocabulary) order.resize(sampling.top_k);
    double sum = 0;
    for (int token : order)
        sum += p[token] =
            std::exp((log_probabilities[token] - log_probabilities[best]) / sampling.temperature);

    // The fewest tokens that together reach top_p, at least one.
    double kept = 0;
    std::size_t count = 0;
    while (count < order.size() && (count == 0 || kept < sampling.top_p * sum))
        kept += p[order[count++]];
    for (std::size_t i = count; i < order.size(); ++i) p[order[i]] = 0;
    for (double& each : p) each /= kept;
    return p;
}

std::vector<Hypothesis> sample_decode(const Decodable& model, const Sampling& sampling, Rng& rng,
                               const DecodeOptions& options) {
    return write(model, options, "sample", [&](const std::vector<double>& logs, int64_t) {
        return draw(sampling_distribution(logs, sampling), rng);
    });
}

DecodingState select_rows(const DecodingState& state, const std::vector<int>& rows, bool memory_too) {
    DecodingState selected = state;
    const Indices places(rows);
    for (Tensor& x : selected.moving) x = index_select(x, 0, places);
    if (memory_too)
        for (Tensor& x : selected.memory) x = index_select(x, 0, places);
    return selected;
}

}  // namespace heed
