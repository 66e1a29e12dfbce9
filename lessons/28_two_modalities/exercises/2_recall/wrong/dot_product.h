// Says: a long vector wins every dot product
#include "lessons/course/exercise/write.h"

double my_recall(const Tensor& scores, int64_t k) {
    const int64_t N = scores.size(0);
    double found = 0;
    for (int64_t i = 0; i < N; ++i) {
        int64_t better = 0;
        for (int64_t j = 0; j < N; ++j) better += j != i && scores.at({i, j}) >= scores.at({i, i});
        found += better < k;
    }
    return found / static_cast<double>(N);
}

Indices my_classes(const Tensor& pictures, const Tensor& captions) {
    return argmax(matmul(pictures, transpose(captions)), 1);
}
