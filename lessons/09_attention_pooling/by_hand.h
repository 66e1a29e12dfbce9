// The numbers worked by hand in lesson 09: three words with vectors of width 2, and three points of
// a kernel regression.
#pragma once

#include <vector>

#include "lessons/course/course.h"

// The words so, the, thunder; with W the identity and b = 0.
heed::Tensor three_words();    // [3, 2]
heed::Tensor query_by_hand();  // [2]

// How the context of the three words is computed, with all numbers.
heed::course::Diagram pooling_diagram(const heed::Tensor& scores, const heed::Tensor& weights,
                                      const heed::Tensor& context);

// Vector, score and weight of each word.
void show_three_words(heed::course::Lesson& lesson, const heed::Tensor& scores,
                      const heed::Tensor& weights, const heed::Tensor& context);

// How the weight of one word with a large score falls when words with the score 0 are added.
void show_dilution(heed::course::Lesson& lesson, double score);

// The estimate at 0.5 from three points, with kernels of three widths.
void show_three_points(heed::course::Lesson& lesson);
