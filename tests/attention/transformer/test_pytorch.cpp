// Loading files of PyTorch, saving files for it, and the round trip if PyTorch is installed.
#include <cstdlib>

#include "attention/transformer/pytorch.h"
#include "attention/transformer/stacks.h"
#include "nn/recurrent/recurrent.h"
#include "tests/autograd/compare.h"
#include "tests/parity/encoder_and_decoder.h"
#include "tests/skipped.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string folder = HEED_SOURCE_DIR "/tests/parity/";

EncoderAndDecoder make_stacks(uint64_t seed, int64_t hidden = 6) {
    Rng rng(seed);
    TransformerOptions options{
        .width = 4, .heads = 2, .layers = 2, .hidden = hidden, .final_norm = true};
    EncoderAndDecoder model;
    model.encoder = TransformerEncoder(options, rng);
    options.layers = 1;
    model.decoder = TransformerDecoder(options, rng);
    to_dtype(model, Dtype::float64);
    return model;
}

Tensor output_of(const EncoderAndDecoder& model) {
    const Safetensors file = load_safetensors(folder + "transformer.safetensors");
    const Tensor memory = model.encoder(*file.find("input.x"));
    return model.decoder(*file.find("input.y"), memory, {.causal = true});
}

// The same names with the same numbers.
void check_same(const Safetensors& a, const Safetensors& b) {
    CHECK(a.tensors.size() == b.tensors.size());
    for (const Parameter& p : a.tensors) {
        INFO(p.name);
        REQUIRE(b.find(p.name));
        CHECK(largest_difference(p.tensor, *b.find(p.name)) == 0);
    }
}

}  // namespace

TEST_CASE("a state_dict of PyTorch is loaded, and saved with the same contents",
          "[attention][parity]") {
    const std::string theirs = folder + "transformer_state.safetensors";
    EncoderAndDecoder model = make_stacks(1);
    load_pytorch(model, theirs);
    const Safetensors parity = load_safetensors(folder + "transformer.safetensors");
    CHECK(largest_difference(output_of(model), *parity.find("output")) < 1e-10);
    save_pytorch(model, "transformer.safetensors");
    check_same(load_safetensors(theirs), load_safetensors("transformer.safetensors"));

    Rng rng(1);
    Lstm lstm(3, 2, {.layers = 2, .bidirectional = true}, rng);
    load_pytorch(lstm, folder + "lstm_state.safetensors");
    save_pytorch(lstm, "lstm.safetensors");
    const Safetensors file = load_safetensors(folder + "lstm_state.safetensors");
    for (const Parameter& p : load_safetensors("lstm.safetensors").tensors)
        CHECK(largest_difference(p.tensor, to_dtype(*file.find(p.name), Dtype::float32)) == 0);
}

TEST_CASE("PyTorch's names for heed's names", "[attention]") {
    Rng rng(1);
    const auto names = [](const auto& model) {
        std::vector<std::string> all;
        for (const PytorchName& name : pytorch_names(named_parameters(model)))
            all.push_back(name.parts == 1
                              ? name.name
                              : fmt::format("{} {}/{}", name.name, name.part, name.parts));
        return all;
    };
    using Names = std::vector<std::string>;
    CHECK(names(MultiHead({.width = 4, .heads = 2}, rng)) ==
          Names{"in_proj_weight 0/3", "in_proj_bias 0/3", "in_proj_weight 1/3", "in_proj_bias 1/3",
                "in_proj_weight 2/3", "in_proj_bias 2/3", "out_proj.weight", "out_proj.bias"});
    CHECK(
        names(MultiHead({.width = 4, .key_width = 3, .bias = false, .output_bias = false}, rng)) ==
        Names{"q_proj_weight", "k_proj_weight", "v_proj_weight", "out_proj.weight"});
    CHECK(names(TransformerDecoderLayer({.width = 4, .heads = 2, .bias = false}, rng)) ==
          Names{"self_attn.in_proj_weight 0/3", "self_attn.in_proj_weight 1/3",
                "self_attn.in_proj_weight 2/3", "self_attn.out_proj.weight", "norm1.weight",
                "multihead_attn.in_proj_weight 0/3", "multihead_attn.in_proj_weight 1/3",
                "multihead_attn.in_proj_weight 2/3", "multihead_attn.out_proj.weight",
                "norm2.weight", "linear1.weight", "linear2.weight", "norm3.weight"});
    CHECK(names(Linear(2, 3, rng)) == Names{"weight", "bias"});
}

TEST_CASE("files of another model are refused by name and shape", "[attention][errors]") {
    const std::string theirs = folder + "transformer_state.safetensors";
    EncoderAndDecoder wider = make_stacks(1, 8);
    const Tensor before = clone(wider.encoder.layers[0].feed_forward.hidden.weight);
    CHECK_THROWS_WITH(load_pytorch(wider, theirs),
                      ContainsSubstring("transformer_state.safetensors") &&
                          ContainsSubstring("'encoder.layers.0.linear1.weight' (heed's "
                                            "'encoder.layers.0.feed_forward.hidden.weight')") &&
                          ContainsSubstring("expected shape [8, 4], found [6, 4]"));
    CHECK(largest_difference(before, wider.encoder.layers[0].feed_forward.hidden.weight) == 0);
    Rng rng(1);
    TransformerEncoder other({.width = 4, .heads = 2, .layers = 1}, rng);
    CHECK_THROWS_WITH(
        load_pytorch(other, theirs),
        ContainsSubstring("not a file of this model: it lacks 'layers.0.linear1.bias'") &&
            ContainsSubstring(" and has 'decoder.layers.0."));

    const std::string torn = "torn.safetensors";
    save_safetensors(torn, {{{"in_proj_weight", ones({7, 4})}}, {}});
    MultiHead attention({.width = 4, .heads = 2}, rng);
    CHECK_THROWS_WITH(
        load_pytorch(attention, torn),
        ContainsSubstring("'in_proj_weight' is [7, 4]") && ContainsSubstring("divisible by 3"));
}

TEST_CASE("the round trip through PyTorch, if it is installed", "[attention][parity]") {
    const char* chosen = std::getenv("HEED_PYTHON");
    const std::string python = chosen ? chosen : "python3";
    if (std::system((python + " -c 'import torch, safetensors' 2>/dev/null").c_str()) != 0) {
        skipped("no PyTorch and safetensors in " + python + "; HEED_PYTHON names another one");
        return;
    }
    const EncoderAndDecoder model = make_stacks(5);
    const std::string ours = "ours.safetensors", out = "theirs.safetensors";
    save_pytorch(model, ours);
    const std::string call = python + " '" + folder + "round_trip.py' '" + ours + "' '" + out + "'";
    REQUIRE(std::system(call.c_str()) == 0);

    const Safetensors theirs = load_safetensors(out);
    CHECK(largest_difference(*theirs.find("output"), output_of(model)) < 1e-10);
    Safetensors state;
    for (const Parameter& p : theirs.tensors)
        if (p.name.rfind("state.", 0) == 0) state.tensors.push_back({p.name.substr(6), p.tensor});
    check_same(state, load_safetensors(ours));
}
