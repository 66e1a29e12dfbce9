// What the lesson shows of memory: views as maps of positions, the bytes they take, and the cache
// lines that a loop uses.
#pragma once

#include <string>
#include <vector>

#include "autograd/tensor/tensor.h"
#include "lessons/course/course.h"

namespace heed::lesson01 {

// A map of a tensor whose numbers are their own positions in memory.
course::HeatMap map_of(const std::string& title, const Tensor& x);

// The bytes that a transpose of a tensor of a million numbers takes, that two views take together, and
// that a copy takes.
struct ByteCount {
    double transpose, views, copy;
};
ByteCount show_bytes(course::Lesson& lesson, const Tensor& big);

// The part of A, B and C, 16 x 16 each, that 16 steps of a loop along k or along j use: 1 for a
// number that is used, 0.35 for one that is only in the same cache line.
std::vector<course::HeatMap> lines_along_k();
std::vector<course::HeatMap> lines_along_j();

}  // namespace heed::lesson01
