// Tensors in a file, in the format of Hugging Face's safetensors: eight bytes with the length of a
// header, the header in JSON (name, dtype, shape and place of every tensor, and a map of texts),
// the numbers. Python's `safetensors` reads what is written here, and what PyTorch saved is read.
//
// Every error names the file, and the tensor if there is one.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "nn/module/module.h"

namespace heed {

struct Safetensors {
    std::vector<Parameter> tensors;               // names and contents
    std::map<std::string, std::string> metadata;  // whatever else belongs to the file

    const Tensor* find(const std::string& name) const;  // null if there is none of that name
};

// Writes float32 as F32, float64 as F64, first into `path`.tmp, which then takes the name: a
// program that dies half-way leaves the old file whole. Throws when it cannot, or for two tensors
// of one name.
void save_safetensors(const std::string& path, const Safetensors& file);

// Reads F32 and F64; F16 and BF16 into float32; I64 (PyTorch's counters) into float64. Throws when the file is not there, cut short,
// or not in the format.
Safetensors load_safetensors(const std::string& path);

// Copies the tensors of the file into the given ones of the same names, converted to their dtype.
// The same tensor may be given under several names (tied weights): one of them suffices. Throws,
// having changed nothing, when a name is missing on either side or a shape differs:
//     weights.safetensors: 'encoder.weight_ih_l0': expected shape [192, 64], found [96, 32]
void assign_from(const Safetensors& file, const std::string& path,
                 const std::vector<Parameter>& targets);

// From the name of a parameter in the model to its name in the file.
using NameInFile = std::function<std::string(const std::string&)>;

// All parameters and buffers of a model, under their names. Tied tensors are written once.
template <Module M>
void save_model(const M& model, const std::string& path,
                const std::map<std::string, std::string>& metadata = {},
                const NameInFile& name_in_file = {}) {
    std::vector<Parameter> all = saved_tensors(model);
    for (Parameter& p : all)
        if (name_in_file) p.name = name_in_file(p.name);
    save_safetensors(path, {std::move(all), metadata});
}

// Fills the parameters and buffers of a model of the same shape; see assign_from() for what is refused. Returns
// the metadata.
template <Module M>
std::map<std::string, std::string> load_model(M& model, const std::string& path,
                                              const NameInFile& name_in_file = {}) {
    Safetensors file = load_safetensors(path);
    std::vector<Parameter> all;
    for_each_tensor(model, [&](const std::string& name, Tensor& x) {
        all.push_back({name_in_file ? name_in_file(name) : name, x});
    });
    assign_from(file, path, all);
    return std::move(file.metadata);
}

}  // namespace heed
