// Says: a probability was rounded to 0 before its logarithm
#include "lessons/course/exercise/write.h"

Tensor my_cross_entropy(const Tensor& logits, const Indices& labels) {
    const Indices column = labels.reshaped({logits.size(0), 1});
    const Tensor e = exp(logits - max(logits, 1, true));
    return mean(-log(gather(e / sum(e, 1, true), 1, column)));
}
