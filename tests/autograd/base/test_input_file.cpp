// What stands where a file is expected: folders, pipes, devices without an end, nothing.
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <thread>

#include "nn/nn.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"

using namespace heed;

TEST_CASE("a file is read whole; everything else is named", "[data][errors]") {
    const Scratch scratch;
    const std::string nul("a\0b", 3);
    CHECK(read_file(scratch.file("x", nul)) == nul);
    CHECK(read_file(scratch.file("empty", "")) == "");
    CHECK(error_of([&] { read_file(scratch.path); }) ==
          scratch.path + ": expected a file, found a folder");
    CHECK(error_of([&] { read_file(scratch.path + "/none"); }) ==
          scratch.path + "/none: cannot be opened: there is no such file or folder");
    CHECK_THROWS_AS(read_file(scratch.path + "/none"), InputError);
    if (geteuid() != 0) {  // root may read everything
        chmod((scratch.path + "/x").c_str(), 0);
        CHECK(error_of([&] { read_file(scratch.path + "/x"); }) ==
              scratch.path + "/x: cannot be opened: you have no permission");
    }
}

TEST_CASE("no more than the stated size is read", "[data][errors]") {
    const Scratch scratch;
    const std::string path = scratch.file("x", std::string(1000, 'x'));
    CHECK(read_file(path, 1000).size() == 1000);
    CHECK(error_of([&] { read_file(path, 999); }) ==
          path + ": expected a file of at most 999 bytes, found 1000 bytes");
    CHECK(error_of([&] { read_file("/dev/zero", 1 << 20); }) ==
          "/dev/zero: expected at most 1 MiB, found more");
    CHECK(read_file("/dev/null") == "");
    // A file that seems a terabyte long is refused before anything is read or allocated.
    std::filesystem::resize_file(path, std::uintmax_t{1} << 40);
    CHECK(error_of([&] { read_file(path); }) ==
          path + ": expected a file of at most 1 GiB, found 1 TiB");
}

TEST_CASE("a pipe is read to its end", "[data]") {
    const Scratch scratch;
    const std::string path = scratch.path + "/pipe";
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    const std::string text(300'000, 'x');
    std::thread writer([&] { std::ofstream(path) << text; });
    const std::string read = read_file(path);
    writer.join();
    CHECK(read == text);
}

TEST_CASE("the message is one visible line", "[errors]") {
    CHECK(error_of([&] { read_file("no\nsuch\x1B[2Jfile"); }) ==
          "no\\nsuch\\x1B[2Jfile: cannot be opened: there is no such file or folder");
    CHECK(bytes_text(0) == "0 bytes");
    CHECK(bytes_text(12'345) == "12.06 KiB");
    CHECK(bytes_text(std::uint64_t{3} << 30) == "3 GiB");
    CHECK(shell_word("it's") == "'it'\\''s'");
}
