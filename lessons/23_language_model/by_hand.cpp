#include "lessons/23_language_model/by_hand.h"

#include <algorithm>
#include <cmath>

#include "attention/decoding/decode.h"
#include "lessons/23_language_model/characters.h"
#include "lessons/23_language_model/counts.h"

namespace heed::lesson23 {

using namespace heed::course;

void show_small_table(Lesson& lesson, const std::map<std::string, std::vector<double>>& after) {
    Table table({"context", "o", "space", "n"});
    for (const auto& [context, p] : after)
        table.row(context.empty() ? "(none)" : context, fmt::format("{:.3f}", p[0]),
                  fmt::format("{:.3f}", p[1]), fmt::format("{:.3f}", p[2]));
    lesson.table(table, "The probability of the next character in \"to be or not to be\".");
}

double difference_from_counts(const std::string& text, const NextProbability& by_hand) {
    const Characters ids = characters_of(text, 1);
    const Counts counts(ids.train, ids.size(), 3);
    double largest = 0;
    for (std::size_t i = 0; i < text.size(); ++i)
        for (std::size_t n = 0; n <= std::min<std::size_t>(3, i); ++n)
            largest = std::max(largest,
                               std::fabs(by_hand(text, text.substr(i - n, n), text[i], ids.size()) -
                                         counts.probability(ids.train, i, static_cast<int>(n))));
    return largest;
}

void show_predictions(Lesson& lesson, const std::string& text) {
    Table table({"position", "sees", "should predict"});
    for (std::size_t t = 0; t + 1 < text.size(); ++t)
        table.row(t, fmt::format("'{}'", text.substr(0, t + 1)), fmt::format("'{}'", text[t + 1]));
    lesson.table(table, "One piece of text is many training examples.");
}

std::vector<Diagram> gpt_diagrams() {
    const auto box = [](const char* name, double column, double row,
                        std::vector<std::string> lines = {}) {
        return Diagram::Box{.name = name, .lines = std::move(lines), .column = column, .row = row};
    };
    Diagram model{.title = "GPT"};
    model.boxes = {box("tokens", 0, 0),
                   box("table E", 1, 0, {"embedding"}),
                   box("positions", 0, 1),
                   box("table P", 1, 1, {"learned"}),
                   box("+", 2, 0.5),
                   box("blocks", 3, 0.5, {"causal"}),
                   box("norm", 4, 0.5),
                   box("table E", 5, 0.5, {"dot products"}),
                   box("softmax", 6, 0.5, {"next token"})};
    model.arrows = {{0, 1}, {2, 3}, {1, 4}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}};
    model.boxes[0].source = model.boxes[2].source = true;

    Diagram block{.title = "a block"};
    block.boxes = {
        box("x", 0, 0),     box("norm₁", 0.5, 1), box("attention", 1.2, 1, {"causal mask"}),
        box("+₁", 1.8, 0),  box("norm₂", 2.3, 1), box("feed-forward", 3.05, 1, {"gelu"}),
        box("+₂", 3.75, 0), box("y", 4.15, 0)};
    block.arrows = {{0, 3}, {0, 1}, {1, 2}, {2, 3}, {3, 6}, {3, 4}, {4, 5}, {5, 6}, {6, 7}};
    block.boxes[0].source = true;
    return {model, block};
}

double show_sampling(Lesson& lesson, const Sampling& by_hand) {
    const std::vector<double> logits{2, 1, 0};
    Table table({"temperature", "k", "p", "probabilities"});
    double largest = 0;
    for (double temperature : {1.0, 0.5})
        for (const auto& [k, p] : {std::pair{3, 1.0}, {2, 1.0}, {3, 0.8}}) {
            const std::vector<double> ours = by_hand(logits, temperature, k, p);
            const std::vector<double> library =
                sampling_distribution(logits, {.temperature = temperature, .top_k = k, .top_p = p});
            for (std::size_t i = 0; i < ours.size(); ++i)
                largest = std::max(largest, std::fabs(ours[i] - library[i]));
            table.row(temperature, k == 3 ? "all" : number(k), p == 1 ? "all" : number(p),
                      fmt::format("{:.3f}  {:.3f}  {:.3f}", ours[0], ours[1], ours[2]));
        }
    lesson.table(table, "Three tokens with the logits 2, 1 and 0.");
    return largest;
}

}  // namespace heed::lesson23
