// Says: a reshape alone
#include "lessons/course/exercise/write.h"

Tensor my_split_heads(const Tensor& x, int64_t H) {
    return reshape(x, {x.size(0), H, x.size(1), x.size(2) / H});
}

Tensor my_join_heads(const Tensor& x) {
    return reshape(transpose(x, 1, 2), {x.size(0), x.size(2), x.size(1) * x.size(3)});
}
