// Parity with PyTorch where heed takes its packed, tiled and threaded kernels, and for what is more
// than one layer: recurrent states from beginning to end, whole Transformers, a language model and its
// training. Parameters and inputs in the files are float32 numbers, so both dtypes are held against
// PyTorch's float64 results. The files are made by make.py.
#include "attention/scores/mask.h"
#include "attention/transformer/language_model.h"
#include "attention/transformer/stacks.h"
#include "nn/nn.h"
#include "tests/parity/encoder_and_decoder.h"
#include "tests/parity/parity_file.h"

namespace heed {
namespace {

TEST_CASE("wide layers as in PyTorch", "[parity]") {
    Rng rng(1);
    const auto of_x = [](const auto& layer, Inputs& in) { return layer(in("x")); };
    agrees("wide_linear", Linear(72, 41, rng), of_x, 20);
    agrees("wide_layer_norm", LayerNorm(131), of_x, 20);
    agrees(
        "wide_embedding", Embedding(37, 24, rng, 0),
        [](const Embedding& layer, Inputs& in) { return layer(in.integers("ids")); }, 4);
    agrees(
        "wide_cross_entropy", NoLayer{},
        [](const NoLayer&, Inputs& in) {
            return cross_entropy(in("logits"), in.integers("labels"), {.smoothing = 0.1});
        },
        20);
    agrees("wide_conv2d", Conv2d(5, 9, 3, {.padding = 1}, rng), of_x, 20);
}

TEST_CASE("recurrent layers with initial and final states as in PyTorch", "[parity]") {
    Rng rng(1);
    const RecurrentOptions options{.layers = 2, .bidirectional = true};
    for (const auto& [name, kind] : {std::pair{"wide_rnn", CellKind::rnn_tanh},
                                     {"wide_rnn_relu", CellKind::rnn_relu},
                                     {"wide_gru", CellKind::gru},
                                     {"wide_lstm", CellKind::lstm}}) {
        const bool lstm = kind == CellKind::lstm;
        agrees(
            name, Recurrent(kind, 13, 19, options, rng), [=](const Recurrent& layer, Inputs& in) {
                std::vector<RecurrentState> initial;
                for (int i = 0; i < 4; ++i)
                    initial.push_back(
                        {select(in("hidden"), 0, i), lstm ? select(in("cell"), 0, i) : Tensor()});
                const RecurrentOutput out = layer(in("x"), in.integers("lengths"), initial);
                std::vector<Tensor> parts{reshape(out.output, {-1})};
                for (const RecurrentState& state : out.states)
                    parts.push_back(reshape(state.hidden, {-1}));
                for (const RecurrentState& state : out.states)
                    if (lstm) parts.push_back(reshape(state.cell, {-1}));
                return concat(parts, 0);
            });
    }
}

TEST_CASE("attention over more than a tile of keys as in PyTorch", "[parity]") {
    Rng rng(1);
    const MultiHeadOptions options{.width = 36, .heads = 3};
    agrees("wide_multi_head", MultiHead(options, rng), [](const MultiHead& layer, Inputs& in) {
        const Tensor mask = padding_mask(in.integers("lengths"), 37, in.dtype);
        return layer(in("q"), in("k"), in("v"), {.mask = mask});
    });
    agrees("wide_multi_head_causal", MultiHead(options, rng),
           [](const MultiHead& layer, Inputs& in) {
               return layer(in("x"), in("x"), in("x"), {.causal = true});
           });
}

TEST_CASE("whole Transformers as in PyTorch, both orders of norms", "[parity]") {
    Rng rng(1);
    for (const bool pre : {false, true}) {
        const TransformerOptions options{.width = 20,
                                         .heads = 4,
                                         .layers = 1,
                                         .hidden = 28,
                                         .pre_norm = pre,
                                         .final_norm = true,
                                         .activation = Activation::gelu};
        EncoderAndDecoder whole{TransformerEncoder(options, rng), TransformerDecoder(options, rng)};
        agrees(pre ? "wide_transformer_pre" : "wide_transformer_post", whole,
               [](const EncoderAndDecoder& model, Inputs& in) {
                   const Tensor mask = padding_mask(in.integers("lengths"), 11, in.dtype);
                   const Tensor memory = model.encoder(in("x"), {.mask = mask});
                   return model.decoder(in("y"), memory, {.causal = true, .memory_mask = mask});
               });
    }
}

LanguageModel gpt_of_the_file() {
    Rng rng(1);
    return LanguageModel(
        {.vocabulary = 17,
         .stack = gpt({.width = 16, .heads = 4, .layers = 2, .max_positions = 12})},
        rng);
}

// PyTorch keeps the table of embeddings once, heed under the name of the head too.
Safetensors with_head(Safetensors part) {
    part.tensors.push_back({"head.weight", *part.find("embedding.weight")});
    return part;
}

TEST_CASE("a language model as in PyTorch: logits and gradients", "[parity]") {
    const ParityFile file("wide_gpt");
    for (Dtype dtype : {f64, Dtype::float32}) {
        INFO(name_of(dtype));
        LanguageModel model = gpt_of_the_file();
        to_dtype(model, dtype);
        const std::vector<Parameter> all = named_parameters(model);
        assign_from(from_pytorch(with_head(file.part("parameter.")), file.path, all), file.path,
                    all);
        const double units = dtype == f64 ? 1e-10 / 2.2e-16 : 100;
        const Tensor y = model(file.integers("input.ids"));
        CHECK(units_apart(y, file.at("output"), dtype) < units);
        backward(y, to_dtype(file.at("covector"), dtype));
        const Safetensors expected =
            from_pytorch(with_head(file.part("gradient.")), file.path, all);
        for (const Parameter& p : all) {
            INFO("gradient of " << p.name);
            REQUIRE(expected.find(p.name));
            if (p.name.find("key.bias") == std::string::npos)  // 0 but for rounding
                CHECK(units_apart(p.tensor.grad(), *expected.find(p.name), dtype) < units);
        }
        CHECK(all.size() > 20);
    }
}

TEST_CASE("a language model trained as in PyTorch: AdamW, clipping, schedule", "[parity]") {
    const ParityFile file("wide_gpt_training");
    LanguageModel model = gpt_of_the_file();
    to_dtype(model, f64);
    const std::vector<Parameter> named = named_parameters(model);
    assign_from(from_pytorch(with_head(file.part("parameter.")), file.path, named), file.path,
                named);
    AdamW optimiser(parameters(model),
                    {.lr = 0.02, .beta1 = 0.9, .beta2 = 0.99, .eps = 1e-6, .weight_decay = 0.05});
    const Schedule schedule = schedules::cosine(6, 0.1);
    const std::vector<double> losses = file.at("losses").to_vector();
    const std::vector<double> norms = file.at("norms").to_vector();
    for (std::size_t step = 0; step < losses.size(); ++step) {
        INFO("step " << step + 1);
        optimiser.zero_grad();
        const Tensor loss = cross_entropy(model(file.integers("input.ids")),
                                          file.integers("input.target"), {.ignored_index = -1});
        CHECK(std::abs(loss.item() - losses[step]) < 1e-10);
        backward(loss);
        optimiser.lr = 0.02 * schedule(static_cast<int64_t>(step) + 1);
        CHECK(std::abs(optimiser.step_clipped(0.5) - norms[step]) < 1e-9);
    }
    CHECK(losses.back() < losses.front() - 0.1);
    const Safetensors trained = from_pytorch(with_head(file.part("trained.")), file.path, named);
    for (const Parameter& p : named) {
        INFO(p.name);
        // The update of a bias of the keys is rounding divided by rounding.
        if (p.name.find("key.bias") == std::string::npos)
            CHECK(largest_difference(p.tensor, *trained.find(p.name)) < 1e-8);
    }
}

TEST_CASE("gradients are clipped as in PyTorch", "[parity]") {
    const ParityFile file("clipping");
    for (const std::string how : {"norm_tight", "norm_loose", "value"}) {
        INFO(how);
        std::vector<Parameter> parameters;
        for (int i = 0; i < 3; ++i) {
            const Tensor g = file.at(fmt::format("gradient.{}", i));
            Tensor x = zeros(g.shape(), f64).set_requires_grad();
            backward(sum(x * g));
            parameters.push_back({fmt::format("{}", i), x});
        }
        if (how == "value")
            clip_grad_value(parameters, 0.4);
        else
            CHECK(std::abs(clip_grad_norm(parameters, how == "norm_tight" ? 1.5 : 1e3) -
                           file.at(how + ".norm").item()) < 1e-10);
        for (const Parameter& p : parameters)
            // PyTorch divides by the norm + 1e-6.
            CHECK(largest_difference(p.tensor.grad(), file.at(how + "." + p.name)) <
                  (how == "norm_tight" ? 1e-6 : 1e-10));
    }
}

}  // namespace
}  // namespace heed
