#include <string>

#include "tests/autograd/compare.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

// The text before "  [shape] dtype".
std::string values_of(const Tensor& x) {
    const std::string text = to_string(x);
    return text.substr(0, text.rfind("  ["));
}

int count(const std::string& text, const std::string& part) {
    int found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++found;
    return found;
}

}  // namespace

TEST_CASE("tensors print as NumPy's arrays do") {
    CHECK(fmt::format("{}", tensor({1, 2, 3, 4, 5, 6}, {2, 3})) ==
          "[[1. 2. 3.]\n [4. 5. 6.]]  [2, 3] float32");
    CHECK(to_string(scalar(3.5, Dtype::float64)) == "3.5  [] float64");
    CHECK(values_of(tensor({1, 2.5, -0.1})) == "[ 1.   2.5 -0.1]");
    CHECK(values_of(tensor({0.1, 1.0 / 3}, Dtype::float64)) == "[0.1        0.33333333]");
    CHECK(values_of(tensor({1e-5, 1, 2.25})) == "[1.00e-05 1.00e+00 2.25e+00]");
    CHECK(values_of(tensor({1, nan_value, infinity, -infinity})) == "[  1.  nan  inf -inf]");
    CHECK(values_of(zeros({3})) == "[0. 0. 0.]");
    CHECK(values_of(zeros({0})) == "[]");
    CHECK(values_of(arange(12, Dtype::float64) * 1e9) ==
          "[0.0e+00 1.0e+09 2.0e+09 3.0e+09 4.0e+09 5.0e+09 6.0e+09 7.0e+09 8.0e+09\n"
          " 9.0e+09 1.0e+10 1.1e+10]");
    CHECK(to_string(Tensor()) == "(no tensor)");
}

TEST_CASE("printing more axes, views and long tensors") {
    const Tensor x = reshape(arange(12), {2, 2, 3});
    CHECK(values_of(x) ==
          "[[[ 0.  1.  2.]\n  [ 3.  4.  5.]]\n\n [[ 6.  7.  8.]\n  [ 9. 10. 11.]]]");
    CHECK(values_of(transpose(select(x, 0, 0))) == "[[0. 3.]\n [1. 4.]\n [2. 5.]]");
    CHECK(values_of(arange(1001)) == "[   0.    1.    2. ...  998.  999. 1000.]");
    CHECK(count(to_string(arange(1000)), "...") == 0);
    const std::string rows = values_of(reshape(arange(3000), {1000, 3}));
    CHECK(rows ==
          "[[0.000e+00 1.000e+00 2.000e+00]\n [3.000e+00 4.000e+00 5.000e+00]\n"
          " [6.000e+00 7.000e+00 8.000e+00]\n ...\n [2.991e+03 2.992e+03 2.993e+03]\n"
          " [2.994e+03 2.995e+03 2.996e+03]\n [2.997e+03 2.998e+03 2.999e+03]]");
}

TEST_CASE("graph_dot draws each node once, with what is remembered", "[errors]") {
    const RememberValues remember;
    Tensor x = tensor({1, 2}).set_requires_grad();
    Tensor y = tanh(x);
    Tensor loss = sum(y * y + x);
    backward(loss);
    const std::string text = graph_dot(loss);
    CHECK(text.starts_with("digraph {"));
    CHECK(count(text, "label") == 5);  // leaf, tanh, mul, add, sum
    CHECK(count(text, "->") == 6);     // tanh 1, mul 2, add 2, sum 1
    CHECK(count(text, "shape = box") == 1);
    CHECK_THAT(text, ContainsSubstring("leaf [2]\\nvalue 1, 2\\ngradient 1.64, 1.136"));
    CHECK_THAT(text, ContainsSubstring("sum []\\nvalue 4.509\\ngradient 1"));
    CHECK_THROWS_WITH(graph_dot(tensor({1})), ContainsSubstring("set_requires_grad"));
}

TEST_CASE("graph_dot of a long chain does not recurse, of a doubling one does not explode") {
    Tensor x = scalar(0).set_requires_grad();
    for (int i = 0; i < 100000; ++i) x = -x;
    CHECK(count(graph_dot(x), "->") == 100000);
    Tensor y = scalar(1e-30).set_requires_grad();
    for (int i = 0; i < 60; ++i) y = y + y;
    CHECK(count(graph_dot(y), "->") == 120);
}
