// What the compiler must get right for anything else here to mean something.
#include <vector>

#include "tests/catch.h"

namespace {

[[gnu::noinline]] double weighed(const std::vector<double>& x) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * static_cast<double>(i + 1);
    return sum;
}
[[gnu::noinline]] float weighed(const std::vector<float>& x) {
    float sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * static_cast<float>(i + 1);
    return sum;
}

}  // namespace

// GCC 12.2, the one of Debian 12, does not with AVX-512 and without the flags in CMakeLists.txt.
TEST_CASE("lists of constants keep their zeros", "[compiler]") {
    CHECK(weighed(std::vector<double>{1, 1, 0, 0}) == 3);
    CHECK(weighed(std::vector<float>{1, 1, 1, 1, 0, 0, 0, 0}) == 10);
    CHECK(weighed(std::vector<double>{2, 2, 2, 2, 0, 0, 0, 0}) == 20);
}
