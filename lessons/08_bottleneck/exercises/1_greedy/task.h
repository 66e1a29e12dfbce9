//! # Write until the end symbol
//!
//! The decoder of lesson {bottleneck} writes a sentence one word at a time. At each step it reads
//! the word that it wrote before, and its own state. Write the loop around it, with greedy
//! decoding:
//!
//! 1. The first word that it reads is the start symbol, and its first state is given.
//! 2. At each step it writes the word with the largest logit. It reads this word at the next step,
//!    together with the new state.
//! 3. It stops at the end symbol. The end symbol is no word, so it is not in the result.
//! 4. A decoder may never write the end symbol. So there are at most `longest` words.
//!
//! `my_greedy` returns the ids of the words. One step of the decoder is given as a function:
//! `step(before, state)` returns `logits`, with a number for each word of the vocabulary, and the
//! new `state`. Call it once for each word, and not after the end symbol.
//!
//! You have `argmax(x)[0]`, the index of the largest number of a tensor with one axis.
//!
//! A part of your own translator: `./heed learn translation --mine`.
//!
//! Level 1 of 3, about 10 minutes.
#include <functional>
#include <vector>

#include "lessons/course/exercise/write.h"

// One step of the decoder: it reads the word before and its state, and returns the logits of all
// words and its new state.
struct Said {
    Tensor logits, state;
};
using Step = std::function<Said(int before, const Tensor& state)>;

std::vector<int> my_greedy(const Step& step, const Tensor& first_state, int start, int end,
                           int longest) {
    not_written();
}
