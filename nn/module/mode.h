// Whether a model is being trained or used. Dropout and batch normalisation do different things in
// training and in evaluation, so the mode is an argument of each call:
//
//     Tensor y = model(x, Mode::training(rng));     // dropout draws from rng
//     Tensor y = model(x, Mode::evaluation());
//
// A call without a mode is fine for a model in which it makes no difference. Where it does, the layer
// throws: nothing is assumed. There is no switch inside the model that could be left on or off.
#pragma once

#include "autograd/base/error.h"
#include "autograd/base/rng.h"

namespace heed {

class Mode {
  public:
    Mode() = default;  // not given
    static Mode evaluation() { return Mode(Kind::evaluation, nullptr); }
    static Mode training(Rng& rng) { return Mode(Kind::training, &rng); }
    // For models that draw no random numbers.
    static Mode training() { return Mode(Kind::training, nullptr); }

    // For layers, whose name goes into the message. Throws if the mode was not given.
    bool is_training(const char* layer) const {
        check(
            kind_ != Kind::not_given,
            "{}: training or evaluation? They differ in this layer, so pass Mode::training(rng) or "
            "Mode::evaluation()",
            layer);
        return kind_ == Kind::training;
    }
    // The generator to draw from. Throws unless this is Mode::training(rng).
    Rng& rng(const char* layer) const {
        check(kind_ == Kind::training && rng_,
              "{}: random numbers are needed here, so pass Mode::training(rng)", layer);
        return *rng_;
    }

  private:
    enum class Kind { not_given, evaluation, training };
    Mode(Kind kind, Rng* rng) : kind_(kind), rng_(rng) {}

    Kind kind_ = Kind::not_given;
    Rng* rng_ = nullptr;
};

}  // namespace heed
