#include "lessons/19_heads/pictures.h"

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/19_heads/model.h"

namespace heed::lesson19 {

using namespace course;

// --- the example by hand ------------------------------------------------------------------------

Tensor verb() { return tensor({4., 0., 0., 4.}, {1, 4}); }

Tensor keys(bool ada_helped_ben) {
    return ada_helped_ben ? tensor({1., 0., 1., 0., 0., 1., 0., 1.}, {2, 4})
                          : tensor({0., 1., 0., 1., 1., 0., 1., 0.}, {2, 4});
}

Tensor values() { return tensor({1., 0., 1., 0., 0., 1., 0., 1.}, {2, 4}); }

std::string in_brackets(const Tensor& x) {
    std::string text;
    for (double value : x.to_vector())
        text += (text.empty() ? "(" : ", ") + fmt::format("{:.3f}", value);
    return text + ")";
}

double largest_difference(const Tensor& a, const Tensor& b) { return max(abs(a - b)).item(); }

ShadedText heads_that_look() {
    ShadedText text{.title = "What the verb looks at"};
    for (const std::int64_t heads : {1, 2}) {
        const std::int64_t piece = 4 / heads;
        for (std::int64_t head = 0; head < heads; ++head) {
            const Tensor q = slice(verb(), 1, head * piece, (head + 1) * piece),
                         k = slice(keys(true), 1, head * piece, (head + 1) * piece);
            const Tensor scores = matmul(q, transpose(k)) / std::sqrt(double(piece));
            const std::vector<double> weights = softmax(scores).to_vector();
            text.rows.push_back({heads == 1 ? "one head" : fmt::format("head {} of 2", head + 1),
                                 {"helped", "Ada-who", "Ben-whom"},
                                 {0, weights[0], weights[1]}});
        }
    }
    return text;
}

Diagram multi_head_diagram() {
    Diagram diagram{.title = "Split, attend, concatenate, project"};
    diagram.boxes = {{"tokens", {"width D"}, 0, 1, true},
                     {"queries", {"W_Q, width D"}, 1, 0},
                     {"keys", {"W_K, width D"}, 1, 1},
                     {"values", {"W_V, width D"}, 1, 2},
                     {"head 1", {"first halves", "its own weights", "C₁, width D/2"}, 2, 0.3},
                     {"head 2", {"second halves", "its own weights", "C₂, width D/2"}, 2, 1.7},
                     {"concatenate", {"width D"}, 3, 1},
                     {"output", {"W_O, width D"}, 4, 1}};
    diagram.arrows = {{0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 4}, {3, 4},
                      {1, 5}, {2, 5}, {3, 5}, {4, 6}, {5, 6}, {6, 7}};
    return diagram;
}

// --- results ------------------------------------------------------------------------------------

namespace {

HeatMap map_of(const std::string& title, const RoleModel& model, Rng rng) {
    HeatMap map{.title = title};
    map.column_labels = {"who", "whom", "with", "for", "helped"};
    for (const std::vector<double>& head : mean_weights(model, rng)) {
        map.row_labels.push_back(fmt::format("head {}", map.row_labels.size() + 1));
        map.values.insert(map.values.end(), head.begin(), head.end());
    }
    map.row_axis = "head";
    map.column_axis = "key";
    return map;
}

}  // namespace

void show_weights(AtCall lesson, const std::vector<Kind>& kinds,
                  const std::vector<std::vector<Trained>>& runs) {
    std::vector<HeatMap> maps;
    for (std::size_t i = 0; i < kinds.size(); ++i)
        if (kinds[i].name != "four")
            maps.push_back(map_of(kinds[i].name, best_of(runs[i]).model, Rng(lesson->seed())));
    lesson->show(
        "weights", maps,
        "The attention weights of the verb, averaged over 2,000 sentences; the best run of "
        "each kind.");
}

void show_ablation(AtCall lesson, const std::vector<double>& with_both,
                   const std::vector<std::vector<double>>& without) {
    HeatMap map{.row_labels = {"both heads"}, .column_labels = {"who", "whom"}};
    map.values = with_both;
    for (const std::vector<double>& left : without) {
        map.row_labels.push_back(fmt::format("without head {}", map.row_labels.size()));
        map.values.insert(map.values.end(), left.begin(), left.end());
    }
    map.row_axis = "heads that are left";
    map.column_axis = "answer";
    map.value_name = "accuracy";
    lesson->show("ablation", map, "Accuracy for each role without one of the heads.");
}

}  // namespace heed::lesson19
