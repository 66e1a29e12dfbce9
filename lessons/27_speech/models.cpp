#include "lessons/27_speech/models.h"

#include <algorithm>

#include "attention/scores/mask.h"
#include "autograd/autograd.h"
#include "lessons/material/training/next_checkpoint.h"

namespace heed::lesson27 {

const char* name_of(Kind kind) {
    switch (kind) {
        case Kind::recurrent:
            return "recurrent";
        case Kind::transformer:
            return "Transformer";
        case Kind::conformer:
            return "Conformer";
        case Kind::unordered:
            return "without positions";
    }
    return "";
}

Batch batch_of(const std::vector<Word>& words, const std::vector<int>& which) {
    int64_t longest = 0;
    for (int i : which)
        longest = std::max(longest, words[static_cast<std::size_t>(i)].frames.size(0));
    std::vector<Tensor> frames;
    std::vector<int> lengths, labels;
    for (int i : which) {
        const Word& word = words[static_cast<std::size_t>(i)];
        const int64_t length = word.frames.size(0);
        frames.push_back(pad(word.frames, 0, 0, longest - length));
        lengths.push_back(static_cast<int>(length));
        labels.push_back(word.label);
    }
    return {stack(frames), lengths, labels};
}

SpeechModel::SpeechModel(Kind kind, Rng& rng) {
    const int64_t width = kind == Kind::conformer ? 36 : 48;
    int64_t features = width;
    input = Linear(channels, width, rng);
    if (kind == Kind::recurrent) {
        recurrent = Gru(width, 62, {.bidirectional = true}, rng);
        features = recurrent->output_size();
    } else if (kind == Kind::conformer) {
        conformer = ConformerEncoder(
            {.width = width, .heads = 4, .layers = 2, .hidden = 72, .kernel = 7}, rng);
    } else {
        positions = AbsolutePositions(
            {.kind = kind == Kind::unordered ? PositionKind::none : PositionKind::sinusoidal,
             .width = width},
            rng);
        transformer = TransformerEncoder(
            {.width = width, .heads = 4, .layers = 2, .hidden = 112, .pre_norm = true}, rng);
    }
    pool = AttentionPooling({.width = features, .hidden = 24}, rng);
    head = Linear(features, 10, rng);
}

SpeechModel::Output SpeechModel::operator()(const Batch& batch, Mode mode) const {
    const Tensor mask = padding_mask(batch.lengths, batch.frames.size(1));
    Tensor x = input(batch.frames);  // [B, T, D]
    if (recurrent)
        x = (*recurrent)(x, batch.lengths).output;
    else if (conformer)
        x = (*conformer)(x, {.mask = mask, .mode = mode});
    else
        x = (*transformer)(positions(x), {.mask = mask, .mode = mode});
    const auto [z, weights] = pool(x, {}, mask);
    return {head(squeeze(z, 1)), weights};
}

void train(SpeechModel& model, const std::vector<Word>& words, const Budget& budget, Rng& rng) {
    Adam adam(parameters(model), {.lr = budget.lr});
    BatchStream<std::vector<int>> batches([&] {
        std::vector<int> lengths;
        for (const Word& word : words) lengths.push_back(static_cast<int>(word.frames.size(0)));
        return bucket_batches(lengths, {.batch_size = budget.batch}, rng);
    });
    const TrainOptions options{.steps = budget.steps,
                               .schedule = schedules::cosine(budget.steps, 0.02),
                               .checkpoint = course::next_checkpoint(
                                   {SavedState(rng), SavedState(batches), SavedState(model)})};
    heed::train(adam, options, [&](int64_t) {
        const Batch batch = batch_of(words, batches.next());
        const Tensor logits = model(batch, Mode::training(rng)).logits;
        return StepResult{cross_entropy(logits, batch.labels), batch.labels.count()};
    });
}

std::vector<int> answers(const SpeechModel& model, const std::vector<Word>& words) {
    const NoGrad no_grad;
    std::vector<int> given;
    for (std::size_t first = 0; first < words.size(); first += 100) {
        std::vector<int> which;
        for (std::size_t i = first; i < std::min(first + 100, words.size()); ++i)
            which.push_back(static_cast<int>(i));
        for (int label : argmax(model(batch_of(words, which), Mode::evaluation()).logits, -1))
            given.push_back(label);
    }
    return given;
}

double accuracy(const std::vector<int>& given, const std::vector<Word>& words) {
    double right = 0;
    for (std::size_t i = 0; i < words.size(); ++i) right += given[i] == words[i].label;
    return right / static_cast<double>(words.size());
}

}  // namespace heed::lesson27
