// Memory: size classes, reuse, and the counts of memory_use(). Each test takes a thread of its own, for
// the lists belong to the thread.
#include <cstring>
#include <thread>

#include "autograd/base/pool.h"
#include "autograd/tensor/storage.h"
#include "tests/autograd/oracle.h"
#include "tests/skipped.h"

namespace heed {
namespace {

template <class F>
void on_a_fresh_thread(F f) {
    std::thread(f).join();
}

TEST_CASE("blocks are aligned, large enough and apart") {
    on_a_fresh_thread([] {
        std::vector<std::pair<unsigned char*, std::size_t>> blocks;
        for (std::size_t bytes = 1; bytes < 3000; bytes += 7) {
            auto* block = static_cast<unsigned char*>(pool_allocate(bytes));
            REQUIRE(reinterpret_cast<std::uintptr_t>(block) % 64 == 0);
            std::memset(block, static_cast<int>(bytes % 251), bytes);
            blocks.emplace_back(block, bytes);
        }
        for (auto [block, bytes] : blocks)
            for (std::size_t i = 0; i < bytes; ++i)
                if (block[i] != bytes % 251) FAIL("a block of " << bytes << " was overwritten");
        for (auto [block, bytes] : blocks) pool_release(block, bytes);
        CHECK(memory_use().in_use == 0);
    });
}

TEST_CASE("rounding up to a size class wastes at most a quarter") {
    on_a_fresh_thread([] {
        std::vector<std::size_t> sizes;
        for (std::size_t bytes = 64; bytes < 5000; ++bytes) sizes.push_back(bytes);
        for (std::size_t bytes = 1 << 13; bytes < 1 << 26; bytes *= 2)
            for (std::size_t more : {0, 1, 64}) sizes.push_back(bytes + more);
        for (std::size_t bytes : sizes) {
            void* block = pool_allocate(bytes);
            const std::size_t taken = memory_use().in_use;
            pool_release(block, bytes);
            INFO(bytes << " bytes took " << taken);
            if (taken < bytes || taken > bytes + bytes / 4) FAIL("more than a quarter");
        }
        SUCCEED();
    });
}

TEST_CASE("a freed block serves the next request of its size", "[unsanitized]") {
    if (sanitized && skipped("no freed block waits in the pool there")) return;
    on_a_fresh_thread([] {
        void* first = pool_allocate(1000);
        pool_release(first, 1000);
        const std::size_t calls = memory_use().system_calls;
        CHECK(pool_allocate(1020) == first);  // the same class
        CHECK(memory_use().system_calls == calls);
        pool_release(first, 1020);
    });
}

TEST_CASE("from the second training step on, the system is not asked for memory", "[unsanitized]") {
    if (sanitized && skipped("no freed block waits in the pool there")) return;
    on_a_fresh_thread([] {
        Tensor w = draw({50, 30}, Dtype::float32).set_requires_grad();
        Tensor b = draw({50}, Dtype::float32, 2).set_requires_grad();
        const Tensor x = draw({64, 30}, Dtype::float32, 3);
        const Indices labels(std::vector<int>(64, 3));
        const auto step = [&] {
            backward(cross_entropy(layer_norm(tanh(linear(x, w, b))), labels));
            for (Tensor* p : {&w, &b}) {
                p->assign(*p - p->grad() * 0.1);
                p->clear_grad();
            }
        };
        const std::size_t before = memory_use().in_use;
        step();
        const MemoryUse after_one = memory_use();
        for (int i = 0; i < 5; ++i) step();
        CHECK(memory_use().system_calls == after_one.system_calls);
        CHECK(memory_use().from_system == after_one.from_system);
        CHECK(memory_use().in_use == before);
    });
}

TEST_CASE("the peak is the most ever in use, until it is reset") {
    on_a_fresh_thread([] {
        const std::size_t before = memory_use().in_use;
        { const Tensor large = zeros({1000, 1000}); }
        CHECK(memory_use().in_use == before);
        CHECK(memory_use().peak >= before + 4000000);
        CHECK(memory_use().peak <= before + 5100000);
        reset_peak_memory();
        CHECK(memory_use().peak == memory_use().in_use);
        const Tensor small = zeros({10});
        CHECK(memory_use().peak == memory_use().in_use);
    });
}

TEST_CASE("a tensor may be freed by another thread, or after its own has ended") {
    Tensor x;
    on_a_fresh_thread([&] { x = draw({100, 100}).set_requires_grad(); });
    CHECK(x.numel() == 10000);
    on_a_fresh_thread([&] { x = Tensor(); });
    CHECK_FALSE(x.defined());
}

// It outlives the lists of its thread when it was made before the thread's first block.
struct ReleasedLate {
    void* block = nullptr;
    std::size_t* held = nullptr;  // what the system still lends after the release
    ~ReleasedLate() {
        pool_release(block, 1000);
        *held = memory_use().from_system;
    }
};

TEST_CASE("a block released after its thread's lists were closed goes back to the system") {
    std::size_t held = 1, before = 0;
    on_a_fresh_thread([&] {
        thread_local ReleasedLate late;
        late.held = &held;
        before = memory_use().from_system;
        late.block = pool_allocate(1000);
        CHECK(memory_use().from_system > before);
    });
    CHECK(held == before);
}

TEST_CASE("a request that cannot be met throws and is not counted", "[unsanitized]") {
    if (sanitized && skipped("the sanitizer stops there instead")) return;
    on_a_fresh_thread([] {
        const std::size_t before = memory_use().in_use;
        CHECK_THROWS_AS(pool_allocate(std::size_t{1} << 62), std::bad_alloc);
        CHECK_THROWS_WITH(pool_allocate(std::size_t{1} << 62),
                          Catch::Matchers::ContainsSubstring("out of memory: 4.61e+09 GB"));
        CHECK(memory_use().in_use == before);
    });
}

#if defined(HEED_DEBUG)
TEST_CASE("in a debug build memory that was freed, or never written, holds NaN") {
    on_a_fresh_thread([] {
        for (int64_t n : {3, 100, 5000}) {
            for (double value : empty({n}).to_vector()) CHECK(std::isnan(value));
            { const Tensor x = full({n}, 3); }
            for (double value : empty({n}).to_vector()) CHECK(std::isnan(value));
        }
    });
}
#endif

Tensor global;

TEST_CASE("a tensor that lives until the program ends may hold a graph") {
    Tensor x = ones({3}).set_requires_grad();
    global = x * 2 + exp(x);  // taken down after this thread's lists were closed
    CHECK(global.requires_grad());
}

TEST_CASE("the report says which blocks hold the memory", "[unsanitized]") {
    if (sanitized && skipped("no freed block waits in the pool there")) return;
    on_a_fresh_thread([] {
        void* large = pool_allocate(100 * 1024);  // rounds up to 112 KiB
        void* small = pool_allocate(2000);        // to 2 KiB
        pool_release(small, 2000);
        const std::string report = memory_report();
        INFO(report);
        CHECK(report.find("114.0 KiB from the system in 2 calls; at most 114.0 KiB in use, now "
                          "112.0") != std::string::npos);
        CHECK(report.find("112.00          1          1      112.0") != std::string::npos);
        CHECK(report.find("2.00          1          0        2.0") != std::string::npos);
        pool_release(large, 100 * 1024);
    });
}

}  // namespace
}  // namespace heed
