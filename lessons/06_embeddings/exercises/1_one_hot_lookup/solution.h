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

// V D multiplications for each id, nearly all with 0. A library copies the row.
Tensor my_lookup(const Tensor& table, const Indices& ids) {
    return matmul(to_dtype(my_one_hot(ids, table.size(0)), table.dtype()), table);
}

// The gradient of the right factor of X E is X^T g. Row i of X^T has a 1 for each occurrence of
// word i, so the product adds up the gradients of all its occurrences.
Tensor my_table_gradient(const Indices& ids, const Tensor& g, int64_t V) {
    return matmul(transpose(to_dtype(my_one_hot(ids, V), g.dtype())), g);
}
