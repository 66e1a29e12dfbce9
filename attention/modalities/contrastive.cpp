#include "attention/modalities/contrastive.h"

#include <cmath>
#include <numeric>

#include "autograd/base/settings.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/fused/cross_entropy.h"
#include "autograd/ops/index/indexing.h"
#include "autograd/ops/index/integers.h"
#include "autograd/ops/product/matmul.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/grad_mode.h"
#include "autograd/tensor/random.h"
#include "autograd/tensor/shapes.h"
#include "nn/module/module.h"

namespace heed {

namespace {

constexpr const char* pairs = "row i and column i are a pair";

}  // namespace

Tensor unit_vectors(const Tensor& x) {
    const Shapes in("unit_vectors", {{"x", x, "... D"}});
    return x / maximum(norm(x, 2, -1, true), 1e-12);
}

Tensor info_nce(const Tensor& scores) {
    const Shapes in("info_nce", {{"scores", scores, "N N"}}, {}, pairs);
    std::vector<int> own(static_cast<std::size_t>(in["N"]));
    std::iota(own.begin(), own.end(), 0);
    return cross_entropy(scores, own);
}

Tensor contrastive_loss(const Tensor& scores) {
    const Shapes in("contrastive_loss", {{"scores", scores, "N N"}}, {}, pairs);
    return 0.5 * (info_nce(scores) + info_nce(transpose(scores)));
}

ContrastivePair::ContrastivePair(const ContrastiveOptions& o, Rng& rng)
    : largest_scale(o.largest_scale) {
    check_positive("ContrastivePair", {{"first_width", o.first_width},
                                       {"second_width", o.second_width},
                                       {"width", o.width},
                                       {"temperature", o.temperature},
                                       {"largest_scale", o.largest_scale}});
    check(std::isfinite(o.temperature), "ContrastivePair: the temperature is not finite");
    const auto projection = [&](int64_t from) {
        Linear linear(from, o.width, rng, false);
        linear.weight.assign(
            normal({o.width, from}, 0, 1 / std::sqrt(static_cast<double>(from)), rng));
        return linear;
    };
    first_projection = projection(o.first_width);
    second_projection = projection(o.second_width);
    log_scale = parameter(scalar(-std::log(o.temperature)));
}

Tensor ContrastivePair::first(const Tensor& a) const {
    const Shapes in("ContrastivePair", {{"a", a, "N A"}}, {{"A", first_projection.in_features()}});
    return unit_vectors(first_projection(a));
}

Tensor ContrastivePair::second(const Tensor& b) const {
    const Shapes in("ContrastivePair", {{"b", b, "N B"}}, {{"B", second_projection.in_features()}});
    return unit_vectors(second_projection(b));
}

Tensor ContrastivePair::scores(const Tensor& a, const Tensor& b) const {
    const Shapes in("ContrastivePair", {{"a", a, "N A"}, {"b", b, "M B"}});
    return matmul(first(a), transpose(second(b))) * exp(log_scale);  // [N, M]
}

Tensor ContrastivePair::loss(const Tensor& a, const Tensor& b) const {
    const Shapes in("ContrastivePair", {{"a", a, "N A"}, {"b", b, "N B"}}, {},
                    "row i of a and row i of b are a pair");
    return contrastive_loss(scores(a, b));
}

double ContrastivePair::temperature() const { return std::exp(-log_scale.item()); }

void ContrastivePair::clip() {
    const double limit = std::log(largest_scale);
    if (log_scale.item() > limit) log_scale.assign(full({}, limit, log_scale.dtype()));
}

Indices nearest(const Tensor& a, const Tensor& b) {
    const Shapes in("nearest", {{"a", a, "N D"}, {"b", b, "M D"}});
    check_positive("nearest", {{"the number of rows of b", in["M"]}});
    const NoGrad no_grad;
    return argmax(matmul(unit_vectors(a), transpose(unit_vectors(b))), 1);
}

double recall_at(const Tensor& scores, Integer k, const Indices& row_labels,
                 const Indices& column_labels) {
    const Shapes in("recall_at", {{"scores", scores, "N M"},
                                  {"row_labels", row_labels, "? N"},
                                  {"column_labels", column_labels, "? M"}});
    const int64_t rows = in["N"], columns = in["M"];
    check_positive("recall_at", {{"k", k.value}, {"the number of rows", rows}});
    const bool own = row_labels.count() == 0 && column_labels.count() == 0;
    check(own ? rows == columns : row_labels.count() > 0 && column_labels.count() > 0,
          "scores {}, {} labels of rows and {} of columns; expected one for each, or none and as "
          "many columns as rows",
          scores.shape(), row_labels.count(), column_labels.count());
    const std::vector<double> s = scores.to_vector();
    const auto right = [&](int64_t i, int64_t j) {
        return own ? i == j : row_labels[i] == column_labels[j];
    };
    int64_t found = 0;
    for (int64_t i = 0; i < rows; ++i) {
        const double* row = s.data() + i * columns;
        int64_t best = -1;  // of the right columns
        for (int64_t j = 0; j < columns; ++j)
            if (right(i, j) && (best < 0 || row[j] > row[best])) best = j;
        if (best < 0) continue;
        int64_t better = 0;
        for (int64_t j = 0; j < columns; ++j) better += !right(i, j) && !(row[j] < row[best]);
        found += better < k;
    }
    return static_cast<double>(found) / static_cast<double>(rows);
}

Tensor class_vectors(const Tensor& x, const Indices& labels, Integer classes) {
    const Shapes in("class_vectors", {{"x", x, "M D"}, {"labels", labels, "M"}});
    check_range(labels, classes, "class_vectors", "the number of classes");
    const Indices rows = bincount(labels, classes);
    for (int64_t c = 0; c < classes; ++c) check(rows[c] > 0, "class {} has no vector", c);
    return unit_vectors(index_add({classes, in["D"]}, 0, labels, unit_vectors(x)));
}

}  // namespace heed
