#include "lessons/32_modern_block/model.h"

namespace heed::lesson32 {

LanguageModelOptions model_of(const TransformerOptions& stack, int vocabulary) {
    return {.vocabulary = vocabulary, .stack = stack};
}

int64_t cache_bytes(const TransformerOptions& o, int64_t bytes_of_a_number) {
    const int64_t groups = o.key_value_heads ? o.key_value_heads : o.heads;
    return 2 * o.layers * groups * (o.width / o.heads) * bytes_of_a_number;
}

namespace {

// With the number of hidden units that comes nearest to so many parameters.
TransformerOptions with_parameters(TransformerOptions stack, int vocabulary, int64_t parameters) {
    const auto missing = [&](int64_t units) {
        stack.hidden = units;
        return parameters - parameter_count(model_of(stack, vocabulary));
    };
    const int64_t each = missing(1) - missing(2);  // what one more unit costs
    stack.hidden = 1;
    stack.hidden = 1 + (missing(1) + each / 2) / each;
    return stack;
}

}  // namespace

std::vector<Block> blocks(const Sizes& s, int vocabulary) {
    TransformerOptions o = gpt({s.width, s.heads, s.layers, s.context});
    std::vector<Block> all{{"GPT", "", o}};
    const int64_t parameters = parameter_count(model_of(o, vocabulary));
    const auto add = [&](const std::string& name, const std::string& change) {
        o = with_parameters(o, vocabulary, parameters);
        all.push_back({name, change, o});
    };
    o.norm = NormKind::rms;
    add("RMS norm", "layer norm");
    o.gated = true, o.activation = Activation::silu;
    add("SwiGLU", "GELU");
    o.positions = {.kind = PositionKind::rotary, .layout = RotaryLayout::halves};
    add("rotary", "learned positions");
    o.bias = false;
    add("no biases", "biases");
    o.key_value_heads = s.heads / 2;
    add("2 groups", "4 heads of keys");
    o.key_value_heads = 1;
    add("1 group", "4 heads of keys");
    o.key_value_heads = 0;
    o.gated = false, o.activation = Activation::gelu_tanh;
    add("back to GELU", "SwiGLU");
    return all;
}

}  // namespace heed::lesson32
