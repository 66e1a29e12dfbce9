#include "lessons/course/figures/png.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>

#include "autograd/base/error.h"

namespace heed::course {
namespace {

std::string big_endian(std::size_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xFF);
    return bytes;
}

// A chunk is its length, its name, its bytes, and a checksum of the name and the bytes.
std::string chunk(const std::string& name, const std::string& bytes) {
    const std::string body = name + bytes;
    const uLong sum =
        crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
    return big_endian(bytes.size()) + body + big_endian(sum);
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

}  // namespace

std::string grey_png(const std::vector<double>& pixels, int height, int width) {
    std::string rows;  // each row starts with the number of its filter; 0 means no filter
    for (int y = 0; y < height; ++y) {
        rows += '\0';
        for (int x = 0; x < width; ++x) {
            const double grey = pixels[static_cast<std::size_t>(y * width + x)];
            const double level = std::isfinite(grey) ? std::clamp(grey, 0.0, 1.0) : 0;
            rows += static_cast<char>(std::lround(level * 255));
        }
    }
    const std::string depth_8_grey("\x08\0\0\0\0", 5);
    const std::string header = big_endian(static_cast<std::size_t>(width)) +
                               big_endian(static_cast<std::size_t>(height)) + depth_8_grey;
    return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunk("IDAT", deflated(rows)) +
           chunk("IEND", "");
}

std::string data_address(const std::string& bytes, const std::string& media_type) {
    constexpr const char* letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text = "data:" + media_type + ";base64,";
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

}  // namespace heed::course
