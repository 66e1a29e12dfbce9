// Shapes just above the sizes at which kernels change their way of computing: packed panels and several
// slices in the matrix product, several tiles in attention, several chunks for the threads everywhere
// else. Inputs of this size are checked along random directions.
#include "attention/attention.h"
#include "tests/gradcheck/modules.h"

namespace heed {
namespace {

using Xs = std::vector<Tensor>;

Indices ids(int64_t count, int64_t below, uint64_t seed = 1) {
    Rng rng(seed);
    std::vector<int> all;
    for (int64_t i = 0; i < count; ++i) all.push_back(static_cast<int>(rng.below(below)));
    return Indices(all);
}

// Numbers from -4 to 4 in random order, equally far from each other: no step of a difference changes
// which of them is the larger one.
Tensor ranked(const Shape& shape) {
    Rng rng(9);
    const Indices order = randperm(shape.numel(), rng);
    std::vector<double> values;
    for (int64_t i = 0; i < shape.numel(); ++i)
        values.push_back(8.0 * order[i] / static_cast<double>(shape.numel()) - 4);
    return tensor(values, shape, Dtype::float64);
}

// gemm.cpp: slices of k have at most 1,024 numbers, blocks at most 1,536 rows. A and B are copied where
// their sizes ask for it, and threads share the work from some 400,000 multiply-adds on.
std::vector<Case> products() {
    const auto plain = [](const Xs& x) { return matmul(x[0], x[1]); };
    const auto two = [](const char* what, auto f, const Shape& a, const Shape& b) {
        return Case{fmt::format("matmul, large: {}", what), f, {sample(a), sample(b, -1, 1, 2)}};
    };
    return {
        two("both packed, two slices of k", plain, {132, 1030}, {1030, 260}),
        two("both transposed, packed",
            [](const Xs& x) { return matmul(transpose(x[0]), transpose(x[1])); }, {1030, 260},
            {132, 1030}),
        two("two blocks of rows", plain, {1600, 30}, {30, 300}),
        two("many columns", plain, {70, 30}, {30, 2060}),
        two("dot products of long rows", [](const Xs& x) { return matmul(x[0], transpose(x[1])); },
            {3, 5000}, {90, 5000}),
        two("many small ones", plain, {20, 40, 40}, {20, 40, 40}),
        two("few large ones", plain, {2, 170, 170}, {2, 170, 170}),
        two("one matrix for all of a batch", plain, {9, 60, 50}, {50, 60}),
        {"linear, large",
         [](const Xs& x) { return linear(x[0], x[1], x[2]); },
         {sample({600, 48}), sample({40, 48}, -1, 1, 2), sample({40}, -1, 1, 3)}},
        {"einsum, large",
         [](const Xs& x) { return einsum("bqhd,bkhd->bhqk", x); },
         {sample({2, 40, 4, 32}), sample({2, 40, 4, 32}, -1, 1, 2)}},
        {"conv2d, large",
         [](const Xs& x) { return conv2d(x[0], x[1], x[2], {.padding = 1}); },
         {sample({4, 8, 20, 20}), sample({16, 8, 3, 3}, -1, 1, 2), sample({16}, -1, 1, 3)}},
        {"conv1d, large",
         [](const Xs& x) { return conv1d(x[0], x[1], x[2], {.stride = 2, .padding = 2}); },
         {sample({8, 16, 90}), sample({32, 16, 5}, -1, 1, 2), sample({32}, -1, 1, 3)}},
    };
}

// parallel.h: 32768 elements a chunk; rows.h: half of it for rows.
std::vector<Case> rows() {
    std::vector<Case> cases;
    const auto add = [&](const char* name, auto f, const Shape& shape = {70, 500}, double low = -1,
                         double high = 1) {
        cases.push_back({fmt::format("{}, large", name),
                         [=](const Xs& x) { return f(x[0]); },
                         {sample(shape, low, high)}});
    };
    const auto add_ranked = [&](const std::string& name, auto f, const Shape& shape) {
        cases.push_back({name + ", large", [=](const Xs& x) { return f(x[0]); }, {ranked(shape)}});
    };
    add("exp", [](const Tensor& x) { return exp(x); });
    add("gelu of a transposed view", [](const Tensor& x) { return gelu(transpose(x)); });
    add("tanh of every second column",
        [](const Tensor& x) { return tanh(slice(x, 1, 0, 1000, 2)); }, {70, 1000});
    cases.push_back({"div, large, both broadcast",
                     [](const Xs& x) { return x[0] / x[1]; },
                     {sample({70, 1, 50}, 1, 2), sample({12, 1}, 1, 2, 2)}});
    cases.push_back({"mul, large, a row and a column",
                     [](const Xs& x) { return x[0] * x[1] * x[2]; },
                     {sample({300, 150}), sample({150}, -1, 1, 2), sample({300, 1}, -1, 1, 3)}});
    cases.push_back({"where, large",
                     [](const Xs& x) { return where(detach(x[0]) > 0.2, x[0], x[1]); },
                     {sample({300, 150}), sample({150}, -1, 1, 2)}});

    for (const AxesOrAll& axes : {AxesOrAll{}, AxesOrAll{0}, AxesOrAll{1}}) {
        const std::string over = axes.count ? to_string(axes) : "everything";
        // Of 60 numbers each: with many more, the gradient of a logsumexp would be tiny beside it.
        const Shape shape = axes.count && axes[0] == 0 ? Shape{60, 700} : Shape{700, 60};
        const auto reduce = [&](const char* name, auto f, double low = -1, double high = 1) {
            add(
                fmt::format("{} over {}", name, over).c_str(),
                [=](const Tensor& x) { return f(x, axes, false); }, shape, low, high);
        };
        reduce("sum", [](auto... a) { return sum(a...); });
        if (axes.count == 0) {
            cases.back() = cases.back().conditioned(8, "numbers that cancel in the sum");
            continue;  // the gradients of the others are tiny beside them
        }
        reduce("mean", [](auto... a) { return mean(a...); });
        reduce("var", [](const Tensor& x, const AxesOrAll& r, bool k) { return var(x, r, k); });
        reduce("norm",
               [](const Tensor& x, const AxesOrAll& r, bool k) { return norm(x, 2, r, k); });
        // Numbers up to 6, so that a few of them make the sum.
        reduce(
            "logsumexp", [](auto... a) { return logsumexp(a...); }, -6, 6);
        add_ranked(
            "max over " + over, [=](const Tensor& x) { return max(x, axes); }, shape);
        if (axes.count)
            reduce(
                "prod", [](auto... a) { return prod(a...); }, 0.95, 1.05);
    }
    for (int axis : {0, 1})
        add(fmt::format("cumsum along {}", axis).c_str(),
            [=](const Tensor& x) { return cumsum(x, axis); }, {300, 150});
    add_ranked("sort", [](const Tensor& x) { return sort(x, 1).values; }, {20, 200});
    add_ranked("topk", [](const Tensor& x) { return topk(x, 3, 1).values; }, {40, 100});

    for (int axis : {-1, 0}) {
        add(fmt::format("softmax along {}", axis).c_str(),
            [=](const Tensor& x) { return softmax(10.0 * x, axis); }, {70, 500});
        add(fmt::format("log_softmax along {}", axis).c_str(),
            [=](const Tensor& x) { return log_softmax(x, axis); }, {70, 500});
    }
    add("masked_softmax",
        [](const Tensor& x) {
            return masked_softmax(x, like(x, sample({70, 40}, -1, 1, 2) > 0.0));
        },
        {10, 70, 40});
    add("cross_entropy", [](const Tensor& x) {
        return cross_entropy(x, ids(70, 500), {.smoothing = 0.1, .reduction = Reduction::none});
    });
    cases.push_back({"layer_norm, large",
                     [](const Xs& x) { return layer_norm(x[0], x[1], x[2]); },
                     {sample({300, 130}), sample({130}, 0.5, 1.5, 2), sample({130}, -1, 1, 3)}});

    add("embedding", [](const Tensor& x) { return embedding(x, ids(600, 40)); }, {40, 70});
    add("index_select", [](const Tensor& x) { return index_select(x, 0, ids(600, 300)); },
        {300, 70});
    add("index_add",
        [](const Tensor& x) {
            return index_add({30, 70}, 0, ids(600, 30), x);
        },
        {600, 70});
    add("gather", [](const Tensor& x) {
        return gather(x, 1, ids(70 * 600, 500).reshaped({70, 600}));
    });
    add("scatter_add", [](const Tensor& x) {
        return scatter_add({70, 30}, 1, ids(70 * 500, 30).reshaped({70, 500}), x);
    });
    std::vector<int> segment_of;
    for (int i = 0; i < 600; ++i) segment_of.push_back(i * i / 9000);
    const Segments segments(segment_of, 41);
    add("segment_sum", [=](const Tensor& x) { return segment_sum(x, segments); }, {600, 70});
    add("segment_softmax", [=](const Tensor& x) { return segment_softmax(x, segments); },
        {600, 70});
    add("clone of a transposed view", [](const Tensor& x) { return clone(transpose(x)); },
        {200, 190});
    add("permute, then contiguous",
        [](const Tensor& x) {
            return contiguous(permute(x, {2, 0, 1}));
        },
        {30, 40, 35});
    add("repeat_interleave", [](const Tensor& x) { return repeat_interleave(x, 30, 0); }, {30, 40});
    add_ranked("max_pool2d", [](const Tensor& x) { return max_pool2d(x, 2); }, {10, 2, 44, 44});
    add("avg_pool2d",
        [](const Tensor& x) {
            return avg_pool2d(x, {3, 2}, {.stride = 2});
        },
        {10, 2, 44, 44});
    cases.push_back({"concat, large",
                     [](const Xs& x) {
                         return concat({x[0], x[1]}, 1);
                     },
                     {sample({300, 70}), sample({300, 60}, -1, 1, 2)}});
    return cases;
}

// tiles.h: 64 queries and 256 keys a tile, threads from 2¹⁸ multiply-adds on.
std::vector<Case> attentions() {
    const Xs qkv{sample({1, 2, 70, 16}, -2, 2, 1), sample({1, 2, 300, 16}, -2, 2, 2),
                 sample({1, 2, 300, 12}, -1, 1, 3)};
    const auto attend = [](const char* what, const AttentionCall& options, const Xs& inputs) {
        return Case{fmt::format("scaled_dot_product_attention, large{}", what),
                    [=](const Xs& x) {
                        AttentionCall own = options;
                        if (own.mask.defined()) own.mask = like(x[0], own.mask);
                        if (own.bias.defined()) own.bias = like(x[0], own.bias);
                        return scaled_dot_product_attention(x[0], x[1], x[2], own);
                    },
                    inputs};
    };
    Rng rng(3);
    const Tensor some = sample({1, 1, 70, 300}, -1, 1, 4) > -0.5;
    std::vector<Case> cases{
        attend("", {}, qkv),
        attend(", causal", {.causal = true}, qkv),
        attend(", masked, with a bias and dropout",
               {.mask = some,
                .bias = sample({2, 70, 300}, -1, 1, 5),
                .dropout = 0.2,
                .dropout_seed = 3},
               qkv),
        attend(", eight heads", {.causal = true},
               {sample({2, 4, 65, 8}, -2, 2, 1), sample({2, 4, 65, 8}, -2, 2, 2),
                sample({2, 4, 65, 8}, -1, 1, 3)}),
        {"additive_scores, large",
         [](const Xs& x) { return additive_scores(x[0], x[1], x[2]); },
         {sample({20, 6, 30}), sample({20, 9, 30}, -1, 1, 2), sample({30}, -1, 1, 3)}},
    };
    cases.push_back(with_parameters("MultiHead, large", MultiHead({.width = 24, .heads = 3}, rng),
                                    {sample({2, 80, 24}, -3, 3)},
                                    [](const MultiHead& layer, const Xs& x) {
                                        return layer(x[0], x[0], x[0], {.causal = true});
                                    })
                        .zero_gradient("key.bias", softmax_cancels));
    return cases;
}

// recurrence_kernels.h: at least 16 rows of the batch for each thread.
std::vector<Case> recurrences() {
    std::vector<Case> cases;
    for (CellKind kind : {CellKind::rnn_tanh, CellKind::gru, CellKind::lstm}) {
        const int64_t B = 70, T = 9, H = 20, wide = gates_of(kind) * H;
        Xs inputs{sample({B, T, wide}), sample({wide, H}, -0.7, 0.7, 2), sample({wide}, -1, 1, 3),
                  sample({B, H}, -1, 1, 4)};
        if (states_of(kind) == 2) inputs.push_back(sample({B, H}, -1, 1, 5));
        std::vector<int> lengths;
        for (int64_t row = 0; row < B; ++row) lengths.push_back(static_cast<int>(row % (T + 1)));
        const SequenceOptions ragged{Indices(lengths), true};
        const auto state = [](const Xs& x) {
            return RecurrentState{x[3], x.size() > 4 ? x[4] : Tensor()};
        };
        cases.push_back(
            {fmt::format("recurrent_sequence {}, large, ragged, reverse", name_of(kind)),
             [=](const Xs& x) {
                 return recurrent_sequence(kind, x[0], state(x), x[1], x[2], ragged);
             },
             inputs});
        Xs step{sample({900, wide}), sample({900, wide}, -1, 1, 2), sample({900, H}, -1, 1, 3)};
        if (states_of(kind) == 2) step.push_back(sample({900, H}, -1, 1, 4));
        const Case one{
            fmt::format("recurrent_step {}, large", name_of(kind)),
            [=](const Xs& x) {
                const RecurrentState before{x[2], x.size() > 3 ? x[3] : Tensor()};
                const RecurrentState after = recurrent_step(kind, x[0], x[1], before);
                return after.cell.defined() ? concat({after.hidden, after.cell}, -1) : after.hidden;
            },
            step};
        cases.push_back(kind == CellKind::gru
                            ? one
                            : one.zero_gradient("x2", "the hidden state enters as h alone"));
    }
    return cases;
}

const bool added_large =
    add_cases(products) && add_cases(rows) && add_cases(attentions) && add_cases(recurrences);

}  // namespace
}  // namespace heed
