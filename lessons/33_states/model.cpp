#include "lessons/33_states/model.h"

#include <numeric>

#include "lessons/material/training/next_checkpoint.h"

namespace heed::lesson33 {

// --- tasks --------------------------------------------------------------------------------------

namespace {

constexpr int not_asked = -100;

}  // namespace

Batch draw_recall(int batch, int pairs, Rng& rng) {
    const int length = pairs + queries;
    std::vector<int> first, second, answer;
    for (int b = 0; b < batch; ++b) {
        std::vector<int> key(keys), value(pairs);
        std::iota(key.begin(), key.end(), 0);
        rng.shuffle(key);
        for (int& v : value) v = static_cast<int>(rng.below(values));
        for (int i = 0; i < length; ++i) {
            const bool asked = i >= pairs;
            const int pair = asked ? static_cast<int>(rng.below(pairs)) : i;
            first.push_back(key[pair]);
            second.push_back(asked ? values : value[pair]);
            answer.push_back(asked ? value[pair] : not_asked);
        }
    }
    const Shape shape{batch, length};
    return {Indices(first, shape), Indices(second, shape), Indices(answer, shape)};
}

Batch draw_parity(int batch, int length, Rng& rng) {
    std::vector<int> bits, answer;
    for (int b = 0; b < batch; ++b) {
        int odd = 0;
        for (int i = 0; i < length; ++i) {
            bits.push_back(static_cast<int>(rng.below(2)));
            odd ^= bits.back();
            answer.push_back(odd);
        }
    }
    const Shape shape{batch, length};
    return {Indices(bits, shape), Indices(std::vector<int>(bits.size()), shape),
            Indices(answer, shape)};
}

// --- models -------------------------------------------------------------------------------------

const char* name_of(Mixer mixer) {
    switch (mixer) {
        case Mixer::attention:
            return "attention";
        case Mixer::gru:
            return "GRU";
        case Mixer::sum:
            return "sum";
        case Mixer::decay:
            return "decay";
        case Mixer::gate:
            return "gates";
        case Mixer::delta:
            return "delta rule";
        case Mixer::signed_delta:
            return "delta rule, β up to 2";
        default:
            return "state space";
    }
}

const std::vector<Mixer>& mixers() {
    static const std::vector<Mixer> all{Mixer::attention,    Mixer::gru,        Mixer::sum,
                                        Mixer::decay,        Mixer::gate,       Mixer::delta,
                                        Mixer::signed_delta, Mixer::state_space};
    return all;
}

Tensor GruLayer::operator()(const Tensor& x) const { return output(gru(x).output); }

Tensor MixerLayer::operator()(const Tensor& x) const {
    return std::visit(
        [&](const auto& layer) {
            if constexpr (std::is_same_v<std::decay_t<decltype(layer)>, SelfAttention>)
                return layer(x, {.causal = true});
            else
                return layer(x);
        },
        any);
}

MixerLayer make_mixer(Mixer mixer, Rng& rng) {
    const auto linear = [&](StateRule rule, double most_beta = 1) {
        return MixerLayer{LinearAttention({.width = width,
                                           .heads = heads,
                                           .rule = rule,
                                           .most_beta = most_beta,
                                           .chunk = rule == StateRule::gate ? 8 : 32},
                                          rng)};
    };
    switch (mixer) {
        case Mixer::attention:
            return {SelfAttention({.width = width, .heads = heads}, {.kind = PositionKind::rotary},
                                  rng)};
        case Mixer::gru: {
            const int64_t hidden = 24;  // as many parameters as attention
            GruLayer layer{Gru(width, hidden, {}, rng), Linear(hidden, width, rng)};
            return {layer};
        }
        case Mixer::sum:
            return linear(StateRule::sum);
        case Mixer::decay:
            return linear(StateRule::decay);
        case Mixer::gate:
            return linear(StateRule::gate);
        case Mixer::delta:
            return linear(StateRule::delta);
        case Mixer::signed_delta:
            return linear(StateRule::delta, 2);
        default:
            return {SelectiveStateSpace({.width = width, .numbers = 8}, rng)};
    }
}

int64_t numbers_kept(const MixerLayer& layer, int64_t tokens) {
    const NoGrad no_grad;
    const Tensor x = ones({1, tokens, width});
    if (const auto* attention = std::get_if<SelfAttention>(&layer.any)) {
        KeyValueCache cache;
        (*attention)(x, {.causal = true, .cache = &cache});
        return cache[0].key.numel() + cache[0].value.numel();
    }
    if (const auto* recurrent = std::get_if<GruLayer>(&layer.any))
        return recurrent->gru(x).states[0].hidden.numel();
    Tensor state;
    if (const auto* space = std::get_if<SelectiveStateSpace>(&layer.any)) (*space)(x, &state);
    if (const auto* linear = std::get_if<LinearAttention>(&layer.any)) (*linear)(x, &state);
    return state.numel();
}

Reader::Reader(const std::vector<Mixer>& kinds, Rng& rng)
    : first(keys, width, rng), second(values + 1, width, rng) {
    for (Mixer kind : kinds) {
        layers.push_back(make_mixer(kind, rng));
        for (int i = 0; i < 2; ++i) norms.emplace_back(width, 1e-6);
        hidden.emplace_back(width, 2 * width, rng);
        back.emplace_back(2 * width, width, rng);
    }
    norms.emplace_back(width, 1e-6);
    output = Linear(width, values, rng);
}

Tensor Reader::operator()(const Batch& batch) const {
    Tensor x = first(batch.first) + second(batch.second);
    for (std::size_t i = 0; i < layers.size(); ++i) {
        x = x + layers[i](norms[2 * i](x));
        x = x + back[i](gelu(hidden[i](norms[2 * i + 1](x))));
    }
    return output(norms.back()(x));
}

// --- training -----------------------------------------------------------------------------------

void train_reader(Reader& reader, Task task, int steps, Rng rng) {
    Adam adam(parameters(reader), {.lr = 0.004});
    const TrainOptions options{.steps = steps,
                               .clip_norm = 1,
                               // Ten steps and fewer, of a trial, are too few for a cycle.
                               .schedule = steps > 10 ? schedules::one_cycle(steps) : Schedule{},
                               .checkpoint = course::next_checkpoint({rng})};
    train(adam, options, [&](int64_t) {
        const int pairs = 4 << rng.below(4);
        const Batch batch =
            task == Task::recall ? draw_recall(32, pairs, rng) : draw_parity(32, parity_bits, rng);
        return StepResult{cross_entropy(reader(batch), batch.answer)};
    });
}

double share_right(const Reader& reader, Task task, int length, Rng rng) {
    const NoGrad no_grad;
    const Batch batch =
        task == Task::recall ? draw_recall(256, length, rng) : draw_parity(256, length, rng);
    const Indices found = argmax(reader(batch));
    const int64_t steps = batch.answer.shape()[1];
    double right = 0;
    for (int64_t b = 0; b < 256; ++b)
        for (int64_t t = steps - queries; t < steps; ++t)
            right += found.at({b, t}) == batch.answer.at({b, t});
    return right / (256.0 * queries);
}

}  // namespace heed::lesson33
