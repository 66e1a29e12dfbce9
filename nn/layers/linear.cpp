#include "nn/layers/linear.h"

#include <algorithm>

#include "autograd/base/settings.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/index/indexing.h"
#include "autograd/ops/product/matmul.h"
#include "autograd/record/grad_mode.h"
#include "autograd/tensor/shapes.h"
#include "nn/layers/init.h"
#include "nn/module/hooks.h"

namespace heed {

Linear::Linear(Integer in, Integer out, Rng& rng, Flag with_bias) {
    const UserCall named("Linear");
    check_positive("Linear", {{"in", in.value}, {"out", out.value}});
    weight = parameter(uniform_fan({out, in}, in, rng));
    if (with_bias) bias = parameter(uniform_fan({out}, in, rng));
}

Tensor LowRankAdapter::operator()(const Tensor& x) const {
    const UserCall named("LowRankAdapter");
    return linear(linear(x, down), up) * scale;
}

Tensor Linear::operator()(const Tensor& x) const {
    const Shapes in("Linear", {{"x", x, "... In"}}, {{"In", in_features()}},
                    "the layer was made for this width");
    Tensor y = quantised.defined() ? linear(x, quantised, bias) : linear(x, weight, bias);
    if (adapter) y = y + (*adapter)(x);
    return hook(*this, "output", y);
}

namespace {

void check_made(const Linear& layer) {
    check(layer.defined(), "Linear: this layer has no weight; construct it with its sizes");
}

}  // namespace

int64_t Linear::in_features() const {
    check_made(*this);
    return quantised.defined() ? quantised.columns() : weight.size(1);
}

int64_t Linear::out_features() const {
    check_made(*this);
    return quantised.defined() ? quantised.rows() : weight.size(0);
}

Dtype Linear::dtype() const {
    check_made(*this);
    return quantised.defined() ? Dtype::float32 : weight.dtype();
}

Embedding::Embedding(Integer vocabulary, Integer width, Rng& rng, Integer padding_id)
    : padding(padding_id) {
    check_positive("Embedding", {{"vocabulary", vocabulary.value}, {"width", width.value}});
    check(padding == no_padding || (padding >= 0 && padding < vocabulary),
          "Embedding: the padding id {} is outside a vocabulary of {}", padding, vocabulary);
    Tensor table = normal({vocabulary, width}, 0, 1, rng);
    if (padding != no_padding) {
        float* row = table.edit<float>() + padding * width;
        std::fill(row, row + width, 0.0f);
    }
    weight = parameter(table);
}

Tensor Embedding::operator()(const Indices& ids) const {
    if (quantised.defined()) return hook(*this, "rows", embedding(quantised, ids));
    check(weight.defined(), "Embedding: this layer has no table; construct it with its sizes");
    Tensor rows = embedding(weight, ids);  // [..., D]
    const bool any = padding != no_padding && rows.requires_grad() && grad_enabled() &&
                     std::find(ids.begin(), ids.end(), padding) != ids.end();
    if (!any) return hook(*this, "rows", rows);

    // The same numbers, but those of the padding are detached from the graph.
    std::vector<double> keep(ids.count());
    std::transform(ids.begin(), ids.end(), keep.begin(), [&](int id) { return id != padding; });
    Shape shape = ids.shape();
    shape.push(1);
    return hook(*this, "rows", where(tensor(keep, shape, weight.dtype()), rows, detach(rows)));
}

}  // namespace heed
