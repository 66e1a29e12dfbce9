//! # Do the weights find the alignment?
//!
//! Lesson {translation} compares the weights of a translator with the true alignment. Each target
//! word is linked with the source word of the largest weight; these links are the set $A$. Let $S$
//! be the set of the true links, and $P$ the set of the true and the possible links together:
//!
//! $$ \operatorname{AER} = 1 - \frac{n_S + n_P}{n_A + s} . $$
//!
//! $n_A$ is the number of links in $A$, $s$ the number in $S$, $n_S$ the number of links of $A$
//! that are in $S$, and $n_P$ the number of those that are in $P$. A true link is in both sets, so
//! it counts twice.
//!
//! Write `my_error_rate(weights, S, P)`. The weights have a row for each target word and a column
//! for each source word. `P` contains all of `S`. You can ask
//! `S.contains(link)`, and `S.size()` is the number of links.
//!
//! An example: "I am a student" with its three true links, and "a" possibly with 학생. The weights
//! link "I" and "am" rightly, "a" with 학생, which is possible, and "student" with 나는. The
//! rate is $1 - (2 + 3) / (4 + 3) = 0.286$.
//!
//! You have `weights.at({t, k})`, one number, and `weights.size(axis)`; or `argmax(weights, 1)[t]`.
//!
//! Level 1 of 3, about 10 minutes.
#include <set>

#include "lessons/course/exercise/write.h"

struct Link {
    int target, source;  // the indices of the two words, from 0
    auto operator<=>(const Link&) const = default;
};
using Links = std::set<Link>;

double my_error_rate(const Tensor& weights, const Links& S, const Links& P) {  // weights [T, K]
    not_written();
}
