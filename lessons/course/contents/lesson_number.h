// What a lesson is called by: on the path its number, 11, and beside it the number of a workshop, W3. Lessons of
// the path come before workshops.
#pragma once

#include <fmt/format.h>

#include <compare>
#include <string>
#include <string_view>

namespace heed::course {

struct LessonNumber {
    bool workshop = false;
    int number = 0;

    constexpr LessonNumber() = default;
    constexpr LessonNumber(int on_the_path) : number(on_the_path) {}
    static constexpr LessonNumber of_workshop(int number) {
        LessonNumber found(number);
        found.workshop = true;
        return found;
    }
    // Of "11", "01", "11_translation", "W3" or "w3_batches"; 0 if the text begins with no number.
    static LessonNumber from(std::string_view text);

    auto operator<=>(const LessonNumber&) const = default;

    std::string typed() const;   // "1", "11", "W3": in commands and in records, and as {} of fmt
    std::string padded() const;  // "01", "11", "W3": in lists
    std::string file() const;    // "01", "11", "w3": in the names of folders, programs and files
    std::string titled() const;  // "Lesson 11", "Workshop W3"
};

// In files: 11, "W3".
template <class Json>
void to_json(Json& json, const LessonNumber& number) {
    if (number.workshop)
        json = number.typed();
    else
        json = number.number;
}
template <class Json>
void from_json(const Json& json, LessonNumber& number) {
    number = json.is_string() ? LessonNumber::from(json.template get<std::string>())
                              : LessonNumber(json.template get<int>());
}

}  // namespace heed::course

template <>
struct fmt::formatter<heed::course::LessonNumber> : fmt::formatter<std::string> {
    auto format(const heed::course::LessonNumber& number, fmt::format_context& context) const {
        return fmt::formatter<std::string>::format(number.typed(), context);
    }
};
