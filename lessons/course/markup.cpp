#include "lessons/course/markup.h"

#include <fmt/format.h>

#include <vector>

#include "lessons/course/text.h"

namespace heed::course {
namespace {

enum class Dress { plain, code, emphasis, strong };

struct Span {
    Dress dress;
    std::string text;
};

// The marked words at the start of the text, or nothing: a mark opens before a letter and closes
// behind one, so that "3 * 4 * 5" stays arithmetic.
bool marked(std::string_view text, std::string_view mark, std::string_view& inside) {
    if (!text.starts_with(mark)) return false;
    const std::string_view rest = text.substr(mark.size());
    if (rest.empty() || rest[0] == ' ' || rest[0] == mark[0]) return false;
    for (std::size_t end = rest.find(mark); end != std::string_view::npos;
         end = rest.find(mark, end + 1)) {
        if (rest[end - 1] == ' ') continue;
        inside = rest.substr(0, end);
        return true;
    }
    return false;
}

std::vector<Span> spans(std::string_view text) {
    std::vector<Span> found = {{Dress::plain, ""}};
    while (!text.empty()) {
        std::string_view inside;
        const auto take = [&](Dress dress, std::size_t marks) {
            found.push_back({dress, std::string(inside)});
            found.push_back({Dress::plain, ""});
            text.remove_prefix(inside.size() + marks);
        };
        if (marked(text, "`", inside)) {
            take(Dress::code, 2);
        } else if (marked(text, "**", inside)) {
            take(Dress::strong, 4);
        } else if (marked(text, "*", inside)) {
            take(Dress::emphasis, 2);
        } else {
            found.back().text += text[0];
            text.remove_prefix(1);
        }
    }
    return found;
}

}  // namespace

std::string escape(std::string_view text) {
    std::string out;
    for (const char letter : printable(text)) {
        switch (letter) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            case '\'':
                out += "&#39;";
                break;
            default:
                out += letter;
        }
    }
    return out;
}

std::string markup_to_html(std::string_view text) {
    std::string out;
    for (const Span& span : spans(text)) {
        const char* tag = span.dress == Dress::code       ? "code"
                          : span.dress == Dress::emphasis ? "em"
                                                          : "strong";
        out += span.dress == Dress::plain ? escape(span.text)
                                          : fmt::format("<{0}>{1}</{0}>", tag, escape(span.text));
    }
    return out;
}

std::string markup_to_screen(std::string_view text, const Screen& screen) {
    std::string out;
    for (const Span& span : spans(printable(text))) {
        const Ink ink = span.dress == Dress::code       ? Ink::accent
                        : span.dress == Dress::emphasis ? Ink::italic
                        : span.dress == Dress::strong   ? Ink::strong
                                                        : Ink::plain;
        out += screen.paint(span.text, ink);
    }
    return out;
}

}  // namespace heed::course
