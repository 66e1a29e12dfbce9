#include "lessons/w8_clipping/pictures.h"

#include <algorithm>
#include <cmath>

#include "lessons/course/figures/by_step.h"

namespace heed::workshop8 {

using namespace course;

void PlainTable::add(double rho, double s, const std::vector<double>& norms, double engine) {
    const double rate = factor_of_a_step(norms);
    gap = std::max(gap, std::abs(norms.back() / engine - 1));
    off = std::max(off, std::abs(rate / (rho * s) - 1));
    if (rho == 1) left_at_1 = norms[50];
    table_.row(rho, number(s, 3), number(rho * s, 3), number(rate, 3), number(norms[50], 2));
    plot_.series.push_back(by_step(fmt::format("rho = {}", rho), norms));
}

void PlainTable::show(AtCall lesson) const {
    lesson->show("plain", plot_, "The norm of the gradient in a plain network, going back.");
    lesson->table(table_, "The factor of a step, and what is left of the norm 1 after 50 steps.");
}

namespace {

// Dark where the loss is high.
Picture picture_of_loss(const std::string& title, int side) {
    Picture picture{.title = title, .height = side, .width = side};
    const CliffPoints p = cliff_points(side);
    for (double loss : cliff_loss(p.w, p.b).to_vector())
        picture.grey.push_back(1 - std::sqrt(loss) / 0.7);
    return picture;
}

// White where a descent that starts at this point reaches the minimum, dark where it does not.
Picture picture_of(const std::string& title, const Descents& descents) {
    Picture picture{.title = title, .height = descents.side, .width = descents.side};
    for (double loss : descents.loss.to_vector()) picture.grey.push_back(loss < 1e-4 ? 1 : 0.25);
    return picture;
}

}  // namespace

void show_descents(AtCall lesson, const Descents& unclipped, const Descents& clipped) {
    lesson->show("cliff",
                 {picture_of_loss("the loss", unclipped.side),
                  picture_of("without clipping", unclipped), picture_of("with clipping", clipped)},
                 "w grows to the right, b upwards. Left: the loss, dark where it is high. Then: "
                 "white where a descent that starts at this point reaches the minimum. On a "
                 "terminal @ is white and a blank is black. Each sign is the mean of two points, "
                 "one above the other: * means that one of them reaches the minimum, : none.");
    lesson->say(
        "The longest step (gradient times the learning rate 1) was {} without clipping, and "
        "{} with it.",
        number(unclipped.longest_step, 3), number(clipped.longest_step, 3));
}

}  // namespace heed::workshop8
