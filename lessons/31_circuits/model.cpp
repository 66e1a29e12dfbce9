#include "lessons/31_circuits/model.h"

#include <numeric>

namespace heed::lesson31 {

Strings draw_strings(int64_t count, Rng& rng, int period) {
    std::vector<int> in, next, copied, periods;
    std::vector<int> alphabet(letters);
    std::iota(alphabet.begin(), alphabet.end(), 0);
    for (int64_t b = 0; b < count; ++b) {
        const auto n = period ? period : shortest + rng.below(longest - shortest + 1);
        rng.shuffle(alphabet);
        for (int64_t t = 0; t < length; ++t) {  // token t is letter t - 1
            in.push_back(t == 0 ? start : alphabet[static_cast<std::size_t>((t - 1) % n)]);
            next.push_back(alphabet[static_cast<std::size_t>(t % n)]);
            copied.push_back(t > n ? next.back() : -1);
        }
        periods.push_back(static_cast<int>(n));
    }
    const Shape shape{count, length};
    return {Indices(in, shape), Indices(next, shape), Indices(copied, shape), periods};
}

std::string written(const Indices& ids, int64_t row) {
    std::string text;
    for (int64_t t = 0; t < ids.shape()[1]; ++t) {
        const int token = ids.at({row, t});
        text += token == start ? '|' : static_cast<char>('a' + token);
    }
    return text;
}

namespace {

// wanted(b, i, j) as a tensor of 1 and 0.
template <class F>
Tensor marked(const Strings& strings, F wanted) {
    const auto rows = static_cast<int64_t>(strings.period.size());
    std::vector<double> cells;
    for (int64_t b = 0; b < rows; ++b)
        for (int64_t i = 0; i < length; ++i)
            for (int64_t j = 0; j < length; ++j) cells.push_back(wanted(b, i, j));
    return tensor(cells, {rows, length, length});
}

}  // namespace

Tensor letter_before(const Strings& strings) {
    return marked(strings, [](int64_t, int64_t i, int64_t j) {
        return i >= 2 && i <= longest && j == i - 1;
    });
}

Tensor after_earlier(const Strings& strings) {
    return marked(strings, [&](int64_t b, int64_t i, int64_t j) {
        const int n = strings.period[static_cast<std::size_t>(b)];
        return i > n && j >= 2 && j <= i && (i + 1 - j) % n == 0;
    });
}

Indices with_other_letter(const Strings& strings, int64_t position) {
    std::vector<int> ids;
    for (int64_t b = 0; b < strings.in.shape()[0]; ++b) {
        std::vector<bool> used(tokens);
        for (int64_t t = 0; t < length; ++t)
            used[static_cast<std::size_t>(strings.in.at({b, t}))] = true;
        int other = strings.in.at({b, position});
        while (used[static_cast<std::size_t>(other)]) other = (other + 1) % letters;
        for (int64_t t = 0; t < length; ++t)
            ids.push_back(t == position ? other : strings.in.at({b, t}));
    }
    return Indices(ids, strings.in.shape());
}

Reader::Reader(int64_t wide, int64_t heads, int layer_count, Rng& rng)
    : embedding(tokens, wide, rng), positions(length, wide, rng), head(wide, tokens, rng, false) {
    for (int i = 0; i < layer_count; ++i)
        layers.push_back(
            MultiHead({.width = wide, .heads = heads, .bias = false, .output_bias = false}, rng));
}

Tensor Reader::operator()(const Indices& ids) const {
    Tensor x = embedding(ids);  // [B, T, D]
    for (const MultiHead& layer : layers) {
        const Tensor placed = x + positions.weight;
        x = x + layer(placed, placed, x, {.causal = true});
    }
    return head(x);
}

}  // namespace heed::lesson31
