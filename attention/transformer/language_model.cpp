#include "attention/transformer/language_model.h"

#include "autograd/ops/shape_ops.h"
#include "autograd/ops/softmax.h"
#include "autograd/record/grad_mode.h"

namespace heed {

TransformerOptions gpt(const GptSize& size) {
    return {.width = size.width,
            .heads = size.heads,
            .layers = size.layers,
            .pre_norm = true,
            .activation = Activation::gelu_tanh,
            .positions = {.kind = PositionKind::learned, .max_positions = size.places}};
}

LanguageModel::LanguageModel(const LanguageModelOptions& o, Rng& rng) : dropout(o.stack.dropout) {
    check(o.vocabulary > 0, "LanguageModel: a vocabulary of {} tokens; set vocabulary",
          o.vocabulary);
    PositionOptions where = o.stack.positions;
    where.width = o.stack.width;
    embedding = Embedding(o.vocabulary, o.stack.width, rng);
    positions = AbsolutePositions(where, rng);
    decoder = TransformerEncoder(o.stack, rng);
    head = Linear(o.stack.width, o.vocabulary, rng, false);
    if (o.tied_output) head.weight = embedding.weight;
    initialise_gpt2(parameters(*this), o.stack.layers, rng);
}

StackResult LanguageModel::run(const Indices& ids, const LayerCall& call) const {
    check(ids.shape().dim() == 2, "LanguageModel: ids {}; expected [B, T]", ids.shape());
    LayerCall causal = call;
    causal.causal = true;
    return decoder(dropout(positions(embedding(ids)), call.mode), causal);  // [B, T, D]
}

Tensor LanguageModel::operator()(const Indices& ids, Mode mode) const {
    return head(run(ids, {.mode = mode}).output);
}

namespace {

// Columns begin .. end of ids [N, T].
Indices columns(const Indices& ids, int64_t begin, int64_t end) {
    std::vector<int> part;
    for (int64_t row = 0; row < ids.size(0); ++row)
        for (int64_t t = begin; t < end; ++t) part.push_back(ids.at({row, t}));
    return Indices(std::move(part), {ids.size(0), end - begin});
}

}  // namespace

Decodable LanguageModel::decodable(const Indices& prompt) const {
    check(prompt.shape().dim() == 2 && prompt.size(1) >= 1,
          "LanguageModel: prompts {}; expected [N, T] with at least one token, the first to be fed",
          prompt.shape());
    const NoGrad no_grad;
    const int64_t rows = prompt.size(0), before = prompt.size(1) - 1;

    // All but the last token of the prompt go through at once. The last waits in the memory, so
    // that it stays with its row.
    Cache filled;
    if (before > 0)
        decoder(positions(embedding(columns(prompt, 0, before))),
                {.causal = true, .mode = Mode::evaluation()}, &filled);
    const Indices last = columns(prompt, before, before + 1);
    const Tensor waiting = tensor(std::vector<double>(last.begin(), last.end()), Dtype::float64);

    const auto step = [model = *this, before](const DecodingState& now, const Indices& tokens) {
        std::vector<int> fed = tokens.values();
        if (now.place == before) {
            const std::vector<double> first = now.memory[0].to_vector();
            fed.assign(first.begin(), first.end());
        }
        const Indices ids(fed, {static_cast<int64_t>(fed.size()), 1});
        Cache cache = cache_of(now.moving);
        const Tensor x = model.positions(model.embedding(ids), now.place);  // [N, 1, D]
        const Tensor y = model.decoder(x, {.causal = true, .mode = Mode::evaluation()}, &cache).output;
        return DecodingStep{log_softmax(model.head(squeeze(y, 1))),
                    {now.memory, tensors_of(cache), now.place + 1},
                    {}};
    };
    return {{{waiting}, tensors_of(filled), before}, step, rows};
}

int64_t parameter_count(const LanguageModelOptions& o) {
    const TransformerOptions& s = o.stack;
    const int64_t tables =
        o.vocabulary * (o.tied_output ? 1 : 2) +
        (s.positions.kind == PositionKind::learned ? s.positions.max_positions : 0);
    return tables * s.width + encoder_parameter_count(s);
}

}  // namespace heed
