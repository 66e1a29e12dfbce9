// What check() costs, and what becomes of an Error that nobody catches. Each program of the latter is a
// child process, whose output is read through pipes.
#include <string>
#include <thread>

#include "autograd/base/user_call.h"
#include "autograd/tensor/tensor.h"
#include "tests/catch.h"

namespace {

// An argument that counts how often it is turned into text.
struct Counted {
    static inline int formatted = 0;
};

}  // namespace

template <>
struct fmt::formatter<Counted> {
    constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
    auto format(const Counted&, fmt::format_context& context) const {
        ++Counted::formatted;
        return context.out();
    }
};

TEST_CASE("a check that holds formats nothing", "[errors]") {
    for (int i = 0; i < 1000; ++i) heed::check(i >= 0, "never {}", Counted{});
    CHECK(Counted::formatted == 0);
    CHECK_THROWS_AS(heed::check(false, "once {}", Counted{}), heed::Error);
    CHECK(Counted::formatted == 1);
    // A string made for the message would be made although the check holds: it does not compile
    // (static_assert in base/error.h). What stands for it is formatted late:
    CHECK_THROWS_WITH(heed::check(false, "got {}", heed::ShapeOf{heed::Tensor()}),
                      "got an undefined tensor");
    CHECK_THROWS_WITH(heed::check(false, "got {}", heed::ShapeOf{heed::zeros({2, 3})}),
                      "got [2, 3]");
}

namespace {

using heed::UserCall;

void inner() { heed::fail("inner: 3 is too much"); }
void outer() {
    const UserCall named("outer");
    inner();
}
void outermost() {
    const UserCall named("outermost");
    outer();
}

}  // namespace

TEST_CASE("a message begins with the outermost call that has a name", "[errors]") {
    CHECK_THROWS_WITH(inner(), "inner: 3 is too much");
    CHECK_THROWS_WITH(outer(), "outer: inner: 3 is too much");
    CHECK_THROWS_WITH(outermost(), "outermost: inner: 3 is too much");
    CHECK_THROWS_WITH(inner(), "inner: 3 is too much");  // the calls above have ended

    // A name is not repeated; the beginning of a longer name is another name.
    const auto message = [](const char* name, const char* text) {
        const UserCall named(name);
        heed::fail("{}", text);
    };
    CHECK_THROWS_WITH(message("inner", "inner: 3"), "inner: 3");
    CHECK_THROWS_WITH(message("inner", "inner, layer 2: 3"), "inner, layer 2: 3");
    CHECK_THROWS_WITH(message("inner", "inner_part: 3"), "inner: inner_part: 3");
    CHECK_THROWS_WITH(message("inner", "inner2: 3"), "inner: inner2: 3");
    CHECK_THROWS_WITH(message("inner", "inner"), "inner: inner");

    // Another thread has names of its own.
    const UserCall named("here");
    std::string there;
    std::thread([&] {
        try {
            inner();
        } catch (const heed::Error& error) {
            there = error.what();
        }
    }).join();
    CHECK(there == "inner: 3 is too much");
}

#if __has_include(<sys/wait.h>) && !defined(__EMSCRIPTEN__)
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>

#include "autograd/base/error.h"

using namespace heed;

namespace {

struct Ended {
    std::string out, err;
    int status;  // as waitpid() gives it
};

std::string read_all(int file) {
    std::string text;
    char buffer[256];
    for (ssize_t n; (n = read(file, buffer, sizeof buffer)) > 0;) text.append(buffer, n);
    close(file);
    return text;
}

// Runs program() in a child process, as main() would run it: an exception that leaves it is caught
// by nobody.
template <class Program>
Ended run(const Program& program) {
    int out[2], err[2];
    REQUIRE(pipe(out) == 0);
    REQUIRE(pipe(err) == 0);
    std::cout.flush();
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        dup2(out[1], 1);
        dup2(err[1], 2);
        for (int file : {out[0], out[1], err[0], err[1]}) close(file);
        [&]() noexcept { program(); }();
        std::_Exit(0);
    }
    close(out[1]);
    close(err[1]);
    Ended ended{read_all(out[0]), read_all(err[0]), 0};
    waitpid(child, &ended.status, 0);
    return ended;
}

}  // namespace

TEST_CASE("an Error that nobody catches loses no output and tells its message", "[errors]") {
    const Ended ended = run([] {
        std::printf("loss 0.5");  // stays in the buffer: a pipe is no terminal
        check(false, "matmul: inner sizes differ: {} x {}", 2, 3);
    });
    CHECK(ended.out == "loss 0.5");
    CHECK(ended.err == "error: matmul: inner sizes differ: 2 x 3\n");
    CHECK(WIFEXITED(ended.status));
    CHECK(WEXITSTATUS(ended.status) == 1);
}

TEST_CASE("a program's own terminate handler replaces heed's", "[errors]") {
    const Ended ended = run([] {
        std::set_terminate([] { std::_Exit(7); });
        fail("unheard");
    });
    CHECK(ended.err.empty());
    CHECK(WEXITSTATUS(ended.status) == 7);
}

#endif
