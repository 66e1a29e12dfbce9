#include "attention/laws/laws.h"

#include "attention/laws/laws_detail.h"

namespace heed::laws {

std::string to_string(const Verdict& verdict) {
    return verdict.holds ? fmt::format("{}: holds", verdict.law)
                         : fmt::format("{}: violated: {}", verdict.law, verdict.message);
}

namespace {

void check_sums(const Tensor& weights, const std::vector<double>& mask, const char* when) {
    const Rows rows(weights);
    for (int64_t row = 0; row < rows.count(); ++row) {
        double sum = 0, expected = 0;
        for (int64_t k = 0; k < rows.keys; ++k) {
            if (!(rows.at(row, k) >= 0))
                violated("weights{} is {} {}", rows.index(row, k), rows.at(row, k), when);
            sum += rows.at(row, k);
            if (allows(rows, mask, row, k)) expected = 1;
        }
        if (!(std::abs(sum - expected) <= 1e-9))
            violated("the weights of query {} sum to {} over the keys, expected {}, {}",
                     row % rows.queries, sum, expected, when);
    }
}

// x [B, K, D] with every row of a sequence replaced by its row k.
Tensor all_as_row(const Tensor& x, int64_t k) {
    return contiguous(expand(slice(x, 1, k, k + 1), x.shape()));
}

// The first element of row `row` of x [B, N, D] that is not 0, as a complaint.
void check_zero(const char* what, const Tensor& x, int64_t row, const std::string& where = "") {
    const int64_t width = x.size(2);
    const std::vector<double> numbers = x.to_vector();
    for (int64_t d = 0; d < width; ++d)
        if (const double g = numbers[row * width + d]; g != 0)
            violated("the gradient of {} at {} is {}, not 0{}", what,
                     index_of(x.shape(), row * width + d), g, where);
}

// The largest change between rows (b, n) of a and b [B, N, D].
double row_change(const Tensor& a, const Tensor& b, int64_t row) {
    const int64_t width = a.size(2);
    const std::vector<double> before = a.to_vector(), after = b.to_vector();
    double largest = 0;
    for (int64_t i = row * width; i < (row + 1) * width; ++i) {
        const double change = std::abs(after[i] - before[i]);
        largest = change <= largest ? largest : change;  // NaN counts as a change
    }
    return largest;
}

// The variance of the scores of a query, averaged over queries. The logarithms of weights are the
// scores minus a constant, which does not change the variance.
double spread(const Tensor& weights) { return mean(var(log(weights), -1)).item(); }

}  // namespace

// --- weights, keys and masks --------------------------------------------------------------------

Verdict distribution(const AttentionFunction& f, const Sizes& s) {
    return judge("weights are a distribution", [&] {
        const Inputs x(s);
        const Shape full{s.batch, s.queries, s.keys};
        const Tensor none = ones(full, f64);
        check_sums(call(f, x.query, x.key, x.value, {}).weights, none.to_vector(),
                   "without a mask");
        const Tensor padded = expand(padding(s), full);
        check_sums(call(f, x.query, x.key, x.value, padding(s)).weights, padded.to_vector(),
                   "with a padding mask");

        // The last query of the first sequence may attend to nothing.
        Tensor mask = copy_of(padded);
        std::fill_n(mask.edit<double>() + (s.queries - 1) * s.keys, s.keys, 0.0);
        const AttentionOutput y = call(f, x.query, x.key, x.value, mask);
        for (double c : y.context.to_vector())
            if (!std::isfinite(c))
                violated("the context is not finite where a query has no allowed key");
        check_sums(y.weights, mask.to_vector(), "where one query has no allowed key");
    });
}

Verdict permutation(const AttentionFunction& f, const Sizes& s) {
    return judge("the order of keys does not matter", [&] {
        const Inputs x(s);
        std::vector<int> order;  // no key keeps its index
        for (int64_t k = 0; k < s.keys; ++k) order.push_back(static_cast<int>((k + 2) % s.keys));
        const auto permuted = [&](const Tensor& t, int axis) {
            return index_select(t, axis, order);
        };
        for (const Tensor& mask : {Tensor(), padding(s)}) {
            const AttentionOutput y = call(f, x.query, x.key, x.value, mask);
            const AttentionOutput z = call(f, x.query, permuted(x.key, 1), permuted(x.value, 1),
                                           mask.defined() ? permuted(mask, 2) : mask);
            must_equal("context (keys and values permuted)", z.context, y.context, s.tolerance);
            must_equal("weights (keys and values permuted)", z.weights,
                       permuted(y.weights, y.weights.dim() - 1), s.tolerance);
        }
    });
}

namespace {

// Changes x [B, N, D], which is the query or the key: one row at a time, then one element at a time.
// run(x) returns the weights; must_change(before, after, row, b, n) the complaint about a row of the
// weights that should have changed with row (b, n) of x and did not.
template <class Run, class Changes>
void counts(const char* what, const Tensor& x, const Run& run, const Changes& must_change) {
    const Rows before(run(x));
    for (int64_t b = 0; b < x.size(0); ++b)
        for (int64_t n = 0; n < x.size(1); ++n) {
            const Rows after(run(with_row(x, b, n, changed)));
            for (int64_t row = 0; row < before.count(); ++row)
                if (auto wrong = must_change(before, after, row, b, n); !wrong.empty())
                    violated("{} when {} {} of sequence {} changes", wrong, what, n, b);
            for (int64_t d = 0; d < x.size(2); ++d) {
                const Rows moved(run(with_element(x, b, n, d)));
                bool felt = false;
                for (int64_t row = 0; row < before.count() && !felt; ++row)
                    felt =
                        must_change(before, moved, row, b, n).empty() && before.changed(moved, row);
                if (!felt)
                    violated("no weight changes when element {} of {} {} of sequence {} does", d,
                             what, n, b);
            }
        }
}

}  // namespace

Verdict every_key_counts(const AttentionFunction& f, const Sizes& s) {
    return judge("changing a key changes its weight", [&] {
        const Inputs x(s);
        counts(
            "key", x.key,
            [&](const Tensor& key) { return call(f, x.query, key, x.value, {}).weights; },
            [](const Rows& before, const Rows& after, int64_t row, int64_t b, int64_t k) {
                const bool stays = before.batch_of(row) == b &&
                                   std::abs(after.at(row, k) - before.at(row, k)) < 1e-12;
                return stays ? fmt::format("weights{} stays {}", before.index(row, k),
                                           before.at(row, k))
                             : Complaint();
            });
    });
}

Verdict masked_keys(const AttentionFunction& f, const Sizes& s) {
    return judge("a masked key has weight 0 and gradient 0", [&] {
        const Inputs x(s);
        const Indices lengths = padded_lengths(s);
        const Tensor mask = padding(s);
        const std::vector<double> allowed = expand(mask, {s.batch, s.queries, s.keys}).to_vector();

        Rng rng(s.seed + 1);
        Tensor covector;
        // With the padding multiplied by a factor: the outputs, and the gradients of all inputs.
        const auto run = [&](double factor) {
            std::vector<Tensor> leaves{x.query, x.key, x.value};
            for (int64_t b = 0; b < s.batch; ++b)
                for (int64_t k = lengths[b]; k < s.keys; ++k)
                    for (int i : {1, 2})
                        leaves[i] = with_row(leaves[i], b, k,
                                             [&](double old, int64_t) { return old * factor; });
            for (Tensor& leaf : leaves) leaf = copy_of(leaf).set_requires_grad();
            AttentionOutput y = call(f, leaves[0], leaves[1], leaves[2], mask);
            if (!covector.defined()) covector = normal(y.context.shape(), 0, 1, rng, f64);
            return std::pair(y, grad(y.context, leaves, false, covector));
        };

        const auto [y, gradients] = run(1);
        const auto [z, huge_gradients] = run(1e30);
        for (const AttentionOutput& each : {y, z}) {
            const Rows rows(each.weights);
            for (int64_t row = 0; row < rows.count(); ++row)
                for (int64_t k = 0; k < rows.keys; ++k) {
                    const double weight = rows.at(row, k);
                    if (!allows(rows, allowed, row, k) && weight != 0)
                        violated("weights{} is {}, but key {} is masked", rows.index(row, k),
                                 weight, k);
                    if (allows(rows, allowed, row, k) && !(weight > 0))
                        violated("weights{} is {}, but key {} is allowed", rows.index(row, k),
                                 weight, k);
                }
        }
        must_equal("context (padding made huge)", z.context, y.context, s.tolerance);
        for (int i : {1, 2})
            for (const auto& gs : {gradients, huge_gradients}) {
                const std::vector<double> g = gs[i].to_vector();
                const int64_t width = gs[i].size(2);
                for (int64_t row = 0; row < s.batch * s.keys; ++row)
                    for (int64_t d = 0; d < width; ++d)
                        if (row % s.keys >= lengths[row / s.keys] && g[row * width + d] != 0)
                            violated("the gradient of the masked {} at {} is {}, not 0",
                                     i == 1 ? "key" : "value",
                                     index_of(gs[i].shape(), row * width + d), g[row * width + d]);
            }
        must_equal("gradient of the query (padding made huge)", huge_gradients[0], gradients[0],
                   s.tolerance);
    });
}

Verdict each_query_mask(const AttentionFunction& f, const Sizes& s) {
    return judge("each query obeys its own mask", [&] {
        const Inputs x(s);
        // Query q of sequence b may not attend to key (q + b) mod K, nor, of many, to another one.
        const auto forbidden = [&](int64_t b, int64_t q, int64_t k) {
            return k == (q + b) % s.keys || (s.keys > 3 && k == (q + b + 2) % s.keys);
        };
        Tensor mask = ones({s.batch, s.queries, s.keys}, f64);
        for (int64_t b = 0; b < s.batch; ++b)
            for (int64_t q = 0; q < s.queries; ++q)
                for (int64_t k = 0; k < s.keys; ++k)
                    if (forbidden(b, q, k))
                        mask.edit<double>()[(b * s.queries + q) * s.keys + k] = 0;

        const AttentionOutput y = call(f, x.query, x.key, x.value, mask);
        const Rows rows(y.weights);
        for (int64_t row = 0; row < rows.count(); ++row)
            for (int64_t k = 0; k < s.keys; ++k) {
                const double weight = rows.at(row, k);
                const bool zero = forbidden(rows.batch_of(row), rows.query_of(row), k);
                if (zero ? weight != 0 : !(weight > 0))
                    violated("weights{} is {}, but key {} is {} this query", rows.index(row, k),
                             weight, k, zero ? "masked for" : "allowed to");
            }

        // The numbers in a key and its value concern only the queries that may attend to them.
        for (int64_t k = 0; k < s.keys; ++k) {
            const Tensor z = call(f, x.query, with_row(x.key, 0, k, changed),
                                  with_row(x.value, 0, k, changed), mask)
                                 .context;
            for (int64_t q = 0; q < s.queries; ++q)
                if (const double change = row_change(y.context, z, q);
                    forbidden(0, q, k) && !(change <= 1e-12))
                    violated(
                        "the context of query {} changes by {} when key {} does, which is masked "
                        "for it",
                        q, change, k);
        }
        for (int64_t q = 0; q < s.queries; ++q) {
            std::vector<Tensor> leaves;
            for (const Tensor& leaf : {x.key, x.value})
                leaves.push_back(copy_of(leaf).set_requires_grad());
            const Tensor context =
                slice(call(f, x.query, leaves[0], leaves[1], mask).context, 1, q, q + 1);
            Rng rng(s.seed + 1);
            const auto gradients =
                grad(context, leaves, false, normal(context.shape(), 0, 1, rng, f64));
            for (int64_t row = 0; row < s.batch * s.keys; ++row)
                for (int i : {0, 1})
                    if (forbidden(row / s.keys, q, row % s.keys))
                        check_zero(i == 0 ? "a key masked for the only query"
                                          : "a value masked for the only query",
                                   gradients[i], row);
        }
    });
}

namespace {

// What a law of masks can see of a call: context, weights, and the gradients of all inputs and
// parameters, of first order by either route, and of second order.
std::vector<std::pair<std::string, Tensor>> all_of_call(
    const AttentionFunction& f, const std::vector<std::pair<std::string, Tensor>>& parameters,
    const Inputs& x, const Tensor& mask, uint64_t seed) {
    std::vector<std::string> names{"query", "key", "value"};
    std::vector<Tensor> leaves;
    for (const Tensor& leaf : {x.query, x.key, x.value})
        leaves.push_back(copy_of(leaf).set_requires_grad());
    for (const auto& [name, tensor] : parameters) names.push_back(name), leaves.push_back(tensor);

    Rng rng(seed);
    const AttentionOutput y = call(f, leaves[0], leaves[1], leaves[2], mask);
    const Tensor g = normal(y.context.shape(), 0, 1, rng, f64);
    std::vector<std::pair<std::string, Tensor>> all{{"the context", y.context},
                                                    {"the weights", y.weights}};
    const auto add = [&](const char* what, const std::vector<Tensor>& gradients) {
        for (std::size_t i = 0; i < leaves.size(); ++i)
            all.emplace_back(what + names[i], gradients[i]);
    };
    add("the gradient of ", grad(y.context, leaves, false, g));
    const std::vector<Tensor> again = grad(y.context, leaves, true, g);
    add("the gradient, to be differentiated again, of ", again);
    Tensor total = zeros({}, f64);
    for (const Tensor& each : again)
        total = total + sum(each * normal(each.shape(), 0, 1, rng, f64));
    if (total.requires_grad()) add("the second derivative by ", grad(total, leaves));
    return all;
}

constexpr double bad_numbers[]{std::numeric_limits<double>::quiet_NaN(),
                               std::numeric_limits<double>::infinity(),
                               -std::numeric_limits<double>::infinity(), 1e300};

// Keys and values with `bad` in every key of a sequence that no query may attend to.
Inputs with_bad_padding(Inputs x, const Tensor& mask, const Sizes& s, double bad) {
    for (int64_t b = 0; b < s.batch; ++b)
        for (int64_t k = 0; k < s.keys; ++k)
            if (mask.at({b, 0, k}) == 0)
                for (Tensor* each : {&x.key, &x.value})
                    *each = with_row(*each, b, k, [&](double, int64_t) { return bad; });
    return x;
}

// 1 but where query q of a sequence may not attend to key q mod K.
Tensor own_key_masked(const Sizes& s) {
    Tensor mask = ones({s.batch, s.queries, s.keys}, f64);
    for (int64_t row = 0; row < s.batch * s.queries; ++row)
        mask.edit<double>()[row * s.keys + row % s.queries % s.keys] = 0;
    return mask;
}

}  // namespace

Verdict not_read(const AttentionFunction& f,
                 const std::vector<std::pair<std::string, Tensor>>& parameters, const Sizes& s) {
    return judge("masked means not read", [&] {
        const Inputs x(s);
        const Tensor at_end = padding(s);
        Tensor hole = ones(at_end.shape(), f64);
        for (int64_t b = 0; b < s.batch; ++b) hole.edit<double>()[b * s.keys + s.keys / 2] = 0;
        for (const auto& [where, mask] : {std::pair{"at the end", at_end},
                                          {"at the beginning", flip(at_end, 2)},
                                          {"in the middle", hole}}) {
            const auto expected =
                all_of_call(f, parameters, with_bad_padding(x, mask, s, 0), mask, s.seed + 1);
            for (double bad : bad_numbers) {
                const auto found =
                    all_of_call(f, parameters, with_bad_padding(x, mask, s, bad), mask, s.seed + 1);
                for (std::size_t i = 0; i < found.size(); ++i)
                    must_equal(
                        fmt::format("with {} in the keys masked {}, {}", bad, where, found[i].first)
                            .c_str(),
                        found[i].second, expected[i].second, s.tolerance);
            }
        }

        // One query alone may not attend to key 0; then its gradient is NaN.
        const Tensor mask = own_key_masked(s);
        const Tensor usual = call(f, x.query, x.key, x.value, mask).context;
        for (double bad : bad_numbers) {
            const auto all_bad = [&](double, int64_t) { return bad; };
            const Tensor context = call(f, x.query, with_row(x.key, 0, 0, all_bad),
                                        with_row(x.value, 0, 0, all_bad), mask)
                                       .context;
            if (const double change = row_change(usual, context, 0); !(change <= s.tolerance))
                violated(
                    "with {} in key 0, masked for query 0, the context of query 0 changes by {}",
                    bad, change);
            std::vector<Tensor> leaves{copy_of(x.key).set_requires_grad(),
                                       copy_of(x.value).set_requires_grad()};
            const Tensor y = call(f, x.query, leaves[0], leaves[1], mask).context;
            const Tensor g = with_row(ones(y.shape(), f64), 0, 0, all_bad);
            for (bool again : {false, true})
                for (const Tensor& gradient : grad(y, leaves, again, g))
                    if (!all_finite(slice(slice(gradient, 0, 0, 1), 1, 0, 1)))
                        violated(
                            "a gradient of {} of query 0 reaches key 0, which is masked for it",
                            bad);
        }
    });
}

Verdict padding_is_absent(const AttentionFunction& f, const Sizes& s) {
    return judge("padding gives the same as no padding", [&] {
        const Inputs x(s);
        const Indices lengths = padded_lengths(s);
        for (int64_t b = 0; b < s.batch; ++b) {
            const auto row = [b](const Tensor& t) { return slice(t, 0, b, b + 1); };
            const auto cut = [&](const Tensor& t, int axis) {
                return slice(row(t), axis, 0, lengths[b]);
            };
            const AttentionOutput padded =
                call(f, row(x.query), row(x.key), row(x.value), row(padding(s)));
            const AttentionOutput y = call(f, row(x.query), cut(x.key, 1), cut(x.value, 1), {});
            const std::string which =
                fmt::format(" of sequence {} with padding beside that without, ", b);
            must_equal("context" + which, padded.context, y.context, s.tolerance);
            const Tensor kept = slice(padded.weights, padded.weights.dim() - 1, 0, lengths[b]);
            must_equal("weights" + which, kept, y.weights, s.tolerance);
        }
    });
}

Verdict empty_rows(const AttentionFunction& f, const Sizes& s) {
    return judge("a query without an allowed key attends to nothing", [&] {
        const Inputs x(s);
        const int64_t empty_row = s.queries - 1;  // of the first sequence
        const Tensor full = contiguous(expand(padding(s), {s.batch, s.queries, s.keys}));
        Tensor mask = copy_of(full);
        std::fill_n(mask.edit<double>() + empty_row * s.keys, s.keys, 0.0);

        std::vector<Tensor> leaves;
        for (const Tensor& leaf : {x.query, x.key, x.value})
            leaves.push_back(copy_of(leaf).set_requires_grad());
        const AttentionOutput y = call(f, leaves[0], leaves[1], leaves[2], mask);
        const Rows rows(y.weights);
        for (int64_t row = 0; row < rows.count(); ++row)
            for (int64_t k = 0; k < s.keys; ++k)
                if (rows.batch_of(row) == 0 && rows.query_of(row) == empty_row &&
                    rows.at(row, k) != 0)
                    violated("weights{} is {}, but no key is allowed", rows.index(row, k),
                             rows.at(row, k));

        const AttentionOutput usual = call(f, x.query, x.key, x.value, full);
        const AttentionOutput other = call(f, x.query, x.key + 1, x.value - 1, mask);
        for (int64_t row = 0; row < s.batch * s.queries; ++row) {
            const bool none = row == empty_row;
            const Tensor& same = none ? other.context : usual.context;
            if (const double change = row_change(same, y.context, row); !(change <= s.tolerance))
                violated("the context at {} differs by {} {}", index_of({s.batch, s.queries}, row),
                         change,
                         none ? "when keys and values do, but no key is allowed"
                              : "when another query has no allowed key");
        }

        Rng rng(s.seed + 1);
        const auto gradients =
            grad(y.context, leaves, false, normal(y.context.shape(), 0, 1, rng, f64));
        for (int i : {0, 1, 2})
            for (double g : gradients[i].to_vector())
                if (!std::isfinite(g))
                    violated("the gradient of the {} has the element {}",
                             std::vector{"query", "key", "value"}[i], g);
        check_zero("the query without an allowed key", gradients[0], empty_row);
    });
}

namespace {

// For an attention with Q = K in which query q reads exactly the keys k with reads(q, k). `outside`
// is the word for the others.
template <class Reads>
void reads_exactly(const AttentionFunction& f, Sizes s, const char* outside, const Reads& reads) {
    s.queries = s.keys;
    const Inputs x(s);
    const AttentionOutput before = f(x.query, x.key, x.value, {});
    if (before.weights.defined()) {
        const Rows rows(before.weights);
        for (int64_t row = 0; row < rows.count(); ++row)
            for (int64_t k = 0; k < s.keys; ++k)
                if (const double weight = rows.at(row, k);
                    reads(rows.query_of(row), k) ? !(weight > 0) : weight != 0)
                    violated("weights{} is {}, but position {} is {}", rows.index(row, k), weight,
                             k, reads(rows.query_of(row), k) ? "allowed" : outside);
    }
    for (int64_t k = 0; k < s.keys; ++k) {
        const Tensor key = with_row(x.key, 0, k, changed), value = with_row(x.value, 0, k, changed);
        const Tensor all = f(with_row(x.query, 0, k, changed), key, value, {}).context;
        const Tensor read = f(x.query, key, value, {}).context;
        for (int64_t q = 0; q < s.keys; ++q) {
            const double any = row_change(before.context, all, q);
            if (!reads(q, k) && q != k && !(any <= 1e-12))
                violated("the context at {} changes by {} when the {} position {} does", q, any,
                         outside, k);
            const double largest = row_change(before.context, read, q);
            if (reads(q, k) ? !(largest > 1e-12) : !(largest <= 1e-12))
                violated("the context at {} {} position {} does, which it may {}attend to", q,
                         reads(q, k) ? "does not change when" : "changes when", k,
                         reads(q, k) ? "" : "not ");
        }
    }
    for (int64_t q = 0; q < s.keys; ++q) {
        std::vector<Tensor> leaves;
        for (const Tensor& leaf : {x.query, x.key, x.value})
            leaves.push_back(copy_of(leaf).set_requires_grad());
        const Tensor context = slice(f(leaves[0], leaves[1], leaves[2], {}).context, 1, q, q + 1);
        Rng rng(s.seed + 1);
        const auto gradients =
            grad(context, leaves, false, normal(context.shape(), 0, 1, rng, f64));
        for (int64_t k = 0; k < s.keys; ++k)
            for (int i : {0, 1, 2})
                if (!reads(q, k) && (i > 0 || q != k))
                    for (int64_t b = 0; b < s.batch; ++b)
                        check_zero(std::vector{"the query", "the key", "the value"}[i],
                                   gradients[i], b * s.keys + k,
                                   fmt::format(", in the context at {}", q));
    }
}

}  // namespace

Verdict causal(const AttentionFunction& f, const Sizes& s) {
    return judge("the future changes no past output", [&] {
        reads_exactly(f, s, "later", [](int64_t q, int64_t k) { return k <= q; });
    });
}

Verdict window(const AttentionFunction& f, Integer before, Integer after, const Sizes& s) {
    return judge("a query reads its window and nothing else", [&] {
        reads_exactly(f, s, "excluded",
                      [=](int64_t q, int64_t k) { return k >= q - before && k <= q + after; });
    });
}

// --- queries ------------------------------------------------------------------------------------

Verdict every_query_counts(const AttentionFunction& f, const Sizes& s) {
    return judge("changing a query changes its weights", [&] {
        const Inputs x(s);
        counts(
            "query", x.query,
            [&](const Tensor& query) { return call(f, query, x.key, x.value, {}).weights; },
            [](const Rows& before, const Rows& after, int64_t row, int64_t b, int64_t q) {
                const bool stays = before.batch_of(row) == b && before.query_of(row) == q &&
                                   !before.changed(after, row);
                return stays ? fmt::format("row {} of the weights stays as it is",
                                           before.index(row, 0))
                             : Complaint();
            });
    });
}

Verdict queries_apart(const AttentionFunction& f, const Sizes& s) {
    return judge("a query changes no other query's result", [&] {
        const Inputs x(s);
        for (const Tensor& mask : {Tensor(), padding(s)}) {
            const AttentionOutput before = call(f, x.query, x.key, x.value, mask);
            const Rows rows(before.weights);
            for (int64_t b = 0; b < s.batch; ++b)
                for (int64_t q = 0; q < s.queries; ++q) {
                    const AttentionOutput after =
                        call(f, with_row(x.query, b, q, changed), x.key, x.value, mask);
                    const Rows other(after.weights);
                    for (int64_t row = 0; row < s.batch * s.queries; ++row)
                        if (const double change = row_change(before.context, after.context, row);
                            row != b * s.queries + q && !(change <= 1e-12))
                            violated(
                                "the context at {} changes by {} when query {} of sequence {} does",
                                index_of({s.batch, s.queries}, row), change, q, b);
                    for (int64_t row = 0; row < rows.count(); ++row)
                        if ((rows.batch_of(row) != b || rows.query_of(row) != q) &&
                            rows.changed(other, row))
                            violated(
                                "row {} of the weights changes when query {} of sequence {} does",
                                rows.index(row, 0), q, b);
                }
        }
    });
}

Verdict query_order(const AttentionFunction& f, const Sizes& s) {
    return judge("order and number of the queries do not matter", [&] {
        const Inputs x(s);
        const AttentionOutput y = call(f, x.query, x.key, x.value, padding(s));
        const auto compare = [&](const std::vector<int>& order, const std::string& how) {
            const auto chosen = [&](const Tensor& t, int axis) {
                return index_select(t, axis, order);
            };
            const AttentionOutput z = call(f, chosen(x.query, 1), x.key, x.value, padding(s));
            must_equal("context (" + how + ")", z.context, chosen(y.context, 1), s.tolerance);
            must_equal("weights (" + how + ")", z.weights, chosen(y.weights, y.weights.dim() - 2),
                       s.tolerance);
        };
        std::vector<int> reversed;
        for (int q = 0; q < s.queries; ++q) reversed.insert(reversed.begin(), q);
        compare(reversed, "queries in the opposite order");
        for (int q = 0; q < s.queries; ++q) compare({q}, fmt::format("query {} alone", q));
    });
}

// --- values and heads -----------------------------------------------------------------------------

namespace {

// The weights of all heads as vectors over (b, q, k), made orthogonal and of length 1.
struct HeadBasis {
    std::vector<std::vector<double>> directions;

    explicit HeadBasis(const Tensor& weights) {
        const bool heads = weights.dim() == 4;
        for (int64_t h = 0; h < (heads ? weights.size(1) : 1); ++h) {
            std::vector<double> w = (heads ? select(weights, 1, h) : weights).to_vector();
            for (const auto& u : directions) subtract(w, u, product(w, u));
            const double length = std::sqrt(product(w, w));
            if (length < 1e-9) continue;  // the same as the heads before it
            for (double& number : w) number /= length;
            directions.push_back(w);
        }
    }
    // The part of y that is a weighted sum of the heads' weights, by least squares.
    std::vector<double> fit(std::vector<double> y) const {
        std::vector<double> sum(y.size(), 0.0);
        for (const auto& u : directions) {
            const double c = product(y, u);
            subtract(y, u, c);
            subtract(sum, u, -c);
        }
        return sum;
    }

  private:
    static double product(const std::vector<double>& a, const std::vector<double>& b) {
        double sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
        return sum;
    }
    static void subtract(std::vector<double>& a, const std::vector<double>& b, double factor) {
        for (std::size_t i = 0; i < a.size(); ++i) a[i] -= factor * b[i];
    }
};

// [B, K, D'] with 1 at element d of value k of every sequence, else 0.
Tensor one_element(const Sizes& s, int64_t k, int64_t d) {
    Tensor value = zeros({s.batch, s.keys, s.value_width}, f64);
    for (int64_t b = 0; b < s.batch; ++b)
        value.edit<double>()[(b * s.keys + k) * s.value_width + d] = 1;
    return value;
}

}  // namespace

Verdict weighted_mean(const AttentionFunction& f, const Sizes& s) {
    return judge("the context is the weights times the values", [&] {
        const Inputs x(s);
        for (const Tensor& mask : {Tensor(), padding(s)}) {
            const AttentionOutput y = call(f, x.query, x.key, x.value, mask);
            const AttentionOutput base =
                call(f, x.query, x.key, zeros(x.value.shape(), f64), mask);  // c of the formula
            must_equal("weights (values replaced by 0) ", base.weights, y.weights, 1e-12);

            const std::vector<double> constant = base.context.to_vector();
            const int64_t width = base.context.size(2);
            for (std::size_t i = 0; i < constant.size(); ++i)
                if (!(std::abs(constant[i] - constant[i % width]) <= s.tolerance))
                    violated("with all values 0, context{} is {}, but context{} is {}",
                             index_of(base.context.shape(), i), constant[i],
                             index_of(base.context.shape(), i % width), constant[i % width]);

            // What element d of value k contributes to every context must be the weight of k, head
            // by head, times a vector that is the same for all k.
            const HeadBasis heads(y.weights);
            Tensor total = base.context;
            for (int64_t d = 0; d < s.value_width; ++d) {
                std::vector<Tensor> contributions;
                for (int64_t k = 0; k < s.keys; ++k) {
                    const Tensor one =
                        call(f, x.query, x.key, one_element(s, k, d), mask).context - base.context;
                    contributions.push_back(one);
                    const Tensor number = slice(slice(x.value, 1, k, k + 1), 2, d, d + 1);
                    total = total + one * number;  // number [B, 1, 1]
                }
                const Tensor measured = stack(contributions, 2);  // [B, Q, K, C]
                for (int64_t c = 0; c < measured.size(3); ++c) {
                    const std::vector<double> got = select(measured, 3, c).to_vector();
                    const std::vector<double> fitted = heads.fit(got);
                    for (std::size_t i = 0; i < got.size(); ++i)
                        if (!(std::abs(got[i] - fitted[i]) <=
                              s.tolerance * std::max(1.0, std::abs(got[i])))) {
                            const int64_t k = static_cast<int64_t>(i) % s.keys;
                            violated(
                                "element {} of value {} contributes {} to context{}, where the "
                                "weights give {}",
                                d, k, got[i],
                                index_of(y.context.shape(),
                                         static_cast<int64_t>(i) / s.keys * measured.size(3) + c),
                                fitted[i]);
                        }
                }
            }
            must_equal("context (beside the sum over its values) ", y.context, total, s.tolerance);
        }
    });
}

Verdict every_value_counts(const AttentionFunction& f, const Sizes& s) {
    return judge("changing a value changes the contexts", [&] {
        const Inputs x(s);
        const AttentionOutput y = call(f, x.query, x.key, x.value, {});
        const Rows rows(y.weights);
        for (int64_t b = 0; b < s.batch; ++b)
            for (int64_t k = 0; k < s.keys; ++k)
                for (int64_t d = 0; d < s.value_width; ++d) {
                    const Tensor after =
                        call(f, x.query, x.key, with_element(x.value, b, k, d), {}).context;
                    for (int64_t row = 0; row < rows.count(); ++row) {
                        const int64_t q = rows.query_of(row);
                        if (rows.batch_of(row) == b && rows.at(row, k) > 1e-3 &&
                            !(row_change(y.context, after, b * s.queries + q) > 1e-12))
                            violated(
                                "the context at {} stays as it is when element {} of value {} "
                                "changes, whose weight is {}",
                                index_of({s.batch, s.queries}, b * s.queries + q), d, k,
                                rows.at(row, k));
                    }
                }
    });
}

namespace {

// The columns of head h of x [B, N, D].
Tensor of_head(const Tensor& x, int64_t h, int64_t heads) {
    const int64_t width = x.size(2) / heads;
    return slice(x, 2, h * width, (h + 1) * width);
}

// [B, Q, K] of head h.
Tensor weights_of_head(const Tensor& weights, int64_t h) {
    return weights.dim() == 4 ? select(weights, 1, h) : weights;
}

// The heads of keys and values: with grouped queries fewer than `heads`, of the same width.
int64_t heads_of_keys(int64_t heads, const Sizes& s) {
    const int64_t width = s.query_width / heads;
    const int64_t groups = width > 0 && s.key_width % width == 0 ? s.key_width / width : heads;
    return groups > 0 && heads % groups == 0 ? groups : heads;
}
// Those columns of keys or values that head h of the queries reads.
Tensor of_its_keys(const Tensor& x, int64_t h, int64_t heads, const Sizes& s) {
    const int64_t groups = heads_of_keys(heads, s);
    return of_head(x, h * groups / heads, groups);
}

void check_heads(const Tensor& weights, int64_t heads, const Sizes& s) {
    const int64_t groups = heads_of_keys(heads, s);
    if (s.query_width % heads || s.key_width % groups || s.value_width % groups)
        violated("widths of {}, {} and {} cannot be divided among {} heads", s.query_width,
                 s.key_width, s.value_width, heads);
    const int64_t found = weights.dim() == 4 ? weights.size(1) : 1;
    if (found != heads)
        violated("the weights have shape {}: {} heads, expected {}", weights.shape(), found, heads);
}

}  // namespace

Verdict heads_apart(const AttentionFunction& f, Integer heads, const Sizes& s) {
    return judge("each head's context is its weights times its values", [&] {
        const Inputs x(s);
        Sizes other_seed = s;
        other_seed.seed = s.seed + 1;
        const Inputs other(other_seed);
        for (const Tensor& mask : {Tensor(), padding(s)}) {
            const AttentionOutput y = call(f, x.query, x.key, x.value, mask);
            check_heads(y.weights, heads, s);
            std::vector<Tensor> contexts;
            for (int64_t h = 0; h < heads; ++h)
                contexts.push_back(
                    matmul(weights_of_head(y.weights, h), of_its_keys(x.value, h, heads, s)));
            must_equal("context", y.context, concat(contexts, 2), s.tolerance);

            // Other numbers in the columns of the other heads change nothing in this one.
            for (int64_t h = 0; h < heads; ++h) {
                const auto only = [&](const Tensor& mine, const Tensor& others, int64_t of) {
                    std::vector<Tensor> columns;
                    for (int64_t i = 0; i < of; ++i)
                        columns.push_back(of_head(i == h * of / heads ? mine : others, i, of));
                    return concat(columns, 2);
                };
                const int64_t groups = heads_of_keys(heads, s);
                const AttentionOutput z =
                    call(f, only(x.query, other.query, heads), only(x.key, other.key, groups),
                         only(x.value, other.value, groups), mask);
                const std::string which = fmt::format(
                    " of head {} (other numbers in the columns of the other heads) ", h);
                must_equal("weights" + which, weights_of_head(z.weights, h),
                           weights_of_head(y.weights, h), s.tolerance);
                must_equal("context" + which, of_head(z.context, h, heads),
                           of_head(y.context, h, heads), s.tolerance);
            }
        }
    });
}

Verdict scaled_dot(const AttentionFunction& f, Integer heads, const Sizes& s) {
    return judge("the weights are softmax(q k / √D) of each head", [&] {
        const Inputs x(s);
        for (const Tensor& mask : {Tensor(), padding(s)}) {
            const Tensor weights = call(f, x.query, x.key, x.value, mask).weights;
            check_heads(weights, heads, s);
            for (int64_t h = 0; h < heads; ++h) {
                const Tensor q = of_head(x.query, h, heads), k = of_its_keys(x.key, h, heads, s);
                const Tensor scores =
                    matmul(q, transpose(k)) / std::sqrt(static_cast<double>(q.size(2)));
                must_equal(fmt::format("weights of head {}, ", h).c_str(),
                           weights_of_head(weights, h), attention_weights(scores, mask),
                           s.tolerance);
            }
        }
    });
}

// --- special cases with a known answer, and gradients --------------------------------------------

Verdict equal_keys(const AttentionFunction& f, const Sizes& s) {
    return judge("equal keys give the mean of the values", [&] {
        const Inputs x(s);
        const Tensor key = all_as_row(x.key, 0);
        for (const Tensor& mask : {ones({s.batch, 1, s.keys}, f64), padding(s)}) {
            const Tensor uniform = mask / sum(mask, -1, true);  // [B, 1, K]
            const Tensor average = matmul(uniform, x.value);    // [B, 1, D']
            const AttentionOutput y = call(f, x.query, key, x.value, mask);
            const AttentionOutput of_average =
                call(f, x.query, key, contiguous(expand(average, x.value.shape())), mask);
            const Tensor expected = y.weights.dim() == 4 ? unsqueeze(uniform, 1) : uniform;
            must_equal("weights (all keys equal)", y.weights,
                       contiguous(expand(expected, y.weights.shape())), s.tolerance);
            must_equal("context (all keys equal)", y.context, of_average.context, s.tolerance);
        }
    });
}

Verdict batch_rows(const AttentionFunction& f, const Sizes& s) {
    return judge("a row of a batch equals that row alone", [&] {
        const Inputs x(s);
        const Tensor mask = padding(s);
        const AttentionOutput all = call(f, x.query, x.key, x.value, mask);
        for (int64_t b = 0; b < s.batch; ++b) {
            const auto row = [b](const Tensor& t) { return slice(t, 0, b, b + 1); };
            const AttentionOutput alone =
                call(f, row(x.query), row(x.key), row(x.value), row(mask));
            const std::string which = fmt::format(" of sequence {} alone", b);
            must_equal("context" + which, alone.context, row(all.context), s.tolerance);
            must_equal("weights" + which, alone.weights, row(all.weights), s.tolerance);
        }
    });
}

Verdict repeatable(const AttentionFunction& f, const Sizes& s) {
    return judge("the same call gives the same", [&] {
        const Inputs x(s);
        const std::vector<Tensor> given{x.query, x.key, x.value, padding(s)};
        std::vector<Tensor> kept;
        for (const Tensor& t : given) kept.push_back(copy_of(t));
        const AttentionOutput first = call(f, given[0], given[1], given[2], given[3]);
        for (int i = 0; i < 4; ++i)
            if (const auto wrong =
                    differ(std::vector{"the query", "the key", "the value", "the mask"}[i],
                           given[i], kept[i], 0);
                !wrong.empty())
                violated("{}: the call changed its input", wrong);
        const AttentionOutput again = call(f, given[0], given[1], given[2], given[3]);
        must_equal("context (second call) ", again.context, first.context, 0);
        must_equal("weights (second call) ", again.weights, first.weights, 0);
    });
}

Verdict sharp_limit(const std::function<AttentionFunction(double)>& at, const Sizes& s) {
    return judge("the sharp limit is a lookup", [&] {
        const Inputs x(s);
        const Rows gentle(call(at(1), x.query, x.key, x.value, {}).weights);
        const AttentionFunction sharp = at(1e6);
        const AttentionOutput y = call(sharp, x.query, x.key, x.value, {});
        const Rows rows(y.weights);
        for (int64_t row = 0; row < rows.count(); ++row) {
            const int64_t top = gentle.largest(row);
            if (!(rows.at(row, top) > 1 - 1e-6))
                violated("weights{} is {} in the sharp limit, expected 1 (key {} has most)",
                         rows.index(row, top), rows.at(row, top), top);
        }
        // The context of a query does not depend on the values of keys that no head looks up. With
        // one head it is the same as if all values were the one looked up.
        const bool one_head = rows.count() == s.batch * s.queries;
        for (int64_t row = 0; row < s.batch * s.queries; ++row) {
            const int64_t b = row / s.queries, q = row % s.queries;
            std::vector<bool> looked_up(s.keys, false);
            for (int64_t any = 0; any < rows.count(); ++any)
                if (rows.batch_of(any) == b && rows.query_of(any) == q)
                    looked_up[gentle.largest(any)] = true;
            Tensor value = one_head ? all_as_row(x.value, gentle.largest(row)) : x.value;
            for (int64_t k = 0; k < s.keys && !one_head; ++k)
                if (!looked_up[k]) value = with_row(value, b, k, changed);
            const Tensor expected = call(sharp, x.query, x.key, value, {}).context;
            const auto one = [&](const Tensor& t) { return select(select(t, 0, b), 0, q); };
            must_equal(fmt::format("context[{}, {}] in the sharp limit, ", b, q).c_str(),
                       one(y.context), one(expected), 1e-6);
        }
    });
}

Verdict sharp_limit(const AttentionFunction& f, const Sizes& s) {
    return sharp_limit(
        [&f](double sharpness) {
            return [&f, sharpness](const Tensor& q, const Tensor& k, const Tensor& v,
                                   const Tensor& mask) { return f(q * sharpness, k, v, mask); };
        },
        s);
}

Verdict scaled(const AttentionFunction& f, const Sizes& s) {
    return judge("the variance of the scores does not grow with the width", [&] {
        const auto spread_at = [&](int64_t width) {
            Sizes wide = s;
            wide.batch = 4;
            wide.queries = 16;
            wide.keys = 64;
            wide.query_width = wide.key_width = width;
            const Inputs x(wide);
            return spread(call(f, x.query, x.key, x.value, {}).weights);
        };
        const double narrow = spread_at(4), wide = spread_at(256), ratio = wide / narrow;
        if (!(ratio > 0.5 && ratio < 2))
            violated("the variance of the scores is {:.3g} at width 4 and {:.3g} at width 256",
                     narrow, wide);
    });
}

Verdict every_parameter(const AttentionFunction& f,
                        const std::vector<std::pair<std::string, Tensor>>& parameters,
                        const Sizes& s) {
    return judge("every parameter receives gradient", [&] {
        const Inputs x(s);
        const Tensor context = call(f, x.query, x.key, x.value, {}).context;
        Rng rng(s.seed + 1);
        std::vector<Tensor> leaves;
        for (const auto& [name, parameter] : parameters) leaves.push_back(parameter);
        if (!context.requires_grad()) violated("the context depends on no parameter");
        const auto gradients =
            grad(context, leaves, false, normal(context.shape(), 0, 1, rng, f64));
        for (std::size_t i = 0; i < leaves.size(); ++i)
            if (!(max(abs(gradients[i])).item() > 1e-9))
                violated("{} {} receives no gradient", parameters[i].first, leaves[i].shape());
    });
}

Verdict gradient(const AttentionFunction& f, const Sizes& s) {
    return judge("the gradient agrees with finite differences", [&] {
        const Inputs x(s);
        for (const Tensor& mask : {Tensor(), padding(s)}) {
            const auto outputs = [&](const std::vector<Tensor>& xs) {
                const AttentionOutput y = call(f, xs[0], xs[1], xs[2], mask);
                return concat({reshape(y.context, {-1}), reshape(y.weights, {-1})}, 0);
            };
            // Whether an input matters at all is the subject of other laws.
            const GradcheckReport report =
                gradcheck(outputs, {x.query, x.key, x.value}, {.floor = 0});
            if (!report.pass)
                violated("with respect to the {}: {}",
                         std::vector{"query", "key", "value"}[report.input], to_string(report));
        }
    });
}

std::vector<Verdict> check_all(const AttentionFunction& f, const Sizes& s) {
    return {distribution(f, s), permutation(f, s),        every_key_counts(f, s),
            equal_keys(f, s),   every_query_counts(f, s), queries_apart(f, s),
            query_order(f, s),  weighted_mean(f, s),      every_value_counts(f, s),
            masked_keys(f, s),  each_query_mask(f, s),    padding_is_absent(f, s),
            empty_rows(f, s),   batch_rows(f, s),         repeatable(f, s),
            gradient(f, s)};
}

}  // namespace heed::laws
