// Sums of many numbers whose error does not grow with their count. Added one after another, 4,000,000
// times 0.1 in float32 is 3.9 % short: the sum soon is so large that most of each new number is
// rounded away. Here
//
//   * a few neighbours are added to each other first, so that numbers of like size meet (pairwise,
//     or a short block of registers);
//   * what such a block gives is added with compensation: what the addition rounds away is kept and
//     added to the next number (Kahan 1965, with Knuth's two-sum, which asks for no order of sizes).
//
// The second costs ten instructions, but only one block of eight registers or more pays them, so that
// the loops still wait for memory and not for arithmetic.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "autograd/base/growing_buffer.h"
#include "autograd/kernels/registers.h"

namespace heed {
inline namespace HEED_REGISTERS {

// So many numbers may be added one after another. Of more, float32 loses too much.
inline constexpr int64_t few_terms = 32;

// sum + lost is what was added, nearly exactly; `lost` is less than the last place of the sum. V is a
// number or a register.
template <class V>
struct Compensated {
    V sum = V(0), lost = V(0);

    void add(V x) {
        const V next = x + lost, total = sum + next, added = total - sum;
        const V rest = (sum - (total - added)) + (next - added);
        // An infinite sum has lost nothing; ∞ - ∞ would turn it into NaN.
        if constexpr (std::is_floating_point_v<V>)
            lost = total - total == 0 ? rest : V(0);
        else
            lost = where(total - total == V(0), rest, V(0));
        sum = total;
    }
    V value() const { return sum + lost; }
};

// Sums over the registers of a row, several at once: f(i, count, sums) adds the terms of the numbers
// i to i + count to each of the registers in `sums`. Sixteen registers make a block.
template <class T, std::size_t sums, class F>
std::array<T, sums> row_sums(int64_t n, const F& f) {
    constexpr int64_t block = 16 * Vec<T>::lanes;
    std::array<Compensated<Vec<T>>, sums> totals;
    for (int64_t first = 0; first < n; first += block) {
        std::array<Vec<T>, sums> part;
        part.fill(Vec<T>(0.0));
        each_register<T>(std::min(block, n - first),
                         [&](int64_t i, auto count) { f(first + i, count, part); });
        for (std::size_t k = 0; k < sums; ++k)
            first == 0 ? void(totals[k].sum = part[k]) : totals[k].add(part[k]);
    }
    std::array<T, sums> results;
    for (std::size_t k = 0; k < sums; ++k) results[k] = sum(totals[k].value());
    return results;
}

// One sum: f(i, count) is the register of terms.
template <class T, class F>
T row_sum(int64_t n, const F& f) {
    return row_sums<T, 1>(n, [&](int64_t i, auto count, auto& sums) { sums[0] += f(i, count); })[0];
}

// Sums of columns, for kernels that meet one row of terms after another: they add it to terms(),
// and call next_row() after each. Every few_terms rows the terms are added to the sums, with
// compensation.
template <class T>
class ColumnSums {
  public:
    // In 3 n numbers of zeros, which stay the caller's.
    ColumnSums(T* zeros, int64_t n) : terms_(zeros), sum_(zeros + n), lost_(zeros + 2 * n), n_(n) {}

    T* terms() { return terms_; }
    void next_row() {
        if (++rows_ % few_terms == 0) add_terms();
    }
    // The sums, n of them.
    const T* finish() {
        add_terms();
        each_register<T>(n_, [&](int64_t i, auto count) {
            put(Compensated<Vec<T>>{take(sum_ + i, count), take(lost_ + i, count)}.value(),
                sum_ + i, count);
        });
        return sum_;
    }

  private:
    void add_terms() {
        each_register<T>(n_, [&](int64_t i, auto count) {
            Compensated<Vec<T>> total{take(sum_ + i, count), take(lost_ + i, count)};
            total.add(take(terms_ + i, count));
            put(total.sum, sum_ + i, count);
            put(total.lost, lost_ + i, count);
            put(Vec<T>(0.0), terms_ + i, count);
        });
    }

    T *terms_ = nullptr, *sum_ = nullptr, *lost_ = nullptr;
    int64_t n_ = 0, rows_ = 0;
};

// The same for `rows` rows, added to n numbers. A few rows are added there at once; only more of them need
// memory of their own, which is taken from `buffer`.
template <class T>
class ColumnSumsInto {
  public:
    ColumnSumsInto(T* to, int64_t n, int64_t rows, GrowingBuffer<T>& buffer)
        : to_(to),
          apart_(rows > few_terms ? n : 0),
          zeros_(buffer.reserve(3 * apart_)),
          sums_(zeros_, apart_) {
        std::fill_n(zeros_, 3 * apart_, T(0));
    }

    T* terms() { return apart_ > 0 ? sums_.terms() : to_; }
    void next_row() { sums_.next_row(); }
    void finish() {
        const T* total = sums_.finish();
        for (int64_t j = 0; j < apart_; ++j) to_[j] += total[j];
    }

  private:
    T* to_ = nullptr;
    int64_t apart_ = 0;  // how many numbers are added up apart from `to`: all or none
    T* zeros_ = nullptr;
    ColumnSums<T> sums_;
};

// to[j] += Σ row(i)[j] over `count` rows of `width` numbers.
template <class T, class Row>
void add_rows(T* to, int64_t width, int64_t count, const Row& row) {
    GrowingBuffer<T> buffer;
    ColumnSumsInto<T> sums(to, width, count, buffer);
    for (int64_t i = 0; i < count; ++i, sums.next_row()) {
        const T* x = row(i);
        T* terms = sums.terms();
        for (int64_t j = 0; j < width; ++j) terms[j] += x[j];
    }
    sums.finish();
}

}  // namespace HEED_REGISTERS
}  // namespace heed
