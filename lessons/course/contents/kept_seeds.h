// The numbers that a lesson measured with many seeds, lessons/NN_name/spread.json. ./heed itself reads them to show
// the text of a lesson, so this file needs no library for JSON; report/other_seeds.h writes it, with a line for
// each claim:
//
//     {
//     "full": {"first_seed": 1, "seeds": 20, "date": "2026-11-24", "measured": {
//     "exact-match": [0.9512,0.943],
//     "exact-match-gain": [0.31,null]}}
//     }
#pragma once

#include <map>
#include <string>
#include <vector>

namespace heed::course {

// By the name of the claim, one number for each seed, in the order of the seeds; NaN where a run measured no number.
using KeptSeeds = std::map<std::string, std::vector<double>>;

// Those of full or of quick runs; empty if there is no such file, or nothing about such runs in it. Throws
// heed::Error with the file and the line if it is malformed.
KeptSeeds kept_seeds(const std::string& path, bool quick);

// lessons/NN_name/spread.json below $HEED_HOME, or else below the tree from which this program was built; empty if
// no lesson has this name. The file itself may be missing.
std::string kept_seeds_path(const std::string& lesson_name);

// NaN if no number is finite.
double median(std::vector<double> numbers);

}  // namespace heed::course
