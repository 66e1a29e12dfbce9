// The Transformers whose gradients are checked. A test checks that a wrong copy of each of them, whose
// encoder gets no gradient, is found.
#pragma once

#include <string>
#include <vector>

#include "attention/transformer/transformer.h"
#include "tests/gradcheck/modules.h"

namespace heed {

struct TransformerShape {
    std::string name;
    TransformerModelOptions options;

    // At width 2 the output of a layer norm is ±1 whatever its input, and next to no gradient passes:
    // no width below 4. Weights are drawn at random, so that the rows that are normalised differ.
    Transformer model() const {
        Rng rng(41);
        return scattered(Transformer(options, rng));
    }
};

inline std::vector<TransformerShape> transformer_shapes() {
    std::vector<TransformerShape> shapes;
    for (int64_t width : {4, 6})
        for (bool pre_norm : {false, true})
            for (bool shared : {false, true})
                shapes.push_back(
                    {fmt::format("{}, width {}, {}", shared ? "one table" : "three tables", width,
                                 pre_norm ? "pre-norm" : "post-norm"),
                     {.source_vocabulary = 5,
                      .target_vocabulary = 5,
                      .stack = {.width = width,
                                .heads = 2,
                                .layers = 1,
                                .hidden = 3,
                                .pre_norm = pre_norm,
                                .activation = Activation::gelu},
                      .tied_output = shared,
                      .shared_embedding = shared}});
    return shapes;
}

}  // namespace heed
