#include "lessons/course/book/kept_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>

#include "lessons/course/contents/lesson_number.h"
#include "lessons/course/terminal/markup.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

// A string of C++, or several one after the other, that begins at `at`. Moves `at` behind it.
std::string string_at(std::string_view code, std::size_t& at) {
    std::string text;
    while (at < code.size() && code[at] == '"') {
        for (++at; at < code.size() && code[at] != '"'; ++at) {
            if (code[at] == '\\' && at + 1 < code.size()) ++at;
            text += code[at];
        }
        ++at;
        std::size_t next = at;
        while (next < code.size() && std::isspace(static_cast<unsigned char>(code[next]))) ++next;
        if (next < code.size() && code[next] == '"') at = next;
    }
    return text;
}

// The arguments of a call, as they stand there, from behind its bracket.
std::vector<std::string> arguments_at(std::string_view code, std::size_t at) {
    std::vector<std::string> arguments(1);
    for (int depth = 0; at < code.size();) {
        const char c = code[at];
        if (c == '"') {
            const std::size_t begin = at;
            string_at(code, at);
            arguments.back() += code.substr(begin, at - begin);
            continue;
        }
        depth += (c == '(' || c == '{' || c == '[') - (c == ')' || c == '}' || c == ']');
        if (depth < 0) break;
        if (c == ',' && depth == 0)
            arguments.emplace_back();
        else if (!arguments.back().empty() || !std::isspace(static_cast<unsigned char>(c)))
            arguments.back() += c;
        ++at;
    }
    return arguments;
}

// The text of an argument that is nothing but a string; empty otherwise.
std::string plain(const std::string& argument) {
    std::size_t at = 0;
    const std::string text = string_at(argument, at);
    return argument.find_first_not_of(" \n", at) == std::string::npos ? text : "";
}

}  // namespace

ShownByCode shown_by(const std::string& code) {
    ShownByCode shown;
    constexpr std::string_view call = "lesson.";
    for (std::size_t at = 0; (at = code.find(call, at)) != std::string::npos;) {
        at += call.size();
        const std::size_t bracket = std::min(code.find('(', at), code.size());
        const std::string name = code.substr(at, bracket - at);
        const bool draws = name == "show" || name == "table";
        if (!draws && name != "claim" && name != "measured") continue;
        const std::vector<std::string> arguments =
            arguments_at(code, std::min(bracket + 1, code.size()));
        if (arguments.size() < 2) continue;
        if (draws && !plain(arguments.back()).empty())
            shown.captions.push_back(plain(arguments.back()));
        if (!draws && !plain(arguments[0]).empty() && !plain(arguments[1]).empty())
            shown.claims.emplace_back(plain(arguments[0]), plain(arguments[1]));
    }
    return shown;
}

KeptResults::KeptResults(const std::string& folder, const std::string& root) {
    if (folder.empty()) return;
    learn_ = fmt::format("./heed learn {} --quick", LessonNumber::from(folder).typed());
    kept_ = kept_seeds(root + "/lessons/" + folder + "/spread.json", false);
}

std::string KeptResults::after(const Passage& passage) const {
    if (learn_.empty()) return "";
    const ShownByCode shown = shown_by(passage.code);
    std::string captions, claims;
    for (const std::string& caption : shown.captions)
        captions += (captions.empty() ? "" : " <i>·</i> ") + markup_to_html(caption);
    for (const auto& [name, text] : shown.claims) {
        const auto found = kept_.find(name);
        if (found == kept_.end() || found->second.empty()) continue;
        const auto [low, high] = std::minmax_element(found->second.begin(), found->second.end());
        const std::string range =
            *low == *high ? "" : fmt::format(" ({} to {})", number(*low, 3), number(*high, 3));
        claims += fmt::format("<li>{}: <strong>{}</strong>{}</li>\n", markup_to_html(text),
                              number(median(found->second), 3), range);
    }
    std::string html;
    if (!captions.empty())
        html += fmt::format(
            "<p class=\"facts\">{} with <code>{}</code>, in seconds: {}</p>\n",
            shown.captions.size() == 1 ? "A figure or table comes" : "Figures and tables come",
            learn_, captions);
    if (!claims.empty())
        html += fmt::format(
            "<div class=\"kept\">\n<p>From our runs, the median of the seeds, and in brackets the smallest and the "
            "largest:</p>\n<ul>\n{}</ul>\n</div>\n",
            claims);
    return html;
}

}  // namespace heed::course
