// Where the time of a training step goes, operation by operation.
//
//     Profile profile;
//     for (int i = 0; i < 10; ++i) {
//         backward(loss());
//         profile.mark("");           // what came before belongs to backward
//         optimiser.step();
//         profile.mark("optimiser");  // what came before is called so
//     }
//     for (const auto& [name, time] : profile.times()) ...    // {"linear", {forward, backward}}
//
// An operation takes from the end of the one before until it is recorded, and backward through it until
// the pass comes to the next one. So what a model does between operations counts as part of the next.
// Operations that are not recorded (under NoGrad) are part of the next one too.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "autograd/tensor/node.h"

namespace heed {

// Watches the operations of this thread until the end of its life.
class Profile final : NodeWatcher {
  public:
    Profile();
    ~Profile();
    Profile(const Profile&) = delete;

    // Ends a part of the step that is no operation, and names it; ends backward.
    void mark(const std::string& part);

    struct Time {
        double forward = 0, backward = 0;  // seconds
        int64_t calls = 0;
    };
    // By operation, or part.
    const std::map<std::string, Time>& times() const { return times_; }

  private:
    void made(Node& node, const Tensor& value) override;
    void reached(Node& node, const Tensor& gradient) override;
    double since_last();

    std::chrono::steady_clock::time_point last_;
    const char* passing_ = nullptr;  // the operation that backward goes through
    std::map<std::string, Time> times_;
    NodeWatcher* before_ = nullptr;
};

}  // namespace heed
