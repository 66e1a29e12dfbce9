#include "nn/data/batches.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "autograd/base/settings.h"
#include "autograd/base/user_call.h"

namespace heed {

int64_t PaddedBatch::tokens() const {
    return std::accumulate(lengths.begin(), lengths.end(), int64_t{0});
}

PaddedBatch pad_sequences(const std::vector<std::vector<int>>& sequences, Integer padding) {
    check(!sequences.empty(), "pad_sequences: there are no sequences");
    std::size_t longest = 0;
    for (const std::vector<int>& sequence : sequences) longest = std::max(longest, sequence.size());
    std::vector<int> ids, lengths;
    ids.reserve(sequences.size() * longest);
    for (const std::vector<int>& sequence : sequences) {
        ids.insert(ids.end(), sequence.begin(), sequence.end());
        ids.insert(ids.end(), longest - sequence.size(), padding);
        lengths.push_back(static_cast<int>(sequence.size()));
    }
    const auto rows = static_cast<int64_t>(sequences.size());
    return {Indices(std::move(ids), {rows, static_cast<int64_t>(longest)}), Indices(lengths)};
}

Tensor length_mask(const Indices& lengths, int64_t T, Dtype dtype) {
    const UserCall named("length_mask");
    check(lengths.shape().dim() == 1, "length_mask: expected lengths [B], got {}", lengths.shape());
    Tensor mask = empty({lengths.count(), T}, dtype);
    with_dtype(dtype, [&]<class Number>(Number) {
        Number* row = mask.edit<Number>();
        for (int length : lengths) {
            check(length >= 0 && length <= T, "length_mask: length {} is outside 0 to {}", length,
                  T);
            std::fill(row, row + length, Number(1));
            std::fill(row + length, row + T, Number(0));
            row += T;
        }
    });
    return mask;
}

std::vector<std::vector<int>> bucket_batches(const std::vector<int>& lengths,
                                             const BatchOptions& options, Rng& rng) {
    check_positive("bucket_batches", {{"batch_size", options.batch_size}});
    check_not_negative("bucket_batches", {{"tokens", options.tokens}, {"pool", options.pool}});
    for (int length : lengths) check_not_negative("bucket_batches", {{"a length", length}});
    std::vector<int> order(lengths.size());
    std::iota(order.begin(), order.end(), 0);
    rng.shuffle(order);

    // Sort each pool by length. Sentences of equal length keep their random order.
    const std::size_t pool = std::size_t(options.pool) * options.batch_size;
    for (std::size_t begin = 0; pool > 0 && begin < order.size(); begin += pool)
        std::stable_sort(order.begin() + begin,
                         order.begin() + std::min(begin + pool, order.size()),
                         [&](int a, int b) { return lengths[a] < lengths[b]; });

    // Go through the sentences and start a new batch whenever one is full.
    std::vector<std::vector<int>> batches;
    int64_t longest = 0;
    for (int index : order) {
        longest = std::max<int64_t>(longest, lengths[index]);
        const auto next = batches.empty() ? 0 : static_cast<int64_t>(batches.back().size()) + 1;
        const bool full = next == 0 || next > options.batch_size ||
                          (options.tokens > 0 && next * longest > options.tokens);
        if (full) {
            batches.emplace_back();
            longest = lengths[index];
        }
        batches.back().push_back(index);
    }
    rng.shuffle(batches);
    return batches;
}

std::vector<std::vector<int>> random_split(Integer count, const std::vector<double>& shares,
                                           Rng& rng) {
    check_not_negative("random_split", {{"count", count.value}});
    double total = 0;
    for (double share : shares) {
        check_not_negative("random_split", {{"a share", share}});
        total += share;
    }
    check(total <= 1 + 1e-9, "random_split: the shares sum to {}, more than 1", total);
    std::vector<int> order(count);
    std::iota(order.begin(), order.end(), 0);
    rng.shuffle(order);

    std::vector<std::vector<int>> sets;
    double sum = 0;
    int64_t begin = 0;
    for (double share : shares) {
        sum += share;
        const int64_t end =
            std::min<int64_t>(count.value, std::llround(sum * static_cast<double>(count)));
        sets.emplace_back(order.begin() + begin, order.begin() + end);
        std::sort(sets.back().begin(), sets.back().end());
        begin = end;
    }
    return sets;
}

}  // namespace heed
