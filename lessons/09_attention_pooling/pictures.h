// The numbers worked by hand: three words with vectors of width 2, and three points of a kernel
// regression.
#pragma once

#include <vector>

#include "autograd/tensor/tensor.h"
#include "lessons/course/course.h"

namespace heed::lesson09 {

// The words so, the, thunder; with W the identity and b = 0.
Tensor three_words();    // [3, 2]
Tensor query_by_hand();  // [2]

// How the context of the three words is computed, with all numbers.
course::Diagram pooling_diagram(const Tensor& scores, const Tensor& weights, const Tensor& context);

// Vector, score and weight of each word.
void show_three_words(course::Lesson& lesson, const Tensor& scores, const Tensor& weights,
                      const Tensor& context);

// How the weight of one word with a large score falls when words with the score 0 are added.
void show_dilution(course::Lesson& lesson, double score);

// The estimate at 0.5 from three points, with kernels of three widths.
void show_three_points(course::Lesson& lesson);

}  // namespace heed::lesson09
