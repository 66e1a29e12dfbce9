// The numbers of lesson 15 as tables, maps and tensors.
#pragma once

#include <string>
#include <vector>

#include "autograd/tensor/tensor.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson15 {

using Row = std::vector<double>;
using Matrix = std::vector<Row>;

// What attention computes, row by row: [Q, K], [Q, K], [Q, width of the values].
struct ByHand {
    Row scores, weights, contexts;
};

Tensor as_tensor(const Matrix& rows);  // in float64
// The largest difference, element by element; of two results in weights and contexts.
double apart(const Row& a, const Row& b);
double apart(const ByHand& a, const ByHand& b);
// Of a square matrix, row by row: the largest difference to its transpose.
double asymmetry(const Row& matrix);

// Its weights, with the scores behind them.
course::HeatMap map_of(const std::string& title, const std::vector<std::string>& tokens,
                       const ByHand& attended);
// Two tables: query, key, value of every token; its scores, weights, context.
void show_tables(course::Lesson& lesson, const std::vector<std::string>& tokens, const Matrix& q,
                 const Matrix& k, const Matrix& v, const ByHand& attended);

}  // namespace heed::lesson15
