// What checkpoint() (derivatives.h) and reversible() (attention/efficient/reversible.h) share: functions
// that are called again in backward, in a pass of their own inside the pass that runs.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "autograd/base/rng.h"
#include "autograd/record/record.h"
#include "autograd/tensor/buffers.h"
#include "autograd/tensor/create.h"

namespace heed::recompute_detail {

// What the first call of a function does besides computing its result. A call in backward has to draw
// the same random numbers, and must not change a buffer once more.
struct FirstCall {
    std::vector<WatchBuffers::Change> buffers;  // with their numbers before
    uint64_t drawn = 0;                         // WatchDraws::sum()

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
    explicit CallAgain(const FirstCall& first) : first_(first) {
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
    WatchBuffers watch_;
};

// Recording switched on or off for as long as it lives.
class Recording {
  public:
    explicit Recording(bool enabled) : before_(enable_grad(enabled)) {}
    ~Recording() { enable_grad(before_); }
    Recording(const Recording&) = delete;

  private:
    bool before_ = false;
};

// Nodes made from now on have this number or a larger one.
inline uint64_t number_of_next_node() { return Node("leaf", scalar(0)).order; }

// The leaves that y depends on and that are older than node number `start`, or that another thread
// made: what f uses besides its inputs. `start` is number_of_next_node() before f was called.
inline std::vector<Node*> captured_leaves(const Tensor& y, uint64_t start, const char* operation) {
    std::vector<Node*> reached{y.body()->node}, leaves;
    std::set<Node*> seen(reached.begin(), reached.end());
    for (std::size_t next = 0; next < reached.size(); ++next) {
        Node* node = reached[next];
        if (node->order < start || node->thread != y.body()->node->thread) {
            check(node->is_leaf(),
                  "{}: f uses the result of '{}', of shape {}, which is not among the inputs; pass "
                  "it as one",
                  operation, node->operation, node->shape);
            leaves.push_back(node);
            continue;
        }
        for (uint32_t i = 0; i < node->input_count; ++i)
            if (Node* input = node->inputs[i].node; input && seen.insert(input).second)
                reached.push_back(input);
    }
    return leaves;
}

// A tensor that stands for a node, for grad(): its numbers are not read.
inline Tensor stand_in(Node* node) {
    Strides strides;
    strides.count = node->shape.count;
    Tensor x = view_of(empty({}, node->dtype), node->shape, strides);
    x.body()->node = node;
    retain(node);
    return x;
}

// The pass of grad() inside a pass, kept separate from it. It must end at the inputs, and what the
// outer pass has noted at the leaves that both reach must be there afterwards.
struct Separated {
    struct Leaf {
        Node* node = nullptr;
        Tensor gradient;
        uint64_t last_pass = 0;
        bool leads_to_target = false;
    };
    std::vector<Node*> inputs;  // each has one input of its own
    std::vector<Leaf> leaves;
    bool begun = false;

    void begin() {
        begun = true;
        for (Node* node : inputs) node->input_count = 0;
        for (Leaf& leaf : leaves) exchange(leaf);
    }
    void end() {
        if (!std::exchange(begun, false)) return;
        for (Node* node : inputs) node->input_count = 1;
        for (Leaf& leaf : leaves) exchange(leaf);
    }
    ~Separated() { end(); }

  private:
    static void exchange(Leaf& leaf) {
        std::swap(leaf.gradient, leaf.node->gradient);
        std::swap(leaf.last_pass, leaf.node->last_pass);
        std::swap(leaf.leads_to_target, leaf.node->leads_to_target);
    }
};

}  // namespace heed::recompute_detail
