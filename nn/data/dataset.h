// Data sets of pairs (x, y) and their batches, for data whose examples all have one shape.
// (Sentences of different lengths: batches.h.)
//
//     TensorDataset data(x, labels);                       // x [N, 28, 28], labels [N]
//     auto sets = random_split(data, {0.8, 0.2}, rng);     // training and validation set
//     DataLoader loader(sets[0], {.batch_size = 64, .shuffle = true, .drop_last = true}, rng);
//
//     for (int epoch = 0; epoch < 10; ++epoch)
//         for (const auto& batch : loader)                 // one epoch
//             ... model(batch.x), batch.y ...
//
// or, with train():
//
//     train(optimiser, {.epochs = 10, .epoch_steps = loader.batches()}, [&](int64_t) {
//         const auto batch = loader.next();
//         return StepResult{cross_entropy(model(batch.x), batch.y), batch.size()};
//     });
//
// x and y are a Tensor or an Indices each: pictures and labels, numbers and numbers, tokens and
// labels.
#pragma once

#include <iterator>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "autograd/base/rng.h"
#include "autograd/base/settings.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/index/indexing.h"
#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"
#include "nn/data/batches.h"

namespace heed {

namespace data_detail {

struct Rows {
    static Tensor of(const Tensor& x, const std::vector<int>& rows) {
        check_range(Indices(rows), x.size(0), "TensorDataset", "the examples");
        return index_select(detach(x), 0, Indices(rows));
    }
    static Indices of(const Indices& x, const std::vector<int>& rows) {
        const int64_t width = x.size(0) > 0 ? x.count() / x.size(0) : 0;
        check_range(Indices(rows), x.size(0), "TensorDataset", "the examples");
        std::vector<int> values;
        values.reserve(rows.size() * width);
        for (int row : rows)
            values.insert(values.end(), x.begin() + row * width, x.begin() + (row + 1) * width);
        Shape shape = x.shape();
        shape[0] = static_cast<int64_t>(rows.size());
        return Indices(std::move(values), shape);
    }
};

}  // namespace data_detail

// N examples: the first axis of x and of y counts them. A batch is a data set of a few examples.
template <class X, class Y>
struct TensorDataset {
    X x;  // [N, ...]
    Y y;  // [N, ...]

    // Throws when the numbers of examples differ.
    TensorDataset(X xs, Y ys) : x(std::move(xs)), y(std::move(ys)) {
        const UserCall named("TensorDataset");
        const Shape& a = x.shape();
        const Shape& b = y.shape();
        check(a.count > 0 && b.count > 0 && a[0] == b[0],
              "TensorDataset: expected x [N, ...] and y [N, ...] with the same N, got {} and {}", a,
              b);
    }

    int64_t size() const { return x.shape()[0]; }
    // The examples with these indices, in this order. Throws for an index outside [0, size).
    TensorDataset rows(const std::vector<int>& indices) const {
        return {data_detail::Rows::of(x, indices), data_detail::Rows::of(y, indices)};
    }
};

// Shuffles the examples and splits them into sets of the given shares, as random_split() of
// batches.h.
template <class X, class Y>
std::vector<TensorDataset<X, Y>> random_split(const TensorDataset<X, Y>& data,
                                              const std::vector<double>& shares, Rng& rng) {
    std::vector<TensorDataset<X, Y>> sets;
    for (const std::vector<int>& indices : random_split(static_cast<int>(data.size()), shares, rng))
        sets.push_back(data.rows(indices));
    return sets;
}

struct LoaderOptions {
    int64_t batch_size = 1;
    bool shuffle = false;    // a new order for every epoch
    bool drop_last = false;  // leave out the last batch of an epoch if it is smaller
};

// Batches of a data set, epoch after epoch. Options and defaults are those of PyTorch's DataLoader.
//
// A loop goes through an epoch of its own, in an order that belongs to it: other loops and next() do not
// disturb it, nor it them. A loop that is left before its end leaves nothing behind; the next one
// begins a new epoch.
template <class X, class Y>
class DataLoader {
  public:
    using Batch = TensorDataset<X, Y>;

    // Shuffling uses a generator of its own, split from `rng`.
    DataLoader(TensorDataset<X, Y> data, const LoaderOptions& options, Rng& rng)
        : DataLoader(std::move(data), options, rng.split(), true) {}
    // Without a generator. Throws if `shuffle` is set.
    explicit DataLoader(TensorDataset<X, Y> data, const LoaderOptions& options = {})
        : DataLoader(std::move(data), options, Rng(0), false) {}

    const TensorDataset<X, Y>& data() const { return data_; }
    int64_t batches() const {  // in one epoch
        const int64_t size = data_.size(), batch = options_.batch_size;
        return options_.drop_last ? size / batch : (size + batch - 1) / batch;
    }

    // The next batch; after the last one of an epoch, the first one of the next epoch.
    Batch next() {
        if (order_.empty() || at_ == batches()) {
            order_ = new_epoch();
            at_ = 0;
        }
        return batch(order_, at_++);
    }
    int64_t epoch() const { return epoch_; }  // how many epochs were begun, by next() and by loops
    // The position of next() in the data, for checkpoints (nn/saved/saved_state.h).
    template <class F>
    void visit_state(F&& f) {
        f("rng", rng_), f("order", order_), f("at", at_), f("epoch", epoch_);
    }

    // for (const auto& batch : loader) goes through one epoch, which starts there.
    class Iterator {
      public:
        using value_type = Batch;
        using difference_type = std::ptrdiff_t;

        Batch operator*() const { return loader_->batch(*order_, i_); }
        Iterator& operator++() {
            ++i_;
            return *this;
        }
        void operator++(int) { ++*this; }
        bool operator==(std::default_sentinel_t) const { return i_ == loader_->batches(); }

      private:
        friend DataLoader;
        Iterator(const DataLoader* loader, std::vector<int> order)
            : loader_(loader), order_(std::make_shared<const std::vector<int>>(std::move(order))) {}
        const DataLoader* loader_ = nullptr;
        std::shared_ptr<const std::vector<int>> order_;
        int64_t i_ = 0;
    };
    Iterator begin() { return Iterator(this, new_epoch()); }
    std::default_sentinel_t end() const { return {}; }

  private:
    DataLoader(TensorDataset<X, Y> data, const LoaderOptions& options, Rng rng, bool has_rng)
        : data_(std::move(data)), options_(options), rng_(std::move(rng)) {
        check_positive("DataLoader", {{"batch_size", options.batch_size}});
        check(has_rng || !options.shuffle,
              "DataLoader: shuffling needs a generator: DataLoader(data, options, rng)");
        check(batches() > 0, "DataLoader: {} examples make no batch of {}{}", data_.size(),
              options.batch_size, options.drop_last ? " when the last one is dropped" : "");
    }
    // The order of the examples in a new epoch.
    std::vector<int> new_epoch() {
        std::vector<int> order(static_cast<std::size_t>(data_.size()));
        std::iota(order.begin(), order.end(), 0);
        if (options_.shuffle) rng_.shuffle(order);
        ++epoch_;
        return order;
    }
    Batch batch(const std::vector<int>& order, int64_t i) const {
        const int64_t begin = i * options_.batch_size;
        const int64_t end = std::min(begin + options_.batch_size, data_.size());
        return data_.rows({order.begin() + begin, order.begin() + end});
    }

    TensorDataset<X, Y> data_;
    LoaderOptions options_;
    Rng rng_;
    std::vector<int> order_;  // of next(), in its epoch; empty before the first
    int64_t at_ = 0, epoch_ = 0;
};

}  // namespace heed
