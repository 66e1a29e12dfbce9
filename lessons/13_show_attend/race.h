// The race of all ways, and what is drawn and measured in this lesson.
#pragma once

#include "lessons/13_show_attend/looker.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson13 {

// Of each way; means over the beginnings.
struct Race {
    std::vector<Looker> lookers;       // of the first beginning
    std::vector<double> right, found;  // on the test part
    // Patches read in training until 80 % of the valid part are right, by the mean curve; infinite
    // if that never happens.
    std::vector<double> read_to_80;
};
// Shows the table and the curves.
Race race(course::Lesson& lesson, const std::vector<Way>& ways, const Data& data, int steps,
          int beginnings);

// A few pictures of the part, as they are.
void show_signs(course::Lesson& lesson, const course::Glyphs& glyphs);

// Three pictures, and where some of the lookers look in them.
void show_looks(course::Lesson& lesson, const course::Glyphs& glyphs, const std::vector<Way>& ways,
                const std::vector<Looker>& lookers, const std::vector<int>& which);

// noise() of each way but for the mean of all patches (which has no scores: 0). Shows the table.
std::vector<double> compare_noise(course::Lesson& lesson, const std::vector<Way>& ways,
                                  const Looker& looker, const Batch& batch);

// Scores and ln p(y | j) [B, K]: how far the bound lies below ln p(y) with 1, 2, 4, 8, 16, 32
// samples, from the same 2,048 draws. Shows the plot.
std::vector<double> show_bounds(course::Lesson& lesson, const Tensor& scores, const Tensor& log_p);

}  // namespace heed::lesson13
