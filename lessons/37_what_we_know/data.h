// What the course keeps about itself: the list of its lessons, their claims with the numbers of twenty seeds
// (spread.json), their bars, and the sentences of their texts that count seeds.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lessons/course/contents/course_list.h"
#include "lessons/course/report/claims.h"

namespace heed::lesson37 {

// A claim as it is written in the source of a lesson: lesson.claim("name", "text", number, bar). The bar is that of
// a full run. A claim whose bar is another measurement, and no number, has none here.
struct WrittenClaim {
    std::string name{}, text{};
    std::optional<course::Expectation> bar{};
    bool recorded = false;  // lesson.measured: nothing is expected of it
};
std::vector<WrittenClaim> claims_in(std::string_view source);
// "at_least(lesson.quick() ? 0.9 : 0.97)"
std::optional<course::Expectation> bar_of(std::string_view written);

struct MeasuredClaim {
    std::string lesson{};  // its name, scores
    WrittenClaim written{};
    std::vector<double> seeds{};  // what the full runs measured, without NaN and infinities

    // How many seeds do not hold the bar. Of claims that do not vary, none: four digits of a count are kept, and its
    // bar may have more.
    int beyond() const;
    bool varies() const;  // the seeds differ by more than rounding errors
};

// A sentence of a lesson that says with how many seeds something holds.
struct Statement {
    std::string lesson{}, sentence{};
    int holds = 0, seeds = 0;
};
std::vector<Statement> statements_in(std::string_view source, const std::string& lesson);
// Whether a sentence can be read without the one before it. It may not if it begins with a word such as "but" or
// "the same", or if a word such as "it", "these" or "the others" stands anywhere in it.
bool stands_alone(std::string_view sentence);

struct PartOfCourse {
    std::string title{};
    bool workshops = false;
    int lessons = 0, claims = 0, runs = 0, exercises = 0;  // runs: kept ones, full and quick
};

struct Course {
    std::vector<PartOfCourse> parts{};
    std::vector<MeasuredClaim> claims{};
    std::vector<Statement> statements{};
    std::map<std::string, std::string> titles{};  // of the lessons, by their names

    PartOfCourse all() const;
};
// All lessons but this one. Throws heed::Error if the list or a kept file is damaged.
Course what_is_kept();

}  // namespace heed::lesson37
