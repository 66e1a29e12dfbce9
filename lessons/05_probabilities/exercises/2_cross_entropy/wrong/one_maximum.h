// Says: subtract from each row its own largest logit
#include "lessons/course/exercise/write.h"

Tensor my_cross_entropy(const Tensor& logits, const Indices& labels) {
    const Indices column = labels.reshaped({logits.size(0), 1});
    const Tensor z = logits - max(logits);
    return mean(log(sum(exp(z), 1, true)) - gather(z, 1, column));
}
