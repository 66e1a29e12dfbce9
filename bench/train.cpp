#include "bench/train.h"

namespace heed::bench {

Indices draw_ids(int64_t rows, int64_t columns, int64_t count, Rng& rng) {
    std::vector<int> ids(rows * columns);
    for (int& id : ids) id = static_cast<int>(rng.below(count));
    return Indices(ids, {rows, columns});
}

Tensor as_numbers(const Indices& ids) {
    return reshape(tensor(std::vector<double>(ids.begin(), ids.end())), {ids.size(0), ids.size(1)});
}

}  // namespace heed::bench
