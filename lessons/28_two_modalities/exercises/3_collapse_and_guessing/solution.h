#include <cmath>

#include "lessons/course/exercise/write.h"

// All scores are equal, whatever tau is, so each softmax gives 1/64 to everything. Both directions
// have the loss ln 64, and L is their mean.
double my_collapse() { return std::log(64.); }

// Dividing by 0.1 turns the cosine 1 into the score 10.
double my_probability() { return std::exp(10.) / (std::exp(10.) + 63); }

// Both pale or both dark, half of the scenes: nothing is left to guess. Otherwise there are two
// scenes to choose from.
double my_recall() { return 0.5 * 1 + 0.5 * 0.5; }
