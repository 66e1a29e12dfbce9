// The way from logits to probabilities and to the loss, as a diagram.
#pragma once

#include <string>
#include <vector>

#include "lessons/course/figures/diagram.h"

namespace heed::lesson05 {

// `p` is the softmax of the logits, and `y` the index of the word that came.
course::Diagram from_logits_to_loss(const std::vector<std::string>& words,
                                    const std::vector<double>& logits, const std::vector<double>& p,
                                    int y);

}  // namespace heed::lesson05
