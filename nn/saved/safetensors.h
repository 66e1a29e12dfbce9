// Tensors in a file, in the safetensors format of Hugging Face: eight bytes with the length of a
// header, the header in JSON (for every tensor its name, dtype, shape and byte offsets, and a map
// of strings), then the numbers. Python's `safetensors` package reads the files written here, and
// files saved from PyTorch can be read here.
//
// The header is parsed and written with nlohmann-json. It is used only in safetensors.cpp and
// appears in no header, so programs that use the libraries do not need it.
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
    std::vector<Parameter> tensors;               // names and values
    std::map<std::string, std::string> metadata;  // anything else, as text

    const Tensor* find(const std::string& name) const;  // null if there is none of that name
};

// Writes float32 as F32 and float64 as F64. At any moment there is the whole old file or the whole
// new one (whole_file.h). Throws when the file cannot be written, and when two tensors have the same
// name.
void save_safetensors(const std::string& path, const Safetensors& file);

// Reads F32 and F64; F16 and BF16 become float32, I64 (PyTorch's counters) float64. Throws when the
// file is missing, incomplete, or not in this format.
Safetensors load_safetensors(const std::string& path);

// Copies the tensors of the file into the targets of the same names, converted to their dtype. A
// tensor that the model has under several names (tied weights) needs only one of them in the file.
// Throws when a name is missing on either side or a shape differs, and then changes nothing:
//     weights.safetensors: 'encoder.weight_ih_l0': expected shape [192, 64], found [96, 32]
void assign_from(const Safetensors& file, const std::string& path,
                 const std::vector<Parameter>& targets);

// Maps the name of a parameter in the model to its name in the file.
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

// Fills the parameters and buffers of a model from a file; assign_from() above says what is
// refused. Returns the metadata.
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
