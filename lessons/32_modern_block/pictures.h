// The two blocks beside each other, and the tables of the lesson.
#pragma once

#include <vector>

#include "lessons/32_modern_block/experiment.h"

namespace heed::lesson32 {

// The blocks of GPT-2 and of Llama, which differ in every box but the sums.
std::vector<course::Diagram> two_blocks();

// Four heads of queries above 4, 2 and 1 heads of keys.
std::vector<course::Diagram> three_groupings();

// The scores of a head for three latents: by their keys, and with the brackets moved.
std::vector<course::Diagram> two_brackets();

// Layer norm and RMS norm of (3, 4), (30, 40) and (13, 14).
void show_norms(course::AtCall lesson);

// The largest difference of two elements.
double gap_between(const Tensor& a, const Tensor& b);

// The activation functions silu and gelu in one plot.
void show_activations(course::AtCall lesson);

// The losses of all blocks in a table.
void show_losses(course::AtCall lesson, const std::vector<Trained>& all);
// What the first four changes save, each against the block before it.
std::vector<double> gains_of(const std::vector<Trained>& all);
// The losses and their differences as numbers for the text, and the claims about them.
void claim_gains(course::AtCall lesson, const std::vector<Trained>& all);
// What each change saves, and what other initial weights do, over the twenty seeds that are kept, by verdict.
void show_gains(course::AtCall lesson);

// Published models: the bytes of their weights and of the cache of 4,096 tokens, in numbers of 16 bits, with
// the groups that they have and with as many as heads.
struct Published {
    const char* name;
    int vocabulary;
    LlamaSize size;
};
const std::vector<Published>& published_models();
void show_published(course::AtCall lesson);

}  // namespace heed::lesson32
