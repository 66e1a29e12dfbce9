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

#include <cstdint>
#include <functional>
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
    // Nodes are numbered as they are made: inputs come before results. Each thread counts by itself;
    // a thread that uses a result of another one goes on counting from the larger number.
    uint64_t order = 0;
    const void* thread = nullptr;  // which one made it: only to be compared
    Shape shape;                   // of the result
    Dtype dtype = Dtype::float32;
    Input* inputs = nullptr;
    uint32_t input_count = 0;

    Tensor gradient;       // while a pass is under way: the sum of what has arrived so far
    Tensor leaf_gradient;  // of a leaf: where backward() leaves it; Tensor::grad()

    Node(const char* name, const Tensor& value);
    virtual ~Node();
    bool is_leaf() const { return input_count == 0; }

    // Hands the gradient g of the result on: for every input that is wanted, accumulates the
    // gradient of that input. A leaf has none.
    virtual void backward(BackwardPass&, const Tensor& /*g*/) {}
    // Drops the rules, and with them the tensors they kept for backward.
    virtual void drop_rules() {}
    // Whether the result, if the rules need it again, is still what was computed.
    virtual bool result_unchanged() const { return true; }
    virtual std::size_t bytes() const { return sizeof(Node); }

    // The rest is bookkeeping: of owners, of passes, of what graph_dot() draws.
    uint32_t references = 0;
    Node* next_released = nullptr;
    Storage* numbers = nullptr;    // of a leaf, which owns them
    bool rules_dropped = false;    // backward() has passed
    bool leads_to_target = false;  // in the pass numbered `last_pass`: to an x of grad()
    uint64_t last_pass = 0;
    const Node* gradient_from = nullptr;  // in a pass: whose rule gave the first part of `gradient`
    bool sum_unchecked = false;           // the finite check has not seen `gradient` as a whole
    Tensor remembered_value, remembered_gradient;  // RememberValues in record/grad_mode.h

  protected:
    // Makes x the input. With `read_again`, backward refuses to run once its numbers were edited.
    void connect(Input& input, const Tensor& x, bool read_again);
    void disconnect();  // for the destructor of the node that holds the inputs
};

void retain(Node* node);
void release(Node* node);  // does not recurse: a chain of a million nodes is destroyed in a loop

// Makes `value`, a fresh tensor, the result of the node.
Tensor attach(Tensor value, Node* node);

// The parameters (backward/untrained.h) that x was computed from, or x itself: nodes of leaves.
std::vector<const Node*> parameters_behind(const Tensor& x);

// Sees the nodes of a graph when they are made and when a backward pass comes to them:
// RememberValues in record/grad_mode.h, Profile in record/profile.h.
struct NodeWatcher {
    virtual void made(Node& node, const Tensor& value) = 0;
    virtual void reached(Node& node, const Tensor& gradient) = 0;  // before its rules are called

  protected:
    ~NodeWatcher() = default;
};
NodeWatcher* node_watcher();                     // that of this thread; null: none
NodeWatcher* watch_nodes(NodeWatcher* watcher);  // returns the one before

}  // namespace heed
