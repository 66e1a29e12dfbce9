// Models of PyTorch in, ours out. What `safetensors.torch.save_file(module.state_dict(), path)`
// wrote is read into the like model here, and what is written here PyTorch loads with
// `module.load_state_dict(safetensors.torch.load_file(path))`.
//
//     TransformerEncoder encoder({.width = 64, .heads = 4, .layers = 2, .final_norm = true}, rng);
//     load_pytorch(encoder, "encoder.safetensors");
//     save_pytorch(encoder, "ours.safetensors");
//
//     ours                              torch.nn
//     MultiHead                         MultiheadAttention        (kdim, vdim too)
//     TransformerEncoderLayer           TransformerEncoderLayer   (norm_first = pre_norm)
//     TransformerDecoderLayer           TransformerDecoderLayer
//     TransformerEncoder, ...Decoder    TransformerEncoder, ...Decoder
//     Rnn, Gru, Lstm                    RNN, GRU, LSTM            (batch_first)
//     Linear, Embedding, LayerNorm      the same
//
// and any model made of these, when its members have the same names. All weights are [out, in]
// there as here, so nothing is transposed; but PyTorch keeps the projections of query, key and
// value in one matrix, one above the other. The number of heads is in no file. Left out: bias_k,
// bias_v, add_zero_attn, and the layers of the likes of torchvision.
#pragma once

#include <string>
#include <vector>

#include "nn/saved/safetensors.h"

namespace heed {

// A tensor of ours under the names of PyTorch: the whole, or part of `parts` along the first axis.
struct PytorchName {
    std::string name;
    int part = 0, parts = 1;
};
// Of every name in a model, whose all names decide: what stands beside a parameter says to what
// kind of layer it belongs.
std::vector<PytorchName> pytorch_names(const std::vector<Parameter>& all);

// Parameters under our names as a state_dict, and back. from_pytorch() throws when a tensor that
// must be divided cannot be; names it does not know stay, for assign_from() to complain of.
Safetensors to_pytorch(const std::vector<Parameter>& all);
Safetensors from_pytorch(const Safetensors& file, const std::string& path,
                         const std::vector<Parameter>& all);

template <Module M>
std::vector<Parameter> named_parameters(M& model) {
    std::vector<Parameter> all;
    for_each_parameter(model, [&](const std::string& name, const Tensor& x) {
        all.push_back({name, x});
    });
    return all;
}

// Fills the parameters of the model. Throws, having changed nothing, when names or shapes differ.
template <Module M>
void load_pytorch(M& model, const std::string& path) {
    const std::vector<Parameter> all = named_parameters(model);
    assign_from(from_pytorch(load_safetensors(path), path, all), path, all);
}

template <Module M>
void save_pytorch(const M& model, const std::string& path) {
    save_safetensors(path, to_pytorch(named_parameters(model)));
}

}  // namespace heed
