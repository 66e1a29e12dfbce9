#include "lessons/00_attention/pictures.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "autograd/tensor/create.h"
#include "lessons/course/course.h"

namespace heed::lesson00 {

double dot(const Row& a, const Row& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

Tensor as_tensor(const std::vector<Row>& rows) {
    Row all;
    for (const Row& row : rows) all.insert(all.end(), row.begin(), row.end());
    const auto height = static_cast<std::int64_t>(rows.size());
    return tensor(all, {height, static_cast<std::int64_t>(all.size()) / height}, Dtype::float64);
}

double difference(const Row& a, const Row& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

const Alignment& alignment() {
    static const Alignment all{.written = {"I", "am", "a", "student"},
                               .source = {"나는", "학생", "이다"},
                               .weights = {{1.000, 0.000, 0.000},
                                           {0.006, 0.002, 0.993},
                                           {0.004, 0.993, 0.003},
                                           {0.001, 0.998, 0.001}},
                               .partner = {{0, 0}, {1, 2}, {3, 1}}};
    return all;
}

void show_weights(course::AtCall lesson, const std::vector<std::string>& names,
                  const Row& weights) {
    course::BarChart chart{.title = "", .value_label = "share", .high = 1};
    chart.labels = names;
    chart.sets = {{.name = "share", .values = weights}};
    lesson->show("shares", chart, "The shares of the three words for the query (0, 2).");
}

void show_alignment(course::AtCall lesson) {
    const Alignment& all = alignment();
    Row values;
    for (const Row& row : all.weights) values.insert(values.end(), row.begin(), row.end());
    course::HeatMap map = course::attention_map(all.written, all.source, values);
    map.row_axis = "written";
    map.column_axis = "source";
    map.gold = all.partner;
    lesson->show(
        "alignment", map,
        "What a trained translator looked at before each word (one run, with the seed 1). Each row "
        "sums to 1. Outlined is the word that belongs to it; \"a\" has none in Korean.");
}

course::Diagram road() {
    using Kind = course::Diagram::Kind;
    course::Diagram diagram{.title = "The road", .flow = course::Diagram::Flow::right};
    const auto stop = [&](double column, double row, std::string name,
                          std::vector<std::string> lines, Kind kind) {
        diagram.boxes.push_back({.name = std::move(name),
                                 .lines = std::move(lines),
                                 .column = column,
                                 .row = row,
                                 .kind = kind});
    };
    stop(0, 0, "00", {"attention", "by hand"}, Kind::input);
    stop(1, 0, "01 to 06", {"numbers, gradients,", "words"}, Kind::computed);
    stop(2, 0, "07, 08", {"a network reads,", "and forgets"}, Kind::computed);
    stop(3, 0, "09, 10", {"it learns", "to look"}, Kind::computed);
    stop(4, 0, "11", {"your translator"}, Kind::input);
    stop(3, 1, "17 to 20", {"queries, keys,", "values, heads"}, Kind::computed);
    stop(2, 1, "22", {"the Transformer"}, Kind::computed);
    stop(1, 1, "23", {"your GPT"}, Kind::input);
    diagram.arrows = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}};
    return diagram;
}

}  // namespace heed::lesson00
