// The results of the lesson as tables, maps and a diagram.
#pragma once

#include <string>
#include <vector>

#include "lessons/17_query_key_value/experiment.h"
#include "lessons/17_query_key_value/model.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson17 {

// Our three words of lesson {attention} before and after each has taken the mean of all, with the softmax of the
// dot products as weights.
course::Arrows words_that_look();

// A map of the weights, with the scores.
course::HeatMap map_of(const std::string& title, const std::vector<std::string>& tokens,
                       const ByHand& attention);

// A table with the scores, the weights and the context of every token.
void show_results(course::AtCall lesson, const std::vector<std::string>& tokens,
                  const ByHand& attention, const std::string& caption);
// A table with the query, key and value of every token, and one with the results.
void show_tables(course::AtCall lesson, const std::vector<std::string>& tokens, const Matrix& q,
                 const Matrix& k, const Matrix& v, const ByHand& attention);

// How the context of one token is computed, with all numbers: projections, scores, weights.
course::Diagram diagram_of(const std::vector<std::string>& tokens, std::size_t token,
                           const Matrix& x, const Matrix& q, const Matrix& k, const Matrix& v,
                           const ByHand& attention);

// Accuracies of the lookup models by their width, as a table and a plot: separate values first,
// then keys as values. Returns the mean accuracies, [2][widths].
std::vector<std::vector<double>> show_widths(course::AtCall lesson,
                                             const std::vector<Sweep>& sweeps);

}  // namespace heed::lesson17
