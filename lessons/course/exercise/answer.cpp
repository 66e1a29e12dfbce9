#include "lessons/course/exercise/answer.h"

#include <fmt/format.h>

#include <regex>
#include <sstream>

#include "autograd/base/input_file.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

// The lines of a source that include something; not `#include HEED_ANSWER`.
std::string includes_of(const std::string& file) {
    static const std::regex include("^\\s*#\\s*include\\s*[<\"].*");
    std::istringstream lines(with_short_lines(read_regular_file(file)));
    std::string includes;
    for (std::string line; std::getline(lines, line);)
        if (std::regex_match(line, include)) includes += line + "\n";
    return includes;
}

// The libraries are compiled without assert(); in the reader's file it works.
constexpr const char* with_assert = "#undef NDEBUG\n#include <cassert>\n";

}  // namespace

std::string without_comments(std::string_view source) {
    std::string text(source);
    enum { code, line_comment, block_comment, string, character } state = code;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\0';
        const bool quoted = state == string || state == character;
        if (state == code) {
            if (c == '/' && next == '/')
                state = line_comment;
            else if (c == '/' && next == '*')
                state = block_comment;
            else if (c == '"')
                state = string;
            else if (c == '\'')
                state = character;
            if (state == code || state == string || state == character) continue;
        }
        if (quoted && c == '\\') {
            text[i] = ' ';
            if (next != '\n' && i + 1 < text.size()) text[++i] = ' ';
            continue;
        }
        if ((state == line_comment && c == '\n') || (state == string && c == '"') ||
            (state == character && c == '\'')) {
            state = code;
            continue;
        }
        if (state == block_comment && c == '*' && next == '/') {
            text[i] = text[i + 1] = ' ';
            ++i;
            state = code;
            continue;
        }
        if (c != '\n') text[i] = ' ';
    }
    return text;
}

namespace {

// Takes back the macros of the reader's file, which would otherwise change the judge and main().
std::string without_macros(const std::string& file) {
    static const std::regex macro("^[ \\t]*#[ \\t]*define[ \\t]+(\\w+).*");
    std::istringstream lines(with_short_lines(without_comments(read_regular_file(file))));
    std::string text;
    std::smatch found;
    for (std::string line; std::getline(lines, line);)
        if (std::regex_match(line, found, macro)) text += "#undef " + found[1].str() + "\n";
    return text;
}

// A judge includes HEED_ANSWER. Here the answer stands before it, so this is a header that is there already.
constexpr const char* already_included = "lessons/course/exercise/write.h";

}  // namespace

std::string judging_program(const std::vector<Answer>& answers) {
    std::string includes, bodies, calls;
    for (const auto& [name, file, judge] : answers) {
        includes += includes_of(file) + includes_of(judge);
        bodies += fmt::format(
            "namespace {} {{\n#include \"{}\"\n{}#define HEED_ANSWER \"{}\"\n#include \"{}\"\n"
            "#undef HEED_ANSWER\n}}\n",
            name, file, without_macros(file), already_included, judge);
        calls += fmt::format(
            "    if (which == \"{0}\") return heed::course::run_judge({0}::judge, \"{1}\", argv[2]);\n",
            name, file);
    }
    return fmt::format(
        "{}#include <string>\n{}{}int main(int, char** argv) {{\n"
        "    const std::string which = argv[1];\n{}    return 2;\n}}\n",
        includes, with_assert, bodies, calls);
}

std::string joined_program(const std::vector<Answer>& answers, const std::string& program) {
    std::string includes, bodies;
    for (const Answer& answer : answers) {
        includes += includes_of(answer.file);
        bodies += fmt::format("namespace {} {{\n#include \"{}\"\n}}\n", answer.name, answer.file);
    }
    return includes + with_assert + bodies + program;
}

}  // namespace heed::course
