#include "lessons/course/story/highlight.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "lessons/course/terminal/markup.h"

namespace heed::course {
namespace {

constexpr std::string_view keywords[] = {
    "auto",      "bool",      "break",    "case",        "catch",  "char",    "class",    "const",
    "consteval", "constexpr", "continue", "default",     "delete", "do",      "double",   "else",
    "enum",      "explicit",  "false",    "float",       "for",    "friend",  "if",       "inline",
    "int",       "int64_t",   "long",     "namespace",   "new",    "nullptr", "operator", "private",
    "public",    "return",    "static",   "static_cast", "struct", "switch",  "template", "this",
    "throw",     "true",      "try",      "typename",    "using",  "void",    "while"};

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// The length of the string or character that begins here, with its quotes.
std::size_t quoted(std::string_view code) {
    if (code.starts_with("R\"(")) {
        const std::size_t end = code.find(")\"");
        return end == std::string_view::npos ? code.size() : end + 2;
    }
    const char quote = code[0];
    std::size_t at = 1;
    while (at < code.size() && code[at] != quote && code[at] != '\n')
        at += code[at] == '\\' ? 2 : 1;
    return std::min(at + 1, code.size());
}

}  // namespace

std::string highlighted(std::string_view code) {
    std::string out;
    const auto take = [&](std::size_t length, const char* kind) {
        const std::string text = escape(code.substr(0, length));
        out += kind ? fmt::format("<i class=\"{}\">{}</i>", kind, text) : text;
        code.remove_prefix(length);
    };
    while (!code.empty()) {
        const char c = code[0];
        if (code.starts_with("//")) {
            take(std::min(code.find('\n'), code.size()), "c");
        } else if (c == '"' || c == '\'' || code.starts_with("R\"(")) {
            take(quoted(code), "s");
        } else if (c == '#') {
            take(std::min(code.find_first_of(" \n"), code.size()), "k");
        } else if (in_name(c)) {
            const bool number = std::isdigit(static_cast<unsigned char>(c)) != 0;
            const auto end = std::find_if_not(code.begin(), code.end(), [&](char letter) {
                return in_name(letter) || (number && (letter == '.' || letter == '\''));
            });
            const auto length = static_cast<std::size_t>(end - code.begin());
            const std::string_view word = code.substr(0, length);
            const bool keyword =
                std::find(std::begin(keywords), std::end(keywords), word) != std::end(keywords);
            const bool called = length < code.size() && code[length] == '(';
            take(length, number ? "n" : keyword ? "k" : called ? "f" : nullptr);
        } else {
            const auto end = std::find_if(code.begin() + 1, code.end(), [](char letter) {
                return in_name(letter) || letter == '"' || letter == '\'' || letter == '/' ||
                       letter == '#';
            });
            take(static_cast<std::size_t>(end - code.begin()), nullptr);
        }
    }
    return out;
}

}  // namespace heed::course
