#include "tests/gradcheck/registry.h"

#include <algorithm>

namespace heed {
namespace {
std::vector<MakeCases>& makers() {
    static std::vector<MakeCases> list;
    return list;
}

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}
}  // namespace

Case Case::zero_gradient(const std::string& input, const std::string& reason) const {
    Case copy = *this;
    copy.zero.push_back({input, reason});
    return copy;
}
Case Case::first_order_only(const std::string& reason) const {
    Case copy = *this;
    check(!reason.empty(), "first_order_only: {} needs a reason", name);
    copy.highest_order = 1;
    return copy;
}
Case Case::conditioned(double factor, const std::string& reason) const {
    Case copy = *this;
    check(!reason.empty(), "conditioned: {} needs a reason", name);
    copy.condition = factor;
    return copy;
}

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

bool is_large(const Case& one) {
    return std::any_of(one.inputs.begin(), one.inputs.end(),
                       [](const Tensor& x) { return x.numel() > 1000; });
}

GradcheckReport check_case(const Case& one, int order, GradcheckOptions options) {
    options.order = std::min(order, one.highest_order);
    options.names = one.names;
    for (std::size_t i = options.names.size(); i < one.inputs.size(); ++i)
        options.names.push_back(fmt::format("x{}", i));
    // An error shows along any direction, unless it is at a right angle to it. Two save time.
    if (is_large(one)) {
        options.directions = 2;
        options.full_below = 8;
    }
    for (const ZeroGradient& zero : one.zero) {
        const std::size_t known = options.zero.size();
        for (std::size_t i = 0; i < options.names.size(); ++i)
            if (ends_with(options.names[i], zero.input))
                options.zero.push_back(static_cast<int>(i));
        check(options.zero.size() > known && !zero.reason.empty(),
              "the case `{}` exempts the input '{}', which it does not have or for no reason",
              one.name, zero.input);
    }
    return gradcheck(one.f, one.inputs, options);
}

Tensor sample(const Shape& shape, double low, double high, uint64_t seed) {
    Rng rng(seed * 1000 + shape.numel());
    return uniform(shape, low, high, rng, Dtype::float64);
}

}  // namespace heed
