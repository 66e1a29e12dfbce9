#include "lessons/11_translation/small_case.h"

#include "autograd/autograd.h"
#include "lessons/material/corpora/corpus.h"
#include "nn/data/metrics.h"

using namespace heed;
using namespace heed::course;

namespace {

const char* const words[] = {"나는", "학생", "이다"};

std::string pair_of(const Tensor& x) {
    return fmt::format("({:.2f}, {:.2f})", x.at({0}), x.at({1}));
}

}  // namespace

SmallCase small_case() {
    Rng rng(1);
    SmallCase small;
    small.score.query = Linear(2, 2, rng, false);
    small.score.key = Linear(2, 2, rng, false);
    small.score.query.weight.assign(eye(2));
    small.score.key.weight.assign(eye(2));
    small.score.v = tensor({3., 3.});
    small.s = tensor({0., -1.});
    small.h = tensor({1., -1., -1., 1., 1., 1.}, {3, 2});
    return small;
}

void show_small_case(Lesson& lesson, const SmallCase& small, const Tensor& weights) {
    const NoGrad no_grad;
    Table table({"word", "annotation", "score", "weight"});
    const Tensor hidden = tanh(small.score.query(small.s) + small.score.key(small.h));
    const Tensor scores = matmul(hidden, small.score.v);
    for (int j = 0; j < 3; ++j)
        table.row(words[j], pair_of(select(small.h, 0, j)), fmt::format("{:.3f}", scores.at({j})),
                  fmt::format("{:.3f}", weights.at({j})));
    lesson.table(table, fmt::format("The query is (0, -1). The context is {}.",
                                    pair_of(matmul(weights, small.h))));
}

double show_small_gradient(Lesson& lesson, const SmallCase& small) {
    Tensor scores = zeros({3}).set_requires_grad();
    const Tensor weights = softmax(scores);
    const Tensor loss = sum(matmul(weights, small.h) * tensor({-1., -1.}));
    const std::vector<Tensor> gradients = grad(loss, {weights, scores});
    const double text[] = {0.222, 0.222, -0.444};
    Table table({"word", "derivative for the weight", "derivative for the score"});
    double gap = 0;
    for (int j = 0; j < 3; ++j) {
        const double of_score = gradients[1].at({j});
        gap = std::max(gap, std::abs(of_score - text[j]));
        table.row(words[j], fmt::format("{:.3f}", gradients[0].at({j})),
                  fmt::format("{:.3f}", of_score));
    }
    lesson.table(table, "Gradient descent raises the score of 이다 and lowers the two others.");
    return gap;
}

std::vector<Diagram> architectures() {
    const auto box = [](const char* name, double column, double row,
                        std::vector<std::string> lines = {}, bool source = false) {
        return Diagram::Box{name, std::move(lines), column, row, source};
    };
    Diagram fixed{.title = "fixed context"};
    for (int j = 0; j < 3; ++j) fixed.boxes.push_back(box(words[j], 0, j, {}, true));
    for (int j = 0; j < 3; ++j) fixed.boxes.push_back(box(fmt::format("h{}", j + 1).c_str(), 1, j));
    const auto tail = [&](Diagram& diagram, int context, double row) {
        const int first = static_cast<int>(diagram.boxes.size());
        diagram.boxes.push_back(box("I", 4, row + 1, {"the word before"}, true));
        diagram.boxes.push_back(box("GRU", 5, row, {"next state s2"}));
        diagram.boxes.push_back(box("softmax", 6, row, {"over all words"}));
        diagram.boxes.push_back(box("am", 7, row));
        diagram.boxes.push_back(box("s1", 4, row - 1, {"the state before"}, true));
        diagram.arrows.insert(diagram.arrows.end(), {{first + 4, first + 1},
                                                     {context, first + 1},
                                                     {first, first + 1},
                                                     {first + 1, first + 2},
                                                     {first + 2, first + 3}});
    };
    fixed.boxes.push_back(box("c", 3, 1, {"last states"}));  // 6
    fixed.arrows = {{0, 3}, {1, 4}, {2, 5}, {3, 6}, {5, 6}};
    tail(fixed, 6, 1);

    Diagram attending{.title = "with attention"};
    for (int j = 0; j < 3; ++j) attending.boxes.push_back(box(words[j], 0, j, {}, true));
    for (int j = 0; j < 3; ++j)
        attending.boxes.push_back(box(fmt::format("h{}", j + 1).c_str(), 1, j));
    attending.boxes.push_back(box("s1", 1, 4, {"state: the query"}));  // 6
    for (int j = 0; j < 3; ++j)                                        // 7, 8, 9
        attending.boxes.push_back(box(fmt::format("score e{}", j + 1).c_str(), 2, 3 + j));
    attending.boxes.push_back(box("softmax", 3, 4, {"weights"}));                     // 10
    attending.boxes.push_back(box("c2", 4, 1, {"mean of h with", "these weights"}));  // 11
    attending.arrows = {{0, 3}, {1, 4},  {2, 5},  {3, 7},  {4, 8},   {5, 9},  {6, 7},  {6, 8},
                        {6, 9}, {7, 10}, {8, 10}, {9, 10}, {10, 11}, {3, 11}, {4, 11}, {5, 11}};
    tail(attending, 11, 1);
    return {fixed, attending};
}

double bleu_of_the_example() {
    metrics::Bleu bleu;
    bleu.add({"the", "student", "read", "a", "book", "today"},
             {"the", "student", "read", "a", "book", "yesterday"});
    return bleu.score();
}

double error_of_the_example() {
    const SentencePair pair = korean_english(1, {.pairs = 10, .valid = 1, .test = 1}).test[0];
    return alignment_error_rate({{0, 0}, {1, 1}, {2, 2}}, pair.alignment, pair.possible);
}
