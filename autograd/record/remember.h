// The values and gradients of a small graph, for those who draw it: graph_dot() in backward/backward.h.
#pragma once

#include <map>

#include "autograd/tensor/node.h"

namespace heed {

// While one lives, it keeps a copy of every value that is recorded on this thread, and of every gradient
// that a backward pass computes. It keeps the nodes alive too.
class RememberValues final : NodeWatcher {
  public:
    RememberValues();
    ~RememberValues();
    RememberValues(const RememberValues&) = delete;

    struct Numbers {
        Tensor value, gradient;  // each may be not defined
    };
    // What the latest of this thread that lives remembers of the node.
    static Numbers of(const Node& node);

  private:
    void made(Node& node, const Tensor& value) override;
    void reached(Node& node, const Tensor& gradient) override;

    std::map<const Node*, Numbers> numbers_;
    std::vector<Node*> nodes_;
    NodeWatcher* before_ = nullptr;
    RememberValues* outer_ = nullptr;
};

}  // namespace heed
