//! # Why several heads?
//!
//! One attention layer computes one set of weights for each query, and one weighted mean. But a
//! verb may need two pieces of information: who acts *and* on whom. A mean of the vectors of Ada
//! and Ben does not say which of them helped the other. The solution is to use several attentions
//! in parallel, each in a narrower space of its own. These are called *heads*, and this lesson
//! measures what they can do.

#include <algorithm>
#include <cmath>

#include "attention/attention.h"
#include "lessons/19_heads/model.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;
using namespace heed::lesson19;

namespace {

//! ## Concatenation or sum
//!
//! With $H$ heads, the queries, keys and values of width $D$ are divided into $H$ pieces of width
//! $D/H$. Each head computes attention with its pieces. The contexts are concatenated and
//! multiplied by $W_O$. Equivalently, we can divide $W_O$ into blocks of columns, one for each
//! head, and add the outputs of the heads:
//!
//! $$ \mathrm{concat}(C_1, \ldots, C_H)\, W_O^\top = \sum_h C_h W_{O,h}^\top \qquad
//!    C_h = \mathrm{softmax}\Big( \frac{Q_h K_h^\top}{\sqrt{D/H}} \Big) V_h $$
//!
//! So heads are independent of each other, and their outputs are added. The number of parameters is
//! the same for any number of heads.
Tensor sum_over_heads(const MultiHead& attention, const Tensor& x) {  // [B, T, D]
    const Tensor q = attention.query(x), k = attention.key(x), v = attention.value(x);
    const int64_t share = x.size(2) / attention.heads;
    Tensor total = attention.output.bias;
    for (int64_t from = 0; from < x.size(2); from += share) {
        const auto piece = [&](const Tensor& t, int axis) {
            return slice(t, axis, from, from + share);
        };
        const Tensor scores =
            matmul(piece(q, 2), transpose(piece(k, 2))) / std::sqrt(double(share));
        const Tensor context = matmul(softmax(scores), piece(v, 2));  // [B, T, D / H]
        total = total + linear(context, piece(attention.output.weight, 1));
    }
    return total;
}

void compare_sum_and_concatenation(Lesson& lesson) {
    lesson.heading("Concatenation or sum");
    Rng rng(lesson.seed());
    const Tensor x = normal({2, 6, 32}, 0, 1, rng, Dtype::float64);
    double gap = 0;
    std::vector<double> sizes;
    for (int64_t heads : {1, 2, 4, 8}) {
        MultiHead attention({.width = 32, .heads = heads}, rng);
        to_dtype(attention, Dtype::float64);
        sizes.push_back(double(parameter_count(attention)));
        gap = std::max(gap,
                       max(abs(sum_over_heads(attention, x) - attention(x, x, x).context)).item());
    }
    lesson.say("1, 2, 4 or 8 heads: {} parameters each.", number(sizes[0]));
    lesson.claim("sum over heads against the library, 1 to 8 heads", gap, at_most(1e-12));
    lesson.claim("parameters with 8 heads minus those with 1", sizes[3] - sizes[0], equals(0));
}

//! ## Who helped whom?
//!
//! In Korean a particle after each noun says its grammatical role, and the order of the nouns is
//! nearly free. Our sentences are similar: *helped Finn-whom Ada-who Mia-for Jon-with*. The order
//! has no meaning, so we need no positions. The verb is the only query, in one attention layer. The
//! key of a word contains its name and its role, its value contains the name only. From the
//! context, the model computes *who* helped and *whom*, with one matrix for each role. A sentence
//! counts as right when both answers are right.
//!
//! A single head has two possibilities. It can attend to one role only, and guess the other among
//! 23 names. Or it can attend to both names and guess which is which: then half of the sentences
//! would be right.
std::vector<double> accuracies(const std::vector<Trained>& runs) {
    std::vector<double> all;
    for (const Trained& run : runs) all.push_back(run.accuracy.all);
    return all;
}

double successes(const std::vector<Trained>& runs) {
    const std::vector<double> all = accuracies(runs);
    return double(std::count_if(all.begin(), all.end(), [](double a) { return a >= 0.95; }));
}

HeatMap map_of(const std::string& title, const RoleModel& model, Rng rng) {
    HeatMap map{.title = title};
    map.column_labels = {"who", "whom", "with", "for", "helped"};
    for (const std::vector<double>& head : mean_weights(model, rng)) {
        map.row_labels.push_back(fmt::format("head {}", map.row_labels.size() + 1));
        map.values.insert(map.values.end(), head.begin(), head.end());
    }
    map.row_axis = "head";
    map.column_axis = "key";
    return map;
}

RoleModel who_and_whom(Lesson& lesson, int steps, Prediction guess) {
    lesson.heading("Who helped whom?");
    const int seeds = lesson.quick() ? 2 : 5;
    Table table({"heads", "parameters", "both right", "successful runs"});
    const std::vector<std::pair<std::string, ModelOptions>> kinds{
        {"one", {.heads = 1}},
        {"two", {.heads = 2}},
        {"four", {.heads = 4}},
        {"one, hidden layer", {.heads = 1, .hidden = true}}};
    std::vector<std::vector<Trained>> all;
    for (const auto& [name, options] : kinds) {
        if (lesson.quick() && all.size() == 2) break;
        all.push_back(train_several(options, steps, seeds, 100 * lesson.seed()));
        table.row(name, parameter_count(all.back()[0].model),
                  mean_and_spread(accuracies(all.back())),
                  fmt::format("{} of {}", successes(all.back()), seeds));
    }
    lesson.table(
        table,
        "Mean and standard deviation over runs. A run is successful with at least 0.95 right.");
    lesson.reveal(guess, summarise(accuracies(all[0])).mean);
    const RoleModel &one = best_of(all[0]).model, &two = best_of(all[1]).model;
    std::vector<HeatMap> maps{map_of("two heads", two, Rng(lesson.seed())),
                              map_of("one head", one, Rng(lesson.seed()))};
    if (all.size() > 3)
        maps.push_back(map_of("one head, hidden layer", best_of(all[3]).model, Rng(lesson.seed())));
    lesson.show("weights", maps,
                "The attention weights of the verb, averaged over 2,000 sentences; the best run of "
                "each kind.");
    //! Two heads are enough, but training does not always succeed. In the unsuccessful runs, both
    //! heads attend to the same word. With four heads this is less probable.
    //!
    //! The last row has another possible solution. One head may give *who* and *whom* different
    //! weights, and a hidden layer of $\mathrm{relu}$ units can distinguish the name with the
    //! larger weight from the other; a single matrix hardly can. So one head and a hidden layer
    //! could solve the task. But training seldom finds this solution.
    lesson.claim("one head: share of sentences with both right", summarise(accuracies(all[0])).mean,
                 at_most(0.4));
    lesson.claim("one head: successful runs", successes(all[0]), equals(0));
    double odd = 0;
    for (const Trained& run : all[1])
        odd += heads_differ(run.model, Rng(lesson.seed())) != (run.accuracy.all >= 0.95);
    lesson.claim("two heads: runs that succeed with equal heads or fail with different ones", odd,
                 equals(0));
    lesson.claim("two heads, best run: share of sentences with both right",
                 summarise(accuracies(all[1])).high, at_least(lesson.quick() ? 0.9 : 0.99));
    if (!lesson.quick()) {
        lesson.claim("two heads: successful runs of five", successes(all[1]), at_least(3));
        lesson.claim("four heads: share of sentences with both right",
                     summarise(accuracies(all[2])).mean, at_least(0.95));
        lesson.claim("one head and a hidden layer: successful runs of five", successes(all[3]),
                     at_most(2));
    }
    return two;
}

//! ## Removing a head
//!
//! If each head finds one role, then removing a head should lose that role only. We set the block
//! of a head in $W_O$ to zero, without training again.
void remove_heads(Lesson& lesson, const RoleModel& two) {
    lesson.heading("Removing a head");
    HeatMap map{.row_labels = {"both heads"}, .column_labels = {"who", "whom"}};
    map.values = accuracy(two, Rng(lesson.seed())).each;
    double worst_lost = 0, worst_kept = 1;
    std::vector<int> costs;
    for (int head : {0, 1}) {
        const std::vector<double> left = accuracy(without_head(two, head), Rng(lesson.seed())).each;
        map.row_labels.push_back(fmt::format("without head {}", head + 1));
        map.values.insert(map.values.end(), left.begin(), left.end());
        costs.push_back(left[0] < left[1] ? 0 : 1);
        worst_lost = std::max(worst_lost, left[costs.back()]);
        worst_kept = std::min(worst_kept, left[1 - costs.back()]);
    }
    map.value_name = "accuracy";
    lesson.show("ablation", map, "Accuracy for each role without one of the heads.");
    lesson.claim("each head removes the answer for a different role", costs[0] != costs[1],
                 is_true());
    lesson.claim("accuracy for the role of a head, without this head", worst_lost, at_most(0.3));
    lesson.claim("accuracy for the other role", worst_kept, at_least(0.9));
}

//! ## Four roles at once
//!
//! To answer all four roles, the verb needs four heads if each head finds one role.
void four_parts(Lesson& lesson, int steps) {
    lesson.heading("Four roles at once");
    Series line{.name = "all four right"}, each{.name = "each"};
    std::vector<double> means;
    for (int heads : {1, 2, 4, 8}) {
        const auto runs =
            train_several({.heads = heads, .relations = roles}, steps, 3, 100 * lesson.seed());
        std::vector<double> single;
        for (const Trained& run : runs) single.push_back(summarise(run.accuracy.each).mean);
        const Summary all = summarise(accuracies(runs)), one = summarise(single);
        for (auto& [series, summary] : {std::pair(&line, all), std::pair(&each, one)}) {
            series->x.push_back(heads), series->y.push_back(summary.mean);
            series->low.push_back(summary.low), series->high.push_back(summary.high);
        }
        means.push_back(all.mean);
    }
    lesson.show("four",
                LinePlot{.x_label = "heads",
                         .y_label = "share right",
                         .series = {each, line},
                         .log_x = true,
                         .y_range = {0, 1}},
                "Accuracy for four roles: mean, lowest and highest of three runs.");
    lesson.claim("share of sentences with all four right: one head", means[0], at_most(0.3));
    lesson.claim("share of sentences with all four right: eight heads minus two heads",
                 means[3] - means[1], at_least(0.2));
}

}  // namespace

//! ## What this does not show
//!
//! In trained language models, few heads have such a clear role; many can be removed with little
//! loss (Michel, Levy and Neubig 2019). More heads are also narrower: with $D = 32$, each of eight
//! heads compares queries and keys of width four.
//!
//! Sources: Vaswani et al. (2017), section 3.2.2; Voita et al., "Analyzing multi-head
//! self-attention" (2019), on what heads specialise in; Michel, Levy and Neubig, "Are sixteen heads
//! really better than one?" (2019), on removing them.
//!
//! ## Try this next
//!
//! 1. `--steps 500`: do four heads find the two roles earlier than two?
//! 2. In `model.cpp`, remove `+ values` from the keys. Why do two heads now often attend to the
//!    same role?
//! 3. Set `width` in `model.h` to 8: how narrow may eight heads be?
int main(int argc, char** argv) {
    Lesson lesson({.number = 19,
                   .name = "heads",
                   .title = "Why several heads?",
                   .question = "What can two heads do that one head, twice as wide, cannot do?",
                   .own_data = "random sentences of a verb and four names"});
    int steps = 0;
    lesson.option("--steps", steps, "steps of training (3000; quick 2000)");
    return lesson.run(argc, argv, [&] {
        if (steps == 0) steps = lesson.quick() ? 2000 : 3000;
        const Prediction guess = lesson.predict(
            "One head has to find out who helped and whom, among 24 names. In what share of the "
            "sentences are both answers right?",
            within(0.1));
        compare_sum_and_concatenation(lesson);
        remove_heads(lesson, who_and_whom(lesson, steps, guess));
        if (!lesson.quick()) four_parts(lesson, steps);
    });
}
