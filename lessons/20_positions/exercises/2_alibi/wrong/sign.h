// Says: a penalty is subtracted from the score, not added
#include <cmath>
#include <vector>

#include "lessons/course/exercise/write.h"

std::vector<double> my_slopes(int64_t H) {
    std::vector<double> slopes;
    for (int64_t h = 1; h <= H; ++h) slopes.push_back(std::pow(2., -8. * h / H));
    return slopes;
}

Tensor my_penalties(int64_t H, int64_t Q, int64_t K) {  // [H, Q, K]
    std::vector<double> penalties;
    for (const double m : my_slopes(H))
        for (int64_t i = 0; i < Q; ++i)
            for (int64_t j = 0; j < K; ++j)
                penalties.push_back(m * static_cast<double>(std::abs(K - Q + i - j)));
    return tensor(penalties, {H, Q, K});
}
