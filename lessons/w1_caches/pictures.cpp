#include "lessons/w1_caches/pictures.h"

#include <string>

namespace heed::workshop1 {

using namespace course;

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

}  // namespace heed::workshop1
