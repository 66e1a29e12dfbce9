#include "autograd/record/profile.h"

#include <utility>

namespace heed {

Profile::Profile() : last_(std::chrono::steady_clock::now()), before_(watch_nodes(this)) {}
Profile::~Profile() { watch_nodes(before_); }

double Profile::since_last() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(last_, now)).count();
}

void Profile::made(Node& node, const Tensor&) {
    Time& time = times_[node.operation];
    time.forward += since_last();
    ++time.calls;
}

void Profile::reached(Node& node, const Tensor&) {
    const char* before = std::exchange(passing_, node.operation);
    times_[before ? before : "start of backward"].backward += since_last();
}

void Profile::mark(const std::string& part) {
    const double seconds = since_last();
    if (passing_)
        times_[std::exchange(passing_, nullptr)].backward += seconds;
    else
        times_[part].forward += seconds;
}

}  // namespace heed
