// What the text shows: the weights of the three words, the picture of a trained translator, and the road.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "autograd/tensor/tensor.h"
#include "lessons/course/figures/diagram.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson00 {

using Row = std::vector<double>;

double dot(const Row& a, const Row& b);
Tensor as_tensor(const std::vector<Row>& rows);  // in float64
// The largest absolute difference of two elements.
double difference(const Row& a, const Row& b);

// What the translator of lesson {translation} looked at before each word of "I am a student": the weights of 나는,
// 학생, 이다. They are those of the first picture of its run with seed 1.
struct Alignment {
    std::vector<std::string> written, source;
    std::vector<Row> weights;                  // a row for each written word
    std::vector<std::pair<int, int>> partner;  // written word and source word that belong together
};
const Alignment& alignment();

void show_weights(course::AtCall lesson, const std::vector<std::string>& names, const Row& weights);
void show_alignment(course::AtCall lesson);
course::Diagram road();

}  // namespace heed::lesson00
