// Says: to expect that keys are lost
#include <algorithm>
#include <string>
#include <vector>

#include "lessons/course/exercise/write.h"

std::string my_broken_law() { return "every key counts"; }

Tensor my_attention(const Tensor& of_q, const Tensor& of_k, const Tensor& values, int64_t chunk) {
    const int64_t T = of_q.size(0), M = of_q.size(1), V = values.size(1);
    Tensor S = zeros({M, V}, values.dtype()), z = zeros({M}, values.dtype());
    std::vector<Tensor> contexts;
    for (int64_t first = 0; first < T; first += chunk) {
        const int64_t last = std::min(first + chunk, T);
        const Tensor q = slice(of_q, 0, first, last), k = slice(of_k, 0, first, last),
                     v = slice(values, 0, first, last);
        const Tensor inside = tril(matmul(q, transpose(k)));
        const Tensor above = matmul(q, S) + matmul(inside, v);
        const Tensor below = unsqueeze(matmul(q, z), 1) + sum(inside, 1, true);
        contexts.push_back(above / below);
        S = S + matmul(transpose(k), v);
        z = z + sum(k, 0);
    }
    return concat(contexts, 0);
}
