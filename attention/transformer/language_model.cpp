#include "attention/transformer/language_model.h"

#include <algorithm>
#include <utility>

#include "attention/scores/mask.h"
#include "autograd/base/settings.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/fused/softmax.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/grad_mode.h"
#include "autograd/tensor/shapes.h"

namespace heed {

TransformerOptions gpt(const GptSize& size) {
    return {.width = size.width,
            .heads = size.heads,
            .layers = size.layers,
            .pre_norm = true,
            .activation = Activation::gelu_tanh,
            .positions = {.kind = PositionKind::learned, .max_positions = size.max_positions}};
}

TransformerOptions llama(const LlamaSize& size) {
    return {.width = size.width,
            .heads = size.heads,
            .key_value_heads = size.key_value_heads,
            .layers = size.layers,
            .hidden = size.hidden ? size.hidden : (8 * size.width / 3 + 7) / 8 * 8,
            .pre_norm = true,
            .norm = NormKind::rms,
            .norm_eps = 1e-5,
            .activation = Activation::silu,
            .gated = true,
            .bias = false,
            .positions = {.kind = PositionKind::rotary,
                          .layout = RotaryLayout::halves,
                          .base = size.rotary_base}};
}

LanguageModel::LanguageModel(const LanguageModelOptions& o, Rng& rng) {
    const UserCall named("LanguageModel");
    dropout = Dropout(o.stack.dropout);
    check_positive("LanguageModel", {{"vocabulary", o.vocabulary}});
    PositionOptions position_options = o.stack.positions;
    position_options.width = o.stack.width;
    embedding = Embedding(o.vocabulary, o.stack.width, rng);
    positions = AbsolutePositions(position_options, rng);
    stack = TransformerEncoder(o.stack, rng);
    head = Linear(o.stack.width, o.vocabulary, rng, o.head_bias);
    if (o.tied_output) head.weight = embedding.weight;
    initialise_gpt2(parameters(*this), o.stack.layers, rng);
}

Tensor LanguageModel::run(const Indices& ids, const AttentionCall& call) const {
    const Shapes in("LanguageModel", {{"ids", ids, "B T"}});
    AttentionCall causal = call;
    causal.causal = true;
    const bool padding = call.mask.defined() && call.mask.dim() == 3 && call.mask.size(1) == 1;
    if (causal.positions.count() == 0 && padding)
        causal.positions = positions_of(expand(call.mask, {in["B"], 1, in["T"]}));
    const Tensor x = embedding(ids),  // [B, T, D]
        placed = causal.positions.count() > 0 ? positions(x, causal.positions) : positions(x);
    return stack(dropout(placed, call.mode), causal);
}

Tensor LanguageModel::operator()(const Indices& ids, Mode mode) const {
    const Shapes in("LanguageModel", {{"ids", ids, "B T"}});
    return head(run(ids, {.mode = mode}));
}

namespace {

// Columns begin .. end of ids [N, T].
Indices columns(const Indices& ids, int64_t begin, int64_t end) {
    std::vector<int> part;
    for (int64_t row = 0; row < ids.size(0); ++row)
        for (int64_t t = begin; t < end; ++t) part.push_back(ids.at({row, t}));
    return Indices(std::move(part), {ids.size(0), end - begin});
}

// Texts in progress.
struct Texts {
    LanguageModel model;
    KeyValueCache cache = {};       // keys and values of the texts so far, for every layer
    int64_t length = 0;             // of the texts so far, padding included
    std::vector<int> padding = {};  // in front of each text; empty: none

    DecodingStep step(const Indices& tokens) {
        return {log_softmax(model.head(squeeze(append(tokens.reshaped({tokens.count(), 1})), 1)))};
    }
    Tensor steps(const Indices& tokens) { return log_softmax(model.head(append(tokens))); }
    void back(int64_t count) {
        decoding::back(cache, count);
        length -= count;
    }
    // Appends tokens [N, T]; returns the decoder's output for them [N, T, D].
    Tensor append(const Indices& tokens) {
        AttentionCall call{.causal = true, .mode = Mode::evaluation(), .cache = &cache};
        Tensor x = model.embedding(tokens);
        const int64_t before = std::exchange(length, length + tokens.size(1));
        if (padding.empty()) {
            x = model.positions(x, before);
        } else {
            std::vector<int> lengths;
            for (int each : padding) lengths.push_back(static_cast<int>(length) - each);
            call.mask = left_padding_mask(lengths, length, x.dtype());
            call.positions = positions_of(call.mask, tokens.size(1));
            x = model.positions(x, call.positions);
        }
        return model.stack(x, call);
    }
    void select_rows(const std::vector<int>& rows) {
        decoding::select_rows(cache, rows);
        if (padding.empty()) return;
        std::vector<int> selected;
        for (int row : rows) selected.push_back(padding[row]);
        padding = std::move(selected);
    }
};

static_assert(StepsTogether<Texts> && GoesBack<Texts>);

}  // namespace

Decodable LanguageModel::decodable(const Indices& prompt, const Indices& lengths,
                                   int64_t room) const {
    const Shapes in("LanguageModel", {{"prompt", prompt, "N T"}, {"lengths", lengths, "? N"}});
    check(in["T"] > 0, "prompts {}; expected at least one token, the first to be fed",
          prompt.shape());
    std::vector<int> padding;
    for (int length : lengths) {
        check(length >= 1 && length <= in["T"], "a prompt of length {} in prompts {}", length,
              prompt.shape());
        padding.push_back(static_cast<int>(in["T"]) - length);
    }
    if (std::all_of(padding.begin(), padding.end(), [](int each) { return each == 0; }))
        padding.clear();
    const NoGrad no_grad;

    // All tokens but the last go through the model together; the last is the first one to be fed.
    const int64_t rows = in["N"], before = in["T"] - 1;
    Texts texts{.model = *this, .padding = std::move(padding)};
    // A cache that has no token yet does not know its shape: so the first token makes room for the others.
    const int64_t first = before > 1 && room > before ? 1 : 0;
    if (first > 0) {
        texts.append(columns(prompt, 0, first));
        decoding::reserve(texts.cache, room);
    }
    if (before > 0) texts.append(columns(prompt, first, before));
    return {std::move(texts), rows, columns(prompt, before, before + 1).reshaped({rows})};
}

int64_t parameter_count(const LanguageModelOptions& o) {
    const TransformerOptions& s = o.stack;
    const int64_t tables =
        o.vocabulary * (o.tied_output ? 1 : 2) +
        (s.positions.kind == PositionKind::learned ? s.positions.max_positions : 0);
    return tables * s.width + (o.head_bias ? o.vocabulary : 0) + encoder_parameter_count(s);
}

}  // namespace heed
