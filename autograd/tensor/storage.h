// The numbers behind a tensor and its views, with a count of owners and a version: how often the
// numbers were edited. A graph that will read the numbers again in backward watches the storage and
// notes the version. The version outlives the numbers, so that a watcher keeps no large block alive:
// few numbers lie in one block with the counts, many in a block of their own, which is released when
// the last owner goes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "autograd/base/pool.h"

namespace heed {

struct alignas(64) Storage {
    uint32_t references = 1;  // owners: tensors, and graphs that keep the numbers
    uint32_t watchers = 0;    // those who compare the version only
    uint32_t version = 0;
    // Whether these are the numbers of a parameter, and whether an optimiser has ever held them:
    // backward/untrained.h.
    bool is_parameter = false, has_optimiser = false;
    bool is_buffer = false;  // buffers.h
    std::size_t bytes;       // of the numbers
    unsigned char* first;    // null: the numbers are released
    // Of a buffer that grows (ops/shape/growing.h): its size along that axis, and how much is in use.
    int64_t capacity = 0, used = 0;

    unsigned char* numbers() { return first; }

    static Storage* make(std::size_t bytes);
    void release() {
        if (--references == 0) release_numbers();
    }
    void watch() { ++watchers; }
    void unwatch() {
        if (--watchers == 0 && references == 0) release_counts();
    }

  private:
    static constexpr std::size_t few = 256;  // so many bytes lie in the block of the counts
    void release_numbers() {
        if (bytes > few) pool_release(first, bytes);
        first = nullptr;
        if (watchers == 0) release_counts();
    }
    void release_counts() { pool_release(this, sizeof(Storage) + (bytes > few ? 0 : bytes)); }
};

inline Storage* Storage::make(std::size_t bytes) {
    void* separate = bytes > few ? pool_allocate(bytes) : nullptr;
    void* memory;
    try {
        memory = pool_allocate(sizeof(Storage) + (separate ? 0 : bytes));
    } catch (...) {
        if (separate) pool_release(separate, bytes);
        throw;
    }
    auto* storage = static_cast<Storage*>(memory);
    storage->references = 1;
    storage->watchers = storage->version = 0;
    storage->is_parameter = storage->has_optimiser = storage->is_buffer = false;
    storage->bytes = bytes;
    storage->first = static_cast<unsigned char*>(separate ? separate : storage + 1);
    storage->capacity = storage->used = 0;
    return storage;
}

}  // namespace heed
