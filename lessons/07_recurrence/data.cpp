#include "lessons/07_recurrence/data.h"

#include "autograd/autograd.h"

namespace heed::lesson07 {

Problems adding_problems(int count, int length, Rng& rng) {
    std::vector<double> x(2 * count * length), t(count);
    for (int b = 0; b < count; ++b) {
        double* row = &x[2 * b * length];
        for (int i = 0; i < length; ++i) row[2 * i] = rng.uniform();
        const int half = length / 2;
        for (int64_t i : {rng.below(half), half + rng.below(length - half)}) {
            row[2 * i + 1] = 1;
            t[b] += row[2 * i];
        }
    }
    return {tensor(x, {count, length, 2}), tensor(t, {count})};
}

}  // namespace heed::lesson07
