#include "lessons/31_circuits/pictures.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "autograd/autograd.h"

namespace heed::lesson31 {

using namespace course;

namespace {

const std::vector<std::string> role_names{"head 1", "layer 1, other", "head 2", "layer 2, other"};

// A matrix, divided by its largest number. Negative numbers are drawn as 0.
HeatMap map_of(const std::string& title, const Tensor& matrix, const std::string& rows,
               const std::string& columns) {
    return {.title = title,
            .values = (relu(matrix) / max(matrix)).to_vector(),
            .rows = static_cast<int>(matrix.size(0)),
            .columns = static_cast<int>(matrix.size(1)),
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
    Diagram diagram{.title = "Head 1 notes, head 2 asks and copies", .flow = Diagram::Flow::up};
    const std::string text = "|qhfq";
    for (int i = 0; i < 5; ++i)
        diagram.boxes.push_back({std::string(1, text[i]), {}, double(i), 0, false, Kind::input});
    for (int i = 1; i < 5; ++i)
        diagram.boxes.push_back(
            {fmt::format("{} ", text[i]), {fmt::format("after {}", text[i - 1])}, double(i), 1});
    diagram.boxes.push_back({"next: h", {}, 4, 2, false, Kind::output});
    // Of the notes only the one that this answer needs has its arrow.
    diagram.arrows = {{1, 6, "1: notes"}, {4, 6, "2: asks"}, {6, 9, "2: copies"}};
    return diagram;
}

void show_tables(AtCall lesson, const Strings& test, const std::vector<double>& losses) {
    lesson->say("Three strings:");
    lesson->listing(written(test.in, 0) + "\n" + written(test.in, 1) + "\n" + written(test.in, 2));
    Table table({"letters of context", "loss on copied letters"});
    for (std::size_t i = 0; i < losses.size(); ++i) table.row(i, losses[i]);
    table.row("a guess", std::log(letters));
    lesson->table(
        table, fmt::format("Tables counted in {} strings, on new ones. A table that excludes the "
                           "present letter has the loss ln 19 = {:.3f}, with the one before it "
                           "ln 18 = {:.3f}.",
                           "20,000", std::log(letters - 1), std::log(letters - 2)));
}

void show_training(AtCall lesson, const Curve& curve, const Curve& control, const Roles& roles) {
    const auto before = static_cast<std::size_t>(roles.note),
               induction = static_cast<std::size_t>(roles.induction);
    const Seen& last = curve.seen.back();
    const bool both = last.before[before] > 0.25 && last.after[induction] > 0.5;
    const std::vector<double> steps{0, static_cast<double>(training_steps)};
    const auto loss = [](const Seen& x) { return x.loss; };
    // A head and the loss without it have the same colour.
    lesson->show(
        "fall",
        {LinePlot{.title = both ? "The loss falls ..." : "A model learns to copy ...",
                  .x_label = "steps of training",
                  .y_label = "loss on copied letters",
                  .series = {{"without head 1", curve.steps,
                              curve.line([=](const Seen& x) { return x.without[before]; })},
                             {"without head 2", curve.steps,
                              curve.line([=](const Seen& x) { return x.without[induction]; })},
                             {"two layers", curve.steps, curve.line(loss)},
                             {"one layer", control.steps, control.line(loss)}},
                  .x_range = steps},
         LinePlot{.title = both ? "... while both heads appear" : "... without these two heads",
                  .x_label = "steps of training",
                  .y_label = "weight on the right letters",
                  .series = {{"head 1", curve.steps,
                              curve.line([=](const Seen& x) { return x.before[before]; })},
                             {"head 2", curve.steps,
                              curve.line([=](const Seen& x) { return x.after[induction]; })}},
                  .x_range = steps}},
        "\"Without head 1\" and \"without head 2\": two layers, the output of this head replaced by 0. "
        "The right letter is the one before for head 1 (layer 1), the one to copy for head 2 (layer 2). "
        "In each layer, the head is the one without which the loss is larger.");
}

namespace {

// Which of the two heads by hand each trained one resembles. The shares are those of the last seven tokens.
std::string title_of_reach(const std::vector<Reach>& trained,
                           const std::vector<double>& share_of_seven) {
    int firsts = 0, seconds = 0;
    for (std::size_t i = 0; i < trained.size(); ++i)
        if (trained[i].raises > 0)
            firsts += share_of_seven[i] < 0.5;
        else
            seconds += share_of_seven[i] > 0.5;
    if (firsts == 0) return "One layer: how far back its heads look";
    return fmt::format("{} of {} trained heads resemble our first, {} our second", firsts,
                       trained.size(), seconds == 0 ? "none" : std::to_string(seconds));
}

}  // namespace

void show_reach(AtCall lesson, std::vector<Reach> trained, const std::vector<Reach>& by_hand) {
    std::sort(trained.begin(), trained.end(),
              [](const Reach& a, const Reach& b) { return a.raises > b.raises; });
    HeatMap map{.column_labels = {"0-6", "7-15", "16-31"},
                .row_axis = "head",
                .column_axis = "tokens back"};
    std::vector<double> share_of_seven;
    const auto add = [&](const std::string& name, const Reach& head) {
        map.row_labels.push_back(name);
        const auto seven = head.weights.begin() + 7;
        const double last = std::accumulate(head.weights.begin(), seven, 0.0),
                     middle = std::accumulate(seven, head.weights.end(), 0.0);
        share_of_seven.push_back(last);
        for (const double share : {last, middle, std::max(0.0, 1 - last - middle)})
            map.values.push_back(std::round(share * 100) / 100);
    };
    for (const Reach& head : trained) add(fmt::format("trained: {:+.1f}", head.raises), head);
    map.title = title_of_reach(trained, share_of_seven);
    for (const Reach& head : by_hand)
        add(head.raises > 0 ? "first by hand: +" : "second by hand: -", head);
    lesson->show(
        "reach", map,
        "Shares of the weight of each head, means over tokens 16 to 31. The next letter is none of "
        "the last seven, and it stands 7 to 15 tokens back. \"+\" is by how much the head raises the logit "
        "of a letter that it looks at, \"-\" by how much it lowers it.");
}

void show_patches(AtCall lesson, const std::vector<std::vector<double>>& losses, double whole) {
    HeatMap map{.title = std::min({losses[0][0], losses[1][0], losses[2][0]}) > 1
                             ? "Without head 1, copying is lost, whatever replaces it"
                             : "The loss when one head is replaced",
                .row_labels = role_names,
                .column_labels = {"0", "mean", "another"},
                .row_axis = "replaced head",
                .column_axis = "replaced by",
                .low = 0,
                .high = std::log(letters),
                .value_name = "loss"};
    map.row_labels.emplace_back("both of layer 2");
    for (std::size_t head = 0; head < map.row_labels.size(); ++head)
        for (const std::vector<double>& of_patch : losses)
            map.values.push_back(std::round(of_patch[head] * 100) / 100);
    lesson->show(
        "patches", map,
        fmt::format(
            "The loss on copied letters when the output of one head is replaced by 0, by its "
            "mean, or by its output for another string. A full shade is the loss of a guess, 3.00, or more. The whole model "
            "has {:.3f}.",
            whole));
}

void show_circuits(AtCall lesson, const Tensor& looks, const Tensor& asks, const Tensor& copies,
                   const Tensor& asks_by_hand) {
    // Later positions are removed by the causal mask: gaps, and they do not count for the largest.
    const Tensor later = triu(ones_like(looks), 1), seen = masked_fill(looks, later, -1e9);
    const HeatMap positions = map_of(
        of_diagonal("Head 1: the one before", "Head 1: positions", share_on_diagonal(seen, 1)),
        seen, "position", "looks at");
    lesson->show(
        "circuits",
        {positions,
         map_of(of_diagonal("Head 2: asks for itself", "Head 2: asks", share_on_diagonal(asks)),
                asks, "letter", "asks for the note"),
         map_of(of_diagonal("Head 2: copies itself", "Head 2: copies", share_on_diagonal(copies)),
                copies, "raises the logit", "letter"),
         map_of("By hand: asks for itself", asks_by_hand, "letter", "asks for the note")},
        "Three products of matrices of the trained model, and the second of them by hand. Each is "
        "divided by its largest number; negative ones, and positions that the causal mask "
        "removes, are as pale as 0. Shown are positions 1 to 16 and all 20 letters.");
}

void show_margins(AtCall lesson, const std::vector<double>& margins,
                  const std::vector<double>& without) {
    const bool quiet = std::abs(margins[1]) < 0.1 * (margins[3] + margins[4]);
    LinePlot plot{.title = quiet ? "Head 1 adds almost nothing, and without it the loss is "
                                 : "What each head adds; without head 1 the loss is ",
                  .x_label = "what the head adds to the margin of the right letter",
                  .y_label = "loss when its output is replaced by 0",
                  .y_range = {-0.5, std::ceil(*std::max_element(without.begin(), without.end()))}};
    plot.title += fmt::format("{:.1f}", without[0]);
    for (std::size_t i = 0; i < role_names.size(); ++i)
        plot.series.push_back({.name = role_names[i], .x = {margins[i + 1]}, .y = {without[i]}});
    const auto [least, most] = std::minmax_element(margins.begin() + 1, margins.end());
    plot.x_range = {std::floor(std::min(*least, 0.0)), std::ceil(*most)};
    lesson->show(
        "margins", plot,
        fmt::format("The further right, the more a head adds to the margin itself; the further "
                    "up, the more it is needed. The embeddings add {:.1f}.",
                    margins[0]));
}

void show_letters(AtCall lesson, const std::string& example, const std::vector<double>& weight,
                  const std::vector<double>& rise) {
    const auto looked =
                   std::count_if(weight.begin(), weight.end(), [](double x) { return x > 0.2; }),
               matter = std::count_if(rise.begin(), rise.end(), [](double x) { return x > 1; });
    const auto row = [&](const std::string& title, const std::vector<double>& values, double high,
                         const char* name) {
        HeatMap map{.title = title,
                    .row_labels = {" "},
                    .column_axis = "letter and position",
                    .high = high,
                    .value_name = name};
        for (std::size_t i = 1; i <= values.size(); ++i) {
            map.values.push_back(std::max(0.0, std::round(values[i - 1] * 100) / 100));
            map.column_labels.push_back(fmt::format("{}{}", example[i], i));
        }
        return map;
    };
    lesson->show(
        "letters",
        {row(fmt::format("Head 2 looks at {} letter{}: its weights", looked,
                         looked == 1 ? "" : "s"),
             weight, 1, "weight"),
         row(fmt::format("{} letter{} matter{}: rise of the loss, in nats", matter,
                         matter == 1 ? "" : "s", matter == 1 ? "s" : ""),
             rise, *std::max_element(rise.begin(), rise.end()), "rise of the loss")},
        "For the last of 15 letters, means of 200 strings (the letters shown are those of the "
        "first): the weight of head 2 on each letter, and by how much the loss rises when that "
        "letter is replaced by one that is not in the string.");
}

}  // namespace heed::lesson31
