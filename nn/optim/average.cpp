#include "nn/optim/average.h"

#include <charconv>

#include "autograd/base/settings.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/record/grad_mode.h"
#include "nn/saved/safetensors.h"

namespace heed {

AverageOfWeights::AverageOfWeights(ParameterList parameters, const AverageOptions& options)
    : parameters_(std::move(parameters)), options_(options) {
    check(!parameters_.empty(), "AverageOfWeights: there are no parameters");
    check_rate("AverageOfWeights", {{"ema_decay", options_.ema_decay.value_or(0)}});
    for (const Parameter& p : parameters_) {
        check(p.tensor.defined(), "AverageOfWeights: parameter '{}' is not defined", p.name);
        averages_.push_back(zeros_like(p.tensor));
    }
}

void AverageOfWeights::check_apart(const char* operation) const {
    if (!swapped_) return;
    fail(
        "AverageOfWeights::{}: the averages are in use as weights; call swap() first, or let the "
        "object of use() end",
        operation);
}

// With n updates done, the mean moves by 1 / (n + 1) of the distance to the weights, and the
// exponential average by 1 - d of it. The first update moves all the way.
void AverageOfWeights::update() {
    check_apart("update");
    NoGrad no_grad;
    double share = 1 / static_cast<double>(updates_ + 1);
    if (options_.ema_decay && updates_ > 0) share = 1 - *options_.ema_decay;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        const Tensor weights = detach(parameters_[i].tensor);
        averages_[i].assign(updates_ == 0 ? weights
                                          : averages_[i] + (weights - averages_[i]) * share);
    }
    ++updates_;
}

std::vector<Parameter> AverageOfWeights::averages() const {
    check(updates_ > 0, "AverageOfWeights: there is no average before the first update()");
    std::vector<Parameter> all;
    for (std::size_t i = 0; i < parameters_.size(); ++i)
        all.push_back({parameters_[i].name, swapped_ ? parameters_[i].tensor : averages_[i]});
    return all;
}

void AverageOfWeights::swap() {
    check(updates_ > 0, "AverageOfWeights: there is no average before the first update()");
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        const Tensor weights = copy_of(parameters_[i].tensor);
        parameters_[i].tensor.assign(averages_[i]);
        averages_[i].assign(weights);
    }
    swapped_ = !swapped_;
}

void AverageOfWeights::save(const std::string& path) const {
    check_apart("save");
    const std::string decay =
        options_.ema_decay ? fmt::format("{}", *options_.ema_decay) : std::string("none");
    save_safetensors(
        path, {averages(), {{"ema_decay", decay}, {"average_updates", std::to_string(updates_)}}});
}

void AverageOfWeights::load(const std::string& path) {
    check_apart("load");
    const Safetensors file = load_safetensors(path);
    const auto found = file.metadata.find("average_updates");
    check(found != file.metadata.end(),
          "{}: not an average of weights: its metadata has no 'average_updates'", path);
    int64_t updates = 0;
    const std::string& text = found->second;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), updates);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    check(whole && updates > 0, "{}: expected a count of updates, found '{}'", path, text);

    std::vector<Parameter> targets;
    for (std::size_t i = 0; i < parameters_.size(); ++i)
        targets.push_back({parameters_[i].name, averages_[i]});
    assign_from(file, path, targets);
    updates_ = updates;
}

}  // namespace heed
