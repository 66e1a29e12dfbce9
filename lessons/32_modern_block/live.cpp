// The bytes of the cache of a published model, by the number of groups, and beside them the weights.
#include "lessons/course/live/live.h"

#include <cmath>

#include "lessons/32_modern_block/pictures.h"
#include "lessons/course/figures/figures.h"

namespace heed::lesson32 {

using namespace course;

namespace {

Drawn draw(const Inputs& inputs) {
    const Published& model = published_models()[static_cast<std::size_t>(inputs.chosen("model"))];
    LlamaSize size = model.size;
    // 2^k groups, as far as there are heads.
    size.key_value_heads = std::min<int64_t>(size.heads, int64_t{1} << inputs.whole("groups"));
    const TransformerOptions stack = llama(size);
    const double weights =
                     2.0 *
                     static_cast<double>(parameter_count(LanguageModelOptions{
                         .vocabulary = model.vocabulary, .stack = stack, .tied_output = false})),
                 token = static_cast<double>(cache_bytes(stack, 2)),
                 tokens = std::exp2(inputs.number("tokens")),
                 texts = static_cast<double>(inputs.whole("texts"));
    BarChart chart{.title = model.name,
                   .value_label = "GB, numbers of 16 bits",
                   .labels = {"weights", "cache"}};
    chart.sets.push_back({.name = "", .values = {weights / 1e9, texts * tokens * token / 1e9}});
    return {.svgs = {to_svg(chart)},
            .numbers = {{"groups", static_cast<double>(size.key_value_heads)},
                        {"tokens of each text", tokens, 6},
                        {"bytes of the cache for one token", token, 7},
                        {"cache over weights", texts * tokens * token / weights, 3}}};
}

const Registered figure({.name = "cache",
                         .controls = {choice("model", "Model",
                                             {"Llama 2 7B", "Llama 3 8B", "Llama 2 70B"}),
                                      slider("groups", "Groups: 2 to the power of", {0, 6, 1, 5}),
                                      slider("tokens", "Tokens: 2 to the power of", {8, 17, 1, 12}),
                                      slider("texts", "Texts at the same time", {1, 64, 1, 16})},
                         .draw = draw});

}  // namespace

}  // namespace heed::lesson32
