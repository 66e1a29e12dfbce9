// What a user reads after a mistake: the operation, the rule, what was given, the likely fix.
#include "tests/autograd/oracle.h"

namespace heed {
namespace {

// f() throws an Error with exactly this text.
#define CHECK_ERROR(f, text) CHECK(error_of([&] { static_cast<void>(f); }) == text)

TEST_CASE("making tensors", "[errors]") {
    CHECK_ERROR(tensor({1, 2, 3}, {2, 2}), "tensor: shape [2, 2] holds 4 numbers, got 3");
    const float values[] = {1, 2};
    CHECK_ERROR(tensor(values, {3}), "tensor: shape [3] holds 3 numbers, got 2");
    CHECK_ERROR(zeros({2, -1}), "a tensor cannot have shape [2, -1]");
    CHECK_ERROR(zeros({1, 1, 1, 1, 1, 1, 1}), "a tensor has at most 6 axes");
    CHECK_ERROR(empty({int64_t{1} << 40, int64_t{1} << 40}),
                "a tensor of shape [1099511627776, 1099511627776] does not fit into memory");
    CHECK_ERROR(empty({int64_t{1} << 60}),
                "a tensor of shape [1152921504606846976] does not fit into memory");
    CHECK_ERROR(arange(-1), "arange: expected a count of 0 or more, got -1");
    CHECK_ERROR(eye(-2), "eye: expected a size of 0 or more, got -2");
}

TEST_CASE("reading and changing elements", "[errors]") {
    Tensor x = zeros({2, 3});
    CHECK_ERROR(x.item(), "item: expected one element, got shape [2, 3]");
    CHECK_ERROR(x.at({1}), "at: expected 2 indices for shape [2, 3], got 1");
    CHECK_ERROR(x.at({2, 0}), "at: index 2 is outside axis 0 of shape [2, 3]");
    CHECK_ERROR(x.at({0, -4}), "at: index -4 is outside axis 1 of shape [2, 3]");
    CHECK_ERROR(x.size(2), "size: there is no axis 2 in shape [2, 3]");
    CHECK_ERROR(x.data<double>(), "this tensor of shape [2, 3] holds float32, not float64");
    CHECK_ERROR(x.edit<double>(), "this tensor of shape [2, 3] holds float32, not float64");
    CHECK_ERROR(x.assign(zeros({3, 2})), "assign: expected shape [2, 3], got [3, 2]");
    CHECK_ERROR(x.assign(zeros({2, 3}, Dtype::float64)),
                "assign: float32 and float64 do not mix; convert one with to_dtype(x, "
                "Dtype::float32)");
    CHECK_ERROR(transpose(x).assign(zeros({3, 2})),
                "assign: a view cannot be assigned to; assign to the whole tensor");
}

TEST_CASE("a tensor that is not defined", "[errors]") {
    const Tensor none, x = ones({2, 3});
    const std::string text = "a tensor was used that is not defined: Tensor() holds nothing";
    CHECK_ERROR(none.shape(), text);
    CHECK_ERROR(none.item(), text);
    CHECK_ERROR(none.to_vector(), text);
    CHECK_ERROR(none.requires_grad(), text);
    CHECK_ERROR(exp(none), "exp: the input is not defined");
    CHECK_ERROR(x + none, "add: an input is not defined");
    CHECK_ERROR(none * 2, text);
    CHECK_ERROR(none < x, text);
    CHECK_ERROR(where(x, none, x), text);
    CHECK_ERROR(matmul(x, none), "matmul: an input is not defined");
    for (auto f : {+[](const Tensor& t) { return sum(t); }, +[](const Tensor& t) { return max(t); },
                   +[](const Tensor& t) { return var(t); },
                   +[](const Tensor& t) { return logsumexp(t); },
                   +[](const Tensor& t) { return reshape(t, {2}); },
                   +[](const Tensor& t) { return transpose(t); },
                   +[](const Tensor& t) { return slice(t, 0, 0, 1); },
                   +[](const Tensor& t) { return select(t, 0, 0); },
                   +[](const Tensor& t) { return expand(t, {2}); },
                   +[](const Tensor& t) { return squeeze(t, 0); },
                   +[](const Tensor& t) { return unsqueeze(t, 0); },
                   +[](const Tensor& t) { return concat({t, t}, 0); },
                   +[](const Tensor& t) { return stack({t, t}, 0); },
                   +[](const Tensor& t) { return flip(t, 0); },
                   +[](const Tensor& t) { return pad(t, 0, 1, 1); },
                   +[](const Tensor& t) { return clone(t); },
                   +[](const Tensor& t) { return detach(t); },
                   +[](const Tensor& t) { return to_dtype(t, Dtype::float64); },
                   +[](const Tensor& t) { return linear(t, t); }})
        CHECK_ERROR(f(none), text);
    CHECK_ERROR(backward(none),
                "backward: nothing to differentiate: no input of this tensor asked for a gradient "
                "(x.set_requires_grad())");
}

TEST_CASE("elementwise operations", "[errors]") {
    const Tensor a = zeros({2, 3}), b = zeros({2, 4});
    CHECK_ERROR(a + b,
                "add: shapes do not broadcast: [2, 3] and [2, 4] (sizes 3 and 4, counted from the "
                "last axis, must be equal or one of them 1)");
    CHECK_ERROR(a * zeros({2}),
                "mul: shapes do not broadcast: [2, 3] and [2] (sizes 3 and 2, counted from the last "
                "axis, must be equal or one of them 1)");
    const Tensor wide = zeros({2, 3}, Dtype::float64);
    CHECK_ERROR(a - wide,
                "sub: float32 and float64 do not mix; convert one with to_dtype(x, Dtype::float32)");
    CHECK(error_of([&] { return a < wide; }).substr(0, 28) == "less: float32 and float64 do");
    CHECK(error_of([&] { return a == b; }).substr(0, 33) == "equal: shapes do not broadcast: [");
    CHECK(error_of([&] { where(a, a, wide); }).substr(0, 29) == "where: float32 and float64 do");
    CHECK(error_of([&] { where(wide, a, a); }).substr(0, 29) == "where: float64 and float32 do");
    CHECK(error_of([&] { where(b, a, a); }).substr(0, 32) == "where: shapes do not broadcast: ");
}

TEST_CASE("reductions", "[errors]") {
    const Tensor x = zeros({2, 3});
    CHECK_ERROR(sum(x, 2), "sum: there is no axis 2 in shape [2, 3]");
    CHECK_ERROR(sum(x, -3), "sum: there is no axis -3 in shape [2, 3]");
    CHECK_ERROR(sum(x, {0, -2}), "sum: axis -2 is named twice in [0, -2]");
    CHECK_ERROR(mean(x, {1, 1}), "mean: axis 1 is named twice in [1, 1]");
    CHECK_ERROR(max(x, 5), "max: there is no axis 5 in shape [2, 3]");
    CHECK_ERROR(logsumexp(x, 2), "logsumexp: there is no axis 2 in shape [2, 3]");
    CHECK_ERROR(var(x, 2), "var: there is no axis 2 in shape [2, 3]");
    CHECK_ERROR(argmax(x, 2), "argmax: there is no axis 2 in shape [2, 3]");
    CHECK_ERROR(argmin(zeros({2, 0}), 1), "argmin: axis 1 of shape [2, 0] is empty");
    CHECK_ERROR(max(zeros({0, 3})), "max: shape [0, 3] holds no element");
    CHECK_ERROR(var(scalar(1)), "var: 1 elements are too few for a divisor of n - 1");
    CHECK_ERROR(sum_to(x, {2, 2}), "sum_to: [2, 3] was not broadcast from [2, 2]");
}

TEST_CASE("shape operations", "[errors]") {
    const Tensor x = zeros({2, 3});
    CHECK_ERROR(reshape(x, {4, 2}), "reshape: [2, 3] has 6 elements, [4, 2] does not");
    CHECK_ERROR(reshape(x, {4, -1}), "reshape: [2, 3] has 6 elements, [4, -1] does not");
    CHECK_ERROR(reshape(x, {-1, -1}), "reshape: only one size may be -1, got [-1, -1]");
    CHECK_ERROR(reshape(x, {-2, -3}), "reshape: a size cannot be -2; only -1 has a meaning");
    CHECK_ERROR(flatten(x, 1, 0), "flatten: axis 1 comes after axis 0");
    CHECK_ERROR(transpose(zeros({3})), "transpose: there is no axis -2 in shape [3]");
    CHECK_ERROR(permute(x, {0}), "permute: expected an order of 2 axes for shape [2, 3], got [0]");
    CHECK_ERROR(permute(x, {0, 0}), "permute: axis 0 is named twice in [0, 0]");
    CHECK_ERROR(permute(x, {0, 2}), "permute: there is no axis 2 in shape [2, 3]");
    CHECK_ERROR(slice(x, 1, 2, 5), "slice: [2, 5) is not inside axis 1 of shape [2, 3]");
    CHECK_ERROR(slice(x, 1, 2, 1), "slice: [2, 1) is not inside axis 1 of shape [2, 3]");
    CHECK_ERROR(slice(x, 1, 0, 3, 0), "slice: the step must be at least 1, got 0");
    CHECK_ERROR(slice(x, 2, 0, 1), "slice: there is no axis 2 in shape [2, 3]");
    CHECK_ERROR(select(x, 0, 2), "select: index 2 is outside axis 0 of shape [2, 3]");
    CHECK_ERROR(expand(x, {2, 6}),
                "expand: [2, 3] does not expand to [2, 6] (aligned at the last axis, sizes must be "
                "equal or 1)");
    CHECK_ERROR(expand(ones({1}), {-3}), "expand: a size cannot be -3");
    CHECK_ERROR(squeeze(x, 0), "squeeze: axis 0 of shape [2, 3] does not have size 1");
    CHECK_ERROR(unsqueeze(x, 3), "unsqueeze: there is no place 3 for an axis in shape [2, 3]");
    CHECK_ERROR(split(x, 1, std::vector<int64_t>{1, 1}),
                "split: the sizes add up to 2, but axis 1 of shape [2, 3] has 3");
    CHECK_ERROR(split(x, 1, 2), "split: axis 1 of shape [2, 3] does not divide into 2 equal parts");
    CHECK_ERROR(split(x, 1, 0), "split: axis 1 of shape [2, 3] does not divide into 0 equal parts");
    CHECK_ERROR(unbind(x, 2), "size: there is no axis 2 in shape [2, 3]");
    CHECK_ERROR(concat({}, 0), "concat: expected at least one tensor");
    CHECK_ERROR(concat({x, zeros({3})}, 0), "concat: [2, 3] and [3] have different numbers of axes");
    CHECK_ERROR(concat({x, zeros({3, 2})}, 0),
                "concat: [2, 3] and [3, 2] differ along another axis than 0");
    CHECK_ERROR(concat({x, x, zeros({3, 2})}, 0),
                "concat: [2, 3] and [3, 2] differ along another axis than 0");
    CHECK_ERROR(stack({}), "stack: expected at least one tensor");
    CHECK_ERROR(stack({x, zeros({3})}), "stack: shapes differ: [2, 3] and [3]");
    CHECK_ERROR(stack({x}, 4), "stack: there is no place 4 for an axis in shape [2, 3]");
    CHECK(error_of([&] { concat({x, zeros({2, 3}, Dtype::float64)}, 0); }).substr(0, 15) ==
          "concat: float32");
    CHECK(error_of([&] { stack({x, zeros({2, 3}, Dtype::float64)}); }).substr(0, 14) ==
          "stack: float32");
    CHECK_ERROR(pad(x, 0, -1, 0), "pad: cannot add -1 and 0 elements; slice() takes away");
}

TEST_CASE("products", "[errors]") {
    CHECK_ERROR(matmul(zeros({8, 20, 64}), zeros({8, 20, 64})),
                "matmul: inner sizes differ: [8, 20, 64] x [8, 20, 64]; did you mean the second one "
                "transposed, [8, 64, 20]?");
    CHECK_ERROR(matmul(zeros({2, 3}), zeros({4, 5})), "matmul: inner sizes differ: [2, 3] x [4, 5]");
    CHECK_ERROR(matmul(zeros({3}), zeros({4})), "matmul: inner sizes differ: [3] x [4]");
    CHECK_ERROR(matmul(zeros({3}), zeros({4, 3})), "matmul: inner sizes differ: [3] x [4, 3]; did you "
                                                   "mean the second one transposed, [3, 4]?");
    CHECK_ERROR(matmul(zeros({4, 3}), zeros({2})), "matmul: inner sizes differ: [4, 3] x [2]");
    CHECK_ERROR(matmul(scalar(1), zeros({2})), "matmul: expected matrices or vectors, got [] x [2]");
    CHECK_ERROR(matmul(zeros({2, 2, 3}), zeros({3, 3, 4})),
                "matmul: shapes do not broadcast: [2] and [3] (sizes 2 and 3, counted from the last "
                "axis, must be equal or one of them 1)");
    CHECK(error_of([&] { matmul(zeros({2, 2}), zeros({2, 2}, Dtype::float64)); }).substr(0, 15) ==
          "matmul: float32");
    const Tensor x = zeros({5, 4}), w = zeros({3, 4});
    CHECK_ERROR(linear(x, zeros({4})), "linear: expected weights [out, in], got [4]");
    CHECK_ERROR(linear(x, zeros({4, 3})),
                "linear: x [5, 4] ends in 4, but the weights [4, 3] take 3 features");
    CHECK_ERROR(linear(x, w, zeros({4})), "linear: expected a bias of shape [3], got [4]");
    CHECK_ERROR(linear(scalar(1), w), "linear: expected x with a last axis of features, got []");
    CHECK(error_of([&] { linear(x, to_dtype(w, Dtype::float64)); }).substr(0, 15) ==
          "linear: float32");
}

TEST_CASE("differentiation", "[errors]") {
    Tensor x = ones({2}, Dtype::float64).set_requires_grad();
    CHECK_ERROR(backward(x * 2), "backward: the result has shape [2]; it must have one element, or "
                                 "pass g, the weights of its elements");
    CHECK_ERROR(backward(x * 2, ones({3}, Dtype::float64)),
                "backward: expected weights of shape [2], got [3]");
    CHECK(error_of([&] { backward(x * 2, ones({2})); }).substr(0, 17) == "backward: float64");
    const std::string nothing =
        ": nothing to differentiate: no input of this tensor asked for a gradient (x.set_requires_grad())";
    CHECK_ERROR(backward(ones({1})), "backward" + nothing);
    CHECK_ERROR(grad(ones({1}), {x}), "grad" + nothing);
    CHECK_ERROR(grad(sum(x), {x, ones({2})}), "grad: argument 1 takes no part in the graph; call "
                                              "x.set_requires_grad() before computing y");
    CHECK_ERROR(gradcheck([](auto& in) { return in[0]; }, {ones({2})}),
                "gradcheck: input 0 is float32; differences need float64 (to_dtype)");
    CHECK_ERROR(gradcheck([](auto& in) { return in[0]; }, {x}, {.order = 3}),
                "gradcheck: order must be 1 or 2, got 3");
    CHECK_ERROR(graph_dot(ones({1})),
                "graph_dot: no graph stands behind this tensor: no input of it asked for a gradient "
                "(x.set_requires_grad()), or it was computed under NoGrad");
}

}  // namespace
}  // namespace heed
