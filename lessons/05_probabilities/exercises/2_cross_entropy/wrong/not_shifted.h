// Says: a probability was rounded to 0 before its logarithm
#include "lessons/course/exercise/write.h"

Tensor my_cross_entropy(const Tensor& logits, const Indices& labels) {
    const Indices column = labels.reshaped({logits.size(0), 1});
    return mean(log(sum(exp(logits), 1, true)) - gather(logits, 1, column));
}
