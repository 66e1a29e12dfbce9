// A data set for classification: points on two spirals that are wound into each other (Lang and
// Witbrock 1988).
#pragma once

#include <string>
#include <vector>

#include "autograd/ops/random.h"
#include "autograd/tensor/tensor.h"
#include "lessons/course/figures/figures.h"

struct Points {
    heed::Tensor x;  // [B, 2], within about -1 to 1
    heed::Tensor t;  // [B], the spiral it is on: 0 or 1
};

// `count` points, half of them on each spiral, with a little noise.
Points two_spirals(int count, heed::Rng& rng);

// Examples of 20 measurements, independent random numbers. The class is 1 if the sum of the first two
// and of some noise is positive; the other 18 have nothing to do with it.
inline constexpr int measured = 20;
Points measurements(int count, heed::Rng& rng);

// A picture of the square from -1.1 to 1.1: the grey level of a pixel is the model's probability of
// class 1 there, and the points are black and white.
template <class Model>
heed::course::Picture boundary(const std::string& title, const Model& model, const Points& points,
                               int pixels);

// The pictures of a training, in order; its checkpoint saves them.
struct Pictures {
    std::vector<heed::course::Picture> all;

    template <class F>
    void visit_state(F&& f) {
        std::size_t count = all.size();
        f("count", count);
        all.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            const std::string name = std::to_string(i);
            heed::course::Picture& picture = all[i];
            f(name + ".title", picture.title), f(name + ".grey", picture.grey);
            f(name + ".height", picture.height), f(name + ".width", picture.width);
        }
    }
};

// The two steps of `boundary`.
heed::Tensor pixel_centres(int pixels);  // [pixels², 2]
heed::course::Picture drawn(const std::string& title, const std::vector<double>& probabilities,
                            const Points& points, int pixels);

template <class Model>
heed::course::Picture boundary(const std::string& title, const Model& model, const Points& points,
                               int pixels) {
    return drawn(title, sigmoid(model(pixel_centres(pixels))).to_vector(), points, pixels);
}
