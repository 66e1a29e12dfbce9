// What the lesson shows: the way from logits to the loss as a diagram, the loss as a curve, softmax at six
// temperatures, and two tables.
#pragma once

#include <string>
#include <vector>

#include "lessons/course/figures/diagram.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson05 {

double largest_gap(const std::vector<double>& a, const std::vector<double>& b);

// `p` is the softmax of the logits, and `y` the index of the word that came.
course::Diagram from_logits_to_loss(const std::vector<std::string>& words,
                                    const std::vector<double>& logits, const std::vector<double>& p,
                                    int y);

// -ln p with a point for the first word and one for the last.
course::Arrows curve_of_surprise(const std::vector<std::string>& words,
                                 const std::vector<double>& p);

// The logits beside the shares that softmax makes of them.
course::BarChart numbers_and_shares(const std::vector<std::string>& words,
                                    const std::vector<double>& logits);
void show_temperatures(course::AtCall lesson, const std::vector<std::string>& words,
                       const std::vector<double>& logits);
void show_overflow(course::AtCall lesson, const std::vector<double>& by_formula,
                   const std::vector<double>& shifted);
// Gradients by hand, by tape, by differences and by the library.
void show_gradients(course::AtCall lesson, const std::vector<std::string>& words,
                    const std::vector<std::vector<double>>& gradients);

}  // namespace heed::lesson05
