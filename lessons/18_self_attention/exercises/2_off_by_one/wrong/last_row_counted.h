// Says: the last row has no later token to read
#include <vector>

#include "lessons/course/exercise/write.h"

double my_leak(int64_t T) { return static_cast<double>(T); }

Tensor my_causal_mask(int64_t Q, int64_t K) {  // [Q, K]
    std::vector<double> mask;
    for (int64_t i = 0; i < Q; ++i)
        for (int64_t j = 0; j < K; ++j) mask.push_back(j <= K - Q + i ? 1 : 0);
    return tensor(mask, {Q, K});
}
