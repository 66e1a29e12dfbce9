// The pictures and tables of the lesson.
#pragma once

#include <string>
#include <vector>

#include "lessons/18_self_attention/experiment.h"
#include "lessons/course/course.h"

namespace heed::lesson18 {

// The aim: "it" moves from its vector in the table towards "animal" in one sentence, towards "street" in the other.
course::Arrows it_in_two_sentences();

// A layer of self-attention with its residual connection, and the same for cross-attention.
std::vector<course::Diagram> layer_diagrams();

// The contexts [T, D] of the tokens in two orders.
void show_orders(course::AtCall lesson, const std::vector<std::string>& tokens,
                 const Tensor& contexts, const std::vector<std::string>& other_tokens,
                 const Tensor& other_contexts);

// Four masks as pictures: padding, causal, both, and the neighbours in a graph of five nodes.
std::vector<course::HeatMap> mask_maps();

// One row for each model and one column for each distance in hops, from 0 on.
struct HopAccuracies {
    std::string model;
    std::vector<double> accuracy;
};
course::HeatMap hops_map(const std::vector<HopAccuracies>& rows);
void show_readouts(course::AtCall lesson, const std::vector<HopAccuracies>& rows);

struct PronounRow {
    std::string model;
    const Results* results;
};
void show_pronouns(course::AtCall lesson, const std::vector<PronounRow>& rows);

// Tired above wide, the right nouns outlined.
course::HeatMap twins_map(const std::string& title, const Results& results);

}  // namespace heed::lesson18
