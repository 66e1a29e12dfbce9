//! # Where does order come from?
//!
//! "The dog bit the man" and "the man bit the dog" consist of the same words. You know who was
//! hurt. A layer of self-attention does not: lesson {self_attention} shuffled the tokens, and the
//! contexts were shuffled in the same way.
//!
//! So information about the order has to be added. Whatever tells a network where a token stands is
//! called a *position encoding*. We meet five of them, and ask: does a model that was trained on
//! short sequences still work on longer ones?

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "autograd/autograd.h"
#include "lessons/20_positions/data.h"
#include "lessons/20_positions/experiment.h"
#include "lessons/20_positions/model.h"
#include "lessons/20_positions/pictures.h"
#include "lessons/course/course.h"

namespace heed::lesson20 {

using namespace course;

namespace {

void opening(Lesson& lesson) {
    lesson.show("clock", one_word_at_two_places(),
                "Two numbers of \"dog\" as the hand of a clock. It stands at 12 for the first "
                "word and moves on by about 57 degrees with each word. The same word in another "
                "place points in another direction.");
}

double gap(const Tensor& a, const Tensor& b) { return max(abs(a - b)).item(); }

//! ## Without positions
//!
//! How much is missing? Two layers of self-attention, with an output at every position, get the
//! task: **which token comes just before this one?** In "c a f b" the answers at "a", "f" and "b"
//! are "c", "a" and "f". Here every sequence has sixteen different tokens in random order. So a
//! model that does not see the order is right in one case of fifteen.
//!
//! With a causal mask it is different. The first token attends to one token, the second to two, and
//! so on. Let all weights of a token be equal. Token 1 averages over one token, so it is all of its
//! own mean. Token 2 is half of its mean, token 3 a third. Reading this share is reading the
//! position. In the second layer, a token could look for the key one position earlier. Will
//! training find this way, or some other?
//!
//! {code model.cpp train_model}
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
        lesson.claim(
            "shuffled",
            "identity: shuffled tokens: logits against shuffled logits, largest difference",
            gap(model(Indices(shuffled, {1, tokens})), logits), at_most(1e-12));
    }
    lesson.claim("no-mask-accuracy",
                 "finding: accuracy without a mask and without positions; guessing gives 0.067",
                 accuracies[0], between(0.05, 0.085));
    lesson.claim("causal-accuracy", "finding: accuracy with a causal mask and without positions",
                 accuracies[1], at_least(lesson.quick() ? 0.75 : 0.85));
    lesson.reveal(guess, accuracies[1] > 0.2 ? "yes" : "no");
}

//! {if all no-mask-accuracy < 0.08 and causal-accuracy > 0.85} It finds one; which, we have not
//! looked at. Without a mask the model guesses. With the mask it is right in {causal-accuracy:%} of
//! the cases. So the mask alone says much about the order (Haviv et al. 2022). But this way is
//! indirect. It is better to state the positions.
//!
//! ## Numbering the positions
//!
//! The simplest idea is to add 0 to the vector of the first token, 1 to that of the second, and so
//! on. But the numbers in an embedding have a size of about 1. At position 100 the word would
//! hardly be visible any more.
//!
//! We could divide by the length of the sentence. Then the step to the next word is $1/5$ in a
//! sentence of five words and $1/100$ among a hundred, and has to be learned for every length anew.
//!
//! A clock does better. It tells the time of a whole day with hands that never leave their circles:
//! the fast one tells seconds apart, the slow one hours. Each hand is two numbers between -1 and 1,
//! its coordinates on the circle.
//!
//! ## Sinusoidal positions
//!
//! The Transformer uses such a clock with $D/2$ hands. *Sinusoidal positions* are vectors of sines
//! and cosines of the position, with a different frequency for each pair of numbers (Vaswani et al.
//! 2017). Position $t$ has the vector $P_t$, which is added to the embedding of the token there:
//!
//! $$ P_{t, 2i} = \sin(\omega_i t), \qquad P_{t, 2i+1} = \cos(\omega_i t), \qquad
//!    \omega_i = 10000^{-2i/D} . $$
//!
//! Here $t$ counts from 0, $i$ numbers the pairs, also from 0, and $D$ is the width. The
//! *frequency* $\omega_i$ is the angle by which a hand turns from one position to the next. It is 1
//! for the fastest hand, and near $1/10000$ for the slowest if $D$ is large.
//!
//! **By hand.** With $D = 4$ there are two hands, with $\omega_0 = 1$ and $\omega_1 = 0.01$. So
//! $P_0 = (0, 1, 0, 1)$, $P_1 = (0.841, 0.540, 0.010, 1.000)$ and
//! $P_2 = (0.909, -0.416, 0.020, 1.000)$. Dot products of such vectors depend on the distance only:
//! $\sin a \sin b + \cos a \cos b = \cos(a - b)$, and so
//! $P_1 \cdot P_2 = \cos 1 + \cos 0.01 = 1.540$.
//!
//! *Learned positions* are simpler still: the rows of a table of parameters, one for each position,
//! are added to the embeddings (Gehring et al. 2017). But a row that was never trained is noise.
Tensor sinusoidal_by_hand(int64_t positions, int64_t width) {
    std::vector<double> y;
    for (int64_t t = 0; t < positions; ++t)
        for (int64_t i = 0; i < width / 2; ++i) {
            const double omega = std::pow(10000, -2.0 * double(i) / double(width));
            y.insert(y.end(), {std::sin(omega * double(t)), std::cos(omega * double(t))});
        }
    return tensor(y, {positions, width}, Dtype::float64);
}

//! The first three vectors of width 4, and a clock of width 32 as a picture:
void sinusoids(Lesson& lesson) {
    lesson.heading("Sinusoidal positions");
    show_vectors(lesson, sinusoidal_by_hand(3, 4));
    lesson.claim("sinusoidal-by-hand",
                 "identity: sinusoidal positions by hand against the library, largest difference",
                 gap(sinusoidal_by_hand(48, 32), sinusoidal_positions(0, 48, 32, Dtype::float64)),
                 at_most(1e-12));
    lesson.show("sinusoidal", sinusoidal_map(48, 32),
                "Sinusoidal positions of width 32; a row is a position, from 0 at the top. High "
                "frequencies are on the left, low ones on the right.");
}

//! ## Distances instead of positions
//!
//! It seldom matters that a word is the 17th. It matters that it stands just before another one.
//! With *relative positions*, the score of a query and a key depends on their words and on the
//! distance between them, but not on where the two stand. Sinusoidal positions come near to this.
//! But they are added before the products with $W_Q$ and $W_K$, so the score is not
//! $P_t \cdot P_j$. Three encodings act on the scores themselves. Now $t$ is the position of the
//! query $q_t$, and $j$ that of the key $k_j$.
//!
//! **A vector for each distance** (Shaw et al. 2018). A learned vector $a_d$ for the distance
//! $d = j - t$ is added to the key:
//!
//! $$ e_{tj} = \frac{q_t \cdot (k_j + a_{j-t})}{\sqrt D} . $$
//!
//! (There is a second table for the values. Distances above 8 count as 8 here. The tables and plots
//! call this kind `relative`.)
//!
//! **A penalty for each distance.** *ALiBi* (attention with linear biases) learns nothing: it
//! subtracts from each score the distance times a fixed slope $m$ (Press et al. 2021):
//!
//! $$ e_{tj} = \frac{q_t \cdot k_j}{\sqrt D} - m \, |t - j| . $$
//!
//! Each head has a slope of its own. With four heads these are $1/4$, $1/16$, $1/64$ and $1/256$:
//! the first head looks at near tokens, the last one far.
//!
//! {no results} **By hand.** Let three keys at the distances 2, 1 and 0 have equal scores, and let
//! $m = 1/4$. The penalties are 0.5, 0.25 and 0. The exponentials of their negatives are 0.607,
//! 0.779 and 1, and the weights are 0.254, 0.326 and 0.419.
Tensor alibi_by_hand(double slope, int64_t length) {  // [T, T], what is added to the scores
    std::vector<double> y;
    for (int64_t t = 0; t < length; ++t)
        for (int64_t j = 0; j < length; ++j) y.push_back(-slope * std::fabs(double(t - j)));
    return tensor(y, {length, length}, Dtype::float64);
}

//! Here is what a vector for each distance adds to the scores:
Tensor relative_by_hand(const Tensor& q, const Tensor& a) {  // [T, D], [2 * 8 + 1, D] -> [T, T]
    const int64_t length = q.size(0), most = (a.size(0) - 1) / 2;
    std::vector<double> y;
    for (int64_t t = 0; t < length; ++t)
        for (int64_t j = 0; j < length; ++j) {
            const int64_t distance = std::clamp(j - t, -most, most);
            const Tensor product = sum(select(q, 0, t) * select(a, 0, distance + most));
            y.push_back(product.item() / std::sqrt(double(q.size(1))));
        }
    return tensor(y, {length, length}, Dtype::float64);
}

//! Both must agree with the library.
void distances(Lesson& lesson) {
    lesson.heading("Distances instead of positions");
    const NoGrad no_grad;
    show_penalties(lesson, select(alibi_by_hand(0.25, 3), 0, 2));
    lesson.claim("alibi-by-hand", "identity: ALiBi by hand against the library, largest difference",
                 gap(alibi_by_hand(0.25, 16), select(alibi_bias(4, 16, 16, Dtype::float64), 0, 0)),
                 at_most(1e-12));
    Rng rng(lesson.seed());
    RelativePositions shaw(
        {.kind = PositionKind::relative, .width = 8, .heads = 1, .max_distance = 8}, rng);
    to_dtype(shaw, Dtype::float64);
    const Tensor q = normal({16, 8}, 0, 1, rng, Dtype::float64);
    lesson.claim("distances-by-hand",
                 "identity: vectors of distances by hand against the library, largest difference",
                 gap(relative_by_hand(q, shaw.key),
                     reshape(shaw.bias(reshape(q, {1, 1, 16, 8}), 16), {16, 16})),
                 at_most(1e-12));
}

//! ## Rotary positions
//!
//! Most large language models of today use the third encoding. It takes the clock, but instead of
//! adding its hands to the token it rotates queries and keys. *Rotary positions* take the numbers
//! of a query or a key in pairs, as points of a plane, and rotate each pair by an angle
//! proportional to the position (Su et al. 2021):
//!
//! $$ x_{2i}' = x_{2i} \cos(\omega_i t) - x_{2i+1} \sin(\omega_i t), \qquad
//!    x_{2i+1}' = x_{2i} \sin(\omega_i t) + x_{2i+1} \cos(\omega_i t) . $$
//!
//! The frequencies are the same; values are not rotated.
//!
//! Why does the score then depend on the distance alone? A dot product in a plane depends on the
//! two lengths and on the angle between the vectors. A query at position 5 and a key at position 3
//! have been rotated by $5 \omega$ and $3 \omega$, so the angle between them has changed by
//! $2 \omega$. For the positions 105 and 103 it is the same.
//!
//! {no results} **By hand.** Let one position be a rotation by 30 degrees, and let
//! $q = k = (1, 0)$. The query at position 3 is rotated by 90 degrees, to $(0, 1)$. The key at
//! position 1 is rotated by 30 degrees, to $(0.866, 0.5)$. Their dot product is 0.5. Two positions
//! later they are at 150 and 90 degrees, $(-0.866, 0.5)$ and $(0, 1)$. The dot product is 0.5
//! again.
//!
//! ![Raise both positions by 1: both arrows rotate, and the dot product stays. Raise only one: it changes. Later pairs rotate more slowly. Drag `q` and `k`, the query and the key before the rotation.](live:rotary)
Tensor rotary_by_hand(const Tensor& x) {  // [T, D]
    std::vector<double> y;
    for (int64_t t = 0; t < x.size(0); ++t)
        for (int64_t i = 0; i < x.size(1) / 2; ++i) {
            const double angle = double(t) * std::pow(10000, -2.0 * double(i) / double(x.size(1)));
            const double a = x.at({t, 2 * i}), b = x.at({t, 2 * i + 1});
            y.push_back(std::cos(angle) * a - std::sin(angle) * b);
            y.push_back(std::sin(angle) * a + std::cos(angle) * b);
        }
    return tensor(y, x.shape(), Dtype::float64);
}

//! In the picture, the angle between query and key is the same at both pairs of positions.
void rotations(Lesson& lesson) {
    lesson.heading("Rotary positions");
    lesson.show("rotation", rotation_picture(),
                "A rotation by 30 degrees for each position. Query and key begin as the same "
                "arrow, at the small ball. q3 and k1 have the same angle between them as q5 and "
                "k3, so they have the same dot product.");
    Rng rng(lesson.seed());
    const Tensor x = normal({48, 32}, 0, 1, rng, Dtype::float64);
    lesson.claim("rotary-by-hand",
                 "identity: rotary positions by hand against the library, largest difference",
                 gap(rotary_by_hand(x), rotary(x, 0)), at_most(1e-12));
}

//! ## Scores that depend only on the distance
//!
//! For 32 equal tokens and an untrained layer, scores differ only because of the positions. If they
//! depend on the distance $t - j$ alone, every diagonal has one colour. We also measure it: how
//! much, at most, does a score change when query and key both move by one position?
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
        lesson.claim(
            fmt::format("shift-{}", name_of(kind)),
            fmt::format("{}: {}: change of a score when query and key move by one position",
                        kind == sinusoidal ? "finding" : "identity", name_of(kind)),
            off, kind == sinusoidal ? at_least(0.15) : at_most(1e-12));
    }
    lesson.show("scores", maps,
                "The scores of 32 equal tokens; a row is a query, a column a key. Each map has its "
                "own scale; its mean is 0.");
}

//! For the three encodings by distance the change is rounding error. For sinusoidal positions it is
//! not. With $x$ for the vector of the token, the dot product of the query $W_Q (x + P_t)$ and the
//! key $W_K (x + P_j)$ is a sum of four terms:
//!
//! $$ W_Q x \cdot W_K x + W_Q x \cdot W_K P_j + W_Q P_t \cdot W_K x + W_Q P_t \cdot W_K P_j . $$
//!
//! The second term depends on where the key stands, the third on where the query stands. The last
//! one would depend on the distance only if both matrices left all vectors as they are.
//!
//! ## Beyond the training length
//!
//! Attention takes time proportional to the square of the length, so one would like to train on
//! short sequences and use the model on long ones. To work on sequences longer than any in training
//! is called *extrapolation*. What is new there? For learned positions, rows that were never
//! trained. For sinusoidal and rotary ones, angles of the slow hands. For vectors of distances
//! nothing, because all distances above 8 share one. For ALiBi larger penalties, which only make
//! far tokens weigh less.
//!
//! There are two tasks, both with a causal mask: **the token before**, as above, and **the latest
//! digit**: the last digit up to here. In "c 1 f 2 b" the answer is 1 from the second token on and
//! 2 from the fourth. The training sequences have 16 tokens, the test sequences 128, and tokens may
//! now repeat. A model without positions, `none`, competes as well. Which do you expect to be best
//! at 128 tokens?
void beyond(Lesson& lesson, int steps, int seeds) {
    lesson.heading("Beyond the training length");
    const Prediction guess = lesson.predict(
        "Trained on 16 tokens, tested on 128: with which positions is the accuracy for the "
        "token before highest?",
        {"sinusoidal", "learned", "relative", "rotary", "alibi"});
    std::map<Task, Accuracies> reached;
    reached[Task::before] = compare_positions(lesson, Task::before, steps, seeds);
    if (!lesson.quick())
        reached[Task::latest] = compare_positions(lesson, Task::latest, steps, seeds);

    //! {if all lowest-within > 0.98 and before-rotary-2x > 0.8} Within the training length all five
    //! kinds solve the tasks. (`none` was better above, where no token occurred twice.) From four to
    //! eight times the training length they part:
    //!
    //! | accuracy at 4 to 8 times the length | the token before | the latest digit |
    //! | --- | --- | --- |
    //! | vectors of distances | {before-relative-8x:2} | {latest-relative-8x:2} |
    //! | ALiBi | {before-alibi-8x:2} | {latest-alibi-8x:2} |
    //! | rotary | {before-rotary-8x:2} | {latest-rotary-8x:2} |
    //! | learned | {before-learned-8x:2} | {latest-learned-8x:2} |
    //! | sinusoidal | {before-sinusoidal-8x:2} | {latest-sinusoidal-8x:2} |
    //!
    //! {if all rotary-minus-none < -0.15} Rotary positions still work up to twice the length
    //! ({before-rotary-2x:2} and {latest-rotary-2x:2}), and then they mislead: beyond four times,
    //! on the latest digit, they are worse than no positions at all, by {0 - rotary-minus-none:2}.
    //! Kazemnejad et al. (2023) found in larger models, too, that a causal model without positions
    //! extrapolates better than one with the usual encodings.
    using enum PositionKind;
    double least = 1;
    for (auto& [task, of] : reached)
        for (PositionKind kind : {sinusoidal, learned, relative, rotary, alibi})
            least = std::min(least, of.at(kind)[0]);
    PositionKind best = sinusoidal;
    for (PositionKind kind : {learned, relative, rotary, alibi})
        if (reached[Task::before].at(kind)[3] > reached[Task::before].at(best)[3]) best = kind;
    lesson.reveal(guess, name_of(best));
    lesson.claim("lowest-within",
                 "finding: within the training length: lowest accuracy of the five kinds", least,
                 at_least(lesson.quick() ? 0.93 : 0.97));
    const auto reaches = [&](Task task, PositionKind kind, int range, Expectation expected) {
        const char* of = task == Task::before ? "before" : "latest";
        lesson.claim(
            fmt::format("{}-{}-{}x", of, name_of(kind), 1 << range),
            fmt::format("finding: {}, {}: {}", name_of(task), ranges[range].name, name_of(kind)),
            reached[task].at(kind)[range], expected);
    };
    reaches(Task::before, relative, 3, at_least(0.95));
    reaches(Task::before, learned, 3, at_most(0.1));
    reaches(Task::before, sinusoidal, 3, at_most(0.12));
    reaches(Task::before, rotary, 3, at_most(0.1));
    if (lesson.quick()) return;
    reaches(Task::before, alibi, 3, at_least(0.8));
    for (Task task : {Task::before, Task::latest}) reaches(task, rotary, 1, at_least(0.75));
    reaches(Task::latest, alibi, 3, at_least(0.9));
    reaches(Task::latest, relative, 3, at_least(0.8));
    for (PositionKind kind : {learned, sinusoidal}) reaches(Task::latest, kind, 3, at_most(0.5));
    reaches(Task::latest, rotary, 3, at_most(0.4));
    lesson.claim("rotary-minus-none",
                 "finding: the latest digit, to 8x: accuracy of rotary minus that of none",
                 reached[Task::latest].at(rotary)[3] - reached[Task::latest].at(none)[3],
                 at_most(-0.15));
}

}  // namespace

}  // namespace heed::lesson20

//! ## What this does not show
//!
//! Which kind is best in general? In both tasks the answer is nearby. ALiBi would be bad if it were
//! always 100 tokens back, and our vectors of distances cannot tell a token 20 positions back from
//! one 40 back. Large models read long texts with rotary positions: all positions are scaled down,
//! so that no angle is larger than in the short texts, and the model is trained a little further
//! (Chen et al. 2023). We did not do it, and our models are tiny.
//!
//! Sources: Vaswani et al. (2017), section 3.5; Gehring et al., "Convolutional sequence to sequence
//! learning" (2017); Shaw, Uszkoreit and Vaswani, "Self-attention with relative position
//! representations" (2018); Su et al., "RoFormer" (2021); Press, Smith and Lewis, "Train short,
//! test long" (2021); Haviv et al., "Transformer language models without positional encodings still
//! learn positional information" (2022); Kazemnejad et al., "The impact of positional encoding on
//! length generalization in Transformers" (2023); Chen et al., "Extending context window of large
//! language models via positional interpolation" (2023).
//!
//! ## Summary
//!
//! 1. Without positions, self-attention cannot see the order of its tokens. A causal mask alone
//!    says something about it.
//! 2. Sinusoidal and learned positions are added to the embeddings. A sinusoidal position is a
//!    clock with fast and slow hands.
//! 3. Vectors of distances, ALiBi and rotary positions act on the scores, which then depend on
//!    words and distance only.
//! 4. {if all before-learned-8x < 0.1 and before-sinusoidal-8x < 0.1 and before-rotary-8x < 0.1}
//!    Far beyond the training length, learned, sinusoidal and rotary positions fail: they meet
//!    untrained rows or angles.
//! 5. {if all before-relative-8x > 0.95 and before-alibi-8x > 0.8} Vectors of distances with a
//!    maximum and ALiBi still work there, on tasks whose answer is near.
//!
//! ## Try this next
//!
//! 1. Ask for the token 12 places back instead of the one before (change `answers` in `data.h`).
//!    Which kinds still work within the training length, and which beyond it?
//! 2. Set `.max_distance` in `model.cpp` to 2. Which of the two tasks gets worse, and from which
//!    position on?
using namespace heed;
using namespace heed::lesson20;

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
        opening(lesson);
        const Prediction mask = lesson.predict(
            "A model without positions, but with a causal mask, has to find the token before each "
            "one. Is it better than guessing?",
            {"yes", "no"});
        without_positions(lesson, steps, mask);
        sinusoids(lesson);
        distances(lesson);
        rotations(lesson);
        only_the_distance(lesson);
        beyond(lesson, steps, lesson.quick() ? 1 : 3);
    });
}
