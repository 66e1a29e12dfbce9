// The experiments of the lesson: several runs of each kind of model.
#pragma once

#include <string>
#include <vector>

#include "lessons/19_heads/model.h"
#include "lessons/course/course.h"

namespace heed::lesson19 {

struct Kind {
    std::string name;
    ModelOptions options;
};

std::vector<double> accuracies(const std::vector<Trained>& runs);  // all roles right
bool is_successful(const Trained& run);                            // at least 0.95 right
double successes(const std::vector<Trained>& runs);

// Trains five models of each kind (quick: two) and shows how many succeed.
std::vector<std::vector<Trained>> train_kinds(course::AtCall lesson, const std::vector<Kind>& kinds,
                                              int steps);

// Trains models that answer all four roles. Returns the mean share of sentences with all right, for
// each number of heads.
std::vector<double> show_four_roles(course::AtCall lesson, int steps,
                                    const std::vector<int>& heads);

}  // namespace heed::lesson19
