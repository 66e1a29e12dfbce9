// The figures and tables of the lesson.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lessons/34_experts/capacity.h"
#include "lessons/34_experts/sorting.h"

namespace heed::lesson34 {

// One token, a router, four experts of which two are asked.
course::Diagram two_of_four();

// Which expert takes which kind, at the start and at the end of the first task, by two rules.
void show_tables(course::AtCall lesson, const Means& without, const Means& with);
// The effective number of experts in the course of the training.
void show_effective(course::AtCall lesson, const Means& without, const Means& with);

// The ways to train the choice, each with its means.
void show_rules(course::AtCall lesson, const std::vector<std::pair<std::string, Means>>& rules);

// Facts that were learned, in a table and as bars; and the claims about them.
void show_facts(course::AtCall lesson, const std::vector<Learned>& all);
void claim_facts(course::AtCall lesson, const std::vector<Learned>& all);
// The losses on text, in the order of the networks, and the claims about them.
void show_texts(course::AtCall lesson, const std::vector<Network>& networks,
                const std::vector<double>& losses);
// Measures and says how long the small network, 1 of 8 experts and the large network take.
void show_times(course::AtCall lesson, const std::vector<Network>& wide);

}  // namespace heed::lesson34
