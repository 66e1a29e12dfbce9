// Every formula op there is, in the shapes that elementwise kernels treat differently.
#include <cmath>

#include "tests/autograd/elementwise_operations.h"
#include "tests/gradcheck/registry.h"

namespace heed {
namespace {

// Samples the op's interval, at least a tenth of its width away from kinks.
Tensor sample_for(const ListedOperation& op, const Shape& shape, uint64_t seed) {
    Rng rng(seed);
    const auto [low, high, kink, other] = op.interval;
    const double gap = 0.03 * (high - low);
    std::vector<double> values;
    while (static_cast<int64_t>(values.size()) < shape.numel()) {
        const double x = rng.uniform(low, high);
        if (std::abs(x - kink) < gap || std::abs(x - other) < gap) continue;
        values.push_back(x);
    }
    return tensor(values, shape, Dtype::float64);
}

// Constant between their steps.
bool is_step(const std::string& name) {
    return name == "sign" || name == "floor" || name == "ceil" || name == "round";
}

std::vector<Case> unary_cases(const ListedOperation& op) {
    const auto apply = op.apply;
    const auto plain = [=](const std::vector<Tensor>& x) { return apply(x); };
    const auto turned = [=](const std::vector<Tensor>& x) { return apply({transpose(x[0])}); };
    const auto stepped = [=](const std::vector<Tensor>& x) {
        return apply({slice(x[0], 1, 0, x[0].size(1), 2)});
    };
    const auto name = [&](const char* what) { return fmt::format("{} {}", op.name, what); };
    return {{name("scalar"), plain, {sample_for(op, {}, 9)}},
            {name("[2, 3]"), plain, {sample_for(op, {2, 3}, 2)}},
            {name("[1, 35] (two registers and a rest)"), plain, {sample_for(op, {1, 35}, 3)}},
            {name("transposed [4, 3]"), turned, {sample_for(op, {4, 3}, 4)}},
            {name("every second of [2, 6]"), stepped, {sample_for(op, {2, 6}, 5)}}};
}

std::vector<Case> binary_cases(const ListedOperation& op) {
    const auto apply = op.apply;
    const auto plain = [=](const std::vector<Tensor>& x) { return apply(x); };
    const auto turned = [=](const std::vector<Tensor>& x) {
        return apply({transpose(x[0]), x[1]});
    };
    const auto twice = [=](const std::vector<Tensor>& x) {
        return apply({x[0], square(x[0]) + 0.5});
    };
    const auto two = [&](const char* what, const Shape& a, const Shape& b, auto f) {
        return Case{
            fmt::format("{} {}", op.name, what), f, {sample_for(op, a, 6), sample_for(op, b, 7)}};
    };
    return {two("[2, 3], [2, 3]", {2, 3}, {2, 3}, plain),
            two("[2, 20], [20]", {2, 20}, {20}, plain),
            two("[9], scalar", {9}, {}, plain),
            two("[2, 1, 3], [4, 1] (both broadcast)", {2, 1, 3}, {4, 1}, plain),
            two("transposed [4, 3], [3, 4]", {4, 3}, {3, 4}, turned),
            {fmt::format("{} x, x² + 0.5 (one tensor twice)", op.name),
             twice,
             {sample_for(op, {5}, 8)}}};
}

const bool added_elementwise = add_cases([] {
    std::vector<Case> cases;
    for (const ListedOperation& op : elementwise_operations())
        for (const Case& one : op.inputs == 1 ? unary_cases(op) : binary_cases(op))
            cases.push_back(is_step(op.name) ? one.zero_gradient("x0", "constant between its steps")
                                             : one);
    return cases;
});

}  // namespace
}  // namespace heed
