// The lesson on the reader's own labelled texts, such as the TREC questions.
#pragma once

#include "lessons/course/lesson/lesson.h"

// --data is a file of lines (lessons/material/read/labelled_text.h), of which a tenth becomes the
// test set, or a folder with the two files of the TREC questions. Throws InputError for malformed
// files.
void run_on_own_texts(heed::course::Lesson& lesson, int steps);
