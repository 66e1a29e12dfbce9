// IDX files with one to three axes, plain or gzipped. A plain file is its header and its values; the
// same file gzipped in two members must give the same.
#include "lessons/material/read/idx.h"

#include <zlib.h>

#include "tests/fuzz/harness.h"

namespace {

std::string gzipped(std::string_view bytes) {
    z_stream stream{};
    deflateInit2(&stream, 1, Z_DEFLATED, 16 + 9, 1, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, bytes.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

}  // namespace

void heed::fuzz::idx(std::string_view bytes) {
    for (int axes = 1; axes <= 3; ++axes) {
        course::Idx read;
        if (!accepts([&] { read = course::parse_idx(bytes, file, axes); })) continue;
        std::size_t count = 1;
        for (const std::int64_t size : read.sizes) count *= static_cast<std::size_t>(size);
        if (read.values.size() != count) wrong("the sizes are not those of the values");
        if (read.packed) continue;

        const std::size_t start = 4 + 4 * static_cast<std::size_t>(axes);
        if (bytes.size() != start + count) wrong("the file is longer or shorter than its values");
        for (std::size_t i = 0; i < count; ++i)
            if (read.values[i] != static_cast<unsigned char>(bytes[start + i])) wrong("a value");
        const std::size_t middle = bytes.size() / 2;
        const std::string packed = gzipped(bytes.substr(0, middle)) + gzipped(bytes.substr(middle));
        const course::Idx again = course::parse_idx(packed, file, axes);
        if (again.sizes != read.sizes || again.values != read.values) wrong("gzipped it differs");
    }
}
