#include "nn/layers/adapters.h"

#include <algorithm>
#include <cmath>

#include "autograd/base/settings.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/product/matmul.h"
#include "autograd/record/grad_mode.h"
#include "autograd/tensor/random.h"

namespace heed::adapters_detail {

namespace {

bool wanted(const std::string& name, const std::vector<std::string>& only) {
    const std::string last = name.substr(name.rfind('.') + 1);
    return only.empty() || std::find(only.begin(), only.end(), last) != only.end();
}

std::vector<NamedLinear> adapted(const std::vector<NamedLinear>& all, const char* function) {
    std::vector<NamedLinear> found;
    for (const NamedLinear& one : all)
        if (one.layer->adapter) found.push_back(one);
    check(!found.empty(), "{}: no layer of this model has an adapter; add_adapters() comes first",
          function);
    return found;
}

void check_adaptable(const NamedLinear& one, int64_t rank) {
    const auto& [name, layer] = one;
    check(layer->weight.defined(),
          "add_adapters: the weight of '{}' is quantised; add and merge adapters before quantise()",
          name);
    check(!layer->adapter,
          "add_adapters: '{}' has an adapter already; merge_adapters() or remove_adapters() first",
          name);
    check(rank <= std::min(layer->in_features(), layer->weight.size(0)),
          "add_adapters: rank {} is larger than a width of '{}', whose weight is {}; a product of "
          "this rank would be no smaller than the weight",
          rank, name, layer->weight.shape());
}

std::vector<NamedLinear> chosen_of(const std::vector<NamedLinear>& all,
                                   const AdapterOptions& options) {
    std::vector<NamedLinear> chosen;
    std::string names;
    for (const NamedLinear& one : all) {
        if (!one.layer->defined()) continue;  // such as the gate of a layer without one
        names += (names.empty() ? "" : ", ") + one.name;
        if (wanted(one.name, options.only)) chosen.push_back(one);
    }
    if (names.empty()) fail("add_adapters: the model holds no Linear layer");
    check(!chosen.empty(), "add_adapters: no Linear layer has one of the names; the model has {}",
          names);
    for (const NamedLinear& one : chosen) check_adaptable(one, options.rank);
    return chosen;
}

}  // namespace

// W + (alpha / rank) up down, where up is 0 at the start.
void add(const std::vector<NamedLinear>& all, const AdapterOptions& options, Rng& rng) {
    check_positive("add_adapters", {{"rank", options.rank}});
    check(options.alpha >= 0 && std::isfinite(options.alpha),
          "add_adapters: alpha is {}; expected 0 or a positive number", options.alpha);
    const std::vector<NamedLinear> chosen = chosen_of(all, options);
    const double alpha = options.alpha == 0 ? static_cast<double>(options.rank) : options.alpha;
    for (const auto& [name, layer] : chosen) {
        const int64_t in = layer->in_features(), out = layer->weight.size(0);
        const Dtype dtype = layer->weight.dtype();
        const double deviation = 1 / std::sqrt(static_cast<double>(in));
        layer->adapter =
            LowRankAdapter{.down = parameter(normal({options.rank, in}, 0, deviation, rng, dtype)),
                           .up = parameter(zeros({out, options.rank}, dtype)),
                           .scale = alpha / static_cast<double>(options.rank)};
    }
}

void merge(const std::vector<NamedLinear>& all, const std::vector<Parameter>& owners) {
    const std::vector<NamedLinear> found = adapted(all, "merge_adapters");
    for (const auto& [name, layer] : found) {
        check(layer->weight.defined(),
              "merge_adapters: the weight of '{}' is quantised; merge adapters before quantise()",
              name);
        for (const Parameter& owner : owners)
            check(
                owner.tensor.body() != layer->weight.body() || owner.name == name + ".weight",
                "merge_adapters: the weight of '{}' is also '{}', which would change with it; give "
                "the layer a weight of its own, parameter(copy_of(weight))",
                name, owner.name);
    }
    const NoGrad no_grad;
    for (const auto& [name, layer] : found) {
        const LowRankAdapter& a = *layer->adapter;
        layer->weight.assign(layer->weight + matmul(a.up, a.down) * a.scale);
        layer->adapter.reset();
    }
}

void remove(const std::vector<NamedLinear>& all) {
    for (const NamedLinear& one : adapted(all, "remove_adapters")) one.layer->adapter.reset();
}

std::vector<Parameter> tensors(const std::vector<NamedLinear>& all, const char* function) {
    std::vector<Parameter> result;
    for (const auto& [name, layer] : adapted(all, function)) {
        result.push_back({name + ".adapter.down", layer->adapter->down});
        result.push_back({name + ".adapter.up", layer->adapter->up});
    }
    return result;
}

}  // namespace heed::adapters_detail
