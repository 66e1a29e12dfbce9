// What a computation costs, counted on its recorded graph.
#pragma once

#include <cstdint>

#include "autograd/autograd.h"

namespace heed::lesson21 {

struct Counts {
    int64_t waiting = 0;  // operations on the longest chain, each of which needs the one before it
    int64_t path = 0;     // operations on the shortest way from `from` to y
    int64_t multiply_adds = 0;  // of all matrix products
    int64_t bytes = 0;          // of all results, in float32
};

// Counts on the graph of y. At least one factor of every matrix product must take part in it.
// `from` must be one of the inputs of y; throws heed::Error if not. An operation that moves numbers
// without computing (a view, a concatenation) does not count.
Counts count(const Tensor& y, const Tensor& from);

}  // namespace heed::lesson21
