#include "lessons/w3_batches/data.h"

namespace heed::workshop3 {

course::Points measurements(int count, Rng& rng) {
    std::vector<double> x, t;
    for (int i = 0; i < count; ++i) {
        double sum = 0.5 * rng.normal();
        for (int k = 0; k < measured; ++k) {
            x.push_back(rng.normal());
            if (k < 2) sum += x.back();
        }
        t.push_back(sum > 0);
    }
    return {tensor(x, {count, measured}), tensor(t, {count})};
}

}  // namespace heed::workshop3
