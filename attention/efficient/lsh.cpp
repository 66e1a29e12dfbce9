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

namespace {

// Of every query and the 2m keys near it, by position, [B H, R, T, 2m]: 1 where it may attend to the key,
// and -ln N, N the number of hashes in which it may.
struct Near {
    Tensor allowed, shift;
};

Near near_keys(const Plan& plan, Dtype dtype) {
    const Shape by_hash{plan.sequences(), plan.hashes, plan.length, 2 * plan.chunk};
    Near near{zeros(by_hash, dtype), zeros(by_hash, dtype)};
    with_dtype(dtype, [&]<class T>(T) {
        T *to_allowed = near.allowed.edit<T>(), *to_shift = near.shift.edit<T>();
        plan.for_each_query([&](int64_t sequence, int64_t i, bool own) {
            for (int64_t r = 0; r < plan.hashes; ++r) {
                int64_t n = ((sequence * plan.hashes + r) * plan.length + i) * 2 * plan.chunk;
                plan.for_each_near(sequence, r, i, [&](int64_t j) {
                    if (j >= 0 && (j != i || own) && plan.together(sequence, r, i, j))
                        if (const int64_t times = plan.times(sequence, i, j); times > 0) {
                            to_allowed[n] = 1;
                            to_shift[n] = static_cast<T>(-std::log(static_cast<double>(times)));
                        }
                    ++n;
                });
            }
        });
    });
    return near;
}

// Rows in the order of positions and in the sorted order of each hash, which is cut into chunks.
class Sorting {
  public:
    explicit Sorting(const Plan& plan)
        : plan_(plan), groups_(plan.sequences() * plan.hashes), width_(2 * plan.chunk) {
        const int64_t slots = plan.slots(), length = plan.length;
        std::vector<int> rows(plan.at), places(plan.slot), rows_of_hashes(plan.at);
        for (int64_t n = 0; n < groups_ * slots; ++n) {
            rows[n] += static_cast<int>(n / slots / plan.hashes * length);
            rows_of_hashes[n] += static_cast<int>(n / slots * length);
        }
        for (int64_t n = 0; n < groups_ * length; ++n)
            places[n] += static_cast<int>(n / length * slots);
        rows_ = Indices(rows), places_ = Indices(places), rows_of_hashes_ = Indices(rows_of_hashes);
    }

    // The rows of x [B, H, T, D] at every slot, [groups, chunks, m, D]. A slot that is filled up has those of
    // position 0, and is not read again.
    Tensor sorted(const Tensor& x) const { return at_slots(x, rows_); }
    // The same for x [B H, R, T, 2m], which has rows of its own for each hash.
    Tensor sorted_by_hash(const Tensor& x) const { return at_slots(x, rows_of_hashes_); }
    // The opposite: x [groups, chunks, m, D] -> [B H, R, T, D].
    Tensor unsorted(const Tensor& x) const {
        const Tensor rows = reshape(x, {groups_ * plan_.slots(), x.size(3)});
        return reshape(index_select(rows, 0, places_),
                       {plan_.sequences(), plan_.hashes, plan_.length, x.size(3)});
    }
    // Each chunk behind the one before it, [groups, chunks, 2m, D].
    Tensor with_chunk_before(const Tensor& x) const {
        return concat({slice(pad(x, 1, 1, 0), 1, 0, plan_.chunks), x}, 2);
    }
    // [B H, R, T, 2m] -> [B H, T, R 2m], and back.
    Tensor side_by_side(const Tensor& x) const {
        return reshape(transpose(x, 1, 2),
                       {plan_.sequences(), plan_.length, plan_.hashes * width_});
    }
    Tensor by_hash(const Tensor& x) const {
        return transpose(reshape(x, {plan_.sequences(), plan_.length, plan_.hashes, width_}), 1, 2);
    }

  private:
    Tensor at_slots(const Tensor& x, const Indices& rows) const {
        const Tensor of_all = reshape(x, {x.size(0) * x.size(1) * x.size(2), x.size(3)});
        return reshape(index_select(of_all, 0, rows),
                       {groups_, plan_.chunks, plan_.chunk, x.size(3)});
    }
    const Plan& plan_;
    int64_t groups_, width_;
    Indices rows_, places_, rows_of_hashes_;
};

}  // namespace

// Rows of scores are computed for sorted queries, chunk by chunk. They are then brought back to the
// order of positions, where the rows of all hashes lie side by side and one softmax goes over them;
// and the weights go to the sorted order again, to be multiplied with the values.
Tensor lsh_attention(const Tensor& qk, const Tensor& v, const LshOptions& o) {
    const Shapes in("lsh_attention", {{"qk", qk, "B H T D"}, {"v", v, "B H T D'"}});
    check_options(qk, o, "lsh_attention");
    const Plan plan(qk, o);
    const Near near = near_keys(plan, qk.dtype());
    const Sorting order(plan);
    const Tensor near_slots = order.sorted_by_hash(near.allowed);

    const Tensor q = order.sorted(qk * scale_of_scores(o.scale, qk, "lsh_attention"));
    const Tensor k = order.sorted(unit_keys(without_masked(qk, o.mask)));
    const Tensor products = scores_of_pairs(q, order.with_chunk_before(k), near_slots);
    const Tensor scores = order.unsorted(products) + near.shift;  // [B H, R, T, 2m]
    const Tensor weights =
        order.by_hash(masked_softmax(order.side_by_side(scores), order.side_by_side(near.allowed)));

    const Tensor values = order.with_chunk_before(order.sorted(v));
    const Tensor contexts =
        order.unsorted(context_of_pairs(order.sorted_by_hash(weights), values, near_slots));
    return reshape(sum(contexts, {1}), {in["B"], in["H"], in["T"], in["D'"]});
}

}  // namespace heed
