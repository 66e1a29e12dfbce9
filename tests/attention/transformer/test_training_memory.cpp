// After the first training step no more memory is allocated from the system.
#include "attention/attention.h"
#include "autograd/base/pool.h"
#include "nn/nn.h"
#include "tests/autograd/oracle.h"
#include "tests/skipped.h"

using namespace heed;

namespace {

template <class Loss>
void check_flat(const std::string& name, const std::vector<Parameter>& parameters, Loss loss) {
    AdamW optimiser(parameters, {});
    const auto step = [&] {
        backward(loss());
        optimiser.step_clipped(1);
        optimiser.zero_grad();
    };
    step();
    const MemoryUse first = memory_use();
    for (int i = 0; i < 5; ++i) step();
    INFO(name);
    CHECK(memory_use().system_calls == first.system_calls);
    CHECK(memory_use().from_system == first.from_system);
    CHECK(memory_use().in_use == first.in_use);
}

Indices random_ids(int64_t rows, int64_t columns) {
    std::vector<int> all(rows * columns);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i % 7 + 3);
    return Indices(all, {rows, columns});
}

}  // namespace

TEST_CASE("after the first training step no memory is allocated from the system",
          "[attention][unsanitized]") {
    if (sanitized && skipped("each freed block goes back to the system at once there")) return;
    Rng rng(1);
    const Indices source = random_ids(4, 9), target = random_ids(4, 7);
    const LanguageModel gpt_model(
        {.vocabulary = 10,
         .stack = gpt({.width = 32, .heads = 2, .layers = 2, .max_positions = 9})},
        rng);
    check_flat("LanguageModel", parameters(gpt_model),
               [&] { return sequence_cross_entropy(gpt_model(source), source, -1); });
    for (DecoderKind kind : {DecoderKind::fixed, DecoderKind::bahdanau, DecoderKind::luong}) {
        const EncoderDecoder model({.source_vocabulary = 10,
                                    .target_vocabulary = 10,
                                    .embedding = 16,
                                    .hidden = 32,
                                    .decoder = kind},
                                   rng);
        check_flat(name_of(kind), parameters(model), [&] {
            return sequence_cross_entropy(model(source, {9, 9, 5, 2}, target).logits, target, -1);
        });
    }
}
