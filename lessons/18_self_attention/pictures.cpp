#include "lessons/18_self_attention/pictures.h"

#include "attention/scores/mask.h"
#include "autograd/autograd.h"

namespace heed::lesson18 {

using namespace course;

Arrows it_in_two_sentences() {
    Arrows plane{.title = "\"it\" in two sentences",
                 .x_label = "how much of an animal",
                 .y_label = "how much of a place"};
    const double it[] = {1.2, 1.1}, animal[] = {4, 0.6}, street[] = {0.6, 3};
    const auto noun = [&](const char* name, const double* at) {
        plane.lines.push_back(
            {.name = name, .x = {at[0]}, .y = {at[1]}, .colour = 3, .end = Arrows::End::ball});
    };
    noun("animal", animal), noun("street", street);
    plane.lines.push_back(arrow("it", it[0], it[1], 0));
    plane.lines.back().dashed = true;
    const auto towards = [&](const char* name, const double* at, int colour) {
        const double way = 0.7;  // so much of it
        plane.lines.push_back(arrow(name, it[0] + way * (at[0] - it[0]),
                                    it[1] + way * (at[1] - it[1]), colour, it[0], it[1]));
    };
    towards("it was too tired", animal, 1), towards("it was too wide", street, 2);
    return plane;
}

std::vector<Diagram> layer_diagrams() {
    const auto layer = [](const char* title, bool two_sequences) {
        Diagram diagram{.title = title};
        const auto box = [&](const char* name, const char* line, double column, double row) {
            diagram.boxes.push_back({name, {line}, column, row, column == 0});
            return static_cast<int>(diagram.boxes.size()) - 1;
        };
        const int x = box("X", "the tokens", 0, 3),
                  y = two_sequences ? box("Y", "the other tokens", 0, 1) : x,
                  q = box("Q", "X times W_Q", 1, 0), k = box("K", "W_K", 1, 1),
                  v = box("V", "W_V", 1, 2), scores = box("scores", "Q · K, over √D", 2, 0.5),
                  weights = box("weights", "softmax", 3, 0.5),
                  contexts = box("contexts", "means of V", 4, 1),
                  output = box("output", "times W_O", 5, 1), sum = box("+", "new X", 6, 3);
        diagram.boxes[static_cast<std::size_t>(k)].lines = {two_sequences ? "Y times W_K"
                                                                          : "X times W_K"};
        diagram.boxes[static_cast<std::size_t>(v)].lines = {two_sequences ? "Y times W_V"
                                                                          : "X times W_V"};
        for (const auto& [from, to] :
             {std::pair(x, q), std::pair(y, k), std::pair(y, v), std::pair(q, scores),
              std::pair(k, scores), std::pair(scores, weights), std::pair(weights, contexts),
              std::pair(v, contexts), std::pair(contexts, output), std::pair(output, sum),
              std::pair(x, sum)})
            diagram.arrows.push_back({from, to});
        return diagram;
    };
    return {layer("self-attention", false), layer("cross-attention", true)};
}

void show_orders(AtCall lesson, const std::vector<std::string>& tokens, const Tensor& contexts,
                 const std::vector<std::string>& other_tokens, const Tensor& other_contexts) {
    Table table({"token", "context", "token, other order", "its context"});
    const std::vector<double> one = contexts.to_vector(), other = other_contexts.to_vector();
    const std::size_t width = one.size() / tokens.size();
    const auto row = [&](const std::vector<double>& all, std::size_t i) {
        std::string text;
        for (std::size_t d = 0; d < width; ++d)
            text += fmt::format("{}{:.4f}", d == 0 ? "" : ", ", all[i * width + d]);
        return text;
    };
    for (std::size_t i = 0; i < tokens.size(); ++i)
        table.row(tokens[i], row(one, i), other_tokens[i], row(other, i));
    lesson->table(table, "Each token has the same context in both orders.");
}

std::vector<HeatMap> mask_maps() {
    const std::vector<std::string> words{"the", "old", "cat", "sleeps", "pad", "pad"};
    const Tensor padding = padding_mask({4}, 6) + zeros({1, 6, 6}), causal = causal_mask(6);
    const auto map = [](const char* title, const std::vector<std::string>& names,
                        const Tensor& mask) {
        return HeatMap{.title = title,
                       .values = mask.to_vector(),
                       .row_labels = names,
                       .column_labels = names,
                       .row_axis = "query",
                       .column_axis = "key",
                       .value_name = "allowed"};
    };
    const Graph path{{{1}, {0, 2}, {1, 3}, {2, 4}, {3}}};
    return {map("padding mask", words, padding), map("causal mask", words, causal),
            map("both", words, combine({padding, causal})),
            map("neighbours in a graph", {"A", "B", "C", "D", "E"}, neighbour_mask({path}))};
}

HeatMap hops_map(const std::vector<HopAccuracies>& rows) {
    HeatMap map{.row_axis = "layers", .column_axis = "hops", .value_name = "accuracy"};
    for (std::size_t h = 0; h < rows[0].accuracy.size(); ++h)
        map.column_labels.push_back(std::to_string(h));
    for (const HopAccuracies& row : rows) {
        map.row_labels.push_back(row.model);
        map.values.insert(map.values.end(), row.accuracy.begin(), row.accuracy.end());
    }
    return map;
}

void show_readouts(AtCall lesson, const std::vector<HopAccuracies>& rows) {
    std::vector<std::string> head{"readout, hops"};
    for (std::size_t h = 0; h < rows[0].accuracy.size(); ++h) head.push_back(std::to_string(h));
    Table table(head);
    for (const HopAccuracies& row : rows) {
        std::vector<std::string> cells{row.model};
        for (double accuracy : row.accuracy) cells.push_back(fmt::format("{:.2f}", accuracy));
        table.add(cells);
    }
    lesson->table(
        table,
        "Three layers with two readouts: accuracy by the distance in hops from the coloured node.");
}

void show_pronouns(AtCall lesson, const std::vector<PronounRow>& rows) {
    Table table({"layers, readout, answer", "accuracy", "weight on noun", "both twins"});
    for (const auto& [model, results] : rows)
        table.row(model, mean_and_spread(results->accuracy, 2),
                  mean_and_spread(results->on_noun, 2), mean_and_spread(results->both_twins, 2));
    lesson->table(
        table,
        "Accuracy: the share of right answers to test sentences. Weight on noun: the share "
        "of them where the largest weight of \"it\", in the last layer, is on the noun that "
        "it refers to. Both twins: the share of twins where, in both sentences, this noun "
        "has more weight than the other noun. Each number: " +
            averaged_over(rows[0].results->accuracy.size()) + ".");
}

course::HeatMap twins_map(const std::string& title, const Results& results) {
    course::HeatMap map =
        course::attention_map({"it (tired)", "it (wide)"},
                              {"the", "animal", "didn't", "cross", "the", "street", "because", "it",
                               "was", "too", "tired/wide"},
                              results.tired);
    map.values.insert(map.values.end(), results.wide.begin(), results.wide.end());
    map.title = title;
    map.gold = {{0, 1}, {1, 5}};
    return map;
}

}  // namespace heed::lesson18
