// Window, random features and hashing against exact attention, on the same queries and keys.
#include "lessons/course/live/live.h"

#include <algorithm>
#include <cmath>

#include "attention/attention.h"
#include "lessons/course/figures/figures.h"

namespace heed::lesson29 {

using namespace course;

namespace {

constexpr int width = 16, shown_cells = 32;
constexpr double sharpness = 6;

struct Method {
    Tensor weights;   // [T, T]
    double cost = 0;  // multiply-adds of the scores and of the context
};

// Keys are unit vectors k that change slowly along the sequence, queries are β k: so near keys matter most,
// and queries and keys may be hashed together, as the Reformer does.
Tensor slow_unit_vectors(int length, Rng& rng) {
    Tensor x = normal({1, width}, 0, 1, rng);
    std::vector<Tensor> rows;
    for (int t = 0; t < length; ++t) {
        x = 0.85 * x + normal({1, width}, 0, 0.53, rng);
        rows.push_back(x);
    }
    return reshape(unit_vectors(concat(rows, 0)), {1, 1, length, width});
}

Method approximation(int method, int budget, const Tensor& q, const Tensor& k, const Tensor& v) {
    const std::int64_t T = k.size(2);
    const double products = 2.0 * width;  // for one pair: the score and the sum of the values
    if (method == 0) {
        const Tensor mask = sliding_window_mask(T, T, budget, budget);
        return {attention_weights(matmul(q, transpose(k)), unsqueeze(mask, 1)),
                products * sum(mask).item()};
    }
    if (method == 1) {
        Rng rng(7);
        const std::int64_t features = 4 * budget;
        const Tensor w = orthogonal_features(features, width, rng);
        return {performer_definition(q, k, v, w, {.scale = 1}).weights,
                2.0 * double(T * features) * products};
    }
    const LshOptions options{
        .buckets = std::max<std::int64_t>(2, T / 16 * 2), .chunk = 8, .hashes = budget, .scale = 1};
    return {lsh_definition(q, v, options).weights, double(T * budget) * 2 * 8 * products};
}

HeatMap picture(const std::string& title,
                const Tensor& weights) {  // [1, 1, T, T], pooled to 32 x 32
    const std::int64_t T = weights.size(2), pool = T / shown_cells;
    const Tensor pooled = sum(mean(reshape(weights, {shown_cells, pool, shown_cells, pool}), 1), 2);
    HeatMap map{.title = title,
                .values = pooled.to_vector(),
                .rows = shown_cells,
                .columns = shown_cells,
                .row_axis = "query",
                .column_axis = "key"};
    map.high = 0.3;
    return map;
}

Drawn draw(const Inputs& inputs) {
    const NoGrad no_grad;
    const int method = inputs.chosen("method"), length = 32 << inputs.whole("length");
    const int budget = 1 << inputs.whole("budget");
    Rng rng(static_cast<std::uint64_t>(inputs.whole("seed")));
    const Tensor k = slow_unit_vectors(length, rng), q = sharpness * k,
                 v = normal(k.shape(), 0, 1, rng);
    const Tensor exact = attention_weights(matmul(q, transpose(k)));
    const Method found = approximation(method, budget, q, k, v);
    const Tensor context = matmul(exact, v), near = matmul(found.weights, v);
    const double error = std::sqrt((sum(square(near - context)) / sum(square(context))).item());
    return {.svgs = {to_svg(picture("Exact attention", exact), 280),
                     to_svg(picture("With the budget", found.weights), 280)},
            .numbers = {{"relative error of the contexts", error},
                        {"cost, as a share of exact attention",
                         found.cost / (2.0 * width * length * length)},
                        {"length", double(length), 4}}};
}

const Registered figure(
    {.name = "long_sequences",
     .controls = {choice("method", "Method",
                         {"window", "random features (Performer)", "hashing (Reformer)"}),
                  slider("budget", "Half window, features / 4 or hashes, as a power of 2",
                         {0, 6, 1, 2}),
                  slider("length", "Length: 32, 64, 128 or 256", {0, 3, 1, 1}),
                  slider("seed", "Other vectors", {1, 20, 1, 1})},
     .draw = draw});

}  // namespace

}  // namespace heed::lesson29
