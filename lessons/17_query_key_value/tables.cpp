#include "lessons/17_query_key_value/tables.h"

#include <cmath>

#include "autograd/autograd.h"

namespace heed::lesson17 {

Tensor as_tensor(const Matrix& rows) {
    Row all;
    for (const Row& row : rows) all.insert(all.end(), row.begin(), row.end());
    return tensor(all, {int64_t(rows.size()), int64_t(rows[0].size())}, Dtype::float64);
}

double difference(const Row& a, const Row& b) {
    double most = a.size() == b.size() ? 0 : NAN;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::fabs(a[i] - b[i]));
    return most;
}

double difference(const ByHand& a, const ByHand& b) {
    return std::max(difference(a.weights, b.weights), difference(a.contexts, b.contexts));
}

double asymmetry(const Row& matrix) {
    const int64_t side = std::lround(std::sqrt(double(matrix.size())));
    return difference(transpose(tensor(matrix, {side, side}, Dtype::float64)).to_vector(), matrix);
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

void show_tables(course::Lesson& lesson, const std::vector<std::string>& tokens, const Matrix& q,
                 const Matrix& k, const Matrix& v, const ByHand& attention) {
    const auto& [scores, weights, contexts] = attention;
    const std::size_t count = tokens.size();
    course::Table roles({"token", "query", "key", "value"}),
        results({"token", "scores", "weights", "context"});
    for (std::size_t i = 0; i < count; ++i) {
        roles.row(tokens[i], in_line(q[i], 0, q[i].size(), 0), in_line(k[i], 0, k[i].size(), 0),
                  in_line(v[i], 0, v[i].size(), 0));
        results.row(tokens[i], in_line(scores, count * i, count, 0),
                    in_line(weights, count * i, count, 4),
                    in_line(contexts, v[i].size() * i, v[i].size(), 4));
    }
    lesson.table(roles, "Queries, keys and values of three tokens.");
    lesson.table(results, "Scores and weights for the keys of the, old, cat, in this order.");
}

}  // namespace heed::lesson17
