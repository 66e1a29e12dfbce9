// What lesson {explanation} measures, as tables and figures.
#pragma once

#include <string>
#include <vector>

#include "lessons/13_explanation/model.h"
#include "lessons/course/course.h"

namespace heed::lesson13 {

// One number for each run of a classifier: the accuracy, and the mean over test documents of what
// was measured on each (of the changes by shuffling, the median).
struct Findings {
    Encoder kind = Encoder::recurrent;
    std::vector<double> accuracy{}, tau{}, shuffled{}, divergence{}, by_weight{}, by_gradient{};
    std::vector<double> changes{};  // by shuffling, of every document of the first run, sorted

    void add(const std::vector<double>& tau_of, std::vector<double> changes_of,
             const std::vector<double>& divergence_of, const std::vector<double>& by_weight_of,
             const std::vector<double>& by_gradient_of);
};
double mean_of(const std::vector<double>& values);

// Two words shaded by their attention weights, 0.6 and 0.4, and by what they add to the logit when the output layer
// makes 0 and 5 of their states.
course::ShadedText weights_and_contributions();

// Which words can reach which states.
std::vector<course::Diagram> encoder_diagrams();

// The ten words of largest weight in one document, with weights and gradients. `mark` is written
// after a telling word.
void show_words(course::AtCall lesson, Encoder kind, const course::Document& document,
                const Analysis& found, const std::string& mark = " (telling)");

// The table of all findings, and the changes by shuffling. The last columns are headed by `found`,
// what the telling words are called.
void show_findings(course::AtCall lesson, const std::vector<Findings>& all,
                   const std::string& found = "telling");

}  // namespace heed::lesson13
