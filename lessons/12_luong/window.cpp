#include "lessons/12_luong/window.h"

#include <cmath>

#include "attention/scores/mechanism.h"
#include "autograd/autograd.h"

namespace heed::lesson12 {

using namespace course;

const std::vector<std::string>& example_words() {
    static const std::vector<std::string> words{"나는", "그", "책", "을", "읽는다"};
    return words;
}

namespace {

// The words from first to last reach the context. With a centre, the state is a box of its own.
Diagram window_diagram(const std::string& title, int first, int last, const std::string& centre) {
    Diagram diagram{.title = title};
    const int words = static_cast<int>(example_words().size());
    for (int j = 0; j < words; ++j)
        diagram.boxes.push_back(
            {fmt::format("{} {}", j, example_words()[static_cast<std::size_t>(j)]),
             {},
             0,
             static_cast<double>(j),
             true});
    diagram.boxes.push_back({"context", {"of \"read\", t = 1"}, 1, 2});
    for (int j = first; j <= last; ++j) diagram.arrows.emplace_back(j, words);
    if (!centre.empty()) {
        diagram.boxes.push_back({"window", {centre}, 0, static_cast<double>(words)});
        diagram.arrows.emplace_back(words + 1, words);
    }
    return diagram;
}

}  // namespace

std::vector<Diagram> window_diagrams() {
    return {window_diagram("global", 0, 4, ""), window_diagram("local-m", 0, 3, "p = t = 1"),
            window_diagram("local-p", 2, 4, "p = 4, from the state")};
}

std::vector<Diagram> decoder_diagrams() {
    Diagram plain{.title = "Luong"};
    plain.boxes = {{"word before", {"its embedding"}, 0, 0, true},
                   {"state before", {}, 0, 1, true},
                   {"annotations", {"of the source"}, 0, 2, true},
                   {"recurrent step", {"new state s"}, 1, 0.5},
                   {"attention", {"context c"}, 2, 1.5},
                   {"features", {"tanh(W_c [s; c])"}, 3, 0.5},
                   {"next word", {}, 4, 0.5}};
    plain.arrows = {{0, 3}, {1, 3}, {3, 4}, {2, 4}, {3, 5}, {4, 5}, {5, 6}};
    Diagram fed = plain;
    fed.title = "with input feeding";
    fed.boxes.push_back({"features before", {"of the last step"}, 0, -1, true});
    fed.arrows.emplace_back(7, 3);
    for (Diagram::Box& box : fed.boxes) box.row += 1;
    return {plain, fed};
}

void show_edge(Lesson& lesson, const std::function<double(double)>& weight) {
    LinePlot plot{.title = "Word 5 of seven words with equal scores",
                  .x_label = "centre p",
                  .y_label = "weight of word 5",
                  .series = {{"local-p, R = 2"}, {"the Gaussian without a window"}}};
    for (double p = 0.01; p < 6; p += 0.02) {
        plot.series[0].x.push_back(p);
        plot.series[0].y.push_back(weight(p));
        plot.series[1].x.push_back(p);
        plot.series[1].y.push_back(std::exp(-0.5 * (5 - p) * (5 - p)) / 7);
    }
    lesson.show("edge", plot,
                "The weight of one word as the centre moves. With a window it jumps where a word "
                "enters or leaves.");
}

Tensor library_weights_of_seven(double p) {
    const NoGrad no_grad;
    Rng rng(1);
    AttentionSpan span(SpanKind::local_p, {.half_window = 2, .query = 1}, rng);
    // The centre is 7 sigmoid(10 tanh(query)), so the query is found backwards from p.
    span.hidden.weight = ones({1, 1}, Dtype::float64);
    span.v = full({1, 1}, 10, Dtype::float64);
    const double query = std::atanh(std::log(p / (7 - p)) / 10);
    return reshape(
        span.weights(zeros({1, 1, 7}, Dtype::float64), full({1, 1, 1}, query, Dtype::float64)),
        {7});
}

double error_of_the_gradient(std::uint64_t seed) {
    Rng rng(seed);
    Attention attention{AttentionScore(ScoreKind::general, {.query = 4, .key = 3}, rng),
                        AttentionSpan(SpanKind::local_p, {.half_window = 2, .query = 4}, rng)};
    to_dtype(attention, Dtype::float64);
    const Tensor s = normal({1, 1, 4}, 0, 1, rng, Dtype::float64);
    const Tensor h = normal({1, 9, 3}, 0, 1, rng, Dtype::float64);
    const auto context = [&](const std::vector<Tensor>& x) {
        attention.span.v = x[0];
        attention.span.hidden.weight = x[1];
        return attention(s, attention.prepare(h, h)).context;
    };
    return gradcheck(context, {attention.span.v, attention.span.hidden.weight}).max_error;
}

}  // namespace heed::lesson12
