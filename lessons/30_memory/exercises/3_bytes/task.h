//! # Bytes, with a pencil
//!
//! Three numbers about lesson {memory}. All numbers of a model are float32.
//!
//! 1. `my_fixed()`: a GPT has $L = 6$ layers of width $D = 128$. It has about $12 D^2$ parameters
//!    in a layer; leave out all others. How many million bytes do parameters, gradients and the
//!    state of Adam take together?
//! 2. `my_activations()`: it is trained on $B = 8$ sequences of $T = 256$ tokens. How many million
//!    bytes do the activations take, with $c = 17$?
//! 3. `my_vectors()`: another model has $L = 24$ layers and $c = 17$. It is cut into $n = 8$
//!    pieces, with a checkpoint before each. How many vectors for each token are in use at most, by
//!    the formula of the lesson?
//!
//! One million is $10^6$. A formula in C++ will do as well as a number.
//!
//! Level 1 of 3, about 10 minutes.
#include "lessons/course/exercise/write.h"

double my_fixed() { not_written(); }

double my_activations() { not_written(); }

double my_vectors() { not_written(); }
