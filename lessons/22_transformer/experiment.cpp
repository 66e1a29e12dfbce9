#include "lessons/22_transformer/experiment.h"

#include <algorithm>

#include "lessons/22_transformer/pictures.h"
#include "lessons/course/course.h"
#include "nn/saved/safetensors.h"

namespace heed::lesson22 {

using namespace course;

namespace {

constexpr std::size_t curve_points = 25;

std::vector<double> averaged(const std::vector<double>& losses) {
    std::vector<double> means;
    const std::size_t interval = std::max<std::size_t>(losses.size() / curve_points, 1);
    for (std::size_t first = 0; first + interval <= losses.size(); first += interval)
        means.push_back(summarise({losses.begin() + static_cast<std::ptrdiff_t>(first),
                                   losses.begin() + static_cast<std::ptrdiff_t>(first + interval)})
                            .mean);
    return means;
}

// Trains and tests one model, and adds the results.
void add_run(Outcome& all, const Translator& model, const ParallelText& text,
             const TrainingBudget& budget) {
    const TrainReport report = train_translator(model, text, budget);
    all.parameters = parameters_of(model);
    all.seconds.push_back(report.last.seconds);
    all.curves.push_back(averaged(report.losses));
    all.loss.push_back(loss_of(model, text.test));

    const auto bleu = [&](const Evaluation& found) {
        return 100 * word_bleu(text, found, text.test).score();
    };
    const Evaluation greedy = evaluate(model, text, text.test);
    all.exact.push_back(greedy.exact());
    all.bleu.push_back(bleu(greedy));
    const bool gold = !text.test.pairs.front().alignment.empty();
    if (!gold) all.beam_bleu.push_back(bleu(evaluate(model, text, text.test, 5)));
    if (gold && all.name != name_of(LadderModel::fixed))
        all.aer.push_back(align(model, text.test).rate());
}

}  // namespace

double mean_of(const std::vector<double>& values) { return summarise(values).mean; }

void add_options(Lesson& lesson, Settings& settings) {
    lesson.option("--steps", settings.steps, "updates of each training (500; files: 2000)");
    lesson.option("--seeds", settings.seeds, "training runs of each model (5; files: 2)");
    lesson.option("--pairs", settings.pairs, "sentences of the corpus (12000)");
    lesson.option("--longest", settings.longest, "largest number of words in a sentence (10)");
    lesson.option("--width", settings.width,
                  "width of the Transformer (64); the others get as many parameters");
    lesson.option("--dropout", settings.dropout,
                  "share of features dropped in training (files: 0.2)");
    lesson.option("--tune", settings.tune, "search for the learning rates first");
    add_options(lesson, settings.files);
}

void complete_settings(Settings& s, const Lesson& lesson) {
    const bool own = !lesson.options().data.empty();
    const auto fill = [&](int& value, int full, int quick, int least, int most, const char* name) {
        if (value == 0) value = lesson.quick() ? quick : full;
        check(least <= value && value <= most, "{}: expected {} to {}, got {}", name, least, most,
              value);
    };
    check(!own || (s.pairs == 0 && s.longest == 0),
          "--pairs and --longest are options of the lesson's own corpus; they cannot be used with "
          "--data");
    check(!s.tune || lesson.options().load.empty(),
          "--tune: cannot be used with --load, which trains nothing");
    check_options(s.files, lesson);
    s.variant_seeds = s.seeds;
    fill(s.steps, own ? 2000 : 500, 60, 1, 100'000, "--steps");
    fill(s.seeds, own ? 2 : 5, 1, 1, 50, "--seeds");
    fill(s.variant_seeds, 3, 1, 1, 50, "--seeds");
    fill(s.pairs, 12'000, 3'000, 500, 24'000, "--pairs");
    fill(s.longest, 10, 6, 5, 26, "--longest");
    fill(s.width, 64, 64, 8, 1024, "--width");
    check(s.width % 8 == 0, "--width: expected a multiple of 8, got {}", s.width);
    if (std::isnan(s.dropout)) s.dropout = own ? 0.2 : 0;
    check(s.dropout >= 0 && s.dropout < 1, "--dropout: expected 0 to below 1, got {}", s.dropout);
    std::transform(std::begin(ladder), std::end(ladder), s.rates.begin(),
                   [&](LadderModel kind) { return rate_of(kind, own); });
}

ParallelText make_text(Lesson& lesson, const Settings& s) {
    if (!lesson.options().data.empty()) return read_own_pairs(lesson, s.files);
    return from_corpus(korean_english(
        lesson.seed(),
        {.pairs = s.pairs, .valid = 100, .test = s.pairs / 20, .longest = s.longest}));
}

Comparison train_all(Lesson& lesson, const ParallelText& text, const Settings& s) {
    Comparison all;
    for (std::size_t i = 0; i < std::size(ladder); ++i) {
        Outcome outcome{.name = name_of(ladder[i])};
        course::ProgressLine line = lesson.progress(outcome.name, s.seeds);
        for (int run = 0; run < s.seeds; ++run) {
            const std::uint64_t seed = lesson.seed() * 1000 + run;
            const TrainingBudget budget{.steps = s.steps, .lr = s.rates[i], .seed = seed};
            Rng rng(seed);
            const Transformer transformer = make_transformer(text, s.size(), {}, rng);
            const Translator model = ladder[i] == LadderModel::transformer
                                         ? translator_of(transformer)
                                         : build_translator(ladder[i], text, s.size(), seed);
            add_run(outcome, model, text, budget);
            if (run == 0) {
                all.models.push_back(model);
                all.transformer = transformer;  // the last model kind is the Transformer
            }
            line.update(run + 1, outcome.loss.back());
        }
        all.outcomes.push_back(std::move(outcome));
    }
    return all;
}

std::vector<TransformerVariant> variants() {
    return {{},
            {.name = "post-norm", .pre_norm = false},
            {.name = "post-norm, no warm-up", .pre_norm = false, .warm_up = false},
            {.name = "pre-norm, no warm-up", .warm_up = false},
            {.name = "pre-norm, no residuals", .residual = false}};
}

std::vector<Outcome> train_variants(Lesson& lesson, const ParallelText& text, const Settings& s,
                                    Outcome unchanged) {
    unchanged.name = variants().front().name;
    for (auto* one : {&unchanged.exact, &unchanged.loss})
        one->resize(std::min<std::size_t>(one->size(), s.variant_seeds));
    unchanged.curves.resize(unchanged.exact.size());
    std::vector<Outcome> all{std::move(unchanged)};
    for (const TransformerVariant& variant : variants()) {
        if (variant.name == all[0].name) continue;
        Outcome outcome{.name = variant.name};
        course::ProgressLine line = lesson.progress(outcome.name, s.variant_seeds);
        for (int run = 0; run < s.variant_seeds; ++run) {
            const std::uint64_t seed = lesson.seed() * 1000 + run;
            Rng rng(seed);
            TrainingBudget budget{.steps = s.steps, .lr = s.rates.back(), .seed = seed};
            if (!variant.warm_up) budget.warm_up = 0;
            add_run(outcome, translator_of(make_transformer(text, s.size(), variant, rng)), text,
                    budget);
            line.update(run + 1, outcome.loss.back());
        }
        all.push_back(std::move(outcome));
    }
    return all;
}

Transformer loaded(AtCall lesson, const ParallelText& text, const Settings& s) {
    const std::string& path = lesson->options().load;
    Rng rng(lesson->seed());
    Transformer model = make_transformer(text, s.size(), {}, rng);
    check_vocabularies(path, text);
    load_model(model, path);
    lesson->say("The Transformer was loaded from `{}`: no training, and no comparison of models.",
                path);
    return model;
}

void save(const Lesson& lesson, const Transformer& model, const ParallelText& text) {
    const std::string& path = lesson.options().save;
    if (!path.empty()) save_model(model, path, vocabularies(text));
}

// --- the learning rates -------------------------------------------------------------------------

void tune(AtCall lesson, const ParallelText& text, Settings& s) {
    lesson->heading("The learning rates");
    std::vector<std::vector<double>> losses;
    for (std::size_t i = 0; i < std::size(ladder); ++i) {
        course::ProgressLine line = lesson->progress(name_of(ladder[i]), std::size(rates_tried));
        losses.emplace_back();
        for (double rate : rates_tried) {
            const Translator model = build_translator(ladder[i], text, s.size(), lesson->seed());
            train_translator(model, text, {.steps = s.steps, .lr = rate, .seed = lesson->seed()});
            losses.back().push_back(loss_of(model, text.valid));
            line.update(static_cast<std::int64_t>(losses.back().size()), losses.back().back());
        }
        const auto best = std::min_element(losses.back().begin(), losses.back().end());
        s.rates[i] = rates_tried[best - losses.back().begin()];
    }
    show_tuning(lesson, losses, s);
}

}  // namespace heed::lesson22
