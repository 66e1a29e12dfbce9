#include "bench/workload.h"

#include "nn/saved/safetensors.h"

namespace heed::bench {

std::vector<Workload> all_workloads(const std::string& filter) {
    std::vector<Workload> chosen;
    for (const auto& group : {kernel_workloads(), model_workloads()})
        for (const Workload& w : group)
            if (w.name.find(filter) != std::string::npos) chosen.push_back(w);
    return chosen;
}

void save(const Workload& workload, const Prepared& prepared, const std::string& path) {
    std::map<std::string, std::string> facts{{"kind", workload.kind}};
    for (const auto& [name, size] : workload.sizes) facts[name] = std::to_string(size);
    save_safetensors(path, {prepared.tensors, facts});
}

}  // namespace heed::bench
