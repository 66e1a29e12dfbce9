#include "lessons/23_language_model/experiment.h"

#include <algorithm>

#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/fused/cross_entropy.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/record/grad_mode.h"
#include "lessons/23_language_model/counts.h"
#include "lessons/23_language_model/data.h"
#include "lessons/course/course.h"
#include "lessons/course/lesson/memory.h"
#include "lessons/material/training/next_checkpoint.h"
#include "nn/layers/losses.h"
#include "nn/saved/safetensors.h"
#include "nn/train/train.h"

namespace heed::lesson23 {

using namespace course;

// --- training -----------------------------------------------------------------------------------

void add_options(course::Lesson& lesson, Settings& settings) {
    lesson.option("--steps", settings.steps, "steps of training (4000; with --data 2000)");
    lesson.option("--layers", settings.layers, "layers of the model (4)");
    lesson.option("--width", settings.width, "width of the model (128)");
    lesson.option("--heads", settings.heads, "heads of each layer (4)");
    lesson.option("--context", settings.context, "characters of context (64)");
    lesson.option("--prompt", settings.prompt, "text that the model continues (a new line)");
}

void complete_settings(Settings& s, const course::Lesson& lesson) {
    const auto fill = [&](int& value, int full, int quick, int most, const char* name) {
        check(value >= 0 && value <= most, "{}: expected 1 to {}, got {}", name, most, value);
        if (value == 0) value = lesson.quick() ? quick : full;
    };
    const bool own = lesson.options().data.empty();
    fill(s.steps, own ? 4000 : 2000, 700, 1'000'000, "--steps");
    fill(s.layers, 4, 2, 48, "--layers");
    fill(s.width, 128, 64, 4096, "--width");
    fill(s.context, 64, 32, 4096, "--context");
    check(s.heads > 0 && s.width % s.heads == 0,
          "--heads: the width must be a multiple of the heads, got {} heads and width {}", s.heads,
          s.width);
    check(s.context >= 16, "--context: expected at least 16, got {}", s.context);
    check(!s.prompt.empty(), "--prompt: expected at least one character");

    // Four numbers for each parameter (its value, gradient and two averages of AdamW), and about 24
    // vectors of the model's width for each token and layer, kept for the backward pass.
    const double width = s.width, tokens = s.batch * s.context,
                 parameters = s.layers * 12 * width * width + s.context * width;
    course::check_memory("--width, --layers and --context",
                         4 * (4 * parameters + 24 * tokens * s.layers * width));
}

namespace {

Curve train_model(course::AtCall lesson, const LanguageModel& model, const Characters& text,
                  const Settings& s) {
    AdamW optimiser = optimiser_of(model);
    Curve curve;
    Rng rng(lesson->seed() + 1);
    course::ProgressLine line = lesson->progress("training", s.steps);
    const auto on_step = [&](const heed::TrainProgress& now) {
        line.update(now.step, now.mean_loss, now.step * s.batch * s.context);
        if (now.step % std::max(s.steps / 16, 1) != 0 || !lesson->first_rank()) return;
        curve.at.push_back(static_cast<double>(now.step));
        curve.valid.push_back(estimates_of_loss(model, text.valid, s, 1)[0]);
    };
    const TrainOptions options{.steps = s.steps,
                               .clip_norm = 1,
                               .schedule = schedule_of(s),
                               .on_step = on_step,
                               .checkpoint = course::next_checkpoint({rng, curve.at, curve.valid}),
                               .ranks = s.ranks};
    const TrainReport report = train(optimiser, options, [&](std::int64_t) {
        Piece piece = random_pieces(text.train, s.batch, s.context, rng);
        if (options.ranks)
            piece = {part_of(piece.in, *options.ranks), part_of(piece.out, *options.ranks)};
        return StepResult{sequence_cross_entropy(model(piece.in), piece.out, -1), piece.in.count()};
    });
    line.clear();
    lesson->say("{} steps of {} pieces of {} characters: {:.0f} s.", s.steps, s.batch, s.context,
                report.last.seconds);
    if (s.ranks && s.ranks->size() > 1)
        lesson->say("{} processes trained together; each sent {:.3g} MB in each step.",
                    s.ranks->size(), static_cast<double>(s.ranks->bytes_sent()) / s.steps / 1e6);
    return curve;
}

}  // namespace

Curve train_or_load(course::AtCall lesson, LanguageModel& model, const Characters& text,
                    const Settings& s) {
    std::string alphabet;
    for (const std::string& name : text.names) alphabet += name;
    const course::Options& options = lesson->options();
    Curve curve;
    if (options.load.empty()) {
        curve = train_model(lesson, model, text, s);
    } else {
        const auto saved = load_model(model, options.load);
        check(saved.count("alphabet") && saved.at("alphabet") == alphabet,
              "--load: {} was trained on a text with other characters", options.load);
        lesson->say("The model was loaded from `{}`: no training.", options.load);
    }
    if (!options.save.empty() && lesson->first_rank())
        save_model(model, options.save, {{"alphabet", alphabet}});
    return curve;
}

std::vector<double> loss_by_position(const LanguageModel& model, const std::vector<int>& text,
                                     const Settings& s) {
    const NoGrad no_grad;
    const std::int64_t all = pieces_in(text, s.context), at_once = 64;
    Tensor total = zeros({s.context}, Dtype::float64);
    for (std::int64_t first = 0; first < all; first += at_once) {
        const std::int64_t rows = std::min(at_once, all - first);
        const Piece piece = pieces_in_order(text, first, rows, s.context);
        const Tensor losses =
            cross_entropy(model(piece.in), piece.out, {.reduction = Reduction::none});  // [rows, T]
        total = total + sum(to_dtype(losses, Dtype::float64), 0);
    }
    return (total / static_cast<double>(all)).to_vector();
}

std::vector<HeadDistances> head_distances(const LanguageModel& model, const std::vector<int>& text,
                                          const Settings& s, int reach) {
    const NoGrad no_grad;
    const std::int64_t rows = std::min<std::int64_t>(16, pieces_in(text, s.context));
    std::vector<Tensor> weights;
    model.run(pieces_in_order(text, 0, rows, s.context).in, {.weights = &weights});
    std::vector<HeadDistances> heads;
    for (const Tensor& layer : weights) {                          // [rows, H, T, T]
        const std::vector<double> w = mean(layer, 0).to_vector();  // [H, T, T]
        for (int head = 0; head < s.heads; ++head) {
            HeadDistances found{fmt::format("{}.{}", heads.size() / s.heads + 1, head + 1),
                                std::vector<double>(reach)};
            const double queries = s.context - reach + 1;
            for (int q = reach - 1; q < s.context; ++q)
                for (int back = 0; back <= q; ++back) {
                    const double weight = w[(head * s.context + q) * s.context + q - back];
                    if (back < reach) found.weights[back] += weight / queries;
                    found.mean += back * weight / queries;
                }
            heads.push_back(std::move(found));
        }
    }
    return heads;
}

// --- evaluation ---------------------------------------------------------------------------------

double ValidationLosses::loss() const { return summarise(by_position).mean; }

double ValidationLosses::best_table() const {
    return *std::min_element(tables.begin(), tables.end());
}

ValidationLosses validation_losses(const LanguageModel& model, const Characters& text,
                                   const Settings& settings, int longest) {
    ValidationLosses found{loss_by_position(model, text.valid, settings), {}, {}, 0, 0};
    found.counted = std::min(text.train.size(), most_counted);
    const std::vector<int> counted(text.train.begin(),
                                   text.train.begin() + static_cast<std::ptrdiff_t>(found.counted));
    const Counts counts(counted, text.size(), longest);
    for (int n = 0; n <= longest; ++n) {
        found.tables.push_back(counts.loss(text.valid, n));
        found.seen.push_back(counts.seen(text.valid, n));
    }
    found.stored = counts.stored();
    return found;
}

TemperatureResults try_temperatures(const LanguageModel& model, const Characters& text, int rows,
                                    int length, std::uint64_t seed) {
    const std::vector<std::string> words = whole_words("\n" + text.text(text.train) + "\n");
    const std::set<std::string> known(words.begin(), words.end());
    TemperatureResults found;
    for (double temperature : {0.2, 0.6, 1.0, 1.4, 1.8}) {
        Rng rng(seed);
        const auto texts = [&](int k, double p) {
            return generate(model, text, "\n", rows, length,
                            {.temperature = temperature, .top_k = k, .top_p = p}, rng);
        };
        const std::vector<std::string> all = texts(0, 1);
        found.all[temperature] = quality_of(all, known);
        found.top[temperature] = quality_of(texts(few, 1), known);
        found.nucleus[temperature] = quality_of(texts(0, mass), known);
        found.lines[temperature] =
            printable(all[0].substr(0, std::min(all[0].find('\n'), all[0].size())));
    }
    return found;
}

}  // namespace heed::lesson23
