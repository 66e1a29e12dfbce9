#include "lessons/course/read/idx.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>

#include "lessons/course/read/text_data.h"

namespace heed::course {
namespace {

constexpr std::size_t most_values = std::size_t{1} << 30;

template <class... Args>
void check_byte(bool holds, const std::string& path, std::size_t byte, bool packed,
                fmt::format_string<Args...> message, Args&&... args) {
    if (holds) return;
    throw InputError(fmt::format("{}: byte {}{}: {}", path, byte, packed ? " (unpacked)" : "",
                                 fmt::format(message, std::forward<Args>(args)...)));
}

bool is_gzip(const std::string& bytes) { return bytes.starts_with("\x1F\x8B"); }

// A zlib stream that is closed by its destructor.
struct Inflater {
    z_stream stream{};
    Inflater() {
        check(inflateInit2(&stream, 16 + MAX_WBITS) == Z_OK, "zlib cannot be initialised");
    }
    ~Inflater() { inflateEnd(&stream); }
    Inflater(const Inflater&) = delete;
};

std::string unpack(const std::string& path, const std::string& bytes) {
    Inflater inflater;
    z_stream& stream = inflater.stream;
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    std::string out;
    std::array<char, 1 << 16> buffer;
    for (int status = Z_OK; status != Z_STREAM_END;) {
        stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
        stream.avail_out = static_cast<uInt>(buffer.size());
        status = inflate(&stream, Z_NO_FLUSH);
        const std::size_t at = bytes.size() - stream.avail_in;
        check_byte(status != Z_BUF_ERROR, path, at, false,
                   "expected more of the gzipped data, found the end of the file");
        check_byte(status == Z_OK || status == Z_STREAM_END, path, at, false,
                   "expected gzipped data, found damaged data{}{}", stream.msg ? ": " : "",
                   stream.msg ? stream.msg : "");
        out.append(buffer.data(), buffer.size() - stream.avail_out);
        check_byte(out.size() <= most_values + 64, path, at, false,
                   "expected at most {} bytes when unpacked, found more", most_values);
    }
    check_byte(stream.avail_in == 0, path, bytes.size() - stream.avail_in, false,
               "expected the end of the file, found {} bytes after the gzipped data",
               stream.avail_in);
    return out;
}

// The file as published, or gzipped.
std::string file_of(const std::string& folder, const std::string& name) {
    const std::string path = (std::filesystem::path(folder) / name).string();
    for (const char* ending : {"", ".gz"})
        if (std::filesystem::exists(path + ending)) return path + ending;
    throw InputError(fmt::format("{}: expected a file {} or {}.gz in this folder, found neither",
                                 folder, name, name));
}

}  // namespace

Idx read_idx(const std::string& path, int axes) {
    std::string bytes = read_file(path);
    Idx idx{.sizes = {}, .values = {}, .packed = is_gzip(bytes)};
    if (idx.packed) bytes = unpack(path, bytes);
    const auto byte = [&](std::size_t i) {
        check_byte(i < bytes.size(), path, i, idx.packed,
                   "expected the header of an IDX file, found the end of the file");
        return static_cast<unsigned char>(bytes[i]);
    };
    for (std::size_t i : {0, 1})
        check_byte(byte(i) == 0, path, i, idx.packed,
                   "expected 0, the first bytes of an IDX file, found {}", byte(i));
    check_byte(byte(2) == 8, path, 2, idx.packed, "expected type 8, unsigned bytes, found {}",
               byte(2));
    check_byte(byte(3) == axes, path, 3, idx.packed, "expected {} {}, found {}", axes,
               axes == 1 ? "axis" : "axes", byte(3));
    std::size_t count = 1, at = 4;
    for (int axis = 0; axis < axes; ++axis, at += 4) {
        std::size_t size = 0;
        for (std::size_t i = 0; i < 4; ++i) size = size << 8 | byte(at + i);
        check_byte(size >= 1 && size <= most_values / count, path, at, idx.packed,
                   "expected the size of axis {}, at least 1 and no more than {} values in all, "
                   "found {}",
                   axis, most_values, size);
        idx.sizes.push_back(static_cast<std::int64_t>(size));
        count *= size;
    }
    idx.start = static_cast<std::int64_t>(at);
    check_byte(bytes.size() >= at + count, path, bytes.size(), idx.packed,
               "expected {} values, found the end of the file after {}", count, bytes.size() - at);
    check_byte(bytes.size() == at + count, path, at + count, idx.packed,
               "expected the end of the file after {} values, found {} bytes more", count,
               bytes.size() - at - count);
    idx.values.assign(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.end());
    return idx;
}

Images read_digits(const std::string& folder, const std::string& set) {
    const std::string image_file = file_of(folder, set + "-images-idx3-ubyte");
    const std::string label_file = file_of(folder, set + "-labels-idx1-ubyte");
    const Idx pictures = read_idx(image_file, 3), labels = read_idx(label_file, 1);
    check_byte(labels.sizes[0] == pictures.sizes[0], label_file, 4, labels.packed,
               "expected a label for each of the {} images of {}, found {}", pictures.sizes[0],
               image_file, labels.sizes[0]);
    Images images{empty({pictures.sizes[0], pictures.sizes[1], pictures.sizes[2]}), {}};
    std::transform(pictures.values.begin(), pictures.values.end(), images.pixels.edit<float>(),
                   [](unsigned char value) { return static_cast<float>(value) / 255; });
    for (std::size_t i = 0; i < labels.values.size(); ++i) {
        check_byte(labels.values[i] <= 9, label_file, labels.start + i, labels.packed,
                   "expected a label from 0 to 9, found {}", labels.values[i]);
        images.labels.push_back(labels.values[i]);
    }
    return images;
}

}  // namespace heed::course
