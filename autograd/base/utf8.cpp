#include "autograd/base/utf8.h"

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

}  // namespace heed
