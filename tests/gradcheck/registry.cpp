#include "tests/gradcheck/registry.h"

#include <algorithm>

namespace heed {
namespace {
std::vector<MakeCases>& makers() {
    static std::vector<MakeCases> list;
    return list;
}
}  // namespace

bool add_cases(MakeCases make) {
    makers().push_back(make);
    return true;
}

std::vector<Case> all_cases() {
    std::vector<Case> cases;
    for (MakeCases make : makers())
        for (Case& one : make()) cases.push_back(std::move(one));
    std::sort(cases.begin(), cases.end(),
              [](const Case& a, const Case& b) { return a.name < b.name; });
    return cases;
}

Tensor sample(const Shape& shape, double low, double high, uint64_t seed) {
    Rng rng(seed * 1000 + shape.numel());
    return uniform(shape, low, high, rng, Dtype::float64);
}

}  // namespace heed
