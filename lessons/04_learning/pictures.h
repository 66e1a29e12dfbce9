// The answers of a network as a picture of the plane, what one unit adds to it, a small network as a diagram, and
// ways down a hill and along a valley.
#pragma once

#include <string>
#include <vector>

#include "lessons/course/figures/figures.h"
#include "lessons/material/corpora/spirals.h"

namespace heed::lesson04 {

// A picture of the square from -1.1 to 1.1: the colour of a pixel is the model's probability of class 1 there, from
// blue to orange, and the points are in full colour.
template <class Model>
course::Picture boundary(const std::string& title, const Model& model, const course::Points& points,
                         int pixels);

// The pictures of a training, in order; its checkpoint saves them.
struct Pictures {
    std::vector<course::Picture> all;

    template <class F>
    void visit_state(F&& f) {
        std::size_t count = all.size();
        f("count", count);
        all.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            const std::string name = std::to_string(i);
            course::Picture& picture = all[i];
            f(name + ".title", picture.title), f(name + ".grey", picture.grey);
            f(name + ".height", picture.height), f(name + ".width", picture.width);
            picture.two_colours = true;
        }
    }
};

// The two steps of `boundary`.
Tensor pixel_centres(int pixels);  // [pixels², 2]
course::Picture drawn(const std::string& title, const std::vector<double>& probabilities,
                      const course::Points& points, int pixels);

template <class Model>
course::Picture boundary(const std::string& title, const Model& model, const course::Points& points,
                         int pixels) {
    return drawn(title, sigmoid(model(pixel_centres(pixels))).to_vector(), points, pixels);
}

// The points alone.
course::Picture points_alone(const course::Points& points, int pixels);

// Three steps of gradient descent from 1 on the loss θ², with each of the learning rates.
std::vector<course::Arrows> hills(const std::vector<double>& rates);

// The way of an optimiser on the loss ½ (θ₁² + 60 θ₂²), and its loss at the end.
struct ValleyPath {
    std::string name;
    double rate = 0, loss = 0;
    std::vector<double> x{}, y{};

    void add(const Tensor& theta) {
        x.push_back(theta.at({0}));
        y.push_back(theta.at({1}));
    }
};
std::vector<course::Arrows> valleys(const std::vector<ValleyPath>& paths);

// Two units whose steps lie beside each other, and their difference, a band.
std::vector<course::Picture> two_units_and_a_band();

// Two hidden units, as in the numbers by hand.
course::Diagram network_diagram();

}  // namespace heed::lesson04
