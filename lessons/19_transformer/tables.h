// What the runs of this lesson look like: tables, figures, sample translations.
#pragma once

#include <string>
#include <vector>

#include "lessons/19_transformer/runs.h"

namespace heed::lesson19 {

// What each rung is given, and what it makes of that.
void show_ladder(course::Lesson& lesson, const std::vector<Outcome>& all);
void show_changes(course::Lesson& lesson, const std::vector<Outcome>& all,
                  const Settings& settings);
// The validation loss of every rung with every rate tried: losses[rung][rate].
void show_tuning(course::Lesson& lesson, const std::vector<std::vector<double>>& losses,
                 const Settings& settings);

// Where a model looks while it writes the first sentence of the test part of so many words or more;
// the true alignment is outlined where it translates it as it should.
void show_alignment(course::Lesson& lesson, const course::Translator& model,
                    const course::ParallelText& text, int words);

// Sentences of the reader's own test part as each of the models writes them, and where it looks;
// the Transformer alone where no ladder was climbed.
void show_translations(course::Lesson& lesson, const course::ParallelText& text,
                       const Ladder& ladder);

}  // namespace heed::lesson19
