// Says: the last occurrence of a word replaces the earlier ones
#include <vector>

#include "lessons/course/exercise/write.h"

Tensor my_one_hot(const Indices& ids, int64_t V) {
    std::vector<double> numbers(ids.count() * V, 0);
    for (int64_t i = 0; i < ids.count(); ++i) {
        check(ids[i] >= 0 && ids[i] < V, "the id {} is not in a table of {} rows", ids[i], V);
        numbers[i * V + ids[i]] = 1;
    }
    return tensor(numbers, {ids.count(), V});
}

Tensor my_lookup(const Tensor& table, const Indices& ids) {
    return matmul(to_dtype(my_one_hot(ids, table.size(0)), table.dtype()), table);
}

Tensor my_table_gradient(const Indices& ids, const Tensor& g, int64_t V) {
    const int64_t D = g.size(1);
    const std::vector<double> arrives = g.to_vector();
    std::vector<double> result(V * D, 0);
    for (int64_t i = 0; i < ids.count(); ++i)
        for (int64_t d = 0; d < D; ++d) result[ids[i] * D + d] = arrives[i * D + d];
    return tensor(result, {V, D}, g.dtype());
}
