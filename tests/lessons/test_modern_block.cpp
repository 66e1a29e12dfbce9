// The blocks of lesson 32: one change each, as many parameters, and the bytes of their caches.
#include <cmath>

#include "lessons/32_modern_block/experiment.h"
#include "lessons/32_modern_block/pictures.h"
#include "nn/module/module.h"
#include "tests/autograd/compare.h"

using namespace heed;
using namespace heed::lesson32;

TEST_CASE("modern block: each block changes one thing and has as many parameters", "[lesson]") {
    for (const int64_t width : {32, 64}) {
        const Sizes sizes{.width = width};
        const std::vector<Block> all = blocks(sizes, 30);
        REQUIRE(all.size() == 8);
        const double first = static_cast<double>(parameter_count(model_of(all[0].options, 30)));
        Rng rng(1);
        for (const Block& block : all) {
            INFO(block.name);
            const LanguageModel model(model_of(block.options, 30), rng);
            CHECK(std::abs(static_cast<double>(parameter_count(model)) / first - 1) < 0.01);
        }
        const TransformerOptions &rms = all[1].options, &gated = all[2].options,
                                 &rotated = all[3].options, &bare = all[4].options;
        CHECK((rms.norm == NormKind::rms && !rms.gated && rms.bias));
        CHECK((gated.gated && gated.activation == Activation::silu));
        CHECK(gated.positions.kind == PositionKind::learned);
        CHECK((rotated.positions.kind == PositionKind::rotary && rotated.bias));
        CHECK((!bare.bias && bare.key_value_heads == 0));
        CHECK(all[5].options.key_value_heads == 2);
        CHECK(all[6].options.key_value_heads == 1);
        CHECK((!all[7].options.gated && all[7].options.key_value_heads == 0));

        // The fifth is the library's Llama, but for the hidden units and the ε of its norms.
        TransformerOptions library =
            llama({.width = width, .heads = 4, .layers = 2, .hidden = bare.hidden});
        CHECK(parameter_count(model_of(library, 30)) == parameter_count(model_of(bare, 30)));
        library.norm_eps = bare.norm_eps;
        Rng one(3), same(3);
        const Indices ids({1, 2, 3, 4}, {1, 4});
        CHECK(largest_difference(LanguageModel(model_of(library, 30), one)(ids),
                                 LanguageModel(model_of(bare, 30), same)(ids)) == 0);
    }
}

TEST_CASE("modern block: bytes of a cache are those that it holds", "[lesson]") {
    Rng rng(1);
    for (const Block& block : blocks({}, 30)) {
        const LanguageModel model(model_of(block.options, 30), rng);
        KeyValueCache cache;
        model.run(Indices({1, 2, 3, 4, 5}, {1, 5}), {.cache = &cache});
        int64_t numbers = 0;
        for (const KeyValue& layer : cache) numbers += layer.key.numel() + layer.value.numel();
        CHECK(4 * numbers == 5 * cache_bytes(block.options, 4));
    }
    CHECK(cache_bytes(llama(published_models()[2].size), 2) == 327'680);
}

TEST_CASE("modern block: the text is cut into training and validation", "[lesson]") {
    const Text text = english(3, 400);
    CHECK(text.train.size() > 8 * text.valid.size());
    CHECK(text.characters.find('\n') == 0);
    for (const std::vector<int>* part : {&text.train, &text.valid})
        for (const int id : *part)
            REQUIRE((id >= 0 && id < static_cast<int>(text.characters.size())));
    CHECK(english(3, 400).train == text.train);
    CHECK(english(4, 400).train != text.train);
}
