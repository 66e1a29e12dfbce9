#include "bench/agreement.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "autograd/autograd.h"
#include "nn/saved/safetensors.h"

namespace heed::bench {
namespace {

double size_of(const Tensor& x) {
    const Tensor wide = to_dtype(x, Dtype::float64);
    return std::sqrt(sum(wide * wide).item());
}

const std::string gradient = "gradient of ", change = "change of ";

double tolerance(const std::string& name) {
    return name.starts_with(change) ? 1e-3 : name.starts_with(gradient) ? 1e-4 : 1e-5;
}

}  // namespace

void check_agreement(const std::string& workload, const std::string& ours,
                     const std::string& theirs, const std::string& program) {
    std::map<std::string, Tensor> left, right;
    for (const auto& [name, tensor] : load_safetensors(ours).tensors) left[name] = tensor;
    for (const auto& [name, tensor] : load_safetensors(theirs).tensors) right[name] = tensor;
    check(left.size() == right.size(), "bench: {}: heed has {} results and {} {}", workload,
          left.size(), program, right.size());

    double largest = 0;  // norm of a gradient
    for (const auto& [name, tensor] : right)
        if (name.starts_with(gradient)) largest = std::max(largest, size_of(tensor));
    const auto only_rounding = [&](const std::string& parameter) {
        const auto found = right.find(gradient + parameter);
        return found != right.end() && size_of(found->second) <= 1e-5 * largest;
    };

    for (const auto& [name, b] : right) {
        const auto found = left.find(name);
        check(found != left.end(), "bench: {}: heed has no result '{}'", workload, name);
        const Tensor& a = found->second;
        check(a.shape() == b.shape(), "bench: {}: {}: heed has shape {}, {} {}", workload, name,
              a.shape(), program, b.shape());
        double size = size_of(b);
        if (name.starts_with(change) && only_rounding(name.substr(change.size()))) continue;
        if (name.starts_with(gradient) && size <= 1e-5 * largest) size = largest;
        const double difference =
            size_of(to_dtype(a, Dtype::float64) - to_dtype(b, Dtype::float64));
        check(difference <= tolerance(name) * size,
              "bench: {}: with the same weights, heed and {} differ: {}: {:.2g} of its size "
              "(at most {})",
              workload, program, name, difference / size, tolerance(name));
    }
}

}  // namespace heed::bench
