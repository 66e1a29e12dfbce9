// What checkpoint() (derivatives.h) and reversible() (attention/efficient/reversible.h) share: functions
// that are called again in backward, in a pass of their own inside the pass that runs.
#pragma once

#include <vector>

#include "autograd/base/rng.h"
#include "autograd/record/record.h"
#include "autograd/record/surroundings.h"
#include "autograd/tensor/buffers.h"
#include "autograd/tensor/create.h"

namespace heed::recompute_detail {

// What the first call of a function does besides computing its result. A call in backward has to draw
// the same random numbers, and must not change a buffer once more.
struct FirstCall {
    std::vector<WatchBuffers::Change> buffers;  // with their numbers before
    uint64_t drawn = 0;                         // WatchDraws::sum()
    std::shared_ptr<Surroundings> around = Surroundings::keep();

    template <class F>
    Tensor operator()(const char* operation, const F& f) {
        WatchBuffers watch;
        WatchDraws draws;
        Tensor y = f();
        buffers = watch.changes();
        drawn = draws.sum();
        for (const WatchBuffers::Change& change : buffers)
            check(change.before.defined(),
                  "{}: f replaces a buffer of shape {} by another tensor; change its numbers, "
                  "buffer.assign(...), so that they can be what they were when f is called again",
                  operation, change.buffer.shape());
        return y;
    }
};

// Such a call in backward, and what follows from it while the object exists: it begins with the buffers
// that the first call began with, and leaves them as it found them.
class CallAgain {
  public:
    explicit CallAgain(const FirstCall& first) : first_(first), within_(first.around) {
        for (const WatchBuffers::Change& change : first.buffers) WatchBuffers::go_back(change);
    }
    ~CallAgain() { watch_.undo(); }

    template <class F>
    Tensor operator()(const char* operation, const F& f) {
        WatchDraws draws;
        Tensor y = f();
        check(
            draws.sum() == first_.drawn,
            "{}: f drew other random numbers when it was called again; they must come from a copy "
            "of the generator, made inside f",
            operation);
        return y;
    }

  private:
    const FirstCall& first_;
    Surroundings::Within within_;
    WatchBuffers watch_;
};

// The leaves that y depends on and that are older than node number `start`: what f uses besides its
// inputs. `start` is next_order() before f was called.
inline std::vector<Leaf*> captured_leaves(const Tensor& y, uint64_t start, const char* operation) {
    std::vector<Leaf*> leaves;
    walk_back(y.body()->node, [&](Node& node) {
        if (node.order >= start) return true;
        check(node.is_leaf(),
              "{}: f uses the result of '{}', of shape {}, which is not among the inputs; pass it "
              "as one",
              operation, node.operation, node.shape);
        leaves.push_back(node.leaf());
        return false;
    });
    return leaves;
}

// The numbers of x as the result of an operation on `of`, whose gradient is handed on as it is. A pass
// over what is computed from it can end here.
inline Tensor same_numbers(const Tensor& x, const Tensor& of) {
    return record("identity", detach(x), of, [](const Tensor& g) { return g; });
}
inline Tensor same_numbers(const Tensor& x) { return same_numbers(x, x); }

// grad() that goes no further back than to nodes of number `since`, except to xs themselves.
std::vector<Tensor> grad_since(uint64_t since, const Tensor& y, const std::vector<Tensor>& xs,
                               bool create_graph, const Tensor& g);

// A tensor that stands for a node, for grad(): its numbers are not read.
inline Tensor stand_in(Node* node) {
    Strides strides;
    strides.count = node->shape.count;
    Tensor x = view_of(empty({}, node->dtype), node->shape, strides);
    x.body()->node = node;
    retain(node);
    return x;
}

}  // namespace heed::recompute_detail
