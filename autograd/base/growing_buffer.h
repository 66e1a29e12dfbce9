// Memory that a kernel needs while it computes, kept for its next call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

namespace heed {

// Memory from the system, aligned to a cache line.
struct AlignedMemory {
    static constexpr std::align_val_t alignment{64};
    static void* allocate(std::size_t bytes) { return ::operator new(bytes, alignment); }
    static void release(void* memory) { ::operator delete(memory, alignment); }
};

// Memory that grows to the largest size asked for and is kept for the next call. If there is none
// left, reserve() throws and the buffer is empty.
template <class T, class Memory = AlignedMemory>
class GrowingBuffer {
  public:
    GrowingBuffer() = default;
    GrowingBuffer(const GrowingBuffer&) = delete;
    ~GrowingBuffer() { release(); }

    T* reserve(int64_t size) {
        if (size > capacity) {
            release();
            data = static_cast<T*>(Memory::allocate(static_cast<std::size_t>(size) * sizeof(T)));
            capacity = size;
        }
        return data;
    }

  private:
    void release() {
        if (data) Memory::release(data);
        data = nullptr;
        capacity = 0;
    }

    T* data = nullptr;
    int64_t capacity = 0;
};

}  // namespace heed
