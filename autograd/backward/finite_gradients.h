// The finite check of a backward pass (record/finite.h): every gradient that a rule gives, and the sum of
// those that arrive at a node, must be finite if the one that the pass starts with is.
#pragma once

#include <map>

#include "autograd/record/finite.h"

namespace heed::backward_detail {

// Watches the pass that begins while it lives. Single operations are not checked meanwhile, for a rule may
// pass through an infinity.
class FiniteGradients final : NodeWatcher {
  public:
    FiniteGradients() : before_(watch_nodes(this)) {}
    ~FiniteGradients() { watch_nodes(before_); }
    FiniteGradients(const FiniteGradients&) = delete;

  private:
    void made(Node& node, const Tensor& value) override;
    void reached(Node& node, const Tensor& gradient) override;
    void handed_on(const Node& from, Node& input, const Tensor& gradient) override;
    void look_at(const Tensor& gradient, const Node& input, const Node& from) const;

    struct Came {
        const Node* from = nullptr;  // whose rule gave the first part
        bool unseen = false;         // the sum has not been looked at as a whole
    };
    std::map<const Node*, Came> came_;
    const Storage* current_ =
        nullptr;  // the numbers of the gradient at work: views of it are known
    FiniteCheck operations_{false};
    NodeWatcher* before_ = nullptr;
};

}  // namespace heed::backward_detail
