#include "lessons/course/exercise/write.h"

// Log-sum-exp, shifted by the largest logit of each row, minus the logit of what happened. If both
// are taken of the shifted logits, the shift cancels.
Tensor my_cross_entropy(const Tensor& logits, const Indices& labels) {
    const Tensor z = logits - max(logits, 1, true);                         // [N, C], at most 0
    const Tensor happened = gather(z, 1, labels.reshaped({z.size(0), 1}));  // [N, 1]
    return mean(log(sum(exp(z), 1, true)) - happened);
}
