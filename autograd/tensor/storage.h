// The block of memory behind a tensor and its views: a count of owners, how often the numbers were
// edited, then the numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "autograd/base/pool.h"

namespace heed {

struct alignas(64) Storage {
    uint32_t references = 1;
    uint32_t version = 0;
    std::size_t bytes;  // of the numbers
    // Of a buffer that grows (ops/growing.h): its size along that axis, and how much of it is in use.
    int64_t capacity = 0, used = 0;
    // Whether these are the numbers of a parameter, and whether an optimiser has ever held them:
    // backward/untrained.h.
    bool is_parameter = false, has_optimiser = false;

    unsigned char* numbers() { return reinterpret_cast<unsigned char*>(this + 1); }

    static Storage* make(std::size_t bytes) {
        auto* storage = static_cast<Storage*>(pool_allocate(sizeof(Storage) + bytes));
        storage->references = 1;
        storage->version = 0;
        storage->bytes = bytes;
        storage->capacity = storage->used = 0;
        storage->is_parameter = storage->has_optimiser = false;
        return storage;
    }
    void release() {
        if (--references == 0) pool_release(this, sizeof(Storage) + bytes);
    }
};

}  // namespace heed
