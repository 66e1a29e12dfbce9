//! # Where does order come from?
//!
//! To self-attention a sentence is a set: lesson 16 shuffled the tokens, and the contexts were
//! shuffled alike. "The dog bit the man" and "the man bit the dog" hold the same words. So order
//! must be told, and there are many ways to tell it. This lesson looks at six, on sequences as long
//! as those they were trained on, and on sequences eight times as long.

#include <cmath>
#include <complex>
#include <map>
#include <numeric>

#include "lessons/18_positions/beyond.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;
using namespace heed::lesson18;

namespace {

double gap(const Tensor& a, const Tensor& b) { return max(abs(a - b)).item(); }

//! ## Without positions
//!
//! The model is small: two rounds of self-attention (lesson 16) and an answer at every place. Asked
//! *which token stood just before this one?*, in sequences that hold each of sixteen tokens once,
//! it cannot do better than name any of the other fifteen.
//!
//! So positions must be added, one reads. That holds when every token sees every other. A causal
//! mask is not so blind: the first token sees one, the second two, and a token that can tell how
//! many it sees knows where it stands.
void without_positions(Lesson& lesson, int steps, Prediction guess) {
    lesson.heading("Without positions");
    Rng rng(lesson.seed());
    const auto draw = [](Rng& mine) { return draw_distinct(Task::before, 32, mine); };
    std::vector<double> accuracies;
    for (bool causal : {false, true}) {
        Reader reader(PositionKind::none, causal, rng);
        learn(reader, steps, rng.split(), draw);
        const std::vector<double> by_place =
            accuracy_by_place(reader, draw_distinct(Task::before, 1000, rng));
        accuracies.push_back(mean_over(by_place, {1, tokens, ""}));
        if (causal) continue;

        to_dtype(reader, Dtype::float64);
        std::vector<int> order(tokens), shuffled;
        std::iota(order.begin(), order.end(), 0);
        rng.shuffle(order);
        const Indices token = draw_distinct(Task::before, 1, rng).token;
        for (int place : order) shuffled.push_back(token[place]);
        const Tensor logits = index_select(reader(token), 1, Indices(order));
        lesson.claim("shuffled tokens: logits against the shuffled logits",
                     gap(reader(Indices(shuffled, {1, tokens})), logits), at_most(1e-12));
    }
    lesson.claim("accuracy when all see all; guessing gives 0.067", accuracies[0],
                 between(0.05, 0.085));
    lesson.claim("accuracy with a causal mask, still without positions", accuracies[1],
                 at_least(lesson.quick() ? 0.2 : 0.5));
    lesson.reveal(guess, accuracies[1] > 0.2 ? "yes" : "no");
}

//! ## Six ways to tell
//!
//! *None* is the first. Two are added to the embeddings. *Learned* positions are a table with a row
//! for each place. *Sinusoidal* ones are waves of many lengths, so that a place is told as the
//! hands of many clocks tell a time:
//!
//! $$ p_{t, 2i} = \sin\big(t \cdot 10000^{-2i/D}\big) \qquad
//!    p_{t, 2i+1} = \cos\big(t \cdot 10000^{-2i/D}\big) $$
//!
//! Three act on the scores, by the distance between query and key. *Relative* positions learn a
//! vector for each distance up to a reach, here 8, and add it to the key (and another to the
//! value). *ALiBi* (attention with linear biases) lowers each score by the distance times a slope,
//! one slope for each head. *Rotary* positions take the numbers of a query or key in pairs, as
//! points of a plane, and turn each pair by an angle that grows with the place. Turned by $t\omega$
//! and $j\omega$, two points keep an angle between them that knows only $t - j$. As complex
//! numbers, $x_{2i} + \mathrm{i}\, x_{2i+1}$ is multiplied by $e^{\mathrm{i} t \omega_i}$.
Tensor rotary_by_hand(const Tensor& x) {  // [T, D]
    std::vector<double> y;
    for (int64_t t = 0; t < x.size(0); ++t)
        for (int64_t i = 0; i < x.size(1); i += 2) {
            const double omega = std::pow(10000, -double(i) / double(x.size(1)));
            const std::complex<double> pair(x.at({t, i}), x.at({t, i + 1}));
            const std::complex<double> turned = pair * std::polar(1.0, double(t) * omega);
            y.insert(y.end(), {turned.real(), turned.imag()});
        }
    return tensor(y, x.shape(), Dtype::float64);
}

Tensor sinusoidal_by_hand(int64_t places, int64_t width) {
    std::vector<double> y;
    for (int64_t t = 0; t < places; ++t)
        for (int64_t i = 0; i < width; ++i) {
            const double angle = double(t) * std::pow(10000, -double(i / 2 * 2) / double(width));
            y.push_back(i % 2 == 0 ? std::sin(angle) : std::cos(angle));
        }
    return tensor(y, {places, width}, Dtype::float64);
}

void six_ways(Lesson& lesson) {
    lesson.heading("Six ways to tell");
    const Tensor waves = sinusoidal_positions(0, 48, 32, Dtype::float64);
    lesson.claim("waves by hand against the library", gap(sinusoidal_by_hand(48, 32), waves),
                 at_most(1e-12));
    Rng rng(lesson.seed());
    const Tensor x = normal({48, 32}, 0, 1, rng, Dtype::float64);
    lesson.claim("turning by hand against the library", gap(rotary_by_hand(x), rotary(x, 0)),
                 at_most(1e-12));
    HeatMap map{.values = waves.to_vector(), .rows = 48, .columns = 32, .row_axis = "place"};
    map.column_axis = "element of its vector", map.low = -1;
    lesson.show("waves", map, "Sinusoidal positions: fast clocks left, slow ones right.");
}

//! ## Only the distance
//!
//! Put the same token at every place (`scores_of` in `reader.cpp`, nothing trained). Then all that
//! differs among the scores is what positions do. With the last three, the score of query $t$ and
//! key $j$ must depend on $t - j$ alone: every diagonal of the matrix holds one number. Waves are
//! added before the matrices $W_Q$ and $W_K$, and these do not keep distances.
void only_the_distance(Lesson& lesson) {
    lesson.heading("Only the distance");
    Rng rng(lesson.seed());
    std::vector<HeatMap> maps;
    using enum PositionKind;
    for (PositionKind kind : {sinusoidal, relative, rotary, alibi}) {
        const Tensor scores = scores_of(kind, rng), around = scores - mean(scores);
        HeatMap map{.title = name_of(kind),
                    .values = (around / max(abs(around))).to_vector(),
                    .rows = int(scores.size(0)),
                    .columns = int(scores.size(1))};
        map.row_axis = "query", map.column_axis = "key", map.low = -1, map.value_name = "score";
        maps.push_back(map);
        const int64_t n = scores.size(0);
        const Tensor next = slice(slice(scores, 0, 1, n), 1, 1, n);  // one place on, both
        const double off = gap(next, slice(slice(scores, 0, 0, n - 1), 1, 0, n - 1));
        lesson.claim(fmt::format("{}: change of a score one place on", name_of(kind)), off,
                     kind == sinusoidal ? at_least(0.01) : at_most(1e-12));
    }
    lesson.show("scores", maps, "One token at 32 places: its scores, each map by its own scale.");
}

//! ## Beyond the trained length
//!
//! Two questions at every place, with a causal mask: *which token stood just before?*, and *which
//! was the latest digit?* Training sequences have 16 tokens; then come sequences of 128. Nothing
//! else differs among the six: same sizes, steps and seeds. (Quick mode asks the first only.)
void beyond(Lesson& lesson, int steps, int seeds, Prediction guess) {
    lesson.heading("Beyond the trained length");
    std::map<Task, Reached> reached;
    reached[Task::before] = ask_all(lesson, Task::before, steps, seeds);
    if (!lesson.quick()) reached[Task::latest] = ask_all(lesson, Task::latest, steps, seeds);

    //! Inside, nearly everything works, and without positions the mask alone tells a good deal.
    //! Beyond, rows of the table that were never trained are noise; waves and turns come to
    //! combinations never met. Turns hold out to twice the length; at eight times it they mislead,
    //! and no positions at all would be better. What knows distances, and makes little of the far,
    //! goes on.
    using enum PositionKind;
    double least = 1;
    for (auto& [task, of] : reached)
        for (PositionKind kind : {sinusoidal, learned, relative, rotary, alibi})
            least = std::min(least, of.at(kind)[0]);
    PositionKind best = sinusoidal;
    for (PositionKind kind : {learned, relative, rotary, alibi})
        if (reached[Task::before].at(kind)[3] > reached[Task::before].at(best)[3]) best = kind;
    lesson.reveal(guess, name_of(best));
    lesson.claim("inside: the lowest accuracy of the five", least,
                 at_least(lesson.quick() ? 0.8 : 0.95));
    const auto reaches = [&](Task task, PositionKind kind, int stretch, Expectation expected) {
        lesson.claim(
            fmt::format("{}, {}: {}", name_of(task), stretches[stretch].name, name_of(kind)),
            reached[task].at(kind)[stretch], expected);
    };
    reaches(Task::before, relative, 3, at_least(lesson.quick() ? 0.8 : 0.95));
    reaches(Task::before, learned, 3, at_most(0.2));
    reaches(Task::before, sinusoidal, 3, at_most(0.3));
    reaches(Task::before, rotary, 3, at_most(0.5));
    if (lesson.quick()) return;
    reaches(Task::before, alibi, 3, at_least(0.8));
    for (Task task : {Task::before, Task::latest}) reaches(task, rotary, 1, at_least(0.75));
    reaches(Task::latest, alibi, 3, at_least(0.9));
    reaches(Task::latest, relative, 3, at_least(0.8));
    for (PositionKind kind : {learned, sinusoidal}) reaches(Task::latest, kind, 3, at_most(0.6));
    reaches(Task::latest, rotary, 3, at_most(0.5));
    lesson.claim("the latest digit, to 8x: rotary less none",
                 reached[Task::latest].at(rotary)[3] - reached[Task::latest].at(none)[3],
                 less_than(0));
}

}  // namespace

//! ## What this does not show
//!
//! Which way is best in general. These questions ask for what is near, and that favours ways that
//! know distances. Rotary positions are everywhere today, and large models stretch them beyond the
//! trained length by slowing the turns down; nothing here was stretched. Nor is a reach of 8 free:
//! a token 20 places back and one 40 back are the same to our relative positions.
//!
//! Sources: Vaswani et al. (2017), section 3.5; Gehring et al., "Convolutional sequence to sequence
//! learning" (2017), section 3.1; Shaw, Uszkoreit and Vaswani (2018), section 3; Su et al.,
//! "RoFormer" (2021), section 3.2; Press, Smith and Lewis, "Train short, test long" (2021); Haviv
//! et al., "Transformer language models without positional encodings still learn positional
//! information" (2022), for the causal mask.
//!
//! ## Try this next
//!
//! 1. `--steps 3000`: who gains beyond the trained length, and who only inside it?
//! 2. In `reader.h`, `trained_length = 32` (*to 2x* is inside now). Does it buy twice the reach?
//! 3. Set `.max_distance` in `reader.cpp` to 2. Which of the two questions suffers, and from where on?
int main(int argc, char** argv) {
    Lesson lesson({.number = 18,
                   .name = "positions",
                   .title = "Where does order come from?",
                   .question =
                       "Attention sees a set. How is it told the order, and does it still know "
                       "it in a longer sequence?",
                   .own_data = "sequences of 16 letters and digits, drawn as needed"});
    int steps = 0;
    lesson.option("--steps", steps, "steps of training (800; quick 300)");
    return lesson.run(argc, argv, [&] {
        if (steps == 0) steps = lesson.quick() ? 300 : 800;
        const Prediction mask = lesson.predict(
            "A model without positions, but with a causal mask, is asked for the token before each "
            "one. Does it do better than guessing?",
            {"yes", "no"});
        const Prediction best = lesson.predict(
            "Trained on 16 tokens, tested on 128: with which positions is the token before still "
            "found best?",
            {"sinusoidal", "learned", "relative", "rotary", "alibi"});
        without_positions(lesson, steps, mask);
        six_ways(lesson);
        only_the_distance(lesson);
        beyond(lesson, steps, lesson.quick() ? 1 : 3, best);
    });
}
