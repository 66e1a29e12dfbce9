#include "lessons/course/contents/lesson_number.h"

#include <charconv>

namespace heed::course {

LessonNumber LessonNumber::from(std::string_view text) {
    LessonNumber found;
    found.workshop = !text.empty() && (text[0] == 'w' || text[0] == 'W');
    if (found.workshop) text.remove_prefix(1);
    const auto end = std::from_chars(text.data(), text.data() + text.size(), found.number);
    return end.ec == std::errc() ? found : LessonNumber();
}

std::string LessonNumber::typed() const { return fmt::format("{}{}", workshop ? "W" : "", number); }
std::string LessonNumber::padded() const {
    return workshop ? typed() : fmt::format("{:02}", number);
}
std::string LessonNumber::file() const { return workshop ? fmt::format("w{}", number) : padded(); }
std::string LessonNumber::titled() const { return (workshop ? "Workshop " : "Lesson ") + typed(); }

}  // namespace heed::course
