// Says: only one of the two terms is shifted
#include "lessons/course/exercise/write.h"

Tensor my_cross_entropy(const Tensor& logits, const Indices& labels) {
    const Indices column = labels.reshaped({logits.size(0), 1});
    const Tensor z = logits - max(logits, 1, true);
    return mean(log(sum(exp(z), 1, true)) - gather(logits, 1, column));
}
