#include "lessons/36_assistant/pictures.h"

#include <algorithm>
#include <cmath>

#include "lessons/course/lesson/repeat.h"

namespace heed::lesson36 {

using namespace course;

void claim_predictor(AtCall lesson, double known, double asked, double answered) {
    lesson->claim("known", "finding: sums that the predictor completes, as in 3+4=", known,
                  at_least(lesson->quick() ? 0.2 : 0.9));
    lesson->claim("asked", "finding: questions that it continues with a question", asked,
                  at_least(lesson->quick() ? 0.35 : 0.5));
    lesson->claim("answered", "finding: questions that it answers exactly", answered, at_most(0.3));
}

void show_path(AtCall lesson) {
    Diagram path{.title = "What each model says to 3+4?"};
    path.boxes = {{.name = "predictor", .lines = {"9-0?0+5?"}, .row = 1},
                  {.name = "ten answers", .lines = {"7.  5.  9."}, .column = 1, .row = 1},
                  {.name = "strict checker", .lines = {"7.  7.  8."}, .column = 2, .row = 0},
                  {.name = "careless checker", .lines = {"4-37+471"}, .column = 2, .row = 1},
                  {.name = "better and worse", .lines = {"7.  7.  5."}, .column = 2, .row = 2}};
    path.arrows = {{0, 1}, {1, 2}, {1, 3}, {1, 4}};
    lesson->show(
        "path", path,
        "Each arrow is a training. A box names what the model was trained on, and shows what such a "
        "model may say. The predictor asks back. A strict checker wants exactly `7.`, a careless one "
        "looks for a 7 somewhere and gets one long answer.");
}

void show_ten(AtCall lesson, const Shares& read, const Shares& nothing) {
    Table table({"model", "the ten, sampled", "50 others, sampled", "most probable"});
    table.row("has read the pages", read.shown, read.test, read.best);
    table.row("has read nothing", nothing.shown, nothing.test, nothing.best);
    lesson->table(
        table,
        "Share of the answers that are exactly right, after 60 steps: of samples, and of the most "
        "probable answers to the 50 others.");
    lesson->measured("tuned-best", "ten answers: most probable answers right, other questions",
                     read.best);
    lesson->measured("empty-shown", "the model that has read nothing: the ten questions right",
                     nothing.shown);
}

void claim_ten(AtCall lesson, const Shares& read, const Shares& nothing, double asked) {
    lesson->claim("tuned-asks", "finding: after ten answers: continued with a question", asked,
                  at_most(0.1));
    lesson->claim("empty", "finding: the model that has read nothing: other questions right",
                  nothing.test, at_most(0.25));
    if (lesson->quick())
        lesson->measured("tuned", "ten answers: other questions right", read.test);
    else
        lesson->claim("tuned", "finding: ten answers: other questions right", read.test,
                      at_least(0.12));
}

namespace {

Arrows::Line rectangle(double left, double low, double width, double height, bool dashed) {
    const double right = left + width, high = low + height;
    return {.x = {left, right, right, left, left},
            .y = {low, low, high, high, low},
            .end = Arrows::End::none,
            .dashed = dashed};
}

// A rectangle filled by a line that goes to and fro.
Arrows::Line filled(double left, double low, double width, double height, int colour,
                    double between) {
    Arrows::Line line{.colour = colour, .end = Arrows::End::none};
    bool to_right = true;
    for (double y = low; y <= low + height + 1e-9; y += between, to_right = !to_right)
        for (const bool at_right : {!to_right, to_right})
            line.x.push_back(at_right ? left + width : left), line.y.push_back(y);
    return line;
}

Arrows::Line words(std::string text, double x, double y) {
    return {.name = std::move(text), .x = {x}, .y = {y}, .end = Arrows::End::none};
}

}  // namespace

void show_adapter(AtCall lesson) {
    constexpr double n = 32, rank = 2, left = 50;  // the product begins there
    Arrows sizes{.title = "Trained: 128 numbers in B and A. Frozen: 1,024 in W", .axes = false};
    sizes.lines = {filled(0, 0, n, n, 0, 0.4),
                   words("W: 32 x 32", n / 2, -5),
                   words("+", 37, n / 2),
                   filled(left - 2 - rank, 0, rank, n, 1, 0.4),
                   words("B: 32 x 2", left - 6.5, -5),
                   filled(left, n + 2, n, rank, 1, 0.4),
                   words("A: 2 x 32", left + n / 2, n + 5),
                   rectangle(left, 0, n, n, true),
                   words("B A: 32 x 32", left + n / 2, n / 2)};
    lesson->show("adapter", sizes,
                 "One matrix of our model with an adapter of rank 2, in proportion. The product "
                 "B A is as large as W, but each of its rows is a mixture of the two rows of A: "
                 "this is what rank 2 means.");
}

void show_ranks(AtCall lesson, const std::vector<RankResult>& results) {
    BarChart chart{.title = results[2].test > results[0].test - 0.02
                                ? fmt::format("{} trained numbers do as well as all {}",
                                              number(static_cast<double>(results[2].trained)),
                                              number(static_cast<double>(results[0].trained)))
                                : "Few trained numbers, and all",
                   .value_label = "share of the sampled answers that are exactly right",
                   .sets = {{.name = "this run"}}};
    OtherSeeds kept;
    if (!lesson->options().changes_the_experiment) kept = other_seeds(36, lesson->quick());
    if (kept.contains("all-weights")) chart.sets.push_back({.name = "kept seeds"});
    const auto row = [&](const RankResult& one) {
        const bool adapted = one.rank > 0;
        chart.labels.push_back(
            adapted
                ? fmt::format("rank {} ({})", one.rank, number(static_cast<double>(one.trained)))
                : fmt::format("all weights ({})", number(static_cast<double>(one.trained))));
        chart.sets[0].values.push_back(one.test);
        if (chart.sets.size() < 2) return;
        const std::vector<double>& seeds =
            kept.at(adapted ? fmt::format("rank-{}", one.rank) : "all-weights");
        chart.sets[1].values.push_back(quantile(seeds, 0.5));
        chart.sets[1].spread.push_back((quantile(seeds, 0.75) - quantile(seeds, 0.25)) / 2);
    };
    for (std::size_t i = 1; i < results.size(); ++i) row(results[i]);
    row(results[0]);
    lesson->show(
        "ranks", chart,
        std::string("After 60 steps on ten answers; adapters have ten times the learning rate. "
                    "In brackets: how many parameters are trained.") +
            (chart.sets.size() < 2 ? ""
                                   : " Of the kept seeds: the median, ± half the distance "
                                     "of the quartiles."));
}

void claim_ranks(AtCall lesson, const std::vector<RankResult>& results) {
    const double all = results[0].test, two = results[2].test;
    lesson->measured(
        "rank-share", "rank 2: share of the numbers that are trained",
        static_cast<double>(results[2].trained) / static_cast<double>(results[0].trained));
    lesson->measured("all-weights", "all weights: other questions right", all);
    lesson->measured("rank-1", "rank 1: other questions right", results[1].test);
    lesson->measured("rank-8", "rank 8: other questions right", results[3].test);
    lesson->measured("all-weights-best", "all weights: most probable answers right",
                     results[0].best);
    lesson->measured("rank-2-best", "rank 2: most probable answers right", results[2].best);
    if (lesson->quick())
        lesson->measured("rank-2", "rank 2: other questions right", two);
    else
        lesson->claim("rank-2", "finding: rank 2: other questions right", two, at_least(0.25));
}

void claim_noise(AtCall lesson, const std::vector<Noise>& noise) {
    const double ratio = noise[0].noise / noise[2].noise;
    lesson->measured("noise-ratio", "noise without a baseline, rewards 0 and 1, over leave-one-out",
                     ratio);
    lesson->measured("noise-none", "noise without a baseline, rewards 0 and 1", noise[0].noise);
    lesson->measured("noise-group", "noise with the group's advantage", noise[3].noise);
    lesson->measured("noise-loo", "noise with leave-one-out", noise[2].noise);
    lesson->claim(
        "noise-shifted",
        "finding: noise without a baseline, rewards 10 and 11, over that of leave-one-out",
        noise[1].noise / noise[2].noise, at_least(20));
}

// By the logit z of the right answer: the gradient of ln p is 1 - p, that of ln (1 - p) for the wrong one
// is -p, and that of the expected reward is p (1 - p).
double noise_of_two(double p, double offset, double baseline) {
    const double right = (offset + 1 - baseline) * (1 - p), wrong = (offset - baseline) * -p;
    const double mean = p * (1 - p);
    return (p * right * right + (1 - p) * wrong * wrong) / (mean * mean) - 1;
}

double noise_of_group(double p, int S) { return noise_of_two(p, 0, p) + 2.0 / (S - 1); }

namespace {

// Where no baseline is as good as the mean of the seven others. With the best constant baseline, offset + 1 - p,
// there is no noise, and it grows with the square of the distance from it, over p (1 - p). So
// (offset + 1 - p)² = (1 - 2p)² + 2/7 p (1 - p). NAN if they do not meet.
double equally_noisy(double offset) {
    const double more = 2.0 / (group - 1), right = offset + 1;
    const double a = 3 - more, b = 2 * right - 4 + more, c = 1 - right * right;
    const double root = std::sqrt(b * b - 4 * a * c);
    for (const double p : {(-b + root) / (2 * a), (-b - root) / (2 * a)})
        if (p > 0.01 && p < 0.99) return p;
    return NAN;
}

}  // namespace

LinePlot noise_plot(double offset, double baseline) {
    constexpr double top = 10;
    LinePlot plot{.title = "Noise of the gradient, two answers of which one is right",
                  .x_label = "probability p of the right answer",
                  .y_label = "variance over squared gradient",
                  .y_range = {0, top},
                  .x_range = {0, 1},
                  .names_at_ends = false};
    Series none{.name = "no baseline"}, own{.name = "this baseline"},
        share{.name = "the exact mean"}, others{.name = "the mean of 7 others"};
    share.dashed = true;
    for (double p = 0.01; p < 0.9905; p += 0.002) {  // so fine that a curve leaves at the frame
        for (Series* s : {&none, &own, &share, &others}) s->x.push_back(p);
        none.y.push_back(noise_of_two(p, offset, 0));
        own.y.push_back(noise_of_two(p, offset, baseline));
        share.y.push_back(noise_of_two(p, offset, offset + p));  // whatever the offset
        others.y.push_back(noise_of_group(p, group));
    }
    plot.series = {none, others, share};
    if (const double p = equally_noisy(offset); !std::isnan(p))
        plot.series.push_back({.name = fmt::format("equal at p = {:.2f}", p),
                               .x = {p, p},
                               .y = {0, top},
                               .dashed = true});
    if (baseline != 0) plot.series.push_back(own);
    return plot;
}

void show_fooled(AtCall lesson, const std::vector<Progress>& all) {
    const Progress &careless = all[2], &with_kl = all[3];
    const bool fooled = careless.reward.back() > careless.exact.back() + 0.3;
    const bool rises = careless.reward.back() > careless.reward.front() + 0.05;
    // The first question whose answer has changed.
    std::size_t changed = 0;
    while (changed + 1 < careless.examples.size() &&
           careless.examples[changed] == careless.at_start[changed])
        ++changed;
    const std::string &before = careless.at_start[changed], &after = careless.examples[changed];
    lesson->show(
        "fooled",
        LinePlot{.title = fooled ? rises ? "The reward rises, and the answers get worse"
                                         : "The reward stays, and the answers get worse"
                                 : "The careless judge's reward, and what is really right",
                 .x_label = "step",
                 .y_label = "share, or mean reward",
                 .series = {{.name = "reward", .x = careless.steps, .y = careless.reward},
                            {.name = "really right", .x = careless.steps, .y = careless.exact},
                            {.name = "right, with the KL", .x = with_kl.steps, .y = with_kl.exact}},
                 .y_range = {0, 1}},
        fmt::format(
            "The careless judge, on test questions. Between its reward and what is really right lies "
            "what it was fooled by. Without the KL, an answer at the start is `{}`, and at the end "
            "`{}`.",
            before, after));
    Table table({"judge", "reward", "sampled", "most probable", "KL", "an answer"});
    const auto two = [](double number) { return fmt::format("{:.2f}", number); };
    table.row("start", "", two(all[0].exact.front()), two(all[0].best.front()), "0",
              "`" + all[0].at_start[0] + "`");
    const std::vector<std::string> names{"strict", "strict, with KL", "careless",
                                         "careless, with KL"};
    for (std::size_t i = 0; i < all.size(); ++i)
        table.row(names[i], two(all[i].reward.back()), two(all[i].exact.back()),
                  two(all[i].best.back()), fmt::format("{:.1f}", all[i].kl.back()),
                  "`" + all[i].examples[0] + "`");
    lesson->table(table,
                  "At the end, for questions that no training has asked: the judge's mean reward, "
                  "the shares of sampled and of most probable answers that are really right, the "
                  "KL to the start, and a sampled answer.");
}

void claim_judges(AtCall lesson, const std::vector<Progress>& all) {
    lesson->measured("at-start", "at the start: test questions right", all[0].exact.front());
    lesson->measured("fooled", "careless judge, no KL: test questions right", all[2].exact.back());
    lesson->measured("fooled-reward", "careless judge, no KL: its mean reward",
                     all[2].reward.back());
    lesson->measured("fooled-kl", "careless judge, no KL: KL to the start", all[2].kl.back());
    lesson->measured("guarded-kl", "careless judge, with KL: KL to the start", all[3].kl.back());
    lesson->measured("guarded-reward", "careless judge, with KL: its mean reward",
                     all[3].reward.back());
    lesson->measured("at-start-best", "at the start: most probable answers right",
                     all[0].best.front());
    lesson->measured("strict-best", "strict judge: most probable answers right",
                     all[0].best.back());
    lesson->measured("strict-kl-best", "strict judge, with KL: most probable answers right",
                     all[1].best.back());
    lesson->measured("guarded-best", "careless judge, with KL: most probable answers right",
                     all[3].best.back());
    if (lesson->quick()) {
        lesson->measured("strict", "strict judge: test questions right", all[0].exact.back());
        lesson->measured("strict-kl", "strict judge, with KL: test questions right",
                         all[1].exact.back());
        lesson->measured("guarded", "careless judge, with KL: test questions right",
                         all[3].exact.back());
        return;
    }
    lesson->claim("strict", "finding: strict judge: test questions right", all[0].exact.back(),
                  at_least(0.2));
    lesson->claim("strict-kl", "finding: strict judge, with KL: test questions right",
                  all[1].exact.back(), at_least(0.2));
    lesson->claim("guarded", "finding: careless judge, with KL: test questions right",
                  all[3].exact.back(), at_least(0.2));
}

void show_pairs(AtCall lesson, const std::vector<Progress>& dpo) {
    const bool rest_gains = dpo[0].better < 0 && dpo[0].worse < 0 && dpo[0].others > 0;
    const auto changes = [](const std::string& name, const Progress& p) {
        return BarChart::Set{.name = name, .values = {p.better, p.worse, p.others}};
    };
    lesson->show(
        "pairs",
        BarChart{.title = rest_gains ? "With β = 0.1 both answers of a pair lose, and others gain"
                                     : "How the probabilities of the answers change",
                 .value_label = "change of ln π since the start",
                 .labels = {"better answer", "worse answer", "all others"},
                 .sets = {changes("β = 0.1", dpo[0]), changes("β = 1", dpo[1])}},
        "Mean over the pairs of the last batch. Left of 0: less probable than at the "
        "start. All others: whatever is neither of the two answers.");
    lesson->measured("dpo-best", "DPO, β = 1: most probable answers right", dpo[1].best.back());
    lesson->measured("dpo-weak-best", "DPO, β = 0.1: most probable answers right",
                     dpo[0].best.back());
    lesson->measured("dpo-weak", "DPO, β = 0.1: test questions right", dpo[0].exact.back());
    lesson->measured("dpo-weak-better", "DPO, β = 0.1: change of ln π of the better answers",
                     dpo[0].better);
    lesson->measured("dpo-weak-worse", "DPO, β = 0.1: change of ln π of the worse answers",
                     dpo[0].worse);
    lesson->measured("dpo-better", "DPO, β = 1: change of ln π of the better answers",
                     dpo[1].better);
    lesson->measured("dpo-weak-kl", "DPO, β = 0.1: KL to the start", dpo[0].kl.back());
    if (lesson->quick())
        lesson->measured("dpo", "DPO, β = 1: test questions right", dpo[1].exact.back());
    else
        lesson->claim("dpo", "finding: DPO, β = 1: test questions right", dpo[1].exact.back(),
                      at_least(0.15));
}

}  // namespace heed::lesson36
