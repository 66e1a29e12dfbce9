// The figures of the windows of local attention, and the library's side of the numbers by hand.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lessons/course/course.h"

namespace heed::lesson12 {

// The source of the example: 나는 그 책 을 읽는다, "I read the book".
const std::vector<std::string>& example_words();

// Which words can reach the context of "read": global attention, local-m, and local-p with its
// centre on the verb.
std::vector<course::Diagram> window_diagrams();

// One step of Luong's decoder, without and with input feeding.
std::vector<course::Diagram> decoder_diagrams();

// The weight of word 5 of seven as the centre moves from 0 to 6, beside a Gaussian that is not cut
// off.
void show_edge(course::Lesson& lesson, const std::function<double(double)>& weight);

// The library's local-p with R = 2 for seven words with equal scores, its centre at p.
Tensor library_weights_of_seven(double p);

// The relative error of the derivatives of a context of local-p with respect to U and v, against
// finite differences.
double error_of_the_gradient(std::uint64_t seed);

}  // namespace heed::lesson12
