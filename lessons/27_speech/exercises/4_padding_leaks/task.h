//! # The word and what is beside it
//!
//! *Find the bug.* This is the convolution module of lesson {speech}, up to the convolution:
//! $h = p \, \sigma(q)$, then $z = \mathrm{depthwise}(h)$. It gets a batch of words. Shorter words
//! are filled up with frames of padding; the mask is 1 for frames of a word and 0 for padding. In
//! the result, the rows of padding are zeros. A network with this function trains, but it is wrong.
//! Four laws are:
//!
//! * "padding is absent": a word gives the same alone and beside longer words;
//! * "batch order": if two words of the batch are exchanged, so are their results;
//! * "reach": a frame more than $(K - 1)/2$ frames away changes nothing;
//! * "channels apart": number $c$ of $h$ changes number $c$ of $z$ only.
//!
//! 1. `my_broken_law()` returns the name of the one that this function breaks.
//! 2. Mend `my_module`.
//!
//! Take one channel, $W_p = 1$, $b_p = 1$, $W_q = 0$, $b_q = 0$, the frames 3 and 5, and one frame
//! of padding with a 7. What is $h$ at the padding? Builds on exercise {speech.2}.
//!
//! Level 2 of 3, about 15 minutes.
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_broken_law() { not_written(); }

struct Dense {
    Tensor weight, bias;  // [C, D], [C]
};

// x [B, T, D], mask [B, T], kernel [C, 1, K], bias [C] -> [B, T, C]
Tensor my_module(const Tensor& x, const Tensor& mask, const Dense& of_p, const Dense& of_q,
                 const Tensor& kernel, const Tensor& bias) {
    const int64_t C = kernel.size(0), K = kernel.size(2);
    const Tensor frames = x * unsqueeze(mask, 2);
    const Tensor p = linear(frames, of_p.weight, of_p.bias),
                 q = linear(frames, of_q.weight, of_q.bias);
    const Tensor h = p * sigmoid(q);
    const Tensor z = conv1d(transpose(h), kernel, bias, {.padding = (K - 1) / 2, .groups = C});
    return transpose(z) * unsqueeze(mask, 2);
}
