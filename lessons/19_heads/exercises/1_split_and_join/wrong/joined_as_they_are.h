// Says: without exchanging the axes back
#include "lessons/course/exercise/write.h"

Tensor my_split_heads(const Tensor& x, int64_t H) {
    return transpose(reshape(x, {x.size(0), x.size(1), H, x.size(2) / H}), 1, 2);
}

Tensor my_join_heads(const Tensor& x) {
    return reshape(x, {x.size(0), x.size(2), x.size(1) * x.size(3)});
}
