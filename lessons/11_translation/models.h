// The two translators of this lesson, with attention and without, and their settings.
#pragma once

#include <cmath>
#include <cstdint>

#include "lessons/course/lesson/lesson.h"
#include "lessons/material/translation/pair_files.h"
#include "lessons/material/translation/translation.h"

namespace heed::lesson11 {

struct Settings {
    int hidden = 0;  // 0: 128, in quick mode 64
    int epochs = 0;  // 0: 14 on the corpus, 30 on files; in quick mode 12 and 3
    double lr = 3e-3;
    double dropout = NAN;  // NaN: not given, then 0 on the corpus and 0.3 on files
    course::PairFiles files;
};
void add_options(course::Lesson& lesson, Settings& settings);
// Fills in the default of every option that was not given. Throws for values out of range.
void complete_settings(Settings& settings, const course::Lesson& lesson);

struct Models {
    EncoderDecoder attending, fixed;

    template <class F>
    void visit(F&& f) {
        f("attending", attending);
        f("fixed", fixed);
    }
};
Models make_models(const course::ParallelText& text, const Settings& settings, std::uint64_t seed);

}  // namespace heed::lesson11
