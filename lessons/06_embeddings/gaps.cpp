#include "lessons/06_embeddings/gaps.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace heed::lesson06 {

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
