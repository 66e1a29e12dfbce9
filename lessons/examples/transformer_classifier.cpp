// A Transformer that classifies sequences: does the token 1 occur before the token 2? Order matters, so
// positions have to be added, and both tokens may stand far apart.
//
//     ./heed run lessons/examples/transformer_classifier.cpp
#include "attention/attention.h"
using namespace heed;

constexpr int vocabulary = 12, longest = 20, padding = 0;

struct Examples {
    std::vector<std::vector<int>> sequences;
    std::vector<int> labels;
};

// Sequences of 6 to 20 tokens 3 .. 11, with one 1 and one 2 among them.
Examples examples(int count, Rng& rng) {
    Examples result;
    for (int i = 0; i < count; ++i) {
        std::vector<int> tokens(6 + rng.below(longest - 5));
        for (int& token : tokens) token = 3 + static_cast<int>(rng.below(vocabulary - 3));
        const int64_t length = static_cast<int64_t>(tokens.size()), one = rng.below(length);
        const int64_t two = (one + 1 + rng.below(length - 1)) % length;
        tokens[one] = 1;
        tokens[two] = 2;
        result.sequences.push_back(tokens);
        result.labels.push_back(one < two);
    }
    return result;
}

struct Classifier {
    Embedding embedding;
    AbsolutePositions positions;
    TransformerEncoder encoder;
    Linear output;

    explicit Classifier(Rng& rng)
        : embedding(vocabulary, 32, rng, padding),
          positions({.kind = PositionKind::sinusoidal, .width = 32}, rng),
          encoder({.width = 32, .heads = 4, .layers = 2, .pre_norm = true, .dropout = 0.1}, rng),
          output(32, 2, rng) {}
    template <class F>
    void visit(F&& f) {
        f("embedding", embedding);
        f("positions", positions);
        f("encoder", encoder);
        f("output", output);
    }

    Tensor operator()(const PaddedBatch& batch, Mode mode) const {  // [B, T] -> [B, 2]
        const int64_t T = batch.ids.size(1);
        const Tensor x = positions(embedding(batch.ids));
        const Tensor y = encoder(x, {.mask = padding_mask(batch.lengths, T), .mode = mode});
        return output(
            max(masked_fill(y, unsqueeze(length_mask(batch.lengths, T), 2) == 0.0, -1e9), 1));
    }
};

int main() {
    Rng rng(1);
    const Examples training = examples(4000, rng), test = examples(500, rng);
    Classifier model(rng);
    AdamW optimiser(parameters(model), {.lr = 2e-3});
    train(optimiser, {.steps = 300, .clip_norm = 1, .on_step = print_every(100)}, [&](int64_t) {
        std::vector<int> rows(64);
        for (int& row : rows) row = static_cast<int>(rng.below(4000));
        const PaddedBatch batch = pad_sequences(pick(training.sequences, rows), padding);
        const Tensor logits = model(batch, Mode::training(rng));
        return StepResult{cross_entropy(logits, Indices(pick(training.labels, rows))), 64};
    });

    NoGrad no_grad;
    const Tensor logits = model(pad_sequences(test.sequences, padding), Mode::evaluation());
    fmt::print("test accuracy {:.3f}\n", metrics::accuracy(logits, Indices(test.labels)));
}
