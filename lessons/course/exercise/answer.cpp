#include "lessons/course/exercise/answer.h"

#include <fmt/format.h>

#include <sstream>

#include "nn/saved/input_file.h"

namespace heed::course {
namespace {

bool is_include(const std::string& line) {
    const std::size_t first = line.find_first_not_of(" \t");
    return first != std::string::npos && line[first] == '#' &&
           line.find("include", first) != std::string::npos;
}

// The include lines of a source, and the source without them (and without #pragma once, which means
// nothing here).
struct Parts {
    std::string includes, rest;
};
Parts parts_of(const std::string& source) {
    Parts parts;
    std::istringstream lines(source);
    for (std::string line; std::getline(lines, line);) {
        const bool include = is_include(line);
        if (include) parts.includes += line + "\n";
        const bool keeps = !include && line.find("#pragma once") == std::string::npos;
        parts.rest += (keeps ? line : std::string()) + "\n";
    }
    return parts;
}

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

std::string judging_program(const std::vector<Answer>& answers, const std::string& judge_file) {
    const Parts judge = parts_of(read_file(judge_file));
    std::string includes = judge.includes, bodies, calls;
    for (const Answer& answer : answers) {
        const Parts parts = parts_of(read_file(answer.file));
        includes += parts.includes;
        bodies += fmt::format("namespace {} {{\n#line 1 \"{}\"\n{}\n#line 1 \"{}\"\n{}\n}}\n",
                              answer.name, answer.file, parts.rest, judge_file, judge.rest);
        calls += fmt::format("    if (which == \"{0}\") return run_judge({0}::judge, \"{1}\");\n",
                             answer.name, answer.file);
    }
    return fmt::format(
        "{}#include \"lessons/course/exercise/judge.h\"\n#include <string>\n"
        "using namespace heed::course;\n{}\n#line 1 \"main\"\n"
        "int main(int, char** argv) {{\n    const std::string which = argv[1];\n{}    return 2;\n"
        "}}\n",
        includes, bodies, calls);
}

std::string joined_program(const std::vector<Answer>& answers, const std::string& program) {
    std::string includes, bodies;
    for (const Answer& answer : answers) {
        const Parts parts = parts_of(read_file(answer.file));
        includes += parts.includes;
        bodies += fmt::format("namespace {} {{\n#line 1 \"{}\"\n{}\n}}\n", answer.name, answer.file,
                              parts.rest);
    }
    return includes + bodies + "#line 1 \"main\"\n" + program;
}

}  // namespace heed::course
