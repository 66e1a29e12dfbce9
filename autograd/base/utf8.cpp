#include "autograd/base/utf8.h"

#include "autograd/base/error.h"

namespace heed {

// The first byte says how many bytes follow; each of those is 10xxxxxx and holds six bits.
//
//     0xxxxxxx                                 up to U+007F
//     110xxxxx 10xxxxxx                        up to U+07FF
//     1110xxxx 10xxxxxx 10xxxxxx               up to U+FFFF
//     11110xxx 10xxxxxx 10xxxxxx 10xxxxxx      up to U+10FFFF
Utf8Point utf8_first(std::string_view text) {
    if (text.empty()) return {};
    const unsigned char first = static_cast<unsigned char>(text[0]);
    if (first < 0x80) return {first, 1};

    int bytes = 0;
    char32_t value = 0, smallest = 0;
    if ((first & 0xE0) == 0xC0) bytes = 2, value = first & 0x1F, smallest = 0x80;
    if ((first & 0xF0) == 0xE0) bytes = 3, value = first & 0x0F, smallest = 0x800;
    if ((first & 0xF8) == 0xF0) bytes = 4, value = first & 0x07, smallest = 0x10000;
    if (bytes == 0 || static_cast<int>(text.size()) < bytes) return {};

    for (int i = 1; i < bytes; ++i) {
        const unsigned char next = static_cast<unsigned char>(text[static_cast<std::size_t>(i)]);
        if ((next & 0xC0) != 0x80) return {};
        value = (value << 6) | (next & 0x3F);
    }

    const bool overlong = value < smallest;
    const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    if (overlong || surrogate || value > 0x10FFFF) return {};
    return {value, bytes};
}

std::size_t utf8_invalid_at(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const int bytes = utf8_first(text.substr(at)).bytes;
        if (bytes == 0) return at;
        at += static_cast<std::size_t>(bytes);
    }
    return std::string_view::npos;
}

// --- whole texts

namespace {

// Calls visit(point, its bytes) for every character of the text.
template <class Visit>
void for_each_point(std::string_view text, const Visit& visit) {
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Point point = utf8_first(text.substr(at));
        check(point.bytes > 0, "not valid UTF-8: byte 0x{:02X} at offset {}",
              static_cast<unsigned char>(text[at]), at);
        visit(point.value, text.substr(at, static_cast<std::size_t>(point.bytes)));
        at += static_cast<std::size_t>(point.bytes);
    }
}

}  // namespace

std::u32string utf8_decode(std::string_view text) {
    std::u32string points;
    points.reserve(text.size());
    for_each_point(text, [&](char32_t value, std::string_view) { points += value; });
    return points;
}

std::vector<std::string> utf8_characters(std::string_view text) {
    std::vector<std::string> characters;
    for_each_point(text, [&](char32_t, std::string_view bytes) { characters.emplace_back(bytes); });
    return characters;
}

std::string utf8_encode(char32_t point) {
    check(point <= 0x10FFFF && !(point >= 0xD800 && point <= 0xDFFF),
          "U+{:04X} is not a character that UTF-8 can hold", static_cast<unsigned>(point));
    std::string text;
    const auto put = [&](char32_t byte) { text += static_cast<char>(byte); };
    if (point < 0x80) {
        put(point);
    } else if (point < 0x800) {
        put(0xC0 | (point >> 6));
        put(0x80 | (point & 0x3F));
    } else if (point < 0x10000) {
        put(0xE0 | (point >> 12));
        put(0x80 | ((point >> 6) & 0x3F));
        put(0x80 | (point & 0x3F));
    } else {
        put(0xF0 | (point >> 18));
        put(0x80 | ((point >> 12) & 0x3F));
        put(0x80 | ((point >> 6) & 0x3F));
        put(0x80 | (point & 0x3F));
    }
    return text;
}

std::string utf8_encode(std::u32string_view points) {
    std::string text;
    text.reserve(points.size());
    for (const char32_t point : points) text += utf8_encode(point);
    return text;
}

}  // namespace heed
