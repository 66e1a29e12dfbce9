// Indexing, choices by mask, and the fused kernels: softmax and its relatives, layer norm.
#include "nn/train/ranks.h"
#include "tests/gradcheck/registry.h"

namespace heed {
namespace {

using Xs = std::vector<Tensor>;

// Ones and zeros in the dtype of x.
Tensor mask_of(const Tensor& x, std::vector<double> values, const Shape& shape) {
    return tensor(values, shape, x.dtype());
}

// Laid out by hand: name, function, inputs.
// clang-format off
std::vector<Case> indexing() {
    const Indices places({2, 0, 0, 1, 2, 1}, {2, 3});
    return {
        {"embedding with repeated ids",
         [](const Xs& x) { return embedding(x[0], Indices({1, 3, 1, 0}, {2, 2})); },
         {sample({4, 3})}},
        {"part_of, of one rank", [](const Xs& x) { return part_of(x[0], SingleRank()); },
         {sample({4, 3})}},
        {"gather along 1", [=](const Xs& x) { return gather(x[0], 1, places); }, {sample({2, 3})}},
        {"gather along 0",
         [](const Xs& x) { return gather(x[0], 0, Indices({1, 0, 1}, {1, 3})); },
         {sample({2, 3})}},
        {"index_select with repeats",
         [](const Xs& x) { return index_select(x[0], 1, {2, 0, 2}); },
         {sample({2, 3})}},
        {"index_add with repeats",
         [](const Xs& x) { return index_add({2, 4}, 1, {2, 0, 2}, x[0]); },
         {sample({2, 3})}},
        {"scatter_add with repeats",
         [=](const Xs& x) { return scatter_add({2, 4}, 1, places, x[0]); },
         {sample({2, 3})}},
        {"masked_fill, mask broadcast",
         [](const Xs& x) { return masked_fill(x[0], mask_of(x[0], {1, 0, 0, 1}, {4}), 0.5); },
         {sample({3, 4})}},
        {"masked_select, x broadcast",
         [](const Xs& x) { return masked_select(x[0], mask_of(x[0], {1, 0, 0, 1, 1, 0}, {2, 3})); },
         {sample({3})}},
        {"masked_select of a transposed view",
         [](const Xs& x) { return masked_select(transpose(x[0]), mask_of(x[0], {1, 0, 1}, {3})); },
         {sample({3, 2})}},
        {"where, all three broadcast",
         [](const Xs& x) { return where(mask_of(x[0], {1, 0}, {2, 1}), x[0], x[1]); },
         {sample({2, 3}), sample({3}, -1, 1, 2)}},
    };
}
// clang-format on

std::vector<Case> segments() {
    const Segments two({0, 0, 0, 2, 2}, 3);  // segment 1 has no rows
    return {
        {"segment_sum", [=](const Xs& x) { return segment_sum(x[0], two); }, {sample({5, 2, 3})}},
        {"segment_sum of a transposed view",
         [=](const Xs& x) { return segment_sum(transpose(x[0]), two); },
         {sample({2, 5})}},
        {"segment_max", [=](const Xs& x) { return segment_max(x[0], two); }, {sample({5, 3})}},
        {"segment_softmax",
         [=](const Xs& x) { return segment_softmax(x[0], two); },
         {sample({5, 3}, -2, 2)}},
        {"segment_softmax of numbers",
         [=](const Xs& x) { return segment_softmax(x[0], two); },
         {sample({5}, -2, 2)}},
        {"segment_softmax of a transposed view",
         [=](const Xs& x) { return segment_softmax(transpose(x[0]), two); },
         {sample({2, 5}, -2, 2)}},
        {"segment_softmax_definition",
         [=](const Xs& x) { return segment_softmax_definition(x[0], two); },
         {sample({5, 2}, -2, 2)}},
    };
}

std::vector<Case> fused() {
    std::vector<Case> cases;
    const auto add = [&](const std::string& name, auto f, const Shape& shape) {
        cases.push_back({name, [=](const Xs& x) { return f(x[0]); }, {sample(shape, -2, 2)}});
        if (shape.dim() == 2)
            cases.push_back({name + " of a transposed view",
                             [=](const Xs& x) { return f(transpose(x[0])); },
                             {sample({shape[1], shape[0]}, -2, 2)}});
    };
    for (int axis : {-1, 0}) {
        add(fmt::format("softmax along {}", axis),
            [=](const Tensor& x) { return softmax(x, axis); }, {3, 5});
        add(fmt::format("log_softmax along {}", axis),
            [=](const Tensor& x) { return log_softmax(x, axis); }, {3, 5});
    }
    cases.push_back(
        Case{"softmax of one", [](const Xs& x) { return softmax(x[0]); }, {sample({3, 1})}}
            .zero_gradient("x0", "the softmax of one number is 1"));
    const auto mask = [](const Tensor& x) {
        return mask_of(x,
                       {1, 1, 0, 0, 1,  //
                        0, 0, 0, 0, 0,  //
                        0, 1, 0, 0, 0},
                       {3, 5});
    };
    add("masked_softmax with an empty row",
        [=](const Tensor& x) { return masked_softmax(x, mask(x)); }, {3, 5});
    add("masked_softmax, mask broadcast",
        [=](const Tensor& x) { return masked_softmax(x, slice(mask(x), 0, 0, 1)); }, {3, 5});
    add("masked_softmax along 0", [=](const Tensor& x) { return masked_softmax(x, mask(x), 0); },
        {3, 5});

    const Indices labels{1, 4, -100};
    for (double smoothing : {0.0, 0.1})
        for (Reduction reduction : {Reduction::mean, Reduction::sum, Reduction::none})
            add(fmt::format("cross_entropy smoothing {}, reduction {}", smoothing,
                            static_cast<int>(reduction)),
                [=](const Tensor& x) {
                    return cross_entropy(x, labels,
                                         {.smoothing = smoothing, .reduction = reduction});
                },
                {3, 5});
    cases.push_back({"cross_entropy [2, 2, 3]",
                     [](const Xs& x) {
                         return cross_entropy(x[0], Indices({0, 2, 1, 1}, {2, 2}));
                     },
                     {sample({2, 2, 3})}});

    const Xs norm_inputs{sample({2, 3, 5}, -2, 2), sample({5}, 0.5, 1.5, 2), sample({5}, -1, 1, 3)};
    cases.push_back({"layer_norm with scale and shift",
                     [](const Xs& x) { return layer_norm(x[0], x[1], x[2]); }, norm_inputs});
    cases.push_back(
        {"layer_norm bare", [](const Xs& x) { return layer_norm(x[0]); }, {norm_inputs[0]}});
    cases.push_back({"layer_norm with scale only",
                     [](const Xs& x) { return layer_norm(x[0], x[1]); },
                     {norm_inputs[0], norm_inputs[1]}});
    cases.push_back({"layer_norm of a transposed view",
                     [](const Xs& x) { return layer_norm(transpose(x[0], 0, 2), x[1], x[2]); },
                     {sample({5, 3, 2}, -2, 2), norm_inputs[1], norm_inputs[2]}});
    cases.push_back({"batch_norm, each channel in long pieces",
                     [](const Xs& x) { return batch_norm(x[0], x[1], x[2]).y; },
                     {sample({2, 3, 19}, -2, 2), sample({3}, 0.5, 1.5, 2), sample({3}, -1, 1, 3)}});
    cases.push_back({"rms_norm with scale",
                     [](const Xs& x) { return rms_norm(x[0], x[1]); },
                     {norm_inputs[0], norm_inputs[1]}});
    cases.push_back({"rms_norm bare, of a transposed view",
                     [](const Xs& x) { return rms_norm(transpose(x[0])); },
                     {sample({4, 5}, -2, 2)}});
    return cases;
}

const bool added_indexing = add_cases(indexing);
const bool added_segments = add_cases(segments);
const bool added_fused = add_cases(fused);

}  // namespace
}  // namespace heed
