#include "autograd/pool.h"

#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

namespace heed {
namespace {

constexpr int class_count = 232;  // up to 2^64 bytes
constexpr std::size_t alignment = 64;

struct Block {
    Block* next;
};

// Plain data, so that reaching it costs nothing and it outlives every object with a destructor.
struct Lists {
    Block* free[class_count];
    MemoryUse use;
    bool closed;
};
constinit thread_local Lists lists{};

// Gives the waiting blocks back when the thread ends; what is released later goes straight home.
struct Closer {
    ~Closer() {
        lists.closed = true;
        for (Block*& head : lists.free)
            while (head) {
                Block* next = head->next;
                std::free(head);
                head = next;
            }
    }
};

#if defined(__SANITIZE_ADDRESS__)
constexpr bool recycle = false;  // let the sanitizer see every allocation as it is
#else
constexpr bool recycle = true;
#endif

// Class 4 e + q holds blocks of (4 + q) 2^(e + 4) bytes: 64, 80, 96, 112, 128, 160, ...
struct SizeClass {
    int index;
    std::size_t bytes;
};

SizeClass size_class(std::size_t bytes) {
    if (bytes <= alignment) return {0, alignment};
    const int exponent = std::bit_width(bytes - 1) - 1;     // 2^exponent < bytes <= 2^(exponent + 1)
    const std::size_t step = std::size_t{1} << (exponent - 2);  // a quarter of the doubling
    const std::size_t quarters = (bytes + step - 1) / step;     // 5 to 8
    return {4 * (exponent - 6) + static_cast<int>(quarters) - 4, quarters * step};
}

// In a debug build memory that holds nothing holds NaN: reading it shows.
void poison([[maybe_unused]] void* block, [[maybe_unused]] std::size_t bytes) {
#if defined(HEED_DEBUG)
    std::memset(block, 0xff, bytes);
#endif
}

[[gnu::noinline]] void* from_system(std::size_t bytes) {
    thread_local Closer closer;
    static_cast<void>(closer);
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    void* block = std::aligned_alloc(alignment, rounded);
    if (!block) throw std::bad_alloc();
    poison(block, bytes);
    lists.use.from_system += bytes;
    ++lists.use.system_calls;
    return block;
}

}  // namespace

void* pool_allocate(std::size_t bytes) {
    const SizeClass size = size_class(bytes);
    void* memory = lists.free[size.index];
    if (memory)
        lists.free[size.index] = lists.free[size.index]->next;
    else
        memory = from_system(size.bytes);
    MemoryUse& use = lists.use;
    use.in_use += size.bytes;
    if (use.in_use > use.peak) use.peak = use.in_use;
    return memory;
}

void pool_release(void* block, std::size_t bytes) {
    const SizeClass size = size_class(bytes);
    lists.use.in_use -= size.bytes;
    poison(block, size.bytes);
    if (!recycle || lists.closed) {
        lists.use.from_system -= size.bytes;
        std::free(block);
        return;
    }
    auto* freed = static_cast<Block*>(block);
    freed->next = lists.free[size.index];
    lists.free[size.index] = freed;
}

MemoryUse memory_use() { return lists.use; }
void reset_peak_memory() { lists.use.peak = lists.use.in_use; }

}  // namespace heed
