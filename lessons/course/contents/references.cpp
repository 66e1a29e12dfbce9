#include "lessons/course/contents/references.h"

#include <fmt/format.h>

#include <filesystem>
#include <regex>

#include "autograd/base/error.h"

namespace heed::course {
namespace {

// {scores} or {scores.2}
std::string number_of(const std::string& reference, const std::vector<ListedLesson>& lessons) {
    const std::string name = reference.substr(1, reference.find_first_of(".}") - 1);
    const std::string exercise =
        reference.substr(name.size() + 1, reference.size() - name.size() - 2);
    for (const ListedLesson& lesson : lessons)
        if (lesson.name() == name) return lesson.number().padded() + exercise;
    fail("{}: the course has no lesson of this name (lessons/course.toml)", reference);
}

}  // namespace

std::string with_numbers(std::string_view text, const std::vector<ListedLesson>& lessons) {
    // A space, or the end of a line and the //! of the next.
    static const std::string gap = R"((?: |\n *(?://!? *)?))",
                             name = R"(\{[a-z_0-9]+(?:\.[0-9])?\})";
    static const std::regex references("\\b(?:[Ll]esson|[Ww]orkshop|[Ee]xercise)s?" + gap + name +
                                       "(?:,?" + gap + "(?:(?:and|or|to)" + gap + ")?" + name +
                                       ")*");
    static const std::regex one(name);
    std::string out;
    const char *at = text.data(), *end = at + text.size();
    for (std::cregex_iterator found(at, end, references), none; found != none; ++found) {
        out.append(at, (*found)[0].first);
        at = (*found)[0].first;
        for (std::cregex_iterator r((*found)[0].first, (*found)[0].second, one); r != none; ++r) {
            out.append(at, (*r)[0].first);
            out += number_of((*r)[0], lessons);
            at = (*r)[0].second;
        }
    }
    return out.append(at, end);
}

std::string with_numbers(std::string_view text) {
    if (text.find('{') == std::string_view::npos) return std::string(text);
    const std::string home = home_folder();
    const bool there = std::filesystem::exists(home + "/lessons/course.toml");
    return with_numbers(text, course_lessons(there ? home : HEED_ROOT));
}

}  // namespace heed::course
