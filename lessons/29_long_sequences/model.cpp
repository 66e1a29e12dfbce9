#include "lessons/29_long_sequences/model.h"

#include <cmath>

#include "lessons/material/training/next_checkpoint.h"

namespace heed::lesson29 {

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all{Kind::exact,      Kind::window,    Kind::bigbird,
                                       Kind::linformer,  Kind::performer, Kind::reformer,
                                       Kind::synthesizer};
    return all;
}

const char* name_of(Kind kind) {
    switch (kind) {
        case Kind::exact:
            return "exact";
        case Kind::window:
            return "window";
        case Kind::bigbird:
            return "BigBird";
        case Kind::linformer:
            return "Linformer";
        case Kind::performer:
            return "Performer";
        case Kind::reformer:
            return "Reformer";
        case Kind::synthesizer:
            return "Synthesizer";
    }
    return "?";
}

namespace {

BlockPattern pattern_of(Kind kind, const Sizes& sizes, int64_t length) {
    const int64_t block = std::clamp<int64_t>(sizes.window * 2, 1, 64);
    BlockPatternOptions options{.before = sizes.window, .after = sizes.window, .block = block};
    if (kind == Kind::bigbird) options.global = {0}, options.random_blocks = 1;
    return BlockPattern(length, options);
}

int64_t buckets_of(const Sizes& sizes, int64_t length) {
    return std::max<int64_t>(2, length / sizes.chunk / 2 * 2);
}

}  // namespace

LongAttention::LongAttention(Kind which, const Sizes& of, Rng& rng) : kind(which), sizes(of) {
    const int64_t width = sizes.width;
    if (kind != Kind::synthesizer) query = Linear(width, width, rng);
    if (kind != Kind::synthesizer && kind != Kind::reformer) key = Linear(width, width, rng);
    value = Linear(width, width, rng);
    output = Linear(width, width, rng);
    if (kind == Kind::linformer)
        linformer = Linformer({.length = sizes.length, .projected = sizes.rows}, rng);
    if (kind == Kind::synthesizer)
        synthesizer =
            Synthesizer(SynthesizerKind::dense,
                        {.width = width, .length = sizes.length, .heads = sizes.heads}, rng);
    if (kind == Kind::performer)
        features = orthogonal_features(sizes.features, width / sizes.heads, rng);
}

Tensor LongAttention::operator()(const Tensor& x, const Tensor& mask) const {
    const int64_t batch = x.size(0), length = x.size(1), width = x.size(2);
    const auto split = [&](const Tensor& y) {  // [B, T, D] -> [B, H, T, D / H]
        return transpose(reshape(y, {batch, length, sizes.heads, width / sizes.heads}), 1, 2);
    };
    const Tensor v = split(value(x));
    const Tensor q = query.weight.defined() ? split(query(x)) : Tensor();
    const Tensor k = key.weight.defined() ? split(key(x)) : Tensor();
    const auto context = [&]() -> Tensor {
        switch (kind) {
            case Kind::exact:
                return scaled_dot_product_attention(q, k, v, {.mask = mask});
            case Kind::window:
            case Kind::bigbird:
                return block_sparse_attention(q, k, v, pattern_of(kind, sizes, length),
                                              {.mask = mask});
            case Kind::linformer:
                return linformer(q, k, v, mask).context;
            case Kind::performer:
                return performer_attention(q, k, v, features, {.mask = mask});
            case Kind::reformer:
                return lsh_attention(q, v,
                                     {.buckets = buckets_of(sizes, length),
                                      .chunk = sizes.chunk,
                                      .hashes = sizes.hashes,
                                      .mask = mask});
            case Kind::synthesizer:
                return synthesizer(x, v, mask).context;
        }
        return {};
    };
    return output(reshape(transpose(context(), 1, 2), {batch, length, width}));
}

LongModel::LongModel(Kind kind, const Sizes& of, Rng& rng) : sizes(of) {
    embedding = Embedding(sizes.vocabulary, sizes.width, rng);
    positions = AbsolutePositions(
        {.kind = PositionKind::learned, .width = sizes.width, .max_positions = sizes.length}, rng);
    for (int64_t i = 0; i < sizes.layers; ++i) {
        attentions.emplace_back(kind, sizes, rng);
        attention_norms.emplace_back(sizes.width);
        feed_forward_norms.emplace_back(sizes.width);
        feed_forwards.emplace_back(
            TransformerOptions{.width = sizes.width, .hidden = 2 * sizes.width}, rng);
    }
    output = Linear(sizes.width, sizes.outputs, rng);
}

Tensor LongModel::hidden(const Indices& token, const Tensor& mask) const {
    Tensor x = positions(embedding(token));
    for (std::size_t i = 0; i < attentions.size(); ++i) {
        x = x + attentions[i](attention_norms[i](x), mask);
        x = x + feed_forwards[i](feed_forward_norms[i](x));
    }
    return x;
}

double accuracy_after_training(Kind kind, Task task, const Sizes& sizes, int steps, uint64_t seed) {
    Rng rng(seed);
    LongModel model(kind, sizes, rng);
    Adam adam(parameters(model), {.lr = 0.01});
    const CheckpointOptions checkpoint = course::next_checkpoint({rng});
    train(adam, {.steps = steps, .clip_norm = 1, .checkpoint = checkpoint}, [&](int64_t) {
        const Sequences batch = draw(task, 32, sizes.length, rng);
        return StepResult{cross_entropy(model(batch.token), batch.answer)};
    });
    const NoGrad no_grad;
    Rng test_rng(seed + 1000);
    const Sequences test = draw(task, 200, sizes.length, test_rng);
    const Indices predicted = argmax(model(test.token));
    double right = 0, all = 0;
    for (int64_t i = 0; i < predicted.count(); ++i) {
        if (test.answer[i] == no_answer) continue;
        right += predicted[i] == test.answer[i];
        all += 1;
    }
    return right / all;
}

double multiply_adds(Kind kind, const Sizes& sizes, int64_t length, int64_t width) {
    const auto t = static_cast<double>(length), d = static_cast<double>(width);
    switch (kind) {
        case Kind::exact:
            return 2 * t * t * d;
        case Kind::window:
        case Kind::bigbird:
            return 2 * static_cast<double>(pattern_of(kind, sizes, length).scores()) * d;
        case Kind::linformer:
            return 4 * t * static_cast<double>(sizes.rows) * d;
        case Kind::performer:
            return 4 * t * static_cast<double>(sizes.features) * d;
        case Kind::reformer:
            return 2 * t * static_cast<double>(sizes.hashes * 2 * sizes.chunk) * d;
        case Kind::synthesizer:
            return 2 * t * t * d;
    }
    return 0;
}

}  // namespace heed::lesson29
