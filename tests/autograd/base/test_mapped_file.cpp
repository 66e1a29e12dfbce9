// Bytes of a file that are looked at where they lie.
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "autograd/base/input_file.h"
#include "autograd/base/mapped_file.h"
#include "autograd/base/whole_file.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"

using namespace heed;

TEST_CASE("a mapped file has the bytes of the file", "[data]") {
    const Scratch scratch;
    const std::string text("a\0b", 3), large(100'000, 'x');
    CHECK(MappedFile::open(scratch.file("x", text))->bytes() == text);
    CHECK(MappedFile::open(scratch.file("large", large))->bytes() == large);
    CHECK(MappedFile::open(scratch.file("empty", ""))->bytes().empty());
}

TEST_CASE("the bytes stay when the file is replaced or removed", "[data]") {
    const Scratch scratch;
    const std::string path = scratch.file("x", "old");
    const auto file = MappedFile::open(path);
    write_whole_file(path, "new");
    CHECK(file->bytes() == "old");
    CHECK(MappedFile::open(path)->bytes() == "new");
    std::filesystem::remove(path);
    CHECK(file->bytes() == "old");
}

TEST_CASE("what cannot be mapped is named", "[data][errors]") {
    const Scratch scratch;
    CHECK(error_of([&] { MappedFile::open(scratch.path); }) ==
          scratch.path + ": expected a file, found a folder");
    CHECK(error_of([&] { MappedFile::open(scratch.path + "/none"); }) ==
          scratch.path + "/none: cannot be opened: there is no such file or folder");
    CHECK(error_of([] { MappedFile::open("/dev/zero"); }) ==
          "/dev/zero: expected a file, found a device");
    const std::string pipe = scratch.path + "/pipe";  // opening it would wait for a writer
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    CHECK(error_of([&] { MappedFile::open(pipe); }) == pipe + ": expected a file, found a pipe");
}
