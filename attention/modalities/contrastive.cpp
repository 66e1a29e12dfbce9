#include "attention/modalities/contrastive.h"

#include <cmath>
#include <numeric>

#include "autograd/base/user_call.h"
#include "autograd/ops/binary.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/indexing.h"
#include "autograd/ops/integers.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/random.h"
#include "autograd/ops/reductions.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/ops/unary.h"
#include "autograd/record/grad_mode.h"
#include "nn/module/module.h"

namespace heed {

Tensor unit_vectors(const Tensor& x) {
    const UserCall named("unit_vectors");
    check(x.dim() >= 1, "unit_vectors: {}; expected [..., D]", x.shape());
    return x / maximum(norm(x, 2, -1, true), 1e-12);
}

Tensor info_nce(const Tensor& scores) {
    const UserCall named("info_nce");
    check(scores.dim() == 2 && scores.size(0) == scores.size(1),
          "info_nce: scores {}; expected [N, N], row i and column i a pair", scores.shape());
    std::vector<int> own(static_cast<std::size_t>(scores.size(0)));
    std::iota(own.begin(), own.end(), 0);
    return cross_entropy(scores, own);
}

Tensor contrastive_loss(const Tensor& scores) {
    const UserCall named("contrastive_loss");
    check(scores.dim() == 2 && scores.size(0) == scores.size(1),
          "contrastive_loss: scores {}; expected [N, N], row i and column i a pair",
          scores.shape());
    return 0.5 * (info_nce(scores) + info_nce(transpose(scores)));
}

ContrastivePair::ContrastivePair(const ContrastiveOptions& o, Rng& rng)
    : largest_scale(o.largest_scale) {
    check(o.first_width > 0 && o.second_width > 0 && o.width > 0,
          "ContrastivePair: widths {} and {} to {}; set first_width, second_width and width",
          o.first_width, o.second_width, o.width);
    check(o.temperature > 0 && std::isfinite(o.temperature) && o.largest_scale > 0,
          "ContrastivePair: temperature {} and largest scale {}; expected positive numbers, the "
          "temperature finite",
          o.temperature, o.largest_scale);
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
    const UserCall named("ContrastivePair");
    return unit_vectors(first_projection(a));
}

Tensor ContrastivePair::second(const Tensor& b) const {
    const UserCall named("ContrastivePair");
    return unit_vectors(second_projection(b));
}

Tensor ContrastivePair::scores(const Tensor& a, const Tensor& b) const {
    const UserCall named("ContrastivePair");
    check(a.dim() == 2 && b.dim() == 2,
          "ContrastivePair: a {} and b {}; expected [N, {}] and [M, {}]", a.shape(), b.shape(),
          first_projection.weight.size(1), second_projection.weight.size(1));
    return matmul(first(a), transpose(second(b))) * exp(log_scale);  // [N, M]
}

Tensor ContrastivePair::loss(const Tensor& a, const Tensor& b) const {
    const UserCall named("ContrastivePair");
    check(a.dim() == 2 && b.dim() == 2 && a.size(0) == b.size(0),
          "ContrastivePair: a {} and b {}; expected as many of both, row i with row i", a.shape(),
          b.shape());
    return contrastive_loss(scores(a, b));
}

double ContrastivePair::temperature() const { return std::exp(-log_scale.item()); }

void ContrastivePair::clip() {
    const double limit = std::log(largest_scale);
    if (log_scale.item() > limit) log_scale.assign(full({}, limit, log_scale.dtype()));
}

Indices nearest(const Tensor& a, const Tensor& b) {
    const UserCall named("nearest");
    check(a.dim() == 2 && b.dim() == 2 && a.size(1) == b.size(1) && b.size(0) > 0,
          "nearest: a {} and b {}; expected [N, D] and [M, D]", a.shape(), b.shape());
    const NoGrad no_grad;
    return argmax(matmul(unit_vectors(a), transpose(unit_vectors(b))), 1);
}

double recall_at(const Tensor& scores, Integer k, const Indices& row_labels,
                 const Indices& column_labels) {
    const UserCall named("recall_at");
    check(scores.dim() == 2 && scores.size(0) > 0 && k > 0,
          "recall_at: scores {} and k = {}; expected [N, M] and a positive k", scores.shape(), k);
    const int64_t rows = scores.size(0), columns = scores.size(1);
    const bool own = row_labels.count() == 0 && column_labels.count() == 0;
    check(own ? rows == columns : row_labels.count() == rows && column_labels.count() == columns,
          "recall_at: scores {}, {} labels of rows and {} of columns; expected one for each, or "
          "none and as many columns as rows",
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
    const UserCall named("class_vectors");
    check(x.dim() == 2 && labels.count() == x.size(0),
          "class_vectors: {} labels of x {}; expected [M, D] and one label for each row",
          labels.count(), x.shape());
    std::vector<int> rows(static_cast<std::size_t>(std::max<int64_t>(classes, 0)));
    for (int64_t i = 0; i < labels.count(); ++i) {
        check(labels[i] >= 0 && labels[i] < classes,
              "class_vectors: label {} of row {}, but there are {} classes", labels[i], i, classes);
        ++rows[static_cast<std::size_t>(labels[i])];
    }
    for (std::size_t c = 0; c < rows.size(); ++c)
        check(rows[c] > 0, "class_vectors: class {} has no vector", c);
    return unit_vectors(index_add({classes, x.size(1)}, 0, labels, unit_vectors(x)));
}

}  // namespace heed
