#include "lessons/16_glimpses/pictures.h"

#include <algorithm>

#include "autograd/autograd.h"
#include "lessons/16_glimpses/model.h"
#include "lessons/material/corpora/glyphs.h"

namespace heed::lesson16 {

using namespace course;

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

Picture random_look(const Images& images, Rng& rng) {
    const Tensor pixels = select(images.pixels, 0, 0);
    Picture picture{.title = "Six glimpses",
                    .height = static_cast<int>(pixels.size(0)),
                    .width = static_cast<int>(pixels.size(1)),
                    .glimpse = 8};
    for (const double ink : pixels.to_vector()) picture.grey.push_back(1 - ink);
    for (int t = 0; t < 6; ++t) {
        const double x = 4 + rng.uniform() * (picture.width - 8);
        picture.path.emplace_back(x, 4 + rng.uniform() * (picture.height - 8));
    }
    return picture;
}

void show_signs(AtCall lesson, const Data& data) {
    std::vector<Picture> pictures;
    for (int n = 0; n < 3; ++n) {
        const Tensor pixels = select(data.test.pixels, 0, n);
        Picture picture{.title = std::string(glyph_name(data.test.labels[n])),
                        .height = static_cast<int>(pixels.size(0)),
                        .width = static_cast<int>(pixels.size(1))};
        for (double ink : pixels.to_vector()) picture.grey.push_back(1 - ink);  // black on white
        pictures.push_back(std::move(picture));
    }
    lesson->keep("signs", pictures, "Three pictures, each with one of ten signs.");
}

std::vector<double> show_ink(AtCall lesson, const std::vector<Method>& methods,
                             const std::vector<GlimpseModel>& models, const Images& images) {
    LinePlot plot{.title = "Ink inside the glimpses",
                  .x_label = "glimpses",
                  .y_label = "share of the ink",
                  .series = {},
                  .y_range = {0, 1}};
    std::vector<double> last;
    const Images some = range(images, 0, std::min(500, images.size()));
    for (std::size_t i = 0; i < methods.size(); ++i) {
        const std::vector<double> y = ink_seen(models[i], some, methods[i].rule, lesson->seed());
        std::vector<double> x;
        for (std::size_t t = 1; t <= y.size(); ++t) x.push_back(static_cast<double>(t));
        plot.series.push_back({methods[i].name, x, y});
        last.push_back(y.back());
    }
    lesson->show("ink", plot,
                 "How much of a sign has been inside a glimpse, by the number of glimpses.");
    return last;
}

std::vector<double> show_variance(AtCall lesson, const std::vector<Method>& methods,
                                  const GlimpseModel& model, const Images& images) {
    Table table({"loss", "variance of the gradient"});
    const Images some = range(images, 0, 256);
    std::vector<double> all;
    for (const Method& method : methods) {
        Rng rng(lesson->seed());
        all.push_back(gradient_variance(model, method, some, lesson->quick() ? 20 : 200, rng));
    }
    const double first = all.front();
    for (std::size_t i = 0; i < methods.size(); ++i) table.row(methods[i].name, all[i] /= first);
    lesson->table(table,
                  "One trained model, 256 pictures, many samples of the locations: the variance, "
                  "divided by that with a baseline.");
    return all;
}

void show_paths(AtCall lesson, const std::vector<Method>& methods,
                const std::vector<GlimpseModel>& models, const std::vector<int>& which,
                const Images& images) {
    const auto name = [](int label) { return std::string(glyph_name(label)); };
    for (int i : which)
        lesson->keep(
            fmt::format("path_{}", i), paths(models[i], images, methods[i].rule, 3, name),
            fmt::format(
                "{}: six glimpses in their order. Above each picture its label and the answer.",
                methods[i].name));
    lesson->show(
        "path", paths(models[which[0]], images, methods[which[0]].rule, 1, name)[0],
        "The six glimpses on one picture, with its sign and the answer. In characters, one line "
        "is two pixels high, and the centres below are in pixels from the left and the top.");
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

}  // namespace heed::lesson16
