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

// Fills the lists of a pattern, one query block b after another.
struct BlockPattern::Builder {
    const BlockPattern& pattern;
    const BlockPatternOptions& o;
    Lists& lists;
    std::vector<int> order = order_of(lists.length, o.dilation);
    std::vector<int64_t> index_of =
        std::vector<int64_t>(lists.length);  // the opposite: where a position is
    std::vector<bool> is_global = std::vector<bool>(lists.length, false);
    Rng rng{o.seed};
    Row row{pattern.blocks(), o.block};

    void fill() {
        lists.order = Indices(order);
        lists.in_order = std::is_sorted(order.begin(), order.end());
        for (int64_t i = 0; i < lists.length; ++i) index_of[order[i]] = i;
        for (int64_t position : o.global) is_global[position] = true;
        for (int64_t b = 0; b < pattern.blocks(); ++b) {
            row.clear();
            allow_window_and_global(b);
            if (o.random_blocks > 0) allow_random_blocks(b);
            note_keys_of(b);
        }
        lists.keys.first.push_back(static_cast<int64_t>(lists.keys.entries.size()));
        lists.queries = transposed(lists.keys);
    }

    // Query r of block b may attend to this key, if there is one and it is not later.
    void allow(int64_t b, int64_t r, int64_t key) {
        if (key >= 0 && key < lists.length && (!o.causal || key <= order[b * o.block + r]))
            row.allow(r, index_of[key]);
    }

    void allow_window_and_global(int64_t b) {
        for (int64_t r = 0; r < pattern.size_of(b); ++r) {
            const int64_t position = order[b * o.block + r];
            const int64_t back = std::min(o.before, position / o.dilation);
            const int64_t ahead = std::min(o.after, (lists.length - 1 - position) / o.dilation);
            for (int64_t step = -back; step <= ahead; ++step)
                allow(b, r, position + step * o.dilation);
            for (int64_t key : o.global) allow(b, r, key);
            if (is_global[position])
                for (int64_t key = 0; key < lists.length; ++key) allow(b, r, key);
        }
    }

    // Random blocks among those from which no key is allowed yet.
    void allow_random_blocks(int64_t b) {
        const auto positions_of = [&](int64_t k) {
            return std::span(order.data() + k * o.block, pattern.size_of(k));
        };
        const auto own = positions_of(b);
        const int last = *std::max_element(own.begin(), own.end());
        const auto first_of = [&](int64_t k) {
            const auto all = positions_of(k);
            return *std::min_element(all.begin(), all.end());
        };
        std::vector<int64_t> free;
        for (int64_t k = 0; k < pattern.blocks(); ++k)
            if (!row.is_touched[k] && (!o.causal || first_of(k) <= last)) free.push_back(k);
        rng.shuffle(free);
        free.resize(std::min<std::size_t>(free.size(), o.random_blocks));
        for (int64_t k : free)
            for (int64_t r = 0; r < pattern.size_of(b); ++r)
                for (int key : positions_of(k)) allow(b, r, key);
    }

    void note_keys_of(int64_t b) {
        const int64_t rows = pattern.size_of(b);
        std::sort(row.touched.begin(), row.touched.end());
        lists.keys.first.push_back(static_cast<int64_t>(lists.keys.entries.size()));
        for (int32_t k : row.touched) {
            const auto words = row.words.begin() + k * o.block;
            int64_t pairs = 0;
            for (int64_t r = 0; r < rows; ++r) pairs += std::popcount(words[r]);
            const bool whole = pairs == rows * pattern.size_of(k);
            const auto mask = static_cast<int32_t>(lists.words.size() / o.block);
            lists.keys.entries.push_back({k, whole ? -1 : mask});
            if (!whole) lists.words.insert(lists.words.end(), words, words + o.block);
            lists.allowed += pairs;
            lists.scores += rows * pattern.size_of(k);
        }
    }
};

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
    const auto lists = std::make_shared<Lists>();
    lists->length = length, lists->block = o.block;
    lists_ = lists;
    Builder{.pattern = *this, .o = o, .lists = *lists}.fill();
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
