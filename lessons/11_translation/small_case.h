// The example that lesson 11 works by hand: three annotations of width 2 and one state of the
// decoder.
#pragma once

#include <vector>

#include "attention/scores/score.h"
#include "lessons/course/course.h"

struct SmallCase {
    heed::AdditiveScore score;  // W and U leave every vector as it is, v = (3, 3)
    heed::Tensor s;             // [2], the state of the decoder
    heed::Tensor h;             // [3, 2], the annotations of 나는, 학생 and 이다
};
SmallCase small_case();

// Shows the scores, these weights and the context as a table.
void show_small_case(heed::course::Lesson& lesson, const SmallCase& small,
                     const heed::Tensor& weights);

// Shows the derivatives of the loss with respect to weights and scores, when all weights are 1/3
// and the derivative with respect to the context is (-1, -1). Returns the largest difference of the
// scores' derivatives from those in the text.
double show_small_gradient(heed::course::Lesson& lesson, const SmallCase& small);

// A decoder with a fixed context, and one with attention, at the step that writes "am".
std::vector<heed::course::Diagram> architectures();

double bleu_of_the_example();   // of the one output in the text
double error_of_the_example();  // the alignment error rate of "word t belongs to word t"
