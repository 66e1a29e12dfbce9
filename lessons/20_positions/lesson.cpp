//! # Where does order come from?
//!
//! Self-attention ignores the order of its inputs: lesson 18 shuffled the tokens, and the contexts
//! were shuffled in the same way. But "the dog bit the man" and "the man bit the dog" have
//! different meanings. So position information has to be added, and there are many methods for it.
//! This lesson compares six, on sequences of the training length and on sequences up to eight times
//! as long.

#include <cmath>
#include <complex>
#include <map>
#include <numeric>

#include "lessons/20_positions/comparison.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;
using namespace heed::lesson20;

namespace {

double gap(const Tensor& a, const Tensor& b) { return max(abs(a - b)).item(); }

//! ## Without positions
//!
//! The model is small: two layers of self-attention (lesson 18) and an output at every position.
//! Its task is: *which token comes just before this one?* The sequences contain each of sixteen
//! tokens once. Without positions, the model can only guess one of the other fifteen tokens.
//!
//! This holds when every token attends to all others. With a causal mask it is different: the first
//! token attends to one token, the second to two, and so on. A token that can estimate this number
//! knows its position.
void without_positions(Lesson& lesson, int steps, Prediction guess) {
    lesson.heading("Without positions");
    Rng rng(lesson.seed());
    const auto draw = [](Rng& own_rng) { return draw_distinct(Task::before, 32, own_rng); };
    std::vector<double> accuracies;
    for (bool causal : {false, true}) {
        PositionModel model(PositionKind::none, causal, rng);
        train_model(model, steps, rng.split(), draw);
        const std::vector<double> by_position =
            accuracy_by_position(model, draw_distinct(Task::before, 1000, rng));
        accuracies.push_back(mean_over(by_position, {1, tokens, ""}));
        if (causal) continue;

        to_dtype(model, Dtype::float64);
        std::vector<int> order(tokens), shuffled;
        std::iota(order.begin(), order.end(), 0);
        rng.shuffle(order);
        const Indices token = draw_distinct(Task::before, 1, rng).token;
        for (int i : order) shuffled.push_back(token[i]);
        const Tensor logits = index_select(model(token), 1, Indices(order));
        lesson.claim("shuffled tokens: logits against shuffled logits, largest difference",
                     gap(model(Indices(shuffled, {1, tokens})), logits), at_most(1e-12));
    }
    lesson.claim("accuracy without a mask and without positions; guessing gives 0.067",
                 accuracies[0], between(0.05, 0.085));
    lesson.claim("accuracy with a causal mask and without positions", accuracies[1],
                 at_least(lesson.quick() ? 0.2 : 0.5));
    lesson.reveal(guess, accuracies[1] > 0.2 ? "yes" : "no");
}

//! ## Six kinds of positions
//!
//! The first kind is *none*. Two kinds are vectors that are added to the embeddings. *Learned*
//! positions are a table of parameters with a row for each position. *Sinusoidal* positions are
//! sines and cosines of many frequencies:
//!
//! $$ p_{t, 2i} = \sin\big(t \cdot 10000^{-2i/D}\big) \qquad
//!    p_{t, 2i+1} = \cos\big(t \cdot 10000^{-2i/D}\big) $$
//!
//! Three kinds change the scores by the distance between query and key. *Relative* positions learn
//! a vector for each distance up to a maximum, here 8, and add it to the key (and another to the
//! value). *ALiBi* (attention with linear biases) subtracts from each score the distance times a
//! slope, one slope for each head. *Rotary* positions take the numbers of a query or key in pairs,
//! as points of a plane, and rotate each pair by an angle that is proportional to the position. If
//! a query is rotated by $t\omega$ and a key by $j\omega$, their dot product depends only on
//! $t - j$. With complex numbers, $x_{2i} + \mathrm{i}\, x_{2i+1}$ is multiplied by
//! $e^{\mathrm{i} t \omega_i}$.
Tensor rotary_by_hand(const Tensor& x) {  // [T, D]
    std::vector<double> y;
    for (int64_t t = 0; t < x.size(0); ++t)
        for (int64_t i = 0; i < x.size(1); i += 2) {
            const double omega = std::pow(10000, -double(i) / double(x.size(1)));
            const std::complex<double> pair(x.at({t, i}), x.at({t, i + 1}));
            const std::complex<double> rotated = pair * std::polar(1.0, double(t) * omega);
            y.insert(y.end(), {rotated.real(), rotated.imag()});
        }
    return tensor(y, x.shape(), Dtype::float64);
}

Tensor sinusoidal_by_hand(int64_t positions, int64_t width) {
    std::vector<double> y;
    for (int64_t t = 0; t < positions; ++t)
        for (int64_t i = 0; i < width; ++i) {
            const double angle = double(t) * std::pow(10000, -double(i / 2 * 2) / double(width));
            y.push_back(i % 2 == 0 ? std::sin(angle) : std::cos(angle));
        }
    return tensor(y, {positions, width}, Dtype::float64);
}

void six_kinds(Lesson& lesson) {
    lesson.heading("Six kinds of positions");
    const Tensor sinusoids = sinusoidal_positions(0, 48, 32, Dtype::float64);
    lesson.claim("sinusoidal positions by hand against the library, largest difference",
                 gap(sinusoidal_by_hand(48, 32), sinusoids), at_most(1e-12));
    Rng rng(lesson.seed());
    const Tensor x = normal({48, 32}, 0, 1, rng, Dtype::float64);
    lesson.claim("rotary positions by hand against the library, largest difference",
                 gap(rotary_by_hand(x), rotary(x, 0)), at_most(1e-12));
    HeatMap map{.values = sinusoids.to_vector(), .rows = 48, .columns = 32, .row_axis = "position"};
    map.column_axis = "element of its vector", map.low = -1;
    lesson.show(
        "sinusoidal", map,
        "Sinusoidal positions: high frequencies on the left, low frequencies on the right.");
}

//! ## Scores that depend only on the distance
//!
//! We take a sequence of equal tokens and an untrained layer (`scores_of` in `model.cpp`). Then the
//! scores differ only because of positions. With the last three kinds, the score of query $t$ and
//! key $j$ must depend on $t - j$ alone: every diagonal of the matrix is constant. Sinusoidal
//! positions are added before the products with $W_Q$ and $W_K$, so their scores depend on more
//! than the distance.
void only_the_distance(Lesson& lesson) {
    lesson.heading("Scores that depend only on the distance");
    Rng rng(lesson.seed());
    std::vector<HeatMap> maps;
    using enum PositionKind;
    for (PositionKind kind : {sinusoidal, relative, rotary, alibi}) {
        const Tensor scores = scores_of(kind, rng), centred = scores - mean(scores);
        HeatMap map{.title = name_of(kind),
                    .values = (centred / max(abs(centred))).to_vector(),
                    .rows = int(scores.size(0)),
                    .columns = int(scores.size(1))};
        map.row_axis = "query", map.column_axis = "key", map.low = -1, map.value_name = "score";
        maps.push_back(map);
        const int64_t n = scores.size(0);
        const Tensor next =
            slice(slice(scores, 0, 1, n), 1, 1, n);  // query and key one position later
        const double off = gap(next, slice(slice(scores, 0, 0, n - 1), 1, 0, n - 1));
        lesson.claim(fmt::format("{}: change of a score when query and key move by one position",
                                 name_of(kind)),
                     off, kind == sinusoidal ? at_least(0.01) : at_most(1e-12));
    }
    lesson.show("scores", maps, "The scores of 32 equal tokens; each map has its own scale.");
}

//! ## Beyond the training length
//!
//! There are two tasks, both with a causal mask: at every position, *which token comes just
//! before?*, and *which was the latest digit?* Training sequences have 16 tokens, test sequences
//! 128. Sizes, steps and seeds are the same for all six kinds. (Quick mode has the first task
//! only.)
void beyond(Lesson& lesson, int steps, int seeds, Prediction guess) {
    lesson.heading("Beyond the training length");
    std::map<Task, Accuracies> reached;
    reached[Task::before] = compare_positions(lesson, Task::before, steps, seeds);
    if (!lesson.quick())
        reached[Task::latest] = compare_positions(lesson, Task::latest, steps, seeds);

    //! Within the training length nearly all kinds work, and even without positions the mask gives
    //! much information. Beyond it, learned positions use rows of the table that were never
    //! trained, and sinusoidal and rotary positions give combinations of angles that did not occur
    //! in training. Rotary positions still work up to twice the training length; at eight times the
    //! training length they do worse than no positions at all. Relative positions and ALiBi, which
    //! depend on the distance and give little weight to distant tokens, still work.
    using enum PositionKind;
    double least = 1;
    for (auto& [task, of] : reached)
        for (PositionKind kind : {sinusoidal, learned, relative, rotary, alibi})
            least = std::min(least, of.at(kind)[0]);
    PositionKind best = sinusoidal;
    for (PositionKind kind : {learned, relative, rotary, alibi})
        if (reached[Task::before].at(kind)[3] > reached[Task::before].at(best)[3]) best = kind;
    lesson.reveal(guess, name_of(best));
    lesson.claim("within the training length: lowest accuracy of the five kinds", least,
                 at_least(lesson.quick() ? 0.8 : 0.95));
    const auto reaches = [&](Task task, PositionKind kind, int range, Expectation expected) {
        lesson.claim(fmt::format("{}, {}: {}", name_of(task), ranges[range].name, name_of(kind)),
                     reached[task].at(kind)[range], expected);
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
    lesson.claim("the latest digit, to 8x: accuracy of rotary minus that of none",
                 reached[Task::latest].at(rotary)[3] - reached[Task::latest].at(none)[3],
                 less_than(0));
}

}  // namespace

//! ## What this does not show
//!
//! It does not show which kind is best in general. In both tasks the answer is nearby, and this
//! favours kinds that depend on distances. Most large models use rotary positions today, and for
//! longer sequences they reduce the rotation frequencies; we did not do this here. And a maximum
//! distance of 8 has a price: our relative positions cannot distinguish a token 20 positions back
//! from one 40 positions back.
//!
//! Sources: Vaswani et al. (2017), section 3.5; Gehring et al., "Convolutional sequence to sequence
//! learning" (2017), section 3.1; Shaw, Uszkoreit and Vaswani (2018), section 3; Su et al.,
//! "RoFormer" (2021), section 3.2; Press, Smith and Lewis, "Train short, test long" (2021); Haviv
//! et al., "Transformer language models without positional encodings still learn positional
//! information" (2022), for the causal mask.
//!
//! ## Try this next
//!
//! 1. `--steps 3000`: which kinds improve beyond the training length, and which only within it?
//! 2. In `model.h`, set `trained_length = 32` (then *to 2x* is within it). Do all kinds work up to
//!    twice the length of before?
//! 3. Set `.max_distance` in `model.cpp` to 2. Which of the two tasks gets worse, and from which
//!    position on?
int main(int argc, char** argv) {
    Lesson lesson({.number = 20,
                   .name = "positions",
                   .title = "Where does order come from?",
                   .question = "Attention ignores order. How can positions be added, and do they "
                               "still work in longer sequences?",
                   .own_data = "random sequences of 16 letters and digits"});
    int steps = 0;
    lesson.option("--steps", steps, "steps of training (800; quick 300)");
    return lesson.run(argc, argv, [&] {
        if (steps == 0) steps = lesson.quick() ? 300 : 800;
        const Prediction mask = lesson.predict(
            "A model without positions, but with a causal mask, has to find the token before each "
            "one. Is it better than guessing?",
            {"yes", "no"});
        const Prediction best = lesson.predict(
            "Trained on 16 tokens, tested on 128: with which positions is the accuracy for the "
            "token before highest?",
            {"sinusoidal", "learned", "relative", "rotary", "alibi"});
        without_positions(lesson, steps, mask);
        six_kinds(lesson);
        only_the_distance(lesson);
        beyond(lesson, steps, lesson.quick() ? 1 : 3, best);
    });
}
