#include "autograd/tensor/node.h"

#include <cassert>
#include <new>
#include <unordered_set>
#include <utility>

#include "autograd/tensor/storage.h"

namespace heed {

namespace {
constinit thread_local uint64_t nodes_made = 0;
constinit thread_local Node* released = nullptr;  // nodes without owners, to be destroyed
constinit thread_local bool destroying = false;
constinit thread_local NodeWatcher* watcher_of_thread = nullptr;
}  // namespace

NodeWatcher* node_watcher() { return watcher_of_thread; }
NodeWatcher* watch_nodes(NodeWatcher* watcher) { return std::exchange(watcher_of_thread, watcher); }

Node::Node(const char* name, const Tensor& value)
    : operation(name),
      order(++nodes_made),
      thread(&nodes_made),
      shape(value.shape()),
      dtype(value.dtype()) {
    if (watcher_of_thread) [[unlikely]]
        watcher_of_thread->made(*this, value);
}

Node::~Node() {
    if (numbers) numbers->release();
}

void Node::connect(Input& input, const Tensor& x, bool read_again) {
    if (!x.defined()) return;
    Node* node = x.body()->node;
    if (node) {
        retain(node);
        if (node->order >= order) [[unlikely]]  // made by another thread
            order = nodes_made = node->order + 1;
        input.node = node;
    }
    if (!read_again) return;
    input.watched = node && node->numbers ? node->numbers : x.body()->storage;
    input.watched->watch();
    input.version = input.watched->version;
}

void Node::disconnect() {
    for (uint32_t i = 0; i < input_count; ++i) {
        if (inputs[i].node) release(inputs[i].node);
        if (inputs[i].watched) inputs[i].watched->unwatch();
    }
}

void retain(Node* node) { ++node->references; }

void release(Node* node) {
    if (--node->references > 0) return;
    // Destroying a node releases its inputs, which would release theirs: a deep recursion. Instead
    // nodes without owners are put into a list, and the outermost call empties it.
    node->next_released = released;
    released = node;
    if (destroying) return;
    destroying = true;
    while (released) {
        Node* dead = released;
        released = dead->next_released;
        const std::size_t bytes = dead->bytes();
        dead->~Node();
        pool_release(dead, bytes);
    }
    destroying = false;
}

Tensor attach(Tensor value, Node* node) {
    assert(!value.body()->node && "the value of an operation must be a fresh tensor");
    value.body()->node = node;
    retain(node);
    return value;
}

std::vector<const Node*> parameters_behind(const Tensor& x) {
    std::vector<const Node*> found;
    if (!x.defined() || !x.requires_grad()) return found;
    std::vector<const Node*> reached{x.body()->node};
    std::unordered_set<const Node*> seen{x.body()->node};
    for (std::size_t next = 0; next < reached.size(); ++next) {
        const Node* node = reached[next];
        if (node->is_leaf() && node->numbers->is_parameter) found.push_back(node);
        for (uint32_t i = 0; i < node->input_count; ++i)
            if (const Node* input = node->inputs[i].node; input && seen.insert(input).second)
                reached.push_back(input);
    }
    return found;
}

}  // namespace heed
