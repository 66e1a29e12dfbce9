// Nodes to which a gradient has arrived, in a binary heap: the newest is taken first.
#pragma once

#include <algorithm>
#include <vector>

#include "autograd/tensor/node.h"

namespace heed::backward_detail {

inline bool older(const Node* a, const Node* b) { return a->order < b->order; }

class Waiting {
  public:
    Waiting() = default;
    Waiting(const Waiting&) = delete;
    // After an error gradients may be left half summed.
    ~Waiting() {
        for (Node* node : heap_) node->gradient = Tensor();
    }
    bool empty() const { return heap_.empty(); }
    void add(Node* node) {
        heap_.push_back(node);
        std::push_heap(heap_.begin(), heap_.end(), older);
    }
    Node* take_newest() {
        std::pop_heap(heap_.begin(), heap_.end(), older);
        Node* node = heap_.back();
        heap_.pop_back();
        return node;
    }

  private:
    std::vector<Node*> heap_;
};

}  // namespace heed::backward_detail
