// The lesson on the reader's own texts with a label each, such as the TREC questions.
#pragma once

#include "lessons/course/lesson/lesson.h"

// --data is a file of lines (lessons/course/read/labelled_text.h), of which a tenth is for testing, or a
// folder with the two files of the TREC questions. Throws InputError for whatever is malformed.
void run_on_questions(heed::course::Lesson& lesson, int steps);
