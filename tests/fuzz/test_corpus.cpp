// The inputs that the fuzzers found worth keeping, replayed: no reader may crash on them, throw
// anything but heed::Error, or read something else than a second reader does.
#include <filesystem>
#include <fstream>

#include "autograd/autograd.h"
#include "tests/catch.h"
#include "tests/fuzz/harness.h"

namespace {

namespace fs = std::filesystem;
using namespace heed;

const fs::path corpus = fs::path(HEED_SOURCE_DIR) / "tests/fuzz/corpus";

// One input a line, as hexadecimal digits.
std::vector<std::string> inputs_of(const std::string& reader) {
    std::ifstream file(corpus / (reader + ".hex"));
    std::vector<std::string> inputs;
    for (std::string line; std::getline(file, line);) {
        inputs.emplace_back();
        for (std::size_t i = 0; i + 1 < line.size(); i += 2)
            inputs.back() += static_cast<char>(std::stoi(line.substr(i, 2), nullptr, 16));
    }
    return inputs;
}

TEST_CASE("the inputs kept from fuzzing are read or refused", "[data][errors][fuzz]") {
    for (const fuzz::Harness& harness : fuzz::all) {
        const std::vector<std::string> inputs = inputs_of(harness.name);
        INFO(harness.name);
        CHECK(inputs.size() >= 10);
        for (const std::string& bytes : inputs) {
            INFO(escaped(bytes));
            CHECK_NOTHROW(harness.run(bytes));
        }
        // Cut short anywhere, the first few are no reason to crash either.
        for (std::size_t i = 0; i < std::min<std::size_t>(inputs.size(), 20); ++i)
            for (std::size_t length = 0; length < inputs[i].size(); ++length)
                CHECK_NOTHROW(harness.run(std::string_view(inputs[i]).substr(0, length)));
    }
}

TEST_CASE("the kept inputs are small, and each reader has some", "[fuzz]") {
    std::uintmax_t total = 0, files = 0;
    for (const auto& entry : fs::directory_iterator(corpus)) total += entry.file_size(), ++files;
    CHECK(files == std::size(fuzz::all));
    CHECK(total < 1'000'000);
}

TEST_CASE("a harness notices a message without the file, and one that is unprintable", "[fuzz]") {
    const auto refuse = [](const std::string& message) {
        return [=] { (void)fuzz::accepts([&] { throw Error(message); }); };
    };
    CHECK_NOTHROW(refuse("a name: line 1: wrong")());
    CHECK_THROWS_AS(refuse("line 1: wrong")(), std::logic_error);
    CHECK_THROWS_AS(refuse("a name: two\nlines")(), std::logic_error);
    CHECK_THROWS_AS(refuse("a name: " + std::string(3000, 'x'))(), std::logic_error);
    CHECK_THROWS_AS((void)fuzz::accepts([] { throw std::bad_alloc(); }), std::bad_alloc);
}

}  // namespace
