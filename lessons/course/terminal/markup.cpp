#include "lessons/course/terminal/markup.h"

#include <fmt/format.h>

#include <cctype>
#include <vector>

#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A number after one of these characters is part of a name and is not changed.
bool in_word(char c) {
    return is_digit(c) || std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}

enum class Style { plain, code, emphasis, strong };

struct Span {
    Style style;
    std::string text;
};

// Whether the text starts with marked words, and which. A mark opens before a letter and closes
// after one, so that the stars of "3 * 4 * 5" remain stars.
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
    std::vector<Span> found = {{Style::plain, ""}};
    while (!text.empty()) {
        std::string_view inside;
        const auto take = [&](Style style, std::size_t marks) {
            found.push_back({style, std::string(inside)});
            found.push_back({Style::plain, ""});
            text.remove_prefix(inside.size() + marks);
        };
        if (marked(text, "`", inside)) {
            take(Style::code, 2);
        } else if (marked(text, "**", inside)) {
            take(Style::strong, 4);
        } else if (marked(text, "*", inside)) {
            take(Style::emphasis, 2);
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

std::string with_powers(std::string_view text) {
    const auto digits = [&](std::size_t at) {
        while (at < text.size() && is_digit(text[at])) ++at;
        return at;
    };
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        // At the start of a word: the digits before an e, the sign and digits after it, and the
        // end.
        std::size_t e = digits(at);
        if (e > at && e + 1 < text.size() && text[e] == '.') e = digits(e + 1);
        std::size_t power = e + 1;
        const bool minus = power < text.size() && text[power] == '-';
        if (power < text.size() && (text[power] == '-' || text[power] == '+')) ++power;
        const std::size_t end = digits(power);
        const bool scientific = e > at && e < text.size() && text[e] == 'e' && end > power &&
                                (end == text.size() || !in_word(text[end]));
        if (scientific) {
            const std::string_view mantissa = text.substr(at, e - at);
            while (power + 1 < end && text[power] == '0') ++power;
            out += fmt::format(R"(<span class="power">{}10<sup>{}{}</sup></span>)",
                               mantissa == "1" ? "" : fmt::format("{} × ", mantissa),
                               minus ? "−" : "", text.substr(power, end - power));
            at = end;
            continue;
        }
        do out += text[at++];  // the rest of the word and the character after it
        while (at < text.size() && in_word(text[at - 1]));
    }
    return out;
}

std::string with_curly_quotes(std::string_view text, char before) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char next = at + 1 < text.size() ? text[at + 1] : 'x';
        const bool opens = std::string_view(" \n([{\"'").find(before) != std::string_view::npos &&
                           next != ' ' && next != '\n';
        if (text[at] == '"')
            out += opens ? "“" : "”";
        else if (text[at] == '\'')
            out += opens ? "‘" : "’";
        else
            out += text[at];
        before = text[at];
    }
    return out;
}

std::string with_tied_percents(std::string html) {
    for (std::size_t at = 0; (at = html.find(" %", at + 1)) != std::string::npos;)
        if (is_digit(html[at - 1])) html.replace(at, 1, "\u00A0");
    return html;
}

std::string markup_to_html(std::string_view text) {
    std::string out;
    char before = ' ';
    for (Span& span : spans(text)) {
        const char last = span.text.empty() ? before : span.text.back();
        if (span.style != Style::code) span.text = with_curly_quotes(span.text, before);
        before = last;
        const char* tag = span.style == Style::code       ? "code"
                          : span.style == Style::emphasis ? "em"
                                                          : "strong";
        const std::string html = with_tied_percents(escape(span.text));
        out += span.style == Style::plain ? with_powers(html)
                                          : fmt::format("<{0}>{1}</{0}>", tag, html);
    }
    return out;
}

std::string markup_to_screen(std::string_view text, const Screen& screen) {
    std::string out;
    for (const Span& span : spans(printable(text))) {
        const Ink ink = span.style == Style::code       ? Ink::accent
                        : span.style == Style::emphasis ? Ink::italic
                        : span.style == Style::strong   ? Ink::strong
                                                        : Ink::plain;
        out += screen.paint(span.text, ink);
    }
    return out;
}

std::string title_text(const std::string& title, const Screen& screen) {
    return wrap(screen.paint(printable(title), Ink::strong), screen.width, "  ");
}

}  // namespace heed::course
