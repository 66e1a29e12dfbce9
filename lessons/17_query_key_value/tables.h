// Helpers of lesson 17 that compare its matrices and show them as tables and maps.
#pragma once

#include <string>
#include <vector>

#include "autograd/tensor/tensor.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson17 {

using Row = std::vector<double>;
using Matrix = std::vector<Row>;

// What attention computes, row by row: [Q, K], [Q, K], [Q, width of the values].
struct ByHand {
    Row scores, weights, contexts;
};

Tensor as_tensor(const Matrix& rows);  // in float64
// The largest absolute difference of two elements; of two results: in weights and contexts.
double difference(const Row& a, const Row& b);
double difference(const ByHand& a, const ByHand& b);
// The largest difference between a square matrix (given row by row) and its transpose.
double asymmetry(const Row& matrix);

// A map of the weights, with the scores.
course::HeatMap map_of(const std::string& title, const std::vector<std::string>& tokens,
                       const ByHand& attention);
// Shows two tables: the query, key and value of every token; and its scores, weights and context.
void show_tables(course::Lesson& lesson, const std::vector<std::string>& tokens, const Matrix& q,
                 const Matrix& k, const Matrix& v, const ByHand& attention);

}  // namespace heed::lesson17
