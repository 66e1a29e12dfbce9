// Several programs in turn.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/worker.h"

namespace heed::bench {

struct Contender {
    std::string name;
    std::unique_ptr<Worker> worker;
    std::vector<double> seconds{};  // of a step, for each round
};

// Measures all of them once a round, each for so many seconds. Who begins changes from round to round. After
// the first of `all`, which is heed, calls `after_heed`, and ends the workers when all rounds are done.
void race(std::vector<Contender>& all, int rounds, double seconds,
          const std::function<void()>& after_heed);

// Two cells of a table in Markdown for each of `names`, "| PyTorch's number | 1.26 (1.11 - 1.41) ": a number of
// the contender, made by `cell` of its median, and how many times as fast the first of `all` is. Empty where
// no contender has the name.
std::string cells_of(const std::vector<Contender>& all, const std::vector<std::string>& names,
                     const std::function<std::string(double seconds)>& cell);
// The head and the rule above these cells.
std::string heads_of(const std::vector<std::string>& names);
std::string rules_of(const std::vector<std::string>& names);

}  // namespace heed::bench
