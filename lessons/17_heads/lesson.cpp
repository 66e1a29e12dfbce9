//! # Why many heads?
//!
//! One attention makes one set of weights, and brings back one mixture. But a verb wants to know
//! who acts *and* on whom. A mixture of Ada and Ben does not say which of them helped the other. So
//! let the verb look twice at once, with different eyes: several attentions side by side, each in a
//! narrower space of its own. These are *heads*, and this lesson asks what they buy.

#include <algorithm>
#include <cmath>

#include "attention/attention.h"
#include "lessons/17_heads/asker.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;
using namespace heed::lesson17;

namespace {

//! ## Side by side, or one after the other
//!
//! With $H$ heads the queries, keys and values of width $D$ are cut into $H$ pieces of width $D/H$.
//! Each head attends with its pieces; the contexts are joined again and multiplied by $W_O$. One
//! can as well cut $W_O$ into blocks of columns, one for each head, and add up what the heads say:
//!
//! $$ \mathrm{concat}(C_1, \ldots, C_H)\, W_O^\top = \sum_h C_h W_{O,h}^\top \qquad
//!    C_h = \mathrm{softmax}\Big( \frac{Q_h K_h^\top}{\sqrt{D/H}} \Big) V_h $$
//!
//! So heads do not know of each other: each adds its own sentence. And since the pieces share what
//! there is, any number of heads has the same number of parameters.
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

void side_by_side(Lesson& lesson) {
    lesson.heading("Side by side, or one after the other");
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
    lesson.claim("parameters of 8 heads, less those of 1", sizes[3] - sizes[0], equals(0));
}

//! ## Who helped whom?
//!
//! In Korean a particle after each noun says what part it plays, and the nouns may stand in nearly
//! any order. Our sentences are like that: *helped Finn-whom Ada-who Mia-for Jon-with*. Order says
//! nothing, so attention needs to know none. The verb asks once. A word's key knows its name and
//! its part, its value the name only, and from the context the model reads off, by one matrix for
//! each part, *who* helped and *whom*. A sentence counts when both are right.
//!
//! A single head has a choice of evils. It can look at one part only, and then it must guess the
//! other among 23 names. Or it can mix both names, and guess which is which: by that, half of the
//! sentences would come out right.
std::vector<double> shares(const std::vector<Trained>& runs) {
    std::vector<double> all;
    for (const Trained& run : runs) all.push_back(run.accuracy.all);
    return all;
}

double successes(const std::vector<Trained>& runs) {
    const std::vector<double> all = shares(runs);
    return double(std::count_if(all.begin(), all.end(), [](double a) { return a >= 0.95; }));
}

HeatMap map_of(const std::string& title, const Asker& asker, Rng rng) {
    HeatMap map{.title = title};
    map.column_labels = {"who", "whom", "with", "for", "helped"};
    for (const std::vector<double>& head : mean_weights(asker, rng)) {
        map.row_labels.push_back(fmt::format("head {}", map.row_labels.size() + 1));
        map.values.insert(map.values.end(), head.begin(), head.end());
    }
    map.row_axis = "head";
    map.column_axis = "key";
    return map;
}

Asker who_and_whom(Lesson& lesson, int steps, Prediction guess) {
    lesson.heading("Who helped whom?");
    const int seeds = lesson.quick() ? 2 : 5;
    Table table({"heads", "parameters", "both right", "runs that solve it"});
    const std::vector<std::pair<std::string, AskerOptions>> kinds{
        {"one", {.heads = 1}},
        {"two", {.heads = 2}},
        {"four", {.heads = 4}},
        {"one, and a layer", {.heads = 1, .hidden = true}}};
    std::vector<std::vector<Trained>> all;
    for (const auto& [name, options] : kinds) {
        if (lesson.quick() && all.size() == 2) break;
        all.push_back(train_several(options, steps, seeds, 100 * lesson.seed()));
        table.row(name, parameter_count(all.back()[0].asker), mean_and_spread(shares(all.back())),
                  fmt::format("{} of {}", successes(all.back()), seeds));
    }
    lesson.table(table, "Mean and deviation over runs; a run solves it with at least 0.95 right.");
    lesson.reveal(guess, summarise(shares(all[0])).mean);
    const Asker &one = best_of(all[0]).asker, &two = best_of(all[1]).asker;
    std::vector<HeatMap> maps{map_of("two heads", two, Rng(lesson.seed())),
                              map_of("one head", one, Rng(lesson.seed()))};
    if (all.size() > 3)
        maps.push_back(map_of("one head and a layer", best_of(all[3]).asker, Rng(lesson.seed())));
    lesson.show("weights", maps,
                "Where the verb looks, averaged over 2,000 sentences; the best run "
                "of each kind.");
    //! Two heads are enough, but they need not find it. Nothing tells them to part, and a run that
    //! does not solve it is one in which both settled on the same word. Four heads have a second
    //! chance.
    //!
    //! The last row has another way out. A head may weigh *who* and *whom* unequally, and a layer
    //! of $\mathrm{relu}$ units behind it can tell the name that weighs much from the one that
    //! weighs little, which a single matrix hardly can. So one head and a layer could do it. But
    //! training seldom finds that.
    lesson.claim("one head: sentences with both right", summarise(shares(all[0])).mean,
                 at_most(0.4));
    lesson.claim("runs of one head that solve it", successes(all[0]), equals(0));
    double odd = 0;
    for (const Trained& run : all[1])
        odd += heads_part(run.asker, Rng(lesson.seed())) != (run.accuracy.all >= 0.95);
    lesson.claim("runs of two heads that part and fail, or do not part and solve it", odd,
                 equals(0));
    lesson.claim("two heads, the best run: sentences with both right",
                 summarise(shares(all[1])).high, at_least(lesson.quick() ? 0.9 : 0.99));
    if (!lesson.quick()) {
        lesson.claim("runs of two heads that solve it, of five", successes(all[1]), at_least(3));
        lesson.claim("four heads: sentences with both right", summarise(shares(all[2])).mean,
                     at_least(0.95));
        lesson.claim("runs of one head and a layer that solve it, of five", successes(all[3]),
                     at_most(2));
    }
    return two;
}

//! ## Taking a head away
//!
//! If heads divide the work, a head can be taken away and its part alone should be lost. We set its
//! block of $W_O$ to zero, as if it had said nothing; nothing is trained again.
void take_away(Lesson& lesson, const Asker& two) {
    lesson.heading("Taking a head away");
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
    lesson.show("ablation", map, "What is still answered rightly when one head is silent.");
    lesson.claim("each head costs another part", costs[0] != costs[1], is_true());
    lesson.claim("accuracy of the part that a head was there for, without it", worst_lost,
                 at_most(0.3));
    lesson.claim("accuracy of the other part", worst_kept, at_least(0.9));
}

//! ## Four parts at once
//!
//! Asked for all four parts, the verb would need four heads, if each did one thing.
void four_parts(Lesson& lesson, int steps) {
    lesson.heading("Four parts at once");
    Series line{.name = "all four right"}, each{.name = "each"};
    std::vector<double> means;
    for (int heads : {1, 2, 4, 8}) {
        const auto runs =
            train_several({.heads = heads, .relations = parts}, steps, 3, 100 * lesson.seed());
        std::vector<double> single;
        for (const Trained& run : runs) single.push_back(summarise(run.accuracy.each).mean);
        const Summary all = summarise(shares(runs)), one = summarise(single);
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
                "Asked for all four parts: mean, lowest and highest of three runs.");
    lesson.claim("all four right: one head", means[0], at_most(0.3));
    lesson.claim("all four right: eight heads less two", means[3] - means[1], at_least(0.2));
}

}  // namespace

//! ## What this does not show
//!
//! That heads of trained language models are as tidy. Some are; many can be taken away with no harm
//! (Michel, Levy and Neubig 2019). More heads are narrower heads, too: with $D = 32$, eight heads
//! compare queries and keys in four numbers.
//!
//! Sources: Vaswani et al. (2017), section 3.2.2; Voita et al., "Analyzing multi-head
//! self-attention" (2019), on what heads specialise in; Michel, Levy and Neubig, "Are sixteen heads
//! really better than one?" (2019), on taking them away.
//!
//! ## Try this next
//!
//! 1. `--steps 500`: do four heads find the two parts sooner than two?
//! 2. In `asker.cpp`, leave `+ values` out of the keys. Why do two heads now often choose the same
//!    part?
//! 3. Set `width` in `asker.h` to 8: how narrow may eight heads be?
int main(int argc, char** argv) {
    Lesson lesson({.number = 17,
                   .name = "heads",
                   .title = "Why many heads?",
                   .question = "What can two heads do that one, twice as wide, cannot?",
                   .own_data = "sentences of a verb and four names, drawn as needed"});
    int steps = 0;
    lesson.option("--steps", steps, "steps of training (3000; quick 2000)");
    return lesson.run(argc, argv, [&] {
        if (steps == 0) steps = lesson.quick() ? 2000 : 3000;
        const Prediction guess = lesson.predict(
            "One head must find out who helped and whom, among 24 names. In what share of the "
            "sentences does it get both right?",
            within(0.1));
        side_by_side(lesson);
        take_away(lesson, who_and_whom(lesson, steps, guess));
        if (!lesson.quick()) four_parts(lesson, steps);
    });
}
