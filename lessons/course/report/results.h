// results.json: the results of a run, for programs.
//
//     {"lesson": 9, "name": "translation", "seed": 1, "quick": false, "data": "generated",
//      "seconds": 41.2, "claims": [{"name": "exact-match", "text": ..., "measured": 0.98,
//      "expected": "at least 0.95", "holds": true}, ...], "measured": [{"name": ..., "text": ...,
//      "measured": 0.4}, ...]}
//
// Under "measured" are numbers that were recorded without a bar.
//
// JSON has no value for "not a number", so such a measurement is null.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lessons/course/contents/lesson_number.h"
#include "lessons/course/report/claims.h"

namespace heed::course {

// The facts of one run.
struct Run {
    LessonNumber lesson{};
    std::string name, title, question;
    std::uint64_t seed = 1;
    bool quick = false;
    std::string data;
    double seconds = 0;
    int threads = 1;
    std::string date;     // as timestamp() gives it
    std::string command;  // as the reader typed it
    std::string note{};   // what the reader should know about the numbers in the text
};

std::string results_json(const Run& run, const std::vector<Claim>& claims);

}  // namespace heed::course
