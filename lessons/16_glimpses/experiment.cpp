#include "lessons/16_glimpses/experiment.h"

#include <algorithm>

#include "autograd/autograd.h"
#include "lessons/16_glimpses/pictures.h"
#include "lessons/course/course.h"
#include "lessons/material/corpora/glyphs.h"
#include "lessons/material/read/idx.h"
#include "lessons/material/training/next_checkpoint.h"

namespace heed::lesson16 {

using namespace course;

// --- training -----------------------------------------------------------------------------------

void train(const GlimpseModel& model, const Method& method, const course::Images& images,
           const Budget& budget, Rng& rng, const OnEpoch& on_epoch,
           std::vector<SavedState> changing) {
    Adam adam(parameters(model), {.lr = budget.lr});
    BatchStream<std::vector<int>> batches([&] {
        return bucket_batches(std::vector<int>(images.size()),
                              {.batch_size = budget.batch, .pool = 0}, rng);
    });
    const int64_t an_epoch = batches.epoch_steps(), steps = budget.epochs * an_epoch;
    double loss_sum = 0;
    changing.insert(changing.end(), {SavedState(rng), SavedState(batches), SavedState(loss_sum)});
    const TrainOptions options{.steps = steps,
                               .schedule = schedules::cosine(steps, 0.02),
                               .checkpoint = course::next_checkpoint(changing)};
    heed::train(adam, options, [&](int64_t step) {
        if (step > 1 && step % an_epoch == 1) {
            if (on_epoch) on_epoch(static_cast<int>(step / an_epoch), loss_sum / an_epoch);
            loss_sum = 0;
        }
        const course::Images batch = course::pick(images, batches.next());
        const Output seen = model.look(batch.pixels, method.rule, rng);
        const Tensor loss = method.loss(model, seen, Indices(batch.labels));
        loss_sum += loss.item();
        return StepResult{loss, batch.size()};
    });
    if (on_epoch) on_epoch(budget.epochs, loss_sum / static_cast<double>(an_epoch));
}

double accuracy(const GlimpseModel& model, const course::Images& images, LocationRule rule,
                std::uint64_t seed) {
    NoGrad no_grad;
    Rng rng(seed);
    double right = 0;
    for (int first = 0; first < images.size(); first += 500) {
        const course::Images part =
            course::range(images, first, std::min(first + 500, images.size()));
        const Indices predicted = argmax(model.look(part.pixels, rule, rng).logits, -1);
        for (int i = 0; i < part.size(); ++i) right += predicted[i] == part.labels[i];
    }
    return right / images.size();
}

double gradient_variance(const GlimpseModel& model, const Method& method,
                         const course::Images& images, int draws, Rng& rng) {
    const std::vector<Tensor> of{model.locator.weight, model.mean.weight};
    const Indices labels(images.labels);
    Tensor total = zeros({1}, Dtype::float64), squares = total;
    for (int i = 0; i < draws; ++i) {
        const Output seen = model.look(images.pixels, method.rule, rng);
        const std::vector<Tensor> g = grad(method.loss(model, seen, labels), of);
        const Tensor flat = to_dtype(concat({flatten(g[0]), flatten(g[1])}, 0), Dtype::float64);
        total = total + flat;
        squares = squares + square(flat);
    }
    const double n = draws;
    return (sum(squares).item() / n - sum(square(total / n)).item()) * n / (n - 1);
}

// --- the comparison -----------------------------------------------------------------------------

void add_options(Lesson& lesson, Settings& settings) {
    lesson.option("--epochs", settings.epochs,
                  "epochs of training (16; quick 6; with --data 60, quick 5)");
    lesson.option("--glimpses", settings.glimpses, "glimpses of each picture (6)");
    lesson.option("--deviation", settings.deviation,
                  "standard deviation of sampled locations; half a picture is 1 (0.17)");
}

void complete_settings(Settings& settings, const Lesson& lesson) {
    check(settings.glimpses >= 2 && settings.glimpses <= 100,
          "--glimpses: expected 2 to 100, got {}", settings.glimpses);
    check(settings.deviation > 0, "--deviation: expected a positive number, got {}",
          settings.deviation);
    if (settings.epochs > 0) return;
    if (lesson.options().data.empty())
        settings.epochs = lesson.quick() ? 6 : 16;
    else
        settings.epochs = lesson.quick() ? 5 : 60;
}

ModelOptions model_options(const Settings& settings, int hidden) {
    return {.glimpses = settings.glimpses, .hidden = hidden, .deviation = settings.deviation};
}

Data draw_pictures(bool quick, std::uint64_t seed) {
    const GlyphOptions options{.side = 28, .small = 5, .large = 8};
    Rng rng(seed);
    const auto draw = [&](int count) { return draw_glyphs(count, options, rng).images; };
    return {draw(quick ? 2000 : 8000), draw(quick ? 300 : 500), draw(quick ? 500 : 2000)};
}

namespace {

// The models of the file of --load.
std::vector<GlimpseModel> loaded(const Lesson& lesson, const std::vector<Method>& methods,
                                 const Settings& settings) {
    Comparison result;
    for (std::size_t i = 0; i < methods.size(); ++i) {
        Rng rng(lesson.seed());
        result.models.emplace_back(model_options(settings, 128), rng);
    }
    load_model(result, lesson.options().load);
    return result.models;
}

// The comparison with models loaded from a file: a table, and no curves.
Comparison compare_loaded(AtCall lesson, const std::vector<Method>& methods, const Data& data,
                          const Settings& settings) {
    Comparison result;
    result.models = loaded(lesson, methods, settings);
    lesson->say("The five models were loaded from `{}`: no training.", lesson->options().load);
    Table table({"method", "accuracy"});
    for (std::size_t i = 0; i < methods.size(); ++i) {
        result.accuracy.push_back(
            accuracy(result.models[i], data.test, methods[i].rule, lesson->seed()));
        table.row(methods[i].name, result.accuracy.back());
    }
    lesson->table(table, "Accuracy on test pictures, one seed.");
    return result;
}

}  // namespace

void check_file_to_load(const Lesson& lesson, const std::vector<Method>& methods,
                        const Settings& settings) {
    if (!lesson.options().load.empty()) loaded(lesson, methods, settings);
}

Comparison compare_methods(AtCall lesson, const std::vector<Method>& methods, const Data& data,
                           const Settings& settings) {
    const Options& options = lesson->options();
    if (!options.load.empty()) return compare_loaded(lesson, methods, data, settings);
    const int seeds = lesson->quick() ? 1 : 3;
    Comparison result;
    Table table({"method", "accuracy", "parameters"});
    LinePlot plot{.title = "Accuracy during training",
                  .x_label = "epoch",
                  .y_label = "accuracy",
                  .series = {},
                  .y_range = {0, 1}};
    std::vector<double> epochs;
    for (int epoch = 1; epoch <= settings.epochs; ++epoch) epochs.push_back(epoch);
    course::ProgressLine line = lesson->progress(
        "training", static_cast<std::int64_t>(methods.size()) * seeds * settings.epochs);
    std::int64_t done = 0;
    for (const Method& method : methods) {
        std::vector<double> right;
        std::vector<std::vector<double>> curves;
        for (int i = 0; i < seeds; ++i) {
            Rng rng(100 * lesson->seed() + i);
            const GlimpseModel model(model_options(settings, 128), rng);
            curves.emplace_back();
            const auto on_epoch = [&](int epoch, double) {
                curves.back().push_back(accuracy(model, data.valid, method.rule, i));
                line.update(done + epoch);
            };
            train(model, method, data.train, {.epochs = settings.epochs}, rng, on_epoch,
                  {curves.back()});
            done += settings.epochs;
            right.push_back(accuracy(model, data.test, method.rule, lesson->seed()));
            if (i == 0) result.models.push_back(model);
        }
        plot.series.push_back(over_seeds(method.name, epochs, curves));
        table.row(method.name, mean_and_spread(right), parameter_count(result.models.back()));
        result.accuracy.push_back(summarise(right).mean);
    }
    line.clear();
    lesson->show(
        "curves", plot,
        "Accuracy on validation pictures. With several seeds, the report draws a band of one "
        "standard deviation to each side. Where lines lie on each other, only one is visible.");
    lesson->table(table, fmt::format("Accuracy on test pictures, {}.",
                                     averaged_over(static_cast<std::size_t>(seeds))));
    if (!options.save.empty()) save_model(result, options.save);
    return result;
}

std::vector<double> ink_seen(const GlimpseModel& model, const Images& images, LocationRule rule,
                             std::uint64_t seed) {
    Rng rng(seed);
    const Tensor ink = images.pixels * (images.pixels > 0.3);  // without the noise
    const std::vector<Tensor> locations = model.look(images.pixels, rule, rng).locations;
    Tensor seen = zeros_like(ink);
    std::vector<double> shares;
    for (const Tensor& location : locations) {
        // The pixels of a glimpse are those for which its sum has a gradient.
        Tensor x = clone(ink);
        x.set_requires_grad();
        const Tensor in_view = grad(sum(glimpse(x, location, model.options.glimpse)), {x})[0];
        seen = maximum(seen, in_view);
        shares.push_back((sum(ink * seen) / sum(ink)).item());
    }
    return shares;
}

// --- handwritten digits -------------------------------------------------------------------------

namespace {

double error(const Lesson& lesson, const GlimpseModel& model, const Images& images,
             LocationRule rule) {
    return 100 * (1 - accuracy(model, images, rule, lesson.seed()));
}

// Trains the model; shows the curve and the table of errors.
void train_on(AtCall lesson, const Images& images, const Images& valid, const GlimpseModel& model,
              const Method& method, int epochs, Rng& rng) {
    Table table({"epoch", "loss", "error, %", "error at mean locations, %"});
    LinePlot plot{.title = "Error by epoch",
                  .x_label = "epoch",
                  .y_label = "error, %",
                  .series = {{"sampled locations"}, {"mean locations"}},
                  .log_y = true};
    course::ProgressLine line = lesson->progress("digits", epochs);
    std::vector<double> losses, sampled, at_means;
    const auto on_epoch = [&](int epoch, double loss) {
        losses.push_back(loss);
        sampled.push_back(error(lesson, model, valid, LocationRule::learned));
        at_means.push_back(error(lesson, model, valid, LocationRule::mean));
        line.update(epoch, loss);
    };
    train(model, method, images, {.epochs = epochs, .batch = 128}, rng, on_epoch,
          {losses, sampled, at_means});
    line.clear();
    for (int epoch = 1; epoch <= epochs; ++epoch) {
        const std::size_t i = static_cast<std::size_t>(epoch) - 1;
        if (epoch <= 5 || epoch % 5 == 0 || epoch == epochs)
            table.row(epoch, losses[i], sampled[i], at_means[i]);
        for (course::Series& series : plot.series) series.x.push_back(epoch);
    }
    plot.series[0].y = sampled;
    plot.series[1].y = at_means;
    lesson->show("errors", plot, "The error on the validation digits.");
    lesson->table(table, "One sample of the locations for each digit.");
}

}  // namespace

void run_on_digits(AtCall lesson, const Settings& settings, const Method& method) {
    const std::string& folder = lesson->options().data;
    const auto digits =
        [&](const std::string& part) {  // pixels scaled about as in the published settings
            const NoGrad no_grad;
            Images images = read_digits(folder, part, static_cast<int>(GlimpseOptions{}.size));
            images.pixels = images.pixels * 3;
            return images;
        };
    const Images all = digits("train"), test = digits("t10k");
    check(all.size() >= 1000, "{}: expected at least 1,000 training digits, found {}", folder,
          all.size());
    const int kept = all.size() / 10;
    const Images train_part =
        range(all, 0, lesson->quick() ? std::min(6000, all.size() - kept) : all.size() - kept);
    const Images valid = range(all, all.size() - kept, all.size());
    const Options& options = lesson->options();
    Rng rng(lesson->seed());
    GlimpseModel model(model_options(settings, 256), rng);
    if (options.load.empty()) {
        lesson->say(
            "{} training, {} validation and {} test digits. The settings are those of the public "
            "program: states of 256, batches of 128, {} glimpses of 8 x 8 pixels. There are three "
            "differences: a learning rate of 0.001 that falls along a cosine instead of 0.0003, {} "
            "epoch{} instead of about 160, and pixels from 0 to 3, where the program subtracts "
            "0.1307 and divides by 0.3081.",
            number(train_part.size()), number(valid.size()), number(test.size()), settings.glimpses,
            settings.epochs, settings.epochs == 1 ? "" : "s");
        train_on(lesson, train_part, valid, model, method, settings.epochs, rng);
    } else {
        load_model(model, options.load);
        lesson->say("The model was loaded from `{}`: no training. {} test digits.", options.load,
                    number(test.size()));
    }
    if (!options.save.empty()) save_model(model, options.save);

    const double drawn = error(lesson, model, test, LocationRule::learned),
                 proposed = error(lesson, model, test, LocationRule::mean);
    lesson->say(
        "The test error is {:.2f} % with sampled locations and {:.2f} % with mean locations. "
        "Published errors with six glimpses: 1.12 % (proceedings), 1.29 % (preprint), 1.21 % (the "
        "public program).",
        drawn, proposed);
    const auto name = [](int label) { return fmt::format("{}", label); };
    lesson->keep("paths", paths(model, test, LocationRule::mean, 6, name),
                 "Six glimpses in their order. Above each picture its label and the answer.");
    lesson->claim("own-error", "test error with one sample of the locations, %", drawn,
                  at_most(lesson->quick() ? 70 : 2.3));
}

}  // namespace heed::lesson16
