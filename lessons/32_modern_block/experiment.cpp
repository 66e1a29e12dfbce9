#include "lessons/32_modern_block/experiment.h"

#include <algorithm>

#include "autograd/autograd.h"
#include "autograd/record/grad_mode.h"
#include "lessons/course/course.h"
#include "lessons/material/corpora/corpus.h"
#include "nn/layers/losses.h"
#include "nn/optim/optimisers.h"
#include "nn/optim/schedules.h"

namespace heed::lesson32 {

using namespace course;

Text english(std::uint64_t seed, int sentences) {
    CorpusOptions options;
    options.pairs = sentences;
    options.valid = options.test = sentences / 20;
    const Corpus corpus = korean_english(seed, options);
    std::string text;
    for (const auto* part : {&corpus.train, &corpus.valid, &corpus.test})
        for (const SentencePair& pair : *part) {
            for (std::size_t i = 0; i < pair.target.size(); ++i)
                text += (i ? " " : "") + pair.target[i];
            text += '\n';
        }
    Text all{text, {}, {}};
    std::sort(all.characters.begin(), all.characters.end());
    all.characters.erase(std::unique(all.characters.begin(), all.characters.end()),
                         all.characters.end());
    for (std::size_t i = 0; i < text.size(); ++i)
        (i < text.size() / 10 * 9 ? all.train : all.valid)
            .push_back(static_cast<int>(all.characters.find(text[i])));
    return all;
}

namespace {

constexpr double largest_rate = 3e-3;

// Pieces [rows, T] of a text, and the same shifted by one character.
struct Pieces {
    Indices in, out;
};
Pieces pieces_at(const std::vector<int>& text, const std::vector<int64_t>& starts, int64_t length) {
    std::vector<int> in, out;
    for (const int64_t first : starts) {
        in.insert(in.end(), text.begin() + first, text.begin() + first + length);
        out.insert(out.end(), text.begin() + first + 1, text.begin() + first + length + 1);
    }
    const Shape shape{std::ssize(starts), length};
    return {Indices(std::move(in), shape), Indices(std::move(out), shape)};
}

double validation_loss(const LanguageModel& model, const Text& text, const Sizes& s) {
    const NoGrad no_grad;
    std::vector<int64_t> starts;
    for (int64_t i = 0; i < 256; ++i)
        starts.push_back(i * ((std::ssize(text.valid) - s.context - 1) / 256));
    const Pieces piece = pieces_at(text.valid, starts, s.context);
    return sequence_cross_entropy(model(piece.in), piece.out, -1).item();
}

double bytes_in_cache(const LanguageModel& model) {
    KeyValueCache cache;
    const NoGrad no_grad;
    for (int token : {1, 2, 3}) model.run(Indices({token}, {1, 1}), {.cache = &cache});
    int64_t numbers = 0;
    for (const KeyValue& layer : cache) numbers += layer.key.numel() + layer.value.numel();
    return 4.0 * static_cast<double>(numbers) / 3;  // of the three tokens
}

}  // namespace

std::vector<Trained> train_blocks(Lesson& lesson, const Text& text, const Sizes& s) {
    const int vocabulary = static_cast<int>(text.characters.size());
    std::vector<Block> all = blocks(s, vocabulary);
    all.push_back(all[0]);
    all.back().name = "GPT again";
    std::vector<Trained> results;
    ProgressLine line = lesson.progress("training", s.steps * std::ssize(all));
    for (const Block& block : all) {
        Rng weights(lesson.seed() + (&block == &all.back() ? 1000 : 0)), order(lesson.seed() + 1);
        const LanguageModel model(model_of(block.options, vocabulary), weights);
        AdamW optimiser(parameters(model),
                        {.lr = largest_rate, .beta2 = 0.99, .weight_decay = 0.1});
        const int rise = std::max(s.steps / 10, 1);
        const Schedule rate = schedules::sequential(
            schedules::warm_up(rise), rise, schedules::cosine(std::max(s.steps - rise, 1), 0.1));
        for (int step = 1; step <= s.steps; ++step) {
            std::vector<int64_t> starts;
            for (int i = 0; i < s.batch; ++i)
                starts.push_back(order.below(std::ssize(text.train) - s.context));
            const Pieces piece = pieces_at(text.train, starts, s.context);
            optimiser.zero_grad();
            const Tensor loss = sequence_cross_entropy(model(piece.in), piece.out, -1);
            backward(loss);
            optimiser.lr = largest_rate * rate(step);
            optimiser.step_clipped(1);
            line.update(std::ssize(results) * s.steps + step, loss.item());
        }
        results.push_back({block, static_cast<double>(parameter_count(model)),
                           validation_loss(model, text, s), bytes_in_cache(model)});
    }
    line.clear();
    return results;
}

}  // namespace heed::lesson32
