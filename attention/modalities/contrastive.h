// Contrastive learning with two encoders (CLIP: Radford et al. 2021, section 2.3 and figure 3): two
// modalities, such as pictures and captions, are projected to one space, so that the two members of
// a pair come close to each other and members of different pairs do not.
//
//     s(i, j) = cos(Wₐ aᵢ, W_b bⱼ) / τ                    every a of the batch with every b
//     L = ½ (mean of -ln softmax(s(i, ·))ᵢ over i  +  mean of -ln softmax(s(·, j))ⱼ over j)
//
// Each half is cross-entropy whose right class is the partner: InfoNCE (Oord et al. 2018, equation
// 4). The temperature τ is learned.
//
//     ContrastivePair pair({.first_width = 64, .second_width = 32, .width = 16}, rng);
//     Adam optimiser(parameters(pair), {.lr = 1e-3});
//     backward(pair.loss(pictures, captions));             // [N, 64] and [N, 32], row i with row i
//     optimiser.step();
//     pair.clip();
//     Indices named = nearest(pair.first(unseen), pair.second(captions_of_classes));   // zero-shot
//
// Shapes: N pairs, D width of the common space, C classes.
#pragma once

#include <vector>

#include "autograd/tensor/indices.h"
#include "nn/layers/linear.h"

namespace heed {

// x / |x| along the last axis, [..., D] -> [..., D]. A vector of zeros stays one.
Tensor unit_vectors(const Tensor& x);

// Cross-entropy of every row whose right class is its own index, the mean over the rows:
// scores [N, N] -> []. Throws unless they are square.
Tensor info_nce(const Tensor& scores);
// The mean of info_nce() of the scores and of their transpose.
Tensor contrastive_loss(const Tensor& scores);

struct ContrastiveOptions {
    int64_t first_width = 0, second_width = 0;  // of what the two encoders give
    int64_t width = 0;                          // of the common space, D
    double temperature = 0.07;                  // the initial τ
    double largest_scale = 100;                 // 1 / τ after clip()
};

// The two projections and the temperature. The encoders are yours.
struct ContrastivePair {
    Linear first_projection, second_projection;  // Wₐ [D, first_width], W_b; without bias
    Tensor log_scale;                            // [], ln(1 / τ)
    double largest_scale = 100;

    ContrastivePair() = default;
    // Projections are N(0, 1 / √width of the encoder), as published. Throws unless widths,
    // temperature and largest scale are positive.
    ContrastivePair(const ContrastiveOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("first_projection", first_projection);
        f("second_projection", second_projection);
        f("log_scale", log_scale);
    }

    // Into the common space, as unit vectors [N, D]: a [N, A] of the first encoder, b [N, B] of the
    // second.
    Tensor first(const Tensor& a) const;
    Tensor second(const Tensor& b) const;

    // s: a [N, A], b [M, B] -> [N, M].
    Tensor scores(const Tensor& a, const Tensor& b) const;
    // contrastive_loss() of the scores of a [N, A] and b [N, B]. Throws unless there are as many a as b.
    Tensor loss(const Tensor& a, const Tensor& b) const;

    double temperature() const;  // τ now
    // Call it after every step of the optimiser: 1 / τ becomes at most largest_scale. (Section 2.5.
    // A limit inside scores() would give no gradient beyond it, and τ could never grow again.)
    void clip();
};

// --- retrieval and zero-shot classification -----------------------------------------------------

// For each row of a, the row of b with the largest cosine: a [N, D], b [M, D] -> [N]. With b the
// captions of the classes, one a class, this is classification without an example (zero-shot,
// section 3.1.2).
Indices nearest(const Tensor& a, const Tensor& b);

// The share of rows of scores [N, M] with a right column among their k best ones. Right are the
// columns with the row's label, labels [N] and [M]; without, the column with the row's index. A column counts
// as better than another one when its score is not lower, so ties help nobody. Throws unless there
// is a label for every row and column, and k is positive.
double recall_at(const Tensor& scores, Integer k, const Indices& row_labels = {},
                 const Indices& column_labels = {});

// One vector for each class, [M, D] and labels [M] -> [C, D]: the unit vector along the mean of its
// unit vectors, such as several captions of a class (section 3.1.4). Throws for a label outside
// [0, C), and for a class without a vector.
Tensor class_vectors(const Tensor& x, const Indices& labels, Integer classes);

}  // namespace heed
