// A picture as a sequence of patches: how many tokens and scores, and which patches are alike.
#include "lessons/course/live/live.h"

#include <algorithm>
#include <cmath>

#include "attention/attention.h"
#include "lessons/course/figures/svg.h"
#include "lessons/course/live/grid.h"

namespace heed::lesson25 {

using namespace course;

namespace {

constexpr int small_side = 12;
const std::vector<int> sizes{1, 2, 3, 4, 6, 12};

std::vector<bool> ring() {
    std::vector<bool> on;
    for (int i = 0; i < small_side * small_side; ++i) {
        const double distance = std::hypot(i / small_side - 5.5, i % small_side - 5.5);
        on.push_back(distance > 3.2 && distance < 4.8);
    }
    return on;
}

// The picture cut apart. Each patch is shaded by its weight; the one that asks has a frame.
std::string cut_apart(const std::vector<bool>& on, int P, int asked, const std::vector<double>& w) {
    constexpr double left = 10, top = 26, size = 240, gap = 4;
    const int across = small_side / P;
    const double pixel = (size - gap * (across - 1)) / small_side, patch = P * pixel;
    const double most = *std::max_element(w.begin(), w.end());
    Svg svg(left + size + 10, top + size + 10, "The picture cut into patches");
    svg.text(left, 16, "Patches, by their weights", "start", "title");
    for (int n = 0; n < across * across; ++n) {
        const double x = left + n % across * (patch + gap), y = top + n / across * (patch + gap);
        svg.add(R"(<rect class="hot" fill-opacity="0.06" x="{:.2f}" y="{:.2f}" width="{:.2f}" )"
                R"(height="{:.2f}"/>)",
                x, y, patch, patch);
        for (int i = 0; i < P * P; ++i) {
            const int row = n / across * P + i / P, column = n % across * P + i % P;
            if (!on[static_cast<std::size_t>(row * small_side + column)]) continue;
            svg.add(R"(<rect class="hot" x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}"/>)",
                    x + i % P * pixel, y + i / P * pixel, pixel, pixel);
        }
        const double weight = w[static_cast<std::size_t>(n)];
        svg.add(R"(<rect class="shade" fill-opacity="{:.3f}" x="{:.2f}" y="{:.2f}" )"
                R"(width="{:.2f}" height="{:.2f}"><title>weight {:.3f}</title></rect>)",
                0.72 * weight / most, x, y, patch, patch, weight);
        if (n == asked)
            svg.add(R"(<rect class="gold" x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}"/>)",
                    x - 1, y - 1, patch + 2, patch + 2);
    }
    return svg.finish();
}

Drawn draw(const Inputs& inputs) {
    const NoGrad no_grad;
    const std::vector<bool>& on = inputs.on("ink");
    const int P = sizes[static_cast<std::size_t>(inputs.chosen("patch"))], across = small_side / P;
    const int tokens = across * across;
    const std::vector<double> ink(on.begin(), on.end());
    const Tensor pixels = tensor(ink, {across, P, across, P});
    const Tensor patches = reshape(permute(pixels, {0, 2, 1, 3}), {tokens, P * P});
    const int asked = std::min(static_cast<int>(inputs.number("asked") * tokens), tokens - 1);
    // Pixels of -1 and 1: the score of two patches is `sharpness` if they are equal.
    const Tensor x = 2 * patches - 1;
    const Tensor scores = matmul(x, transpose(x)) * (inputs.number("sharpness") / (P * P));
    const std::vector<double> weights = softmax(scores)[asked].to_vector();  // [tokens]
    return {.svgs = {to_svg(Grid{.title = "Draw here",
                                 .control = "ink",
                                 .rows = small_side,
                                 .columns = small_side,
                                 .on = on,
                                 .painted = true,
                                 .cell = 20}),
                     cut_apart(on, P, asked, weights)},
            .numbers = {{"tokens", double(tokens), 4},
                        {"numbers in a token", double(P * P), 4},
                        {"scores that attention computes", double(tokens) * tokens, 6},
                        {"weight of the framed patch for itself",
                         weights[static_cast<std::size_t>(asked)]}}};
}

const Registered figure(
    {.name = "patches",
     .controls = {switches("ink", "Picture", ring()),
                  choice("patch", "Side of a patch, in pixels", {"1", "2", "3", "4", "6", "12"}, 1),
                  slider("asked", "Framed patch: from first to last", {0, 1, 0.01, 0.38}),
                  slider("sharpness", "Sharpness", {0.5, 10, 0.5, 4})},
     .draw = draw});

}  // namespace

}  // namespace heed::lesson25
