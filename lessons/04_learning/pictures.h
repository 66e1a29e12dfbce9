// The answers of a network as a picture of the plane, and a small network as a diagram.
#pragma once

#include <string>
#include <vector>

#include "lessons/course/figures/figures.h"
#include "lessons/material/corpora/spirals.h"

namespace heed::lesson04 {

// A picture of the square from -1.1 to 1.1: the grey level of a pixel is the model's probability of
// class 1 there, and the points are black and white.
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

// Two hidden units, as in the numbers by hand.
course::Diagram network_diagram();

}  // namespace heed::lesson04
