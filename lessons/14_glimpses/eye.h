// The recurrent attention model (Mnih et al. 2014): an eye that sees little at a time, a memory,
// and a network that says where to look next. Sizes and rules are those of a public
// reimplementation (kevinzakka/recurrent-visual-attention), which reaches 1.21 % error on MNIST.
#pragma once

#include <string>
#include <vector>

#include "attention/hard/hard.h"
#include "lessons/course/read/images.h"
#include "nn/nn.h"

namespace heed::lesson14 {

struct EyeOptions {
    int glimpses = 6;
    GlimpseOptions glimpse{.size = 8, .scales = 1};
    int hidden = 256;
    int classes = 10;
    double deviation = 0.17;  // of places about their mean
};

// How the next place is found.
enum class Looking {
    learned,  // drawn about what the network proposes
    steady,   // exactly there: for use after training
    leaking,  // a mistake: drawn, but with a gradient through the point that was drawn
    random    // anywhere, with equal chances
};

struct Seen {
    Tensor logits;               // [B, classes], after the last glimpse
    std::vector<Tensor> places;  // of each glimpse [B, 2]
    Tensor log_prob;             // [B, glimpses - 1]: the first place is not chosen
    Tensor baseline;             // [B, glimpses - 1]
};

struct Eye {
    EyeOptions options;
    Linear pixels, place;  // each to half the width
    Linear what, where;    // and on to all of it, to be added
    Linear input, memory;  // the state: relu(input g + memory h)
    Linear answer;
    Linear propose, point;  // from the state to the next place
    LearnedBaseline baseline;

    Eye() = default;
    Eye(const EyeOptions& sizes, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("pixels", pixels);
        f("place", place);
        f("what", what);
        f("where", where);
        f("input", input);
        f("memory", memory);
        f("answer", answer);
        f("propose", propose);
        f("point", point);
        f("baseline", baseline);
    }

    // images [B, Y, X]
    Seen look(const Tensor& images, Looking looking, Rng& rng) const;
};

}  // namespace heed::lesson14
