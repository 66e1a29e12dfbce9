// The small cases of lesson {positions} as tables and pictures.
#pragma once

#include <vector>

#include "autograd/tensor/tensor.h"
#include "lessons/course/course.h"

namespace heed::lesson20 {

// A word at places 1 and 4 of a sentence, as the hand of a clock: rotated by an angle for each place.
course::Arrows one_word_at_two_places();

// Vectors of positions [T, 4], one a row.
void show_vectors(course::AtCall lesson, const Tensor& vectors);
// What ALiBi adds to the scores of one query [K], and the weights of keys with equal scores.
void show_penalties(course::AtCall lesson, const Tensor& bias);

// The sinusoidal positions of a width as a map.
course::HeatMap sinusoidal_map(int positions, int width);
// A query and a key, rotated by 30 degrees for each position: at the positions 3 and 1, and at 5 and 3.
std::vector<course::Arrows> rotation_picture();

}  // namespace heed::lesson20
