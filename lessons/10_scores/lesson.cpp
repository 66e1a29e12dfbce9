//! # Which score function?
//!
//! Lesson 09 gave every word a score and turned the scores into weights. There was one query only.
//! From now on there are many queries, and the score says how well a query $q$ matches a key $k$.
//! Six formulas for it are in use. Is one as good as another? And why does the most successful of
//! them divide by the square root of the width?

#include <cmath>
#include <map>

#include "autograd/autograd.h"
#include "lessons/10_scores/saturation.h"
#include "lessons/10_scores/tasks.h"
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
//! $D$ is the width of $q$ and $k$. The additive score is a small network with one hidden layer;
//! its $v$ is a parameter, not a value. The general score applies a linear map to one of the two
//! vectors first. The location score does not use the key: the query alone gives a score to each
//! *position* $j$. The content score compares directions; a larger $\beta$ makes the weights
//! sharper.
Tensor by_hand(const AttentionScore& score, const Tensor& q,
               const Tensor& k) {  // [D], [K, D] -> [K]
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
//! So scores of width 512 have a standard deviation of $\sqrt{512} \approx 23$. Softmax turns
//! differences of scores into ratios of weights, and $e^{23}$ is ten billion: one key gets nearly
//! all the weight. This is called *saturation*. It makes the gradient vanish: from the gradient $g$
//! of the weights, the gradient of the scores is
//!
//! $$ \frac{\partial L}{\partial e_j} = \alpha_j \Big( g_j - \sum_k \alpha_k g_k \Big) , $$
//!
//! which is 0 when one weight is 1 and the others are 0. Then the scores cannot learn that another
//! key would have been better. Scores divided by $\sqrt{D}$ have variance 1 at every width. The
//! *entropy* $-\sum_j \alpha_j \ln \alpha_j$, in *nats*, measures how widely the weights are
//! spread: $\ln K$ when all $K$ are equal, 0 when one weight is 1.
void measure_saturation(Lesson& lesson, Prediction guess, Prediction enough) {
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
    Table table({"at width 512", "entropy", "scores", "vanished", "values"});
    LinePlot entropy{.x_label = "width", .y_label = "entropy, in nats", .log_x = true};
    LinePlot gradient{
        .x_label = "width", .y_label = "norm of the gradient", .log_x = true, .log_y = true};
    for (const Sweep& s : sweeps) {
        entropy.series.push_back({s.name, widths, s.entropy});
        gradient.series.push_back({s.name, widths, s.scores});
        table.row(s.name, number(s.last.entropy, 2), number(s.last.scores, 2),
                  number(s.last.vanished, 2), number(s.last.values, 2));
    }
    lesson.show("entropy", entropy, "The entropy of the weights of 32 random keys.");
    lesson.show("gradient", gradient,
                "The norm of the gradient of the scores, after the backward pass through softmax.");
    lesson.table(table,
                 "Scores and values: the norm of their gradients. Vanished: the share of queries "
                 "where that of the scores is below 0.001.");

    const Sweep &plain = sweeps[0], &scaled = sweeps[1], &matching = sweeps[2];
    lesson.claim("unscaled: entropy at width 512 over that at width 4",
                 plain.last.entropy / plain.first.entropy, at_most(0.2));
    lesson.claim("unscaled: gradient of the scores at 512 over that at 4",
                 plain.last.scores / plain.first.scores, at_most(0.5));
    lesson.claim("unscaled: share of queries with a vanished gradient at 512", plain.last.vanished,
                 at_least(0.4));
    lesson.claim("scaled: entropy at 512 over that at 4",
                 scaled.last.entropy / scaled.first.entropy, between(0.9, 1.1));
    //! Many texts say that dividing by the root *prevents* vanishing gradients. It prevents one
    //! cause of them: a large width, as long as queries and keys are independent. After training, a
    //! key may be equal to its query. Then its score is $|q|^2 / \sqrt{D} \approx \sqrt{D}$, and
    //! the weights saturate in spite of the scaling. (The gradient of the *values* does not vanish:
    //! it grows.)
    lesson.reveal(enough, matching.last.scores > 0.01 ? "yes" : "no");
    lesson.claim("scaled, one key matches: gradient of the scores at 512", matching.last.scores,
                 at_most(1e-3));
    lesson.claim("unscaled: gradient of the values at 512, over scaled",
                 plain.last.values / scaled.last.values, more_than(1));
}

//! ## Six scores, four tasks
//!
//! There are eight keys, each with a value. A query selects one key, and the answer is the value of
//! that key. Four tasks differ in how the query selects it (`tasks.h`). *Symbols*: each key is one
//! of twenty symbols, the query names one of them, and both have learned vectors. *Same space*:
//! keys are new random vectors in every problem, and the query is a noisy copy of one. *Other
//! space*: the same, but a fixed rotation, which must be learned, is applied to all queries.
//! *Position*: keys are random, and the query names a position, such as *the third*. We train six
//! models that differ in the score only. The width is 32, the number of steps of Adam is the same,
//! and each uses the best of three learning rates, chosen with a seed used for nothing else.
void compare_scores(Lesson& lesson, int steps, Prediction guess) {
    lesson.heading("Six scores, four tasks");
    const bool quick = lesson.quick();
    const Task tasks[] = {Task::symbols, Task::same_space, Task::other_space, Task::position};
    Table table({"score", "symbols", "same space", "other space", "position", "parameters"});
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
        cells.push_back(number(static_cast<double>(parameter_count(LookupModel(kind, rng).score))));
        table.add(cells);
    }
    lesson.table(
        table,
        "Accuracy on new problems, mean and standard deviation over five seeds (quick: one).");
    lesson.show("tasks", map,
                "Accuracy by score and task. Equal weights on all keys reach about 0.3.");

    const double high = quick ? 0.8 : 0.95, low = 0.45;
    const auto of = [&](ScoreKind kind, Task task) { return reached[{kind, task}]; };
    double location_elsewhere = 0, without_map = 0;
    for (Task task : tasks)
        if (task != Task::position)
            location_elsewhere = std::max(location_elsewhere, of(ScoreKind::location, task));
    double by_content = 0;
    std::size_t most = 0;
    ScoreKind versatile{};
    for (ScoreKind kind : score_kinds()) {
        if (kind != ScoreKind::location)
            by_content = std::max(by_content, of(kind, Task::position));
        std::size_t solved = 0;
        for (Task task : tasks) solved += of(kind, task) > 0.9;
        if (solved > most) most = solved, versatile = kind;
    }
    for (ScoreKind kind : {ScoreKind::dot, ScoreKind::scaled_dot, ScoreKind::content})
        without_map = std::max(without_map, of(kind, Task::other_space));
    lesson.claim("location, task position: accuracy", of(ScoreKind::location, Task::position),
                 at_least(high));
    lesson.claim("location, other tasks: best accuracy", location_elsewhere, at_most(low));
    lesson.claim("the five other scores, task position: best accuracy", by_content, at_most(low));
    lesson.claim("general, task other space: accuracy", of(ScoreKind::general, Task::other_space),
                 at_least(high));
    lesson.claim("dot, scaled dot and content, task other space: best accuracy", without_map,
                 at_most(low));
    lesson.claim("task symbols: accuracy of scaled dot minus that of dot",
                 of(ScoreKind::scaled_dot, Task::symbols) - of(ScoreKind::dot, Task::symbols),
                 more_than(0));
    lesson.claim("additive, task symbols: accuracy", of(ScoreKind::additive, Task::symbols),
                 at_least(high));
    lesson.claim("additive, task same space (new vectors in every problem): accuracy",
                 of(ScoreKind::additive, Task::same_space), at_most(low));
    lesson.reveal(guess, name_of(versatile));
}

}  // namespace

//! ## What this does not show
//!
//! Usually $q$ and $k$ come out of learned layers, and a learned layer before a dot product is the
//! general score; lesson 12 compares scores in translation. The additive score is often called more
//! expressive. Here it did not learn to compare vectors that are new in every problem, and not with
//! 512 hidden units and 6,000 steps either; this does not prove that it cannot. The dot product did
//! worse on symbols because vectors with an initial variance of 1 make saturated weights: with
//! vectors a fifth as large, it finds every symbol.
//!
//! Sources: Bahdanau, Cho and Bengio (2015), appendix A.1.2; Luong, Pham and Manning (2015),
//! section 3.1; Graves, Wayne and Danihelka (2014), section 3.3.1; Vaswani et al. (2017), section
//! 3.2.1 and its footnote 4, on the variance.
//!
//! ## Try this next
//!
//! 1. In `saturation.cpp`, let one key be `q` plus noise as large as itself. Which scores saturate
//!    now?
//! 2. `--steps 5000`: which scores needed only more training?
//! 3. In `LookupModel`, multiply the vectors of `asked` by 0.2 before training. Does the dot
//!    product still need the division by the root?
int main(int argc, char** argv) {
    Lesson lesson(
        {.number = 10,
         .name = "scores",
         .title = "Which score function?",
         .question = "Does it matter how a query is compared with a key?",
         .own_data = "random vectors, and four small tasks with new problems in every batch"});
    int steps = 0;
    lesson.option("--steps", steps, "steps of training (800; quick 300)");
    return lesson.run(argc, argv, [&] {
        if (steps == 0) steps = lesson.quick() ? 300 : 800;
        const Prediction variance = lesson.predict(
            "q and k hold 64 independent numbers of mean 0 and variance 1. What is the variance of "
            "their dot product?",
            within_factor(1.2));
        const Prediction enough = lesson.predict(
            "Scores of width 512 are divided by the root of 512. Is the gradient of the scores "
            "still above 0.01 when one of the keys equals the query?",
            {"yes", "no"});
        const Prediction most = lesson.predict(
            "The query selects a key by a symbol, a vector, a rotated vector or a position. Which "
            "score solves most of these four tasks?",
            {"additive", "dot", "general", "location", "scaled_dot", "content"});
        check_against_the_library(lesson);
        measure_saturation(lesson, variance, enough);
        compare_scores(lesson, steps, most);
    });
}
