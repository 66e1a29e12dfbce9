// Tensors in a file, in the safetensors format of Hugging Face: eight bytes with the length of a
// header, the header in JSON (for every tensor its name, dtype, shape and byte offsets, and a map
// of strings), then the numbers. Python's `safetensors` package reads the files written here, and
// files saved from PyTorch can be read here.
//
// The header is parsed (header.h) and written with nlohmann-json. It is used only in .cpp files, so
// programs that use the libraries do not need it. Every error names the file, and the tensor if
// there is one. reader.h says how files are read that may come from anybody.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "nn/module/module.h"
#include "nn/saved/reader.h"

namespace heed {

// Writes float32 as F32 and float64 as F64. At any moment there is the whole old file or the whole
// new one (whole_file.h). Throws when the file cannot be written, and when two tensors have the same
// name.
void save_safetensors(const std::string& path, const Safetensors& file);

// Which numbers are accepted from a file. A model that diverged holds NaN and infinities, and a
// number as large as 3e38 becomes an infinity at the first product. `finite` accepts only numbers
// whose squares are finite in the dtype of the model, and names the tensor and the element
// otherwise.
enum class Numbers { finite, any };

// Copies the tensors of the file into the targets of the same names, converted to their dtype. A
// tensor that the model has under several names (tied weights) needs only one of them in the file.
// Throws when a name is missing on either side or a shape differs, and then changes nothing:
//     weights.safetensors: 'encoder.weight_ih_l0': expected shape [192, 64], found [96, 32]
void assign_from(const Safetensors& file, const std::string& path,
                 const std::vector<Parameter>& targets, Numbers numbers = Numbers::any);

// Throws if the file lacks a name of the model, or has one that the model does not.
void check_names(const std::string& path, const std::vector<std::string>& missing,
                 const std::vector<std::string>& unexpected);

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
// refused. Numbers that are not finite are refused too, unless `numbers` is Numbers::any. Returns
// the metadata.
template <Module M>
std::map<std::string, std::string> load_model(M& model, const std::string& path,
                                              const NameInFile& name_in_file = {},
                                              Numbers numbers = Numbers::finite) {
    Safetensors file = load_safetensors(path);
    std::vector<Parameter> all;
    for_each_tensor(model, [&](const std::string& name, Tensor& x) {
        all.push_back({name_in_file ? name_in_file(name) : name, x});
    });
    assign_from(file, path, all, numbers);
    return std::move(file.metadata);
}

}  // namespace heed
