// The recurrent attention model (Mnih et al. 2014): it reads small glimpses of a picture, combines
// them in a recurrent state, and chooses the location of the next glimpse. Sizes and rules are
// those of a public reimplementation (kevinzakka/recurrent-visual-attention), which reaches 1.21 %
// error on MNIST.
#pragma once

#include <string>
#include <vector>

#include "attention/hard/hard.h"
#include "lessons/material/read/images.h"
#include "nn/nn.h"

namespace heed::lesson16 {

struct ModelOptions {
    int glimpses = 6;
    GlimpseOptions glimpse{.size = 8, .scales = 1};
    int hidden = 256;
    int classes = 10;
    double deviation = 0.17;  // standard deviation of sampled locations
};

// How the next location is found.
enum class LocationRule {
    learned,  // sampled around the mean that the network computes
    mean,     // that mean itself, for use after training
    leaking,  // a mistake: sampled, but with a gradient through the sampled location
    random    // uniform over the picture
};

struct Output {
    Tensor logits;                  // [B, classes], after the last glimpse
    std::vector<Tensor> locations;  // of each glimpse [B, 2]
    Tensor log_prob;                // [B, glimpses - 1]: the first location is random
    Tensor baseline;                // [B, glimpses - 1]
};

struct GlimpseModel {
    ModelOptions options;
    Linear pixels, location;  // hidden layers of half the width
    Linear what, where;       // from these to the full width, added
    Linear input, recurrent;  // the state: relu(input g + recurrent h)
    Linear output;            // from the last state to the class
    Linear locator, mean;     // from the state to the mean of the next location
    LearnedBaseline baseline;

    GlimpseModel() = default;
    GlimpseModel(const ModelOptions& sizes, Rng& rng);
    template <class F>
    void visit(F&& f) {  // under these names they are saved
        f("pixels", pixels);
        f("place", location);
        f("what", what);
        f("where", where);
        f("input", input);
        f("memory", recurrent);
        f("answer", output);
        f("propose", locator);
        f("point", mean);
        f("baseline", baseline);
    }

    // images [B, Y, X]
    Output look(const Tensor& images, LocationRule rule, Rng& rng) const;
};

}  // namespace heed::lesson16
