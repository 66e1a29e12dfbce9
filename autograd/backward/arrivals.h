// The gradients that have arrived at nodes during a backward pass, and wait there for more. The pass
// takes those of the newest node first.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "autograd/ops/elementwise/binary.h"
#include "autograd/record/grad_mode.h"
#include "autograd/tensor/node.h"

namespace heed::backward_detail {

// sum += gradient; in place if nobody would notice.
inline void add_to(Tensor& sum, const Tensor& gradient) {
    if (!grad_enabled() && is_unshared(sum) && sum.is_contiguous())
        add_in_place(sum, gradient);
    else
        sum = add(sum, gradient);
}

class Arrivals {
  public:
    struct Arrival {
        Node* node = nullptr;
        Tensor gradient;
    };

    Arrivals() {
        places_.reserve(32);
        newest_first_.reserve(32);
    }
    bool empty() const { return newest_first_.empty(); }

    // The sum of what has arrived at the node, to add to; not defined if nothing has.
    Tensor& at(Node& node) {
        // The node says where it was put. A pass inside this one may have put it somewhere else; then it
        // gets a second place here, and take_newest() adds the two.
        if (node.place < places_.size() && places_[node.place].node == &node)
            return places_[node.place].gradient;
        node.place = static_cast<uint32_t>(places_.size());
        newest_first_.push_back({node.order, node.place});
        std::push_heap(newest_first_.begin(), newest_first_.end());
        return places_.emplace_back(Arrival{&node, Tensor()}).gradient;
    }

    Arrival take_newest() {
        Arrival newest = take();
        while (!empty() && places_[newest_first_.front().second].node == newest.node)
            add_to(newest.gradient, take().gradient);
        return newest;
    }

  private:
    Arrival take() {
        std::pop_heap(newest_first_.begin(), newest_first_.end());
        const uint32_t place = newest_first_.back().second;
        newest_first_.pop_back();
        return std::exchange(places_[place], Arrival{nullptr, Tensor()});
    }

    std::vector<Arrival> places_;  // in the order of their first arrival
    std::vector<std::pair<uint64_t, uint32_t>> newest_first_;  // a heap of orders with their places
};

}  // namespace heed::backward_detail
