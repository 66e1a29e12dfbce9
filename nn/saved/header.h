// The header of a safetensors file: a JSON object with one entry for each tensor, and a map of
// strings.
//
//     {"__metadata__": {"seed": "1"}, "x": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}
//
// The file may come from anybody. The header is read as a stream of tokens (nlohmann-json's SAX
// parser) and not as a tree: the reader knows at each token what may come next, so nothing can be
// nested deeper than the format is, no name can occur twice, and no message contains more than the
// first characters of what was found.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "autograd/base/shape.h"

namespace heed {

// The length of the header stands before it, as a number of this many bytes.
inline constexpr std::uint64_t header_length_bytes = 8;

struct TensorEntry {
    std::string name, dtype;
    Shape shape;
    std::uint64_t begin = 0, end = 0;  // byte offsets into the data after the header
};

struct SafetensorsHeader {
    std::vector<TensorEntry> tensors;  // in the order of their data
    std::map<std::string, std::string> metadata;
};

// Bytes per number in the file; 0 for a dtype that heed does not read.
std::uint64_t width_of_dtype(std::string_view dtype);

// Throws InputError, with the name of the file and the field, unless the header is complete and its
// tensors fill the data, `data_bytes` long, without gaps or overlaps.
SafetensorsHeader parse_header(std::string_view json, std::uint64_t data_bytes,
                               const std::string& path);

}  // namespace heed
