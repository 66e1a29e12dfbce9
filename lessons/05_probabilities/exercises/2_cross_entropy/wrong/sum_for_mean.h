// Says: the sum is taken over the rows, not the mean
#include "lessons/course/exercise/write.h"

Tensor my_cross_entropy(const Tensor& logits, const Indices& labels) {
    const Indices column = labels.reshaped({logits.size(0), 1});
    const Tensor z = logits - max(logits, 1, true);
    return sum(log(sum(exp(z), 1, true)) - gather(z, 1, column));
}
