//! # It trains, and it generates nonsense
//!
//! *Find the bug.* The function `my_read` below is a small language model with one head, without norm
//! and feed-forward network. In training it reads a whole text with an empty cache, and its loss falls.
//! With the cache it should generate the same text as without one, but it does not. Four laws that such
//! a model should obey are:
//!
//! * "causal": the logits at a position do not depend on later characters;
//! * "distribution": the weights of a query are not negative and sum to 1;
//! * "pieces": a text gives the same logits, whether it is read at once, one character after the other,
//!   or in pieces with the cache between;
//! * "gradient": the gradient agrees with finite differences.
//!
//! 1. `my_broken_law()` returns the name of the one that this function breaks.
//! 2. Mend `my_read`. One line is wrong.
//!
//! To begin with, follow the text "ab" through the function on paper: first at once, then "a" and after
//! it "b". Which numbers does $x$ have for "b" in both cases?
//!
//! Builds on exercise {language_model.1}.
//!
//! Level 2 of 3, about 10 minutes.
#include <cmath>
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_broken_law() { not_written(); }

struct Model {
    Tensor words;              // [V, D], a row for each character
    Tensor positions;          // [M, D], a row for each position
    Tensor query, key, value;  // [D, D]
};

struct Cache {
    Tensor keys, values;  // [P, D]; not defined before the first piece
};

// The logits after each of the N new characters.
Tensor my_read(const Model& model, Cache& cache, const Indices& ids) {  // [N] -> [N, V]
    const int64_t N = ids.count(), P = cache.keys.defined() ? cache.keys.size(0) : 0;
    const Tensor x = embedding(model.words, ids) + slice(model.positions, 0, 0, N);
    const Tensor k = matmul(x, model.key), v = matmul(x, model.value);
    cache.keys = P > 0 ? concat({cache.keys, k}, 0) : k;
    cache.values = P > 0 ? concat({cache.values, v}, 0) : v;
    const Tensor scores = matmul(matmul(x, model.query), transpose(cache.keys)) /
                          std::sqrt(static_cast<double>(x.size(1)));
    const Tensor allowed = slice(causal_mask(P + N, x.dtype()), 1, P, P + N);
    const Tensor context = matmul(masked_softmax(scores, select(allowed, 0, 0)), cache.values);
    return matmul(x + context, transpose(model.words));
}
