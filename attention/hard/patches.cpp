#include "attention/hard/patches.h"

#include "autograd/ops/shape_ops.h"

namespace heed {

Tensor patches(const Tensor& image, Integer size) {
    check_defined("patches", image);
    check(image.dim() == 3 || image.dim() == 4,
          "patches: image {}; expected a batch [B, Y, X] or [B, C, Y, X]", image.shape());
    const int64_t height = image.size(-2), width = image.size(-1);
    check(size >= 1 && height % size == 0 && width % size == 0,
          "patches: size {} does not divide the sides of the images, {} x {}; pad() them", size,
          height, width);
    const int64_t batch = image.size(0), channels = image.dim() == 4 ? image.size(1) : 1;
    const int64_t rows = height / size, columns = width / size;
    const Tensor cut = reshape(image, {batch, channels, rows, size, columns, size});
    return reshape(permute(cut, {0, 2, 4, 1, 3, 5}),  // [B, rows, columns, C, size, size]
                   {batch, rows * columns, channels * size * size});
}

Tensor patch_centres(Integer rows, Integer columns, Dtype dtype) {
    check(rows >= 1 && columns >= 1, "patch_centres: {} rows and {} columns; expected at least 1",
          rows, columns);
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
