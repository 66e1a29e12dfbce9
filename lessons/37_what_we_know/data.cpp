#include "lessons/37_what_we_know/data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "autograd/base/input_file.h"
#include "lessons/course/contents/kept_seeds.h"
#include "lessons/course/contents/woven.h"
#include "lessons/course/story/source.h"

namespace heed::lesson37 {

using namespace course;
namespace fs = std::filesystem;

namespace {

// --- C++, as far as claims are written in it.

std::string trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \n\t");
    if (begin == std::string_view::npos) return "";
    return std::string(text.substr(begin, text.find_last_not_of(" \n\t") + 1 - begin));
}

// The pieces between `mark`, where it stands outside of parentheses and strings; up to the parenthesis that closes
// what was opened before the text.
std::vector<std::string> pieces_of(std::string_view text, char mark) {
    std::vector<std::string> pieces{""};
    int depth = 0;
    bool in_string = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (in_string && c == '\\') {
            pieces.back() += c;
            pieces.back() += text[++at];
            continue;
        }
        if (c == '"') in_string = !in_string;
        if (!in_string) {
            depth += (c == '(' || c == '{' || c == '[') - (c == ')' || c == '}' || c == ']');
            if (depth < 0) break;
        }
        if (c == mark && depth == 0 && !in_string)
            pieces.emplace_back();
        else
            pieces.back() += c;
    }
    for (std::string& piece : pieces) piece = trimmed(piece);
    return pieces;
}

// "one " "text" as one text.
std::string joined_strings(std::string_view written) {
    std::string text;
    bool in_string = false;
    for (std::size_t at = 0; at < written.size(); ++at)
        if (written[at] == '"')
            in_string = !in_string;
        else if (in_string)
            text += written[at] == '\\' ? written[++at] : written[at];
    return text;
}

// What is meant in a full run by "lesson.quick() ? 0.9 : 0.97".
std::string in_full(std::string_view written) {
    const std::vector<std::string> choice = pieces_of(written, '?');
    if (choice.size() == 1) return trimmed(written);
    const bool known =
        choice[0] == "quick" || choice[0] == "lesson.quick()" || choice[0] == "lesson->quick()";
    const std::vector<std::string> two = pieces_of(choice[1], ':');
    return known && choice.size() == 2 && two.size() == 2 ? two[1] : "";
}

std::optional<double> number_in(std::string_view written) {
    std::string digits = in_full(written);
    std::erase(digits, '\'');
    char* end = nullptr;
    const double number = std::strtod(digits.c_str(), &end);
    return digits.empty() || *end ? std::nullopt : std::optional(number);
}

// The source without lines that are comments.
std::string without_comments(std::string_view source) {
    std::string code;
    while (!source.empty()) {
        const std::string_view line = source.substr(0, source.find('\n'));
        if (!trimmed(line).starts_with("//")) code.append(line).append("\n");
        source.remove_prefix(std::min(line.size() + 1, source.size()));
    }
    return code;
}

// --- Sentences.

// A sentence ends with a mark, a blank and a capital letter, a brace or an emphasis.
std::vector<std::string> sentences_of(std::string_view text) {
    std::vector<std::string> all{""};
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at] == '\n' ? ' ' : text[at];
        const bool ends = c == ' ' && at > 0 && at + 1 < text.size() &&
                          std::string_view(".?!:").find(text[at - 1]) != std::string_view::npos &&
                          (std::isupper(static_cast<unsigned char>(text[at + 1])) ||
                           text[at + 1] == '{' || text[at + 1] == '*' || text[at + 1] == '\n');
        if (ends)
            all.emplace_back();
        else
            all.back() += c;
    }
    return all;
}

// --- The folders of the lessons.

std::string sources_in(const std::string& folder) {
    std::set<std::string> files;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".cpp") files.insert(entry.path().string());
    std::string all;
    for (const std::string& file : files) all += read_file(file) + "\n";
    return all;
}

int exercises_in(const std::string& folder) {
    std::error_code none;  // a lesson without exercises has no such folder
    int count = 0;
    for (const auto& entry : fs::directory_iterator(folder + "/exercises", none))
        count += fs::exists(entry.path() / "task.h");
    return count;
}

void add_lesson(const std::string& folder, const std::string& name, Course& course) {
    const std::string kept = folder + "/spread.json";
    const KeptSeeds full = kept_seeds(kept, false), quick = kept_seeds(kept, true);
    PartOfCourse& part = course.parts.back();
    ++part.lessons;
    part.exercises += exercises_in(folder);
    for (const KeptSeeds& runs : {full, quick})
        if (!runs.empty()) part.runs += static_cast<int>(runs.begin()->second.size());

    const std::string source = sources_in(folder);
    const std::vector<WrittenClaim> written = claims_in(source);
    for (const auto& [claim, numbers] : full) {
        MeasuredClaim measured{name, {.name = claim}, numbers};
        for (const WrittenClaim& one : written)
            if (one.name == claim) measured.written = one;
        if (measured.written.recorded) continue;
        std::erase_if(measured.seeds, [](double x) { return !std::isfinite(x); });
        course.claims.push_back(measured);
        ++part.claims;
    }
    const std::vector<Statement> statements =
        statements_in(read_file(folder + "/lesson.cpp"), name);
    course.statements.insert(course.statements.end(), statements.begin(), statements.end());
}

}  // namespace

std::optional<Expectation> bar_of(std::string_view written) {
    const std::string bar = in_full(written);
    const std::size_t open = bar.find('(');
    if (open == std::string::npos) return std::nullopt;
    const std::string kind = bar.substr(0, open);
    if (kind == "is_true") return is_true();
    std::vector<double> numbers;
    for (const std::string& piece : pieces_of(std::string_view(bar).substr(open + 1), ',')) {
        const std::optional<double> number = number_in(piece);
        if (!number) return std::nullopt;
        numbers.push_back(*number);
    }
    const bool two = numbers.size() == 2;
    if (kind == "between" && two) return between(numbers[0], numbers[1]);
    if (kind == "equals") return equals(numbers[0], two ? numbers[1] : 0);
    if (kind == "at_least") return at_least(numbers[0]);
    if (kind == "more_than") return more_than(numbers[0]);
    if (kind == "at_most") return at_most(numbers[0]);
    if (kind == "less_than") return less_than(numbers[0]);
    return std::nullopt;
}

std::vector<WrittenClaim> claims_in(std::string_view source) {
    const std::string code = without_comments(source);
    std::vector<WrittenClaim> all;
    // The last one is a claim of lesson {published} if it examines its own model.
    for (const std::string call : {"lesson.claim(", "lesson->claim(", "lesson.measured(",
                                   "lesson->measured(", "finding(lesson, subject, "})
        for (std::size_t at = code.find(call); at != std::string::npos;
             at = code.find(call, at + 1)) {
            const std::vector<std::string> words =
                pieces_of(std::string_view(code).substr(at + call.size()), ',');
            if (words.size() < 3 || !words[0].starts_with('"')) continue;
            all.push_back({.name = joined_strings(words[0]),
                           .text = joined_strings(words[1]),
                           .recorded = call.ends_with("measured(")});
            if (words.size() == 4) all.back().bar = bar_of(words[3]);
        }
    return all;
}

int MeasuredClaim::beyond() const {
    if (!written.bar || !varies()) return 0;
    return static_cast<int>(std::count_if(seeds.begin(), seeds.end(), [&](double measured) {
        return !written.bar->holds(measured);
    }));
}

bool MeasuredClaim::varies() const {
    if (seeds.empty()) return false;
    const auto [low, high] = std::minmax_element(seeds.begin(), seeds.end());
    const bool identity =
        written.bar && !std::isfinite(written.bar->low) && written.bar->high <= 1e-3 && *low >= 0;
    return *low < *high && !identity;
}

std::vector<Statement> statements_in(std::string_view source, const std::string& lesson) {
    std::vector<Statement> all;
    for (const Passage& passage : passages_of(source, lesson))
        for (const std::string& sentence : sentences_of(passage.written)) {
            const std::size_t at = sentence.find("{count ");
            if (at == std::string::npos) continue;
            const std::string brace = sentence.substr(at, sentence.find('}', at) + 1 - at);
            Statement statement{lesson, trimmed(woven(sentence, lesson))};
            if (std::sscanf(woven(brace, lesson).c_str(), "%d of %d", &statement.holds,
                            &statement.seeds) == 2)
                all.push_back(statement);
        }
    return all;
}

bool stands_alone(std::string_view sentence) {
    std::string words = " ";
    for (const char c : sentence)
        words += std::isalpha(static_cast<unsigned char>(c))
                     ? static_cast<char>(std::tolower(static_cast<unsigned char>(c)))
                     : ' ';
    words += ' ';
    for (const std::string first :
         {"that", "then", "there", "but", "and", "so", "the same", "the difference"})
        if (words.starts_with(" " + first + " ")) return false;
    for (const std::string inside :
         {"it", "its", "this", "these", "they", "them", "their", "ours", "the other one",
          "the others", "the first number", "see below"})
        if (words.find(" " + inside + " ") != std::string::npos) return false;
    // "2 of 20 have no such head" does not say 20 of what.
    const std::string counted = trimmed(words);
    return !counted.starts_with("of ") || trimmed(counted.substr(3)).starts_with("seeds ") ||
           trimmed(counted.substr(3)).starts_with("runs ");
}

PartOfCourse Course::all() const {
    PartOfCourse sum{.title = "the whole course"};
    for (const PartOfCourse& part : parts) {
        sum.lessons += part.lessons, sum.claims += part.claims;
        sum.runs += part.runs, sum.exercises += part.exercises;
    }
    return sum;
}

Course what_is_kept() {
    const std::string home = home_folder(),
                      root = fs::exists(home + "/lessons/course.toml") ? home : HEED_ROOT;
    Course course;
    for (const CoursePart& part : course_parts(root)) {
        course.parts.push_back({.title = part.title, .workshops = part.workshops()});
        for (const ListedLesson& lesson : part.lessons)
            if (lesson.name() != "what_we_know") {
                add_lesson(root + "/lessons/" + lesson.folder, lesson.name(), course);
                course.titles[lesson.name()] = lesson_title(root, lesson);
            }
    }
    return course;
}

}  // namespace heed::lesson37
