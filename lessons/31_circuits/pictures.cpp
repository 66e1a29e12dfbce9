#include "lessons/31_circuits/pictures.h"

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"

namespace heed::lesson31 {

using namespace course;

namespace {

const std::vector<std::string> role_names{"head 1", "layer 1, other", "head 2", "layer 2, other"};

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

// The first title if most of the largest numbers are on the diagonal.
std::string of_diagonal(const char* found, const char* not_found, double share) {
    return share > 0.75 ? found : not_found;
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
        diagram.arrows.push_back({i - 1, i + 4, i == 1 ? "head 1" : ""});
    }
    diagram.boxes.push_back({"next: h", {}, 4, 2, false, Kind::output});
    diagram.arrows.push_back({6, 9, "head 2"});
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
    const auto loss = [](double nats) { return nats / std::log(letters); };
    const Seen& last = curve.seen.back();
    const double copies = curve.crosses([](const Seen& x) { return x.loss; }, 1);
    const bool both = last.before[before] > 0.25 && last.after[induction] > 0.5;
    lesson->show(
        "fall",
        LinePlot{.title = both ? "Copying begins when both heads appear, and ends without head 1"
                               : "A model that copies without these two heads",
                 .x_label = "steps of training",
                 .y_label = "share of a guess's loss, or share of a head's weight",
                 .series = {{"loss without head 1", curve.steps,
                             curve.line([=](const Seen& x) { return loss(x.without[before]); })},
                            {"loss of one layer", control.steps,
                             control.line([=](const Seen& x) { return loss(x.loss); })},
                            {"loss of two layers", curve.steps,
                             curve.line([=](const Seen& x) { return loss(x.loss); })},
                            {"head 1: letter before", curve.steps,
                             curve.line([=](const Seen& x) { return x.before[before]; })},
                            {"head 2: letter to copy", curve.steps,
                             curve.line([=](const Seen& x) { return x.after[induction]; })}},
                 .x_range = {0, copies < 800 ? 1000. : static_cast<double>(training_steps)}},
        "Losses: on copied letters, over that of a guess, ln 20. \"Without head 1\": two layers, the "
        "output of head 1 replaced by 0. Weights: of head 1 (layer 1) on the letter before, of head "
        "2 (layer 2) on the letters to copy. In each layer, the head is the one without which the "
        "loss is larger.");
}

void show_patches(AtCall lesson, const std::vector<std::vector<double>>& losses, double whole,
                  double without_second_layer) {
    HeatMap map{.title = std::min({losses[0][0], losses[1][0], losses[2][0]}) > 1
                             ? "Without head 1, copying is lost, whatever replaces it"
                             : "The loss when one head is replaced",
                .row_labels = role_names,
                .column_labels = {"0", "mean", "other"},
                .row_axis = "replaced head",
                .column_axis = "replaced by",
                .low = 0,
                .high = std::log(letters),
                .value_name = "loss"};
    for (std::size_t head = 0; head < role_names.size(); ++head)
        for (const std::vector<double>& of_patch : losses)
            map.values.push_back(std::round(of_patch[head] * 100) / 100);
    lesson->show(
        "patches", map,
        fmt::format(
            "The loss on copied letters when the output of one head is replaced by 0, by its "
            "mean, or by its output for another string. A full shade is the loss of a guess, 3.00, or more. The whole model "
            "has {:.3f}; with both heads of the second layer at zero it is {:.2f}.",
            whole, without_second_layer));
}

void show_circuits(AtCall lesson, const Tensor& looks, const Tensor& asks, const Tensor& copies) {
    std::vector<std::string> positions;
    for (int64_t i = 1; i <= looks.size(0); ++i) positions.push_back(fmt::format("{}", i));
    // Later positions are removed by the causal mask: gaps, and they do not count for the largest.
    const Tensor later = triu(ones_like(looks), 1);
    HeatMap looked = map_of(of_diagonal("Head 1: a position looks at the one before",
                                        "Head 1: which position looks at which",
                                        share_on_diagonal(masked_fill(looks, later, -1e9), 1)),
                            masked_fill(looks, later, -1e9), positions, "position", "looks at");
    const std::vector<double> removed = later.to_vector();
    for (std::size_t i = 0; i < removed.size(); ++i)
        if (removed[i] > 0) looked.values[i] = std::nan("");
    const auto corner = [](const Tensor& x) { return slice(slice(x, 0, 0, shown), 1, 0, shown); };
    lesson->show(
        "circuits",
        {looked,
         map_of(of_diagonal("Head 2: a letter asks for its own note",
                            "Head 2: which letter asks for which note", share_on_diagonal(asks)),
                corner(asks), first_letters(), "letter", "note"),
         map_of(of_diagonal("Head 2: a letter raises its own logit",
                            "Head 2: which letter raises which logit", share_on_diagonal(copies)),
                corner(copies), first_letters(), "logit of", "letter")},
        "Three products of matrices of the trained model, each divided by its largest "
        "number (negative ones are white, and positions that the causal mask removes are empty): the QK circuit of the first head between positions, that of the second "
        "head between letters and notes, and its OV circuit from letters to logits. Of 20 "
        "letters, 12 are shown.");
}

void show_margins(AtCall lesson, const std::vector<double>& margins) {
    const bool quiet = std::abs(margins[1]) < 0.1 * (margins[3] + margins[4]);
    BarChart chart{.title = quiet ? "Head 1 adds almost nothing to the answer itself"
                                  : "What each part adds for the right letter",
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
    const auto looked =
                   std::count_if(weight.begin(), weight.end(), [](double x) { return x > 0.2; }),
               matter = std::count_if(rise.begin(), rise.end(), [](double x) { return x > 1; });
    HeatMap map{.title = fmt::format("Head 2 looks at {} letter{}, and {} letter{} matter{}",
                                     looked, looked == 1 ? "" : "s", matter, matter == 1 ? "" : "s",
                                     matter == 1 ? "s" : ""),
                .values = weight,
                .row_labels = {"weight of head 2", "rise of the loss"}};
    for (double x : rise) map.values.push_back(std::max(0.0, x / most));
    for (std::size_t i = 1; i <= weight.size(); ++i)
        map.column_labels.push_back(fmt::format("{}{}", example[i], i));
    map.column_axis = "letter and position";
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
