#include "bench/workload.h"

#include "autograd/autograd.h"
#include "nn/saved/safetensors.h"

namespace heed::bench {

std::vector<Workload> all_workloads(const std::string& filter, Scale scale) {
    std::vector<Workload> chosen;
    for (const auto& group :
         {kernel_workloads(scale), image_workloads(scale), model_workloads(scale)})
        for (const Workload& w : group)
            if (w.name.find(filter) != std::string::npos) chosen.push_back(w);
    return chosen;
}

void save(const Workload& workload, const Prepared& prepared, const std::string& path) {
    std::map<std::string, std::string> facts{{"kind", workload.kind}};
    for (const auto& [name, size] : workload.sizes) facts[name] = std::to_string(size);
    save_safetensors(path, {prepared.tensors, facts});
}

Prepared differentiated(const std::vector<Parameter>& inputs,
                        const std::function<Tensor(const std::vector<Tensor>&)>& function) {
    std::vector<Tensor> xs;
    for (Parameter input : inputs) xs.push_back(input.tensor.set_requires_grad());
    Shape output;
    {
        const NoGrad no_grad;
        output = function(xs).shape();
    }
    Rng rng(2);
    const Tensor g = normal(output, 0, 1, rng);
    std::vector<Parameter> tensors = inputs;
    tensors.push_back({"g", g});
    const auto results = [=] {
        const Tensor y = function(xs);
        const std::vector<Tensor> gradients = grad(y, xs, false, g);
        std::vector<Parameter> all{{"output", detach(y)}};
        for (std::size_t i = 0; i < xs.size(); ++i)
            all.push_back({"gradient of " + inputs[i].name, gradients[i]});
        return all;
    };
    return {tensors, results, [=] { grad(function(xs), xs, false, g); }};
}

}  // namespace heed::bench
