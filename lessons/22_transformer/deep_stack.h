// What happens to tokens on their way through many layers, before any training: how different they
// remain from one another, how large their numbers become, and how much of a gradient comes back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "autograd/tensor/random.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson22 {

// A layer is self-attention alone; the same with a residual connection; or a whole block.
enum class StackKind { attention, residual, post_norm, pre_norm };
inline constexpr StackKind stack_kinds[] = {StackKind::attention, StackKind::residual,
                                            StackKind::post_norm, StackKind::pre_norm};
const char* name_of(StackKind kind);

// The state after 0, 1, 2, ... layers of width 64 with four heads, for 16 random tokens.
struct StackMeasures {
    std::vector<double> difference;  // of the tokens: |x - mean token| over |x|
    std::vector<double> size;        // the root of the mean square of all numbers
    std::vector<double> gradient;    // its norm here over its norm at the end of the stack
};
StackMeasures measure_stack(StackKind kind, int layers, Rng& rng);

// Means over several stacks of each kind, as a table and three plots.
std::vector<StackMeasures> show_stacks(course::AtCall lesson, int layers);

}  // namespace heed::lesson22
