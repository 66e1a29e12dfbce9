#include "lessons/w9_kernels/experiment.h"

#include "autograd/autograd.h"
#include "lessons/material/corpora/documents.h"
#include "lessons/material/training/next_checkpoint.h"

namespace heed::workshop9 {

using namespace course;

namespace {

constexpr int length = 30, topics = 4, width = 16;

Vocabulary with_mainly() {
    std::vector<std::string> words = all_everyday_words();
    for (int topic = 0; topic < topics; ++topic)
        for (const std::string& word : words_of_topic(topic)) words.push_back(word);
    words.push_back("mainly");
    return Vocabulary::build(words);
}

}  // namespace

MarkedWords::MarkedWords() : vocabulary_(with_mainly()) {}

MarkedDocuments MarkedWords::draw(int count, Rng& rng) const {
    std::vector<int> words, before, label, right, other;
    const auto telling = [&](int topic) {
        const std::vector<std::string>& all = words_of_topic(topic);
        return all[rng.below(all.size())];
    };
    for (int b = 0; b < count; ++b) {
        std::vector<std::string> text = everyday_words(length, rng);
        const int topic = static_cast<int>(rng.below(topics));
        const int wrong = (topic + 1 + static_cast<int>(rng.below(topics - 1))) % topics;
        int i = 0, j = 0;  // at least two words apart, so that neither stands before the other
        while (std::abs(i - j) < 2) {
            i = 1 + static_cast<int>(rng.below(length - 1));
            j = 1 + static_cast<int>(rng.below(length - 1));
        }
        text[i - 1] = "mainly";
        text[i] = telling(topic);
        text[j] = telling(wrong);
        for (int k = 0; k < length; ++k) {
            words.push_back(vocabulary_.id(text[k]));
            before.push_back(k == 0 ? Vocabulary::pad : vocabulary_.id(text[k - 1]));
        }
        label.push_back(topic);
        right.push_back(i);
        other.push_back(j);
    }
    return {Indices(words, {count, length}), Indices(before, {count, length}), Indices(label),
            Indices(right), Indices(other)};
}

MarkedModel::MarkedModel(Context kind, int vocabulary, Rng& rng)
    : embedding(vocabulary, width, rng, Vocabulary::pad),
      word(width, width, rng),
      hidden(width, width, rng),
      output(width, topics, rng) {
    if (kind == Context::word_before)
        context = Linear(width, width, rng);
    else
        query = parameter(normal({width}, 0, 0.25, rng));
}

MarkedResult train_marked(Context context, WeightsOf weights, int steps, std::uint64_t seed) {
    Rng rng(seed);
    const MarkedWords words;
    const MarkedModel model(context, words.size(), rng);
    const auto logits = [&](const MarkedDocuments& data) {
        const Tensor a = unsqueeze(weights(model, data), 2);       // [B, K, 1]
        const Tensor z = sum(a * model.embedding(data.words), 1);  // [B, D]
        return model.output(tanh(model.hidden(z)));
    };
    Adam adam(parameters(model), {.lr = 0.01});
    train(adam, {.steps = steps, .checkpoint = next_checkpoint({rng})}, [&](int64_t) {
        const MarkedDocuments data = words.draw(32, rng);
        return StepResult{cross_entropy(logits(data), data.label)};
    });
    const NoGrad no_grad;
    constexpr int count = 1000;
    const MarkedDocuments test = words.draw(count, rng);
    const Indices best = argmax(logits(test), 1);
    const std::vector<double> a = weights(model, test).to_vector();
    MarkedResult result;
    for (int b = 0; b < count; ++b) {
        result.accuracy += best[b] == test.label[b];
        result.on_right += a[static_cast<std::size_t>(b * length + test.right[b])];
        result.on_other += a[static_cast<std::size_t>(b * length + test.other[b])];
    }
    return {result.accuracy / count, result.on_right / count, result.on_other / count};
}

}  // namespace heed::workshop9
