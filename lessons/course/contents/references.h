// How a text refers to another lesson: by its name, so that a lesson can be inserted without a change of
// any text.
//
//     written     the scores of lesson {scores}, and of exercises {scores.1} and {luong.2}
//     read        the scores of lesson 10, and of exercises 10.1 and 12.2
//     written     workshop {caches} has more, and exercise {caches.1}
//     read        workshop W1 has more, and exercise W1.1
//
// Names stand after the word lesson, workshop or exercise, or their plurals; other braces are left alone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lessons/course/contents/course_list.h"

namespace heed::course {

// The text with numbers instead of names. Throws heed::Error for a name that the list does not have.
std::string with_numbers(std::string_view text, const std::vector<ListedLesson>& lessons);

// The same with the list of the tree in which the reader works, $HEED_HOME, or else of the tree from which
// this program was built.
std::string with_numbers(std::string_view text);

}  // namespace heed::course
