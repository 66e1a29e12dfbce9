// Prints a line "name TAB recorded TAB with backward" for each small operation that is counted. It is a
// program of its own because heed_tests is not optimised, and the linker would take its copies of
// inline functions.
#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "bench/instructions.h"

int main() {
    try {
        for (const auto& i : heed::bench::count_instructions())
            fmt::print("{}\t{}\t{}\n", i.name, i.recorded, i.with_backward);
    } catch (const std::exception& e) {
        fmt::print(stderr, "{}\n", e.what());
        return 1;
    }
}
