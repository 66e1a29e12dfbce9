// The results of the lesson as tables and figures.
#pragma once

#include <compare>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lessons/07_recurrence/experiment.h"
#include "lessons/course/course.h"

namespace heed::lesson07 {

course::Diagram loop_diagram();                // a plain network at three steps
std::vector<course::Diagram> cell_diagrams();  // plain, GRU, LSTM

// The states of a plain network with one number, word by word, and their derivatives with respect to the first.
struct Reading {
    std::vector<double> states, derivatives;
};
void show_readings(course::AtCall lesson, const std::vector<std::pair<double, Reading>>& by_weight);

// The norm of the gradient by distance, for the three cells and their initial values.
struct CellStart {
    CellKind kind;
    bool orthogonal;
    double bias;
    auto operator<=>(const CellStart&) const = default;
};
class GateTable {
  public:
    void add(const CellStart& start, const std::vector<double>& norms);
    // The figure and the table, the answer to which of plain cell and GRU loses less, and claims.
    void show(course::AtCall lesson, course::Prediction guess) const;

  private:
    std::map<CellStart, double> factors_, left_;
    course::LinePlot plot_{
        .x_label = "steps back", .y_label = "norm of the gradient", .log_y = true};
};

// The errors of the adding problem.
class AddingTable {
  public:
    explicit AddingTable(std::vector<int> lengths) : lengths_(std::move(lengths)) {}
    void add(const std::string& cell, int length, const TrainedAdders& trained);
    double error(const std::string& cell, int length) const { return error_.at({cell, length}); }
    // The figure and the table, the answer to the greatest length that the plain network learns, and claims.
    void show(course::AtCall lesson, course::Prediction guess) const;

  private:
    // The greatest length with an error below half of that of the mean; "none" if there is none.
    std::string longest_learned(const std::string& cell) const;

    std::vector<int> lengths_;
    std::vector<std::string> names_;
    std::map<std::pair<std::string, int>, double> error_;
    std::map<std::string, std::vector<std::vector<double>>> runs_;  // [seed][length]
    course::Table table_{{"cell", "length", "learning rate", "squared error"}};
};

// Trains the three cells on lists of several lengths. Shows their errors, and the norms by distance in those
// trained on the longest lists, with claims.
void compare_adders(course::AtCall lesson, const Train& train, int steps);

}  // namespace heed::lesson07
