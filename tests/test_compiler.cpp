// What the compiler must get right for anything else here to mean something.
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/catch.h"
#include "tests/skipped.h"

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

// The kernels have lines of their own for each kind of register (vec.h), and a build reads only those
// of one. tests/configurations runs the others; this asks only whether the compiler accepts them.
TEST_CASE("the kernels compile for processors other than this one", "[compiler]") {
#if !defined(__x86_64__)
    skipped("the names of the processors below are those of x86-64");
#else
    const std::string processor = GENERATE("x86-64", "x86-64-v3", "x86-64-v4");
    const std::string kernel = GENERATE("gemm.cpp", "convolution.cpp");
    const std::string command = "'" HEED_CXX "' -std=c++20 -w -fsyntax-only -march=" + processor +
                                " -I'" HEED_SOURCE_DIR "' '" HEED_SOURCE_DIR "/autograd/kernels/" +
                                kernel + "'";
    INFO(command);  // the compiler itself says why it fails
    CHECK(std::system(command.c_str()) == 0);
#endif
}
