// What users run is float32 and fused. Every case of the gradient check once more: its output and its
// gradients in float32, by the kernels and by their definitions, against float64. The finite differences
// prove float64 right; this carries the proof over to float32.
//
// Both get the same inputs, so all that may differ is rounding: at most about one unit (2⁻²⁴) of the
// largest number for each operation on the longest way through the graph.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "autograd/tensor/node.h"
#include "tests/catch.h"
#include "tests/gradcheck/registry.h"

namespace heed {
namespace {

using Xs = std::vector<Tensor>;

const double unit = std::ldexp(1.0, -24);

// How many units of rounding an operation may add. A fused kernel, one node, does the work of a dozen
// operations; and the sums in products grow with the square root of their length.
constexpr double units_per_operation = 16;

double largest(const Tensor& x) {
    double found = 0;
    for (double v : x.to_vector()) found = std::max(found, std::abs(v));
    return found;
}

double largest_distance(const Tensor& a, const Tensor& b) {
    const std::vector<double> x = a.to_vector(), y = b.to_vector();
    if (x.size() != y.size()) return std::numeric_limits<double>::infinity();
    double found = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double difference = std::abs(x[i] - y[i]);
        if (!(difference <= found)) found = difference;  // NaN, too
        if (std::isnan(difference)) return difference;
    }
    return found;
}

// The nodes on the longest way from a leaf to y.
int longest_way(const Tensor& y) {
    if (!y.requires_grad()) return 0;
    std::map<std::pair<uint64_t, const Node*>, int>
        length;  // by the order in which nodes were made
    std::vector<const Node*> open{y.body()->node};
    while (!open.empty()) {
        const Node* node = open.back();
        open.pop_back();
        if (!length.insert({{node->order, node}, 0}).second) continue;
        for (uint32_t i = 0; i < node->input_count; ++i)
            if (node->inputs[i].node) open.push_back(node->inputs[i].node);
    }
    for (auto& [at, longest] : length)
        for (uint32_t i = 0; i < at.second->input_count; ++i)
            if (const Node* input = at.second->inputs[i].node)
                longest = std::max(longest, length.at({input->order, input}) + 1);
    return length.rbegin()->second;
}

// The numbers of x in float32, as a leaf of this dtype.
Xs leaves_of(const Case& one, Dtype dtype) {
    Xs leaves;
    for (const Tensor& x : one.inputs)
        leaves.push_back(detach(to_dtype(to_dtype(x, Dtype::float32), dtype)).set_requires_grad());
    return leaves;
}

struct Result {
    Tensor y;
    Xs gradients;
};
Result result_of(const Case& one, Dtype dtype, bool by_definition) {
    const Xs leaves = leaves_of(one, dtype);
    const Tensor y = one.f(leaves);
    Rng rng(5);
    const Tensor covector = to_dtype(normal(y.shape(), 0, 1, rng), dtype);
    return {detach(y), grad(sum(y * covector), leaves, by_definition)};
}

// Whether the case says that this gradient is 0.
bool is_zero(const Case& one, std::size_t input) {
    const std::string name =
        input < one.names.size() ? one.names[input] : fmt::format("x{}", input);
    return std::any_of(one.zero.begin(), one.zero.end(), [&](const ZeroGradient& zero) {
        const std::string& end = zero.input;
        return name.size() >= end.size() && name.substr(name.size() - end.size()) == end;
    });
}

// The largest error in units of rounding, over the output and all gradients, each relative to its own
// largest number. A gradient that is 0 is what rounding leaves of a difference: relative to the largest
// of all gradients.
double units_of_error(const Case& one, const Result& narrow, const Result& wide) {
    double error = largest_distance(narrow.y, wide.y) / std::max(largest(wide.y), 1e-30);
    double of_all = 0;
    for (const Tensor& g : wide.gradients) of_all = std::max(of_all, largest(g));
    for (std::size_t i = 0; i < wide.gradients.size(); ++i) {
        const double least = (is_zero(one, i) ? 1 : 1e-3) * of_all;
        const double size = std::max({largest(wide.gradients[i]), least, 1e-30});
        const double own = largest_distance(narrow.gradients[i], wide.gradients[i]) / size;
        if (!(own <= error)) error = own;
    }
    return error / unit;
}

TEST_CASE("float32 agrees with float64 to rounding, by the kernels and by their definitions",
          "[grad]") {
    for (const Case& one : all_cases()) {
        INFO(one.name);
        const Xs leaves = leaves_of(one, Dtype::float32);
        const Tensor y = one.f(leaves);
        CHECK(y.dtype() == Dtype::float32);
        const double allowed = one.condition * units_per_operation * (longest_way(y) + 4);
        const Result wide = result_of(one, Dtype::float64, false);
        for (bool by_definition : {false, true}) {
            INFO((by_definition ? "by the definition" : "by the kernel"));
            CHECK(units_of_error(one, result_of(one, Dtype::float32, by_definition), wide) <=
                  allowed);
        }
    }
}

TEST_CASE("the comparison of float32 with float64 sees a kernel that is wrong in float32 only",
          "[grad]") {
    const Tensor x = sample({2, 3}, 0.5, 1.5);
    const auto units = [&](double slip) {
        const Case one{"planted",
                       [=](const Xs& in) {
                           const double factor = in[0].dtype() == Dtype::float32 ? 1 + slip : 1;
                           return record(
                               "planted", exp(detach(in[0])), in[0],
                               [=, x = in[0]](const Tensor& g) { return factor * g * exp(x); });
                       },
                       {x}};
        return units_of_error(one, result_of(one, Dtype::float32, false),
                              result_of(one, Dtype::float64, false));
    };
    const double allowed = units_per_operation * (1 + 4);
    CHECK(units(0) <= allowed);
    CHECK(units(1e-5) > allowed);
    CHECK(units(std::nan("")) != units(std::nan("")));
}

}  // namespace
}  // namespace heed
