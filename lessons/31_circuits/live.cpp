// The two heads whose weights are written by hand, on a string of the reader's.
#include "lessons/course/live/live.h"

#include <algorithm>

#include "attention/scores/mask.h"
#include "autograd/autograd.h"
#include "lessons/course/figures/figures.h"

namespace heed::lesson31 {

using namespace course;

namespace {

constexpr int of_alphabet = 26;
constexpr std::size_t most_typed = 30;

// The start token and the letters.
std::vector<int> tokens_of(const std::string& text) {
    std::vector<int> ids{of_alphabet};
    for (const char c : text) {
        if (c == ' ') continue;
        check(c >= 'a' && c <= 'z', "only the letters a to z are read here, not '{}'", c);
        ids.push_back(c - 'a');
    }
    check(ids.size() >= 2 && ids.size() <= most_typed + 1, "1 to {} letters are read here, not {}",
          most_typed, ids.size() - 1);
    return ids;
}

std::string name_of(int token) {
    return token == of_alphabet ? "|" : std::string(1, static_cast<char>('a' + token));
}

Drawn draw_by_hand(const Inputs& inputs) {
    const std::vector<int> ids = tokens_of(inputs.text("string"));
    const auto T = static_cast<int64_t>(ids.size());
    const double s = inputs.number("sharpness");
    const auto head_is_on = [&](const char* name) { return inputs.chosen(name) == 0 ? 1.0 : 0.0; };

    const Tensor letter = one_hot(Indices(ids, {T}), of_alphabet + 1);  // [T, V]
    const Tensor first = masked_softmax(s * diag(ones({T - 1}), -1), causal_mask(T));
    const Tensor before = head_is_on("first") * matmul(first, letter);
    const Tensor second = masked_softmax(s * matmul(letter, transpose(before)), causal_mask(T));
    const Tensor answer = head_is_on("second") * matmul(second, letter);
    const std::vector<double> p = softmax(s * select(answer, 0, T - 1)).to_vector();

    std::vector<std::string> names, columns;  // the tokens of the string, each once, and all others
    std::vector<double> shown;
    double others = 1;
    for (const int token : ids) {
        names.push_back(name_of(token));
        if (std::find(columns.begin(), columns.end(), names.back()) != columns.end()) continue;
        columns.push_back(names.back());
        shown.push_back(p[static_cast<std::size_t>(token)]);
        others -= shown.back();
    }
    columns.emplace_back("others");
    shown.push_back(std::max(others, 0.0));
    HeatMap looks = attention_map(names, names, first.to_vector()),
            asks = attention_map(names, names, second.to_vector());
    looks.title = "Head 1: the letter before";
    asks.title = "Head 2: whose note has my letter?";
    const HeatMap next{.title = "The next letter: probabilities",
                       .values = shown,
                       .row_labels = {"next"},
                       .column_labels = columns,
                       .row_axis = "position",
                       .column_axis = "letter",
                       .value_name = "probability"};
    const auto best = std::max_element(p.begin(), p.end());
    return {.svgs = {to_svg(looks, 300), to_svg(asks, 300), to_svg(next)},
            .numbers = {{"largest probability", *best}},
            .text = fmt::format("{} ... {}", inputs.text("string"),
                                *best < 0.5 ? "?" : name_of(static_cast<int>(best - p.begin())))};
}

const Registered by_hand({.name = "by_hand",
                          .controls = {text_box("string", "Your string, a to z", "kcqhafkcq"),
                                       choice("first", "Head 1", {"on", "off"}),
                                       choice("second", "Head 2", {"on", "off"}),
                                       slider("sharpness", "Sharpness", {0, 30, 1, 10})},
                          .draw = draw_by_hand});

}  // namespace

}  // namespace heed::lesson31
