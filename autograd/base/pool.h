// Memory for tensors and graph nodes. A training step asks for the same sizes again and again, so a
// freed block goes to a list of blocks of its size and the next request takes it from there: after
// the first step nothing reaches the system allocator.
//
// Sizes are rounded up to classes, four to each doubling, so at most a quarter is wasted. The lists
// belong to the thread; a block may be freed by another thread than took it. Blocks are aligned to 64
// bytes: one cache line, the widest vector register.
#pragma once

#include <cstddef>
#include <string>

namespace heed {

void* pool_allocate(std::size_t bytes);
void pool_release(void* block, std::size_t bytes);  // the same `bytes` as it was allocated with

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
