#include "attention/decoding/decode.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "autograd/base/settings.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/elementwise/compare.h"
#include "autograd/ops/index/indexing.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/grad_mode.h"
#include "autograd/tensor/shapes.h"

namespace heed {

// --- Decodable ----------------------------------------------------------------------------------

Decodable::Decodable(const Decodable& other)
    : sequences_(other.sequences_ ? other.sequences_->copy() : nullptr),
      rows_(other.rows_),
      first_(other.first_),
      marked_(other.marked_),
      since_(other.since_),
      at_mark_(other.at_mark_ ? other.at_mark_->copy() : nullptr) {}

Decodable& Decodable::operator=(Decodable other) noexcept {
    std::swap(sequences_, other.sequences_);
    std::swap(rows_, other.rows_);
    std::swap(first_, other.first_);
    std::swap(marked_, other.marked_);
    std::swap(since_, other.since_);
    std::swap(at_mark_, other.at_mark_);
    return *this;
}

DecodingStep Decodable::step(const Indices& tokens) {
    const UserCall named("Decodable");
    check(defined(), "Decodable: there is no model to decode");
    check(tokens.count() == rows_, "{} tokens for {} rows; a step takes one for each",
          tokens.count(), rows_);
    DecodingStep step = sequences_->step(tokens);
    if (marked_) since_.push_back(tokens);
    const Tensor& p = step.log_probabilities;
    const Shapes in("Decodable", {{"the step's log_probabilities", p, "N V"}}, {{"N", rows_}},
                    "one row for each sequence");
    check(any(isnan(p)).item() == 0, "the step gave log_probabilities {} with NaN", p.shape());
    return step;
}

// Tokens [N, T] are given to the model by `give`.
void Decodable::take(const Indices& tokens, const std::function<void()>& give) {
    const UserCall named("Decodable");
    check(defined(), "Decodable: there is no model to decode");
    const Shapes given("Decodable", {{"tokens", tokens, "N T"}}, {{"N", rows_}},
                       "one row for each sequence");
    check(given["T"] > 0, "tokens {}; expected at least one for each row", tokens.shape());
    give();
    if (marked_)
        for (int64_t t = 0; t < given["T"]; ++t) since_.push_back(decoding::column(tokens, t));
}

void Decodable::append(const Indices& tokens) {
    take(tokens, [&] { sequences_->append(tokens); });
}

Tensor Decodable::steps(const Indices& tokens) {
    const UserCall named("Decodable");
    Tensor p;
    take(tokens, [&] { p = sequences_->steps(tokens); });
    const Shapes in("Decodable", {{"the steps' log_probabilities", p, "N T V"}},
                    {{"N", rows_}, {"T", tokens.size(1)}}, "one for each token");
    check(any(isnan(p)).item() == 0, "the steps gave log_probabilities {} with NaN", p.shape());
    return p;
}

void Decodable::mark() {
    check(defined(), "Decodable: there is no model to decode");
    marked_ = true;
    since_.clear();
    at_mark_ = sequences_->goes_back() ? nullptr : sequences_->copy();
}

void Decodable::keep(Integer count) {
    const int64_t given = std::ssize(since_);
    check(marked_, "Decodable: keep({}) without a mark(), which says what to go back to", count);
    check(count >= 0 && count <= given,
          "Decodable: keep({}), but {} tokens were given since mark()", count, given);
    if (count == given) return;
    since_.resize(count);
    if (sequences_->goes_back()) return sequences_->back(given - count);
    sequences_ = at_mark_->copy();
    for (const Indices& tokens : since_) sequences_->step(tokens);
}

void Decodable::select_rows(const std::vector<int>& rows) {
    const UserCall named("Decodable");
    check(defined(), "Decodable: there is no model to decode");
    for (int row : rows)
        check(row >= 0 && row < rows_, "row {} of a model with {} rows", row, rows_);
    sequences_->select_rows(rows);
    marked_ = false;
    at_mark_ = nullptr;
    rows_ = static_cast<int64_t>(rows.size());
    if (first_.count() == 0) return;
    std::vector<int> tokens;
    for (int row : rows) tokens.push_back(first_[row]);
    first_ = Indices(std::move(tokens));
}

namespace decoding {

Indices column(const Indices& tokens, int64_t t) {
    std::vector<int> of_rows;
    for (int64_t row = 0; row < tokens.size(0); ++row) of_rows.push_back(tokens.at({row, t}));
    return Indices(std::move(of_rows));
}

Tensor one_after_another(const Indices& tokens,
                         const std::function<DecodingStep(const Indices& column)>& step) {
    std::vector<Tensor> all;
    for (int64_t t = 0; t < tokens.size(1); ++t)
        all.push_back(step(column(tokens, t)).log_probabilities);
    return stack(all, 1);
}

std::vector<int> first_tokens(const Decodable& model, const DecodeOptions& options) {
    if (model.first().count() > 0) return model.first().values();
    return std::vector<int>(model.rows(), options.start);
}

int sample_index(const std::vector<double>& distribution, Rng& rng) {
    return categorical(tensor(distribution, Dtype::float64), rng)[0];
}

void select_rows(Tensor& x, const std::vector<int>& rows) {
    const UserCall named("select_rows");
    if (x.defined()) x = index_select(x, 0, Indices(rows));
}

SentenceOfRow::SentenceOfRow(int64_t rows) : sentence(rows) {
    std::iota(sentence.begin(), sentence.end(), 0);
}

bool SentenceOfRow::select_rows(const std::vector<int>& rows) {
    std::vector<int> selected;
    for (int row : rows) selected.push_back(sentence[row]);
    const bool changed = selected != sentence;
    sentence = std::move(selected);
    return changed;
}

}  // namespace decoding

// --- one token after another --------------------------------------------------------------------

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

int index_of_largest(const std::vector<double>& numbers) {
    return static_cast<int>(std::max_element(numbers.begin(), numbers.end()) - numbers.begin());
}

// Decodes all rows side by side. choose(logs [V]) returns the next token of a row.
template <class Choose>
std::vector<Hypothesis> decode(Decodable model, const DecodeOptions& options, const char* operation,
                               const Choose& choose) {
    check(model.defined(), "{}: there is no model to decode", operation);
    check_positive(operation, {{"max_length", options.max_length}});
    const NoGrad no_grad;
    const int64_t rows = model.rows();
    std::vector<Hypothesis> all(rows);
    std::vector<std::vector<Tensor>> weights(rows);  // of each row, at every step
    std::vector<int> last = decoding::first_tokens(model, options);

    // After max_length tokens only the end token may follow, if there is one.
    const int steps = options.max_length + (options.end >= 0 ? 1 : 0);
    int64_t unfinished = rows;
    for (int t = 0; t < steps && unfinished > 0; ++t) {
        const DecodingStep step = model.step(Indices(last));
        const std::vector<double> logs = step.log_probabilities.to_vector();
        const int64_t vocabulary = step.log_probabilities.size(1);
        for (int64_t row = 0; row < rows; ++row) {
            Hypothesis& h = all[row];
            if (h.finished || !h.possible()) continue;
            const auto begin = logs.begin() + row * vocabulary;
            const std::vector<double> of_row(begin, begin + vocabulary);
            if (of_row[index_of_largest(of_row)] == -infinity) {  // nothing is possible
                if (t < options.max_length) h.log_probability = -infinity, --unfinished;
                continue;
            }
            const int token = choose(of_row);
            if (t == options.max_length && token != options.end) continue;  // it is cut off
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
    }
    for (int64_t row = 0; row < rows; ++row)
        if (!weights[row].empty()) all[row].weights = stack(weights[row]);
    return all;
}

}  // namespace

std::vector<Hypothesis> greedy_decode(Decodable model, const DecodeOptions& options) {
    const UserCall named("greedy_decode");
    return decode(std::move(model), options, "greedy_decode", index_of_largest);
}

std::vector<Hypothesis> sample_decode(Decodable model, const SamplingOptions& sampling, Rng& rng,
                                      const DecodeOptions& options) {
    const UserCall named("sample_decode");
    return decode(std::move(model), options, "sample_decode", [&](const std::vector<double>& logs) {
        return decoding::sample_index(sampling_distribution(logs, sampling), rng);
    });
}

std::vector<double> sampling_distribution(const std::vector<double>& log_probabilities,
                                          const SamplingOptions& sampling) {
    check_not_negative("sampling_distribution",
                       {{"temperature", sampling.temperature}, {"top_k", sampling.top_k}});
    check(sampling.top_p > 0 && sampling.top_p <= 1,
          "sampling_distribution: top_p is {}; expected above 0, at most 1", sampling.top_p);
    check(!log_probabilities.empty(),
          "sampling_distribution: no log-probabilities; expected one for each token");
    for (double log : log_probabilities)
        check(!std::isnan(log), "sampling_distribution: a log-probability is NaN");
    const int64_t vocabulary = static_cast<int64_t>(log_probabilities.size());
    std::vector<double> p(vocabulary, 0.0);
    const int best = index_of_largest(log_probabilities);
    check(std::isfinite(log_probabilities[best]),
          "sampling_distribution: the largest log-probability is {}", log_probabilities[best]);
    if (sampling.temperature == 0) {
        p[best] = 1;
        return p;
    }

    // Softmax at the given temperature over the top_k tokens, most probable first.
    std::vector<int> order(vocabulary);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return log_probabilities[a] > log_probabilities[b]; });
    if (sampling.top_k > 0 && sampling.top_k < vocabulary) order.resize(sampling.top_k);
    double sum = 0;
    for (int token : order)
        if (const double log = log_probabilities[token]; log > -infinity)
            sum += p[token] = std::exp((log - log_probabilities[best]) / sampling.temperature);

    // Of those the fewest whose probabilities sum to at least top_p, but at least one.
    double kept = 0;
    std::size_t count = 0;
    while (count < order.size() && (count == 0 || kept < sampling.top_p * sum))
        kept += p[order[count++]];
    for (std::size_t i = count; i < order.size(); ++i) p[order[i]] = 0;
    for (double& each : p) each /= kept;
    return p;
}

}  // namespace heed
