#include "autograd/tensor/buffers.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "autograd/tensor/storage.h"

namespace heed {
namespace {

thread_local WatchBuffers* watching = nullptr;

// All numbers of the storage behind x, which may be a view of a part.
Tensor whole(const Tensor& x) {
    Storage& storage = *x.body()->storage;
    const auto size = static_cast<int64_t>(x.dtype() == Dtype::float32 ? 4 : 8);
    const Shape shape{static_cast<int64_t>(storage.bytes) / size};
    return view_of(x, shape, contiguous_strides(shape),
                   (storage.numbers() - x.body()->bytes) / size);
}

void put_back(const WatchBuffers::Change& change) {
    Storage& storage = *change.buffer.body()->storage;
    std::memcpy(storage.numbers(), change.before.body()->bytes, storage.bytes);
}

}  // namespace

void mark_as_buffer(const Tensor& x) {
    check_defined("mark_as_buffer", x);
    x.body()->storage->is_buffer = true;
}
bool is_buffer(const Tensor& x) { return x.defined() && x.body()->storage->is_buffer; }

void note_replaced_buffer(const Tensor& buffer) {
    if (watching) watching->add({buffer, {}, 0});
}

WatchBuffers::WatchBuffers() : outer_(std::exchange(watching, this)) {}

// What happened here happened in the scope around it too.
WatchBuffers::~WatchBuffers() {
    watching = outer_;
    if (!outer_) return;
    for (const Change& change : changes_) outer_->add(change);
}

void WatchBuffers::add(const Change& change) {
    const auto same = [&](const Change& other) {
        return other.buffer.body()->storage == change.buffer.body()->storage;
    };
    if (std::none_of(changes_.begin(), changes_.end(), same)) changes_.push_back(change);
}

void WatchBuffers::about_to_change(const Tensor& x) {
    if (!watching) return;
    watching->add({x, copy_of(whole(x)), x.body()->storage->version});
}

void WatchBuffers::undo() {
    for (const Change& change : changes_) {
        if (!change.before.defined()) continue;
        put_back(change);
        change.buffer.body()->storage->version = change.version;
    }
    changes_.clear();
}

void WatchBuffers::go_back(const Change& change) {
    about_to_change(change.buffer);
    ++change.buffer.body()->storage->version;
    put_back(change);
}

}  // namespace heed
