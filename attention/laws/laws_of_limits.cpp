// The second half of the laws: special cases whose answer is known, and gradients.
#include "attention/laws/laws.h"
#include "attention/laws/laws_detail.h"

namespace heed::laws {

namespace {

// x [B, K, D] with every row of a sequence replaced by its row k.
Tensor all_as_row(const Tensor& x, int64_t k) {
    return contiguous(expand(slice(x, 1, k, k + 1), x.shape()));
}

// The variance of the scores of a query about their mean, averaged over queries. Scores are the
// logarithms of weights, but for a shift.
double spread(const Tensor& weights) { return mean(var(log(weights), -1)).item(); }

}  // namespace

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
            const int64_t winner = gentle.largest(row);
            if (!(rows.at(row, winner) > 1 - 1e-6))
                return fmt::format(
                    "weights{} is {} in the sharp limit, expected 1 (key {} has most)",
                    rows.place_of(row, winner), rows.at(row, winner), winner);
        }
        if (rows.heads > 1) return {};  // each head looks up a place of its own

        // The context of a query is what it would be if all values were the winner's.
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
    return judge("the spread of the scores does not grow with the width", [&]() -> Complaint {
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
            const GradcheckReport report = gradcheck(outputs, {x.query, x.key, x.value});
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
