// The figures of the lesson.
#pragma once

#include <string>
#include <vector>

#include "lessons/35_fast_decoding/experiment.h"

namespace heed::lesson35 {

// The time of a pass against the tokens in it, for weights of 4, 1 and half a byte.
course::LinePlot time_plot(const std::vector<double>& tokens,
                           const std::vector<std::vector<double>>& seconds);

// p, q, the part of q above p (refused) and of p above q (missing), of the likeliest characters.
course::BarChart two_distributions(const lesson23::Characters& text, const std::vector<double>& p,
                                   const std::vector<double>& q);

// The expected and the counted number of tokens that a pass gives, against the length of the draft.
course::LinePlot tokens_plot(const std::vector<double>& lengths,
                             const std::vector<double>& counted_tokens,
                             const std::vector<double>& formula);

}  // namespace heed::lesson35
