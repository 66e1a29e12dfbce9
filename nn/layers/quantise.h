// The weights of a model's Linear layers in 8 or 4 bits, for decoding (ops/product/quantised_matrix.h).
//
//     LanguageModel small = model;             // shares its parameters
//     quantise(small, {.bits = 8});            // small has weights of its own now; model keeps its own
//     greedy_decode(small.decodable(prompt));
//
// All that is not the weight of a Linear stays as it is: biases, norms, and the table of an Embedding,
// of which a step reads one row. Where this table is the head's weight too, the head gets a quantised
// copy.
#pragma once

#include "nn/layers/linear.h"
#include "nn/module/module.h"

namespace heed {

struct QuantiseOptions {
    int bits = 8;          // 8 or 4
    bool minimum = false;  // with 4 bits: a group has a minimum beside its scale, q4_1 for q4_0
};
// Throws for other bits, and for a minimum with 8.
BlockFormat block_format(const QuantiseOptions& options);

// Throws for a weight whose In is no multiple of 32, and if there is nothing to quantise.
template <Module M>
void quantise(M& model, const QuantiseOptions& options = {}) {
    const BlockFormat format = block_format(options);
    int count = 0;
    for_each_layer<Linear>(model, [&](const std::string& name, Linear& layer) {
        if (!layer.weight.defined()) return;
        if (const int64_t in = layer.in_features(); in % block_weights != 0)
            fail(
                "quantise: '{}' takes {} features; {} weights share a scale, and a row is whole groups",
                name, in, block_weights);
        layer.quantised = quantise(layer.weight, format);
        layer.weight = Tensor();
        ++count;
    });
    check(count > 0, "quantise: the model has no Linear layer with a weight of floats");
}

// How many bytes of weights a step of decoding reads: those of all Linear layers, quantised or not.
template <Module M>
int64_t bytes_of_linear_weights(M& model) {
    int64_t bytes = 0;
    for_each_layer<Linear>(model, [&](const std::string&, Linear& layer) {
        if (layer.quantised.defined())
            bytes += layer.quantised.bytes();
        else if (layer.weight.defined())
            bytes += layer.weight.numel() * (layer.dtype() == Dtype::float32 ? 4 : 8);
    });
    return bytes;
}

}  // namespace heed
