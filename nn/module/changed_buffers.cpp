#include "nn/module/changed_buffers.h"

#include <utility>

namespace heed {
namespace {

thread_local WatchBuffers* watching = nullptr;

}  // namespace

void note_changed_buffer(const Tensor& buffer) {
    if (watching) watching->changed.push_back(buffer);
}

WatchBuffers::WatchBuffers() : before_(std::exchange(watching, this)) {}
WatchBuffers::~WatchBuffers() { watching = before_; }

}  // namespace heed
