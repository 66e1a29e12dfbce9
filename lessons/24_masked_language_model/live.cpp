// What the words to the left and the words on both sides tell about a hidden word, for a reader who
// knows how the texts are made.
#include "lessons/course/live/live.h"

#include <cmath>

#include "attention/attention.h"
#include "lessons/course/figures/figures.h"
#include "lessons/material/corpora/short_texts.h"

namespace heed::lesson24 {

using namespace course;

namespace {

const std::vector<std::string> groups{"cooking", "music", "ships", "farming", "no topic"};
const std::vector<WordKind> kinds{WordKind::person, WordKind::verb, WordKind::thing};
const std::vector<std::string> gaps{"person", "verb", "thing"};
constexpr int topics = 4;

// p(group of a word | topic of its text), by which short_texts.h draws each word: 0.7 for its own
// topic, 0.1 for the others together, 0.2 for the neutral words.
Tensor group_given_topic() {  // [topics, groups]
    std::vector<double> p;
    for (int topic = 0; topic < topics; ++topic)
        for (int group = 0; group <= topics; ++group)
            p.push_back(group == topic ? 0.7 : group == topics ? 0.2 : 0.1 / 3);
    return tensor(p, {topics, topics + 1}, Dtype::float64);
}

// p(group of the hidden word), given the groups of the words that are seen.
std::vector<double> hidden_word(const std::vector<int>& seen) {
    Tensor log_p = zeros({topics}, Dtype::float64);  // all topics are equally frequent
    for (const int group : seen) log_p = log_p + log(select(group_given_topic(), 1, group));
    return matmul(reshape(softmax(log_p), {1, topics}), group_given_topic()).to_vector();
}

Drawn draw(const Inputs& inputs) {
    const NoGrad no_grad;
    const int gap = inputs.chosen("gap");
    std::string text;
    std::vector<int> left, both;
    for (int i = 0; i < 3; ++i) {
        const int group = inputs.chosen(gaps[static_cast<std::size_t>(i)]);
        if (i == gap) {
            text += "[MASK] ";
            continue;
        }
        text +=
            short_text_words(group == topics ? -1 : group, kinds[static_cast<std::size_t>(i)])[0] +
            " ";
        both.push_back(group);
        if (i < gap) left.push_back(group);
    }
    const std::vector<double> from_left = hidden_word(left), from_both = hidden_word(both);
    const auto entropy = [](const std::vector<double>& p) {
        double sum = 0;
        for (const double x : p) sum -= x * std::log(x);
        return sum;
    };
    const BarChart chart{.title = "To which list does the hidden word belong?",
                         .value_label = "probability",
                         .labels = groups,
                         .sets = {{.name = "from the left", .values = from_left},
                                  {.name = "from both sides", .values = from_both}},
                         .high = 1};
    return {.svgs = {to_svg(chart)},
            .numbers = {{"entropy from the left, in nats", entropy(from_left)},
                        {"from both sides", entropy(from_both)}},
            .text = text + "."};
}

const Registered figure({.name = "gap",
                         .controls = {choice("gap", "Hidden", gaps),
                                      choice("person", "Person about", groups, 2),
                                      choice("verb", "Verb about", groups, 2),
                                      choice("thing", "Thing about", groups, 2)},
                         .draw = draw});

}  // namespace

}  // namespace heed::lesson24
