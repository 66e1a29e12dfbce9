// IDX files, valid and malformed, gzipped or not. Errors name the file and the byte and say what
// was expected.
#include <zlib.h>

#include <string>

#include "lessons/material/read/idx.h"
#include "lessons/material/read/text_data.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"

using namespace heed;
using namespace heed::course;

namespace {

std::string big_endian(unsigned value) {
    std::string bytes;
    for (int shift : {24, 16, 8, 0}) bytes += static_cast<char>(value >> shift & 255);
    return bytes;
}

std::string idx(const std::vector<unsigned>& sizes, const std::string& values) {
    std::string bytes{'\0', '\0', '\x08', static_cast<char>(sizes.size())};
    for (unsigned size : sizes) bytes += big_endian(size);
    return bytes + values;
}

std::string gzipped(const std::string& bytes) {
    const Scratch scratch;
    const std::string path = scratch.path + "/x.gz";
    const gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(file);
    return read_file(path);
}

// The error from reading these bytes, without the name of the folder.
std::string complaint(const std::string& bytes, int axes = 1) {
    const Scratch scratch;
    const std::string path = scratch.file("x", bytes);
    try {
        read_idx(path, axes);
    } catch (const InputError& error) {
        return std::string(error.what()).substr(scratch.path.size() + 1);
    }
    return "";
}

const std::string three = idx({3}, "abc");

// Two pictures of 2 x 3 pixels.
const std::string pictures = idx({2, 2, 3}, std::string("\0\x33\xFF\0\0\0\xFF\0\0\0\0\0", 12));

}  // namespace

TEST_CASE("idx: valid files, gzipped or not", "[data]") {
    const Scratch scratch;
    for (const std::string& bytes : {pictures, gzipped(pictures)}) {
        const Idx read = read_idx(scratch.file("x", bytes), 3);
        CHECK(read.sizes == std::vector<std::int64_t>{2, 2, 3});
        REQUIRE(read.values.size() == 12);
        CHECK(read.values[2] == 255);
        CHECK(read.start == 16);
        CHECK(read.packed == (bytes != pictures));
    }
}

TEST_CASE("idx: digits and their labels", "[data]") {
    const Scratch scratch;
    scratch.file("t10k-images-idx3-ubyte.gz", gzipped(pictures));
    scratch.file("t10k-labels-idx1-ubyte", idx({2}, "\x07\x02"));
    const Images digits = read_digits(scratch.path, "t10k");
    CHECK(digits.pixels.shape() == Shape{2, 2, 3});
    CHECK(digits.pixels.at({0, 0, 1}) == Approx(0.2));
    CHECK(digits.pixels.at({1, 0, 0}) == 1);
    CHECK(digits.labels == std::vector<int>{7, 2});
}

TEST_CASE("idx: errors name the byte and say what was expected", "[data][errors]") {
    const auto changed = [](std::size_t at, char to) {
        std::string bytes = three;
        bytes[at] = to;
        return bytes;
    };
    CHECK(complaint("") ==
          "x: byte 0: expected the header of an IDX file, found the end of the file");
    CHECK(complaint(three.substr(0, 6)) ==
          "x: byte 6: expected the header of an IDX file, found the end of the file");
    CHECK(complaint(changed(1, 9)) ==
          "x: byte 1: expected 0, the first bytes of an IDX file, found 9");
    CHECK(complaint(changed(2, 13)) == "x: byte 2: expected type 8, unsigned bytes, found 13");
    CHECK(complaint(pictures) == "x: byte 3: expected 1 axis, found 3");
    CHECK(complaint(three, 3) == "x: byte 3: expected 3 axes, found 1");
    CHECK(complaint(idx({0}, "")).starts_with("x: byte 4: expected the size of axis 0"));
    CHECK(complaint(idx({70000, 70000}, "a"), 2)
              .starts_with("x: byte 8: expected the size of axis 1"));
    CHECK(complaint(idx({4}, "abc")) ==
          "x: byte 11: expected 4 values, found the end of the file after 3");
    CHECK(complaint(idx({2}, "abc")) ==
          "x: byte 10: expected the end of the file after 2 values, found more bytes");
}

TEST_CASE("idx: damaged gzip files", "[data][errors]") {
    const std::string packed = gzipped(three);
    CHECK(complaint(packed) == "");
    CHECK(complaint(gzipped(idx({4}, "abc"))) ==
          "x: byte 11 (unpacked): expected 4 values, found the end of the file after 3");
    for (std::size_t length = 2; length < packed.size(); ++length) {
        INFO(length);
        CHECK(
            complaint(packed.substr(0, length)) ==
            fmt::format("x: byte {}: expected more of the gzipped data, found the end of the file",
                        length));
    }
    std::string damaged = packed;
    damaged[packed.size() - 6] ^= 1;  // the checksum
    CHECK(complaint(damaged).find("expected gzipped data, found damaged data") !=
          std::string::npos);
    CHECK(complaint(packed + "abc") ==
          fmt::format("x: byte {}: expected the end of the file or another gzip member, found 3 "
                      "bytes after the gzipped data",
                      packed.size()));
}

TEST_CASE("idx: a gzip file of several members, as gzip, bgzip and pigz write them", "[data]") {
    const auto values = [](const std::string& bytes) {
        return parse_idx(bytes, "x", 1).values == std::vector<unsigned char>{'a', 'b', 'c'};
    };
    for (std::size_t cut = 0; cut <= three.size(); ++cut)
        CHECK(values(gzipped(three.substr(0, cut)) + gzipped(three.substr(cut))));
    CHECK(values(gzipped(three) + gzipped("")));
    CHECK(complaint(gzipped(three) + gzipped("d")) ==
          "x: byte 11 (unpacked): expected the end of the file after 3 values, found more bytes");
    const std::string second = gzipped(three.substr(5));
    CHECK(complaint(gzipped(three.substr(0, 5)) + second.substr(0, second.size() - 1))
              .ends_with("expected more of the gzipped data, found the end of the file"));
}

TEST_CASE("idx: a header that promises more than the file can hold is not believed",
          "[data][errors]") {
    for (const std::string& bytes : {idx({1u << 28}, "a"), gzipped(idx({1u << 28}, "a"))})
        CHECK(complaint(bytes).ends_with(
            "expected 268435456 values, found the end of the file after 1"));
    CHECK(complaint(idx({(1u << 28) + 1}, "a")).find("no more than 268435456 values") !=
          std::string::npos);
}

TEST_CASE("idx: pictures that are too small are refused by their size", "[data][errors]") {
    const Scratch scratch;
    scratch.file("train-images-idx3-ubyte", idx({2, 1, 1}, "ab"));
    scratch.file("train-labels-idx1-ubyte", idx({2}, std::string("\0\1", 2)));
    CHECK(read_digits(scratch.path, "train").pixels.shape() == Shape{2, 1, 1});
    CHECK(error_of([&] { read_digits(scratch.path, "train", 8); }) ==
          scratch.path +
              "/train-images-idx3-ubyte: byte 8: expected pictures of at least 8 x 8 "
              "pixels, found 1 x 1");
}

TEST_CASE("idx: files of images and labels that do not match", "[data][errors]") {
    const Scratch scratch;
    const auto says = [&] {
        const std::string text = error_of([&] { read_digits(scratch.path, "train"); });
        return text.substr(scratch.path.size());
    };
    CHECK(says() ==
          ": expected a file train-images-idx3-ubyte or train-images-idx3-ubyte.gz in "
          "this folder, found neither");
    scratch.file("train-images-idx3-ubyte", pictures);
    CHECK(says().starts_with(": expected a file train-labels-idx1-ubyte or"));
    scratch.file("train-labels-idx1-ubyte", idx({3}, "\x01\x02\x03"));
    CHECK(
        says().starts_with("/train-labels-idx1-ubyte: byte 4: expected a label for each of the 2"));
    scratch.file("train-labels-idx1-ubyte", idx({2}, "\x01\x0C"));
    CHECK(says() == "/train-labels-idx1-ubyte: byte 9: expected a label from 0 to 9, found 12");
    scratch.file("train-labels-idx1-ubyte", gzipped(idx({2}, "\x01\x0C")));
    CHECK(says() ==
          "/train-labels-idx1-ubyte: byte 9 (unpacked): expected a label from 0 to 9, found 12");
    CHECK_THROWS_AS(read_digits(scratch.path, "train"), InputError);
}
