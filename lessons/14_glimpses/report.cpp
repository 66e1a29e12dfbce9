#include "lessons/14_glimpses/report.h"

#include <algorithm>

#include "autograd/autograd.h"
#include "lessons/course/course.h"

namespace heed::lesson14 {

using namespace course;

void add_options(Lesson& lesson, Settings& settings) {
    lesson.option("--epochs", settings.epochs,
                  "times through the pictures (16; quick 6; with --data 60, quick 5)");
    lesson.option("--glimpses", settings.glimpses, "glimpses of each picture (6)");
    lesson.option("--deviation", settings.deviation,
                  "of drawn places from proposed ones, half a picture being 1 (0.17)");
}

void settle(Settings& settings, const Lesson& lesson) {
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

EyeOptions sizes(const Settings& settings, int hidden) {
    return {.glimpses = settings.glimpses, .hidden = hidden, .deviation = settings.deviation};
}

Pictures draw_pictures(bool quick, std::uint64_t seed) {
    const GlyphOptions options{.side = 28, .small = 5, .large = 8};
    Rng rng(seed);
    const auto draw = [&](int count) { return draw_glyphs(count, options, rng).images; };
    return {draw(quick ? 2000 : 8000), draw(quick ? 300 : 500), draw(quick ? 500 : 2000)};
}

namespace {

// The eyes of an earlier race, with its own table: what they can do, and no curves.
Race race_again(Lesson& lesson, const std::vector<Way>& ways, const Pictures& pictures,
                const Settings& settings) {
    Race result;
    for (std::size_t i = 0; i < ways.size(); ++i) {
        Rng rng(lesson.seed());
        result.eyes.emplace_back(sizes(settings, 128), rng);
    }
    load_model(result, lesson.options().load);
    lesson.say("The five eyes were loaded from `{}`: no training.", lesson.options().load);
    Table table({"way", "right"});
    for (std::size_t i = 0; i < ways.size(); ++i) {
        result.right.push_back(
            accuracy(result.eyes[i], pictures.test, ways[i].looking, lesson.seed()));
        table.row(ways[i].name, result.right.back());
    }
    lesson.table(table, "Unseen pictures, one beginning.");
    return result;
}

}  // namespace

Race race(Lesson& lesson, const std::vector<Way>& ways, const Pictures& pictures,
          const Settings& settings) {
    const Options& options = lesson.options();
    if (!options.load.empty()) return race_again(lesson, ways, pictures, settings);
    const int beginnings = lesson.quick() ? 1 : 3;
    Race result;
    Table table({"way", "right", "parameters"});
    LinePlot plot{.title = "Right answers while training",
                  .x_label = "epoch",
                  .y_label = "share right",
                  .series = {},
                  .y_range = {0, 1}};
    std::vector<double> epochs;
    for (int epoch = 1; epoch <= settings.epochs; ++epoch) epochs.push_back(epoch);
    course::ProgressLine line = lesson.progress(
        "training", static_cast<std::int64_t>(ways.size()) * beginnings * settings.epochs);
    std::int64_t done = 0;
    for (const Way& way : ways) {
        std::vector<double> right;
        std::vector<std::vector<double>> curves;
        for (int i = 0; i < beginnings; ++i) {
            Rng rng(100 * lesson.seed() + i);
            const Eye eye(sizes(settings, 128), rng);
            curves.emplace_back();
            train(eye, way, pictures.train, {.epochs = settings.epochs}, rng, [&](int, double) {
                curves.back().push_back(accuracy(eye, pictures.valid, way.looking, i));
                line.update(++done);
            });
            right.push_back(accuracy(eye, pictures.test, way.looking, lesson.seed()));
            if (i == 0) result.eyes.push_back(eye);
        }
        plot.series.push_back(over_seeds(way.name, epochs, curves));
        table.row(way.name, mean_and_spread(right), parameter_count(result.eyes.back()));
        result.right.push_back(summarise(right).mean);
    }
    line.clear();
    lesson.show("curves", plot,
                "On pictures kept for this; the band is one deviation wide to each "
                "side.");
    lesson.table(table, fmt::format("Unseen pictures, {}.",
                                    averaged_over(static_cast<std::size_t>(beginnings))));
    if (!options.save.empty()) save_model(result, options.save);
    return result;
}

std::vector<double> ink_seen(const Eye& eye, const Images& images, Looking looking,
                             std::uint64_t seed) {
    Rng rng(seed);
    const Tensor ink = images.pixels * (images.pixels > 0.3);  // without the noise
    const std::vector<Tensor> places = eye.look(images.pixels, looking, rng).places;
    Tensor seen = zeros_like(ink);
    std::vector<double> shares;
    for (const Tensor& place : places) {
        // The pixels of a glimpse are those its sum has a gradient for.
        Tensor x = clone(ink);
        x.set_requires_grad();
        const Tensor in_view = grad(sum(glimpse(x, place, eye.options.glimpse)), {x})[0];
        seen = maximum(seen, in_view);
        shares.push_back((sum(ink * seen) / sum(ink)).item());
    }
    return shares;
}

std::vector<double> show_ink(Lesson& lesson, const std::vector<Way>& ways,
                             const std::vector<Eye>& eyes, const Images& images) {
    LinePlot plot{.title = "Ink that has come into view",
                  .x_label = "glimpses",
                  .y_label = "share of the ink",
                  .series = {},
                  .y_range = {0, 1}};
    std::vector<double> last;
    const Images some = range(images, 0, std::min(500, images.size()));
    for (std::size_t i = 0; i < ways.size(); ++i) {
        const std::vector<double> y = ink_seen(eyes[i], some, ways[i].looking, lesson.seed());
        std::vector<double> x;
        for (std::size_t t = 1; t <= y.size(); ++t) x.push_back(static_cast<double>(t));
        plot.series.push_back({ways[i].name, x, y});
        last.push_back(y.back());
    }
    lesson.show("ink", plot, "How much of a sign the eye has seen after so many glimpses.");
    return last;
}

std::vector<Picture> paths(const Eye& eye, const Images& images, Looking looking, int count,
                           const std::function<std::string(int)>& name) {
    NoGrad no_grad;
    Rng rng(1);
    const Images some = range(images, 0, count);
    const Seen seen = eye.look(some.pixels, looking, rng);
    const Indices said = argmax(seen.logits, -1);
    std::vector<Picture> pictures;
    for (int n = 0; n < count; ++n) {
        const Tensor pixels = select(some.pixels, 0, n);
        const int height = static_cast<int>(pixels.size(0)),
                  width = static_cast<int>(pixels.size(1));
        Picture picture{.title = fmt::format("{}: {}", name(some.labels[n]), name(said[n])),
                        .height = height,
                        .width = width};
        for (double ink : pixels.to_vector()) picture.grey.push_back(1 - ink);  // black on white
        for (const Tensor& place : seen.places)
            picture.path.emplace_back((place.at({n, 0}) + 1) / 2 * width,
                                      (place.at({n, 1}) + 1) / 2 * height);
        picture.glimpse = static_cast<double>(eye.options.glimpse.size);
        pictures.push_back(std::move(picture));
    }
    return pictures;
}

std::vector<double> show_noise(Lesson& lesson, const std::vector<Way>& ways, const Eye& eye,
                               const Images& images) {
    Table table({"loss", "variance of the gradient"});
    const Images some = range(images, 0, 256);
    std::vector<double> all;
    for (const Way& way : ways) {
        Rng rng(lesson.seed());
        all.push_back(noise(eye, way, some, lesson.quick() ? 20 : 200, rng));
    }
    const double first = all.front();
    for (std::size_t i = 0; i < ways.size(); ++i) table.row(ways[i].name, all[i] /= first);
    lesson.table(table,
                 "One trained eye, 256 pictures, the places drawn anew: the variance as a multiple "
                 "of that with a baseline.");
    return all;
}

void show_paths(Lesson& lesson, const std::vector<Way>& ways, const std::vector<Eye>& eyes,
                const std::vector<int>& which, const Images& images) {
    const auto name = [](int label) { return std::string(glyph_name(label)); };
    for (int i : which)
        lesson.keep(fmt::format("path_{}", i), paths(eyes[i], images, ways[i].looking, 3, name),
                    fmt::format("{}: six glimpses in their order. Above each picture what it is, "
                                "and what the eye says.",
                                ways[i].name));
    lesson.show("path", paths(eyes[which[0]], images, ways[which[0]].looking, 1, name)[0],
                "One of them.");
}

}  // namespace heed::lesson14
