// Says: the positions are one too far
#include <cmath>
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_broken_law() { return "pieces"; }

struct Model {
    Tensor words;              // [V, D], a row for each character
    Tensor positions;          // [M, D], a row for each position
    Tensor query, key, value;  // [D, D]
};

struct Cache {
    Tensor keys, values;  // [P, D]; not defined before the first piece
};

Tensor my_read(const Model& model, Cache& cache, const Indices& ids) {  // [N] -> [N, V]
    const int64_t N = ids.count(), P = cache.keys.defined() ? cache.keys.size(0) : 0;
    const Tensor x = embedding(model.words, ids) +
                     slice(model.positions, 0, P > 0 ? P + 1 : 0, P > 0 ? P + N + 1 : N);
    const Tensor k = matmul(x, model.key), v = matmul(x, model.value);
    cache.keys = P > 0 ? concat({cache.keys, k}, 0) : k;
    cache.values = P > 0 ? concat({cache.values, v}, 0) : v;
    const Tensor scores = matmul(matmul(x, model.query), transpose(cache.keys)) /
                          std::sqrt(static_cast<double>(x.size(1)));
    const Tensor allowed = slice(causal_mask(P + N, x.dtype()), 1, P, P + N);
    const Tensor context = matmul(masked_softmax(scores, select(allowed, 0, 0)), cache.values);
    return matmul(x + context, transpose(model.words));
}
