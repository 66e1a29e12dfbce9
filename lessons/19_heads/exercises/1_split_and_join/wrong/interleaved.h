// Says: every second number goes to the same head
#include "lessons/course/exercise/write.h"

Tensor my_split_heads(const Tensor& x, int64_t H) {
    return transpose(transpose(reshape(x, {x.size(0), x.size(1), x.size(2) / H, H}), 2, 3), 1, 2);
}

Tensor my_join_heads(const Tensor& x) {
    return reshape(transpose(x, 1, 2), {x.size(0), x.size(2), x.size(1) * x.size(3)});
}
