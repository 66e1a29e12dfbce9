#include <vector>

#include "lessons/course/exercise/write.h"

// All states take a step at once: three copies of `a`, moved by 0, 1 and 2 states, are added up.
Tensor my_ctc(const Tensor& p, const std::vector<int>& labels) {
    std::vector<int> z{0};
    for (int label : labels) z.insert(z.end(), {label, 0});
    const int64_t n = std::ssize(z);
    std::vector<double> may(n, 0), start(n, 0);
    start[0] = 1;
    for (int64_t s = 2; s < n; ++s) may[s] = z[s] != 0 && z[s] != z[s - 2];
    const Tensor skips = tensor(may, p.dtype()), said = index_select(p, 1, z);  // [T, n]
    Tensor a = tensor(start, p.dtype());
    for (int64_t t = 0; t < p.size(0); ++t) {
        const Tensor next = slice(pad(a, 0, 1, 0), 0, 0, n),
                     after = slice(pad(a, 0, 2, 0), 0, 0, n);
        a = said[t] * (a + next + skips * after);
    }
    return sum(slice(a, 0, n > 1 ? n - 2 : 0, n));
}
