#include "attention/laws/laws.h"

#include "attention/laws/laws_detail.h"

namespace heed::laws {

std::string to_string(const Verdict& verdict) {
    return verdict.holds ? fmt::format("{}: holds", verdict.law)
                         : fmt::format("{}: violated: {}", verdict.law, verdict.message);
}

namespace {

// x [B, K, D] with every row of a sequence replaced by its row k.
Tensor all_as_row(const Tensor& x, int64_t k) {
    return contiguous(expand(slice(x, 1, k, k + 1), x.shape()));
}

// Weights are not negative, and sum to 1 for the queries that may attend to a key, else to 0.
void must_be_shares(const Tensor& weights, const Tensor& mask, const char* when) {
    each_weight(weights, [&](int64_t, int64_t, int64_t, double weight, const std::string& name) {
        if (!(weight >= 0)) violated("{} is {} {}", name, weight, when);
    });
    const Tensor sums = sum(weights, -1), any = of_each_head(max(mask, -1), sums);
    const std::vector<double> found = sums.to_vector(), expected = any.to_vector();
    for (std::size_t i = 0; i < found.size(); ++i)
        if (!(std::abs(found[i] - expected[i]) <= 1e-9))
            violated("the weights of query {} sum to {} over the keys, expected {}, {}",
                     static_cast<int64_t>(i) % weights.size(-2), found[i], expected[i], when);
}

}  // namespace

// --- weights and keys ----------------------------------------------------------------------------

Verdict distribution(const AttentionFunction& f, const Sizes& s) {
    return judge("weights are a distribution", [&] {
        const Inputs x(s);
        const Tensor all = ones({s.batch, s.queries, s.keys}, f64),
                     empty = padding_and_an_empty_row(s);
        must_be_shares(x.through(f, {}).weights, all, "without a mask");
        must_be_shares(x.through(f, padding(s)).weights, padding(s) * all, "with a padding mask");
        const AttentionOutput y = x.through(f, empty);
        if (!all_finite(y.context))
            violated("the context is not finite where a query has no allowed key");
        must_be_shares(y.weights, empty, "where one query has no allowed key");
    });
}

Verdict permutation(const AttentionFunction& f, const Sizes& s) {
    return judge("the order of keys does not matter", [&] {
        const Inputs x(s);
        std::vector<int> order;  // no key keeps its index
        for (int64_t k = 0; k < s.keys; ++k) order.push_back(static_cast<int>((k + 2) % s.keys));
        const auto permuted = [&](const Tensor& t, int axis) {
            return t.defined() ? index_select(t, axis, order) : t;
        };
        for (const Tensor& mask : {Tensor(), padding(s)}) {
            const AttentionOutput y = x.through(f, mask),
                                  z = call(f, x.query, permuted(x.key, 1), permuted(x.value, 1),
                                           permuted(mask, 2));
            must_equal("context (keys and values permuted)", z.context, y.context, s.tolerance);
            must_equal("weights (keys and values permuted)", z.weights,
                       permuted(y.weights, y.weights.dim() - 1), s.tolerance);
        }
    });
}

namespace {

// Changes x [B, N, D], the query or the key: one row at a time, then one element of it at a time. run(x) returns the
// weights. A row must change the weights that concerns(b, n, weights) marks, in every head; an element one of them.
template <class Run, class Concerned>
void counts(const char* what, const Tensor& x, const Run& run, const Concerned& concerned) {
    const Tensor before = run(x);
    for (int64_t b = 0; b < x.size(0); ++b)
        for (int64_t n = 0; n < x.size(1); ++n) {
            // The smallest of the largest changes, over the heads and queries that row n concerns.
            const auto least_change = [&](const Tensor& after) {
                return min(max(concerned(select(abs(after - before), 0, b), n), -1)).item();
            };
            if (least_change(run(with_row(x, b, n, changed))) < 1e-12)
                violated("a weight stays as it is when {} {} of sequence {} changes", what, n, b);
            for (int64_t d = 0; d < x.size(2); ++d)
                if (max(concerned(select(abs(run(with_element(x, b, n, d)) - before), 0, b), n))
                        .item() < 1e-12)
                    violated("no weight changes when element {} of {} {} of sequence {} does", d,
                             what, n, b);
        }
}

}  // namespace

Verdict every_key_counts(const AttentionFunction& f, const Sizes& s) {
    return judge("changing a key changes its weight", [&] {
        const Inputs x(s);
        counts(
            "key", x.key,
            [&](const Tensor& key) { return call(f, x.query, key, x.value, {}).weights; },
            [](const Tensor& weights, int64_t k) { return slice(weights, -1, k, k + 1); });
    });
}

// --- queries ------------------------------------------------------------------------------------

Verdict every_query_counts(const AttentionFunction& f, const Sizes& s) {
    return judge("changing a query changes its weights", [&] {
        const Inputs x(s);
        counts(
            "query", x.query,
            [&](const Tensor& query) { return call(f, query, x.key, x.value, {}).weights; },
            [](const Tensor& weights, int64_t q) { return slice(weights, -2, q, q + 1); });
    });
}

Verdict queries_apart(const AttentionFunction& f, const Sizes& s) {
    return judge("a query changes no other query's result", [&] {
        const Inputs x(s);
        for (const Tensor& mask : {Tensor(), padding(s)}) {
            const AttentionOutput before = x.through(f, mask);
            const Rows rows(before.weights);
            for (int64_t b = 0; b < s.batch; ++b)
                for (int64_t q = 0; q < s.queries; ++q) {
                    const auto other = [=](int64_t of, int64_t query) {
                        return of != b || query != q;
                    };
                    const std::string when = fmt::format("when query {} of sequence {} does", q, b);
                    const AttentionOutput after =
                        call(f, with_row(x.query, b, q, changed), x.key, x.value, mask);
                    must_stay(before.context, after.context, 1e-12, when, other);
                    const Rows moved(after.weights);
                    for (int64_t row = 0; row < rows.count(); ++row)
                        if (other(rows.batch_of(row), rows.query_of(row)) &&
                            rows.changed(moved, row))
                            violated("row {} of the weights changes {}", rows.index(row, 0), when);
                }
        }
    });
}

Verdict query_order(const AttentionFunction& f, const Sizes& s) {
    return judge("order and number of the queries do not matter", [&] {
        const Inputs x(s);
        const AttentionOutput y = x.through(f, padding(s));
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

// The weights of all heads as vectors over (b, q, k), [H, B Q K], made orthogonal and of length 1.
Tensor basis_of_heads(const Tensor& weights) {
    const bool heads = weights.dim() == 4;
    std::vector<Tensor> directions;
    for (int64_t h = 0; h < (heads ? weights.size(1) : 1); ++h) {
        Tensor w = flatten(heads ? select(weights, 1, h) : weights);
        for (const Tensor& u : directions) w = w - sum(w * u) * u;
        const Tensor length = sqrt(sum(square(w)));
        if (length.item() >= 1e-9) directions.push_back(w / length);  // not as the heads before it
    }
    return stack(directions, 0);
}

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
            const AttentionOutput y = x.through(
                                      f, mask),  // c of the formula is the context of values 0
                base = call(f, x.query, x.key, zeros(x.value.shape(), f64), mask);
            must_equal("weights (values replaced by 0) ", base.weights, y.weights, 1e-12);
            must_equal("with all values 0, context", base.context,
                       contiguous(expand(slice(slice(base.context, 0, 0, 1), 1, 0, 1),
                                         base.context.shape())),
                       s.tolerance);

            // What element d of value k contributes to every context must be the weight of k, head
            // by head, times a vector that is the same for all k: in the span of the heads' weights.
            const Tensor heads = basis_of_heads(y.weights);
            Tensor total = base.context;
            for (int64_t d = 0; d < s.value_width; ++d) {
                std::vector<Tensor> contributions;
                for (int64_t k = 0; k < s.keys; ++k) {
                    contributions.push_back(
                        call(f, x.query, x.key, one_element(s, k, d), mask).context - base.context);
                    total = total +
                            contributions.back() * slice(slice(x.value, 1, k, k + 1), 2, d, d + 1);
                }
                const Tensor measured = stack(contributions, 2);                   // [B, Q, K, C]
                const Tensor columns = reshape(measured, {-1, measured.size(3)});  // [B Q K, C]
                const Tensor fitted = matmul(transpose(heads), matmul(heads, columns));
                const std::vector<double> got = columns.to_vector(), expected = fitted.to_vector();
                const auto context_of = [&, C = measured.size(3)](std::size_t i) {
                    return static_cast<int64_t>(i) / C / s.keys * C + static_cast<int64_t>(i) % C;
                };
                for (std::size_t i = 0; i < got.size(); ++i)
                    if (!(std::abs(got[i] - expected[i]) <=
                          s.tolerance * std::max(1.0, std::abs(got[i]))))
                        violated(
                            "element {} of value {} contributes {} to context{}, where the weights "
                            "give {}",
                            d, static_cast<int64_t>(i) / measured.size(3) % s.keys, got[i],
                            index_of(y.context.shape(), context_of(i)), expected[i]);
            }
            must_equal("context (beside the sum over its values) ", y.context, total, s.tolerance);
        }
    });
}

Verdict every_value_counts(const AttentionFunction& f, const Sizes& s) {
    return judge("changing a value changes the contexts", [&] {
        const Inputs x(s);
        const AttentionOutput y = x.through(f, {});
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
            const AttentionOutput y = x.through(f, mask);
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
            const Tensor weights = x.through(f, mask).weights;
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
        const AttentionOutput all = x.through(f, mask);
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
            // The logarithms of weights are the scores minus a constant, which the variance does not see.
            return mean(var(log(x.through(f, {}).weights), -1)).item();
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
        const Tensor context = x.through(f, {}).context;
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
