// The kernels are those of tiled_attention.cpp with other loops. Forward goes through the query blocks
// and, for each, through runs of neighbouring key blocks: up to 256 keys are one product. Backward
// goes through the key blocks and runs of neighbouring query blocks. The formulas of both are in
// tiled_attention.cpp and plain_attention.cpp.
#include "attention/efficient/block_sparse.h"

#include <algorithm>
#include <cmath>

#include "attention/fused/running_softmax.h"
#include "attention/fused/scaled_dot_product.h"
#include "attention/fused/tiles.h"
#include "attention/scores/mask.h"
#include "attention/scores/score.h"
#include "autograd/ops/elementwise/compare.h"
#include "autograd/ops/index/indexing.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/record.h"
#include "autograd/tensor/shapes.h"

namespace heed {

using namespace tiles;

namespace {

constexpr int64_t largest_block = 64;

// Entries of one list whose blocks are neighbours.
struct Run {
    std::span<const BlockEntry> entries;
    int64_t first, count;  // the positions of its blocks, in block order
};

// f(run) for all entries of a list, in runs of at most key_tile positions.
template <class F>
void for_each_run(const BlockPattern& pattern, std::span<const BlockEntry> entries, const F& f) {
    const std::size_t most = key_tile / pattern.block();
    for (std::size_t begin = 0, end; begin < entries.size(); begin = end) {
        for (end = begin + 1; end < entries.size() && end - begin < most &&
                              entries[end].block == entries[end - 1].block + 1;)
            ++end;
        const int64_t first = entries[begin].block * pattern.block();
        const int64_t last = entries[end - 1].block;
        f(Run{entries.subspan(begin, end - begin), first,
              last * pattern.block() + pattern.size_of(last) - first});
    }
}

// Which keys of the pattern and of the caller's mask a query may attend to.
template <class T>
struct Allowed {
    const BlockPattern& pattern;
    ScoreRules<T> rules;  // the caller's mask

    // Sets the scores of one query, number r of its block, with the keys of an entry to -∞ where the
    // pattern does not allow the pair.
    void hide(T* s, const BlockEntry& entry, int64_t r) const {
        const uint64_t keys = pattern.allowed_keys(entry, r);
        const int64_t count = pattern.size_of(entry.block);
        if (entry.mask < 0) return;
        for (int64_t j = 0; j < count; ++j) s[j] = keys >> j & 1 ? s[j] : -infinity;
    }
    bool allows(const BlockEntry& entry, int64_t row, int64_t i, int64_t j) const {
        return (pattern.allowed_keys(entry, i % pattern.block()) >> j & 1) &&
               rules.allows(row, i, entry.block * pattern.block() + j);
    }
    // For the plain loops over a head whose first query is in row `first` of [B H T].
    auto pairs(int64_t first) const {
        return [this, first](int64_t i, int64_t key) -> PlainPair<T> {
            const int64_t b = key / pattern.block();
            const auto entries = pattern.keys_of(i / pattern.block());
            const auto entry = std::lower_bound(
                entries.begin(), entries.end(), b,
                [](const BlockEntry& one, int64_t block) { return one.block < block; });
            return {entry != entries.end() && entry->block == b &&
                        allows(*entry, first + i, i, key % pattern.block()),
                    0, 1};
        };
    }
    bool allows_some(int64_t row, int64_t i) const {
        for (const BlockEntry& entry : pattern.keys_of(i / pattern.block()))
            for (int64_t j = 0; j < pattern.size_of(entry.block); ++j)
                if (allows(entry, row, i, j)) return true;
        return false;
    }
};

// --- forward ------------------------------------------------------------------------------------

template <class T>
struct Forward {
    const Tensor &q, &k, &v, &y;  // y: for the layout of the context, [B, H, T, D']
    double scale;
    Allowed<T> allowed;
    T *context, *log_sum;
    int64_t parts;

    // Query blocks part, part + parts, ... of a head.
    void operator()(int64_t head, int64_t part) const {
        Workspace<T>& space = workspace<T>();
        const BlockPattern& pattern = allowed.pattern;
        const Matrix<const T> qs = rows_of<T>(q, head), ks = rows_of<T>(k, head),
                              vs = rows_of<T>(v, head);
        const Matrix<T> ys = rows_to(context, y, head);
        T* s = space.weights.reserve(largest_block * key_tile);
        for (int64_t b = part; b < pattern.blocks(); b += parts) {
            const int64_t i = b * pattern.block(), queries = pattern.size_of(b);
            const auto q_block = scaled(some_rows(qs, i, queries), scale, space.queries);
            const Matrix<T> y_block = some_rows(ys, i, queries);
            Running<T> running[largest_block];
            bool first = true;
            for_each_run(pattern, pattern.keys_of(b), [&](const Run& run) {
                gemm(q_block, transposed(some_rows(ks, run.first, run.count)),
                     Matrix<T>{s, queries, run.count, key_tile, 1});
                for (int64_t r = 0; r < queries; ++r) {
                    T* scores = s + r * key_tile;
                    allowed.rules.apply(scores, head * qs.rows + i + r, i + r, run.first,
                                        run.count);
                    for (const BlockEntry& entry : run.entries)
                        allowed.hide(scores + entry.block * pattern.block() - run.first, entry, r);
                    const T shrink = add_keys(scores, run.count, running[r]);
                    if (!first && shrink != 1)
                        multiply_row(y_block.data + r * y_block.row_stride, y_block.columns,
                                     shrink);
                }
                gemm(Matrix<const T>{s, queries, run.count, key_tile, 1},
                     some_rows(vs, run.first, run.count), y_block, !first);
                first = false;
            });
            for (int64_t r = 0; r < queries; ++r) {
                T* row = &y_block(r, 0);
                finish(row, y_block.columns, running[r], head * qs.rows + i + r, i + r);
                if (!all_finite(row, ys.columns) && running[r].sum == running[r].sum) [[unlikely]]
                    PlainHead{qs, ks, vs, static_cast<T>(scale), allowed.pairs(head * qs.rows)}
                        .forward(i + r, ys);
            }
        }  // query blocks
    }

  private:
    // A sum of 0 means that no key is allowed, or that all allowed scores are -∞: then it is 0 / 0.
    void finish(T* y_row, int64_t width, const Running<T>& running, int64_t row, int64_t i) const {
        if (running.sum == 0 && !allowed.allows_some(row, i)) {
            std::fill_n(y_row, width, T(0));
            log_sum[row] = infinity;
        } else {
            multiply_row(y_row, width, 1 / running.sum);
            log_sum[row] = running.largest + std::log(running.sum);
        }
    }
};

struct Result {
    Tensor context;  // [B, H, T, D'], in storage [B, T, H, D']
    Tensor log_sum;  // [B, H, T]: ln Σ e^score over the allowed keys, +∞ if there is none
};

Shape shape_of_scores(const Tensor& q) { return {q.size(0), q.size(1), q.size(2), q.size(2)}; }

AttentionCall dense_options(const BlockSparseOptions& options) {
    return {.mask = options.mask, .scale = options.scale};
}

Result forward_pass(const Tensor& q, const Tensor& k, const Tensor& v, const BlockPattern& pattern,
                    const BlockSparseOptions& options) {
    const int64_t heads = q.size(0) * q.size(1);
    const Tensor qs = contiguous_rows(q), ks = contiguous_rows(k), vs = contiguous_rows(v);
    const int64_t parts = parts_for(heads, pattern.blocks());
    Tensor y = with_heads_inside({q.size(0), q.size(1), q.size(2), v.size(3)}, q.dtype());
    Tensor log_sum = empty({q.size(0), q.size(1), q.size(2)}, q.dtype());
    with_dtype(q.dtype(), [&]<class T>(T) {
        divide_work(heads, parts, heads * pattern.scores() * (q.size(3) + v.size(3)),
                    Forward<T>{.q = qs,
                               .k = ks,
                               .v = vs,
                               .y = y,
                               .scale = options.scale,
                               .allowed = {pattern, {shape_of_scores(q), dense_options(options)}},
                               .context = y.edit<T>(),
                               .log_sum = log_sum.edit<T>(),
                               .parts = parts});
    });
    return {y, log_sum};
}

// --- backward -----------------------------------------------------------------------------------

template <class T>
struct Backward {
    const Tensor &g, &q, &k, &v, &y;
    const Tensor &dq, &dk, &dv;  // for their layouts
    double scale;
    Allowed<T> allowed;
    const T* log_sum;
    std::vector<T*> to_q;  // one dq for each part, zeros
    T *to_k, *to_v;

    // Key blocks part, part + parts, ... of a head.
    void operator()(int64_t head, int64_t part) const {
        Workspace<T>& space = workspace<T>();
        const BlockPattern& pattern = allowed.pattern;
        const Matrix<const T> qs = rows_of<T>(q, head), ks = rows_of<T>(k, head),
                              vs = rows_of<T>(v, head), gs = rows_of<T>(g, head);
        const Matrix<T> dqs = rows_to(to_q[part], dq, head), dks = rows_to(to_k, dk, head),
                        dvs = rows_to(to_v, dv, head);
        T* s = space.weights.reserve(largest_block * key_tile);
        T* ds = space.gradients.reserve(largest_block * key_tile);
        const T* delta = row_products(gs, rows_of<T>(y, head), space.numbers);  // δ = Σ g y

        for (int64_t b = part; b < pattern.blocks(); b += std::ssize(to_q)) {
            const int64_t first_key = b * pattern.block(), keys = pattern.size_of(b);
            const Matrix<const T> k_block = some_rows(ks, first_key, keys),
                                  v_block = some_rows(vs, first_key, keys);
            const auto blocks = pattern.queries_of(b);  // as many runs at most
            TileSum<T> dk_sum(some_rows(dks, first_key, keys), blocks.size(), space.key_sums);
            TileSum<T> dv_sum(some_rows(dvs, first_key, keys), blocks.size(), space.value_sums);
            for_each_run(pattern, blocks, [&](const Run& run) {
                const Matrix<const T> q_run = some_rows(qs, run.first, run.count),
                                      g_run = some_rows(gs, run.first, run.count);
                gemm(scaled(q_run, scale, space.queries), transposed(k_block),
                     Matrix<T>{s, run.count, keys, largest_block, 1});
                gemm(g_run, transposed(v_block), Matrix<T>{ds, run.count, keys, largest_block, 1});
                for (const BlockEntry& entry : run.entries) {
                    const BlockEntry mine{static_cast<int32_t>(b), entry.mask};
                    const int64_t i = entry.block * pattern.block(), row = i - run.first;
                    for (int64_t r = 0; r < pattern.size_of(entry.block); ++r)
                        one_row(s + (row + r) * largest_block, ds + (row + r) * largest_block, mine,
                                head * qs.rows + i + r, i + r, delta[i + r]);
                }
                const Matrix<const T> weights{s, run.count, keys, largest_block, 1},
                    gradients{ds, run.count, keys, largest_block, 1};
                dv_sum.add_product(transposed(weights), g_run);
                dk_sum.add_product(transposed(gradients), q_run);
                gemm(gradients, k_block, some_rows(dqs, run.first, run.count), true);
            });
            dk_sum.finish();
            dv_sum.finish();
        }  // key blocks
    }

  private:
    // Replaces the scores s of query i with the keys of a block by their weights, and ds, which holds
    // the products g · v, by the gradients of the scores.
    void one_row(T* s, T* ds, const BlockEntry& keys, int64_t row, int64_t i, T delta) const {
        const BlockPattern& pattern = allowed.pattern;
        const int64_t count = pattern.size_of(keys.block);
        allowed.rules.apply(s, row, i, keys.block * pattern.block(), count);
        allowed.hide(s, keys, i % pattern.block());
        if (std::isfinite(delta))  // or else there is a NaN or an infinity: see tiled_attention.cpp
            return weights_and_gradients(s, ds, count, log_sum[row], delta, scale);
        bad_weights_and_gradients(s, ds, count, log_sum[row], delta, scale);
        for (int64_t j = 0; j < count; ++j)
            if (!allowed.allows(keys, row, i, j)) s[j] = ds[j] = 0;
    }
};

std::array<Tensor, 3> backward_pass(const Tensor& g, const Tensor& q, const Tensor& k,
                                    const Tensor& v, const Result& forward,
                                    const BlockPattern& pattern,
                                    const BlockSparseOptions& options) {
    const int64_t heads = q.size(0) * q.size(1);
    const int64_t parts = parts_for(heads, pattern.blocks());
    const Tensor qs = contiguous_rows(q), ks = contiguous_rows(k), vs = contiguous_rows(v);
    const Tensor gs = contiguous_rows(g);
    QueryGradients dq(q, parts);
    Tensor dk = new_gradient(k), dv = new_gradient(v);
    with_dtype(q.dtype(), [&]<class T>(T) {
        divide_work(heads, parts, heads * pattern.scores() * (q.size(3) + v.size(3)),
                    Backward<T>{.g = gs,
                                .q = qs,
                                .k = ks,
                                .v = vs,
                                .y = forward.context,
                                .dq = dq.first(),
                                .dk = dk,
                                .dv = dv,
                                .scale = options.scale,
                                .allowed = {pattern, {shape_of_scores(q), dense_options(options)}},
                                .log_sum = forward.log_sum.data<T>(),
                                .to_q = dq.data<T>(),
                                .to_k = dk.edit<T>(),
                                .to_v = dv.edit<T>()});
    });
    std::array<Tensor, 3> gradients{dq.sum(), dk, dv};
    with_dtype(q.dtype(), [&]<class T>(T) {
        const Allowed<T> allowed{pattern, {shape_of_scores(q), dense_options(options)}};
        repair_gradients<T>(
            gs, qs, ks, vs, forward.log_sum, options.scale, true,
            [&](int64_t head) { return allowed.pairs(head * q.size(2)); }, gradients);
    });
    return gradients;
}

// --- the operation ------------------------------------------------------------------------------

// Checks all arguments, and returns the options with the scale set.
BlockSparseOptions checked(const Tensor& q, const Tensor& k, const Tensor& v,
                           const BlockPattern& pattern, BlockSparseOptions options,
                           const char* operation) {
    const Shapes in(operation, {{"q", q, "B H T D"}, {"k", k, "B H T D"}, {"v", v, "B H T D'"}},
                    {{"T", pattern.length()}}, "the pattern was made for this length");
    check_mask(options.mask, shape_of_scores(q), operation);
    if (options.mask.defined()) options.mask = mask_to_dtype(detach(options.mask), q.dtype());
    options.scale = scale_of_scores(options.scale, q, operation);
    return options;
}

// Exact attention under the pattern and the caller's mask.
AttentionOutput dense(const Tensor& q, const Tensor& k, const Tensor& v,
                      const BlockPattern& pattern, const BlockSparseOptions& options,
                      bool block_order) {
    const Tensor mask = unsqueeze(pattern.mask(q.dtype(), block_order), 1);  // [1, 1, T, T]
    return scaled_dot_product_definition(
        q, k, v, {.mask = combine({options.mask, mask}), .scale = options.scale});
}

// The operation on positions in block order.
Tensor in_block_order(const Tensor& q, const Tensor& k, const Tensor& v,
                      const BlockPattern& pattern, const BlockSparseOptions& options) {
    const Result forward = forward_pass(q, k, v, pattern, options);
    const Tensor context = record_fused(
        "block_sparse_attention", transpose(forward.context, 1, 2),
        std::array{q, k, v, options.mask},  // the last one is a constant
        [=](const Tensor& q1, const Tensor& k1, const Tensor& v1, const Tensor&) {
            return transpose(dense(q1, k1, v1, pattern, options, true).context, 1, 2);
        },
        [=, log_sum = forward.log_sum](const Tensor& g, const Tensor& y) {
            auto [dq, dk, dv] = backward_pass(transpose(g, 1, 2), q, k, v,
                                              {transpose(y, 1, 2), log_sum}, pattern, options);
            return std::array{dq, dk, dv, Tensor()};
        });
    return transpose(context, 1, 2);
}

// The mask with its queries and keys in block order.
Tensor mask_in_order(Tensor mask, const Indices& order) {
    if (!mask.defined()) return mask;
    for (int axis : {mask.dim() - 2, mask.dim() - 1})
        if (axis >= 0 && mask.size(axis) > 1) mask = index_select(mask, axis, order);
    return mask;
}

}  // namespace

AttentionOutput block_sparse_definition(const Tensor& q, const Tensor& k, const Tensor& v,
                                        const BlockPattern& pattern,
                                        const BlockSparseOptions& given) {
    return dense(q, k, v, pattern, checked(q, k, v, pattern, given, "block_sparse_definition"),
                 false);
}

Tensor block_sparse_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                              const BlockPattern& pattern, const BlockSparseOptions& given) {
    BlockSparseOptions options = checked(q, k, v, pattern, given, "block_sparse_attention");
    if (pattern.in_order()) return in_block_order(q, k, v, pattern, options);

    const Indices& order = pattern.order();
    options.mask = mask_in_order(options.mask, order);
    const auto sorted = [&](const Tensor& x) { return index_select(x, 2, order); };
    // index_add puts element i back to position order[i].
    return index_add({v.size(0), v.size(1), v.size(2), v.size(3)}, 2, order,
                     in_block_order(sorted(q), sorted(k), sorted(v), pattern, options));
}

}  // namespace heed
