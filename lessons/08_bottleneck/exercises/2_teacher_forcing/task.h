//! # Teacher forcing
//!
//! In training, the decoder of lesson {bottleneck} reads the right word before, whatever it would
//! have written itself. Write the loss of one sentence: the mean of $-\ln p$ of the right words.
//!
//! For the target "I read a book" there are five steps: after the start symbol "I" is right, after
//! "I" "read", and so on, and after "book" the end symbol. So the mean is taken over five numbers.
//! The target that you get has neither start nor end symbol in it.
//!
//! `step(before, state)` is the decoder of exercise {bottleneck.1}: it returns the logits of all
//! words and the new state. The probability $p$ comes from the softmax of the logits.
//!
//! An example: if the decoder gives the right words of "I read" the probabilities 0.5 and 0.25, and
//! the end symbol 0.8, the loss is $(0.693 + 1.386 + 0.223) / 3 = 0.768$.
//!
//! `my_loss` returns a tensor without axes, from which the gradient flows back to the decoder. You
//! have `log_softmax(x)`, and `select(x, 0, i)` for number $i$ of a tensor with one axis.
//!
//! Builds on exercise {bottleneck.1}.
//!
//! Level 2 of 3, about 10 minutes.
#include <functional>
#include <vector>

#include "lessons/course/exercise/write.h"

// One step of the decoder: it reads the word before and its state, and returns the logits of all
// words and its new state.
struct Said {
    Tensor logits, state;
};
using Step = std::function<Said(int before, const Tensor& state)>;

Tensor my_loss(const Step& step, const Tensor& first_state, const std::vector<int>& target,
               int start, int end) {
    not_written();
}
