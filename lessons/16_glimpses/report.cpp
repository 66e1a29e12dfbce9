#include "lessons/16_glimpses/report.h"

#include <algorithm>

#include "autograd/autograd.h"
#include "lessons/course/course.h"

namespace heed::lesson16 {

using namespace course;

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

Diagram step_diagram() {
    Diagram step{.title = "one step of the recurrent attention model"};
    step.boxes = {{"picture", {"28 x 28"}, 0, 0, true},
                  {"location", {"two numbers"}, 0, 1, true},
                  {"state before", {"what was seen so far"}, 0, 2, true},
                  {"glimpse", {"8 x 8 pixels"}, 1, 0},
                  {"what", {}, 2, 0},
                  {"where", {}, 2, 1},
                  {"features", {"what + where"}, 3, 0.5},
                  {"new state", {}, 4, 1},
                  {"location network", {"mean of the next location"}, 5, 0},
                  {"draw", {"next location", "no gradient"}, 6, 0},
                  {"baseline", {"expected error"}, 5, 1},
                  {"classifier", {"after the last glimpse"}, 5, 2}};
    step.arrows = {{0, 3}, {1, 3}, {3, 4}, {1, 5}, {4, 6},  {5, 6},
                   {6, 7}, {2, 7}, {7, 8}, {8, 9}, {7, 10}, {7, 11}};
    return step;
}

void show_signs(Lesson& lesson, const Data& data) {
    std::vector<Picture> pictures;
    for (int n = 0; n < 3; ++n) {
        const Tensor pixels = select(data.test.pixels, 0, n);
        Picture picture{.title = std::string(glyph_name(data.test.labels[n])),
                        .height = static_cast<int>(pixels.size(0)),
                        .width = static_cast<int>(pixels.size(1))};
        for (double ink : pixels.to_vector()) picture.grey.push_back(1 - ink);  // black on white
        pictures.push_back(std::move(picture));
    }
    lesson.keep("signs", pictures, "Three pictures, each with one of ten signs.");
}

namespace {

// The comparison with models loaded from a file: a table, and no curves.
Comparison compare_loaded(Lesson& lesson, const std::vector<Method>& methods, const Data& data,
                          const Settings& settings) {
    Comparison result;
    for (std::size_t i = 0; i < methods.size(); ++i) {
        Rng rng(lesson.seed());
        result.models.emplace_back(model_options(settings, 128), rng);
    }
    load_model(result, lesson.options().load);
    lesson.say("The five models were loaded from `{}`: no training.", lesson.options().load);
    Table table({"method", "accuracy"});
    for (std::size_t i = 0; i < methods.size(); ++i) {
        result.accuracy.push_back(
            accuracy(result.models[i], data.test, methods[i].rule, lesson.seed()));
        table.row(methods[i].name, result.accuracy.back());
    }
    lesson.table(table, "Accuracy on test pictures, one seed.");
    return result;
}

}  // namespace

Comparison compare_methods(Lesson& lesson, const std::vector<Method>& methods, const Data& data,
                           const Settings& settings) {
    const Options& options = lesson.options();
    if (!options.load.empty()) return compare_loaded(lesson, methods, data, settings);
    const int seeds = lesson.quick() ? 1 : 3;
    Comparison result;
    Table table({"method", "accuracy", "parameters"});
    LinePlot plot{.title = "Accuracy during training",
                  .x_label = "epoch",
                  .y_label = "accuracy",
                  .series = {},
                  .y_range = {0, 1}};
    std::vector<double> epochs;
    for (int epoch = 1; epoch <= settings.epochs; ++epoch) epochs.push_back(epoch);
    course::ProgressLine line = lesson.progress(
        "training", static_cast<std::int64_t>(methods.size()) * seeds * settings.epochs);
    std::int64_t done = 0;
    for (const Method& method : methods) {
        std::vector<double> right;
        std::vector<std::vector<double>> curves;
        for (int i = 0; i < seeds; ++i) {
            Rng rng(100 * lesson.seed() + i);
            const GlimpseModel model(model_options(settings, 128), rng);
            curves.emplace_back();
            const auto on_epoch = [&](int epoch, double) {
                curves.back().push_back(accuracy(model, data.valid, method.rule, i));
                line.update(done + epoch);
            };
            train(model, method, data.train, {.epochs = settings.epochs}, rng, on_epoch,
                  {curves.back()});
            done += settings.epochs;
            right.push_back(accuracy(model, data.test, method.rule, lesson.seed()));
            if (i == 0) result.models.push_back(model);
        }
        plot.series.push_back(over_seeds(method.name, epochs, curves));
        table.row(method.name, mean_and_spread(right), parameter_count(result.models.back()));
        result.accuracy.push_back(summarise(right).mean);
    }
    line.clear();
    lesson.show(
        "curves", plot,
        "Accuracy on validation pictures. With several seeds, the report draws a band of one "
        "standard deviation to each side. Where lines lie on each other, only one is visible.");
    lesson.table(table, fmt::format("Accuracy on test pictures, {}.",
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

std::vector<double> show_ink(Lesson& lesson, const std::vector<Method>& methods,
                             const std::vector<GlimpseModel>& models, const Images& images) {
    LinePlot plot{.title = "Ink inside the glimpses",
                  .x_label = "glimpses",
                  .y_label = "share of the ink",
                  .series = {},
                  .y_range = {0, 1}};
    std::vector<double> last;
    const Images some = range(images, 0, std::min(500, images.size()));
    for (std::size_t i = 0; i < methods.size(); ++i) {
        const std::vector<double> y = ink_seen(models[i], some, methods[i].rule, lesson.seed());
        std::vector<double> x;
        for (std::size_t t = 1; t <= y.size(); ++t) x.push_back(static_cast<double>(t));
        plot.series.push_back({methods[i].name, x, y});
        last.push_back(y.back());
    }
    lesson.show("ink", plot,
                "How much of a sign has been inside a glimpse, by the number of glimpses.");
    return last;
}

std::vector<Picture> paths(const GlimpseModel& model, const Images& images, LocationRule rule,
                           int count, const std::function<std::string(int)>& name) {
    NoGrad no_grad;
    Rng rng(1);
    const Images some = range(images, 0, count);
    const Output seen = model.look(some.pixels, rule, rng);
    const Indices predicted = argmax(seen.logits, -1);
    std::vector<Picture> pictures;
    for (int n = 0; n < count; ++n) {
        const Tensor pixels = select(some.pixels, 0, n);
        const int height = static_cast<int>(pixels.size(0)),
                  width = static_cast<int>(pixels.size(1));
        Picture picture{
            .title = fmt::format("{}, answer: {}", name(some.labels[n]), name(predicted[n])),
            .height = height,
            .width = width};
        for (double ink : pixels.to_vector()) picture.grey.push_back(1 - ink);  // black on white
        for (const Tensor& location : seen.locations)
            picture.path.emplace_back((location.at({n, 0}) + 1) / 2 * width,
                                      (location.at({n, 1}) + 1) / 2 * height);
        picture.glimpse = static_cast<double>(model.options.glimpse.size);
        pictures.push_back(std::move(picture));
    }
    return pictures;
}

std::vector<double> show_variance(Lesson& lesson, const std::vector<Method>& methods,
                                  const GlimpseModel& model, const Images& images) {
    Table table({"loss", "variance of the gradient"});
    const Images some = range(images, 0, 256);
    std::vector<double> all;
    for (const Method& method : methods) {
        Rng rng(lesson.seed());
        all.push_back(gradient_variance(model, method, some, lesson.quick() ? 20 : 200, rng));
    }
    const double first = all.front();
    for (std::size_t i = 0; i < methods.size(); ++i) table.row(methods[i].name, all[i] /= first);
    lesson.table(table,
                 "One trained model, 256 pictures, many samples of the locations: the variance, "
                 "divided by that with a baseline.");
    return all;
}

void show_paths(Lesson& lesson, const std::vector<Method>& methods,
                const std::vector<GlimpseModel>& models, const std::vector<int>& which,
                const Images& images) {
    const auto name = [](int label) { return std::string(glyph_name(label)); };
    for (int i : which)
        lesson.keep(
            fmt::format("path_{}", i), paths(models[i], images, methods[i].rule, 3, name),
            fmt::format(
                "{}: six glimpses in their order. Above each picture its label and the answer.",
                methods[i].name));
    lesson.show("path", paths(models[which[0]], images, methods[which[0]].rule, 1, name)[0],
                "The six glimpses on one picture.");
}

}  // namespace heed::lesson16
