// IDX files, the format of the MNIST digits (LeCun, Cortes, Burges 1998): two bytes 0, a byte for
// the type (8: unsigned bytes), a byte for the number of axes, their sizes as big-endian 32-bit
// integers, then the numbers row by row. The file may be gzipped, in one member or several; its first
// two bytes show that.
//
//     const Images digits = read_digits("mnist", "train");
//
// An error message names the file and the byte and says what was expected there. In a gzipped file,
// bytes are counted after unpacking.
//
//     t10k-labels-idx1-ubyte.gz: byte 17 (unpacked): expected a label from 0 to 9, found 12
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lessons/material/read/images.h"

namespace heed::course {

struct Idx {
    std::vector<std::int64_t> sizes;  // of the axes
    std::vector<unsigned char> values;
    std::int64_t start = 0;  // the index of the first byte of the values
    bool packed = false;
};

// The most values of a file: 342,000 pictures of 28 x 28.
inline constexpr std::size_t most_idx_values = std::size_t{1} << 28;

// Throws InputError unless the file is a complete IDX file of unsigned bytes with this number of
// axes, none of them of size 0, and at most most_idx_values values. parse_idx() reads bytes in
// memory, which errors call `name`.
Idx parse_idx(std::string_view bytes, const std::string& name, int axes);
Idx read_idx(const std::string& path, int axes);

// The images and labels of the set "train" or "t10k", from a folder with the files as published:
// train-images-idx3-ubyte, train-labels-idx1-ubyte, with or without .gz. Pixels 0 to 1, labels 0 to
// 9. Throws InputError, also for pictures with fewer than `smallest` rows or columns.
Images read_digits(const std::string& folder, const std::string& set, int smallest = 1);

}  // namespace heed::course
