#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    Rng rng(4);
    const int64_t B = 3, T = 4, D = 6, H = 3;
    MultiHead layer({.width = D, .heads = H}, rng);
    to_dtype(layer, Dtype::float64);
    const Tensor x = normal({B, T, D}, 0, 1, rng, Dtype::float64),
                 other = normal({B, T, D}, 0, 1, rng, Dtype::float64);
    // Without hooks: the heads one by one, and what each adds.
    const auto outputs = [&](const Tensor& of) {  // [B, H, T, w]
        return layer.contexts(layer.split_heads(layer.query(of)), layer.split_heads(layer.key(of)),
                              layer.split_heads(layer.value(of)), {.causal = true});
    };
    const auto only = [&](int64_t head) {
        return reshape(one_hot(Indices({static_cast<int>(head)}, {1}), H, Dtype::float64),
                       {1, H, 1, 1});
    };
    const auto layer_of = [&](const Tensor& z) { return layer.output(layer.join_heads(z)); };
    const auto with = [&](int64_t head, const Tensor& instead) {
        const Tensor z = outputs(x);
        return layer_of(z + only(head) * (instead - z));
    };
    const Tensor z = outputs(x), none = zeros_like(z), whole = layer_of(z);
    for (const int64_t head : {0, 2})
        judge.equal(
            fmt::format("three heads, head {} replaced by 0", head),
            [&, head] { return my_zeroed(layer, x, head); }, with(head, none),
            {.formula = "z with z[:, head] = 0, then W_O",
             .mistakes = {{"nothing was replaced", whole},
                          {"this keeps the head and replaces all others", layer_of(only(head) * z)},
                          {"all heads were replaced", layer_of(none)}}});
    const Tensor over_batch = expand(mean(z, 0, true), z.shape()),
                 over_all = expand(mean(z, {0, 2}, true), z.shape());
    judge.given({{"x", x}});
    judge.equal("head 1 replaced by its mean", [&] { return my_mean(layer, x, 1); },
                with(1, over_batch),
                {.mistakes = {
                     {"the mean is over the batch, not over the positions, too", with(1, over_all)},
                     {"the mean of this head, not that of all heads",
                      with(1, expand(mean(z, {0, 1}, true), z.shape()))},
                     {"all heads were replaced", layer_of(over_batch)}}});
    judge.given({{"other", other}});
    judge.equal("head 1 replaced by what it computes for another batch",
                [&] { return my_swapped(layer, x, other, 1); }, with(1, outputs(other)),
                {.mistakes = {{"all heads were replaced", layer_of(outputs(other))},
                              {"nothing was replaced", whole}}});
    judge.equal(
        "the layer is as it was", [&] { return layer(x, x, x, {.causal = true}); }, whole);
}
