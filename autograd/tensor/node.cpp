#include "autograd/tensor/node.h"

#include <atomic>
#include <cassert>
#include <new>

#include "autograd/tensor/storage.h"

namespace heed {

namespace {
// One count for all threads, so that inputs have smaller numbers than results whichever thread made them.
constinit std::atomic<uint64_t> nodes_made = 0;
constinit thread_local Node* released = nullptr;  // nodes without owners, to be destroyed
constinit thread_local bool destroying = false;
constinit thread_local NodeWatcher* watcher_of_thread = nullptr;
}  // namespace

NodeWatcher* node_watcher() { return watcher_of_thread; }
NodeWatcher* watch_nodes(NodeWatcher* watcher) { return std::exchange(watcher_of_thread, watcher); }

Node::Node(const char* name, const Tensor& value)
    : operation(name),
      order(nodes_made.fetch_add(1, std::memory_order_relaxed) + 1),
      shape(value.shape()),
      dtype(value.dtype()) {
    if (watcher_of_thread) [[unlikely]]
        watcher_of_thread->made(*this, value);
}

uint64_t next_order() { return nodes_made.load(std::memory_order_relaxed) + 1; }

Leaf::Leaf(const Tensor& x) : Node("leaf", x), numbers(x.body()->storage) { ++numbers->references; }
Leaf::~Leaf() { numbers->release(); }

void Node::connect(Input& input, const Tensor& x, bool read_again) {
    if (!x.defined()) return;
    Node* node = input.node = x.body()->node;
    if (node) retain(node);
    if (!read_again) return;
    input.watched = node && node->is_leaf() ? node->leaf()->numbers : x.body()->storage;
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

std::vector<const Leaf*> parameters_behind(const Tensor& x) {
    std::vector<const Leaf*> found;
    if (!x.defined() || !x.requires_grad()) return found;
    walk_back(x.body()->node, [&](const Node& node) {
        if (const Leaf* leaf = node.leaf(); leaf && leaf->numbers->is_parameter)
            found.push_back(leaf);
        return true;
    });
    return found;
}

}  // namespace heed
