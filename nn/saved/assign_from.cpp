// What a file offers against what a model has: names, shapes, ties.
#include <set>

#include "nn/saved/safetensors.h"

namespace heed {
namespace {

// "'a', 'b', 'c' and 4 more"
std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t most = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
        text += (i > 0 ? ", '" : "'") + names[i] + "'";
    if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
    return text;
}

bool equal(const Tensor& a, const Tensor& b) {
    return a.shape() == b.shape() && a.to_vector() == b.to_vector();
}

}  // namespace

void assign_from(const Safetensors& file, const std::string& path,
                 const std::vector<Parameter>& targets) {
    struct Source {
        const Tensor* tensor;
        std::string name;
    };
    std::map<const Tensor::Body*, Source> sources;
    std::map<std::string, const Tensor*> offered;
    for (const Parameter& p : file.tensors) offered[p.name] = &p.tensor;

    // Find each target in the file, by any of its names.
    std::set<std::string> known;
    for (const Parameter& target : targets) {
        known.insert(target.name);
        const auto found = offered.find(target.name);
        if (found == offered.end()) continue;
        const Tensor& x = *found->second;
        check(x.shape() == target.tensor.shape(), "{}: '{}': expected shape {}, found {}", path,
              target.name, target.tensor.shape(), x.shape());
        const auto [first, fresh] =
            sources.try_emplace(target.tensor.body(), Source{&x, target.name});
        check(fresh || equal(*first->second.tensor, x),
              "{}: '{}' and '{}' are one tied tensor in the model, but differ in the file", path,
              first->second.name, target.name);
    }

    std::vector<std::string> missing, unexpected;
    for (const Parameter& target : targets)
        if (!sources.count(target.tensor.body())) missing.push_back(target.name);
    for (const Parameter& p : file.tensors)
        if (!known.count(p.name)) unexpected.push_back(p.name);
    check(missing.empty() || unexpected.empty(),
          "{}: not a file of this model: it lacks {} and has {} instead", path, listed(missing),
          listed(unexpected));
    check(missing.empty(), "{}: lacks {}", path, listed(missing));
    check(unexpected.empty(), "{}: has {}, which the model does not", path, listed(unexpected));

    for (const Parameter& target : targets) {
        Tensor x = target.tensor;
        x.assign(to_dtype(*sources.at(x.body()).tensor, x.dtype()));
    }
}

}  // namespace heed
