// What the lesson shows of memory: a sentence as a table and as a row, views as maps of positions, and the
// bytes they take.
#pragma once

#include <string>
#include <vector>

#include "autograd/tensor/tensor.h"
#include "lessons/course/course.h"

namespace heed::lesson01 {

// The three words as a table, and the same numbers in the order of memory. The second number of the second
// word is outlined in both.
std::vector<course::HeatMap> table_and_memory(const Tensor& words);

// A map of a tensor whose numbers are their own positions in memory.
course::HeatMap map_of(const std::string& title, const Tensor& x);

// The bytes that a transpose of a tensor of a million numbers takes, that two views take together, and
// that a copy takes.
struct ByteCount {
    double transpose, views, copy;
};
ByteCount show_bytes(course::AtCall lesson, const Tensor& big);

}  // namespace heed::lesson01
