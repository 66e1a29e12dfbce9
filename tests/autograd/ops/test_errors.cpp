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
    CHECK_ERROR(zeros({2, -1}), "zeros: a tensor cannot have shape [2, -1]");
    CHECK_ERROR(zeros({1, 1, 1, 1, 1, 1, 1}), "Shape: a tensor has at most 6 axes");
    CHECK_ERROR(empty({int64_t{1} << 40, int64_t{1} << 40}),
                "empty: a tensor of shape [1099511627776, 1099511627776] does not fit into memory");
    CHECK_ERROR(empty({int64_t{1} << 60}),
                "empty: a tensor of shape [1152921504606846976] does not fit into memory");
    CHECK_ERROR(arange(-1), "arange: expected a count of 0 or more, got -1");
    CHECK_ERROR(arange(0, 3, 0), "arange: the step from 0 to 3 must not be 0");
    CHECK_ERROR(arange(0, INFINITY, 1), "arange: cannot count from 0 to inf in steps of 1");
    CHECK_ERROR(linspace(0, 1, -1), "linspace: expected a count of 0 or more, got -1");
    CHECK_ERROR(eye(-2), "eye: expected a size of 0 or more, got -2");
}

TEST_CASE("reading and changing elements", "[errors]") {
    Tensor x = zeros({2, 3});
    CHECK_ERROR(x.item(), "item: expected one element, got shape [2, 3]");
    CHECK_ERROR(x.at({1}), "at: expected 2 indices for shape [2, 3], got 1");
    CHECK_ERROR(x.at({2, 0}), "at: index 2 is outside axis 0 of shape [2, 3]");
    CHECK_ERROR(x.at({0, -4}), "at: index -4 is outside axis 1 of shape [2, 3]");
    CHECK_ERROR(x.size(2), "size: there is no axis 2 in shape [2, 3]");
    CHECK_ERROR(x.data<double>(),
                "data: the tensor of shape [2, 3] holds float32, not float64; "
                "to_dtype(x, Dtype::float64) converts it");
    CHECK_ERROR(x.edit<double>(),
                "edit: the tensor of shape [2, 3] holds float32, not float64; "
                "to_dtype(x, Dtype::float64) converts it");
    CHECK_ERROR(x.assign(zeros({3, 2})), "assign: expected shape [2, 3], got [3, 2]");
    CHECK_ERROR(
        x.assign(zeros({2, 3}, Dtype::float64)),
        "assign: float32 and float64 do not mix; convert one with to_dtype(x, "
        "Dtype::float32); constants as zeros(), tensor(), one_hot() and masks are float32 unless "
        "they are given a dtype, as in zeros(shape, x.dtype())");
    CHECK_ERROR(transpose(x).assign(zeros({3, 2})),
                "assign: a view cannot be assigned to; assign to the whole tensor");
}

TEST_CASE("a tensor that is not defined", "[errors]") {
    const Tensor none, x = ones({2, 3});
    CHECK_ERROR(none.shape(), "shape: the tensor is not defined; Tensor() holds no numbers");
    CHECK_ERROR(none.item(), "item: the input is not defined; Tensor() holds no numbers");
    CHECK_ERROR(none.to_vector(), "to_vector: the input is not defined; Tensor() holds no numbers");
    CHECK_ERROR(none.requires_grad(),
                "requires_grad: the tensor is not defined; Tensor() holds no numbers");
    CHECK_ERROR(exp(none), "exp: the input is not defined");
    CHECK_ERROR(x + none, "add: an input is not defined");
    CHECK_ERROR(none * 2, "mul: the input is not defined; Tensor() holds no numbers");
    CHECK_ERROR(none < x, "less: input 0 is not defined; Tensor() holds no numbers");
    CHECK_ERROR(where(x, none, x), "where: input 1 is not defined; Tensor() holds no numbers");
    CHECK_ERROR(matmul(x, none), "matmul: an input is not defined");
    for (auto f :
         {+[](const Tensor& t) { return sum(t); }, +[](const Tensor& t) { return max(t); },
          +[](const Tensor& t) { return var(t); }, +[](const Tensor& t) { return logsumexp(t); },
          +[](const Tensor& t) { return reshape(t, {2}); },
          +[](const Tensor& t) { return transpose(t); },
          +[](const Tensor& t) { return slice(t, 0, 0, 1); },
          +[](const Tensor& t) { return select(t, 0, 0); },
          +[](const Tensor& t) { return expand(t, {2}); },
          +[](const Tensor& t) { return squeeze(t, 0); },
          +[](const Tensor& t) { return unsqueeze(t, 0); },
          +[](const Tensor& t) {
              return concat({t, t}, 0);
          },
          +[](const Tensor& t) {
              return stack({t, t}, 0);
          },
          +[](const Tensor& t) { return flip(t, 0); },
          +[](const Tensor& t) { return pad(t, 0, 1, 1); },
          +[](const Tensor& t) { return clone(t); },
          +[](const Tensor& t) { return to_dtype(t, Dtype::float64); },
          +[](const Tensor& t) { return linear(t, t); }})
        CHECK(error_of([&] { f(none); }).find(" is not defined; Tensor() holds no numbers") !=
              std::string::npos);
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
                "mul: shapes do not broadcast: [2, 3] and [2] (sizes 3 and 2, counted from the "
                "last axis, must be equal or one of them 1)");
    const Tensor wide = zeros({2, 3}, Dtype::float64);
    CHECK_ERROR(
        a - wide,
        "sub: float32 and float64 do not mix; convert one with to_dtype(x, "
        "Dtype::float32); constants as zeros(), tensor(), one_hot() and masks are float32 unless "
        "they are given a dtype, as in zeros(shape, x.dtype())");
    CHECK_ERROR(
        gradcheck(
            [](const auto& xs) {
                return xs[0] * one_hot({0, 2}, 3);
            },
            {wide}),
        "mul: float64 and float32 do not mix; convert one with to_dtype(x, "
        "Dtype::float64); constants as zeros(), tensor(), one_hot() and masks are float32 unless "
        "they are given a dtype, as in zeros(shape, x.dtype())");
    CHECK(error_of([&] { return a < wide; }).substr(0, 28) == "less: float32 and float64 do");
    CHECK(error_of([&] { return a == b; }).substr(0, 33) == "equal: shapes do not broadcast: [");
    CHECK(error_of([&] { where(a, a, wide); }).substr(0, 29) == "where: float32 and float64 do");
    CHECK(error_of([&] { where(wide, a, a); }) == "no error");  // a mask may have any dtype
    CHECK(error_of([&] { logical_and(a, b); }).substr(0, 20) == "logical_and: shapes ");
    CHECK(error_of([&] { logical_or(a, b); }).substr(0, 19) == "logical_or: shapes ");
    CHECK(error_of([&] { allclose(a, b); }).substr(0, 17) == "allclose: shapes ");
    CHECK(error_of([&] { allclose(a, wide); }).substr(0, 19) == "allclose: float32 a");
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
    CHECK_ERROR(stddev(x, 2), "stddev: there is no axis 2 in shape [2, 3]");
    CHECK_ERROR(stddev(scalar(1)), "stddev: 1 elements are too few for a divisor of n - 1");
    CHECK_ERROR(norm(x, 2, 2), "norm: there is no axis 2 in shape [2, 3]");
    CHECK_ERROR(norm(x, 0.5), "norm: p must be at least 1, got 0.5");
    CHECK_ERROR(prod(x, {0, 0}), "prod: axis 0 is named twice in [0, 0]");
    CHECK_ERROR(cumsum(x, 2), "cumsum: there is no axis 2 in shape [2, 3]");
    CHECK_ERROR(any(x, 2), "any: there is no axis 2 in shape [2, 3]");
    CHECK_ERROR(sort(x, 2), "sort: there is no axis 2 in shape [2, 3]");
    CHECK_ERROR(argsort(x, 2), "argsort: there is no axis 2 in shape [2, 3]");
    CHECK_ERROR(topk(x, 4), "topk: 4 of the 3 elements along axis -1 of shape [2, 3]");
    CHECK_ERROR(max_with_indices(x, 2), "max_with_indices: there is no axis 2 in shape [2, 3]");
    CHECK_ERROR(min_with_indices(zeros({2, 0}), 1),
                "min_with_indices: axis 1 of shape [2, 0] is empty");
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
    CHECK_ERROR(unsqueeze(x, 3), "unsqueeze: axis 3 cannot be inserted into shape [2, 3]");
    CHECK_ERROR(split(x, {1, 1}, 1),
                "split: the sizes add up to 2, but axis 1 of shape [2, 3] has 3");
    CHECK_ERROR(split(x, 0, 1), "split: pieces of size 0; they need at least 1");
    CHECK_ERROR(chunk(x, 2, 1),
                "chunk: axis 1 of shape [2, 3] does not divide into 2 equal "
                "pieces; split() takes sizes");
    CHECK_ERROR(chunk(x, 0, 1),
                "chunk: axis 1 of shape [2, 3] does not divide into 0 equal "
                "pieces; split() takes sizes");
    CHECK_ERROR(x[2], "select: index 2 is outside axis 0 of shape [2, 3]");
    CHECK_ERROR((x[Slice{1, 3}]), "slice: [1, 3) is not inside axis 0 of shape [2, 3]");
    CHECK_ERROR(x[Indices({0, 2})],
                "index_select: index 2 at [1] is outside [0, 2), the size of the axis");
    CHECK_ERROR(unflatten(x, 1, {2, 2}),
                "unflatten: sizes [2, 2] make 4 elements, but axis 1 of shape [2, 3] has 3");
    CHECK_ERROR(roll(x, 1, 2), "roll: there is no axis 2 in shape [2, 3]");
    CHECK_ERROR(repeat(x, {2}), "repeat: expected a count for each axis of shape [2, 3], got [2]");
    CHECK_ERROR(repeat(x, {2, -1}), "repeat: a count cannot be negative, got [2, -1]");
    CHECK_ERROR(repeat_interleave(x, -1, 0),
                "repeat_interleave: the count cannot be negative, got -1");
    CHECK_ERROR(tril(zeros({3})), "tril: expected at least two axes, got shape [3]");
    CHECK_ERROR(triu(zeros({3})), "triu: expected at least two axes, got shape [3]");
    CHECK_ERROR(diagonal(x, 0, 1, -1), "diagonal: the two axes are the same, 1 of shape [2, 3]");
    CHECK_ERROR(put_on_diagonal(zeros({3}), {2, 3}),
                "put_on_diagonal: diagonal 0 of shape [2, 3] is [2], got [3]");
    CHECK_ERROR(diag(zeros({2, 2, 2})), "diag: expected a vector or a matrix, got shape [2, 2, 2]");
    CHECK_ERROR(unbind(x, 2), "unbind: there is no axis 2 in shape [2, 3]");
    CHECK_ERROR(concat(std::vector<Tensor>{}, 0), "concat: expected at least one tensor");
    CHECK_ERROR(concat({x, zeros({3})}, 0),
                "concat: [2, 3] and [3] have different numbers of axes");
    CHECK_ERROR(concat({x, zeros({3, 2})}, 0),
                "concat: [2, 3] and [3, 2] differ along another axis than 0");
    CHECK_ERROR(concat({x, x, zeros({3, 2})}, 0),
                "concat: [2, 3] and [3, 2] differ along another axis than 0");
    CHECK_ERROR(stack({}), "stack: expected at least one tensor");
    CHECK_ERROR(stack({x, zeros({3})}), "stack: shapes differ: [2, 3] and [3]");
    CHECK_ERROR(stack({x}, 4), "stack: axis 4 cannot be inserted into shape [2, 3]");
    CHECK(error_of([&] {
              concat({x, zeros({2, 3}, Dtype::float64)}, 0);
          }).substr(0, 15) == "concat: float32");
    CHECK(error_of([&] {
              stack({x, zeros({2, 3}, Dtype::float64)});
          }).substr(0, 14) == "stack: float32");
    CHECK_ERROR(pad(x, 0, -1, 0), "pad: cannot add -1 and 0 elements; slice() removes them");
}

TEST_CASE("products", "[errors]") {
    CHECK_ERROR(matmul(zeros({8, 20, 64}), zeros({8, 20, 64})),
                "matmul: inner sizes differ: [8, 20, 64] x [8, 20, 64]; did you mean the second "
                "one transposed, [8, 64, 20]?");
    CHECK_ERROR(matmul(zeros({2, 3}), zeros({4, 5})),
                "matmul: inner sizes differ: [2, 3] x [4, 5]");
    CHECK_ERROR(matmul(zeros({3}), zeros({4})), "matmul: inner sizes differ: [3] x [4]");
    CHECK_ERROR(matmul(zeros({3}), zeros({4, 3})),
                "matmul: inner sizes differ: [3] x [4, 3]; did "
                "you mean the second one transposed, [3, 4]?");
    CHECK_ERROR(matmul(zeros({4, 3}), zeros({2})), "matmul: inner sizes differ: [4, 3] x [2]");
    CHECK_ERROR(matmul(scalar(1), zeros({2})),
                "matmul: expected matrices or vectors, got [] x [2]");
    CHECK_ERROR(matmul(zeros({2, 2, 3}), zeros({3, 3, 4})),
                "matmul: shapes do not broadcast: [2] and [3] (sizes 2 and 3, counted from the "
                "last axis, must be equal or one of them 1)");
    CHECK(error_of([&] {
              matmul(zeros({2, 2}), zeros({2, 2}, Dtype::float64));
          }).substr(0, 15) == "matmul: float32");
    CHECK_ERROR(dot(zeros({3}), zeros({4})), "dot: expected two vectors of one size, got [3], [4]");
    CHECK_ERROR(outer(zeros({3}), zeros({4, 1})),
                "outer: expected two vectors, got [3] and [4, 1]");
    const Tensor x = zeros({5, 4}), w = zeros({3, 4});
    CHECK_ERROR(linear(x, zeros({4})), "linear: expected weights [out, in], got [4]");
    CHECK_ERROR(linear(x, zeros({4, 3})),
                "linear: x [5, 4] ends in 4, but the weights [4, 3] take 3 features");
    CHECK_ERROR(linear(x, w, zeros({4})), "linear: expected a bias of shape [3], got [4]");
    CHECK_ERROR(linear(scalar(1), w), "linear: expected x with a last axis of features, got []");
    CHECK(error_of([&] { linear(x, to_dtype(w, Dtype::float64)); }).substr(0, 15) ==
          "linear: float32");
}

TEST_CASE("einsum", "[errors]") {
    const Tensor a = zeros({2, 3}), b = zeros({3, 4});
    CHECK_ERROR(einsum("ij", {}), "einsum: expected at least one operand");
    CHECK_ERROR(einsum("ij,jk->ik", {a}), "einsum: 'ij,jk->ik' names 2 operands, got 1");
    CHECK_ERROR(einsum("...j->j", {a}), "einsum: '...j->j': '...' is not supported; name all axes");
    CHECK_ERROR(einsum("i1->i", {a}), "einsum: 'i1->i': axes are named by letters, not by '1'");
    CHECK_ERROR(einsum("ij->ik", {a}),
                "einsum: 'ij->ik': no operand has the axis 'k' of the result");
    CHECK_ERROR(einsum("ij->ii", {a}), "einsum: 'ij->ii': axis 'i' occurs twice in the result");
    CHECK_ERROR(einsum("ijk->i", {a}),
                "einsum: 'ijk->i': operand 0 has axes 'ijk', but its shape is [2, 3]");
    CHECK_ERROR(einsum("ij,ik->jk", {a, b}), "einsum: 'ij,ik->jk': axis 'i' has sizes 2 and 3");
    CHECK_ERROR(einsum("abc,def,ghi->adg", {zeros({1, 1, 1}), zeros({1, 1, 1}), zeros({1, 1})}),
                "einsum: 'abc,def,ghi->adg': operand 2 has axes 'ghi', but its shape is [1, 1]");
    CHECK_ERROR(einsum("abcd,efgh->abcdefgh", {zeros({1, 1, 1, 1}), zeros({1, 1, 1, 1})}),
                "einsum: 'abcd,efgh->abcdefgh': an intermediate result would have the axes "
                "'abcdefgh'; a tensor has at most 6");
    CHECK(error_of([&] {
              einsum("ij,jk", {a, to_dtype(b, Dtype::float64)});
          }).substr(0, 15) == "einsum: float32");
}

TEST_CASE("integers", "[errors]") {
    const Indices i({1, 2, 3, 4}, {2, 2});
    CHECK_ERROR(concat(std::vector<Indices>{}, 0), "concat: expected at least one Indices");
    CHECK_ERROR(concat({i, Indices({1, 2})}, 0),
                "concat: [2, 2] and [2] have different numbers of axes");
    CHECK_ERROR(concat({i, Indices({1, 2}, {2, 1})}, 0),
                "concat: [2, 2] and [2, 1] differ along another axis than 0");
    CHECK_ERROR(slice(i, 1, 1, 3), "slice: [1, 3) is not inside axis 1 of shape [2, 2]");
    CHECK_ERROR(equal(i, Indices({1, 2})), "equal: shapes differ: [2, 2] and [2]");
    CHECK_ERROR(not_equal(i, Indices({1, 2})), "not_equal: shapes differ: [2, 2] and [2]");
    CHECK_ERROR(to_indices(tensor({1, 2, 3, 4.5}, {2, 2})),
                "to_indices: 4.5 at [1, 1] is not a whole number that fits into an int");
    CHECK_ERROR(to_indices(tensor({3e9})),
                "to_indices: 3000000000 at [0] is not a whole number that fits into an int");
    CHECK_ERROR(to_indices(tensor({NAN})),
                "to_indices: nan at [0] is not a whole number that fits into an int");
}

TEST_CASE("derivatives", "[errors]") {
    const auto twice = [](const Tensor& x) { return x * 2; };
    const Tensor x = ones({2});
    CHECK_ERROR(vjp(twice, x, ones({3})), "vjp: expected weights g of shape [2], got [3]");
    CHECK_ERROR(jvp(twice, x, ones({3})), "jvp: expected a direction v of shape [2], got [3]");
    CHECK_ERROR(hvp(twice, x, x), "hvp: f must return one element, not shape [2]");
    CHECK_ERROR(hessian(twice, x), "hessian: f must return one element, not shape [2]");
    CHECK_ERROR(hvp(sum(x), {x}, {}), "hvp: 1 tensors, but 0 directions");
}

TEST_CASE("differentiation", "[errors]") {
    Tensor x = ones({2}, Dtype::float64).set_requires_grad();
    CHECK_ERROR(backward(x * 2),
                "backward: the result has shape [2]; it must have one element, or "
                "pass g, the weights of its elements");
    CHECK_ERROR(backward(x * 2, ones({3}, Dtype::float64)),
                "backward: expected weights of shape [2], got [3]");
    CHECK(error_of([&] { backward(x * 2, ones({2})); }).substr(0, 17) == "backward: float64");
    const std::string nothing =
        ": nothing to differentiate: no input of this tensor asked for a gradient "
        "(x.set_requires_grad())";
    CHECK_ERROR(backward(ones({1})), "backward" + nothing);
    CHECK_ERROR(grad(ones({1}), {x}), "grad" + nothing);
    CHECK_ERROR(grad(sum(x), {x, ones({2})}),
                "grad: argument 1 takes no part in the graph; call "
                "x.set_requires_grad() before computing y");
    CHECK_ERROR(gradcheck([](auto& in) { return in[0]; }, {ones({2})}),
                "gradcheck: input 0 is float32; differences need float64 (to_dtype)");
    CHECK_ERROR(gradcheck([](auto& in) { return in[0]; }, {x}, {.order = 0}),
                "gradcheck: order must be at least 1, got 0");
    CHECK_ERROR(graph_dot(ones({1})),
                "graph_dot: no graph stands behind this tensor: no input of it asked for a "
                "gradient (x.set_requires_grad()), or it was computed under NoGrad");
}

}  // namespace
}  // namespace heed
