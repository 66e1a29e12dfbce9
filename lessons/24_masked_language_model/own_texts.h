// The lesson on the reader's own labelled texts, such as the TREC questions.
#pragma once

#include "lessons/course/lesson/lesson.h"

namespace heed::lesson24 {

// Pre-trains on all training texts without their labels, and fine-tunes with the labels of some of them.
// --data is what lessons/material/read/labelled_sets.h reads.
void run_on_own_texts(course::Lesson& lesson, int steps, int seeds);

}  // namespace heed::lesson24
