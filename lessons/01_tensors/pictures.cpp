#include "lessons/01_tensors/pictures.h"

#include "autograd/autograd.h"
#include "autograd/base/pool.h"

namespace heed::lesson01 {

using namespace course;

std::vector<HeatMap> table_and_memory(const Tensor& words) {
    HeatMap table{
        .title = "the table", .values = words.to_vector(), .high = 3, .value_name = "number"};
    table.row_labels = {"나는", "학생", "이다"};
    table.column_labels = {"person", "verb"};
    table.gold = {{1, 1}};
    HeatMap memory{
        .title = "the memory", .values = words.to_vector(), .high = 3, .value_name = "number"};
    memory.row_labels = {""};  // the title says it
    for (int position = 0; position < 6; ++position)
        memory.column_labels.push_back(std::to_string(position));
    memory.gold = {{0, 3}};
    return {table, memory};
}

HeatMap map_of(const std::string& title, const Tensor& x) {
    HeatMap map{.title = title, .values = x.to_vector(), .high = 32, .value_name = "position"};
    for (int i = 0; i < x.size(0); ++i) map.row_labels.push_back(std::to_string(i));
    for (int j = 0; j < x.size(1); ++j) map.column_labels.push_back(std::to_string(j));
    return map;
}

ByteCount show_bytes(AtCall lesson, const Tensor& big) {
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
    lesson->table(
        table,
        "Bytes of three tensors made from one of a million numbers (4,000,000 bytes). Memory "
        "is handed out in pieces of fixed sizes, so the copy takes a little more.");
    return count;
}

}  // namespace heed::lesson01
