// An average of a model's weights over the course of training. It often generalises better than the
// last weights, and it makes noisy training smooth. Two kinds:
//
//     AverageOfWeights ema(parameters(model), {.ema_decay = 0.999});  // exponential mean
//     AverageOfWeights swa(parameters(model));                        // plain mean, as in SWA
//     for (...) {
//         ...
//         optimiser.step();
//         ema.update();
//     }
//     {
//         const auto in_use = ema.use();       // the model now has the averages
//         evaluate(model);
//     }                                        // and here its own weights again
//
// SWA (stochastic weight averaging, Izmailov et al. 2018) takes the mean over the last part of
// training: call update() from there on, say once an epoch. Both kinds start with a copy of the
// weights at the first update, as PyTorch's AveragedModel does. For a model with buffers (batch
// normalisation) give saved_tensors(model) in place of parameters(model), so that they are averaged
// too.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nn/module/module.h"

namespace heed {

struct AverageOptions {
    // d in average = d average + (1 - d) weights, in [0, 1); if not given, the mean of all updates.
    std::optional<double> ema_decay = {};
};

class AverageOfWeights {
  public:
    // Averages these parameters; between updates they may change in any way.
    explicit AverageOfWeights(ParameterList parameters, const AverageOptions& options = {});

    // Takes the current weights into the average. Throws while the averages are in use.
    void update();
    int64_t updates() const { return updates_; }
    // The averages, under the names of the parameters. Throws before the first update.
    std::vector<Parameter> averages() const;

    // Exchanges weights and averages; a second call exchanges them back. Throws before the first
    // update.
    void swap();
    bool swapped() const { return swapped_; }

    // swap() now, and again when this object ends.
    class Use {
      public:
        explicit Use(AverageOfWeights& average) : average_(average) { average_.swap(); }
        ~Use() { average_.swap(); }
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

      private:
        AverageOfWeights& average_;
    };
    [[nodiscard]] Use use() { return Use(*this); }

    // A safetensors file of the averages under the names of the parameters: load_model() reads it
    // into a model, and load() goes on averaging. Throws while the averages are in use.
    void save(const std::string& path) const;
    void load(const std::string& path);

    // For checkpoints (nn/saved/saved_state.h). Throws while the averages are in use.
    template <class F>
    void visit_state(F&& f) {
        check_apart("visit_state");
        f("updates", updates_);
        for (std::size_t i = 0; i < averages_.size(); ++i) f(parameters_[i].name, averages_[i]);
    }

  private:
    void check_apart(const char* operation) const;

    ParameterList parameters_;
    std::vector<Tensor> averages_;
    AverageOptions options_;
    int64_t updates_ = 0;
    bool swapped_ = false;
};

}  // namespace heed
