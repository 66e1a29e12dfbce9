// What the laws are made of: inputs, comparisons, and access to weights row by row. A law of your
// own calls violated() with what is wrong, or returns:
//
//     const laws::Verdict verdict = laws::judge("the context is no larger than its values", [&] {
//         const laws::Inputs x(sizes);
//         const Tensor context = f(x.query, x.key, x.value, laws::padding(sizes)).context;
//         const double largest = max(abs(context)).item();
//         if (largest > max(abs(x.value)).item()) laws::violated("the context has a {}", largest);
//     });
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "attention/laws/laws.h"
#include "attention/scores/mask.h"
#include "autograd/autograd.h"

namespace heed::laws {

inline constexpr Dtype f64 = Dtype::float64;

// What is wrong, in words; empty if nothing is.
using Complaint = std::string;

// What the body of a law throws if the law does not hold.
struct Violation {
    Complaint complaint;
};
template <class... Args>
[[noreturn]] void violated(fmt::format_string<Args...> format, Args&&... args) {
    throw Violation{fmt::format(format, std::forward<Args>(args)...)};
}

// Calls the body of a law, which returns if it holds.
template <class Body>
Verdict judge(const char* law, const Body& body) {
    try {
        body();
        return {law, true, {}};
    } catch (const Violation& violation) {
        return {law, false, violation.complaint};
    } catch (const Error& error) {
        return {law, false, fmt::format("it threw an error: {}", error.what())};
    }
}

// Lengths K - 1, K - 2, ...: at least one key of every sequence is padding.
inline Indices padded_lengths(const Sizes& s) {
    std::vector<int> lengths;
    for (int64_t b = 0; b < s.batch; ++b)
        lengths.push_back(static_cast<int>(1 + (s.keys - 2) * (b + 1) % (s.keys - 1)));
    return Indices(lengths);
}

inline Tensor padding(const Sizes& s) { return padding_mask(padded_lengths(s), s.keys, f64); }

// "[1, 0, 2]", the index of element number `flat` in row-major order.
inline std::string index_of(const Shape& shape, int64_t flat) {
    Shape at = shape;
    for (int axis = shape.count - 1; axis >= 0; --axis) {
        at[axis] = flat % shape[axis];
        flat /= shape[axis];
    }
    return to_string(at);
}

inline Complaint differ(const std::string& what, const Tensor& got, const Tensor& expected,
                        double tolerance) {
    if (!(got.shape() == expected.shape()))
        return fmt::format("{} has shape {}, expected {}", what, got.shape(), expected.shape());
    const std::vector<double> a = got.to_vector(), b = expected.to_vector();
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!(std::abs(a[i] - b[i]) <= tolerance * std::max(1.0, std::abs(b[i]))))
            return fmt::format("{}{} is {}, expected {}", what, index_of(got.shape(), i), a[i],
                               b[i]);
    return {};
}
inline void must_equal(const std::string& what, const Tensor& got, const Tensor& expected,
                       double tolerance) {
    if (const Complaint wrong = differ(what, got, expected, tolerance); !wrong.empty())
        throw Violation{wrong};
}

// f(query, key, value, mask), whose outputs must have the shapes that laws.h states.
inline AttentionOutput call(const AttentionFunction& f, const Tensor& query, const Tensor& key,
                            const Tensor& value, const Tensor& mask) {
    const AttentionOutput y = f(query, key, value, mask);
    const int64_t batch = query.size(0), queries = query.size(1), keys = key.size(1);
    if (!y.context.defined() || y.context.dim() != 3 || y.context.size(0) != batch ||
        y.context.size(1) != queries)
        violated("the context has shape {}, expected [{}, {}, any]",
                 y.context.defined() ? to_string(y.context.shape()) : "none", batch, queries);
    const auto right = [&](const Tensor& w) {
        return w.dim() >= 3 && w.dim() <= 4 && w.size(0) == batch && w.size(-2) == queries &&
               w.size(-1) == keys;
    };
    if (!y.weights.defined() || !right(y.weights))
        violated(
            "the weights have shape {}, expected [{}, {}, {}], with or without an axis "
            "of heads after the first",
            y.weights.defined() ? to_string(y.weights.shape()) : "none", batch, queries, keys);
    return y;
}

struct Inputs {
    Tensor query;  // [B, Q, D]
    Tensor key;    // [B, K, D]
    Tensor value;  // [B, K, D']

    explicit Inputs(const Sizes& s) {
        Rng rng(s.seed);
        query = normal({s.batch, s.queries, s.query_width}, 0, 1, rng, f64);
        key = normal({s.batch, s.keys, s.key_width}, 0, 1, rng, f64);
        value = normal({s.batch, s.keys, s.value_width}, 0, 1, rng, f64);
    }
    AttentionOutput through(const AttentionFunction& f, const Tensor& mask) const {
        return call(f, query, key, value, mask);
    }
};
inline const std::string input_names[]{"query", "key", "value"};

// A call with inputs that require gradients.
struct Traced {
    std::vector<Tensor> leaves;  // query, key, value
    AttentionOutput y;

    Traced(const AttentionFunction& f, const Inputs& x, const Tensor& mask,
           bool has_weights = true) {
        for (const Tensor& leaf : {x.query, x.key, x.value})
            leaves.push_back(copy_of(leaf).set_requires_grad());
        y = has_weights ? call(f, leaves[0], leaves[1], leaves[2], mask)
                        : f(leaves[0], leaves[1], leaves[2], mask);
    }
    // The gradients of a random weighted sum of all contexts, or of those of one query.
    std::vector<Tensor> gradients(uint64_t seed, int64_t query = -1) const {
        Rng rng(seed);
        const Tensor of = query < 0 ? y.context : slice(y.context, 1, query, query + 1);
        return grad(of, leaves, false, normal(of.shape(), 0, 1, rng, f64));
    }
};

// x [B, K, D] with element d of row (b, k) replaced by change(old, d).
template <class Change>
Tensor with_row(const Tensor& x, int64_t b, int64_t k, const Change& change) {
    Tensor y = copy_of(x);
    const int64_t width = x.size(2);
    double* row = y.edit<double>() + (b * x.size(1) + k) * width;
    for (int64_t d = 0; d < width; ++d) row[d] = change(row[d], d);
    return y;
}

// The same with only element `at` of the row changed.
inline Tensor with_element(const Tensor& x, int64_t b, int64_t k, int64_t at) {
    return with_row(x, b, k, [at](double old, int64_t d) { return d == at ? old + 0.5 : old; });
}

inline double changed(double old, int64_t d) { return old + 0.5 + 0.1 * static_cast<double>(d); }

// Attention weights as rows of K numbers, one for each query. The index of a row runs over
// [B, (H,) Q].
struct Rows {
    std::vector<double> all;
    Shape shape;  // of the weights
    int64_t keys = 0, heads = 0, queries = 0;

    explicit Rows(const Tensor& weights) : all(weights.to_vector()), shape(weights.shape()) {
        keys = shape.back();
        queries = shape[shape.count - 2];
        heads = shape.count == 4 ? shape[1] : 1;
    }
    int64_t count() const { return static_cast<int64_t>(all.size()) / keys; }
    double at(int64_t row, int64_t key) const { return all[row * keys + key]; }
    int64_t batch_of(int64_t row) const { return row / (heads * queries); }
    int64_t query_of(int64_t row) const { return row % queries; }
    // Whether a row of the weights differs from that of others.
    bool changed(const Rows& other, int64_t row) const {
        for (int64_t k = 0; k < keys; ++k)
            if (std::abs(at(row, k) - other.at(row, k)) >= 1e-12) return true;
        return false;
    }
    std::string index(int64_t row, int64_t key) const { return index_of(shape, row * keys + key); }
    int64_t largest(int64_t row) const {
        int64_t best = 0;
        for (int64_t k = 1; k < keys; ++k)
            if (at(row, k) > at(row, best)) best = k;
        return best;
    }
};

// f(b, q, k, weight, name) for each weight of each head; its name is "weights[0, 1, 2]".
template <class F>
void each_weight(const Tensor& weights, const F& f) {
    const Rows rows(weights);
    for (int64_t row = 0; row < rows.count(); ++row)
        for (int64_t k = 0; k < rows.keys; ++k)
            f(rows.batch_of(row), rows.query_of(row), k, rows.at(row, k),
              "weights" + rows.index(row, k));
}

// x [B, Q] for each head of y, which is [B, Q] or [B, H, Q].
inline Tensor of_each_head(const Tensor& x, const Tensor& y) {
    return contiguous(expand(y.dim() == 3 ? unsqueeze(x, 1) : x, y.shape()));
}

// The words of a complaint about a weight: "but key 3 is masked".
struct KeyWords {
    const char *noun = "", *allowed = "", *excluded = "";
};
// The weights are above 0 where allowed(b, q, k) and exactly 0 elsewhere.
template <class Allowed>
void must_weigh(const Tensor& weights, const KeyWords& words, const Allowed& allowed) {
    each_weight(weights,
                [&](int64_t b, int64_t q, int64_t k, double weight, const std::string& name) {
                    const bool may = allowed(b, q, k);
                    if (may ? !(weight > 0) : weight != 0)
                        violated("{} is {}, but {} {} is {}", name, weight, words.noun, k,
                                 may ? words.allowed : words.excluded);
                });
}

// The largest change in row `row` of [B, N, D], the rows counted through the batch. NaN counts as a change.
inline double row_change(const Tensor& before, const Tensor& after, int64_t row) {
    const auto of = [&](const Tensor& x) { return select(reshape(x, {-1, x.size(2)}), 0, row); };
    const double change = max(abs(of(after) - of(before))).item();
    return change >= 0 ? change : std::numeric_limits<double>::infinity();
}

// The contexts [B, Q, D] of the queries with of(b, q) stay as they are.
template <class Of>
void must_stay(const Tensor& before, const Tensor& after, double tolerance, const std::string& when,
               const Of& of) {
    const int64_t queries = before.size(1);
    for (int64_t row = 0; row < before.size(0) * queries; ++row)
        if (const double change = row_change(before, after, row);
            of(row / queries, row % queries) && !(change <= tolerance))
            violated("the context at {} changes by {} {}", index_of({before.size(0), queries}, row),
                     change, when);
}

// A gradient [B, N, D] is exactly 0 in the rows with of(b, n).
template <class Of>
void must_be_zero(const std::string& what, const Tensor& gradient, const Of& of,
                  const std::string& where = "") {
    const std::vector<double> numbers = gradient.to_vector();
    const int64_t width = gradient.size(2), rows = gradient.size(1);
    for (int64_t i = 0; i < gradient.numel(); ++i)
        if (of(i / width / rows, i / width % rows) && numbers[i] != 0)
            violated("the gradient of {} at {} is {}, not 0{}", what, index_of(gradient.shape(), i),
                     numbers[i], where);
}

// A mask [B, Q, K] of 1, and of 0 where forbidden(b, q, k).
template <class Forbidden>
Tensor mask_without(const Sizes& s, const Forbidden& forbidden) {
    Tensor mask = ones({s.batch, s.queries, s.keys}, f64);
    double* to = mask.edit<double>();
    for (int64_t b = 0; b < s.batch; ++b)
        for (int64_t q = 0; q < s.queries; ++q)
            for (int64_t k = 0; k < s.keys; ++k) *to++ = forbidden(b, q, k) ? 0 : 1;
    return mask;
}

// The padding mask [B, Q, K], and the last query of the first sequence may attend to nothing.
inline Tensor padding_and_an_empty_row(const Sizes& s) {
    return padding(s) * mask_without(s, [&](int64_t b, int64_t q, int64_t) {
               return b == 0 && q == s.queries - 1;
           });
}

}  // namespace heed::laws
