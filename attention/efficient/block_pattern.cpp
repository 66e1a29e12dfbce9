#include "attention/efficient/block_pattern.h"

#include <algorithm>
#include <bit>

#include "autograd/base/error.h"
#include "autograd/base/rng.h"
#include "autograd/base/settings.h"
#include "autograd/tensor/create.h"

namespace heed {

namespace {

// 0, d, 2d, ..., then 1, d + 1, ...: the positions sorted by their remainder modulo d.
std::vector<int> order_of(int64_t length, int64_t dilation) {
    std::vector<int> order;
    for (int64_t remainder = 0; remainder < dilation; ++remainder)
        for (int64_t p = remainder; p < length; p += dilation) order.push_back(static_cast<int>(p));
    return order;
}

// The allowed pairs of one query block: a row of bits for each of its queries and each key block.
struct Row {
    int64_t block;
    std::vector<uint64_t> words;   // [key blocks, block]
    std::vector<int32_t> touched;  // key blocks of which some pair is allowed
    std::vector<bool> is_touched;

    Row(int64_t blocks, int64_t size) : block(size), words(blocks * size), is_touched(blocks) {}
    void clear() {
        for (int32_t b : touched) {
            std::fill_n(words.begin() + b * block, block, 0);
            is_touched[b] = false;
        }
        touched.clear();
    }
    void allow(int64_t query, int64_t key) {  // the query in its block, the key in the sequence
        const int64_t b = key / block;
        if (!is_touched[b]) touched.push_back(static_cast<int32_t>(b));
        is_touched[b] = true;
        words[b * block + query] |= uint64_t(1) << (key % block);
    }
};

}  // namespace

BlockPattern::BlockPattern(int64_t length, const BlockPatternOptions& o) {
    check_positive("BlockPattern", {{"length", length}, {"dilation", o.dilation}});
    check_not_negative(
        "BlockPattern",
        {{"before", o.before}, {"after", o.after}, {"random_blocks", o.random_blocks}});
    check(o.block >= 1 && o.block <= 64, "BlockPattern: a block of {} positions; expected 1 to 64",
          o.block);
    for (int64_t position : o.global)
        check(position >= 0 && position < length,
              "BlockPattern: global position {} in a sequence of length {}", position, length);

    auto made = std::make_shared<Lists>();
    Lists& lists = *made;
    lists.length = length, lists.block = o.block;
    const std::vector<int> order = order_of(length, o.dilation);
    lists.order = Indices(order);
    lists.in_order = std::is_sorted(order.begin(), order.end());
    std::vector<int64_t> index_of(length);  // the opposite: where a position is in the order
    for (int64_t i = 0; i < length; ++i) index_of[order[i]] = i;
    std::vector<bool> is_global(length, false);
    for (int64_t position : o.global) is_global[position] = true;

    lists_ = made;
    Rng rng(o.seed);
    Row row(blocks(), o.block);
    for (int64_t b = 0; b < blocks(); ++b) {
        row.clear();
        const int64_t first = b * o.block, rows = size_of(b);

        // The window and the global positions.
        const auto allow = [&](int64_t r, int64_t key) {
            if (key >= 0 && key < length && (!o.causal || key <= order[first + r]))
                row.allow(r, index_of[key]);
        };
        for (int64_t r = 0; r < rows; ++r) {
            const int64_t position = order[first + r];
            const int64_t back = std::min(o.before, position / o.dilation);
            const int64_t ahead = std::min(o.after, (length - 1 - position) / o.dilation);
            for (int64_t step = -back; step <= ahead; ++step)
                allow(r, position + step * o.dilation);
            for (int64_t key : o.global) allow(r, key);
            if (is_global[position])
                for (int64_t key = 0; key < length; ++key) allow(r, key);
        }

        // Random blocks among those that nothing has been allowed of.
        if (o.random_blocks > 0) {
            const auto block_begin = [&](int64_t k) { return order.begin() + k * o.block; };
            const int last = *std::max_element(block_begin(b), block_begin(b) + rows);
            std::vector<int64_t> free;
            for (int64_t k = 0; k < blocks(); ++k)
                if (!row.is_touched[k] &&
                    (!o.causal ||
                     *std::min_element(block_begin(k), block_begin(k) + size_of(k)) <= last))
                    free.push_back(k);
            rng.shuffle(free);
            free.resize(std::min<std::size_t>(free.size(), o.random_blocks));
            for (int64_t k : free)
                for (int64_t r = 0; r < rows; ++r)
                    for (int64_t j = 0; j < size_of(k); ++j) allow(r, order[k * o.block + j]);
        }

        // The list of this query block.
        std::sort(row.touched.begin(), row.touched.end());
        lists.keys.first.push_back(static_cast<int64_t>(lists.keys.entries.size()));
        for (int32_t k : row.touched) {
            const auto words = row.words.begin() + k * o.block;
            int64_t pairs = 0;
            for (int64_t r = 0; r < rows; ++r) pairs += std::popcount(words[r]);
            const bool whole = pairs == rows * size_of(k);
            const auto mask = static_cast<int32_t>(lists.words.size() / o.block);
            lists.keys.entries.push_back({k, whole ? -1 : mask});
            if (!whole) lists.words.insert(lists.words.end(), words, words + o.block);
            lists.allowed += pairs;
            lists.scores += rows * size_of(k);
        }
    }
    lists.keys.first.push_back(static_cast<int64_t>(lists.keys.entries.size()));
    lists.queries = transposed(lists.keys);
}

BlockPattern::List BlockPattern::transposed(const List& list) {
    const int64_t blocks = static_cast<int64_t>(list.first.size()) - 1;
    List result{std::vector<int64_t>(blocks + 1, 0), std::vector<BlockEntry>(list.entries.size())};
    for (const BlockEntry& entry : list.entries) ++result.first[entry.block + 1];
    for (int64_t b = 0; b < blocks; ++b) result.first[b + 1] += result.first[b];
    std::vector<int64_t> next(result.first.begin(), result.first.end() - 1);
    for (int64_t b = 0; b < blocks; ++b)
        for (const BlockEntry& entry : entries(list, b))
            result.entries[next[entry.block]++] = {static_cast<int32_t>(b), entry.mask};
    return result;
}

Tensor BlockPattern::mask(Dtype dtype, bool block_order) const {
    Tensor dense = zeros({1, length(), length()}, dtype);
    with_dtype(dtype, [&]<class T>(T) {
        T* to = dense.edit<T>();
        const auto position = [&](int64_t index) {
            return block_order ? index : static_cast<int64_t>(order()[index]);
        };
        for (int64_t b = 0; b < blocks(); ++b)
            for (const BlockEntry& entry : keys_of(b))
                for (int64_t r = 0; r < size_of(b); ++r)
                    for (int64_t j = 0; j < size_of(entry.block); ++j)
                        if (allowed_keys(entry, r) >> j & 1)
                            to[position(b * block() + r) * length() +
                               position(entry.block * block() + j)] = 1;
    });
    return dense;
}

}  // namespace heed
