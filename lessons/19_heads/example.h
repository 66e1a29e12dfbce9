// The sentence of two names with which lesson 19 begins, in numbers that can be checked on paper.
#pragma once

#include <string>

#include "lessons/course/course.h"

namespace heed::lesson19 {

Tensor verb();                     // the query of the verb, [1, 4]
Tensor keys(bool ada_helped_ben);  // of Ada and of Ben, [2, 4]: the role decides
Tensor values();                   // of Ada and of Ben, [2, 4]: the name decides

std::string in_brackets(const Tensor& x);  // "(0.944, 0.056)"
double largest_difference(const Tensor& a, const Tensor& b);

// Multi-head attention with two heads: split, attend, concatenate, project.
course::Diagram multi_head_diagram();

}  // namespace heed::lesson19
