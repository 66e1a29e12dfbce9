// The laws about what a query may attend to: masks, causal attention, windows.
#include "attention/laws/laws.h"
#include "attention/laws/laws_detail.h"

namespace heed::laws {

Verdict masked_keys(const AttentionFunction& f, const Sizes& s) {
    return judge("a masked key has weight 0 and gradient 0", [&] {
        const Indices lengths = padded_lengths(s);
        const auto masked = [&](int64_t b, int64_t k) { return k >= lengths[b]; };
        // With the keys and values in the padding multiplied by a factor.
        const auto run = [&](double factor) {
            Inputs x(s);
            const Tensor real = transpose(padding(s)),  // [B, K, 1]
                factors = real + (1 - real) * factor;
            x.key = x.key * factors, x.value = x.value * factors;
            return Traced(f, x, padding(s));
        };
        const Traced usual = run(1), huge = run(1e30);
        for (const Traced* each : {&usual, &huge})
            must_weigh(each->y.weights, {"key", "allowed", "masked"},
                       [&](int64_t b, int64_t, int64_t k) { return !masked(b, k); });
        must_equal("context (padding made huge)", huge.y.context, usual.y.context, s.tolerance);
        for (const Traced* each : {&usual, &huge}) {
            const std::vector<Tensor> g = each->gradients(s.seed + 1);
            must_be_zero("the masked key", g[1], masked);
            must_be_zero("the masked value", g[2], masked);
        }
        must_equal("gradient of the query (padding made huge)", huge.gradients(s.seed + 1)[0],
                   usual.gradients(s.seed + 1)[0], s.tolerance);
    });
}

Verdict each_query_mask(const AttentionFunction& f, const Sizes& s) {
    return judge("each query obeys its own mask", [&] {
        const Inputs x(s);
        // Query q of sequence b may not attend to key (q + b) mod K, nor, of many, to another one.
        const auto forbidden = [&](int64_t b, int64_t q, int64_t k) {
            return k == (q + b) % s.keys || (s.keys > 3 && k == (q + b + 2) % s.keys);
        };
        const Tensor mask = mask_without(s, forbidden);
        const Traced traced(f, x, mask);
        must_weigh(traced.y.weights, {"key", "allowed to this query", "masked for this query"},
                   [&](int64_t b, int64_t q, int64_t k) { return !forbidden(b, q, k); });

        // The numbers in a key and its value concern only the queries that may attend to them.
        for (int64_t k = 0; k < s.keys; ++k)
            must_stay(traced.y.context,
                      call(f, x.query, with_row(x.key, 0, k, changed),
                           with_row(x.value, 0, k, changed), mask)
                          .context,
                      1e-12, fmt::format("when key {} does, which is masked for it", k),
                      [&](int64_t b, int64_t q) { return b == 0 && forbidden(0, q, k); });
        for (int64_t q = 0; q < s.queries; ++q) {
            const std::vector<Tensor> g = traced.gradients(s.seed + 1, q);
            const auto masked = [&](int64_t b, int64_t k) { return forbidden(b, q, k); };
            must_be_zero("a key masked for the only query", g[1], masked);
            must_be_zero("a value masked for the only query", g[2], masked);
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
            const auto with = [&, &mask = mask](double bad) {
                return all_of_call(f, parameters, with_bad_padding(x, mask, s, bad), mask,
                                   s.seed + 1);
            };
            const auto expected = with(0);
            for (double bad : bad_numbers) {
                const auto found = with(bad);
                for (std::size_t i = 0; i < found.size(); ++i)
                    must_equal(fmt::format("with {} in the keys masked {}, {}", bad, where,
                                           found[i].first),
                               found[i].second, expected[i].second, s.tolerance);
            }
        }

        // One query alone may not attend to key 0; then its gradient is NaN.
        const Tensor mask =
            mask_without(s, [&](int64_t, int64_t q, int64_t k) { return k == q % s.keys; });
        const Traced usual(f, x, mask);
        for (double bad : bad_numbers) {
            const auto all_bad = [&](double, int64_t) { return bad; };
            must_stay(usual.y.context,
                      call(f, x.query, with_row(x.key, 0, 0, all_bad),
                           with_row(x.value, 0, 0, all_bad), mask)
                          .context,
                      s.tolerance, fmt::format("with {} in key 0, masked for query 0", bad),
                      [](int64_t b, int64_t q) { return b == 0 && q == 0; });
            const Tensor g = with_row(ones(usual.y.context.shape(), f64), 0, 0, all_bad);
            for (bool again : {false, true})
                for (const Tensor& gradient :
                     grad(usual.y.context, {usual.leaves[1], usual.leaves[2]}, again, g))
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
        const auto is_empty = [&](int64_t b, int64_t q) { return b == 0 && q == s.queries - 1; };
        const Tensor mask = padding_and_an_empty_row(s);
        const Traced traced(f, x, mask);
        each_weight(traced.y.weights,
                    [&](int64_t b, int64_t q, int64_t, double weight, const std::string& name) {
                        if (is_empty(b, q) && weight != 0)
                            violated("{} is {}, but no key is allowed", name, weight);
                    });
        must_stay(traced.y.context, call(f, x.query, x.key + 1, x.value - 1, mask).context,
                  s.tolerance, "when keys and values do, but no key is allowed", is_empty);
        must_stay(x.through(f, contiguous(expand(padding(s), mask.shape()))).context,
                  traced.y.context, s.tolerance, "when another query has no allowed key",
                  [&](int64_t b, int64_t q) { return !is_empty(b, q); });
        const std::vector<Tensor> g = traced.gradients(s.seed + 1);
        for (int i : {0, 1, 2})
            for (double number : g[i].to_vector())
                if (!std::isfinite(number))
                    violated("the gradient of the {} has the element {}", input_names[i], number);
        must_be_zero("the query without an allowed key", g[0], is_empty);
    });
}

namespace {

// For an attention with Q = K in which query q reads exactly the keys k with reads(q, k). `outside`
// is the word for the others.
template <class Reads>
void reads_exactly(const AttentionFunction& f, Sizes s, const char* outside, const Reads& reads) {
    s.queries = s.keys;
    const Inputs x(s);
    const Traced traced(f, x, {}, false);
    if (traced.y.weights.defined())
        must_weigh(traced.y.weights, {"position", "allowed", outside},
                   [&](int64_t, int64_t q, int64_t k) { return reads(q, k); });
    for (int64_t k = 0; k < s.keys; ++k) {
        const Tensor key = with_row(x.key, 0, k, changed), value = with_row(x.value, 0, k, changed);
        must_stay(traced.y.context, f(with_row(x.query, 0, k, changed), key, value, {}).context,
                  1e-12, fmt::format("when the {} position {} does", outside, k),
                  [&](int64_t b, int64_t q) { return b == 0 && !reads(q, k) && q != k; });
        const Tensor read = f(x.query, key, value, {}).context;
        for (int64_t q = 0; q < s.keys; ++q)
            if ((row_change(traced.y.context, read, q) > 1e-12) != reads(q, k))
                violated("the context at {} {} position {} does, which it may {}attend to", q,
                         reads(q, k) ? "does not change when" : "changes when", k,
                         reads(q, k) ? "" : "not ");
    }
    for (int64_t q = 0; q < s.keys; ++q) {
        const std::vector<Tensor> g = traced.gradients(s.seed + 1, q);
        for (int i : {0, 1, 2})
            must_be_zero(
                "the " + input_names[i], g[i],
                [&](int64_t, int64_t k) { return !reads(q, k) && (i > 0 || q != k); },
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

}  // namespace heed::laws
