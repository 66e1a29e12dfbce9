#include "lessons/06_embeddings/experiment.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lessons/course/lesson/memory.h"

namespace heed::lesson06 {

using namespace course;

// --- settings and words -------------------------------------------------------------------------

void complete_settings(Settings& settings, const Lesson& lesson) {
    if (settings.steps == 0) settings.steps = lesson.quick() ? 400 : 2000;
    if (settings.seeds == 0) settings.seeds = lesson.quick() ? 1 : 3;
    check(settings.width >= 2, "--width: expected at least 2, got {}", settings.width);
    check_memory("--width", 16.0 * settings.width * (2.0 * largest_vocabulary + 4 * 256));
}

Texts text_of(const Lesson& lesson) {
    if (!lesson.options().data.empty()) return texts_of_file(lesson.options().data);
    return english_of(korean_english(
        lesson.seed(), lesson.quick() ? CorpusOptions{.pairs = 4000, .valid = 100, .test = 400}
                                      : CorpusOptions{}));
}

KnownWords known_words(const Vocabulary& vocabulary, bool from_lexicon) {
    KnownWords known;
    if (from_lexicon) {
        for (const auto& [word, one] : classes_of_words()) {
            if (!vocabulary.contains(word)) continue;
            known.ids.push_back(vocabulary.id(word));
            known.classes.push_back(one);
        }
        return known;
    }
    for (int id = Vocabulary::specials;
         id < std::min(vocabulary.size(), 150 + Vocabulary::specials); ++id) {
        known.ids.push_back(id);
        known.classes.push_back(0);
    }
    return known;
}

// --- gaps ---------------------------------------------------------------------------------------

Indices Gaps::neighbours_of(const std::vector<int>& rows) const {
    std::vector<int> ids;
    ids.reserve(rows.size() * static_cast<std::size_t>(width));
    for (const int row : rows) {
        const auto from = neighbours.begin() + row * width;
        ids.insert(ids.end(), from, from + width);
    }
    return Indices(std::move(ids), {static_cast<int64_t>(rows.size()), width});
}

Indices Gaps::words_of(const std::vector<int>& rows) const { return Indices(pick(words, rows)); }

Gaps gaps_in(const std::vector<Sentence>& sentences, const Vocabulary& vocabulary, int left,
             int right) {
    Gaps gaps{.width = left + right, .neighbours = {}, .words = {}};
    for (const Sentence& sentence : sentences) {
        std::vector<int> ids;
        for (const std::string& word : sentence) ids.push_back(vocabulary.id(word));
        const int length = static_cast<int>(ids.size());
        for (int at = 0; at < length; ++at) {
            for (int other = at - left; other <= at + right; ++other) {
                if (other == at) continue;
                gaps.neighbours.push_back(other < 0         ? Vocabulary::bos
                                          : other >= length ? Vocabulary::eos
                                                            : ids[static_cast<std::size_t>(other)]);
            }
            gaps.words.push_back(ids[static_cast<std::size_t>(at)]);
        }
    }
    return gaps;
}

CountedLosses counted_losses(const Gaps& train, const Gaps& test, int vocabulary, int64_t most) {
    constexpr double added = 0.1;
    const auto size = static_cast<std::size_t>(vocabulary);
    std::vector<double> words(size, added), before(size, added * vocabulary);
    std::map<std::pair<int, int>, double> pairs;
    const auto last = [](const Gaps& gaps, int64_t i) {
        return gaps.neighbours[static_cast<std::size_t>((i + 1) * gaps.width - 1)];
    };
    for (int64_t i = 0; i < train.size(); ++i) {
        const int word = train.words[static_cast<std::size_t>(i)];
        ++words[static_cast<std::size_t>(word)];
        ++before[static_cast<std::size_t>(last(train, i))];
        ++pairs[{last(train, i), word}];
    }
    const double all = std::accumulate(words.begin(), words.end(), 0.0);
    CountedLosses losses;
    const int64_t count = std::min(test.size(), most);
    for (int64_t i = 0; i < count; ++i) {
        const int word = test.words[static_cast<std::size_t>(i)], neighbour = last(test, i);
        const auto found = pairs.find({neighbour, word});
        losses.words -= std::log(words[static_cast<std::size_t>(word)] / all);
        losses.pairs -= std::log((added + (found == pairs.end() ? 0 : found->second)) /
                                 before[static_cast<std::size_t>(neighbour)]);
    }
    return {losses.words / static_cast<double>(count), losses.pairs / static_cast<double>(count)};
}

namespace {

// The next word from the number of the last one, without a hidden layer or with one of 64 units.
struct FromNumber {
    Linear hidden, output;
    bool deep;

    FromNumber(int64_t vocabulary, bool has_hidden, Rng& rng)
        : hidden(1, 64, rng), output(has_hidden ? 64 : 1, vocabulary, rng), deep(has_hidden) {}
    template <class F>
    void visit(F&& f) {
        if (deep) f("hidden", hidden);
        f("output", output);
    }
    Tensor operator()(const Indices& ids) const {  // [B, 1] -> [B, V]
        const Tensor x = to_tensor(ids) / static_cast<double>(output.weight.size(0));
        return output(deep ? tanh(hidden(x)) : x);
    }
};

// The next word from the one-hot vector of the last one.
struct FromOneHot {
    Linear output;

    FromOneHot(int64_t vocabulary, Rng& rng) : output(vocabulary, vocabulary, rng) {}
    template <class F>
    void visit(F&& f) {
        f("output", output);
    }
    Tensor operator()(const Indices& ids) const {  // [B, 1] -> [B, V]
        return output(squeeze(one_hot(ids, output.weight.size(0)), 1));
    }
};

}  // namespace

InputLosses losses_of_inputs(const Lesson& lesson, const Texts& texts,
                             const Vocabulary& vocabulary) {
    const Gaps train = gaps_in(texts.train, vocabulary, 1, 0),
               test = gaps_in(texts.test, vocabulary, 1, 0);
    const int64_t V = vocabulary.size();
    const Fitting how{.steps = lesson.quick() ? 300 : 1500, .batch = 256, .lr = 0.03};
    Rng rng(lesson.seed());
    FromNumber line(V, false, rng), deep(V, true, rng);
    FromOneHot one_hot(V, rng);
    fit(line, train, how, rng);
    fit(deep, train, how, rng);
    fit(one_hot, train, how, rng);
    return {counted_losses(train, test, vocabulary.size()), loss_on(line, test),
            loss_on(deep, test), loss_on(one_hot, test)};
}

// --- the lookup ---------------------------------------------------------------------------------

Tensor vectors_of(const Embedding& table, const std::vector<int>& words) {
    return detach(embedding(table.weight, Indices(words)));
}

RandomText random_text(std::uint64_t seed) {
    Rng rng(seed);
    const int64_t V = 500, D = 16;
    std::vector<int> ids;
    for (int i = 0; i < 64; ++i) ids.push_back(static_cast<int>(rng.below(V)));
    RandomText random{.ids = Indices(ids), .table = {}, .covector = {}};
    random.table = normal({V, D}, 0, 1, rng, Dtype::float64);
    random.covector = normal({64, D}, 0, 1, rng, Dtype::float64);
    return random;
}

double largest_in_other_rows(const Tensor& gradients, const Indices& ids) {
    const std::vector<int>& words = ids.values();
    double largest = 0;
    for (int word = 0; word < gradients.size(0); ++word)
        if (std::find(words.begin(), words.end(), word) == words.end())
            largest = std::max(largest, max(abs(select(gradients, 0, word))).item());
    return largest;
}

// --- masks --------------------------------------------------------------------------------------

MaskErrors mask_errors(const std::vector<Sentence>& sentences, const Vocabulary& vocabulary,
                       const Tensor& table, std::uint64_t seed,
                       const std::function<Tensor(const Tensor&, const Tensor&)>& masked_mean) {
    std::vector<std::vector<int>> ids;
    for (std::size_t i = 0; i < 32; ++i) {
        ids.emplace_back();
        for (const std::string& word : sentences.at(i)) ids.back().push_back(vocabulary.id(word));
    }
    const Tensor E = to_dtype(detach(table), Dtype::float64);
    Rng rng(seed);
    const Tensor covector = normal({32, E.size(1)}, 0, 1, rng, Dtype::float64);

    Tensor single = detach(E).set_requires_grad();
    std::vector<Tensor> means;
    for (const std::vector<int>& sentence : ids)
        means.push_back(mean(embedding(single, Indices(sentence)), 0));
    const Tensor alone = stack(means, 0);
    backward(sum(alone * covector));

    const PaddedBatch batch = pad_sequences(ids, Vocabulary::pad);
    const Tensor mask = length_mask(batch.lengths, batch.ids.shape()[1], Dtype::float64);
    const auto change = [](const Tensor& found, const Tensor& right) {
        return (sqrt(sum(square(found - right))) / sqrt(sum(square(right)))).item();
    };
    const auto error = [&](bool masked) {
        Tensor rows = detach(E).set_requires_grad();
        const Tensor vectors = embedding(rows, batch.ids);
        const Tensor found = masked ? masked_mean(vectors, mask) : mean(vectors, 1);
        backward(sum(found * covector));
        return MaskError{change(found, alone), change(rows.grad(), single.grad()),
                         max(abs(select(rows.grad(), 0, Vocabulary::pad))).item()};
    };
    return {error(false), error(true)};
}

// --- vectors ------------------------------------------------------------------------------------

Tensor cosines(const Tensor& vectors) {
    const Tensor unit = vectors / sqrt(sum(square(vectors), 1, true));
    return matmul(unit, transpose(unit));
}

std::vector<std::vector<int>> nearest(const Tensor& vectors, int count) {
    const std::vector<double> all = cosines(vectors).to_vector();
    const auto n = static_cast<std::size_t>(vectors.size(0));
    std::vector<std::vector<int>> found;
    for (std::size_t row = 0; row < n; ++row) {
        std::vector<int> others;
        for (std::size_t i = 0; i < n; ++i)
            if (i != row) others.push_back(static_cast<int>(i));
        const auto closer = [&](int a, int b) {
            return all[row * n + static_cast<std::size_t>(a)] >
                   all[row * n + static_cast<std::size_t>(b)];
        };
        const auto end = others.begin() + std::min<std::ptrdiff_t>(count, std::ssize(others));
        std::partial_sort(others.begin(), end, others.end(), closer);
        found.emplace_back(others.begin(), end);
    }
    return found;
}

Components principal_components(const Tensor& x, int count, Rng& rng) {
    Tensor C = matmul(transpose(x), x) / static_cast<double>(x.size(0) - 1);
    Components found{.directions = {}, .variances = {}, .total = 0};
    for (int64_t d = 0; d < C.size(0); ++d) found.total += C.at({d, d});
    for (int i = 0; i < count; ++i) {
        Tensor v = normal({C.size(0), 1}, 0, 1, rng, Dtype::float64);
        double stretched = 0;
        for (int step = 0; step < 3000; ++step) {
            v = matmul(C, v);
            stretched = sqrt(sum(square(v))).item();
            v = v / stretched;
        }
        found.directions.push_back(squeeze(v, 1));
        found.variances.push_back(stretched);
        C = C - stretched * matmul(v, transpose(v));
    }
    return found;
}

double agreement(const Tensor& vectors, const std::vector<int>& classes) {
    const std::vector<std::vector<int>> found = nearest(vectors, 1);
    double same = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
        same += classes[i] == classes[static_cast<std::size_t>(found[i].at(0))];
    return same / static_cast<double>(found.size());
}

double chance_agreement(const std::vector<int>& classes) {
    std::map<int, double> size;
    for (const int one : classes) ++size[one];
    const auto n = static_cast<double>(classes.size());
    double same = 0;
    for (const auto& [one, count] : size) same += count * (count - 1);
    return same / (n * (n - 1));
}

}  // namespace heed::lesson06
