// The figures and tables of the lesson, each with the claims about it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lessons/34_experts/experiment.h"
#include "lessons/34_experts/model.h"

namespace heed::lesson34 {

// One token, a router, four experts of which two are asked.
void show_two_of_four(course::AtCall lesson);

// Kinds against experts, from a table of Sorted: the share of each kind that goes to each expert. Experts are sorted so
// that one for each kind is a diagonal. The idle ones are one column, or each has its own. The title says when, and how
// many work.
course::HeatMap routes(const std::string& when, const std::vector<double>& shares,
                       bool every_column = false);

// Which experts take which kind in the first task: before training, without balance, with balance. And the
// effective number of experts in the course of the training.
void show_balance(course::AtCall lesson, const Means& without, const Means& with);
void claim_collapse(course::AtCall lesson, const Means& without);

// The ways to train the choice, each with its means; returns the one with the largest error. And the claims.
std::string show_rules(course::AtCall lesson,
                       const std::vector<std::pair<std::string, Means>>& rules);

// Facts that were learned, in a table and against the work, and the claims about them.
void show_facts(course::AtCall lesson, const std::vector<Learned>& all);
// The losses on text, in the order of the networks, and the claims about them. Then how long the small network, 1 of
// 8 experts and the large network take, all of them wide.
void show_texts_and_times(course::AtCall lesson, const std::vector<Network>& networks,
                          const std::vector<double>& losses, const std::vector<Network>& wide);

// The networks that are multiplied by p, beside the same without it: facts known, and losses on text.
void show_scale(course::AtCall lesson, const std::vector<Learned>& facts,
                const std::vector<double>& losses);

}  // namespace heed::lesson34
