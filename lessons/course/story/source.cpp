#include "lessons/course/story/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
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

// One piece of code above another, an empty line between them.
std::string above(const std::string& first, const std::string& second) {
    return first + (first.empty() || second.empty() ? "" : "\n") + second;
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

// A file below the folder of lessons, as text; empty if there is none.
std::string file_of_lessons(const std::function<fs::path(const fs::path& lessons)>& which) {
    const char* home = std::getenv("HEED_HOME");
    for (const char* root : {home ? home : "", HEED_ROOT}) {
        if (*root == 0) continue;
        std::ifstream file(which(fs::path(root) / "lessons"), std::ios::binary);
        std::stringstream text;
        text << file.rdbuf();
        if (file && !text.str().empty()) return text.str();
    }
    return "";
}

// The folder whose name is() accepts; empty if there is none.
fs::path folder_in(const fs::path& lessons, const std::function<bool(const std::string&)>& is) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(lessons, error))
        if (is(entry.path().filename().string())) return entry.path();
    return {};
}

// The lines that "{code FILE FUNCTION}" asks for, with the name of the file above them.
std::vector<std::string> code_named(std::string_view said, const std::string& lesson) {
    std::istringstream words(std::string(said.substr(1, said.find('}') - 1)));
    std::string command, file, function;
    words >> command >> file >> function;
    std::string code;
    for (const bool own : {true, false}) {
        const std::string source = file_of_lessons([&](const fs::path& lessons) {
            const auto is_this = [&](const std::string& name) {
                return name.substr(name.find('_') + 1) == lesson;
            };
            return (own ? folder_in(lessons, is_this) : lessons) / file;
        });
        if (code.empty()) code = definition_in(source, function);
    }
    if (code.empty()) return {};
    return lines_of("// " + file + "\n" + code + "\n");
}

}  // namespace

std::string definition_in(const std::string& source, const std::string& function) {
    const std::vector<std::string> lines = lines_of(source);
    const auto names_it = [&](const std::string& line) {
        const std::size_t at = line.find(function + "(");
        return !line.empty() && line[0] != ' ' && line[0] != '/' && at != std::string::npos &&
               (at == 0 || std::string_view(" :&*").find(line[at - 1]) != std::string::npos);
    };
    const auto is_head = [](const std::string& line) {  // what may stand above the name
        return (line.starts_with("// ") && !line.starts_with("// ---")) ||
               line.starts_with("template <");
    };
    for (auto first = lines.begin(); first != lines.end(); ++first) {
        if (!names_it(*first)) continue;
        const auto body = std::find_if(first, lines.end(), [](const std::string& line) {
            return line.ends_with("{") || line.ends_with(";");
        });
        const auto last = std::find(body, lines.end(), "}");
        if (last == lines.end() || body->ends_with(";")) continue;  // only declared here
        while (first != lines.begin() && is_head(*(first - 1))) --first;
        std::string code;
        for (auto line = first; line <= last; ++line) code += *line + "\n";
        return code;
    }
    return "";
}

std::vector<Passage> passages_of(std::string_view source, const std::string& lesson) {
    std::vector<Passage> all;
    std::string section, text;
    std::vector<std::string> code, named;  // of the lesson, and of other files
    bool first = false, closing = false, in_text = false;
    int code_line = 0;
    const auto end_passage = [&] {
        text = trimmed(text);
        if (!text.empty() || first)
            all.push_back({section, first, false, closing,
                           lesson.empty() ? with_numbers(text) : woven(text, lesson),
                           closing ? "" : with_numbers(above(tidied(named), tidied(code))),
                           code_line, text});
        text.clear();
        code.clear();
        named.clear();
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
        } else if (said.starts_with("{code ")) {
            for (std::string& named_line : code_named(said, lesson)) named.push_back(named_line);
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
    return file_of_lessons([&](const fs::path& lessons) {
        const auto is_this = [prefix = number.file() + "_"](const std::string& name) {
            return name.starts_with(prefix);
        };
        return folder_in(lessons, is_this) / "lesson.cpp";
    });
}

}  // namespace heed::course
