#include "lessons/course/book/lesson_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lessons/course/book/exercise_pages.h"
#include "lessons/course/book/kept_results.h"
#include "lessons/course/contents/records.h"
#include "lessons/course/report/report.h"
#include "lessons/course/story/source.h"

namespace heed::course {

RunResults results_in(const std::string& report, std::size_t passages) {
    RunResults run;
    const auto between = [&](const std::string& first, const std::string& last, std::size_t& at) {
        const std::size_t start = report.find(first, at);
        if (start == std::string::npos) return std::string();
        const std::size_t end = report.find(last, start);
        if (end == std::string::npos) return std::string();
        at = end;
        return report.substr(start + first.size(), end - start - first.size());
    };
    std::size_t at = 0;
    run.facts = between("<p class=\"facts\">", "</p>", at);
    for (std::size_t i = 1; i <= passages; ++i) {
        at = std::min(report.find(fmt::format("<!-- passage {} -->", i), at), report.size());
        const std::string next =
            i < passages ? fmt::format("<!-- passage {} -->", i + 1) : "<!-- end -->";
        if (report.find(next, at) == std::string::npos) return {};
        run.after.push_back(between("<!-- results -->\n", next, at));
    }
    if (report.find(fmt::format("<!-- passage {} -->", passages + 1)) != std::string::npos)
        return {};
    run.end = between("<!-- end -->\n", "<footer>", at);
    return run;
}

Measured measured_in(const std::string& results) {
    const nlohmann::json json = nlohmann::json::parse(results, nullptr, false);
    Measured own;
    if (!json.is_object()) return own;
    for (const char* list : {"claims", "measured"})
        for (const auto& claim : json.value(list, nlohmann::json::array()))
            if (claim.is_object() && claim.contains("name") && claim["name"].is_string() &&
                claim.contains("measured") && claim["measured"].is_number())
                own[claim["name"]] = claim["measured"];
    return own;
}

namespace {

// A run whose results lie in a folder of its own (--out) stands in the record, but not in folders.runs.
std::string why_without_run(const LessonPage& lesson, bool older_report,
                            const BookFolders& folders) {
    if (older_report) return "The text is newer than your run:";
    if (passed_lessons(folders.root).contains(lesson.name()))
        return fmt::format(
            "You have run this, but its results are not in <code>out/{}</code>. Run it once more "
            "without <code>--out</code>:",
            lesson.folder);
    return fmt::format("You have not run this {} yet:",
                       lesson.number().workshop ? "workshop" : "lesson");
}

bool is_quick(const RunResults& run) { return run.facts.starts_with("Quick run"); }

constexpr const char* not_shown =
    "a paragraph marked <em>(full run)</em> tells of longer runs, and it may show something else. "
    "<code>./heed book --full</code> shows them.";

// A run that the reader's records know is the reader's; any other was found in its folder.
std::string whose_figures(const LessonPage& lesson, bool quick, const BookFolders& folders) {
    const bool yours = lesson_records(folders.root).contains(lesson.name());
    return fmt::format("The figures are those of {} {}run{}{}", yours ? "your" : "a",
                       quick ? "quick " : "",
                       yours ? "" : fmt::format(" that is in <code>out/{}</code>", lesson.folder),
                       quick ? fmt::format("; {}", not_shown) : ".");
}

// A figure or table stands beside a text that tells of full runs.
std::string with_quick_captions(std::string html) {
    const std::string end = "</figcaption>",
                      mark = " <em>(A quick run: the text tells of full runs.)</em>";
    for (std::size_t at = html.find(end); at != std::string::npos;
         at = html.find(end, at + mark.size() + 1))
        html.insert(at, mark);
    return html;
}

}  // namespace

std::string lesson_body(const LessonPage& lesson, const std::vector<Exercise>& all,
                        const BookFolders& folders) {
    const std::vector<Passage> passages = passages_of(lesson.source, lesson.name());
    const auto report_in = [&](const std::string& runs) {
        return contents(fmt::format("{}/{}/report.html", runs, lesson.folder));
    };
    const std::string report = report_in(folders.runs);
    RunResults run = results_in(report, passages.size());
    std::string body;
    Measured own;
    const auto say = [&](const std::string& html) {
        body += fmt::format("<p class=\"facts\">{}</p>\n", html);
    };
    if (!run.after.empty()) {
        own = measured_in(contents(fmt::format("{}/{}/results.json", folders.runs, lesson.folder)));
        say(whose_figures(lesson, is_quick(run), folders));
    } else if (run = results_in(report_in(folders.quick), passages.size()); !run.after.empty()) {
        say(fmt::format(
            "The figures are those of a quick run; {} After <code>./heed learn {}</code> they "
            "are those of your own.",
            not_shown, lesson.number()));
    } else {
        say(fmt::format(
            "{} <code>./heed learn {}</code>, then <code>./heed book</code> puts its numbers and "
            "figures here. Until then the numbers are those of our runs, and there are no "
            "figures of a run.",
            why_without_run(lesson, !report.empty(), folders), lesson.number()));
    }
    if (std::any_of(passages.begin(), passages.end(),
                    [](const Passage& passage) { return has_woven_numbers(passage.written); }))
        say(fmt::format(
            "The numbers in the text are the medians of our full runs with many seeds.{}",
            own.empty() ? "" : " Beside them stands what this run has measured."));
    const bool quick = is_quick(run);
    std::vector<std::string> texts;
    for (const Passage& passage : passages)
        texts.push_back(woven(passage.written, lesson.name(), own, quick));
    KeptResults kept(run.after.empty() ? lesson.folder : "", folders.root);
    for (std::size_t i = 0; i < passages.size(); ++i) {
        Passage passage = passages[i];
        passage.text = texts[i];
        body += passage_html(passage);
        if (i >= run.after.size())
            body += kept.after(passage);
        else  // the text that comes next says what a full run shows
            body += i + 1 < texts.size() && texts[i + 1].find(full_run_mark) != std::string::npos
                        ? with_quick_captions(run.after[i])
                        : run.after[i];
    }
    body += run.end;
    if (!run.facts.empty()) say("This run: " + run.facts);
    return body + lesson_exercises_html(all, lesson.number(), folders.root);
}

}  // namespace heed::course
