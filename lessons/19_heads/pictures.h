// The sentence of two names with which the lesson begins, in numbers that can be checked on paper,
// and the figures of the experiments.
#pragma once

#include <string>
#include <vector>

#include "lessons/19_heads/experiment.h"
#include "lessons/course/course.h"

namespace heed::lesson19 {

// --- the example by hand ------------------------------------------------------------------------

Tensor verb();                     // the query of the verb, [1, 4]
Tensor keys(bool ada_helped_ben);  // of Ada and of Ben, [2, 4]: the role decides
Tensor values();                   // of Ada and of Ben, [2, 4]: the name decides

std::string in_brackets(const Tensor& x);  // "(0.944, 0.056)"
double largest_difference(const Tensor& a, const Tensor& b);

// Multi-head attention with two heads: split, attend, concatenate, project.
course::Diagram multi_head_diagram();
// What the verb looks at in "helped Ada-who Ben-whom" with one head, and with two.
course::ShadedText heads_that_look();

// --- results ------------------------------------------------------------------------------------

// The weights of the verb in the best run of one head, two heads, and one head with a hidden layer.
void show_weights(course::AtCall lesson, const std::vector<Kind>& kinds,
                  const std::vector<std::vector<Trained>>& runs);

// The accuracy for each role with both heads, without the first, and without the second.
void show_ablation(course::AtCall lesson, const std::vector<double>& with_both,
                   const std::vector<std::vector<double>>& without);

}  // namespace heed::lesson19
