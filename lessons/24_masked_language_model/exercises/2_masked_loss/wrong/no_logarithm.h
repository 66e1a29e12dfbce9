// Says: the mean is taken of p, not of -ln p
#include "lessons/course/exercise/write.h"

Tensor my_masked_loss(const Tensor& logits, const Indices& labels) {  // [B, T, V], [B, T] -> []
    const Tensor log_p = reshape(softmax(logits), {labels.count(), logits.size(-1)});
    Tensor total = sum(log_p) * 0.;  // nothing yet, but already a part of the graph
    double asked = 0;
    for (int64_t i = 0; i < labels.count(); ++i) {
        if (labels[i] == -100) continue;
        total = total + select(select(log_p, 0, i), 0, labels[i]);
        ++asked;
    }
    return asked > 0 ? total / asked : total;
}
