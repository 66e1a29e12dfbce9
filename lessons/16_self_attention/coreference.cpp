#include "lessons/16_self_attention/coreference.h"

#include <algorithm>
#include <cmath>

#include "attention/scores/mask.h"

namespace heed::lesson16 {

using course::PronounSentence;

constexpr int64_t width = 32;  // of the tokens
constexpr int longest = course::longest_pronoun_sentence;

// -------------------------------------------------------------------------------------

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

PronounReader::PronounReader(int count, Answer answer, Rng& rng)
    : word(static_cast<int64_t>(course::pronoun_words().size()), width, rng),
      number(course::mention_numbers + 1, width, rng, 0),
      rounds(count, width, rng),
      output(width, answer == Answer::number ? course::mention_numbers : course::pronoun_nouns,
             rng) {}

Tensor PronounReader::operator()(const PronounBatch& batch, std::vector<Tensor>* weights) const {
    const Tensor x = rounds(word(batch.words) + number(batch.numbers), batch.mask, weights);
    return output(index_select(reshape(x, {-1, width}), 0, batch.it));
}

void learn_pronouns(PronounReader& reader, Answer answer,
                    const std::vector<PronounSentence>& sentences, int steps, Rng rng) {
    Adam adam(parameters(reader), {.lr = 0.006});
    train(adam, {.steps = steps, .clip_norm = 1}, [&](int64_t) {
        std::vector<PronounSentence> drawn;
        for (int i = 0; i < 64; ++i) drawn.push_back(sentences[rng.below(sentences.size())]);
        const PronounBatch batch = pronoun_batch(drawn, answer, rng);
        return StepResult{cross_entropy(reader(batch), batch.answer)};
    });
}

Looks look(const PronounReader& reader, Answer answer,
           const std::vector<PronounSentence>& sentences, Rng rng) {
    const NoGrad no_grad;
    const PronounBatch batch = pronoun_batch(sentences, answer, rng);
    std::vector<Tensor> rounds;
    const Indices said = argmax(reader(batch, &rounds));
    const Tensor of_it = index_select(reshape(rounds.back(), {-1, longest}), 0, batch.it);
    const std::vector<double> all = of_it.to_vector();  // [B, T]

    Looks looks;
    for (std::size_t b = 0; b < sentences.size(); ++b) {
        const auto row = all.begin() + static_cast<std::ptrdiff_t>(b * longest);
        const auto words = static_cast<std::ptrdiff_t>(sentences[b].words.size());
        looks.weights.emplace_back(row, row + words);
        looks.right += said[b] == batch.answer[b];
    }
    looks.right /= static_cast<double>(sentences.size());
    return looks;
}

namespace {

struct Judged {
    double right = 0, points = 0, follows = 0, ratio = 0;
    std::vector<double> tired, wide;
};

Judged judge(const PronounReader& reader, Answer answer, const course::PronounSentences& data,
             Rng& rng) {
    Judged judged;
    const Looks test = look(reader, answer, data.test, rng);
    for (std::size_t i = 0; i < data.test.size(); ++i) {
        const std::vector<double>& w = test.weights[i];
        const auto most = std::max_element(w.begin(), w.end()) - w.begin();
        judged.points += most == data.test[i].referent();
    }
    judged.right = test.right;
    judged.points /= static_cast<double>(data.test.size());

    // Both of a pair get the same numbers, so that the adjective is all that differs.
    std::vector<PronounSentence> animals, places;
    for (const auto& [animal, place] : data.twins) {
        animals.push_back(animal);
        places.push_back(place);
    }
    const Looks one = look(reader, answer, animals, rng), other = look(reader, answer, places, rng);
    for (std::size_t i = 0; i < animals.size(); ++i) {
        const auto log_ratio = [&](const Looks& looks) {
            const std::vector<double>& w = looks.weights[i];
            return std::log(w[animals[i].animal] / w[animals[i].place]);
        };
        judged.follows += log_ratio(one) > 0 && log_ratio(other) < 0;
        judged.ratio = std::max(judged.ratio, std::fabs(log_ratio(one) - log_ratio(other)));
    }
    judged.follows /= static_cast<double>(animals.size());
    judged.tired = one.weights[0];
    judged.wide = other.weights[0];
    return judged;
}

}  // namespace

Study study(int rounds, Answer answer, const course::PronounSentences& data, int steps, int seeds,
            uint64_t seed) {
    Study all;
    for (int i = 0; i < seeds; ++i) {
        Rng rng(seed + i);
        PronounReader reader(rounds, answer, rng);
        learn_pronouns(reader, answer, data.train, steps, rng.split());
        Judged judged = judge(reader, answer, data, rng);
        all.right.push_back(judged.right);
        all.points.push_back(judged.points);
        all.follows.push_back(judged.follows);
        all.ratio = std::max(all.ratio, judged.ratio);
        all.tired = std::move(judged.tired);
        all.wide = std::move(judged.wide);
    }
    return all;
}

course::HeatMap twins_map(const Study& study) {
    course::HeatMap map =
        course::attention_map({"it (tired)", "it (wide)"},
                              {"the", "animal", "didn't", "cross", "the", "street", "because", "it",
                               "was", "too", "tired/wide"},
                              study.tired);
    map.values.insert(map.values.end(), study.wide.begin(), study.wide.end());
    map.row_axis = "query";
    map.column_axis = "key";
    map.gold = {{0, 1}, {1, 5}};
    return map;
}

}  // namespace heed::lesson16
