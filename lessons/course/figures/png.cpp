#include "lessons/course/figures/png.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#ifndef __EMSCRIPTEN__
#include <zlib.h>
#endif

#include "autograd/base/error.h"

namespace heed::course {
namespace {

std::string big_endian(std::size_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xFF);
    return bytes;
}

#ifdef __EMSCRIPTEN__  // without zlib: not compressed

std::uint32_t crc(const std::string& bytes) {  // PNG specification, annex D
    std::uint32_t sum = ~0u;
    for (const char byte : bytes) {
        sum ^= static_cast<unsigned char>(byte);
        for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ (sum & 1 ? 0xEDB88320u : 0);
    }
    return ~sum;
}

// Stored blocks of at most 65,535 bytes (RFC 1951, section 3.2.4) inside the format of zlib (RFC 1950).
std::string deflated(const std::string& bytes) {
    std::string out = "\x78\x01";
    std::uint32_t a = 1, b = 0;
    for (std::size_t at = 0; at < bytes.size() || at == 0;) {
        const std::size_t size = std::min<std::size_t>(bytes.size() - at, 65535);
        out += static_cast<char>(at + size == bytes.size());
        for (const std::size_t half : {size, ~size})
            out += {static_cast<char>(half & 0xFF), static_cast<char>(half >> 8 & 0xFF)};
        out += bytes.substr(at, size);
        for (const char byte : bytes.substr(at, size)) {
            a = (a + static_cast<unsigned char>(byte)) % 65521;
            b = (b + a) % 65521;
        }
        at += std::max<std::size_t>(size, 1);
    }
    return out + big_endian(std::size_t{b} << 16 | a);
}

#else

std::uint32_t crc(const std::string& bytes) {
    return static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

std::string deflated(const std::string& bytes) {
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    std::string out(size, '\0');
    const int status =
        compress(reinterpret_cast<Bytef*>(out.data()), &size,
                 reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()));
    check(status == Z_OK, "zlib could not compress {} bytes (status {})", bytes.size(), status);
    out.resize(size);
    return out;
}

#endif

// A chunk is its length, its name, its bytes, and a checksum of the name and the bytes.
std::string chunk(const std::string& name, const std::string& bytes) {
    const std::string body = name + bytes;
    return big_endian(bytes.size()) + body + big_endian(crc(body));
}

// What a number of a pixel means is said by `type`, colour type 0 (grey) or 3 (an entry of the palette).
std::string png(const std::vector<double>& pixels, int height, int width, char type,
                const std::string& palette) {
    std::string rows;  // each row starts with the number of its filter; 0 means no filter
    for (int y = 0; y < height; ++y) {
        rows += '\0';
        for (int x = 0; x < width; ++x) {
            const double grey = pixels[static_cast<std::size_t>(y * width + x)];
            const double level = std::isfinite(grey) ? std::clamp(grey, 0.0, 1.0) : 0;
            rows += static_cast<char>(std::lround(level * 255));
        }
    }
    const std::string depth_8{8, type, 0, 0, 0};
    const std::string header = big_endian(static_cast<std::size_t>(width)) +
                               big_endian(static_cast<std::size_t>(height)) + depth_8;
    return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + palette + chunk("IDAT", deflated(rows)) +
           chunk("IEND", "");
}

}  // namespace

std::string grey_png(const std::vector<double>& pixels, int height, int width) {
    return png(pixels, height, width, 0, "");
}

std::string two_coloured_png(const std::vector<double>& pixels, int height, int width) {
    constexpr double blue[] = {0x1b, 0x5e, 0x93}, orange[] = {0xc4, 0x54, 0x1d};
    std::string colours;
    for (int level = 0; level < 256; ++level) {
        const double strength = std::abs(2 * level / 255. - 1);
        for (const double full : level < 128 ? blue : orange)
            colours += static_cast<char>(std::lround(255 + strength * (full - 255)));
    }
    return png(pixels, height, width, 3, chunk("PLTE", colours));
}

std::string base64(std::string_view bytes) {
    constexpr const char* letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        unsigned three = 0;  // three bytes are four letters of six bits
        for (std::size_t i = 0; i < 3; ++i) {
            const unsigned byte =
                at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0;
            three = three << 8 | byte;
        }
        for (int i = 0; i < 4; ++i) {
            const bool padding = at + static_cast<std::size_t>(i) > bytes.size();
            text += padding ? '=' : letters[three >> (18 - 6 * i) & 63];
        }
    }
    return text;
}

std::string data_address(std::string_view bytes, const std::string& media_type) {
    return "data:" + media_type + ";base64," + base64(bytes);
}

}  // namespace heed::course
