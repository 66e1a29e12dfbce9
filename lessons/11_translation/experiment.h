// The training of the two translators, and the lesson on the reader's own pairs of sentences.
#pragma once

#include "lessons/11_translation/models.h"

namespace heed::lesson11 {

// Throws before anything is shown if the file of --load holds no such models.
void check_file_to_load(const course::Lesson& lesson, const course::ParallelText& text,
                        const Settings& settings);

// Trains both models on the same batches, or loads them with --load; saves them with --save. Shows
// the loss curves.
void train_models(course::AtCall lesson, Models& models, const course::ParallelText& text,
                  const Settings& settings);

// --data: the reader's own pairs.
void run_on_files(course::AtCall lesson, const Settings& settings);

}  // namespace heed::lesson11
