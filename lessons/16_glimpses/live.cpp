// Where the trained model looks in a picture that the reader draws, and what it believes after each glimpse.
#include "lessons/course/live/live.h"

#include <algorithm>
#include <cmath>

#include "attention/attention.h"
#include "lessons/16_glimpses/model.h"
#include "lessons/course/figures/figures.h"
#include "lessons/course/live/grid.h"
#include "lessons/material/corpora/glyphs.h"
#include "nn/saved/safetensors.h"

namespace heed::lesson16 {

using namespace course;

namespace {

constexpr int cells = 14, side = 28;  // the reader draws on 14 x 14 cells of 2 x 2 pixels

// A sign of the lesson on the cells, to begin with.
std::vector<bool> first_sign() {
    Rng rng(3);
    const std::vector<double> ink =
        draw_glyphs(1, {.side = side, .noise = 0}, rng).images.pixels.to_vector();
    std::vector<bool> on;
    for (int row = 0; row < cells; ++row)
        for (int column = 0; column < cells; ++column) {
            double most = 0;
            for (int y = 2 * row; y < 2 * row + 2; ++y)
                for (int x = 2 * column; x < 2 * column + 2; ++x)
                    most = std::max(most, ink[static_cast<std::size_t>(y * side + x)]);
            on.push_back(most > 0.5);
        }
    return on;
}

class Glimpses : public LiveModel {
  public:
    Glimpses() {
        Rng rng(1);
        model_ = GlimpseModel({.hidden = 64}, rng);
    }

    void load(const std::string& path) override {
        Rng rng(1);
        ModelOptions sizes;
        for (const Parameter& p : load_safetensors(path).tensors)
            if (p.name == "answer.weight") sizes.hidden = static_cast<int>(p.tensor.size(1));
        model_ = GlimpseModel(sizes, rng);
        load_model(model_, path);
    }

    Drawn draw(const Inputs& inputs) override {
        const NoGrad no_grad;
        const std::vector<bool>& on = inputs.on("ink");
        std::vector<double> pixels(side * side);
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x)
                pixels[static_cast<std::size_t>(y * side + x)] =
                    on[static_cast<std::size_t>(y / 2 * cells + x / 2)];
        const Tensor image = tensor(pixels, {1, side, side});
        const int glimpses = inputs.whole("glimpses");
        model_.options.glimpses = glimpses;
        Rng rng(static_cast<std::uint64_t>(inputs.whole("seed")));
        const Output seen = model_.look(image, LocationRule::mean, rng);
        Picture picture{.title = "Its glimpses", .height = side, .width = side};
        for (const double ink : pixels) picture.grey.push_back(1 - ink);
        picture.glimpse = static_cast<double>(model_.options.glimpse.size);
        for (int t = 0; t < glimpses; ++t) {
            const Tensor& at = seen.locations[static_cast<std::size_t>(t)];
            picture.path.emplace_back((at.at({0, 0}) + 1) / 2 * side,
                                      (at.at({0, 1}) + 1) / 2 * side);
        }
        const std::vector<double> p = softmax(seen.logits).to_vector();
        BarChart chart{.title = "Its answer", .value_label = "probability", .high = 1};
        chart.sets = {{.name = "p", .values = p}};
        for (int i = 0; i < glyph_count; ++i) chart.labels.emplace_back(glyph_name(i));
        return {.svgs = {to_svg(Grid{.title = "Draw here",
                                     .control = "ink",
                                     .rows = cells,
                                     .columns = cells,
                                     .on = on,
                                     .painted = true,
                                     .cell = 18}),
                         to_svg(picture), to_svg(chart)},
                .numbers = {{"probability of its answer", *std::max_element(p.begin(), p.end())}}};
    }

  private:
    GlimpseModel model_;
};

const Registered figure({.name = "glimpses",
                         .controls = {switches("ink", "Picture", first_sign()),
                                      slider("glimpses", "Glimpses", {2, 6, 1, 6}),
                                      slider("seed", "Other first location", {1, 20, 1, 1})},
                         .model = [](const Inputs&) { return std::make_unique<Glimpses>(); },
                         .loads = true});

}  // namespace

}  // namespace heed::lesson16
