#include "autograd/tensor/node.h"

#include <new>

#include "autograd/tensor/storage.h"

namespace heed {

namespace {
constinit thread_local uint64_t nodes_made = 0;
constinit thread_local Node* waiting = nullptr;  // to be destroyed
constinit thread_local bool emptying = false;
}  // namespace

Node::Node(const char* name, const Tensor& value)
    : order(++nodes_made), operation(name), shape(value.shape()), dtype(value.dtype()) {
    if (values_remembered()) remembered_value = clone(value);
}

Node::~Node() {
    if (is_leaf() && watched) watched->release();
}

uint32_t Node::version() const { return watched ? watched->version : 0; }

void Node::connect(Edge& edge, const Tensor& input) {
    if (!input.defined() || !input.requires_grad()) return;
    Node* from = input.body()->node;
    retain(from);
    edge = {from, from->version()};
}

void Node::disconnect() {
    for (uint32_t i = 0; i < edge_count; ++i)
        if (edges[i].node) release(edges[i].node);
}

void retain(Node* node) { ++node->references; }

void release(Node* node) {
    if (--node->references > 0) return;
    // Destroying a node releases its inputs, which would release theirs: a deep recursion. Instead
    // nodes without owners wait in a list, and the outermost call empties it.
    node->next_waiting = waiting;
    waiting = node;
    if (emptying) return;
    emptying = true;
    while (waiting) {
        Node* dead = waiting;
        waiting = dead->next_waiting;
        const std::size_t bytes = dead->bytes();
        dead->~Node();
        pool_release(dead, bytes);
    }
    emptying = false;
}

namespace tape {

void* allocate_node(std::size_t bytes) { return pool_allocate(bytes); }

Tensor attach(Tensor value, Node* node) {
    assert(!value.body()->node && "the value of an operation must be a fresh tensor");
    value.body()->node = node;
    retain(node);
    for (uint32_t i = 0; i < node->edge_count;
         ++i) {  // a view of a leaf watches the leaf's numbers
        const Node* input = node->edges[i].node;
        if (input && input->watched == value.body()->storage) node->watched = input->watched;
    }
    return value;
}

Storage* keep_storage(const Tensor& value) {
    assert(value.is_contiguous() && value.body()->bytes == value.body()->storage->numbers());
    ++value.body()->storage->references;
    return value.body()->storage;
}

void drop_storage(Storage* storage) { storage->release(); }

Tensor result_again(Storage* storage, Node* node) {
    ++storage->references;
    void* memory = pool_allocate(sizeof(Tensor::Body));
    Tensor y(new (memory) Tensor::Body{1, node->dtype, node->shape, contiguous_strides(node->shape),
                                       storage, storage->numbers(), nullptr});
    return grad_enabled() ? attach(std::move(y), node) : y;
}

bool should_record(const Tensor& x) { return grad_enabled() && x.defined() && x.requires_grad(); }

}  // namespace tape

}  // namespace heed
