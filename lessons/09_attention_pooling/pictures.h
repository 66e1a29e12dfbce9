// The numbers worked by hand: our three words with vectors of width 2.
#pragma once

#include "autograd/tensor/tensor.h"
#include "lessons/course/course.h"

namespace heed::lesson09 {

// The words 나는, 학생 and 이다, and the query that asks for no person but a verb; with W the identity
// and b = 0.
Tensor three_words();    // [3, 2]
Tensor query_by_hand();  // [2]

// How the context of the three words is computed, with all numbers.
course::Diagram pooling_diagram();

// Vector, score and weight of each word.
void show_three_words(course::AtCall lesson, const Tensor& scores, const Tensor& weights,
                      const Tensor& context);

// How the weight of one word with a large score falls when words with the score 0 are added.
void show_dilution(course::AtCall lesson, double score);

}  // namespace heed::lesson09
