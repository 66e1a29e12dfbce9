// What the claims of a lesson measured with other seeds. The folder of a lesson may hold spread.json
// (contents/kept_seeds.h), which this command writes:
//
//     ./heed learn 10 --repeat 20 --keep       (and the same with --quick)
//
// The lesson then shows beside each claim how far its measurement is spread, and where the reader's
// own run lies.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lessons/course/contents/kept_seeds.h"
#include "lessons/course/contents/lesson_number.h"
#include "lessons/course/report/claims.h"

namespace heed::course {

// The measurements of each claim, by its name, in increasing order, without those that are no numbers.
using OtherSeeds = std::map<std::string, std::vector<double>>;

// Reads the file of the lesson in $HEED_HOME/lessons; empty if there is none, or if it has nothing
// about runs of this kind. Throws heed::Error, with the name of the file, if it is malformed.
OtherSeeds other_seeds(LessonNumber lesson, bool quick);

// "2026-11-24, commit 1a2b3c4, AMD EPYC": when and where they were measured, as far as the file says;
// empty if it says nothing.
std::string other_seeds_origin(LessonNumber lesson, bool quick);

// Writes the part of the file for runs of this kind, with the date, the commit, the compiler and the
// processor, and leaves the other part as it is. Throws
// heed::Error if there is no such lesson or the file cannot be written.
void keep_other_seeds(LessonNumber lesson, bool quick, std::uint64_t first_seed,
                      const KeptSeeds& measured);

// "20 seeds: 0.912 to 0.968, median 0.951", three digits each; of quick runs "20 quick seeds". Empty if all seeds measured the same, and for an
// identity, an upper bound of at most 1e-3: what it measures are rounding errors.
std::string spread_in_words(const Claim& claim);

// A line on which each seed is a tick, the bars are dashed and the reader's run is a triangle. Empty
// if the words are.
std::string spread_svg(const Claim& claim);

}  // namespace heed::course
