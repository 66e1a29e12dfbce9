// The loss of classification. A fused kernel, which never stores the probabilities of all classes,
// beside its definition in plain operations.
#pragma once

#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed {

enum class Reduction { mean, sum, none };

struct CrossEntropyOptions {
    double smoothing = 0;      // share of the probability spread evenly over all classes
    int ignored_index = -100;  // rows with this label do not count
    Reduction reduction = Reduction::mean;  // mean over the rows that count; none keeps the rows
};

// The losses one by one, their sum, or their mean: the sum divided by how many of them are `counting`
// (by default all). The mean over nothing is 0 with gradient 0. So a batch of which nothing counts, all
// padding or no rows at all, changes no weight; a NaN would ruin them all.
Tensor reduce_losses(const Tensor& losses, Reduction reduction, Integer counting = -1);

// -Σ q ln softmax(x) with q = (1 - s) onehot(label) + s / C (Szegedy et al. 2016, section 7 for
// smoothing): logits [..., C], labels [...]. Throws for labels outside [0, C) that are not ignored.
Tensor cross_entropy(const Tensor& logits, const Indices& labels,
                     const CrossEntropyOptions& options = {});
Tensor cross_entropy_definition(const Tensor& logits, const Indices& labels,
                                const CrossEntropyOptions& options = {});

}  // namespace heed
