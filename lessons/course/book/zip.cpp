#include "lessons/course/book/zip.h"

#include <zlib.h>

#include "autograd/base/error.h"

namespace heed::course {
namespace {

// A number of this many bytes, the lowest byte first.
std::string bytes_of(std::size_t number, int count) {
    std::string bytes;
    for (int i = 0; i < count; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xFF);
    return bytes;
}

// Without the header and the check sum that zlib puts around it (RFC 1951).
std::string raw_deflated(const std::string& bytes) {
    z_stream stream{};
    constexpr int raw = -15, memory = 8;
    int status =
        deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, raw, memory, Z_DEFAULT_STRATEGY);
    check(status == Z_OK, "zip: zlib could not begin (status {})", status);
    std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    status = deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    check(status == Z_STREAM_END, "zip: zlib could not compress {} bytes (status {})", bytes.size(),
          status);
    return out;
}

}  // namespace

void Zip::add(const std::string& name, const std::string& bytes, Method method) {
    constexpr std::size_t limit = 0xFFFFFFFF, first_of_january_1980 = 0x0021;
    check(bytes.size() < limit && files_.size() < limit, "zip: {} is too large", name);
    const std::string packed = method == stored ? bytes : raw_deflated(bytes);
    const std::size_t sum =
        crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
    const std::string about = bytes_of(20, 2) + bytes_of(0x0800, 2) +  // version; names are UTF-8
                              bytes_of(method, 2) + bytes_of(0, 2) +
                              bytes_of(first_of_january_1980, 2) + bytes_of(sum, 4) +
                              bytes_of(packed.size(), 4) + bytes_of(bytes.size(), 4) +
                              bytes_of(name.size(), 2) + bytes_of(0, 2);
    directory_ += "PK\x01\x02" + bytes_of(20, 2) + about + bytes_of(0, 2 + 2 + 2 + 4) +
                  bytes_of(files_.size(), 4) + name;
    files_ += "PK\x03\x04" + about + name + packed;
    ++count_;
}

std::string Zip::finish() const {
    const auto count = static_cast<std::size_t>(count_);
    return files_ + directory_ + "PK\x05\x06" + bytes_of(0, 4) + bytes_of(count, 2) +
           bytes_of(count, 2) + bytes_of(directory_.size(), 4) + bytes_of(files_.size(), 4) +
           bytes_of(0, 2);
}

}  // namespace heed::course
