// A small checker of HTML and SVG, independent of the code that writes them: tags are balanced,
// attributes are quoted and unique, & and < are escaped.
#pragma once

#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace well_formed {

inline bool is_void(const std::string& tag) {
    return tag == "meta" || tag == "br" || tag == "link" || tag == "img" || tag == "hr" ||
           tag == "input";
}

inline bool good_text(std::string_view text) {
    for (std::size_t at = text.find('&'); at != std::string_view::npos;
         at = text.find('&', at + 1)) {
        const std::size_t end = text.find(';', at);
        if (end == std::string_view::npos || end - at > 8) return false;
        const std::string_view name = text.substr(at + 1, end - at - 1);
        if (name != "amp" && name != "lt" && name != "gt" && name != "quot" && name != "#39")
            return false;
    }
    return text.find('>') == std::string_view::npos;
}

// What is wrong with the attributes of a tag (the text after its name); empty if nothing is.
inline std::string attributes_fault(std::string_view rest, const std::string& tag) {
    std::set<std::string> seen;
    for (std::size_t at = 0;;) {
        while (at < rest.size() && std::isspace(static_cast<unsigned char>(rest[at]))) ++at;
        if (at >= rest.size()) return "";
        const std::size_t start = at;
        while (at < rest.size() && rest[at] != '=' &&
               !std::isspace(static_cast<unsigned char>(rest[at])))
            ++at;
        const std::string name(rest.substr(start, at - start));
        if (!seen.insert(name).second)
            return "the attribute " + name + " occurs twice in <" + tag + ">";
        if (at >= rest.size() || rest[at] != '=') continue;  // without a value, like hidden
        if (at + 1 >= rest.size() || rest[at + 1] != '"') return "unquoted " + name + " in " + tag;
        const std::size_t end = rest.find('"', at + 2);
        if (end == std::string_view::npos) return "open quote in <" + tag + ">";
        if (!good_text(rest.substr(at + 2, end - at - 2))) return "bare & or > in " + name;
        at = end + 1;
    }
}

// What is wrong with the document; empty if nothing is. `count` receives the number of elements.
inline std::string fault(std::string_view text, int* count = nullptr) {
    std::vector<std::string> open;
    int elements = 0;
    while (!text.empty()) {
        const std::size_t start = text.find('<');
        if (!good_text(text.substr(0, start))) return "a bare & or > in the text";
        if (start == std::string_view::npos) break;
        text.remove_prefix(start);
        if (text.starts_with("<!") || text.starts_with("<?")) {
            text.remove_prefix(text.find('>') + 1);
            continue;
        }
        std::size_t end = 1;  // the first > outside quotes
        for (bool quoted = false; end < text.size() && (quoted || text[end] != '>'); ++end)
            quoted ^= text[end] == '"';
        if (end >= text.size()) return "a tag without an end";
        std::string_view inside = text.substr(1, end - 1);
        text.remove_prefix(end + 1);

        if (inside.starts_with('/')) {
            const std::string tag(inside.substr(1));
            if (open.empty() || open.back() != tag) return "</" + tag + "> without a start tag";
            open.pop_back();
            continue;
        }
        const bool closed = inside.ends_with('/');
        if (closed) inside.remove_suffix(1);
        std::size_t name_end = 0;
        while (name_end < inside.size() &&
               std::isalnum(static_cast<unsigned char>(inside[name_end])))
            ++name_end;
        const std::string tag(inside.substr(0, name_end));
        if (tag.empty()) return "a bare <";
        ++elements;
        if (const std::string bad = attributes_fault(inside.substr(name_end), tag); !bad.empty())
            return bad;
        if (closed || is_void(tag)) continue;
        open.push_back(tag);
        if (tag == "script" || tag == "style") {  // their contents are not markup
            const std::size_t close = text.find("</" + tag + ">");
            if (close == std::string_view::npos) return "<" + tag + "> never ends";
            text.remove_prefix(close);
        }
    }
    if (count) *count = elements;
    return open.empty() ? "" : "<" + open.back() + "> is never closed";
}

inline int occurrences(std::string_view text, std::string_view part) {
    int count = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos;
         at = text.find(part, at + 1))
        ++count;
    return count;
}

// The values of an attribute on a page, in their order; without those that are a picture themselves.
inline std::vector<std::string> values_of(const std::string& page, const std::string& attribute) {
    std::vector<std::string> values;
    const std::string mark = " " + attribute + "=\"";
    for (std::size_t at = 0; (at = page.find(mark, at)) != std::string::npos;) {
        at += mark.size();
        const std::string value = page.substr(at, page.find('"', at) - at);
        if (!value.starts_with("data:")) values.push_back(value);
    }
    return values;
}

}  // namespace well_formed
