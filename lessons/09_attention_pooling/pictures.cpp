#include "lessons/09_attention_pooling/pictures.h"

#include <cmath>

#include "autograd/autograd.h"

namespace heed::lesson09 {

using namespace course;

namespace {

const char* const names[] = {"나는", "학생", "이다"};

std::string pair_of(const std::vector<double>& all, std::size_t i, int decimals) {
    return fmt::format("({:.{}f}, {:.{}f})", all[2 * i], decimals, all[2 * i + 1], decimals);
}

}  // namespace

Tensor three_words() { return tensor({3, 0, 2, 1, 0, 2}, {3, 2}, Dtype::float64); }
Tensor query_by_hand() { return tensor({-2., 2.}, Dtype::float64); }

Diagram pooling_diagram() {
    const Tensor scores = matmul(tanh(three_words()), query_by_hand()), weights = softmax(scores);
    const std::vector<double> x = three_words().to_vector(), k = tanh(three_words()).to_vector(),
                              e = scores.to_vector(), a = weights.to_vector(),
                              context = matmul(weights, three_words()).to_vector();
    Diagram diagram{.title = "attention pooling"};
    const auto box = [&](std::string name, std::string line, double column, double row) {
        diagram.boxes.push_back({std::move(name), {std::move(line)}, column, row, column == 0});
        return static_cast<int>(diagram.boxes.size()) - 1;
    };
    const int query = box("query", pair_of(query_by_hand().to_vector(), 0, 0), 1, 0);
    diagram.boxes.back().source = true;
    std::vector<std::string> lines;  // all scores go into one softmax, which makes all weights
    for (std::size_t j = 0; j < 3; ++j) lines.push_back(fmt::format("{} {:.3f}", names[j], a[j]));
    const int shared = box("softmax", "weights:", 3, 1);
    diagram.boxes.back().lines.insert(diagram.boxes.back().lines.end(), lines.begin(), lines.end());
    const int result = box("context", pair_of(context, 0, 2), 4, 4);
    diagram.arrows.push_back({shared, result});
    for (std::size_t j = 0; j < 3; ++j) {
        const double row = double(j) + 1;
        const std::string name = names[j];
        const int word = box(name, pair_of(x, j, 0), 0, row),
                  key = box("tanh of " + name, pair_of(k, j, 3), 1, row),
                  score = box("score of " + name, fmt::format("{:.3f}", e[j]), 2, row);
        for (const auto& [from, to] : {std::pair(word, key), std::pair(key, score),
                                       std::pair(query, score), std::pair(score, shared)})
            diagram.arrows.push_back({from, to});
    }
    for (std::size_t j = 0; j < 3; ++j) {  // the vectors once more, for the mean
        const int again = box(names[j], pair_of(x, j, 0), 3, double(j) + 3);
        diagram.boxes.back().source = true;
        diagram.arrows.push_back({again, result, fmt::format("×{:.3f}", a[j])});
    }
    return diagram;
}

void show_three_words(AtCall lesson, const Tensor& scores, const Tensor& weights,
                      const Tensor& context) {
    Table table({"word", "vector", "score", "exponential", "weight"});
    const std::vector<double> x = three_words().to_vector(), e = scores.to_vector(),
                              a = weights.to_vector();
    for (std::size_t j = 0; j < 3; ++j)
        table.row(names[j], pair_of(x, j, 0), fmt::format("{:.3f}", e[j]),
                  fmt::format("{:.3f}", std::exp(e[j])), fmt::format("{:.3f}", a[j]));
    lesson->table(table,
                  fmt::format("Three words and their weights. The context is {}, the plain mean "
                              "is {}.",
                              pair_of(context.to_vector(), 0, 3),
                              pair_of(mean(three_words(), 0).to_vector(), 0, 3)));
}

void show_dilution(AtCall lesson, double score) {
    Table table({"everyday words", "weight of the telling word"});
    for (double n : {10., 70., 1000., 10000.})
        table.row(n, fmt::format("{:.3f}", std::exp(score) / (std::exp(score) + n)));
    lesson->table(table,
                  fmt::format("By the formula: the telling word has the score {}, each of the "
                              "others 0.",
                              number(score)));
}

}  // namespace heed::lesson09
