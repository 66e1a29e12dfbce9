#include "lessons/material/read/idx.h"

#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "lessons/material/read/text_data.h"

namespace heed::course {
namespace {

template <class... Args>
void check_byte(bool holds, const std::string& name, std::size_t byte, bool packed,
                fmt::format_string<Args...> message, Args&&... args) {
    if (holds) return;
    throw InputError(fmt::format("{}: byte {}{}: {}", name, byte, packed ? " (unpacked)" : "",
                                 fmt::format(message, std::forward<Args>(args)...)));
}

constexpr std::string_view gzip_mark = "\x1F\x8B";

// Unpacks a gzipped file piece by piece, so that its header can be read before the rest. A gzip
// file has one or more members, one after the other, each packed on its own (RFC 1952, section 2.2).
class Inflater {
  public:
    Inflater(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {
        check(inflateInit2(&stream_, 16 + MAX_WBITS) == Z_OK, "zlib cannot be initialised");
    }
    ~Inflater() { inflateEnd(&stream_); }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    // Fills `to` as far as the file reaches, and returns how many bytes that were.
    std::size_t read(unsigned char* to, std::size_t count) {
        std::size_t got = 0;
        while (got < count && !over_) {
            const auto in = std::min<std::size_t>(bytes_.size() - at_, 1 << 20);
            const auto out = std::min<std::size_t>(count - got, 1 << 20);
            stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes_.data() + at_));
            stream_.avail_in = static_cast<uInt>(in);
            stream_.next_out = to + got;
            stream_.avail_out = static_cast<uInt>(out);
            const int status = inflate(&stream_, Z_NO_FLUSH);
            at_ += in - stream_.avail_in;
            got += out - stream_.avail_out;
            check_byte(status != Z_BUF_ERROR, name_, at_, false,
                       "expected more of the gzipped data, found the end of the file");
            check_byte(status == Z_OK || status == Z_STREAM_END, name_, at_, false,
                       "expected gzipped data, found damaged data{}{}", stream_.msg ? ": " : "",
                       stream_.msg ? stream_.msg : "");
            if (status == Z_STREAM_END) next_member();
        }
        return got;
    }

  private:
    void next_member() {
        over_ = at_ == bytes_.size();
        if (over_) return;
        check_byte(bytes_.substr(at_).starts_with(gzip_mark), name_, at_, false,
                   "expected the end of the file or another gzip member, found {} bytes after the "
                   "gzipped data",
                   bytes_.size() - at_);
        inflateReset(&stream_);
    }

    z_stream stream_{};
    std::string_view bytes_;
    const std::string& name_;
    std::size_t at_ = 0;  // packed bytes read
    bool over_ = false;
};

// The file as published, or gzipped.
std::string file_of(const std::string& folder, const std::string& name) {
    const std::string path = (std::filesystem::path(folder) / name).string();
    for (const char* ending : {"", ".gz"})
        if (std::filesystem::exists(path + ending)) return path + ending;
    throw InputError(fmt::format("{}: expected a file {} or {}.gz in this folder, found neither",
                                 folder, name, name));
}

}  // namespace

Idx parse_idx(std::string_view bytes, const std::string& name, int axes) {
    Idx idx{.sizes = {}, .values = {}, .packed = bytes.starts_with(gzip_mark)};
    std::optional<Inflater> inflater;
    if (idx.packed) inflater.emplace(bytes, name);
    std::size_t at = 0;
    const auto read = [&](unsigned char* to, std::size_t count) {
        if (inflater) return inflater->read(to, count);
        const std::size_t got = std::min(count, bytes.size() - at);
        std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), got, to);
        return got;
    };

    // The header: what it says about sizes is believed only as far as the file can hold it. A byte
    // of gzip unpacks to at most 1032 bytes (zlib, "Maximum Compression Factor").
    const std::size_t most =
        std::min(most_idx_values, idx.packed ? bytes.size() * 1032 : bytes.size());
    std::vector<unsigned char> header(4 + 4 * static_cast<std::size_t>(axes));
    const std::size_t got = read(header.data(), header.size());
    const auto byte = [&](std::size_t i) {
        check_byte(i < got, name, i, idx.packed,
                   "expected the header of an IDX file, found the end of the file");
        return header[i];
    };
    for (std::size_t i : {0, 1})
        check_byte(byte(i) == 0, name, i, idx.packed,
                   "expected 0, the first bytes of an IDX file, found {}", byte(i));
    check_byte(byte(2) == 8, name, 2, idx.packed, "expected type 8, unsigned bytes, found {}",
               byte(2));
    check_byte(byte(3) == axes, name, 3, idx.packed, "expected {} {}, found {}", axes,
               axes == 1 ? "axis" : "axes", byte(3));
    std::size_t count = 1;
    at = 4;
    for (int axis = 0; axis < axes; ++axis, at += 4) {
        std::size_t size = 0;
        for (std::size_t i = 0; i < 4; ++i) size = size << 8 | byte(at + i);
        check_byte(size >= 1 && size <= most_idx_values / count, name, at, idx.packed,
                   "expected the size of axis {}, at least 1 and no more than {} values in all, "
                   "found {}",
                   axis, most_idx_values, size);
        idx.sizes.push_back(static_cast<std::int64_t>(size));
        count *= size;
    }
    idx.start = static_cast<std::int64_t>(at);

    // The values, and one byte more to see that there is none.
    idx.values.resize(std::min(count, most));
    const std::size_t found = read(idx.values.data(), idx.values.size());
    check_byte(found == count, name, at + found, idx.packed,
               "expected {} values, found the end of the file after {}", count, found);
    at += found;
    unsigned char extra = 0;
    check_byte(read(&extra, 1) == 0, name, at, idx.packed,
               "expected the end of the file after {} values, found more bytes", count);
    return idx;
}

Idx read_idx(const std::string& path, int axes) {
    return parse_idx(read_file(path, most_idx_values + (1 << 20)), path, axes);
}

Images read_digits(const std::string& folder, const std::string& set, int smallest) {
    const std::string image_file = file_of(folder, set + "-images-idx3-ubyte");
    const std::string label_file = file_of(folder, set + "-labels-idx1-ubyte");
    const Idx pictures = read_idx(image_file, 3), labels = read_idx(label_file, 1);
    for (std::size_t axis : {1, 2})
        check_byte(pictures.sizes[axis] >= smallest, image_file, 4 + 4 * axis, pictures.packed,
                   "expected pictures of at least {0} x {0} pixels, found {1} x {2}", smallest,
                   pictures.sizes[1], pictures.sizes[2]);
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
