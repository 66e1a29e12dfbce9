#include "attention/hard/patches.h"

#include "autograd/base/settings.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/shapes.h"

namespace heed {

Tensor patches(const Tensor& image, Integer size) {
    const Shapes in("patches", {{"image", image, "B ?C Y X"}});
    check(size >= 1 && in["Y"] % size == 0 && in["X"] % size == 0,
          "size {} does not divide the sides of the images, {} x {}; pad() them", size, in["Y"],
          in["X"]);
    const int64_t batch = in["B"], channels = in.has("C") ? in["C"] : 1;
    const int64_t rows = in["Y"] / size, columns = in["X"] / size;
    const Tensor cut = reshape(image, {batch, channels, rows, size, columns, size});
    return reshape(permute(cut, {0, 2, 4, 1, 3, 5}),  // [B, rows, columns, C, size, size]
                   {batch, rows * columns, channels * size * size});
}

Tensor patch_centres(Integer rows, Integer columns, Dtype dtype) {
    check_positive("patch_centres", {{"rows", rows.value}, {"columns", columns.value}});
    const auto centre = [](int64_t i, int64_t count) {
        return (2.0 * static_cast<double>(i) + 1) / static_cast<double>(count) - 1;
    };
    std::vector<double> centres;
    for (int64_t y = 0; y < rows; ++y)
        for (int64_t x = 0; x < columns; ++x) {
            centres.push_back(centre(x, columns));
            centres.push_back(centre(y, rows));
        }
    return tensor(centres, {rows * columns, 2}, dtype);
}

}  // namespace heed
