// The contrastive loss: three pictures and three captions as vectors that can be dragged, their similarities,
// and what softmax makes of them by rows and by columns.
#include "lessons/course/live/live.h"

#include <cmath>

#include "attention/attention.h"
#include "lessons/course/figures/figures.h"
#include "lessons/course/live/plane.h"

namespace heed::lesson28 {

using namespace course;

namespace {

constexpr int pairs = 3;
constexpr double start[2 * pairs][2] = {{1.2, 0.4}, {-0.3, 1.3}, {-1, -0.8},
                                        {0.9, 0.9}, {0.5, 1.2},  {-1.2, 0.1}};

std::string name_of(int i) {
    return (i < pairs ? "picture " : "caption ") + std::to_string(i % pairs + 1);
}
std::string control_of(int i) { return (i < pairs ? "p" : "c") + std::to_string(i % pairs + 1); }

Drawn draw(const Inputs& inputs) {
    const NoGrad no_grad;
    Plane plane{.title = "Drag pictures and captions", .low = -1.8, .high = 1.8, .size = 340};
    std::vector<double> places;
    for (int i = 0; i < 2 * pairs; ++i) {
        const auto [x, y] = inputs.place(control_of(i));
        places.insert(places.end(), {x, y});
        plane.arrows.push_back({.x = x,
                                .y = y,
                                .colour = i % pairs == 0   ? 0
                                          : i % pairs == 1 ? 2
                                                           : 3,
                                .strength = i < pairs ? 1 : 0.35});
        plane.handles.push_back(
            {.control = control_of(i), .x = x, .y = y, .name = name_of(i), .arrow = false});
    }
    const Tensor all = tensor(places, {2, pairs, 2}, Dtype::float64);
    const Tensor scores = matmul(unit_vectors(all[0]), transpose(unit_vectors(all[1]))) /
                          inputs.number("temperature");
    const std::vector<std::string> pictures{name_of(0), name_of(1), name_of(2)};
    const std::vector<std::string> captions{name_of(3), name_of(4), name_of(5)};
    HeatMap rows{.title = "Which caption? Softmax of each row",
                 .values = softmax(scores).to_vector(),
                 .row_labels = pictures,
                 .column_labels = captions,
                 .gold = {{0, 0}, {1, 1}, {2, 2}},
                 .value_name = "probability"};
    HeatMap columns{.title = "Which picture? Softmax of each column",
                    .values = transpose(softmax(transpose(scores))).to_vector(),
                    .row_labels = pictures,
                    .column_labels = captions,
                    .gold = {{0, 0}, {1, 1}, {2, 2}},
                    .value_name = "probability"};
    return {.svgs = {to_svg(plane), to_svg(rows, 250), to_svg(columns, 250)},
            .numbers = {{"loss", contrastive_loss(scores).item()},
                        {"half of it: pictures ask for captions", info_nce(scores).item()},
                        {"loss if all vectors are equal", std::log(double(pairs))}}};
}

std::vector<Control> controls() {
    std::vector<Control> all;
    for (int i = 0; i < 2 * pairs; ++i)
        all.push_back(place(control_of(i), name_of(i), start[i][0], start[i][1]));
    all.push_back(slider("temperature", "Temperature τ", {0.05, 2, 0.05, 0.2}));
    return all;
}

const Registered figure({.name = "contrast", .controls = controls(), .draw = draw});

}  // namespace

}  // namespace heed::lesson28
