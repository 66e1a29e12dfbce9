//! # Which score function?
//!
//! Lesson 07 gave every word a score and made weights of the scores. There the query was always the
//! same. From now on queries come and go, and the score says how well a query $q$ and a key $k$ go
//! together. There are half a dozen formulas for that. Is one as good as another? And why does the
//! most successful of them divide by the square root of the width?

#include <cmath>
#include <map>

#include "autograd/autograd.h"
#include "lessons/08_scores/saturation.h"
#include "lessons/08_scores/tasks.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;

namespace {

//! ## Six formulas
//!
//! | name | score of $q$ and $k_j$ | learned |
//! | --- | --- | --- |
//! | additive (Bahdanau 2015), also called concat | $v^\top \tanh(W q + U k_j)$ | $v$, $W$, $U$ |
//! | dot (Luong 2015) | $q \cdot k_j$ | nothing |
//! | general (Luong 2015) | $q^\top W k_j$ | $W$ |
//! | location (Luong 2015) | $(W q)_j$ | $W$ |
//! | scaled dot (Vaswani 2017) | $q \cdot k_j / \sqrt{D}$ | nothing |
//! | content (Graves 2014) | $\beta \cos(q, k_j)$ | $\beta$ |
//!
//! $D$ is the width of $q$ and $k$. Additive asks a small network ($v$ is no value). General lets
//! one of the two be turned and stretched first. Location does not look at the key: it is the
//! *place* $j$ that the query asks for. Content looks at directions, and $\beta$ says how sharply.
Tensor by_hand(const AttentionScore& score, const Tensor& q, const Tensor& k) {  // [D], [K, D] -> [K]
    if (const auto* s = std::get_if<AdditiveScore>(&score.any))
        return matmul(tanh(s->query(unsqueeze(q, 0)) + s->key(k)), s->v);
    if (const auto* s = std::get_if<GeneralScore>(&score.any))
        return matmul(k, matmul(transpose(s->weight), q));
    if (const auto* s = std::get_if<LocationScore>(&score.any))
        return slice(matmul(s->weight, q), 0, 0, k.size(0));
    if (const auto* s = std::get_if<ContentScore>(&score.any))
        return exp(s->log_sharpness) * matmul(k, q) / (sqrt(sum(k * k, 1)) * sqrt(sum(q * q)));
    const double scale = std::holds_alternative<ScaledDotScore>(score.any)
                             ? 1 / std::sqrt(static_cast<double>(q.size(0)))
                             : 1;
    return scale * matmul(k, q);
}

void check_against_the_library(Lesson& lesson) {
    const NoGrad no_grad;
    Rng rng(lesson.seed());
    double gap = 0;
    for (ScoreKind kind : score_kinds()) {
        const AttentionScore score(kind, {.query = width, .key = width, .sharpness = 3}, rng);
        const Tensor q = normal({width}, 0, 1, rng), k = normal({keys, width}, 0, 1, rng);
        const Tensor library = score.of(reshape(q, {1, 1, width}), unsqueeze(k, 0));
        gap = std::max(gap, max(abs(reshape(library, {-1}) - by_hand(score, q, k))).item());
    }
    lesson.claim("six scores by hand against the library's, largest difference", gap,
                 at_most(1e-4));
}

//! ## Why divide by the root of the width?
//!
//! Let the numbers in $q$ and $k$ be independent with mean 0 and variance 1. Each product $q_i k_i$
//! then has mean 0 and variance 1, and the variance of a sum of independent terms is the sum of
//! variances:
//!
//! $$ \operatorname{var}(q \cdot k) = \sum_{i=1}^{D} \operatorname{var}(q_i k_i) = D . $$
//!
//! So scores of width 512 have a deviation of $\sqrt{512} \approx 23$. Softmax turns differences
//! into ratios, and $e^{23}$ is ten billion: one key gets nearly all the weight. That is
//! *saturation*, and its price shows in the gradient: a gradient $g$ of the weights becomes
//!
//! $$ \frac{\partial L}{\partial e_j} = \alpha_j \Big( g_j - \sum_k \alpha_k g_k \Big) , $$
//!
//! which is 0 when one weight is 1 and the others are 0: no key learns whether it should have been
//! chosen. Divided by $\sqrt{D}$, scores have variance 1 whatever the width. The *entropy*
//! $-\sum_j \alpha_j \ln \alpha_j$, in *nats*, measures how widely the weights are spread: $\ln K$
//! when all $K$ are equal, 0 when one has everything.
void look_at_saturation(Lesson& lesson, Prediction guess, Prediction enough) {
    lesson.heading("Why divide by the root of the width?");
    const std::vector<double> widths{4, 8, 16, 32, 64, 128, 256, 512};
    const int pairs = lesson.quick() ? 15000 : 40000;
    Table variances({"width", "variance of q·k", "over the width", "scaled"});
    double off = 0, scaled_off = 0;
    Rng rng(lesson.seed());
    for (double D : widths) {
        const Variances v = score_variances(static_cast<int64_t>(D), pairs, rng);
        variances.row(D, number(v.dot, 3), number(v.dot / D, 3), number(v.scaled, 3));
        off = std::max(off, std::abs(v.dot / D - 1));
        scaled_off = std::max(scaled_off, std::abs(v.scaled - 1));
        if (D == 64) lesson.reveal(guess, v.dot);
    }
    lesson.table(variances, fmt::format("{} pairs of random vectors each.", pairs));
    lesson.claim("variance over width, largest distance from 1", off, at_most(0.05));
    lesson.claim("variance of the scaled score, largest distance from 1", scaled_off,
                 at_most(0.05));

    const std::vector<Sweep> sweeps = sweep_widths(widths, lesson.quick() ? 300 : 1000, rng);
    Table table({"at width 512", "entropy", "gradient of scores", "of them dead", "of values"});
    LinePlot entropy{.x_label = "width", .y_label = "entropy, in nats", .log_x = true};
    LinePlot gradient{
        .x_label = "width", .y_label = "norm of the gradient", .log_x = true, .log_y = true};
    for (const Sweep& s : sweeps) {
        entropy.series.push_back({s.name, widths, s.entropy});
        gradient.series.push_back({s.name, widths, s.scores});
        table.row(s.name, number(s.last.entropy, 2), number(s.last.scores, 2),
                  number(s.last.dead, 2), number(s.last.values, 2));
    }
    lesson.show("entropy", entropy, "How widely softmax spreads weights over 32 random keys.");
    lesson.show("gradient", gradient,
                "What softmax leaves of a gradient on its way to the scores.");
    lesson.table(table,
                 "Dead: less than a thousandth is left. Of values: what reaches the values.");

    const Sweep &plain = sweeps[0], &scaled = sweeps[1], &matching = sweeps[2];
    lesson.claim("unscaled: entropy at width 512 over that at width 4",
                 plain.last.entropy / plain.first.entropy, at_most(0.2));
    lesson.claim("unscaled: gradient of the scores at 512 over that at 4",
                 plain.last.scores / plain.first.scores, at_most(0.5));
    lesson.claim("unscaled: share of queries dead at 512", plain.last.dead, at_least(0.4));
    lesson.claim("scaled: entropy at 512 over that at 4",
                 scaled.last.entropy / scaled.first.entropy, between(0.9, 1.1));
    //! It is often said that the root *prevents* vanishing gradients. It prevents one cause of
    //! them: width, as long as queries and keys know nothing of each other. Let a single key equal
    //! the query, as training will have it. Its score is $|q|^2 / \sqrt{D} \approx \sqrt{D}$, and
    //! the weights saturate, scaled or not. (What reaches the *values* does not vanish: it grows.)
    lesson.reveal(enough, matching.last.scores > 0.01 ? "yes" : "no");
    lesson.claim("scaled, one key matches: gradient of the scores at 512", matching.last.scores,
                 at_most(1e-3));
    lesson.claim("unscaled: gradient of the values at 512, over scaled",
                 plain.last.values / scaled.last.values, more_than(1));
}

//! ## Six scores, four tasks
//!
//! Eight keys, each with a value; a query tells which key is meant; answer with its value. Four
//! tasks differ in how the query tells (`tasks.h`). *Symbols*: it names one of twenty symbols, each
//! key is one, and both have vectors that are learned. *Same space*: keys are random vectors, new
//! every time, and the query is a noisy copy of one. *Other space*: the same, but all queries have
//! been turned by a rotation that must be found out. *Place*: keys are random, and the query says
//! *the third*. Six readers differ in the score alone. Width 32, the same steps of Adam, each at
//! the best of three rates, found with numbers used for nothing else.
void compare_scores(Lesson& lesson, int steps, Prediction guess) {
    lesson.heading("Six scores, four tasks");
    const bool quick = lesson.quick();
    const Task tasks[] = {Task::symbols, Task::same_space, Task::other_space, Task::place};
    Table table({"score", "symbols", "same space", "other space", "place", "parameters"});
    HeatMap map{.row_axis = "score", .column_axis = "task", .value_name = "accuracy"};
    for (Task task : tasks) map.column_labels.emplace_back(name_of(task));
    std::map<std::pair<ScoreKind, Task>, double> reached;
    const std::uint64_t seed = 1000 * lesson.seed();
    const auto rates = quick ? std::vector<double>{0.01} : std::vector<double>{0.003, 0.01, 0.03};
    for (ScoreKind kind : score_kinds()) {
        std::vector<std::string> cells{name_of(kind)};
        map.row_labels.emplace_back(name_of(kind));
        for (Task task : tasks) {
            const auto runs = learned_accuracies(task, kind, steps, quick ? 1 : 5, rates, seed);
            cells.push_back(mean_and_spread(runs, 2));
            map.values.push_back(summarise(runs).mean);
            reached[{kind, task}] = map.values.back();
        }
        Rng rng(1);
        cells.push_back(number(static_cast<double>(parameter_count(Reader(kind, rng).score))));
        table.add(cells);
    }
    lesson.table(table,
                 "Accuracy on new problems, mean and deviation of five readers (quick: one).");
    lesson.show("tasks", map, "Which score can do what. The mean of all values has about 0.3.");

    const double high = quick ? 0.8 : 0.95, low = 0.45;
    const auto of = [&](ScoreKind kind, Task task) { return reached[{kind, task}]; };
    double elsewhere = 0, no_map = 0;
    for (Task task : tasks)
        if (task != Task::place) elsewhere = std::max(elsewhere, of(ScoreKind::location, task));
    double by_content = 0;
    std::size_t most = 0;
    ScoreKind versatile{};
    for (ScoreKind kind : score_kinds()) {
        if (kind != ScoreKind::location) by_content = std::max(by_content, of(kind, Task::place));
        std::size_t solved = 0;
        for (Task task : tasks) solved += of(kind, task) > 0.9;
        if (solved > most) most = solved, versatile = kind;
    }
    for (ScoreKind kind : {ScoreKind::dot, ScoreKind::scaled_dot, ScoreKind::content})
        no_map = std::max(no_map, of(kind, Task::other_space));
    lesson.claim("location where a place is asked for", of(ScoreKind::location, Task::place),
                 at_least(high));
    lesson.claim("location where content is asked for, at best", elsewhere, at_most(low));
    lesson.claim("the five others where a place is asked for, at best", by_content, at_most(low));
    lesson.claim("general where a rotation must be learned",
                 of(ScoreKind::general, Task::other_space), at_least(high));
    lesson.claim("dot, scaled dot and content there, at best", no_map, at_most(low));
    lesson.claim("scaled dot above dot, on symbols",
                 of(ScoreKind::scaled_dot, Task::symbols) - of(ScoreKind::dot, Task::symbols),
                 more_than(0));
    lesson.claim("additive on symbols", of(ScoreKind::additive, Task::symbols), at_least(high));
    lesson.claim("additive on vectors that are new every time",
                 of(ScoreKind::additive, Task::same_space), at_most(low));
    lesson.reveal(guess, name_of(versatile));
}

}  // namespace

//! ## What this does not show
//!
//! Usually $q$ and $k$ come out of learned layers, and a learned layer before a dot product is the
//! general score; lesson 10 compares scores where they translate. Additive, often called the more
//! expressive score, did not learn to compare vectors it had never seen, not with 512 hidden units
//! and 6,000 steps either; no proof that it cannot. And the dot product lost on symbols because
//! vectors that begin with variance 1 begin saturated: a fifth as large, it finds every symbol.
//!
//! Sources: Bahdanau, Cho and Bengio (2015), appendix A.1.2; Luong, Pham and Manning (2015),
//! section 3.1; Graves, Wayne and Danihelka (2014), section 3.3.1; Vaswani et al. (2017),
//! section 3.2.1 and its footnote 4, where the variance stands.
//!
//! ## Try this next
//!
//! 1. In `saturation.cpp`, let one key be `q` plus noise as large as itself. Who saturates now?
//! 2. `--steps 5000`: which failures were a lack of patience?
//! 3. In `Reader`, multiply the vectors of `asked` by 0.2 before training. Does dot need the root?
int main(int argc, char** argv) {
    Lesson lesson(
        {.number = 8,
         .name = "scores",
         .title = "Which score function?",
         .question = "Does it matter how a query is compared with a key?",
         .own_data = "random vectors, and four small tasks drawn afresh for every batch"});
    int steps = 0;
    lesson.option("--steps", steps, "steps of training (800; quick 300)");
    return lesson.run(argc, argv, [&] {
        if (steps == 0) steps = lesson.quick() ? 300 : 800;
        const Prediction variance = lesson.predict(
            "q and k hold 64 independent numbers of mean 0 and variance 1. What is the variance of "
            "their dot product?",
            within_factor(1.2));
        const Prediction enough = lesson.predict(
            "Divided by the root of the width, 512: does the gradient survive the softmax when one "
            "of the keys equals the query?",
            {"yes", "no"});
        const Prediction most = lesson.predict(
            "Which score solves most of four tasks: a symbol, a vector, a turned vector, a place?",
            {"additive", "dot", "general", "location", "scaled_dot", "content"});
        check_against_the_library(lesson);
        look_at_saturation(lesson, variance, enough);
        compare_scores(lesson, steps, most);
    });
}
