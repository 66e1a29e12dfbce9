#include "autograd/record/operation.h"

#include <cassert>
#include <new>

#include "autograd/tensor/storage.h"

namespace heed {

void KeptResult::keep(const Tensor& value) {
    assert(value.is_contiguous() && value.body()->bytes == value.body()->storage->numbers());
    storage_ = value.body()->storage;
    ++storage_->references;
    version_ = storage_->version;
}

void KeptResult::release() {
    storage_->release();
    storage_ = nullptr;
}

bool KeptResult::unchanged() const { return !storage_ || storage_->version == version_; }

Tensor KeptResult::restored(Node* node) const {
    ++storage_->references;
    void* memory = pool_allocate(sizeof(Tensor::Body));
    Tensor y(new (memory) Tensor::Body{1,
                                       node->dtype,
                                       {node->shape, contiguous_strides(node->shape)},
                                       storage_,
                                       storage_->numbers(),
                                       nullptr});
    return grad_enabled() ? attach(std::move(y), node) : y;
}

}  // namespace heed
