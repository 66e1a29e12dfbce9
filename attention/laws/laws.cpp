#include "attention/laws/laws.h"

#include "attention/laws/laws_detail.h"

namespace heed {

std::string to_string(const Verdict& verdict) {
    return verdict.holds ? fmt::format("{}: holds", verdict.law)
                         : fmt::format("{}: violated: {}", verdict.law, verdict.message);
}

namespace laws {

namespace {

Complaint sums_wrong(const Tensor& weights, const std::vector<double>& mask, const char* when) {
    const Rows rows(weights);
    for (int64_t row = 0; row < rows.count(); ++row) {
        double sum = 0, expected = 0;
        for (int64_t k = 0; k < rows.keys; ++k) {
            if (!(rows.at(row, k) >= 0))
                return fmt::format("weights{} is {} {}", rows.place_of(row, k), rows.at(row, k),
                                   when);
            sum += rows.at(row, k);
            if (allows(rows, mask, row, k)) expected = 1;
        }
        if (!(std::abs(sum - expected) <= 1e-9))
            return fmt::format("the weights of query {} sum to {} over the keys, expected {}, {}",
                               row % rows.queries, sum, expected, when);
    }
    return {};
}

}  // namespace

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
        std::vector<int> order;  // a rotation: no key stays in place
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
                const Rows after(f(x.query, with_row(x.key, b, k, nudged), x.value, {}).weights);
                for (int64_t row = 0; row < before.count(); ++row)
                    if (before.batch_of(row) == b &&
                        std::abs(after.at(row, k) - before.at(row, k)) < 1e-12)
                        return fmt::format("weights{} stays {} when key {} of sequence {} changes",
                                           before.place_of(row, k), before.at(row, k), k, b);
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
        // With one content of the padding: the outputs, and the gradients of query, key and value.
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
                                           rows.place_of(row, k), weight, k);
                    if (allows(rows, allowed, row, k) && !(weight > 0))
                        return fmt::format("weights{} is {}, but key {} is allowed",
                                           rows.place_of(row, k), weight, k);
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
                                               place(gs[i].shape(), row * width + d),
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
                f(x.query, with_row(x.key, 0, k, nudged), with_row(x.value, 0, k, nudged), {})
                    .context;
            const std::vector<double> change = abs(after - before).to_vector();
            for (int64_t q = 0; q < s.keys; ++q) {
                double largest = 0;
                for (int64_t d = 0; d < width; ++d)
                    largest = std::max(largest, change[q * width + d]);
                if (q < k && !(largest <= 1e-12))
                    return fmt::format("place {} changes by {} when the later place {} does", q,
                                       largest, k);
                if (q >= k && !(largest > 1e-12))
                    return fmt::format("place {} does not feel place {}, which it may attend to", q,
                                       k);
            }
        }
        return {};
    });
}

}  // namespace laws

}  // namespace heed
