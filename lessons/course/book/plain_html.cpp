#include "lessons/course/book/plain_html.h"

#include <algorithm>
#include <string_view>

namespace heed::course {
namespace {

// Without everything from `begin` to `end`, both of them included.
void cut(std::string& text, std::string_view begin, std::string_view end) {
    for (std::size_t at = 0; (at = text.find(begin, at)) != std::string::npos;) {
        const std::size_t last = text.find(end, at + begin.size());
        if (last == std::string::npos) return;
        text.erase(at, last + end.size() - at);
    }
}

}  // namespace

std::string without_controls(std::string body) {
    cut(body, "<form class=\"controls\">", "</form>\n");
    cut(body, "<p class=\"trouble\"", "</p>\n");
    cut(body, "<script type=\"application/octet-stream\">", "</script>\n");
    cut(body, "<pre class=\"said\" hidden=\"\">", "</pre>\n");
    return replaced(std::move(body), "<dl></dl>\n", "");
}

std::string replaced(std::string text, const std::string& part, const std::string& other) {
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += other.size())
        text.replace(at, part.size(), other);
    return text;
}

}  // namespace heed::course
