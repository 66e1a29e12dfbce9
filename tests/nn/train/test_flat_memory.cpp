// A hundred thousand training steps take no more memory than a thousand: ./heed test '[long]' prints
// what the pool and the process hold. (100,000 steps: about a minute.)
#include <cstdio>
#include <fstream>

#include "attention/attention.h"
#include "autograd/base/pool.h"
#include "tests/autograd/oracle.h"

namespace heed {
namespace {

// Resident bytes of this process; 0 where the system does not say.
std::size_t resident_bytes() {
    std::ifstream file("/proc/self/statm");
    std::size_t total = 0, resident = 0;
    file >> total >> resident;
    return resident * 4096;
}

struct Held {
    std::size_t in_use, from_system, resident;
};

// What is held after step `first` and after step `last` of training a small language model with
// dropout on batches of many shapes.
std::pair<Held, Held> held_after(int64_t first, int64_t last) {
    Rng rng(1);
    LanguageModel model({.vocabulary = 11,
                         .stack = {.width = 8,
                                   .heads = 2,
                                   .layers = 1,
                                   .dropout = 0.1,
                                   .positions = {.kind = PositionKind::rotary}}},
                        rng);
    Adam optimiser(parameters(model), {.lr = 1e-3});
    const auto now = [] {
        const MemoryUse use = memory_use();
        return Held{use.in_use, use.from_system, resident_bytes()};
    };
    Held early{}, late{};
    train(optimiser,
          {.steps = last,
           .clip_norm = 1,
           .on_step =
               [&](const TrainProgress& progress) {
                   if (progress.step == first) early = now();
                   if (progress.step == last) late = now();
               }},
          [&](int64_t step) {
              const int64_t rows = 1 + step % 3, length = 2 + step % 5;
              std::vector<int> ids;
              for (int64_t i = 0; i < rows * length; ++i)
                  ids.push_back(static_cast<int>(rng.below(11)));
              const Indices batch(ids, {rows, length});
              const Tensor logits = model(batch, Mode::training(rng));
              return StepResult{sequence_cross_entropy(logits, batch, -1), rows * length};
          });
    return {early, late};
}

void check_flat(int64_t first, int64_t last) {
    const auto [early, late] = held_after(first, last);
    for (const auto& [step, held] : {std::pair(first, early), std::pair(last, late)})
        std::printf(
            "step %7lld: %zu bytes in tensors and nodes, %zu from the system, %zu resident\n",
            static_cast<long long>(step), held.in_use, held.from_system, held.resident);
    CHECK(late.in_use == early.in_use);
    CHECK(late.from_system == early.from_system);
    // TrainReport::losses grows by 8 bytes a step, doubling. (A sanitizer keeps freed blocks.)
    if (!sanitized)
        CHECK(late.resident <= early.resident + 32 * static_cast<std::size_t>(last) + (1 << 20));
}

// Both steps are the same modulo 15, so that the batch at hand has the same shape.
TEST_CASE("training holds no more memory after 2,500 steps than after 1,000") {
    check_flat(1000, 2500);
}

TEST_CASE("training holds no more memory after 100,000 steps than after 1,000", "[.long]") {
    check_flat(1000, 100000);
}

}  // namespace
}  // namespace heed
