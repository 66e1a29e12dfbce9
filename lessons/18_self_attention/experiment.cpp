#include "lessons/18_self_attention/experiment.h"

#include <algorithm>
#include <cmath>

#include "attention/scores/mask.h"
#include "lessons/material/training/next_checkpoint.h"

namespace heed::lesson18 {

using namespace course;

// --- colours ------------------------------------------------------------------------------------

ColourData draw_colours(int64_t count, Rng& rng) {
    constexpr int width = colours + 1;
    std::vector<Graph> graphs;
    std::vector<double> tokens(count * nodes * width);
    std::vector<int> asked, all_hops;
    for (int64_t b = 0; b < count; ++b) {
        graphs.push_back(course::random_graph(nodes, 2, rng));
        const int from = static_cast<int>(rng.below(nodes)),
                  colour = static_cast<int>(rng.below(colours));
        double* token = &tokens[(b * nodes + from) * width];
        token[0] = token[1 + colour] = 1;
        const std::vector<int> hops = course::distances(graphs.back(), from);
        all_hops.insert(all_hops.end(), hops.begin(), hops.end());
        asked.insert(asked.end(), nodes, colour);
    }
    return {tensor(tokens, {count, nodes, width}), course::neighbour_mask(graphs),
            Indices(asked, {count, nodes}), all_hops};
}

constexpr int64_t model_width = 32;  // of the tokens inside both models

GraphModel::GraphModel(int count, ReadoutKind readout, Rng& rng)
    : input(colours + 1, model_width, rng),
      layers(count, model_width, rng),
      output(readout, model_width, colours, rng) {}

Tensor GraphModel::operator()(const Tensor& tokens, const Tensor& mask) const {
    return output(layers(input(tokens), mask));
}

std::vector<double> train_colours(GraphModel& model, int steps, int most_hops, int64_t test_graphs,
                                  Rng rng) {
    Adam adam(parameters(model), {.lr = 0.003});
    // The rate rises over the first twentieth of the steps and then falls along a cosine.
    const Schedule schedule =
        schedules::multiplied(schedules::warm_up(steps / 20), schedules::cosine(steps, 0.02));
    const TrainOptions options{.steps = steps,
                               .clip_norm = 1,
                               .schedule = schedule,
                               .checkpoint = course::next_checkpoint({rng})};
    train(adam, options, [&](int64_t) {
        const ColourData data = draw_colours(32, rng);
        return StepResult{cross_entropy(model(data.tokens, data.mask), data.colour)};
    });
    const NoGrad no_grad;
    const ColourData data = draw_colours(test_graphs, rng);
    const Indices predicted = argmax(model(data.tokens, data.mask));
    std::vector<double> right(most_hops + 1), all(most_hops + 1);
    for (int64_t i = 0; i < predicted.count(); ++i) {
        if (data.hops[i] > most_hops) continue;
        right[data.hops[i]] += predicted[i] == data.colour[i];
        all[data.hops[i]] += 1;
    }
    for (int h = 0; h <= most_hops; ++h) right[h] /= all[h];
    return right;
}

int count_wrong_gradients(int count, const Graph& graph, Rng& rng) {
    SelfAttentionLayers layers(count, 8, rng);
    to_dtype(layers, Dtype::float64);
    const Tensor mask = course::neighbour_mask({graph}, Dtype::float64);
    int wrong = 0;
    for (int i = 0; i < graph.size(); ++i) {
        Tensor x = normal({1, graph.size(), 8}, 0, 1, rng, Dtype::float64);
        x.set_requires_grad();
        const Tensor g = grad(select(layers(x, mask), 1, i), {x}, false,
                              normal({1, 8}, 0, 1, rng, Dtype::float64))[0];
        const std::vector<int> hops = course::distances(graph, i);
        for (int j = 0; j < graph.size(); ++j)
            wrong += (max(abs(select(g, 1, j))).item() > 0) != (hops[j] <= count);
    }
    return wrong;
}

// --- pronouns -----------------------------------------------------------------------------------

constexpr int longest = course::longest_pronoun_sentence;

PronounBatch pronoun_batch(const std::vector<PronounSentence>& sentences, Answer answer, Rng& rng) {
    const int64_t count = static_cast<int64_t>(sentences.size());
    std::vector<int> words(count * longest), numbers(count * longest), lengths, it, answers;
    for (int64_t b = 0; b < count; ++b) {
        const PronounSentence& s = sentences[b];
        std::copy(s.words.begin(), s.words.end(), &words[b * longest]);
        const int animal = static_cast<int>(rng.below(course::mention_numbers));
        const int place = (animal + 1 + static_cast<int>(rng.below(course::mention_numbers - 1))) %
                          course::mention_numbers;
        numbers[b * longest + s.animal] = animal + 1;
        numbers[b * longest + s.place] = place + 1;
        lengths.push_back(static_cast<int>(s.words.size()));
        it.push_back(static_cast<int>(b * longest + s.it));
        answers.push_back(answer == Answer::noun ? s.words[s.referent()]
                          : s.means_animal       ? animal
                                                 : place);
    }
    return {Indices(words, {count, longest}), Indices(numbers, {count, longest}),
            padding_mask(Indices(lengths), longest), Indices(it), Indices(answers)};
}

PronounModel::PronounModel(int count, Answer answer, ReadoutKind readout, Rng& rng)
    : word(static_cast<int64_t>(course::pronoun_words().size()), model_width, rng),
      number(course::mention_numbers + 1, model_width, rng, 0),
      layers(count, model_width, rng),
      output(readout, model_width,
             answer == Answer::number ? course::mention_numbers : course::pronoun_nouns, rng) {}

Tensor PronounModel::operator()(const PronounBatch& batch, std::vector<Tensor>* weights) const {
    const Tensor x = layers(word(batch.words) + number(batch.numbers), batch.mask, weights);
    return output(index_select(reshape(x, {-1, model_width}), 0, batch.it));
}

void train_model(PronounModel& model, Answer answer, const std::vector<PronounSentence>& sentences,
                 int steps, Rng rng) {
    Adam adam(parameters(model), {.lr = 0.006});
    const CheckpointOptions checkpoint = course::next_checkpoint({rng});
    train(adam, {.steps = steps, .clip_norm = 1, .checkpoint = checkpoint}, [&](int64_t) {
        std::vector<PronounSentence> drawn;
        for (int i = 0; i < 64; ++i) drawn.push_back(sentences[rng.below(sentences.size())]);
        const PronounBatch batch = pronoun_batch(drawn, answer, rng);
        return StepResult{cross_entropy(model(batch), batch.answer)};
    });
}

Output outputs_of(const PronounModel& model, Answer answer,
                  const std::vector<PronounSentence>& sentences, Rng rng) {
    const NoGrad no_grad;
    const PronounBatch batch = pronoun_batch(sentences, answer, rng);
    std::vector<Tensor> layers;
    const Indices predicted = argmax(model(batch, &layers));
    const Tensor of_it = index_select(reshape(layers.back(), {-1, longest}), 0, batch.it);
    const std::vector<double> all = of_it.to_vector();  // [B, T]

    Output output;
    for (std::size_t b = 0; b < sentences.size(); ++b) {
        const auto row = all.begin() + static_cast<std::ptrdiff_t>(b * longest);
        const auto words = static_cast<std::ptrdiff_t>(sentences[b].words.size());
        output.weights.emplace_back(row, row + words);
        output.accuracy += predicted[b] == batch.answer[b];
    }
    output.accuracy /= static_cast<double>(sentences.size());
    return output;
}

namespace {

struct Scores {
    double accuracy = 0, on_noun = 0, both_twins = 0, ratio = 0;
    std::vector<double> tired, wide;
};

Scores test(const PronounModel& model, Answer answer, const course::PronounSentences& data,
            Rng& rng) {
    Scores scores;
    const Output on_test = outputs_of(model, answer, data.test, rng);
    for (std::size_t i = 0; i < data.test.size(); ++i) {
        const std::vector<double>& w = on_test.weights[i];
        const auto most = std::max_element(w.begin(), w.end()) - w.begin();
        scores.on_noun += most == data.test[i].referent();
    }
    scores.accuracy = on_test.accuracy;
    scores.on_noun /= static_cast<double>(data.test.size());

    // Both twins get the same numbers, so that they differ in the adjective only.
    std::vector<PronounSentence> animals, places;
    for (const auto& [animal, place] : data.twins) {
        animals.push_back(animal);
        places.push_back(place);
    }
    const Output one = outputs_of(model, answer, animals, rng),
                 other = outputs_of(model, answer, places, rng);
    for (std::size_t i = 0; i < animals.size(); ++i) {
        const auto log_ratio = [&](const Output& output) {
            const std::vector<double>& w = output.weights[i];
            return std::log(w[animals[i].animal] / w[animals[i].place]);
        };
        scores.both_twins += log_ratio(one) > 0 && log_ratio(other) < 0;
        scores.ratio = std::max(scores.ratio, std::fabs(log_ratio(one) - log_ratio(other)));
    }
    scores.both_twins /= static_cast<double>(animals.size());
    scores.tired = one.weights[0];
    scores.wide = other.weights[0];
    return scores;
}

}  // namespace

Results train_and_test(int layers, Answer answer, ReadoutKind readout,
                       const course::PronounSentences& data, int steps, int seeds, uint64_t seed) {
    Results all;
    for (int i = 0; i < seeds; ++i) {
        Rng rng(seed + i);
        PronounModel model(layers, answer, readout, rng);
        train_model(model, answer, data.train, steps, rng.split());
        Scores scores = test(model, answer, data, rng);
        all.accuracy.push_back(scores.accuracy);
        all.on_noun.push_back(scores.on_noun);
        all.both_twins.push_back(scores.both_twins);
        all.ratio = std::max(all.ratio, scores.ratio);
        all.tired = std::move(scores.tired);
        all.wide = std::move(scores.wide);
    }
    return all;
}

}  // namespace heed::lesson18
