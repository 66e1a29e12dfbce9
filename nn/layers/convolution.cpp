#include "nn/layers/convolution.h"

#include "autograd/base/settings.h"
#include "autograd/tensor/shapes.h"
#include "nn/layers/init.h"
#include "nn/module/hooks.h"

namespace heed {
namespace {

void check_groups(const char* layer, Integer in, Integer out, int64_t groups) {
    check_positive(layer, {{"in", in.value}, {"out", out.value}, {"groups", groups}});
    check(in % groups == 0 && out % groups == 0,
          "{}: {} groups do not divide {} input and {} output channels", layer, groups, in, out);
}

// The channels that the input has, In.
template <class Convolution>
int64_t channels_of(const Convolution& layer, const char* name) {
    check(layer.weight.defined(), "{}: this layer has no weight; construct it with its sizes",
          name);
    return layer.weight.size(1) * layer.options.groups;
}

}  // namespace

Conv2d::Conv2d(Integer in, Integer out, Size2d kernel, const Conv2dOptions& o, Rng& rng,
               Flag with_bias)
    : options(o) {
    check_groups("Conv2d", in, out, o.groups);
    check_positive("Conv2d", {{"kernel.height", kernel.height}, {"kernel.width", kernel.width}});
    const int64_t fan = in / o.groups * kernel.height * kernel.width;
    weight = parameter(uniform_fan({out, in / o.groups, kernel.height, kernel.width}, fan, rng));
    if (with_bias) bias = parameter(uniform_fan({out}, fan, rng));
}

Tensor Conv2d::operator()(const Tensor& x) const {
    const Shapes in("Conv2d", {{"x", x, "B In H W"}}, {{"In", channels_of(*this, "Conv2d")}});
    return hook(*this, "output", conv2d(x, weight, bias, options));
}

Conv1d::Conv1d(Integer in, Integer out, Integer kernel, const Conv1dOptions& o, Rng& rng,
               Flag with_bias)
    : options(o) {
    check_groups("Conv1d", in, out, o.groups);
    check_positive("Conv1d", {{"kernel", kernel.value}});
    const int64_t fan = in / o.groups * kernel;
    weight = parameter(uniform_fan({out, in / o.groups, kernel}, fan, rng));
    if (with_bias) bias = parameter(uniform_fan({out}, fan, rng));
}

Tensor Conv1d::operator()(const Tensor& x) const {
    const Shapes in("Conv1d", {{"x", x, "B In T"}}, {{"In", channels_of(*this, "Conv1d")}});
    return hook(*this, "output", conv1d(x, weight, bias, options));
}

}  // namespace heed
