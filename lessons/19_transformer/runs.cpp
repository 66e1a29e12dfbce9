#include "lessons/19_transformer/runs.h"

#include <algorithm>

#include "lessons/course/course.h"

namespace heed::lesson19 {

using namespace heed::course;

namespace {

constexpr std::size_t stretches = 25;  // points of a curve

std::vector<double> averaged(const std::vector<double>& losses) {
    std::vector<double> means;
    const std::size_t stretch = std::max<std::size_t>(losses.size() / stretches, 1);
    for (std::size_t first = 0; first + stretch <= losses.size(); first += stretch)
        means.push_back(summarise({losses.begin() + static_cast<std::ptrdiff_t>(first),
                                   losses.begin() + static_cast<std::ptrdiff_t>(first + stretch)})
                            .mean);
    return means;
}

// Trains and judges one model, and adds what came of it.
void add_run(Outcome& all, const Translator& model, const ParallelText& text,
             const TrainingBudget& budget, bool aligns) {
    const TrainReport report = train_translator(model, text, budget);
    all.parameters = parameters_of(model);
    all.seconds.push_back(report.last.seconds);
    all.curves.push_back(averaged(report.losses));
    all.exact.push_back(evaluate(model, text, text.test).exact());
    all.loss.push_back(loss_of(model, text.test));
    if (aligns) all.aer.push_back(align(model, text.test).rate());
}

}  // namespace

double mean_of(const std::vector<double>& values) { return summarise(values).mean; }

void add_options(Lesson& lesson, Settings& settings) {
    lesson.option("--steps", settings.steps, "updates of each training (500)");
    lesson.option("--seeds", settings.seeds, "runs of each rung (5)");
    lesson.option("--pairs", settings.pairs, "sentences of the corpus (12000)");
    lesson.option("--longest", settings.longest, "words of the longest sentence (10)");
}

void settle(Settings& s, const Lesson& lesson) {
    const auto fill = [&](int& value, int full, int quick, int most, const char* name) {
        check(value >= 0 && value <= most, "{}: expected 1 to {}, got {}", name, most, value);
        if (value == 0) value = lesson.quick() ? quick : full;
    };
    s.changes = s.seeds;
    fill(s.steps, 500, 60, 100'000, "--steps");
    fill(s.seeds, 5, 1, 50, "--seeds");
    fill(s.changes, 3, 1, 50, "--seeds");
    fill(s.pairs, 12'000, 3'000, 24'000, "--pairs");
    fill(s.longest, 10, 6, 26, "--longest");
}

ParallelText make_text(const Lesson& lesson, const Settings& s) {
    return from_corpus(korean_english(
        lesson.seed(),
        {.pairs = s.pairs, .valid = 100, .test = s.pairs / 20, .longest = s.longest}));
}

Ladder climb(Lesson& lesson, const ParallelText& text, const Settings& s) {
    Ladder all;
    for (Rung rung : rungs) {
        Outcome outcome{.name = name_of(rung)};
        course::Progress line = lesson.progress(outcome.name, s.seeds);
        for (int run = 0; run < s.seeds; ++run) {
            const std::uint64_t seed = lesson.seed() * 1000 + run;
            const Translator model = build(rung, text, seed);
            add_run(outcome, model, text, {.steps = s.steps, .lr = rate_of(rung), .seed = seed},
                    rung != Rung::fixed);
            if (rung == Rung::transformer && run == 0) all.transformer = model;
            line.update(run + 1, outcome.loss.back());
        }
        all.rungs.push_back(std::move(outcome));
    }
    return all;
}

std::vector<Change> changes() {
    return {{},
            {.name = "post-norm", .pre_norm = false},
            {.name = "post-norm, no warm-up", .pre_norm = false, .warm_up = false},
            {.name = "pre-norm, no warm-up", .warm_up = false},
            {.name = "pre-norm, no residuals", .residual = false}};
}

std::vector<Outcome> change_one_part(Lesson& lesson, const ParallelText& text, const Settings& s,
                                     Outcome unchanged) {
    unchanged.name = changes().front().name;
    for (auto* one : {&unchanged.exact, &unchanged.loss, &unchanged.aer, &unchanged.seconds})
        one->resize(std::min<std::size_t>(one->size(), s.changes));
    unchanged.curves.resize(unchanged.exact.size());
    std::vector<Outcome> all{std::move(unchanged)};
    for (const Change& change : changes()) {
        if (change.name == all[0].name) continue;
        Outcome outcome{.name = change.name};
        course::Progress line = lesson.progress(outcome.name, s.changes);
        for (int run = 0; run < s.changes; ++run) {
            const std::uint64_t seed = lesson.seed() * 1000 + run;
            Rng rng(seed);
            TrainingBudget budget{.steps = s.steps, .lr = rate_of(Rung::transformer), .seed = seed};
            if (!change.warm_up) budget.warm_up = 0;
            add_run(outcome, translator_of(make_transformer(text, change, rng)), text, budget,
                    false);
            line.update(run + 1, outcome.loss.back());
        }
        all.push_back(std::move(outcome));
    }
    return all;
}

void show_ladder(Lesson& lesson, const std::vector<Outcome>& all) {
    Table table({"model", "exact", "nats a word", "AER", "seconds"});
    BarChart chart{.title = "The ladder", .value_label = "share of sentences exact", .high = 1};
    chart.sets.push_back({.name = "mean of the seeds"});
    for (const Outcome& one : all) {
        table.row(one.name, mean_and_spread(one.exact), mean_and_spread(one.loss),
                  one.aer.empty() ? "" : mean_and_spread(one.aer, 2),
                  number(mean_of(one.seconds), 2));
        const Summary exact = summarise(one.exact);
        chart.labels.push_back(one.name);
        chart.sets[0].values.push_back(exact.mean);
        chart.sets[0].spread.push_back(exact.deviation);
    }
    lesson.table(table,
                 fmt::format("The test part, {}. AER is the alignment error rate, seconds are those "
                             "of one training.",
                             averaged_over(all[0].exact.size(), "seed")));
    lesson.show("ladder", chart, "Test sentences translated word for word, with one deviation.");
}

void show_changes(Lesson& lesson, const std::vector<Outcome>& all, const Settings& s) {
    Table table({"Transformer", "exact", "nats a word"});
    LinePlot plot{.title = "One part changed",
                  .x_label = "step",
                  .y_label = "nats a word, training",
                  .log_y = true};
    for (const Outcome& one : all) {
        table.row(one.name, mean_and_spread(one.exact), mean_and_spread(one.loss));
        std::vector<double> x;
        for (std::size_t i = 0; i < one.curves[0].size(); ++i)
            x.push_back(static_cast<double>((i + 1) * s.steps) /
                        static_cast<double>(one.curves[0].size()));
        plot.series.push_back(over_seeds(one.name, x, one.curves));
    }
    lesson.table(table,
                 fmt::format("The test part, {}.", averaged_over(all[0].exact.size(), "seed")));
    lesson.show("changes", plot, "The loss while training, with one deviation to each side.");
}

}  // namespace heed::lesson19
