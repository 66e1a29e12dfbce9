// IDX files, the format of the MNIST digits (LeCun, Cortes, Burges 1998): two bytes 0, a byte for
// the type (8: unsigned bytes), a byte for the number of axes, their sizes as big-endian 32-bit
// integers, then the numbers row by row. Gzipped or not: that is seen from the first two bytes.
//
//     const Images digits = read_digits("mnist", "train");
//
// Whatever is wrong with a file is said by its name and byte, with what was expected there; of a
// gzipped one the bytes are counted after unpacking.
//
//     t10k-labels-idx1-ubyte.gz: byte 17 (unpacked): expected a label from 0 to 9, found 12
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lessons/course/read/images.h"

namespace heed::course {

struct Idx {
    std::vector<std::int64_t> sizes;  // of the axes
    std::vector<unsigned char> values;
    std::int64_t start = 0;  // the byte of the file at which the values begin
    bool packed = false;
};

// Throws InputError for anything but a whole IDX file of unsigned bytes with so many axes, none of
// size 0 and with at most 2³⁰ values.
Idx read_idx(const std::string& path, int axes);

// The images and labels of a part, "train" or "t10k", in a folder with the files as published:
// train-images-idx3-ubyte, train-labels-idx1-ubyte, with or without .gz. Pixels 0 to 1, labels 0 to
// 9. Throws InputError.
Images read_digits(const std::string& folder, const std::string& part);

}  // namespace heed::course
