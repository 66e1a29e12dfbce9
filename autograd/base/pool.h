// Memory for tensors and graph nodes. A training step asks for the same sizes again and again, so a
// freed block goes to a list of blocks of its size and the next request takes it from there: after
// the first step nothing reaches the system allocator.
//
// Sizes are rounded up to classes, four to each doubling, so at most a quarter is wasted. The lists
// belong to the thread; a block may be freed by another thread than took it. Blocks are aligned to 64
// bytes: one cache line, the widest vector register.
#pragma once

#include <bit>
#include <cstddef>
#include <string>

namespace heed {

// Does a freed block wait for the next request? Not where each allocation is to be seen as it is: under a
// sanitizer, or under valgrind's memcheck, for which one compiles with -DHEED_MEMCHECK.
#if defined(__SANITIZE_ADDRESS__) || defined(HEED_MEMCHECK)
inline constexpr bool pool_recycles = false;
#else
inline constexpr bool pool_recycles = true;
#endif

namespace pool_detail {

inline constexpr std::size_t alignment = 64;

// Class 4 e + q holds blocks of (4 + q) 2^(e + 4) bytes: 64, 80, 96, 112, 128, 160, ...
struct SizeClass {
    int index = 0;
    std::size_t bytes = 0;
};
constexpr SizeClass size_class(std::size_t bytes) {
    if (bytes <= alignment) return {0, alignment};
    const int exponent = std::bit_width(bytes - 1) - 1;  // 2^exponent < bytes <= 2^(exponent + 1)
    const std::size_t step = std::size_t{1} << (exponent - 2);  // a quarter of the doubling
    const std::size_t quarters = (bytes + step - 1) / step;     // 5 to 8
    return {4 * (exponent - 6) + static_cast<int>(quarters) - 4, quarters * step};
}

void* allocate(SizeClass size);
void release(void* block, SizeClass size);

}  // namespace pool_detail

// Here, so that the compiler finds the class of a size that it knows.
inline void* pool_allocate(std::size_t bytes) {
    return pool_detail::allocate(pool_detail::size_class(bytes));
}
// With the same `bytes` as the block was allocated with.
inline void pool_release(void* block, std::size_t bytes) {
    pool_detail::release(block, pool_detail::size_class(bytes));
}

// Where the bytes of this thread are.
struct MemoryUse {
    std::size_t in_use = 0;        // in live tensors and nodes
    std::size_t peak = 0;          // the most ever in use
    std::size_t from_system = 0;   // taken from the system, in use or waiting in a list
    std::size_t system_calls = 0;  // how often the system was asked
};
MemoryUse memory_use();
void reset_peak_memory();

// The same in words, with the sizes of block that hold the most. With HEED_MEMORY=1 in the environment
// every thread prints it when it ends, to standard error.
std::string memory_report();

}  // namespace heed
