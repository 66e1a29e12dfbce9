#include "nn/train/early_stopping.h"

#include <cmath>

#include "autograd/base/settings.h"

namespace heed {

EarlyStopping::EarlyStopping(ParameterList parameters, const EarlyStoppingOptions& options)
    : parameters_(std::move(parameters)), options_(options) {
    const double min_delta = options.min_delta;
    check_not_negative("EarlyStopping", {{"patience", options.patience}, {"min_delta", min_delta}});
    check(std::isfinite(min_delta), "EarlyStopping: min_delta is {}; expected a finite number",
          min_delta);
}

bool EarlyStopping::add(int64_t step, double value) {
    history_.push_back({step, value});
    const bool first = copies_.empty() && value == value;
    if (!first && !(value < best_.value - options_.min_delta)) {
        ++without_;
        return false;
    }
    best_ = {step, value};
    without_ = 0;
    make_copies();
    return true;
}

void EarlyStopping::make_copies() {
    copies_.clear();
    for (const Parameter& p : parameters_) copies_.push_back(copy_of(p.tensor));
}

void EarlyStopping::restore_best() {
    for (std::size_t i = 0; i < copies_.size(); ++i) parameters_[i].tensor.assign(copies_[i]);
}

}  // namespace heed
