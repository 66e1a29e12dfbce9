#include "attention/efficient/lsh.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "attention/efficient/key_mask.h"
#include "attention/scores/pairs.h"
#include "attention/scores/score.h"
#include "autograd/base/parallel.h"
#include "autograd/base/settings.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/fused/softmax.h"
#include "autograd/ops/index/indexing.h"
#include "autograd/ops/product/matmul.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/tensor/random.h"
#include "autograd/tensor/shapes.h"

namespace heed {

namespace {

void check_options(const Tensor& qk, const LshOptions& o, const char* operation) {
    check_positive(operation, {{"buckets", o.buckets}, {"chunk", o.chunk}, {"hashes", o.hashes}});
    check(o.buckets % 2 == 0, "buckets is {}; expected an even number", o.buckets);
    efficient_detail::mask_of_keys(o.mask, qk, operation);  // throws for a mask of another shape
}

// Everything about hashing, as plain numbers. Group g is one hash of one head of one sequence,
// [B, H, R] in row-major order.
struct Plan {
    int64_t batch, heads, hashes, length, chunk, chunks;
    bool causal;
    Indices buckets;      // [B, H, R, T]
    std::vector<int> at;  // [groups, slots]: the position at each slot of the sorted order; filled
                          // up with position 0 beyond the length
    std::vector<int> slot;   // [groups, T]: the opposite
    std::vector<bool> open;  // [B, H, T]: may be attended to

    int64_t slots() const { return chunks * chunk; }
    int64_t sequences() const { return batch * heads; }

    Plan(const Tensor& qk, const LshOptions& o)
        : batch(qk.size(0)),
          heads(qk.size(1)),
          hashes(o.hashes),
          length(qk.size(2)),
          chunk(o.chunk),
          chunks((length + chunk - 1) / chunk),
          causal(o.causal),
          buckets(lsh_buckets(qk, o)),
          at(sequences() * hashes * slots(), 0),
          slot(sequences() * hashes * length),
          open(sequences() * length, true) {
        for (int64_t g = 0; g < sequences() * hashes; ++g) {
            int* order = at.data() + g * slots();
            std::iota(order, order + length, 0);
            const int* bucket = buckets.data() + g * length;
            std::stable_sort(order, order + length,
                             [&](int a, int b) { return bucket[a] < bucket[b]; });
            for (int64_t s = 0; s < length; ++s) slot[g * length + order[s]] = static_cast<int>(s);
        }
        for (int64_t i = 0; i < sequences() * length; ++i)
            open[i] = buckets[i / length * hashes * length + i % length] != o.buckets;
    }

    // Whether hash r of a sequence brings query i and key j together, the own position included.
    bool together(int64_t sequence, int64_t r, int64_t i, int64_t j) const {
        const int64_t g = (sequence * hashes + r) * length;
        const int64_t back = slot[g + i] / chunk - slot[g + j] / chunk;
        return buckets[g + i] == buckets[g + j] && (back == 0 || back == 1);
    }
    // In how many hashes query i may attend to key j.
    int64_t times(int64_t sequence, int64_t i, int64_t j) const {
        if (!open[sequence * length + j] || (causal && j > i)) return 0;
        int64_t count = 0;
        for (int64_t r = 0; r < hashes; ++r) count += together(sequence, r, i, j);
        return count;
    }
    // f(j) for the keys in the chunk of query i and in the one before it, in the order of hash r; -1
    // stands for no key.
    template <class F>
    void for_each_near(int64_t sequence, int64_t r, int64_t i, const F& f) const {
        const int64_t g = sequence * hashes + r, own = slot[g * length + i] / chunk;
        for (int64_t s = (own - 1) * chunk; s < (own + 1) * chunk; ++s)
            f(s < 0 || s >= length ? -1 : static_cast<int64_t>(at[g * slots() + s]));
    }
    bool sees_others(int64_t sequence, int64_t i) const {
        bool some = false;
        for (int64_t r = 0; r < hashes; ++r)
            for_each_near(sequence, r, i, [&](int64_t j) {
                some = some || (j >= 0 && j != i && times(sequence, i, j) > 0);
            });
        return some;
    }
    // f(sequence, i, own): for all queries on all threads; own: whether i attends to itself.
    template <class F>
    void for_each_query(const F& f) const {
        parallel_for(sequences() * length, 64, [&](int64_t begin, int64_t end) {
            for (int64_t n = begin; n < end; ++n)
                f(n / length, n % length, !sees_others(n / length, n % length));
        });
    }
};

// q / |q|; a vector of zeros stays as it is.
Tensor unit_keys(const Tensor& qk) {
    const Tensor length = norm(qk, 2, {-1}, true);
    return qk / (length + (length == 0.0));
}

}  // namespace

Indices lsh_buckets(const Tensor& qk, const LshOptions& o) {
    const Shapes in("lsh_buckets", {{"qk", qk, "B H T D"}});
    check_options(qk, o, "lsh_buckets");
    Rng rng(o.seed);
    const Tensor rotations = normal({o.hashes, in["D"], o.buckets / 2}, 0, 1, rng, qk.dtype());
    const Tensor rotated =
        matmul(unsqueeze(detach(qk), 2), rotations);  // [B, H, R, T, buckets / 2]
    const Indices hash = argmax(concat({rotated, -rotated}, -1), -1);
    const Tensor mask = efficient_detail::mask_of_keys(o.mask, qk, "lsh_buckets");
    if (!mask.defined()) return hash;
    const Tensor all = expand(unsqueeze(mask, 2), {in["B"], in["H"], o.hashes, 1, in["T"]});
    const std::vector<double> open = all.to_vector();
    std::vector<int> values = hash.values();
    for (std::size_t i = 0; i < values.size(); ++i)
        if (open[i] == 0) values[i] = static_cast<int>(o.buckets);
    return Indices(values, hash.shape());
}

Tensor lsh_mask(const Tensor& qk, const LshOptions& o) {
    const Shapes in("lsh_mask", {{"qk", qk, "B H T D"}});
    check_options(qk, o, "lsh_mask");
    const Plan plan(qk, o);
    Tensor mask = zeros({plan.batch, plan.heads, plan.length, plan.length}, qk.dtype());
    with_dtype(qk.dtype(), [&]<class T>(T) {
        T* to = mask.edit<T>();
        plan.for_each_query([&](int64_t sequence, int64_t i, bool own) {
            T* row = to + (sequence * plan.length + i) * plan.length;
            for (int64_t r = 0; r < plan.hashes; ++r)
                plan.for_each_near(sequence, r, i, [&](int64_t j) {
                    if (j >= 0 && plan.times(sequence, i, j) > 0 && (j != i || own)) row[j] = 1;
                });
        });
    });
    return mask;
}

AttentionOutput lsh_definition(const Tensor& qk, const Tensor& v, const LshOptions& o) {
    const Shapes in("lsh_definition", {{"qk", qk, "B H T D"}, {"v", v, "B H T D'"}});
    check_options(qk, o, "lsh_definition");
    const Tensor mask = lsh_mask(qk, o), keys = unit_keys(without_masked(qk, o.mask));
    const double scale = scale_of_scores(o.scale, qk, "lsh_definition");
    return soft_attention(scores_of_pairs(qk * scale, keys, mask), v, mask);
}

// Rows of scores are computed for sorted queries, chunk by chunk. They are then brought back to the
// order of positions, where the rows of all hashes lie side by side and one softmax goes over them;
// and the weights go to the sorted order again, to be multiplied with the values.
Tensor lsh_attention(const Tensor& qk, const Tensor& v, const LshOptions& o) {
    const Shapes in("lsh_attention", {{"qk", qk, "B H T D"}, {"v", v, "B H T D'"}});
    check_options(qk, o, "lsh_attention");
    const Plan plan(qk, o);
    const int64_t sequences = plan.sequences(), groups = sequences * plan.hashes, m = plan.chunk,
                  length = plan.length;
    const Shape by_hash{sequences, plan.hashes, length, 2 * m};

    // Mask and -ln N of every query and the 2m keys near it, by position: [B H, R, T, 2m].
    Tensor near = zeros(by_hash, qk.dtype()), shift = zeros(by_hash, qk.dtype());
    with_dtype(qk.dtype(), [&]<class T>(T) {
        T *to_near = near.edit<T>(), *to_shift = shift.edit<T>();
        plan.for_each_query([&](int64_t sequence, int64_t i, bool own) {
            for (int64_t r = 0; r < plan.hashes; ++r) {
                int64_t n = ((sequence * plan.hashes + r) * length + i) * 2 * m;
                plan.for_each_near(sequence, r, i, [&](int64_t j) {
                    if (j >= 0 && (j != i || own) && plan.together(sequence, r, i, j))
                        if (const int64_t times = plan.times(sequence, i, j); times > 0) {
                            to_near[n] = 1;
                            to_shift[n] = static_cast<T>(-std::log(static_cast<double>(times)));
                        }
                    ++n;
                });
            }
        });
    });

    // Rows of x [B, H, T, ...] at every slot, and rows [groups, slots, ...] at every position.
    std::vector<int> row_at(plan.at), row_of(plan.slot);
    for (int64_t n = 0; n < groups * plan.slots(); ++n)
        row_at[n] += static_cast<int>(n / plan.slots() / plan.hashes * length);
    for (int64_t n = 0; n < groups * length; ++n)
        row_of[n] += static_cast<int>(n / length * plan.slots());
    const Indices sort_rows(row_at), unsort_rows(row_of);
    const auto sorted = [&](const Tensor& x) {  // -> [groups, chunks, m, ...]
        const Tensor rows = reshape(x, {sequences * length, x.size(3)});
        return reshape(index_select(rows, 0, sort_rows), {groups, plan.chunks, m, x.size(3)});
    };
    const auto unsorted = [&](const Tensor& x, int64_t width) {  // -> [B H, R, T, ...]
        const Tensor rows = reshape(x, {groups * plan.slots(), width});
        return reshape(index_select(rows, 0, unsort_rows), {sequences, plan.hashes, length, width});
    };
    const auto with_chunk_before = [&](const Tensor& x) {  // -> [groups, chunks, 2m, ...]
        const Tensor before = slice(pad(x, 1, 1, 0), 1, 0, plan.chunks);
        return concat({before, x}, 2);
    };

    // Rows at every position, [B H, R, T, 2m], at every slot. A slot that is filled up has those of
    // position 0, and is not read again.
    std::vector<int> rows_at_slots(plan.at);
    for (int64_t n = 0; n < groups * plan.slots(); ++n)
        rows_at_slots[n] += static_cast<int>(n / plan.slots() * length);
    const Indices position_rows(rows_at_slots);
    const auto at_slots = [&](const Tensor& x) {  // -> [groups, chunks, m, 2m]
        return reshape(index_select(reshape(x, {groups * length, 2 * m}), 0, position_rows),
                       {groups, plan.chunks, m, 2 * m});
    };

    const Tensor near_slots = at_slots(near), keys = unit_keys(without_masked(qk, o.mask));
    const double scale = scale_of_scores(o.scale, qk, "lsh_attention");
    const Tensor products =
        scores_of_pairs(sorted(qk * scale), with_chunk_before(sorted(keys)), near_slots);
    const Tensor scores = unsorted(products, 2 * m) + shift;  // [B H, R, T, 2m]
    const auto side_by_side = [&](const Tensor& x) {          // -> [B H, T, R 2m]
        return reshape(transpose(x, 1, 2), {sequences, length, plan.hashes * 2 * m});
    };
    const Tensor weights = masked_softmax(side_by_side(scores), side_by_side(near));

    const Tensor by_position =
        transpose(reshape(weights, {sequences, length, plan.hashes, 2 * m}), 1, 2);
    const Tensor contexts =
        unsorted(context_of_pairs(at_slots(by_position), with_chunk_before(sorted(v)), near_slots),
                 v.size(3));
    return reshape(sum(contexts, {1}), {plan.batch, plan.heads, length, v.size(3)});
}

}  // namespace heed
