#include "nn/layers/convolution.h"

#include "autograd/base/user_call.h"
#include "nn/layers/init.h"

namespace heed {

Conv2d::Conv2d(Integer in, Integer out, Size2d kernel, const Conv2dOptions& o, Rng& rng,
               Flag with_bias)
    : options(o) {
    check(in > 0 && out > 0 && kernel.height > 0 && kernel.width > 0,
          "Conv2d: expected positive sizes, got {} to {} channels, a kernel of {} x {}", in, out,
          kernel.height, kernel.width);
    check(o.groups > 0 && in % o.groups == 0 && out % o.groups == 0,
          "Conv2d: {} input and {} output channels cannot be divided into {} groups", in, out,
          o.groups);
    const int64_t fan = in / o.groups * kernel.height * kernel.width;
    weight = parameter(uniform_fan({out, in / o.groups, kernel.height, kernel.width}, fan, rng));
    if (with_bias) bias = parameter(uniform_fan({out}, fan, rng));
}

Tensor Conv2d::operator()(const Tensor& x) const {
    const UserCall named("Conv2d");
    check(weight.defined(), "Conv2d: this layer has no weight; construct it with its sizes");
    check_defined("Conv2d", x);
    const int64_t channels = weight.size(1) * options.groups;
    check(x.dim() == 4 && x.size(1) == channels, "Conv2d: expected [B, {}, H, W], got {}", channels,
          x.shape());
    return conv2d(x, weight, bias, options);
}

Conv1d::Conv1d(Integer in, Integer out, Integer kernel, const Conv1dOptions& o, Rng& rng,
               Flag with_bias)
    : options(o) {
    check(in > 0 && out > 0 && kernel > 0,
          "Conv1d: expected positive sizes, got {} to {} channels, a kernel of {}", in, out,
          kernel);
    check(o.groups > 0 && in % o.groups == 0 && out % o.groups == 0,
          "Conv1d: {} input and {} output channels cannot be divided into {} groups", in, out,
          o.groups);
    const int64_t fan = in / o.groups * kernel;
    weight = parameter(uniform_fan({out, in / o.groups, kernel}, fan, rng));
    if (with_bias) bias = parameter(uniform_fan({out}, fan, rng));
}

Tensor Conv1d::operator()(const Tensor& x) const {
    const UserCall named("Conv1d");
    check(weight.defined(), "Conv1d: this layer has no weight; construct it with its sizes");
    check_defined("Conv1d", x);
    const int64_t channels = weight.size(1) * options.groups;
    check(x.dim() == 3 && x.size(1) == channels, "Conv1d: expected [B, {}, T], got {}", channels,
          x.shape());
    return conv1d(x, weight, bias, options);
}

}  // namespace heed
