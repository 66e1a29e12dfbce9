//! # One step of the decoder
//!
//! Write one step of the translator of lesson {translation} for one sentence with $K$ source words.
//! First attention, with the state *before* the step as the query:
//!
//! $$ e_j = v^\top \tanh(W s_{t-1} + U h_j), \quad \alpha = \operatorname{softmax}(e), \quad
//!    c = \sum_j \alpha_j h_j . $$
//!
//! Then the new state and the probabilities of the next word:
//!
//! $$ s_t = \operatorname{GRU}([y_{t-1}; c], s_{t-1}), \qquad
//!    p = \operatorname{softmax}(O \tanh(R [s_t; c; y_{t-1}])) . $$
//!
//! $y_{t-1}$ is the embedding of the word before, and $[a; b]$ means $a$ and $b$ one after the
//! other. The GRU is given as a function `gru(input, state)`.
//!
//! Check your attention with the example of the lesson: for $s = (0, -1)$, the annotations $(1,
//! -1)$, $(-1, 1)$ and $(1, 1)$, $W = U$ the identity and $v = (3, 3)$, the weights are 0.052,
//! 0.010 and 0.938.
//!
//! You have `matmul` for a matrix with a vector or a matrix, `transpose`, `tanh`, `softmax`,
//! `concat({a, b}, 0)` and arithmetic.
//!
//! Builds on exercise {scores.2}.
//!
//! A part of your own translator: `./heed learn translation --mine`.
//!
//! Level 2 of 3, about 20 minutes.
#include <functional>

#include "lessons/course/exercise/write.h"

struct Decoder {
    Tensor W, U, v;  // [A, S], [A, H], [A]
    Tensor R, O;     // [F, S + H + Y], [V, F]
    std::function<Tensor(const Tensor& input, const Tensor& state)> gru;
};
struct DecoderStep {
    Tensor weights, state, probabilities;  // [K], [S], [V]
};

DecoderStep my_step(const Decoder& decoder, const Tensor& annotations, const Tensor& word_before,
                    const Tensor& state) {
    not_written();  // [K, H], [Y], [S]
}
