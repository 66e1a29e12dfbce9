// Reading tensors from a file in the safetensors format, which safetensors.h describes and writes.
//
// A file may come from anybody. What it says about sizes is compared with its own size before
// anything is allocated, and every error names the file and the tensor and field, or the byte:
//
//     weights.safetensors: 'x': data_offsets: expected 12 bytes for F32 of shape [3], found [0, 8]
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "autograd/base/input_file.h"
#include "nn/module/module.h"

namespace heed {

struct Safetensors {
    std::vector<Parameter> tensors;               // names and values
    std::map<std::string, std::string> metadata;  // anything else, as text

    const Tensor* find(const std::string& name) const;  // null if there is none of that name
};

// Reads F32 and F64; F16 and BF16 become float32, I64 (PyTorch's counters) float64. Throws
// InputError when the file is missing, incomplete, or not in this format, and for an I64 that
// float64 cannot hold.
Safetensors load_safetensors(const std::string& path);
// A model in several files: the names of the files stand in "weight_map" of `path`, as in
// model.safetensors.index.json, and the files beside it. Throws InputError for a tensor that is not
// where it should be, too.
Safetensors load_safetensors_index(const std::string& path);
// The same from bytes in memory; errors call them `name`.
Safetensors parse_safetensors(std::string_view bytes, const std::string& name);

}  // namespace heed
