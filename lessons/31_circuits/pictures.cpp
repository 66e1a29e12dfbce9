#include "lessons/31_circuits/pictures.h"

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"

namespace heed::lesson31 {

using namespace course;

namespace {

const std::vector<std::string> role_names{"layer 1, head 1", "other, layer 1", "layer 2, head 2",
                                          "other, layer 2"};

constexpr int shown = 12;  // letters of the 20

std::vector<std::string> first_letters() {
    std::vector<std::string> names;
    for (int i = 0; i < shown; ++i) names.emplace_back(1, static_cast<char>('a' + i));
    return names;
}

// A matrix, divided by its largest number. Negative numbers are left white.
HeatMap map_of(const std::string& title, const Tensor& matrix, std::vector<std::string> names,
               const std::string& rows, const std::string& columns) {
    return {.title = title,
            .values = (relu(matrix) / max(matrix)).to_vector(),
            .row_labels = names,
            .column_labels = names,
            .row_axis = rows,
            .column_axis = columns,
            .value_name = "share of the largest"};
}

}  // namespace

Diagram two_heads_diagram() {
    using Kind = Diagram::Kind;
    Diagram diagram{.title = "Look for the note, copy the letter", .flow = Diagram::Flow::up};
    const std::string text = "|qhfq";
    for (int i = 0; i < 5; ++i)
        diagram.boxes.push_back({std::string(1, text[i]), {}, double(i), 0, true});
    for (int i = 1; i < 5; ++i) {
        diagram.boxes.push_back({fmt::format("{} ", text[i]),
                                 {fmt::format("before me: {}", text[i - 1])},
                                 double(i),
                                 1,
                                 false,
                                 Kind::computed});
        diagram.arrows.push_back({i - 1, i + 4});
    }
    diagram.boxes.push_back({"next: h", {}, 4, 2, false, Kind::output});
    diagram.arrows.push_back({6, 9});
    diagram.arrows.push_back({8, 9});
    return diagram;
}

void show_tables(AtCall lesson, const Strings& test, const std::vector<double>& losses) {
    lesson->say("Three strings: {} {} {}", written(test.in, 0), written(test.in, 1),
                written(test.in, 2));
    Table table({"letters of context", "loss on copied letters"});
    for (std::size_t i = 0; i < losses.size(); ++i) table.row(i, losses[i]);
    table.row("a guess", std::log(letters));
    lesson->table(table,
                  "Tables counted in 20,000 strings, on new ones. A guess has the loss ln 20.");
}

void show_training(AtCall lesson, const Curve& curve, const Curve& control, const Roles& roles) {
    const auto before = static_cast<std::size_t>(roles.note),
               induction = static_cast<std::size_t>(roles.induction);
    lesson->show(
        "loss",
        LinePlot{.x_label = "steps",
                 .y_label = "loss on copied letters",
                 .series = {{"one layer", control.steps,
                             control.line([](const Seen& x) { return x.loss; })},
                            {"two layers", curve.steps,
                             curve.line([](const Seen& x) { return x.loss; })},
                            {"without head 1", curve.steps,
                             curve.line([=](const Seen& x) { return x.without[before]; })},
                            {"without head 2", curve.steps,
                             curve.line([=](const Seen& x) { return x.without[induction]; })}},
                 .y_range = {0, 6}},
        "The loss while the models learn, and that of two layers with the output of one head "
        "replaced by zero: head 1 is the one of the first layer without which the loss is largest, head 2 that of the second.");
    lesson->show(
        "scores",
        LinePlot{.x_label = "steps",
                 .y_label = "weight",
                 .series = {{"head 1, on the letter before", curve.steps,
                             curve.line([=](const Seen& x) { return x.before[before]; })},
                            {"head 2, on the letter to copy", curve.steps,
                             curve.line([=](const Seen& x) { return x.after[induction]; })}},
                 .y_range = {0, 1}},
        "The mean weights of the same two heads.");
}

void show_patches(AtCall lesson, const std::vector<std::vector<double>>& losses, double whole,
                  double without_second_layer) {
    BarChart chart{.title = "Loss without one head", .value_label = "loss", .labels = role_names};
    const std::vector<std::string> names{"zero", "its mean", "of another string"};
    for (std::size_t i = 0; i < losses.size(); ++i) chart.sets.push_back({names[i], losses[i]});
    lesson->show("patches", chart,
                 fmt::format("The output of one head is replaced by zero, by its mean, or by its "
                             "output for another string. The whole model has the loss {:.3f}; with "
                             "both heads of the second layer at zero it is {:.2f}.",
                             whole, without_second_layer));
}

void show_circuits(AtCall lesson, const Tensor& looks, const Tensor& asks, const Tensor& copies) {
    std::vector<std::string> positions;
    for (int64_t i = 1; i <= looks.size(0); ++i) positions.push_back(fmt::format("{}", i));
    // Later positions are removed by the causal mask: gaps, and they do not count for the largest.
    const Tensor later = triu(ones_like(looks), 1);
    HeatMap looked = map_of("Who looks at whom", masked_fill(looks, later, -1e9), positions,
                            "position", "looks at");
    const std::vector<double> removed = later.to_vector();
    for (std::size_t i = 0; i < removed.size(); ++i)
        if (removed[i] > 0) looked.values[i] = std::nan("");
    const auto corner = [](const Tensor& x) { return slice(slice(x, 0, 0, shown), 1, 0, shown); };
    lesson->show(
        "circuits",
        {looked, map_of("Who asks for whom", corner(asks), first_letters(), "letter", "note"),
         map_of("What is copied", corner(copies), first_letters(), "logit of", "letter")},
        "Three products of matrices of the trained model, each divided by its largest "
        "number (negative ones are white, and positions that the causal mask removes are empty): the QK circuit of the first head between positions, that of the second "
        "head between letters and notes, and its OV circuit from letters to logits. Of 20 "
        "letters, 12 are shown.");
}

void show_margins(AtCall lesson, const std::vector<double>& margins) {
    BarChart chart{.title = "What each part adds for the right letter",
                   .value_label = "logit above the mean",
                   .labels = {"embeddings"},
                   .sets = {{"margin", margins}}};
    chart.labels.insert(chart.labels.end(), role_names.begin(), role_names.end());
    for (double& value : chart.sets[0].values) value = std::max(0.0, value);
    lesson->show("margins", chart,
                 "How far each part alone lifts the logit of the right letter above the mean logit "
                 "(negative values are drawn as 0).");
}

void show_letters(AtCall lesson, const std::string& example, const std::vector<double>& weight,
                  const std::vector<double>& rise) {
    const double most = *std::max_element(rise.begin(), rise.end());
    HeatMap map{.title = "Weight, and what changing the letter does",
                .values = weight,
                .row_labels = {"weight", "rise"}};
    for (double x : rise) map.values.push_back(std::max(0.0, x / most));
    for (std::size_t i = 1; i <= weight.size(); ++i)
        map.column_labels.push_back(fmt::format("{}{}", example[i], i));
    map.row_axis = "measure";
    map.column_axis = "letter";
    map.value_name = "value";
    lesson->show(
        "letters", map,
        fmt::format("For the last of 15 letters, means of 200 strings (the letters shown are "
                    "those of the first): the weight of head 2 on each letter, and by how "
                    "much the loss rises when that letter is replaced by another one, "
                    "divided by the largest rise, {:.1f}.",
                    most));
}

}  // namespace heed::lesson31
