// What lesson 01 shows of memory: views as maps of positions, the bytes they take, and the cache lines
// that a loop uses.
#pragma once

#include <string>
#include <vector>

#include "autograd/tensor/tensor.h"
#include "lessons/course/course.h"

// A map of a tensor whose numbers are their own positions in memory.
heed::course::HeatMap map_of(const std::string& title, const heed::Tensor& x);

// The bytes that a transpose of a tensor of a million numbers takes, that two views take together, and
// that a copy takes.
struct ByteCount {
    double transpose, views, copy;
};
ByteCount show_bytes(heed::course::Lesson& lesson, const heed::Tensor& big);

// The part of A, B and C, 16 x 16 each, that 16 steps of a loop along k or along j use: 1 for a
// number that is used, 0.35 for one that is only in the same cache line.
std::vector<heed::course::HeatMap> lines_along_k();
std::vector<heed::course::HeatMap> lines_along_j();
