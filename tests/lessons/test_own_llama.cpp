// The Llama that a reader could have written (lessons/mine/llama.h) is the library's.
#include "lessons/mine/llama.h"
#include "nn/layers/quantise.h"
#include "tests/catch.h"
#include "tests/error_of.h"

using namespace heed;

namespace {

double largest_difference(const LanguageModel& model, const std::vector<int>& ids) {
    const mine::LlamaWeights weights(model);
    const mine::LlamaParts parts = mine::parts_of_the_library();
    const NoGrad no_grad;
    const Tensor right = select(model(Indices(ids, {1, std::ssize(ids)})), 0, 0);
    mine::Llama text(weights, parts);
    double largest = 0;
    for (std::size_t t = 0; t < ids.size(); ++t) {
        const Tensor found = text.next(ids[t]);
        largest =
            std::max(largest, max(abs(found - select(right, 0, static_cast<int64_t>(t)))).item());
    }
    return largest;
}

}  // namespace

TEST_CASE("the Llama of the reader's parts: both layouts, groups, tied or not, blocks of 8 bits") {
    for (const RotaryLayout layout : {RotaryLayout::pairs, RotaryLayout::halves})
        for (const bool tied : {true, false})
            for (const bool quantised : {true, false}) {
                CAPTURE(tied, quantised);
                LanguageModelOptions options{
                    .vocabulary = 11,
                    .stack = llama(
                        {.width = 64, .heads = 4, .layers = 2, .key_value_heads = 2, .hidden = 96}),
                    .tied_output = tied};
                options.stack.positions.layout = layout;
                options.stack.positions.base = 50;
                Rng rng(3);
                LanguageModel model(options, rng);
                if (quantised) quantise(model, {.bits = 8});
                CHECK(largest_difference(model, {3, 1, 4, 1, 5, 9, 2, 6}) < 1e-5);
            }
}

TEST_CASE("the Llama of the reader's parts: a decodable, and a model of another family") {
    Rng rng(1);
    const LanguageModel model(
        {.vocabulary = 11, .stack = llama({.width = 16, .heads = 2, .layers = 2})}, rng);
    const mine::LlamaWeights weights(model);
    const mine::LlamaParts parts = mine::parts_of_the_library();
    const Indices prompt({1, 2, 3}, {1, 3});
    const DecodeOptions options{.end = -1, .max_length = 6};
    CHECK(greedy_decode(mine::decodable(weights, parts, prompt), options)[0].tokens ==
          greedy_decode(model.decodable(prompt), options)[0].tokens);
    const LanguageModel other({.vocabulary = 11, .stack = gpt({.width = 16, .heads = 2})}, rng);
    CHECK(error_of([&] {
              mine::LlamaWeights none(other);
          }).starts_with("--mine: expected a model of the Llama family"));
}
