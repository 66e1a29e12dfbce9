//! # Which experts, and with what weights
//!
//! Write the step from the scores of a router to the weights of the experts.
//!
//! `my_weights(scores, k)` gets the scores as [N, E]: N tokens, E experts. It returns [N, E]. In
//! each row, the k experts with the largest scores get a softmax over these k scores. All others
//! get 0, exactly.
//!
//! For example, the scores $(2, -1, 1, 0)$ with $k = 2$ give the weights $(0.731, 0, 0.269, 0)$.
//!
//! You have `topk(x, k)`, which returns `values` and `indices`, both [N, k]; `softmax(x)`; and
//! `scatter_add(shape, axis, indices, values)`, which makes a tensor of zeros and puts the values
//! where the indices say. The library's `expert_weights` and `masked_softmax` are not allowed.
//!
//! Level 1 of 3, about 5 minutes.
#include "lessons/course/exercise/write.h"

Tensor my_weights(const Tensor& scores, int k) {
    not_written();  // [N, E] -> [N, E]
}
