#include "bench/instructions.h"

#include <fmt/format.h>

#include "autograd/autograd.h"

#if defined(__linux__)
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#endif

namespace heed::bench {
namespace {

#if defined(__linux__)

// A child process runs the work between two stops, and this process single-steps it from one to the
// other. (Valgrind counts too, but does not support AVX-512.) The instructions of stopping itself
// are counted with empty work and subtracted.
template <class Work>
long steps_of(const Work& work) {
    std::fflush(stdout);  // or the child would print it again
    const pid_t child = fork();
    check(child >= 0, "bench: cannot start a process");
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
        for (int i = 0; i < 3; ++i) work();  // fills the memory pool
        raise(SIGSTOP);
        work();
        raise(SIGSTOP);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    check(WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP,
          "bench: this system does not allow to single-step another process");
    long count = 0;
    do {
        ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr);
        waitpid(child, &status, 0);
        ++count;
    } while (WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP);
    check(WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP,
          "bench: the counted process has failed");
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return count;
}

template <class Work>
long count(const Work& work) {
    return steps_of(work) - steps_of([] {});
}

#else

template <class Work>
long count(const Work&) {
    fail("bench: instructions are counted on Linux only");
}

#endif

constexpr int operations = 10;

// Applies f repeatedly to its own result.
template <class F>
Instructions of_chain(const char* name, const F& f, const Tensor& x, long forward_then,
                      long both_then) {
    const auto chain = [&] {
        Tensor y = x;
        for (int i = 0; i < operations; ++i) y = f(y);
        return y;
    };
    const long forward = count([&] { chain(); }) / operations;
    const long both = count([&] {
                          Tensor leaf = x;
                          leaf.clear_grad();
                          const Tensor y = chain();
                          backward(y, ones_like(y));
                      }) /
                      operations;
    return {name, forward, both, forward_then, both_then};
}

}  // namespace

std::vector<Instructions> count_instructions() {
    set_threads(1);
    const Tensor one = tensor({0.7}).set_requires_grad(), w = tensor({0.9}).set_requires_grad();
    const Tensor row = ones({1, 16}).set_requires_grad();
    const Tensor weight = eye(16).set_requires_grad(), bias = zeros({16}).set_requires_grad();
    const auto reshaped = [](const Tensor& x) { return reshape(x, {16, 1}); };
    return {
        of_chain(
            "x + w, one element", [&](const Tensor& x) { return x + w; }, one, 1017, 3202),
        of_chain(
            "x * w, one element", [&](const Tensor& x) { return x * w; }, one, 1104, 4363),
        of_chain(
            "tanh(x), one element", [](const Tensor& x) { return tanh(x); }, one, 905, 2493),
        of_chain("reshape", reshaped, row, 262, 587),
        of_chain(
            "softmax, 16 elements", [](const Tensor& x) { return softmax(x); }, row, 1212, 3841),
        of_chain(
            "linear, 16 to 16", [&](const Tensor& x) { return linear(x, weight, bias); }, row, 2029,
            10949)};
}

void print_instructions() {
    fmt::print("Instructions of an operation, and their earlier number (GCC 12, AVX-512)\n\n");
    fmt::print("{:<24} {:>26}   {:>26}\n", "", "recorded", "with backward");
    const auto change = [](long now, long then) {
        return 100. * static_cast<double>(now - then) / static_cast<double>(then);
    };
    for (const Instructions& i : count_instructions())
        fmt::print("{:<24} {:>9} {:>7} {:>+6.1f} %   {:>9} {:>7} {:>+6.1f} %\n", i.name, i.recorded,
                   i.recorded_then, change(i.recorded, i.recorded_then), i.with_backward,
                   i.with_backward_then, change(i.with_backward, i.with_backward_then));
}

}  // namespace heed::bench
