#include "lessons/01_tensors/pictures.h"

#include "autograd/autograd.h"
#include "autograd/base/pool.h"
#include "lessons/course/lesson/memory.h"

namespace heed::lesson01 {

using namespace course;

HeatMap map_of(const std::string& title, const Tensor& x) {
    HeatMap map{.title = title, .values = x.to_vector(), .high = 32, .value_name = "position"};
    for (int i = 0; i < x.size(0); ++i) map.row_labels.push_back(std::to_string(i));
    for (int j = 0; j < x.size(1); ++j) map.column_labels.push_back(std::to_string(j));
    return map;
}

ByteCount show_bytes(Lesson& lesson, const Tensor& big) {
    const Tensor corner = slice(slice(big, 0, 0, 1), 1, 0, 1), transposed = transpose(big);
    Table table({"tensor", "shape", "strides", "bytes"});
    const auto bytes_of = [&](const std::string& name, auto make) {
        const std::size_t before = memory_use().in_use;
        const Tensor y = make();
        const std::size_t bytes = memory_use().in_use - before;
        table.row(name, to_string(y.shape()), to_string(y.strides()), bytes);
        return static_cast<double>(bytes);
    };
    ByteCount count{};
    count.transpose = bytes_of("transpose", [&] { return transpose(big); });
    count.views = count.transpose + bytes_of("one number, repeated", [&] {
                      return expand(corner, {31623, 31623});
                  });
    count.copy = bytes_of("transpose, flattened", [&] { return flatten(transposed); });
    lesson.table(table,
                 "Bytes of three tensors made from one of a million numbers (4,000,000 bytes).");
    return count;
}

namespace {

constexpr int side = 16;  // numbers in a cache line

enum class Use { one, row, column };

HeatMap used_part(const std::string& title, Use use) {
    HeatMap map{.title = title, .rows = side, .columns = side, .value_name = "use"};
    for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j) {
            const bool fetched = use == Use::column || i == 0;
            const bool used = (use != Use::row && j == 0) || use == Use::row;
            map.values.push_back(fetched ? (used ? 1.0 : 0.35) : 0.0);
        }
    return map;
}

}  // namespace

std::vector<HeatMap> lines_along_k() {
    return {used_part("A: stride 1", Use::row), used_part("B: stride n", Use::column),
            used_part("C: stride 0", Use::one)};
}

std::vector<HeatMap> lines_along_j() {
    return {used_part("A: stride 0", Use::one), used_part("B: stride 1", Use::row),
            used_part("C: stride 1", Use::row)};
}

}  // namespace heed::lesson01
