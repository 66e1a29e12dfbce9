//! # Which frame is which sound?
//!
//! The words of lesson {speech} have three sounds, and a network could spell them: "s", "i", "o".
//! But to train it frame by frame, somebody would have to say which sound each frame belongs to.
//! *CTC* (connectionist temporal classification) trains a network to spell without being told where
//! the letters are: it adds up the probabilities of all ways to place them (Graves et al. 2006).
//!
//! At each frame the network says one of $C$ classes. Class 0 is the blank, which says nothing. A
//! path is one class for each frame. To read it, merge what is repeated, then remove the blanks: 0
//! 1 1 0 2 and 1 2 2 2 0 both say 1 2. To say 1 1, a path needs a blank between the two.
//!
//! The paths are too many to list, but they pass through few states. Put a blank before, between
//! and behind the labels: 1 1 becomes $z = (0, 1, 0, 1, 0)$. A path stands in front of $z$ at
//! first: all its probability, 1, is in state 0. At each frame it stays in its state $s$ or goes to
//! the next. It may also leave out a blank, and go from $s - 2$ to $s$, if that blank is between
//! two labels that differ. Let $a_s$ be the probability of all ways to be in state $s$ after the
//! frames so far, and $p_c$ that of class $c$ at the next frame. Then
//!
//! $$ a'_s = p_{z_s} \, (a_s + a_{s-1} + \text{may}_s \, a_{s-2}), $$
//!
//! with $\text{may}_s = 1$ if $z_s$ is no blank and differs from $z_{s-2}$, otherwise 0. At the end
//! a path has to be in one of the last two states.
//!
//! `my_ctc(p, labels)` returns the probability that the frames say the labels. The rows of `p` are
//! frames.
//!
//! Take two frames with $p = (0.5, 0.5)$ and $(0.25, 0.75)$, and the label 1. Three paths say it: 0
//! 1 with $0.5 \cdot 0.75$, 1 0 with $0.5 \cdot 0.25$ and 1 1 with $0.5 \cdot 0.75$. Together that
//! is 0.875.
//!
//! You have `index_select(p, 1, z)`, the columns of `p` with these numbers, and `slice(pad(a, 0, k,
//! 0), 0, 0, n)`, the $n$ numbers of `a` moved up by `k`. The library's `ctc_loss` is not allowed.
//!
//! Level 3 of 3, about 25 minutes.
#include <vector>

#include "lessons/course/exercise/write.h"

Tensor my_ctc(const Tensor& p, const std::vector<int>& labels) {  // [T, C] -> []
    not_written();
}
