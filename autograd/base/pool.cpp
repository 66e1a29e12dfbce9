#include "autograd/base/pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

namespace heed {

using pool_detail::alignment;
using pool_detail::SizeClass;

namespace {

constexpr int class_count = 232;  // up to 2^64 bytes

struct Block {
    Block* next;
};

// Plain data: access costs nothing, and it is still there when the last destructor runs.
struct Lists {
    Block* free[class_count];
    std::size_t blocks[class_count];  // of each class, in use or waiting
    MemoryUse use;
    bool closed;
};
constinit thread_local Lists lists{};

// Returns the waiting blocks to the system when the thread ends; blocks released later go there at once.
struct Closer {
    ~Closer() {
        const char* wanted = std::getenv("HEED_MEMORY");
        if (wanted && std::strcmp(wanted, "1") == 0) std::fputs(memory_report().c_str(), stderr);
        lists.closed = true;
        for (Block*& head : lists.free)
            while (head) {
                Block* next = head->next;
                std::free(head);
                head = next;
            }
    }
};

std::size_t bytes_of_class(int index) {
    if (index == 0) return alignment;
    return static_cast<std::size_t>(5 + (index - 1) % 4) << (4 + (index - 1) / 4);
}

// In a debug build unused memory is filled with NaN, so that reading it shows.
void poison([[maybe_unused]] void* block, [[maybe_unused]] std::size_t bytes) {
#if defined(HEED_DEBUG)
    std::memset(block, 0xff, bytes);
#endif
}

// Thrown if the system has no more memory. It says how much was asked for, which a plain
// std::bad_alloc does not.
struct OutOfMemory : std::bad_alloc {
    char text[120] = {};

    OutOfMemory(std::size_t asked, std::size_t in_use) {
        fmt::format_to_n(text, sizeof text - 1,
                         "out of memory: {:.3g} GB were asked for, {:.3g} GB are in use",
                         static_cast<double>(asked) / 1e9, static_cast<double>(in_use) / 1e9);
    }
    const char* what() const noexcept override { return text; }
};

[[gnu::noinline]] void* from_system(int index, std::size_t bytes) {
    thread_local Closer closer;
    static_cast<void>(closer);
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    void* block = std::aligned_alloc(alignment, rounded);
    if (!block) throw OutOfMemory(bytes, lists.use.in_use);
    poison(block, bytes);
    lists.use.from_system += bytes;
    ++lists.blocks[index];
    ++lists.use.system_calls;
    return block;
}

}  // namespace

void* pool_detail::allocate(SizeClass size) {
    void* memory = lists.free[size.index];
    if (memory)
        lists.free[size.index] = lists.free[size.index]->next;
    else
        memory = from_system(size.index, size.bytes);
    MemoryUse& use = lists.use;
    use.in_use += size.bytes;
    if (use.in_use > use.peak) use.peak = use.in_use;
    return memory;
}

void pool_detail::release(void* block, SizeClass size) {
    lists.use.in_use -= size.bytes;
    poison(block, size.bytes);
    if (!pool_recycles || lists.closed) {
        lists.use.from_system -= size.bytes;
        --lists.blocks[size.index];
        std::free(block);
        return;
    }
    auto* freed = static_cast<Block*>(block);
    freed->next = lists.free[size.index];
    lists.free[size.index] = freed;
}

MemoryUse memory_use() { return lists.use; }

std::string memory_report() {
    struct Line {
        std::size_t block, blocks, waiting;
    };
    std::vector<Line> lines;
    for (int i = 0; i < class_count; ++i) {
        if (lists.blocks[i] == 0) continue;
        std::size_t waiting = 0;
        for (const Block* block = lists.free[i]; block; block = block->next) ++waiting;
        lines.push_back({bytes_of_class(i), lists.blocks[i], waiting});
    }
    std::sort(lines.begin(), lines.end(),
              [](Line a, Line b) { return a.block * a.blocks > b.block * b.blocks; });

    const auto kibibytes = [](std::size_t bytes) { return static_cast<double>(bytes) / 1024; };
    const MemoryUse& use = lists.use;
    std::string text = fmt::format(
        "heed: {:.1f} KiB from the system in {} calls; at most {:.1f} KiB in use, now {:.1f}\n"
        "{:>14} {:>10} {:>10} {:>10}\n",
        kibibytes(use.from_system), use.system_calls, kibibytes(use.peak), kibibytes(use.in_use),
        "block, KiB", "blocks", "in use", "all, KiB");
    for (std::size_t i = 0; i < std::min<std::size_t>(lines.size(), 12); ++i) {
        const auto& [block, blocks, waiting] = lines[i];
        text += fmt::format("{:>14.2f} {:>10} {:>10} {:>10.1f}\n", kibibytes(block), blocks,
                            blocks - waiting, kibibytes(block * blocks));
    }
    return text;
}

void reset_peak_memory() { lists.use.peak = lists.use.in_use; }

}  // namespace heed
