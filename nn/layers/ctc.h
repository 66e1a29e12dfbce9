// CTC, connectionist temporal classification: labels for a sequence of frames when nobody has said which
// frame belongs to which label (Graves et al. 2006, sections 3 and 4). At each frame a network says one
// of C classes, and class `blank` says nothing. A path is one class for each frame. Its labels are what is
// left when repeated classes are merged and then blanks removed:
//
//     - c c - a a t -   and   c - a - - t t t   both say   c a t
//     l - l  says  l l,  and  l l l  says  l: between equal labels there has to be a blank
//
// The probability of labels is the sum over all paths that say them. There are too many to list, but they
// pass through few states: put a blank before, between and behind the S labels, and number these 2 S + 1
// classes z. A path walks through them from left to right; at each frame it stays, goes one further, or
// two if that leaves out a blank between two labels that differ. Let aₜ(s) be the logarithm of the
// probability of all ways to be at z(s) after t frames, and pₜ(c) that of class c at frame t:
//
//     a₀ = (0, -∞, -∞, ...)
//     aₜ(s) = ln pₜ(z(s)) + ln(e^aₜ₋₁(s) + e^aₜ₋₁(s - 1) + [z(s) is a label, not z(s - 2)] e^aₜ₋₁(s - 2))
//     loss = -ln(e^a_T(2 S) + e^a_T(2 S - 1))                       T frames, the last blank or label
//
//     Tensor loss = ctc_loss(log_softmax(logits), labels, lengths, label_lengths);
//     std::vector<std::vector<int>> heard = ctc_greedy_decode(log_softmax(logits), lengths);
//
// Left out: blanks or labels that a frame may be several of, and language models in decoding.
#pragma once

#include <vector>

#include "autograd/ops/fused/cross_entropy.h"
#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed {

struct CtcOptions {
    int blank = 0;
    // The mean is, as in PyTorch, that of the losses divided by their numbers of labels (at least 1).
    Reduction reduction = Reduction::mean;
    // Labels that no path of so few frames can say have the loss ∞, and their gradient is NaN. If this is
    // set, both are 0.
    bool zero_infinity = false;
};

// Log-probabilities [B, T, C] of the classes at each frame; labels [B, S], none of them the blank. The
// first lengths[b] frames and label_lengths[b] labels of row b count, all if they are not given; what
// stands behind them is not read. Throws for labels outside [0, C) and lengths outside [0, T] or [0, S].
// A kernel in double precision, of O(B T S) steps. dL/d ln pₜ(c) = -(the share of the paths, by probability,
// that say c at frame t); backward follows the paths from their ends: a state has its share from the states
// before it, in proportion to e^a.
Tensor ctc_loss(const Tensor& log_probabilities, const Indices& labels, const Indices& lengths = {},
                const Indices& label_lengths = {}, const CtcOptions& options = {});
Tensor ctc_loss_definition(const Tensor& log_probabilities, const Indices& labels,
                           const Indices& lengths = {}, const Indices& label_lengths = {},
                           const CtcOptions& options = {});

// What a path says: repeated classes merged, then blanks removed.
std::vector<int> ctc_labels(const std::vector<int>& path, Integer blank = 0);

// For each row what its most probable path says (section 3.2, "best path decoding"). These need not be
// its most probable labels. Log-probabilities [B, T, C]; lengths as above.
std::vector<std::vector<int>> ctc_greedy_decode(const Tensor& log_probabilities,
                                                const Indices& lengths = {}, Integer blank = 0);

struct CtcLabels {
    std::vector<int> labels;
    double log_probability = 0;  // of all paths that say them and whose beginnings were kept
};
// Beam search for the most probable labels of each row (Hannun et al. 2014, algorithm 1, without a language
// model). After each frame it keeps the `beam` most probable prefixes; the probability of a prefix is the sum
// over its paths. With a beam as large as the number of prefixes the search is exact, and the log-probability
// is -ctc_loss. Throws for a beam below 1.
std::vector<CtcLabels> ctc_beam_search(const Tensor& log_probabilities, Integer beam = 10,
                                       const Indices& lengths = {}, Integer blank = 0);

}  // namespace heed
