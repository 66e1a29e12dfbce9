#include "attention/states/sinks.h"

#include "autograd/base/settings.h"
#include "autograd/ops/shape/shape_ops.h"

namespace heed {

void keep_first_and_last(KeyValueCache& cache, Integer first, Integer last,
                         const RelativePositions& positions) {
    check_not_negative("keep_first_and_last", {{"first", first.value}, {"last", last.value}});
    for (KeyValue& layer : cache) {
        const int64_t tokens = layer.key.defined() ? layer.key.size(2) : 0;
        const int64_t dropped = tokens - first - last;
        if (dropped <= 0) continue;
        const auto kept = [&](const Tensor& x, const auto& moved) {  // [B, H, T, D]
            return concat({slice(x, 2, 0, first), moved(slice(x, 2, tokens - last, tokens))}, 2);
        };
        // R(p - dropped) k = R(-dropped) R(p) k
        layer.key = kept(layer.key, [&](const Tensor& x) {
            const std::vector<int> back(static_cast<std::size_t>(x.size(0) * last),
                                        static_cast<int>(-dropped));
            return last == 0 ? x : positions.rotate(x, Indices(back, {x.size(0), last}));
        });
        layer.value = kept(layer.value, [](const Tensor& x) { return x; });
    }
}

}  // namespace heed
