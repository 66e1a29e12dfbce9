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

// hₜ = tanh(w hₜ₋₁ + xₜ) with x₁ = 1 and all other inputs 0, for 50 steps: the states, and their
// derivatives with respect to h₁. One vector for each w.
struct OneBit {
    std::vector<std::vector<double>> states, derivatives;
};
OneBit show_one_bit(course::Lesson& lesson, const std::vector<double>& weights);

// The gradient in a plain network, for several matrices.
class PlainTable {
  public:
    double gap = 0;        // largest relative difference of the norm by hand from the engine's
    double off = 0;        // largest relative difference of the fitted factor from rho times s
    double left_at_1 = 0;  // the norm after 50 steps for rho = 1

    void add(double rho, double s, const std::vector<double>& norms, double engine);
    void show(course::Lesson& lesson) const;

  private:
    course::Table table_{{"rho", "s", "rho times s", "fitted factor", "left after 50 steps"}};
    course::LinePlot plot_{
        .x_label = "steps back", .y_label = "norm of the gradient", .log_y = true};
};

// The same for the three cells and their initial values.
struct CellStart {
    CellKind kind;
    bool orthogonal;
    double bias;
    auto operator<=>(const CellStart&) const = default;
};
class GateTable {
  public:
    void add(const CellStart& start, const std::vector<double>& norms);
    double factor(const CellStart& start) const { return factors_.at(start); }
    void show(course::Lesson& lesson) const;

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
    // The greatest length with an error below half of that of the mean; "none" if there is none.
    std::string longest_learned(const std::string& cell) const;
    void show(course::Lesson& lesson) const;

  private:
    std::vector<int> lengths_;
    std::vector<std::string> names_;
    std::map<std::pair<std::string, int>, double> error_;
    std::map<std::string, std::vector<std::vector<double>>> runs_;  // [seed][length]
    course::Table table_{{"cell", "length", "learning rate", "squared error"}};
};

// The norms by distance in trained cells: plain, GRU, LSTM. Returns what is left over the whole
// list in the GRU, over what is left in the plain cell.
double show_trained_norms(course::Lesson& lesson,
                          const std::vector<std::pair<std::string, std::vector<double>>>& norms);

// --- the cliff ----------------------------------------------------------------------------------

// Dark where the loss is high.
course::Picture picture_of_loss(const std::string& title, int side);

// White where a descent that starts at this point reaches the minimum, dark where it does not.
course::Picture picture_of(const std::string& title, const Descents& descents);

}  // namespace heed::lesson07
