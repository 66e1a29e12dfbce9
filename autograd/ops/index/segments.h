// Sums, maxima and softmax over groups of rows. Graphs need them: the edges that arrive at one node are
// a segment, and softmax over it gives the weights of the node's neighbours. Nothing here has the size
// of a table of all pairs of nodes.
//
//     const Segments into({0, 0, 0, 2, 2}, 3);    // five edges; three arrive at node 0, two at node 2
//     Tensor weights = segment_softmax(scores, into);    // [5] -> [5], sums to 1 in each segment
//     Tensor context = segment_sum(messages, into);      // [5, D] -> [3, D]; row 1 is zero
//
// Rows of one segment follow each other, so the ids never fall; a list in another order has to be
// sorted first, with its rows. index_select(x, 0, segments.ids()) gives each row its segment's row of x
// [S, ...]; it is the adjoint of segment_sum. (ops/indexing.h has sums for ids in any order: index_add,
// scatter_add.)
//
// Shapes: E rows, S segments; further axes are treated separately, [E, ...] and [S, ...].
#pragma once

#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed {

// Which segment each row belongs to. A handle; copies are cheap.
class Segments {
  public:
    Segments() : Segments(Indices(), 0) {}
    // Row i belongs to segment ids[i]. Throws unless the ids have one axis, lie in [0, count) and never
    // fall. Segments without rows are allowed.
    Segments(const Indices& ids, Integer count);

    int64_t count() const { return offsets_.count() - 1; }  // S
    int64_t rows() const { return ids_.count(); }           // E
    const Indices& ids() const { return ids_; }             // [E]
    // The rows of segment s are begin(s), begin(s) + 1, ... before end(s).
    int64_t begin(Integer s) const { return offsets_[s]; }
    int64_t end(Integer s) const { return offsets_[s + 1]; }

  private:
    Indices ids_, offsets_;
};

// y[s] = Σ x[i] over the rows i of segment s; 0 if it has none.
Tensor segment_sum(const Tensor& x, const Segments& segments);

// y[s] = max x[i] over the rows i of segment s, NaN if there is one; 0 if it has no rows. Equal ones
// share the gradient.
Tensor segment_max(const Tensor& x, const Segments& segments);

// y[i] = e^(x[i] - m) / Σ e^(x[j] - m) over the rows j of i's segment, m their maximum.
Tensor segment_softmax(const Tensor& x, const Segments& segments);
Tensor segment_softmax_definition(const Tensor& x, const Segments& segments);

}  // namespace heed
