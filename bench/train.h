// The training step of all models: forward, backward, clipping, optimiser.
#pragma once

#include <functional>
#include <memory>

#include "autograd/autograd.h"
#include "bench/workload.h"
#include "nn/nn.h"

namespace heed::bench {

// Token ids, or labels, [rows, columns].
Indices draw_ids(int64_t rows, int64_t columns, int64_t count, Rng& rng);
// The same as a tensor, for the file.
Tensor as_numbers(const Indices& ids);

// Copies of the parameters, because training changes them.
template <class Model>
std::vector<Parameter> copies(const Model& model) {
    std::vector<Parameter> all = parameters(model);
    for (Parameter& p : all) p.tensor = clone(p.tensor);
    return all;
}

// `loss` is the forward pass. If it drops at random, `compared_loss` is the same without dropout: for
// the results.
template <class Rule, class Model, class Options>
Prepared train_prepared(const Model& model, const Options& options, std::vector<Parameter> inputs,
                        std::function<Tensor()> loss, std::function<Tensor()> compared_loss = {}) {
    if (!compared_loss) compared_loss = loss;
    auto optimiser = std::make_shared<Rule>(parameters(model), options);
    const std::vector<Parameter> before = copies(model);
    std::vector<Parameter> tensors = before;
    tensors.insert(tensors.end(), inputs.begin(), inputs.end());
    const auto train = [=](const std::function<Tensor()>& forward) {
        backward(forward());
        optimiser->step_clipped(1);
        optimiser->zero_grad();
    };
    const auto results = [=] {
        const Tensor first = compared_loss();
        backward(first);
        std::vector<Parameter> all{{"loss", detach(first)}};
        for (const auto& [name, parameter] : parameters(model))
            all.push_back({"gradient of " + name, clone(parameter.grad())});
        optimiser->zero_grad();
        for (int i = 0; i < 3; ++i) train(compared_loss);
        const std::vector<Parameter> after = parameters(model);
        for (std::size_t i = 0; i < after.size(); ++i)
            all.push_back(
                {"change of " + after[i].name, detach(after[i].tensor) - detach(before[i].tensor)});
        return all;
    };
    const auto in_parts = [=](const std::function<void(const char*)>& ended) {
        backward(loss());
        ended("");
        optimiser->step_clipped(1);
        optimiser->zero_grad();
        ended("optimiser");
    };
    return {tensors, results, [=] { train(loss); }, in_parts};
}

}  // namespace heed::bench
