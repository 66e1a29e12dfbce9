// The gradient check of whole Transformers sees their encoder: a wrong copy of the model, which cuts the
// graph between encoder and decoder, fails at every width that is checked.
#include "attention/scores/mask.h"
#include "tests/catch.h"
#include "tests/gradcheck/transformer_shapes.h"

namespace heed {
namespace {

using Xs = std::vector<Tensor>;

const Indices two_sources({3, 4, 1, 2, 0, 0}, {2, 3}), two_lengths{3, 1};
const Indices two_targets({1, 3, 1, 4}, {2, 2});

// The model once more, with something done to the encoder's output.
template <class Change>
Tensor logits(const Transformer& model, Change change) {
    AttentionCall call{.mask = padding_mask(two_lengths, 3, model.head.weight.dtype())};
    const Tensor memory = change(model.encode(two_sources, call));
    call.memory_mask = std::exchange(call.mask, {});
    return model.head(model.decode(two_targets, memory, call));
}
Tensor right(const Transformer& model, const Xs&) {
    return logits(model, [](const Tensor& memory) { return memory; });
}
Tensor cut(const Transformer& model, const Xs&) {
    return logits(model, [](const Tensor& memory) { return detach(memory); });
}

template <class F>
GradcheckReport checked(const Transformer& model, F f, int order) {
    return check_case(
        with_parameters("Transformer", model, {}, f).zero_gradient("key.bias", softmax_cancels),
        order);
}

TEST_CASE("an encoder without gradient is found in every Transformer that is checked", "[grad]") {
    int orders = 2;  // the second order takes long: of the first shape only
    for (const TransformerShape& shape : transformer_shapes()) {
        INFO(shape.name);
        const Transformer model = shape.model();
        CHECK(shape.options.stack.width >= 4);
        CHECK(checked(model, right, 1).pass);  // to order 2: the cases of the gradient check
        for (int order = 1; order <= orders; ++order) {
            const GradcheckReport report = checked(model, cut, order);
            CHECK_FALSE(report.pass);
            CHECK(report.max_error > 0.1);
            const std::string input = report.names.at(report.input);
            const bool of_encoder = input.rfind("encoder.", 0) == 0 ||
                                    input.find("embedding.weight") != std::string::npos;
            INFO(input);
            CHECK(of_encoder);
        }
        orders = 1;
    }
}

TEST_CASE("a Transformer at which the check sees nothing is not accepted", "[grad]") {
    // Width 2, post-norm: the output of each norm is ±1, and the gradient of what comes before it is
    // nearly 0. Finite differences would agree with a gradient of 0.
    Rng rng(41);
    const Transformer narrow({.source_vocabulary = 5,
                              .target_vocabulary = 5,
                              .stack = {.width = 2, .heads = 1, .layers = 1, .hidden = 3}},
                             rng);
    const GradcheckReport report = checked(narrow, right, 1);
    CHECK_FALSE(report.pass);
    CHECK(report.hollow.size() > 10);
    CHECK_THAT(to_string(report),
               Catch::Matchers::ContainsSubstring("(source_embedding.weight) is hollow"));
}

}  // namespace
}  // namespace heed
