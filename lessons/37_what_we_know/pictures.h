// The road through the course, what was kept of it, and how probable luck is, as figures and tables.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lessons/37_what_we_know/data.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson37 {

// What a part of the path needs from a part before it.
struct Need {
    std::string part{}, from{}, what{};
};
const std::vector<Need>& needs();

// The parts of the path as boxes, with an arrow from each to those that need it.
course::Diagram road(const Course& course);

// What each part has, and the sums as numbers for the text.
void show_parts(course::AtCall lesson, const Course& course);
// Both tables: the statements that do not hold with all seeds, and the claims whose bar leaves open which side is
// ahead. Return how many rows they have.
int show_statements(course::AtCall lesson, const Course& course);
int show_open_signs(course::AtCall lesson, const Course& course);

// The claims with the largest probability of failing.
struct Risk {
    const MeasuredClaim* claim = nullptr;
    double normal = 0, luck = 0;
};
void show_risks(course::AtCall lesson, std::vector<Risk> risks);

// How often a claim fails on the seeds that set its bar, and on others, in shares.
struct Judged {
    double same = 0, others = 0;
};
void show_bars(course::AtCall lesson, const Judged& worst, const Judged& normal);

// The share of the worlds in which the best of so many ideas keeps its bar, and in which it keeps it once more.
struct Best {
    int ideas = 0;
    double same = 0, again = 0, formula = 0;
};
void show_best(course::AtCall lesson, const std::vector<Best>& found);

}  // namespace heed::lesson37
