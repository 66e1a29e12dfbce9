#include "nn/module/hooks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace heed::hooks_detail {

namespace {

// Whether a name fits a pattern, in which * stands for one part and ** for any number of them.
bool fits(std::string_view name, std::string_view pattern) {
    const auto cut = [](std::string_view text) {
        const std::size_t dot = text.find('.');
        return std::pair(text.substr(0, dot),
                         dot == text.npos ? std::string_view() : text.substr(dot + 1));
    };
    if (name.empty() || pattern.empty())
        return name.empty() && (pattern.empty() || pattern == "**");
    const auto [part, parts] = cut(name);
    const auto [wanted, wanteds] = cut(pattern);
    if (wanted == "**") return fits(name, wanteds) || fits(parts, pattern);
    return (wanted == "*" || wanted == part) && fits(parts, wanteds);
}

// True while a hook runs, also if it throws.
struct Busy {
    bool& flag;
    explicit Busy(bool& f) : flag(f) { flag = true; }
    ~Busy() { flag = false; }
};

}  // namespace

Hooks::Hooks(std::vector<Hook> hooks, const std::vector<Parameter>& tensors)
    : hooks_(std::move(hooks)), called_(hooks_.size()) {
    for (const Parameter& p : tensors) names_.emplace(p.tensor.body(), p.name);
}

// The model's name of the layer's first tensor is the layer's name and what the layer itself calls it.
std::vector<std::string> Hooks::names_of(const Parameter& first, const char* value) const {
    std::vector<std::string> all;
    if (!first.tensor.defined()) return all;
    const auto [begin, end] = names_.equal_range(first.tensor.body());
    for (auto p = begin; p != end; ++p) {
        const std::string& name = p->second;
        if (name == first.name)
            all.push_back(value);
        else if (name.ends_with("." + first.name))
            all.push_back(name.substr(0, name.size() - first.name.size()) + value);
    }
    return all;
}

bool Hooks::wanted(const Parameter& first, const char* value) const {
    if (busy_) return false;
    const std::vector<std::string> names = names_of(first, value);
    return std::any_of(hooks_.begin(), hooks_.end(), [&](const Hook& hook) {
        return std::any_of(names.begin(), names.end(),
                           [&](const std::string& name) { return fits(name, hook.name); });
    });
}

Tensor Hooks::call(const Parameter& first, const char* value, const Tensor& x) {
    if (busy_) return x;
    Tensor y = x;
    for (const std::string& name : names_of(first, value)) {
        if (std::find(reached.begin(), reached.end(), name) == reached.end())
            reached.push_back(name);
        for (std::size_t i = 0; i < hooks_.size(); ++i) {
            if (!fits(name, hooks_[i].name)) continue;
            called_[i] = true;
            const Busy now(busy_);
            y = hooks_[i].f(y, name);
            if (!y.defined()) fail("the hook of '{}' returned a tensor that is not defined", name);
            if (y.shape() != x.shape() || y.dtype() != x.dtype())
                fail("the hook of '{}' returned {} of {}, but the value is {} of {}", name,
                     y.shape(), name_of(y.dtype()), x.shape(), name_of(x.dtype()));
        }
    }
    return y;
}

void Hooks::check_reached() const {
    for (std::size_t i = 0; i < hooks_.size(); ++i)
        if (!called_[i])
            fail("hooks: the call reached no value '{}'; it reached {}", hooks_[i].name,
                 reached.empty() ? "none" : fmt::format("{}", fmt::join(reached, ", ")));
}

}  // namespace heed::hooks_detail
