// Load PyTorch weights into heed, and save heed weights for PyTorch. In PyTorch the files are saved
// with `safetensors.torch.save_file(module.state_dict(), path)` and loaded with
// `module.load_state_dict(safetensors.torch.load_file(path))`.
//
//     TransformerEncoder encoder({.width = 64, .heads = 4, .layers = 2, .final_norm = true}, rng);
//     load_pytorch(encoder, "encoder.safetensors");
//     save_pytorch(encoder, "ours.safetensors");
//
//     heed                              torch.nn
//     MultiHead                         MultiheadAttention        (kdim, vdim too)
//     TransformerEncoderLayer           TransformerEncoderLayer   (norm_first = pre_norm)
//     TransformerDecoderLayer           TransformerDecoderLayer
//     TransformerEncoder, ...Decoder    TransformerEncoder, ...Decoder
//     Rnn, Gru, Lstm                    RNN, GRU, LSTM            (batch_first)
//     Linear, Embedding, LayerNorm      the same
//
// and any model made of these, if its members have the same names. In both libraries weights are
// [out, in], so nothing is transposed. PyTorch keeps the projections of query, key and value in one
// matrix, one below the other. The number of heads is not in the file. Not supported: bias_k,
// bias_v, add_zero_attn.
#pragma once

#include <string>
#include <vector>

#include "nn/saved/safetensors.h"

namespace heed {

// The name of a parameter in PyTorch. It is all of that tensor, or part number `part` of `parts`
// along the first axis.
struct PytorchName {
    std::string name;
    int part = 0, parts = 1;
};
// The PyTorch name of each parameter of a model. Which kind of layer a parameter belongs to is seen
// from the other names in the model.
std::vector<PytorchName> pytorch_names(const std::vector<Parameter>& all);

// Parameters with heed's names as a state_dict, and back. from_pytorch() throws, with PyTorch's
// names, when tensors are missing or left over, have another shape, or cannot be divided into parts.
Safetensors to_pytorch(const std::vector<Parameter>& all);
Safetensors from_pytorch(const Safetensors& file, const std::string& path,
                         const std::vector<Parameter>& all);
// The same with the names of a model published under other ones, such as bert_names(): one for each
// parameter.
Safetensors to_pytorch(const std::vector<Parameter>& all, const std::vector<PytorchName>& names);
Safetensors from_pytorch(const Safetensors& file, const std::string& path,
                         const std::vector<Parameter>& all, const std::vector<PytorchName>& names);

template <Module M>
std::vector<Parameter> named_parameters(M& model) {
    std::vector<Parameter> all;
    for_each_parameter(model, [&](const std::string& name, const Tensor& x) {
        all.push_back({name, x});
    });
    return all;
}

// Fills the parameters of the model. Throws, having changed nothing, when names or shapes differ, or
// when numbers are not finite and `numbers` does not allow them.
template <Module M>
void load_pytorch(M& model, const std::string& path, Numbers numbers = Numbers::finite) {
    const std::vector<Parameter> all = named_parameters(model);
    assign_from(from_pytorch(load_safetensors(path), path, all), path, all, numbers);
}

template <Module M>
void save_pytorch(const M& model, const std::string& path) {
    save_safetensors(path, to_pytorch(named_parameters(model)));
}

}  // namespace heed
