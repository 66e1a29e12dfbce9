#include <algorithm>
#include <numeric>

#include "autograd/base/half.h"
#include "autograd/base/input_file.h"
#include "nn/nn.h"
#include "nn/saved/gguf.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"
#include "tests/error_of.h"

using namespace heed;

namespace {

const std::string parity_folder = std::string(HEED_SOURCE_DIR) + "/tests/parity/";

// `bytes` with some of them replaced.
std::string edited(std::string bytes, std::size_t at, const std::string& by) {
    return bytes.replace(at, by.size(), by);
}

std::string refused(const std::string& bytes) {
    return error_of([&] { Gguf::parse(bytes, "x.gguf"); });
}

template <class T>
void put(std::string& file, T x) {
    file.append(reinterpret_cast<const char*>(&x), sizeof(T));
}
void put_text(std::string& file, std::string_view text) {
    put(file, std::uint64_t{text.size()});
    file += text;
}

// A file with one matrix [1, 32] of Q8_0 that begins at any byte: its weights are 0, 1, ... 31.
std::string one_matrix(const std::string& name) {
    std::string file = "GGUF";
    constexpr std::uint32_t version = 3, u32 = 4, q8_0 = 8;
    put(file, version), put(file, std::uint64_t{1}), put(file, std::uint64_t{1});
    put_text(file, "general.alignment"), put(file, u32), put(file, std::uint32_t{1});
    put_text(file, name), put(file, std::uint32_t{2});
    put(file, std::uint64_t{32}), put(file, std::uint64_t{1});
    put(file, q8_0), put(file, std::uint64_t{0});
    put(file, to_half(1));
    for (char q = 0; q < 32; ++q) file += q;
    return file;
}

}  // namespace

TEST_CASE("each type of numbers in a GGUF file is read as the package gguf reads it",
          "[parity][data]") {
    const Gguf file = Gguf::open(parity_folder + "blocks.gguf");
    const Safetensors expected = load_safetensors(parity_folder + "blocks.safetensors");
    REQUIRE(file.tensors().size() == 8);
    REQUIRE(expected.tensors.size() == 8);
    for (const Parameter& p : expected.tensors) {
        INFO(p.name);
        const Tensor x = file.tensor(p.name);
        CHECK(x.shape() == p.tensor.shape());
        const std::vector<double> found = x.to_vector(), wanted = p.tensor.to_vector();
        // The package multiplies in another order: at most some units in the last place.
        for (std::size_t i = 0; i < wanted.size(); ++i)
            CHECK(std::abs(found[i] - wanted[i]) <= 1e-6 * (1 + std::abs(wanted[i])));
        const GgufTensor& entry = *file.find(p.name);
        if (!Gguf::is_matrix(entry)) continue;
        const QuantisedMatrix blocks = file.matrix(p.name);
        CHECK(blocks.bytes() == static_cast<int64_t>(entry.bytes));
        CHECK(dequantise(blocks).to_vector() == found);
    }
    CHECK_FALSE(Gguf::is_matrix(*file.find("q6_k")));
    CHECK(error_of([&] { file.matrix("q6_k"); })
              .find("expected a matrix of Q8_0, Q4_0 or Q4_1, "
                    "found Q6_K of shape [2, 256]") != std::string::npos);
    CHECK(
        error_of([&] { file.tensor("none"); }).ends_with("expected the tensor 'none', found none"));
}

TEST_CASE("blocks are used where they stand in the file, and keep it", "[data]") {
    QuantisedMatrix first, second;
    std::vector<double> numbers;
    {
        const Gguf file = Gguf::open(parity_folder + "blocks.gguf");
        first = file.matrix("q8_0"), second = file.matrix("q8_0");
        numbers = file.tensor("q8_0").to_vector();
    }
    CHECK(first.data() == second.data());
    CHECK(dequantise(first).to_vector() == numbers);
}

// The scale of a block is a number of two bytes, and a file may put it at an odd address.
TEST_CASE("blocks at any byte of a file are read", "[data]") {
    const Scratch scratch;
    std::vector<double> expected(32);
    std::iota(expected.begin(), expected.end(), 0);
    for (const char* name : {"w", "ww"}) {
        const Gguf file = Gguf::open(scratch.file(name, one_matrix(name)));
        CHECK(dequantise(file.matrix(name)).to_vector() == expected);
        CHECK(file.tensor(name).to_vector() == expected);
    }
}

TEST_CASE("the settings of a GGUF file, one of each kind", "[data]") {
    const Gguf file = Gguf::open(parity_folder + "blocks.gguf");
    CHECK(file.whole("test.u8") == 200);
    CHECK(file.whole("test.i8") == -100);
    CHECK(file.whole("test.u16") == 60000);
    CHECK(file.whole("test.i16") == -30000);
    CHECK(file.whole("test.u32") == 4000000000);
    CHECK(file.whole("test.i32") == -2000000000);
    CHECK(file.whole("test.u64") == int64_t{1} << 40);
    CHECK(file.whole("test.i64") == -(int64_t{1} << 40));
    CHECK(file.number("test.f32") == 0.5);
    CHECK(file.number("test.f64") == 0.1);
    CHECK(file.whole("test.truth") == 1);
    CHECK(file.text("test.text") == "나는");
    CHECK(file.texts("test.texts") == std::vector<std::string>{"a", "", "bc"});
    CHECK(file.wholes("test.wholes") == std::vector<int64_t>{3, -1, 4});
    CHECK(error_of([&] {
              file.text("test.u8");
          }).ends_with("test.u8: expected a text, found another kind of value"));
    CHECK(error_of([&] { file.whole("no"); }).ends_with("expected the setting no, found none"));
}

TEST_CASE("a broken GGUF file is refused with one clear line", "[data][errors]") {
    const std::string whole = read_file(parity_folder + "blocks.gguf");
    CHECK_NOTHROW(Gguf::parse(whole, "x.gguf"));
    CHECK(refused("GGU") == "x.gguf: byte 0: expected the letters GGUF; is this a GGUF file?");
    CHECK(refused(edited(whole, 0, "gguf")) ==
          "x.gguf: byte 0: expected the letters GGUF; is this a GGUF file?");
    CHECK(refused(edited(whole, 4, std::string("\0\0\0\3", 4))) ==
          "x.gguf: byte 4: expected version 2 or 3, little-endian, found 50331648");
    for (const std::size_t count : {8, 16})
        CHECK(refused(edited(whole, count, std::string(8, '\xff')))
                  .starts_with("x.gguf: byte 8: expected at most "));
    CHECK(
        refused(whole.substr(0, 20))
            .starts_with(
                "x.gguf: the file ends too early, as after a stopped download: byte 16: expected "));
    // The last tensor needs all the bytes there are; cut anywhere, the file is refused.
    for (std::size_t length = 0; length + 32 < whole.size(); length += 7) {
        const std::string message = refused(whole.substr(0, length));
        INFO(length << ": " << message);
        CHECK(message.starts_with("x.gguf: "));
        CHECK(message.find('\n') == std::string::npos);
    }
    const std::size_t kind = whole.find("test.truth") + 10;
    // Each message names the byte at which the wrong value begins.
    CHECK(
        refused(edited(whole, kind, "\x0d")) ==
        fmt::format("x.gguf: byte {}: test.truth: expected the kind of a value, 0 to 12, found 13",
                    kind));
    CHECK(refused(edited(whole, kind + 4, "\2")) ==
          fmt::format("x.gguf: byte {}: test.truth: expected a truth value, 0 or 1, found 2",
                      kind + 4));
    CHECK(refused(whole.substr(0, kind + 4))
              .ends_with(
                  "test.truth: expected a whole number of 1 bytes, found 0 bytes up to the end"));
    const std::size_t tensor = whole.find("q4_k");
    const std::size_t other = whole.find("q4_1");
    CHECK(refused(edited(whole, tensor, "q4_1"))
              .starts_with(fmt::format("x.gguf: byte {}: the tensor 'q4_1' occurs twice",
                                       std::max(tensor, other) - 8)));
    CHECK(refused(edited(whole, tensor + 8, "\x10")).find("expected rows of a multiple of 256") !=
          std::string::npos);
    const std::string type = refused(edited(whole, tensor + 4 + 4 + 16, "\x63"));
    CHECK(type.starts_with(fmt::format("x.gguf: byte {}: ", tensor + 4 + 4 + 16)));
    CHECK(type.find("found type 99") != std::string::npos);
    // A wrong type leaves a gap before the next tensor, and what is behind the last one belongs to none.
    CHECK(refused(edited(whole, whole.find("q8_0") + 4 + 4 + 16, "\2")) ==
          "x.gguf: 'q4_0': expected its data where those of the tensor before it end, 576 bytes "
          "behind the head, found 608");
    CHECK(refused(whole + std::string(64, 'x')).find("bytes that belong to none") !=
          std::string::npos);
}
