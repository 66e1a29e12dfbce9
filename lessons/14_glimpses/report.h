// The settings of this lesson, its pictures, and what is shown of the eyes.
#pragma once

#include <string>
#include <vector>

#include "lessons/14_glimpses/training.h"
#include "lessons/course/generated/glyphs.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson14 {

struct Settings {
    int epochs = 0;  // 0: 16, in quick mode 6; on --data 60, in quick mode 5
    int glimpses = 6;
    double deviation = 0.17;
};
void add_options(course::Lesson& lesson, Settings& settings);
// Fills in what was left at 0; throws for what makes no sense.
void settle(Settings& settings, const course::Lesson& lesson);
EyeOptions sizes(const Settings& settings, int hidden);

struct Pictures {
    course::Images train, valid, test;
};
// Signs: 8,000 to train on, 500 to follow it, 2,000 to test; in quick mode 2,000, 300 and 500.
Pictures draw_pictures(bool quick, std::uint64_t seed);

// Of each way; means over the beginnings.
struct Race {
    std::vector<Eye> eyes;      // of the first beginning
    std::vector<double> right;  // on the test part

    template <class F>
    void visit(F&& f) {
        f("eyes", eyes);
    }
};
// Three beginnings of each way, in quick mode one. Shows the curves and the table. With --load
// nothing is trained: the five eyes are those of a file that --save wrote.
Race race(course::Lesson& lesson, const std::vector<Way>& ways, const Pictures& pictures,
          const Settings& settings);

// The share of all ink that lies in the first glimpse, the first two, ...
std::vector<double> ink_seen(const Eye& eye, const course::Images& images, Looking looking,
                             std::uint64_t seed);
// Shows that of each way; returns what the last glimpse comes to.
std::vector<double> show_ink(course::Lesson& lesson, const std::vector<Way>& ways,
                             const std::vector<Eye>& eyes, const course::Images& images);

// noise() of one eye by the loss of each way, on 256 pictures, as a multiple of the first one's.
// Shows the table.
std::vector<double> show_noise(course::Lesson& lesson, const std::vector<Way>& ways, const Eye& eye,
                               const course::Images& images);

// The way of some eyes over three pictures.
void show_paths(course::Lesson& lesson, const std::vector<Way>& ways, const std::vector<Eye>& eyes,
                const std::vector<int>& which, const course::Images& images);
// The first pictures with the path over each, titled by truth and answer.
std::vector<course::Picture> paths(const Eye& eye, const course::Images& images, Looking looking,
                                   int count, const std::function<std::string(int)>& name);

// --data: handwritten digits.
void run_on_digits(course::Lesson& lesson, const Settings& settings, const Way& way);

}  // namespace heed::lesson14
