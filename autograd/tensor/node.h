// The node of a graph. A tensor that was computed by a recorded operation points to a Node; so does
// a leaf, a tensor whose gradient was asked for. The node knows the operation's name, the nodes of
// its inputs, and how to turn the gradient of its result into gradients of the inputs:
//
//     x = leaf            y = exp(x)             L = sum(y)
//     Node "leaf"  <----  Node "exp"  <------  Node "sum"
//
// record/record.h makes nodes, one for each operation; backward/backward.h goes through them from
// L to the leaves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "autograd/tensor/tensor.h"

namespace heed {

struct Node;
struct Storage;

// What a node may ask of the backward pass that has reached it (backward/pass.h).
class BackwardPass {
  public:
    // Whether the gradient of this input is needed.
    virtual bool wants(const Node& input) const = 0;
    // Adds `gradient`, which the rule of `from` gave, to what this input has gathered so far.
    virtual void accumulate(Node& input, Tensor gradient, const Node& from) = 0;
    // What this input has gathered so far, as memory to add to in place: of the input's shape, seen
    // by nobody else. Zeros if nothing was gathered yet; or, if `fresh` is given, any numbers at
    // all, with *fresh set to say so.
    virtual Tensor& gathered(Node& input, bool* fresh = nullptr) = 0;
    // The gradients of f(xs), weighed by g, recorded so that they can be differentiated again. Those
    // of an x that takes no part in the graph are not defined.
    using Function = std::function<Tensor(const std::vector<Tensor>&)>;
    virtual std::vector<Tensor> differentiate(const Function& f, const std::vector<Tensor>& xs,
                                              const Tensor& g) = 0;

  protected:
    ~BackwardPass() = default;
};

// An input of a node. If the node reads its numbers again in backward, it watches them: their version
// must still be this one then.
struct Input {
    Node* node = nullptr;        // null: a constant, to which no gradient flows
    Storage* watched = nullptr;  // null: the numbers are not read again
    uint32_t version = 0;
};

struct Node {
    const char* operation = nullptr;  // its name; "leaf" for a leaf
    uint64_t order = 0;  // nodes are numbered as they are made: inputs come before results
    Shape shape;         // of the result
    Dtype dtype = Dtype::float32;
    Input* inputs = nullptr;
    uint32_t input_count = 0;

    Node(const char* name, const Tensor& value);
    virtual ~Node() = default;
    bool is_leaf() const { return input_count == 0; }
    struct Leaf* leaf();  // this, if it is a leaf, else null
    const Leaf* leaf() const;

    // Hands the gradient g of the result on: for every input that is wanted, accumulates the
    // gradient of that input. A leaf has none.
    virtual void backward(BackwardPass&, const Tensor& /*g*/) {}
    // Drops the rules, and with them the tensors they kept for backward.
    virtual void drop_rules() {}
    // Whether the result, if the rules need it again, is still what was computed.
    virtual bool result_unchanged() const { return true; }
    virtual std::size_t bytes() const { return sizeof(Node); }

    // The rest is bookkeeping.
    bool rules_dropped = false;  // backward() has passed
    uint32_t references = 0;
    Node* next_released = nullptr;
    uint32_t place = 0;  // where a pass has put what arrived here: a hint, see backward/arrivals.h

  protected:
    // Makes x the input. With `read_again`, backward refuses to run once its numbers were edited.
    void connect(Input& input, const Tensor& x, bool read_again);
    void disconnect();  // for the destructor of the node that holds the inputs
};

// The node of a tensor whose gradient was asked for. It owns the numbers.
struct Leaf final : Node {
    Storage* numbers = nullptr;
    Tensor gradient;  // where backward() leaves it; Tensor::grad()

    explicit Leaf(const Tensor& x);
    ~Leaf() override;
    std::size_t bytes() const override { return sizeof(Leaf); }
};
inline Leaf* Node::leaf() { return is_leaf() ? static_cast<Leaf*>(this) : nullptr; }
inline const Leaf* Node::leaf() const {
    return is_leaf() ? static_cast<const Leaf*>(this) : nullptr;
}

void retain(Node* node);
void release(Node* node);  // does not recurse: a chain of a million nodes is destroyed in a loop

// Makes `value`, a fresh tensor, the result of the node.
Tensor attach(Tensor value, Node* node);

// Nodes made from now on have this number or a larger one.
uint64_t next_order();

inline bool older(const Node* a, const Node* b) { return a->order < b->order; }

// Calls f(node) for the last node and all behind it, each once, newest first. Where f returns false, it
// does not go on to the inputs. All ways to a node have met by the time it is visited, because nodes
// that use it are newer.
template <class F>
void walk_back(Node* last, const F& f) {
    std::vector<Node*> waiting{last};  // a heap: the newest first
    const Node* before = nullptr;
    while (!waiting.empty()) {
        std::pop_heap(waiting.begin(), waiting.end(), older);
        Node* node = waiting.back();
        waiting.pop_back();
        if (std::exchange(before, node) == node || !f(*node)) continue;
        for (uint32_t i = 0; i < node->input_count; ++i) {
            if (!node->inputs[i].node) continue;
            waiting.push_back(node->inputs[i].node);
            std::push_heap(waiting.begin(), waiting.end(), older);
        }
    }
}

// The parameters (backward/untrained.h) that x was computed from, or x itself.
std::vector<const Leaf*> parameters_behind(const Tensor& x);

// Sees the nodes of a graph when they are made, and a backward pass on its way: RememberValues
// (record/remember.h), Profile (record/profile.h), the finite check (backward/finite_gradients.h).
struct NodeWatcher {
    virtual void made(Node& /*node*/, const Tensor& /*value*/) {}
    // The gradient of the node is complete; its rules will be called now.
    virtual void reached(Node& /*node*/, const Tensor& /*gradient*/) {}
    // The rule of `from` gave a gradient for `input`; or it added to what had arrived there in place:
    // then `gradient` is not defined.
    virtual void handed_on(const Node& /*from*/, Node& /*input*/, const Tensor& /*gradient*/) {}

  protected:
    ~NodeWatcher() = default;
};
NodeWatcher* node_watcher();                     // that of this thread; null: none
NodeWatcher* watch_nodes(NodeWatcher* watcher);  // returns the one before

}  // namespace heed
