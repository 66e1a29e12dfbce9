#include "lessons/17_query_key_value/pictures.h"

#include "autograd/autograd.h"
#include "lessons/course/course.h"

namespace heed::lesson17 {

course::Arrows words_that_look() {
    const std::vector<std::string> korean{"나는", "학생", "이다"};
    const Tensor before = tensor({3, 0, 2, 1, 0, 2}, {3, 2}, Dtype::float64);
    const Tensor after = matmul(softmax(matmul(before, transpose(before))), before);
    course::Arrows plane{.title = "Each word looks at all three",
                         .x_label = "how much of a person",
                         .y_label = "how much of a verb"};
    for (std::int64_t i : {0, 1, 2}) {
        const int colour = static_cast<int>(i);
        plane.lines.push_back(course::arrow("", before.at({i, 0}), before.at({i, 1}), colour));
        plane.lines.back().dashed = true;
        plane.lines.back().end = course::Arrows::End::none;
        plane.lines.push_back(course::arrow(korean[static_cast<std::size_t>(i)], after.at({i, 0}),
                                            after.at({i, 1}), colour));
    }
    return plane;
}

course::HeatMap map_of(const std::string& title, const std::vector<std::string>& tokens,
                       const ByHand& attention) {
    course::HeatMap map = course::attention_map(tokens, tokens, attention.weights);
    map.title = title;
    map.row_axis = "query";
    map.column_axis = "key";
    map.scores = attention.scores;
    return map;
}

namespace {

std::string in_line(const Row& values, std::size_t first, std::size_t count, int decimals) {
    std::string text;
    for (std::size_t i = first; i < first + count; ++i)
        text += fmt::format("{}{:.{}f}", i == first ? "" : ", ", values[i], decimals);
    return text;
}

}  // namespace

void show_results(course::AtCall lesson, const std::vector<std::string>& tokens,
                  const ByHand& attention, const std::string& caption) {
    const auto& [scores, weights, contexts] = attention;
    const std::size_t count = tokens.size(), width = contexts.size() / count;
    course::Table results({"token", "scores", "weights", "context"});
    for (std::size_t i = 0; i < count; ++i)
        results.row(tokens[i], in_line(scores, count * i, count, 0),
                    in_line(weights, count * i, count, 4), in_line(contexts, width * i, width, 4));
    lesson->table(results, caption);
}

void show_tables(course::AtCall lesson, const std::vector<std::string>& tokens, const Matrix& q,
                 const Matrix& k, const Matrix& v, const ByHand& attention) {
    course::Table roles({"token", "query", "key", "value"});
    for (std::size_t i = 0; i < tokens.size(); ++i)
        roles.row(tokens[i], in_line(q[i], 0, q[i].size(), 0), in_line(k[i], 0, k[i].size(), 0),
                  in_line(v[i], 0, v[i].size(), 0));
    lesson->table(roles, "Queries, keys and values of the three tokens.");
    show_results(lesson, tokens, attention,
                 "Each token's scores and weights for the keys of the, old, cat, in this order.");
}

course::Diagram diagram_of(const std::vector<std::string>& tokens, std::size_t token,
                           const Matrix& x, const Matrix& q, const Matrix& k, const Matrix& v,
                           const ByHand& attention) {
    const auto vector = [](const Row& row, int decimals = 0) {
        return "(" + in_line(row, 0, row.size(), decimals) + ")";
    };
    const std::size_t count = tokens.size(), width = v[0].size();
    course::Diagram diagram{.title = "the context of \"" + tokens[token] + "\""};
    const auto add = [&](std::string name, std::string line, double column, double row) {
        diagram.boxes.push_back({std::move(name), {std::move(line)}, column, row, column == 0});
        return static_cast<int>(diagram.boxes.size()) - 1;
    };
    const auto quoted = [](const std::string& word) { return '"' + word + '"'; };
    const int query = add("query of " + quoted(tokens[token]), vector(q[token]), 1, 0);
    const Row context(attention.contexts.begin() + std::ptrdiff_t(width * token),
                      attention.contexts.begin() + std::ptrdiff_t(width * (token + 1)));
    // Above, the keys become weights, by one softmax of all scores; below are the values.
    const double middle = 0.5 * double(count + 1);
    const int shared = add("softmax", "weights:", 3, middle),
              result =
                  add("context of " + quoted(tokens[token]), vector(context, 2), 4, double(count));
    diagram.arrows.push_back({shared, result});
    for (std::size_t j = 0; j < count; ++j) {
        const double row = double(j) + 1;
        const std::string name = quoted(tokens[j]);
        const int from = add(name, vector(x[j]), 0, middle + 1.5 * (row - middle) + 1);
        const int key = add("key of " + name, vector(k[j]), 1, row),
                  value = add("value of " + name, vector(v[j]), 1, row + double(count));
        const double e = attention.scores[count * token + j];
        const int score =
            add("score of " + name, fmt::format("{:.0f} / 2 = {:.0f}", 2 * e, e), 2, row);
        diagram.boxes[static_cast<std::size_t>(shared)].lines.push_back(
            fmt::format("{} {:.4f}", name, attention.weights[count * token + j]));
        for (const auto& [start, end] :
             {std::pair(from, key), std::pair(from, value), std::pair(key, score),
              std::pair(query, score), std::pair(score, shared), std::pair(value, result)})
            diagram.arrows.push_back({start, end});
        if (j == token) diagram.arrows.push_back({from, query});
    }
    return diagram;
}

std::vector<std::vector<double>> show_widths(course::AtCall lesson,
                                             const std::vector<Sweep>& sweeps) {
    const char* const models[] = {"separate values", "keys as values"};
    course::LinePlot plot{.x_label = "parameters", .y_label = "accuracy", .y_range = {0, 1}};
    course::Table table({"model", "width", "parameters", "accuracy"});
    std::vector<std::vector<double>> means;
    for (std::size_t s = 0; s < sweeps.size(); ++s) {
        const Sweep& sweep = sweeps[s];
        means.emplace_back();
        for (std::size_t i = 0; i < sweep.widths.size(); ++i) {
            means.back().push_back(course::summarise(sweep.of_width(i)).mean);
            table.row(models[s], sweep.widths[i], sweep.parameters[i],
                      course::mean_and_spread(sweep.of_width(i)));
        }
        plot.series.push_back(course::over_seeds(models[s], sweep.parameters, sweep.accuracies));
    }
    lesson->table(table, "Accuracy on new lookups, " +
                             course::averaged_over(sweeps[0].accuracies.size()) +
                             ". Guessing gives 0.0625.");
    lesson->show("values", plot, "Accuracy on new lookups, by the number of parameters.");
    return means;
}

}  // namespace heed::lesson17
