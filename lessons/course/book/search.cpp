#include "lessons/course/book/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "lessons/course/book/exercise_pages.h"
#include "lessons/course/report/report.h"
#include "lessons/course/story/prose.h"
#include "lessons/course/story/source.h"

namespace heed::course {
namespace {

// The comments of a source file, without the code.
std::string comments_in(const std::string& source) {
    std::istringstream lines(source);
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t mark = line.find("//");
        if (mark == std::string::npos) continue;
        const std::size_t words = line.find_first_not_of("/! -", mark);
        if (words != std::string::npos) text += line.substr(words) + " ";
    }
    return text;
}

// The other names of a section, and of the terms that it defines.
std::vector<std::string> names_in_section(const LessonPage& lesson, const std::string& section,
                                          const std::vector<Term>& terms, const OtherNames& names) {
    std::vector<std::string> also = names_of(names, lesson.name() + "/" + section);
    for (const Term& term : terms)
        if (term.folder == lesson.folder && term.section == section)
            also.insert(also.end(), term.also.begin(), term.also.end());
    return also;
}

}  // namespace

std::vector<SearchEntry> search_entries(const std::vector<LessonPage>& lessons,
                                        const std::vector<Chapter>& chapters,
                                        const std::vector<Exercise>& exercises,
                                        const std::vector<Term>& terms, const std::string& root) {
    std::vector<SearchEntry> all;
    const OtherNames names = other_names(root);
    for (const Term& term : terms)
        all.push_back({"glossary.html#" + anchor_of_term(term), "Glossary", term.name,
                       prose_text(term.sentence), term.also});
    for (const LessonPage& lesson : lessons) {
        const std::string place = fmt::format("{}. {}", lesson.number().titled(), lesson.title);
        for (const Passage& passage : passages_of(lesson.source, lesson.name())) {
            const std::string address =
                lesson.file() + (passage.section.empty() ? "" : "#" + anchor_of(passage.section));
            if (all.empty() || all.back().address != address)
                all.push_back({address, place, passage.section, "",
                               names_in_section(lesson, passage.section, terms, names)});
            all.back().text += prose_text(passage.text) + " ";
        }
        for (const Exercise& exercise : exercises)
            if (exercise.lesson == lesson.number())
                all.push_back({lesson.file() + "#" + anchor_of_exercise(exercise), place,
                               fmt::format("Exercise {}: {}", exercise.id(), exercise.title),
                               prose_text(task_text(exercise)),
                               names_of(names, lesson.name() +
                                                   exercise.id().substr(exercise.id().find('.')))});
    }
    for (const Chapter& chapter : chapters)
        for (const std::string& file : chapter.files)
            all.push_back(
                {chapter.file() + "#" + anchor_of(file), "The source", chapter.folder + "/" + file,
                 comments_in(contents(fmt::format("{}/{}/{}", root, chapter.folder, file)))});
    return all;
}

std::string search_script(const std::vector<SearchEntry>& entries) {
    nlohmann::json rows = nlohmann::json::array();
    for (const SearchEntry& entry : entries)
        rows.push_back({entry.address, entry.place, entry.title, entry.text, entry.also});
    return "window.heed_search(" +
           rows.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + ");\n";
}

}  // namespace heed::course
