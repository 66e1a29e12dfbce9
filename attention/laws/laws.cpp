#include "attention/laws/laws.h"

#include "attention/laws/laws_detail.h"

namespace heed::laws {

std::string to_string(const Verdict& verdict) {
    return verdict.holds ? fmt::format("{}: holds", verdict.law)
                         : fmt::format("{}: violated: {}", verdict.law, verdict.message);
}

namespace {

Complaint sums_wrong(const Tensor& weights, const std::vector<double>& mask, const char* when) {
    const Rows rows(weights);
    for (int64_t row = 0; row < rows.count(); ++row) {
        double sum = 0, expected = 0;
        for (int64_t k = 0; k < rows.keys; ++k) {
            if (!(rows.at(row, k) >= 0))
                return fmt::format("weights{} is {} {}", rows.index(row, k), rows.at(row, k), when);
            sum += rows.at(row, k);
            if (allows(rows, mask, row, k)) expected = 1;
        }
        if (!(std::abs(sum - expected) <= 1e-9))
            return fmt::format("the weights of query {} sum to {} over the keys, expected {}, {}",
                               row % rows.queries, sum, expected, when);
    }
    return {};
}

// x [B, K, D] with every row of a sequence replaced by its row k.
Tensor all_as_row(const Tensor& x, int64_t k) {
    return contiguous(expand(slice(x, 1, k, k + 1), x.shape()));
}

// The variance of the scores of a query, averaged over queries. The logarithms of weights are the
// scores minus a constant, which does not change the variance.
double spread(const Tensor& weights) { return mean(var(log(weights), -1)).item(); }

}  // namespace

// --- weights, keys and masks --------------------------------------------------------------------

Verdict distribution(const AttentionFunction& f, const Sizes& s) {
    return judge("weights are a distribution", [&]() -> Complaint {
        const Inputs x(s);
        const Shape full{s.batch, s.queries, s.keys};
        const Tensor none = ones(full, f64);
        if (auto wrong = sums_wrong(f(x.query, x.key, x.value, {}).weights, none.to_vector(),
                                    "without a mask");
            !wrong.empty())
            return wrong;
        const Tensor padded = expand(padding(s), full);
        if (auto wrong = sums_wrong(f(x.query, x.key, x.value, padding(s)).weights,
                                    padded.to_vector(), "with a padding mask");
            !wrong.empty())
            return wrong;

        // The last query of the first sequence may attend to nothing.
        Tensor mask = copy_of(padded);
        std::fill_n(mask.edit<double>() + (s.queries - 1) * s.keys, s.keys, 0.0);
        const AttentionOutput y = f(x.query, x.key, x.value, mask);
        for (double c : y.context.to_vector())
            if (!std::isfinite(c))
                return "the context is not finite where a query has no allowed key";
        return sums_wrong(y.weights, mask.to_vector(), "where one query has no allowed key");
    });
}

Verdict permutation(const AttentionFunction& f, const Sizes& s) {
    return judge("the order of keys does not matter", [&]() -> Complaint {
        const Inputs x(s);
        std::vector<int> order;  // no key keeps its index
        for (int64_t k = 0; k < s.keys; ++k) order.push_back(static_cast<int>((k + 2) % s.keys));
        const auto permuted = [&](const Tensor& t, int axis) {
            return index_select(t, axis, order);
        };
        for (const Tensor& mask : {Tensor(), padding(s)}) {
            const AttentionOutput y = f(x.query, x.key, x.value, mask);
            const AttentionOutput z = f(x.query, permuted(x.key, 1), permuted(x.value, 1),
                                        mask.defined() ? permuted(mask, 2) : mask);
            if (auto wrong =
                    differ("context (keys and values permuted)", z.context, y.context, s.tolerance);
                !wrong.empty())
                return wrong;
            if (auto wrong = differ("weights (keys and values permuted)", z.weights,
                                    permuted(y.weights, y.weights.dim() - 1), s.tolerance);
                !wrong.empty())
                return wrong;
        }
        return {};
    });
}

Verdict every_key_counts(const AttentionFunction& f, const Sizes& s) {
    return judge("changing a key changes its weight", [&]() -> Complaint {
        const Inputs x(s);
        const Rows before(f(x.query, x.key, x.value, {}).weights);
        for (int64_t b = 0; b < s.batch; ++b)
            for (int64_t k = 0; k < s.keys; ++k) {
                const Rows after(f(x.query, with_row(x.key, b, k, changed), x.value, {}).weights);
                for (int64_t row = 0; row < before.count(); ++row)
                    if (before.batch_of(row) == b &&
                        std::abs(after.at(row, k) - before.at(row, k)) < 1e-12)
                        return fmt::format("weights{} stays {} when key {} of sequence {} changes",
                                           before.index(row, k), before.at(row, k), k, b);
            }
        return {};
    });
}

Verdict masked_keys(const AttentionFunction& f, const Sizes& s) {
    return judge("a masked key has weight 0 and gradient 0", [&]() -> Complaint {
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
            AttentionOutput y = f(leaves[0], leaves[1], leaves[2], mask);
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
                        return fmt::format("weights{} is {}, but key {} is masked",
                                           rows.index(row, k), weight, k);
                    if (allows(rows, allowed, row, k) && !(weight > 0))
                        return fmt::format("weights{} is {}, but key {} is allowed",
                                           rows.index(row, k), weight, k);
                }
        }
        if (auto wrong = differ("context (padding made huge)", z.context, y.context, s.tolerance);
            !wrong.empty())
            return wrong;
        for (int i : {1, 2})
            for (const auto& gs : {gradients, huge_gradients}) {
                const std::vector<double> g = gs[i].to_vector();
                const int64_t width = gs[i].size(2);
                for (int64_t row = 0; row < s.batch * s.keys; ++row)
                    for (int64_t d = 0; d < width; ++d)
                        if (row % s.keys >= lengths[row / s.keys] && g[row * width + d] != 0)
                            return fmt::format("the gradient of the masked {} at {} is {}, not 0",
                                               i == 1 ? "key" : "value",
                                               index_of(gs[i].shape(), row * width + d),
                                               g[row * width + d]);
            }
        return differ("gradient of the query (padding made huge)", huge_gradients[0], gradients[0],
                      s.tolerance);
    });
}

Verdict causal(const AttentionFunction& f, const Sizes& s) {
    return judge("the future changes no past output", [&]() -> Complaint {
        Sizes square = s;
        square.queries = s.keys;
        const Inputs x(square);
        const Tensor before = f(x.query, x.key, x.value, {}).context;
        const int64_t width = before.size(2);
        for (int64_t k = 0; k < s.keys; ++k) {
            const Tensor after =
                f(x.query, with_row(x.key, 0, k, changed), with_row(x.value, 0, k, changed), {})
                    .context;
            const std::vector<double> change = abs(after - before).to_vector();
            for (int64_t q = 0; q < s.keys; ++q) {
                double largest = 0;
                for (int64_t d = 0; d < width; ++d)
                    largest = std::max(largest, change[q * width + d]);
                if (q < k && !(largest <= 1e-12))
                    return fmt::format(
                        "the context at {} changes by {} when the later position {} does", q,
                        largest, k);
                if (q >= k && !(largest > 1e-12))
                    return fmt::format(
                        "the context at {} does not change when position {} does, which it may "
                        "attend to",
                        q, k);
            }
        }
        return {};
    });
}

// --- special cases with a known answer, and gradients --------------------------------------------

Verdict equal_keys(const AttentionFunction& f, const Sizes& s) {
    return judge("equal keys give the mean of the values", [&]() -> Complaint {
        const Inputs x(s);
        const Tensor key = all_as_row(x.key, 0);
        for (const Tensor& mask : {ones({s.batch, 1, s.keys}, f64), padding(s)}) {
            const Tensor uniform = mask / sum(mask, -1, true);  // [B, 1, K]
            const Tensor average = matmul(uniform, x.value);    // [B, 1, D']
            const AttentionOutput y = f(x.query, key, x.value, mask);
            const AttentionOutput of_average =
                f(x.query, key, contiguous(expand(average, x.value.shape())), mask);
            const Tensor expected = y.weights.dim() == 4 ? unsqueeze(uniform, 1) : uniform;
            if (auto wrong = differ("weights (all keys equal)", y.weights,
                                    contiguous(expand(expected, y.weights.shape())), s.tolerance);
                !wrong.empty())
                return wrong;
            if (auto wrong =
                    differ("context (all keys equal)", y.context, of_average.context, s.tolerance);
                !wrong.empty())
                return wrong;
        }
        return {};
    });
}

Verdict batch_rows(const AttentionFunction& f, const Sizes& s) {
    return judge("a row of a batch equals that row alone", [&]() -> Complaint {
        const Inputs x(s);
        const Tensor mask = padding(s);
        const AttentionOutput all = f(x.query, x.key, x.value, mask);
        for (int64_t b = 0; b < s.batch; ++b) {
            const auto row = [b](const Tensor& t) { return slice(t, 0, b, b + 1); };
            const AttentionOutput alone = f(row(x.query), row(x.key), row(x.value), row(mask));
            const std::string which = fmt::format(" of sequence {} alone", b);
            if (auto wrong = differ(("context" + which).c_str(), alone.context, row(all.context),
                                    s.tolerance);
                !wrong.empty())
                return wrong;
            if (auto wrong = differ(("weights" + which).c_str(), alone.weights, row(all.weights),
                                    s.tolerance);
                !wrong.empty())
                return wrong;
        }
        return {};
    });
}

Verdict sharp_limit(const std::function<AttentionFunction(double)>& at, const Sizes& s) {
    return judge("the sharp limit is a lookup", [&]() -> Complaint {
        const Inputs x(s);
        const Rows gentle(at(1)(x.query, x.key, x.value, {}).weights);
        const AttentionFunction sharp = at(1e6);
        const AttentionOutput y = sharp(x.query, x.key, x.value, {});
        const Rows rows(y.weights);
        for (int64_t row = 0; row < rows.count(); ++row) {
            const int64_t top = gentle.largest(row);
            if (!(rows.at(row, top) > 1 - 1e-6))
                return fmt::format(
                    "weights{} is {} in the sharp limit, expected 1 (key {} has most)",
                    rows.index(row, top), rows.at(row, top), top);
        }
        if (rows.heads > 1) return {};  // each head looks up a key of its own

        // The context of a query is the same as if all values were that of the key with most
        // weight.
        for (int64_t row = 0; row < rows.count(); ++row) {
            const int64_t b = rows.batch_of(row), q = row % rows.queries;
            const Tensor value = all_as_row(x.value, gentle.largest(row));
            const Tensor expected = sharp(x.query, x.key, value, {}).context;
            const auto one = [&](const Tensor& t) { return select(select(t, 0, b), 0, q); };
            if (auto wrong =
                    differ(fmt::format("context[{}, {}] in the sharp limit, ", b, q).c_str(),
                           one(y.context), one(expected), 1e-6);
                !wrong.empty())
                return wrong;
        }
        return {};
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
    return judge("the variance of the scores does not grow with the width", [&]() -> Complaint {
        const auto spread_at = [&](int64_t width) {
            Sizes wide = s;
            wide.batch = 4;
            wide.queries = 16;
            wide.keys = 64;
            wide.query_width = wide.key_width = width;
            const Inputs x(wide);
            return spread(f(x.query, x.key, x.value, {}).weights);
        };
        const double narrow = spread_at(4), wide = spread_at(256), ratio = wide / narrow;
        if (ratio > 0.5 && ratio < 2) return {};
        return fmt::format(
            "the variance of the scores is {:.3g} at width 4 and {:.3g} at width 256", narrow,
            wide);
    });
}

Verdict every_parameter(const AttentionFunction& f,
                        const std::vector<std::pair<std::string, Tensor>>& parameters,
                        const Sizes& s) {
    return judge("every parameter receives gradient", [&]() -> Complaint {
        const Inputs x(s);
        const Tensor context = f(x.query, x.key, x.value, {}).context;
        Rng rng(s.seed + 1);
        std::vector<Tensor> leaves;
        for (const auto& [name, parameter] : parameters) leaves.push_back(parameter);
        if (!context.requires_grad()) return "the context depends on no parameter";
        const auto gradients =
            grad(context, leaves, false, normal(context.shape(), 0, 1, rng, f64));
        for (std::size_t i = 0; i < leaves.size(); ++i)
            if (!(max(abs(gradients[i])).item() > 1e-9))
                return fmt::format("{} {} receives no gradient", parameters[i].first,
                                   leaves[i].shape());
        return {};
    });
}

Verdict gradient(const AttentionFunction& f, const Sizes& s) {
    return judge("the gradient agrees with finite differences", [&]() -> Complaint {
        const Inputs x(s);
        for (const Tensor& mask : {Tensor(), padding(s)}) {
            const auto outputs = [&](const std::vector<Tensor>& xs) {
                const AttentionOutput y = f(xs[0], xs[1], xs[2], mask);
                return concat({reshape(y.context, {-1}), reshape(y.weights, {-1})}, 0);
            };
            // Whether an input matters at all is the subject of other laws.
            const GradcheckReport report =
                gradcheck(outputs, {x.query, x.key, x.value}, {.floor = 0});
            if (!report.pass)
                return fmt::format("with respect to the {}: {}",
                                   std::vector{"query", "key", "value"}[report.input],
                                   to_string(report));
        }
        return {};
    });
}

std::vector<Verdict> check_all(const AttentionFunction& f, const Sizes& s) {
    return {distribution(f, s), permutation(f, s), every_key_counts(f, s), masked_keys(f, s),
            equal_keys(f, s),   batch_rows(f, s),  gradient(f, s)};
}

}  // namespace heed::laws
