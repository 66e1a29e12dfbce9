// Three sentences, "I am", "he is" and "she is a student": the verb is guessed from the vector of the
// pronoun, and the vectors of he and she come together.
#include "lessons/course/live/live.h"

#include "autograd/autograd.h"
#include "lessons/06_embeddings/experiment.h"
#include "lessons/course/figures/figures.h"
#include "lessons/course/live/plane.h"

namespace heed::lesson06 {

using namespace course;

namespace {

const std::vector<std::string> pronouns{"I", "he", "she"}, verbs{"am", "is"};
const Indices pronoun_of_sentence{0, 1, 2}, verb_of_sentence{0, 1, 1};

Drawn draw(const Inputs& inputs) {
    Rng rng(static_cast<std::uint64_t>(inputs.whole("seed")));
    Tensor E = normal({3, 2}, 0, 1, rng, Dtype::float64),  // vectors of the pronouns
        U = normal({2, 2}, 0, 1, rng, Dtype::float64);     // second vectors of the verbs
    const auto scores = [&] { return matmul(embedding(E, pronoun_of_sentence), transpose(U)); };
    for (int step = 0; step < inputs.whole("steps"); ++step) {
        E = clone(detach(E)).set_requires_grad();
        U = clone(detach(U)).set_requires_grad();
        const std::vector<Tensor> g = grad(cross_entropy(scores(), verb_of_sentence), {E, U});
        E = detach(E) - 0.5 * g[0];
        U = detach(U) - 0.5 * g[1];
    }
    const NoGrad no_grad;
    const Tensor p = softmax(scores(), 1), similar = cosines(E);

    Plane plane{.title = "Vectors after these steps", .low = -3, .high = 3, .size = 360};
    for (int i = 0; i < 3; ++i)
        plane.arrows.push_back({.x = E.at({i, 0}), .y = E.at({i, 1}), .name = pronouns[i]});
    for (int i = 0; i < 2; ++i)
        plane.arrows.push_back({.x = U.at({i, 0}),
                                .y = U.at({i, 1}),
                                .name = "u of " + verbs[i],
                                .colour = 1,
                                .strength = 0.4});
    return {.svgs = {to_svg(plane)},
            .numbers = {{"cosine of he and she", similar.at({1, 2})},
                        {"cosine of I and he", similar.at({0, 1})},
                        {"probability of am after I", p.at({0, 0})},
                        {"probability of is after he", p.at({1, 1})},
                        {"probability of is after she", p.at({2, 1})}}};
}

const Registered figure({.name = "together",
                         .controls = {slider("steps", "Steps of gradient descent", {0, 60, 1, 0}),
                                      slider("seed", "Other random vectors", {1, 20, 1, 6})},
                         .draw = draw});

}  // namespace

}  // namespace heed::lesson06
