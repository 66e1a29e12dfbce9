#include "lessons/course/story/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "lessons/course/contents/references.h"
#include "lessons/course/contents/woven.h"

namespace heed::course {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> lines_of(std::string_view source) {
    std::vector<std::string> lines;
    while (!source.empty()) {
        const std::size_t end = std::min(source.find('\n'), source.size());
        lines.emplace_back(source.substr(0, end));
        source.remove_prefix(std::min(end + 1, source.size()));
    }
    return lines;
}

// The text of a line "    //! text"; null if it is code.
const char* text_of(const std::string& line) {
    const std::size_t start = line.find_first_not_of(' ');
    if (start == std::string::npos || line.compare(start, 3, "//!") != 0) return nullptr;
    const char* text = line.c_str() + start + 3;
    return *text == ' ' ? text + 1 : text;
}

// Lines that every program has and that explain nothing.
bool is_plumbing(const std::string& line) {
    for (const char* start :
         {"#include", "#pragma", "using namespace", "namespace ", "}  // namespace"})
        if (line.starts_with(start)) return true;
    return false;
}

// The code without plumbing, without empty lines around it, moved to the left as far as it goes.
std::string tidied(std::vector<std::string> lines) {
    std::erase_if(lines, is_plumbing);
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    while (!lines.empty() && lines.front().empty()) lines.erase(lines.begin());
    std::size_t indent = std::string::npos;
    for (const std::string& line : lines)
        if (!line.empty()) indent = std::min(indent, line.find_first_not_of(' '));
    std::string code;
    bool was_empty = false;
    for (const std::string& line : lines) {
        if (!line.empty() || !was_empty) code += (line.empty() ? "" : line.substr(indent)) + "\n";
        was_empty = line.empty();
    }
    return code;
}

// A title as it stands in a string of C++.
std::string in_code(const std::string& title) {
    std::string out;
    for (const char c : title) out += c == '"' ? "\\\"" : std::string(1, c);
    return out;
}

std::string trimmed(const std::string& text) {
    const std::size_t start = text.find_first_not_of('\n');
    if (start == std::string::npos) return "";
    return text.substr(start, text.find_last_not_of('\n') - start + 1) + "\n";
}

}  // namespace

std::vector<Passage> passages_of(std::string_view source, const std::string& lesson) {
    std::vector<Passage> all;
    std::string section, text;
    std::vector<std::string> code;
    bool first = false, closing = false, in_text = false;
    int code_line = 0;
    const auto end_passage = [&] {
        text = trimmed(text);
        if (!text.empty() || first)
            all.push_back({section, first, false, closing,
                           lesson.empty() ? with_numbers(text) : woven(text, lesson),
                           closing ? "" : with_numbers(tidied(code)), code_line, text});
        text.clear();
        code.clear();
        first = false;
    };
    int number = 0;
    for (const std::string& line : lines_of(source)) {
        ++number;
        const char* words = text_of(line);
        if (!words) {
            if (in_text) code_line = number;
            in_text = false;
            code.push_back(line);
            continue;
        }
        const std::string_view said = words;
        if (!in_text) end_passage();
        in_text = true;
        code_line = number + 1;
        if (said.starts_with("## ")) {
            if (!text.empty() || first) end_passage();
            section = with_numbers(said.substr(3));
            first = true;
            closing = closing || section == closing_title;
        } else if (!said.starts_with("# ")) {
            text += std::string(said) + "\n";
        }
    }
    end_passage();
    for (Passage& passage : all) {
        const std::string call = "heading(\"" + in_code(passage.section) + "\"";
        passage.named = std::any_of(all.begin(), all.end(), [&](const Passage& other) {
            return other.section == passage.section && other.code.find(call) != std::string::npos;
        });
    }
    return all;
}

std::vector<std::string> titles_of(const std::vector<Passage>& passages) {
    std::vector<std::string> titles;
    for (const Passage& passage : passages)
        if (passage.first) titles.push_back(passage.section);
    return titles;
}

std::vector<std::string> declarations_in(const std::string& code) {
    std::vector<std::string> all;
    for (std::size_t at = 0; at < code.size();) {
        const std::size_t end = std::min(code.find('\n', at), code.size() - 1) + 1;
        const std::string line = code.substr(at, end - at);
        const bool begins = line[0] != ' ' && line[0] != '\n' && line[0] != '}';
        if (all.empty() || (begins && all.back().ends_with("\n\n"))) all.emplace_back();
        all.back() += line;
        at = end;
    }
    return all;
}

bool only_runs(const std::string& code) {
    return code.find("lesson.") != std::string::npos ||
           code.find("lesson->") != std::string::npos || code.find("(lesson") != std::string::npos;
}

std::string idea_of(const std::string& code) {
    std::string idea;
    for (const std::string& declaration : declarations_in(code))
        if (!only_runs(declaration)) idea += declaration;
    idea.erase(idea.find_last_not_of('\n') + 1);
    return idea.empty() ? "" : idea + "\n";
}

std::string source_of_lesson(LessonNumber number) {
    const char* home = std::getenv("HEED_HOME");
    const std::string prefix = number.file() + "_";
    for (const char* root : {home ? home : "", HEED_ROOT}) {
        std::error_code error;
        if (*root == 0) continue;
        for (const auto& entry : fs::directory_iterator(fs::path(root) / "lessons", error)) {
            if (!entry.path().filename().string().starts_with(prefix)) continue;
            std::ifstream file(entry.path() / "lesson.cpp", std::ios::binary);
            std::stringstream source;
            source << file.rdbuf();
            if (file && !source.str().empty()) return source.str();
        }
    }
    return "";
}

}  // namespace heed::course
