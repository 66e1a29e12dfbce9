// The same numbers as PyTorch, forward and backward: in float64 to 1e-10, in float32 to a few units of
// rounding. The files are made by make.py beside this one, which says what is in them. Wider shapes:
// test_parity_wide.cpp.
#include "attention/transformer/bert.h"
#include "attention/transformer/stacks.h"
#include "nn/nn.h"
#include "tests/parity/encoder_and_decoder.h"
#include "tests/parity/parity_file.h"

namespace heed {
namespace {

TEST_CASE("dense, embedding, norm, GELU, cross-entropy as in PyTorch", "[parity]") {
    Rng rng(1);
    const auto of_x = [](const auto& layer, Inputs& in) { return layer(in("x")); };
    agrees("linear", Linear(4, 3, rng), of_x);
    agrees("layer_norm", LayerNorm(5), of_x);
    agrees("gelu", NoLayer{}, [](const NoLayer&, Inputs& in) { return gelu(in("x")); });
    agrees("gelu_tanh", NoLayer{}, [](const NoLayer&, Inputs& in) { return gelu_tanh(in("x")); });
    agrees("embedding", Embedding(5, 3, rng, 0),
           [](const Embedding& layer, Inputs& in) { return layer(in.integers("ids")); });
    for (double smoothing : {0.0, 0.1})
        agrees(smoothing > 0 ? "cross_entropy_smoothed" : "cross_entropy", NoLayer{},
               [=](const NoLayer&, Inputs& in) {
                   return cross_entropy(in("logits"), in.integers("labels"),
                                        {.smoothing = smoothing});
               });
}

TEST_CASE("convolutions and pooling as in PyTorch", "[parity]") {
    Rng rng(1);
    const auto of_x = [](const auto& layer, Inputs& in) { return layer(in("x")); };
    agrees("conv2d", Conv2d(2, 3, 3, rng), of_x);
    agrees("conv2d_options",
           Conv2d(4, 6, {3, 2},
                  {.stride = {2, 1}, .padding = {1, 2}, .dilation = {1, 2}, .groups = 2}, rng),
           of_x);
    agrees("conv2d_depthwise", Conv2d(3, 3, 3, {.padding = 1, .groups = 3}, rng, false), of_x);
    agrees("conv1d", Conv1d(4, 6, 3, {.stride = 2, .padding = 1, .groups = 2}, rng), of_x);

    const auto pool = [](const std::string& name, auto layer) {
        agrees(name, NoLayer{}, [=](const NoLayer&, Inputs& in) { return layer(in("x")); });
    };
    const Pool2dOptions overlapping{.stride = {2, 1}, .padding = 1};
    pool("max_pool2d", MaxPool2d{2});
    pool("max_pool2d_overlapping", MaxPool2d{{3, 2}, overlapping});
    pool("avg_pool2d", AvgPool2d{2});
    pool("avg_pool2d_overlapping", AvgPool2d{{3, 2}, overlapping});
    pool("adaptive_avg_pool2d", AdaptiveAvgPool2d{{3, 2}});
    pool("max_pool1d", MaxPool1d{3, {.stride = 2, .padding = 1}});
    pool("avg_pool1d", AvgPool1d{3, {.stride = 2, .padding = 1}});
    pool("adaptive_avg_pool1d", AdaptiveAvgPool1d{2});
}

// The running statistics of PyTorch's layer before and after the call are those of ours.
template <class Norm>
void batch_norm_agrees(const std::string& name) {
    const ParityFile training(name), evaluation(name + "_eval");
    Norm norm(3);
    to_dtype(norm, f64);
    for (const Parameter& buffer : buffers(norm)) {
        Tensor x = buffer.tensor;
        x.assign(training.at("input.before." + buffer.name));
    }
    // The second call in agrees() works on a copy of the handles, so on the same buffers.
    agrees(name, norm,
           [](const Norm& layer, Inputs& in) { return layer(in("x"), Mode::training()); });
    Norm updated(3);
    to_dtype(updated, f64);
    assign_from(training.part("parameter."), training.path, parameters(updated));
    for (const Parameter& buffer : buffers(updated)) {
        Tensor x = buffer.tensor;
        x.assign(training.at("input.before." + buffer.name));
    }
    updated(training.at("input.x"), Mode::training());
    for (const Parameter& buffer : buffers(updated)) {
        INFO(buffer.name);
        CHECK(largest_difference(buffer.tensor, evaluation.at("input.after." + buffer.name)) <
              tolerance);
    }
    agrees(name + "_eval", updated,
           [](const Norm& layer, Inputs& in) { return layer(in("x"), Mode::evaluation()); });
}

TEST_CASE("normalisation as in PyTorch, running statistics included", "[parity]") {
    const auto of_x = [](const auto& layer, Inputs& in) { return layer(in("x")); };
    agrees("group_norm", GroupNorm(2, 4), of_x);
    agrees("rms_norm", RmsNorm(5), of_x);
    batch_norm_agrees<BatchNorm1d>("batch_norm1d");
    batch_norm_agrees<BatchNorm2d>("batch_norm2d");

    // A state_dict as PyTorch saves it, its counter an integer.
    const ParityFile state("batch_norm2d_state");
    BatchNorm2d loaded(3);
    load_model(loaded, state.path);
    CHECK(loaded.num_batches_tracked.item() == 2);
    CHECK(largest_difference(to_dtype(loaded.running_var, f64), state.at("running_var")) < 1e-6);
}

TEST_CASE("losses as in PyTorch", "[parity]") {
    const auto pair = [](const std::string& name, auto loss) {
        agrees(name, NoLayer{}, [=](const NoLayer&, Inputs& in) { return loss(in("x"), in("t")); });
    };
    for (const auto& [name, how] :
         {std::pair{"mean", Reduction::mean}, {"sum", Reduction::sum}, {"none", Reduction::none}}) {
        const Reduction r = how;
        const std::string end = std::string("_") + name;
        using X = const Tensor&;
        pair("mse" + end, [=](X x, X t) { return mse(x, t, r); });
        pair("l1_loss" + end, [=](X x, X t) { return l1_loss(x, t, r); });
        pair("huber_loss" + end, [=](X x, X t) { return huber_loss(x, t, 0.7, r); });
        pair("smooth_l1_loss" + end, [=](X x, X t) { return smooth_l1_loss(x, t, 0.7, r); });
        pair("bce" + end, [=](X x, X t) { return binary_cross_entropy(x, t, r); });
        pair("bce_with_logits" + end,
             [=](X x, X t) { return binary_cross_entropy_with_logits(x, t, r); });
        if (r != Reduction::none)
            pair("kl_divergence" + end, [=](X x, X t) { return kl_divergence(x, t, r); });
    }
    agrees("nll_loss", NoLayer{},
           [](const NoLayer&, Inputs& in) { return nll_loss(in("x"), in.integers("labels")); });
}

TEST_CASE("CTC as in PyTorch, behind a softmax", "[parity]") {
    for (const auto& [name, reduction] :
         {std::pair{"mean", Reduction::mean}, {"sum", Reduction::sum}, {"none", Reduction::none}}) {
        const CtcOptions options{.reduction = reduction, .zero_infinity = true};
        agrees(std::string("ctc_loss_") + name, NoLayer{}, [&](const NoLayer&, Inputs& in) {
            return ctc_loss(log_softmax(in("logits")), in.integers("labels"),
                            in.integers("lengths"), in.integers("label_lengths"), options);
        });
    }
    agrees("ctc_loss_other_blank", NoLayer{}, [](const NoLayer&, Inputs& in) {
        return ctc_loss(log_softmax(in("logits")), in.integers("labels"), {}, {},
                        {.blank = 3, .reduction = Reduction::none});
    });
}

TEST_CASE("BERT with both heads, as written in PyTorch", "[parity]") {
    BertOptions options{.vocabulary = 11, .max_positions = 6};
    options.stack.width = 8;
    options.stack.heads = 2;
    options.stack.layers = 2;
    options.stack.hidden = 12;
    Rng rng(1);
    agrees(
        "bert", BertForPretraining({.bert = options}, rng),
        [](const BertForPretraining& model, Inputs& in) {
            const PretrainingOutput y = model(
                in.integers("ids"), {.segments = in.integers("segments"), .mask = in("mask")});
            return concat({reshape(y.tokens, {-1}), reshape(y.next_sentence, {-1})}, 0);
        },
        100, bert_names);
}

TEST_CASE("grouped queries as in PyTorch with enable_gqa", "[parity]") {
    // PyTorch's causal mask takes as many queries as keys, where it is ours.
    for (bool causal : {false, true})
        agrees(causal ? "grouped_queries_causal" : "grouped_queries", NoLayer{},
               [=](const NoLayer&, Inputs& in) {
                   return scaled_dot_product_attention(in("q"), in("k"), in("v"),
                                                       {.causal = causal});
               });
}

TEST_CASE("mixtures of experts as written in PyTorch", "[parity]") {
    Rng rng(1);
    const TransformerOptions mixtral{.width = 4,
                                     .hidden = 6,
                                     .activation = Activation::silu,
                                     .gated = true,
                                     .experts = 4,
                                     .experts_for_each_token = 2};
    TransformerOptions switched = mixtral;
    switched.gated = switched.renormalise_experts = false;
    switched.experts_for_each_token = 1;
    const auto of_x = [](const FeedForward& layer, Inputs& in) { return layer(in("x")); };
    agrees("experts_mixtral", FeedForward(mixtral, rng), of_x);
    agrees("experts_switch", FeedForward(switched, rng), of_x);

    // The module of Mixtral in `transformers`: modules.py.
    TransformerOptions without_biases = mixtral;
    without_biases.bias = false;
    agrees("experts_transformers", FeedForward(without_biases, rng), of_x);
}

TEST_CASE("latent attention as in `transformers`", "[parity]") {
    Rng rng(1);
    agrees(
        "latent_attention",
        LatentAttention({.width = 12, .heads = 3, .latent = 5, .rotary_width = 2}, rng),
        [](const auto& layer, Inputs& in) { return layer(in("x"), {.causal = true}); }, 100,
        [](const std::vector<Parameter>& all) {  // the file has our names
            std::vector<PytorchName> names;
            for (const Parameter& p : all) names.push_back({p.name});
            return names;
        });
}

TEST_CASE("recurrent layers as in PyTorch", "[parity]") {
    Rng rng(1);
    const RecurrentOptions options{.layers = 2, .bidirectional = true};
    const auto padded = [](const Recurrent& layer, Inputs& in) {
        return layer(in("x"), in.integers("lengths")).output;
    };
    agrees("rnn", Rnn(3, 2, options, rng), padded);
    agrees("gru", Gru(3, 2, options, rng), padded);
    agrees("lstm", Lstm(3, 2, options, rng), padded);
}

TEST_CASE("multi-head attention as in PyTorch", "[parity]") {
    Rng rng(1);
    const auto plain = [](const MultiHead& layer, Inputs& in) {
        return layer(in("q"), in("k"), in("v"));
    };
    const MultiHeadOptions two{.width = 4, .heads = 2};
    agrees("multi_head", MultiHead(two, rng), plain);
    agrees("multi_head_no_bias",
           MultiHead({.width = 4, .heads = 2, .bias = false, .output_bias = false}, rng), plain);
    agrees("multi_head_widths",
           MultiHead({.width = 4, .heads = 2, .key_width = 3, .value_width = 2}, rng), plain);
    agrees("multi_head_padding", MultiHead(two, rng), [](const MultiHead& layer, Inputs& in) {
        return layer(in("q"), in("k"), in("v"), {.mask = in("mask")});
    });
    agrees("multi_head_causal", MultiHead(two, rng), [](const MultiHead& layer, Inputs& in) {
        return layer(in("x"), in("x"), in("x"), {.causal = true});
    });
    agrees("multi_head_weights", MultiHead(two, rng), [](const MultiHead& layer, Inputs& in) {
        return with_weights(layer, in("q"), in("k"), in("v"), {.bias = in("bias")}).weights;
    });
}

TEST_CASE("encoder and decoder layers as in PyTorch, both orders of norms", "[parity]") {
    Rng rng(1);
    for (bool pre : {false, true}) {
        TransformerOptions options{.width = 4, .heads = 2, .hidden = 6, .pre_norm = pre};
        const std::string order = pre ? "pre" : "post";
        agrees("decoder_layer_" + order, TransformerDecoderLayer(options, rng),
               [](const TransformerDecoderLayer& layer, Inputs& in) {
                   return layer(in("x"), in("memory"), {.causal = true, .memory_mask = in("mask")});
               });
        for (Activation activation : {Activation::relu, Activation::gelu}) {
            options.activation = activation;
            agrees("encoder_layer_" + order + (activation == Activation::relu ? "_relu" : "_gelu"),
                   TransformerEncoderLayer(options, rng),
                   [](const TransformerEncoderLayer& layer, Inputs& in) {
                       return layer(in("x"), {.mask = in("mask")});
                   });
        }
    }
}

TEST_CASE("stacks of layers as in PyTorch", "[parity]") {
    Rng rng(1);
    agrees("encoder",
           TransformerEncoder({.width = 4, .heads = 2, .layers = 2, .hidden = 6, .pre_norm = true},
                              rng),
           [](const TransformerEncoder& layers, Inputs& in) { return layers(in("x")); });
    TransformerOptions options{
        .width = 4, .heads = 2, .layers = 2, .hidden = 6, .final_norm = true};
    EncoderAndDecoder whole;
    whole.encoder = TransformerEncoder(options, rng);
    options.layers = 1;
    whole.decoder = TransformerDecoder(options, rng);
    agrees("transformer", whole, [](const EncoderAndDecoder& model, Inputs& in) {
        return model.decoder(in("y"), model.encoder(in("x")), {.causal = true});
    });
}

TEST_CASE("ten steps of AdamW as in PyTorch", "[parity]") {
    const ParityFile file("adamw");
    Rng rng(1);
    Linear layer(3, 2, rng);
    to_dtype(layer, f64);
    layer.weight.assign(file.at("parameter.weight"));
    layer.bias.assign(file.at("parameter.bias"));
    AdamW optimiser(parameters(layer),
                    {.lr = 0.05, .beta1 = 0.8, .beta2 = 0.95, .eps = 1e-6, .weight_decay = 0.1});
    for (int step = 1; step <= 10; ++step) {
        optimiser.zero_grad();
        backward(sum(file.at("input.c") * square(layer(file.at("input.x")))));
        optimiser.step();
        const std::string at = "step." + std::to_string(step);
        INFO(at);
        CHECK(largest_difference(layer.weight, file.at(at + ".weight")) < tolerance);
        CHECK(largest_difference(layer.bias, file.at(at + ".bias")) < tolerance);
    }
}

TEST_CASE("five steps of every optimiser, and averages of weights, as in PyTorch", "[parity]") {
    const ParityFile file("optimisers");
    const auto agree = [&](const std::string& name, auto make) {
        Rng rng(1);
        Linear layer(3, 2, rng);
        to_dtype(layer, f64);
        layer.weight.assign(file.at("parameter.weight"));
        layer.bias.assign(file.at("parameter.bias"));
        auto optimiser = make(parameters(layer));
        AverageOfWeights ema(parameters(layer), {.ema_decay = 0.9}), mean(parameters(layer));
        for (int step = 1; step <= 5; ++step) {
            optimiser.zero_grad();
            backward(sum(file.at("input.c") * square(layer(file.at("input.x")))));
            optimiser.step();
            ema.update();
            mean.update();
            const std::string at = fmt::format("{}.{}", name, step);
            INFO(at);
            CHECK(largest_difference(layer.weight, file.at(at + ".weight")) < tolerance);
            CHECK(largest_difference(layer.bias, file.at(at + ".bias")) < tolerance);
        }
        for (const auto& [kind, average] : {std::pair("ema", &ema), std::pair("mean", &mean)})
            for (const Parameter& p : average->averages())
                CHECK(largest_difference(p.tensor, file.at(fmt::format("{}.{}.{}", name, kind,
                                                                       p.name))) < tolerance);
    };
    using All = std::vector<Parameter>;
    agree("sgd", [](const All& p) { return Sgd(p, {.lr = 0.02, .weight_decay = 0.1}); });
    agree("sgd_momentum",
          [](const All& p) { return Sgd(p, {.lr = 0.02, .momentum = 0.9, .weight_decay = 0.1}); });
    agree("sgd_nesterov",
          [](const All& p) { return Sgd(p, {.lr = 0.02, .momentum = 0.8, .nesterov = true}); });
    agree("adam", [](const All& p) {
        return Adam(p, {.lr = 0.05, .beta1 = 0.8, .beta2 = 0.95, .eps = 1e-6, .weight_decay = 0.1});
    });
    agree("adamw", [](const All& p) { return AdamW(p, {.lr = 0.05}); });
    agree("rmsprop",
          [](const All& p) { return RmsProp(p, {.lr = 0.01, .alpha = 0.9, .weight_decay = 0.1}); });
    agree("rmsprop_momentum",
          [](const All& p) { return RmsProp(p, {.lr = 0.01, .momentum = 0.5}); });
}

TEST_CASE("schedules as in PyTorch", "[parity]") {
    const ParityFile file("schedules");
    const auto agree = [&](const std::string& name, const Schedule& schedule) {
        const std::vector<double> expected = file.at(name).to_vector();
        for (std::size_t i = 0; i < expected.size(); ++i) {
            INFO(name << ", update " << i + 1);
            CHECK(std::abs(schedule(static_cast<int64_t>(i) + 1) - expected[i]) < tolerance);
        }
    };
    agree("cosine", schedules::cosine(20, 0.1));
    agree("step_decay", schedules::step_decay(6, 0.5));
    agree("exponential", schedules::step_decay(1, 0.9));
    agree("linear_decay", schedules::linear_decay(20, 0.2));
    agree("one_cycle", schedules::one_cycle(20, {.pct_start = 0.4}));
}

}  // namespace
}  // namespace heed
