// Mistakes in Transformers that still train, each caught by the law meant for it: a decoder that
// does not use the encoder output, a mask that allows later tokens, a cache with wrong contents.
#include <functional>

#include "attention/attention.h"
#include "tests/attention/float64.h"
#include "tests/autograd/compare.h"

using namespace heed;

namespace {

constexpr int64_t T = 3;  // tokens, and the length of the memory

TransformerDecoderLayer make_layer() {
    Rng rng(1);
    TransformerDecoderLayer layer({.width = 4, .heads = 2, .pre_norm = true}, rng);
    to_dtype(layer, f64);
    return layer;
}

using Reader = std::function<Tensor(const Tensor& x, const Tensor& memory)>;

// x [1, T, D] with something random added to row `position`.
Tensor moved(const Tensor& x, int64_t position) {
    std::vector<Tensor> rows = unbind(x, 1);
    rows[position] = rows[position] + numbers({1, x.size(2)}, 3);
    return stack(rows, 1);
}
bool feels(const Tensor& before, const Tensor& after, int64_t t) {
    return largest_difference(select(after, 1, t), select(before, 1, t)) > 1e-9;
}

// Law: every vector of the memory changes every output.
bool reads_the_memory(const Reader& decoder) {
    const Tensor x = numbers({1, T, 4}, 1), memory = numbers({1, T, 4}, 2);
    const Tensor before = decoder(x, memory);
    for (int64_t position = 0; position < T; ++position) {
        const Tensor after = decoder(x, moved(memory, position));
        for (int64_t t = 0; t < T; ++t)
            if (!feels(before, after, t)) return false;
    }
    return true;
}

// Law: a token changes the outputs at its own and at later positions, and no earlier one.
bool is_causal(const Reader& decoder) {
    const Tensor x = numbers({1, T, 4}, 1), memory = numbers({1, T, 4}, 2);
    const Tensor before = decoder(x, memory);
    for (int64_t position = 0; position < T; ++position) {
        const Tensor after = decoder(moved(x, position), memory);
        for (int64_t t = 0; t < T; ++t)
            if (feels(before, after, t) != (t >= position)) return false;
    }
    return true;
}

// Law: tokens one at a time with a cache give the same as all at once.
using OneByOne = std::function<Tensor(const Tensor& x)>;
bool cache_agrees(const SelfAttention& layer, const OneByOne& one_by_one) {
    const Tensor x = numbers({1, 4, 4});
    return largest_difference(one_by_one(x), layer(x, {.causal = true})) < 1e-12;
}

SelfAttention turning() {
    Rng rng(2);
    SelfAttention layer({.width = 4, .heads = 2}, {.kind = PositionKind::rotary}, rng);
    to_dtype(layer, f64);
    return layer;
}

// step(token [1, 1, D]) for every token of x [1, T, D].
template <class Step>
Tensor each(const Tensor& x, const Step& step) {
    std::vector<Tensor> contexts;
    for (int64_t t = 0; t < x.size(1); ++t) contexts.push_back(step(slice(x, 1, t, t + 1)));
    return concat(contexts, 1);
}

// Attention of a token to cached keys and values, to which it adds its own.
Tensor with_cache(const MultiHead& heads, const Tensor& query, const KeyValue& now,
                  KeyValue& cache) {
    cache.key = cache.key.defined() ? concat({cache.key, now.key}, 2) : now.key;
    cache.value = cache.value.defined() ? concat({cache.value, now.value}, 2) : now.value;
    return heads.attend(query, cache.key, cache.value);
}

}  // namespace

TEST_CASE("a decoder uses the encoder output; one that attends to itself is caught",
          "[laws][attention]") {
    const TransformerDecoderLayer layer = make_layer();
    CHECK(reads_the_memory(
        [&](const Tensor& x, const Tensor& memory) { return layer(x, memory, {.causal = true}); }));
    // Keys and values of the target instead of the source. The shapes fit if the lengths are equal.
    CHECK_FALSE(reads_the_memory(
        [&](const Tensor& x, const Tensor&) { return layer(x, x, {.causal = true}); }));
    // A causal mask on cross-attention: early tokens do not see the end of the source.
    CHECK_FALSE(reads_the_memory([&](const Tensor& x, const Tensor& memory) {
        return layer(x, memory, {.causal = true, .memory_mask = causal_mask(T, f64)});
    }));
    // Only the last state of the source, as a fixed context.
    CHECK_FALSE(reads_the_memory([&](const Tensor& x, const Tensor& memory) {
        return layer(x, slice(memory, 1, T - 1, T), {.causal = true});
    }));
}

TEST_CASE("a decoder does not look ahead; the wrong masks are caught", "[laws][attention]") {
    const TransformerDecoderLayer layer = make_layer();
    const auto masked = [&](const Tensor& mask, bool causal) {
        return [=, &layer](const Tensor& x, const Tensor& memory) {
            return layer(x, memory, {.mask = mask, .causal = causal});
        };
    };
    CHECK(is_causal(masked({}, true)));
    CHECK(is_causal(masked(causal_mask(T, f64), false)));
    CHECK_FALSE(is_causal(masked({}, false)));                                    // forgotten
    CHECK_FALSE(is_causal(masked(transpose(causal_mask(T, f64)), false)));        // the wrong way
    CHECK_FALSE(is_causal(masked(1 - causal_mask(T, f64), false)));               // inverted
    CHECK_FALSE(is_causal(masked(sliding_window_mask(T, T, T, 1, f64), false)));  // one too far
    // The attention is right, but the target was not shifted: the input at t is token t + 1.
    CHECK_FALSE(is_causal([&](const Tensor& x, const Tensor& memory) {
        const Tensor ahead = concat({slice(x, 1, 1, T), slice(x, 1, 0, 1)}, 1);
        return layer(ahead, memory, {.causal = true});
    }));
}

TEST_CASE("wrong caches are caught", "[laws][attention]") {
    const SelfAttention layer = turning();
    const MultiHead& heads = layer.multi_head;
    const auto split_query = [&](const Tensor& x) { return heads.split_heads(heads.query(x)); };
    CHECK(cache_agrees(layer, [&](const Tensor& x) {
        KeyValueCache cache;
        return each(x, [&](const Tensor& token) {
            return layer(token, {.causal = true, .cache = &cache});
        });
    }));
    // The right cache by hand; each version below has one mistake more.
    CHECK(cache_agrees(layer, [&](const Tensor& x) {
        KeyValue cache;
        int64_t position = 0;
        return each(x, [&](const Tensor& token) {
            KeyValue now = keys_and_values(heads, token);
            now.key = rotary(now.key, position);
            return with_cache(heads, rotary(split_query(token), position++), now, cache);
        });
    }));
    // No cache: every token attends to itself only.
    CHECK_FALSE(cache_agrees(layer, [&](const Tensor& x) {
        return each(x, [&](const Tensor& token) { return layer(token, {.causal = true}); });
    }));
    // Every token rotated as if it were the first.
    CHECK_FALSE(cache_agrees(layer, [&](const Tensor& x) {
        KeyValue cache;
        return each(x, [&](const Tensor& token) {
            return with_cache(heads, split_query(token), keys_and_values(heads, token), cache);
        });
    }));
    // All keys rotated again at every step, also the earlier ones.
    CHECK_FALSE(cache_agrees(layer, [&](const Tensor& x) {
        KeyValue cache;
        int64_t position = 0;
        return each(x, [&](const Tensor& token) {
            if (cache.key.defined()) cache.key = rotary(cache.key, 0);
            KeyValue now = keys_and_values(heads, token);
            now.key = rotary(now.key, position);
            return with_cache(heads, rotary(split_query(token), position++), now, cache);
        });
    }));
    // The value of the newest token is left out and the one before it used twice.
    CHECK_FALSE(cache_agrees(layer, [&](const Tensor& x) {
        KeyValue cache;
        int64_t position = 0;
        Tensor before;
        return each(x, [&](const Tensor& token) {
            KeyValue now = keys_and_values(heads, token);
            now.key = rotary(now.key, position);
            std::swap(now.value, before);
            if (!now.value.defined()) now.value = before;
            return with_cache(heads, rotary(split_query(token), position++), now, cache);
        });
    }));
}
