#include "lessons/w9_kernels/pictures.h"

#include "attention/heads/pooling.h"
#include "autograd/autograd.h"

namespace heed::workshop9 {

using namespace course;

void show_three_points(AtCall lesson) {
    const auto column = [](const std::vector<double>& x) {
        return tensor(x, {1, static_cast<int64_t>(x.size()), 1}, Dtype::float64);
    };
    Table table({"h", "weights of the three points", "estimate at 0.5"});
    for (double h : {0.1, 1., 10.}) {
        const AttentionOutput found =
            nadaraya_watson(column({0.5}), column({0, 1, 2}), column({10, 20, 30}), h);
        const std::vector<double> a = found.weights.to_vector();
        table.row(h, fmt::format("{:.3f}, {:.3f}, {:.3f}", a[0], a[1], a[2]),
                  fmt::format("{:.2f}", found.context.item()));
    }
    lesson->table(table, "Three points at 0, 1 and 2 with the heights 10, 20 and 30.");
}

}  // namespace heed::workshop9
