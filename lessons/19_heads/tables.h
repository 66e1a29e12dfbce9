// The experiments of lesson 19: several runs of each kind of model, as tables and figures.
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
std::vector<std::vector<Trained>> train_kinds(course::Lesson& lesson,
                                              const std::vector<Kind>& kinds, int steps);

// The weights of the verb in the best run of one head, two heads, and one head with a hidden layer.
void show_weights(course::Lesson& lesson, const std::vector<Kind>& kinds,
                  const std::vector<std::vector<Trained>>& runs);

// The accuracy for each role with both heads, without the first, and without the second.
void show_ablation(course::Lesson& lesson, const std::vector<double>& with_both,
                   const std::vector<std::vector<double>>& without);

// Trains models that answer all four roles. Returns the mean share of sentences with all right, for
// each number of heads.
std::vector<double> show_four_roles(course::Lesson& lesson, int steps,
                                    const std::vector<int>& heads);

}  // namespace heed::lesson19
