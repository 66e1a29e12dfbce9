//! # Can a network choose where to look?
//!
//! A human eye sees only a small spot sharply, about the size of a thumbnail at arm's length. It
//! moves to another spot about three times a second, and the brain combines what it saw. The
//! network of this lesson works in a similar way (Mnih et al. 2014). It sees six glimpses of eight
//! by eight pixels of a picture of twenty-eight by twenty-eight, and after the last one it
//! classifies the picture. The training data do not say where to look. The network learns it only
//! from whether its answers were right.

#include <algorithm>

#include "autograd/autograd.h"
#include "lessons/16_glimpses/report.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;
using namespace heed::lesson16;

namespace {

//! ## Glimpses, a state, and the next location
//!
//! At location $\ell_t$ the network reads the pixels $x_t$. Its features $g_t$ combine *what* it
//! saw and *where*. A recurrent state $h_t$ combines the glimpses, and the mean $\mu_{t+1}$ of the
//! next location is computed from it:
//!
//! $$ g_t = \mathrm{relu}\big( W_x \, \mathrm{relu}(V_x x_t)
//!        + W_\ell \, \mathrm{relu}(V_\ell \ell_t) \big) \qquad
//!    h_t = \mathrm{relu}(A g_t + B h_{t-1}) $$
//!
//! $$ \mu_{t+1} = \tanh(P \, \mathrm{relu}(R h_t)) \qquad
//!    \ell_{t+1} \sim \mathcal N(\mu_{t+1}, \sigma^2) $$
//!
//! A location outside the picture is moved to its edge. The first location is random; the class is
//! computed from the sixth state. In lesson 15 we could sum over sixteen patches. Here locations
//! are points of a plane, five of them are chosen one after another, and each choice changes what
//! is seen next. An exact sum is impossible, so we use REINFORCE.

//! ## A loss with three terms
//!
//! Cross-entropy trains the classifier, the state and the layers of the glimpses. The location
//! network gets the gradient $(L - b_t) \nabla \ln p(\ell_t)$ with $L = 1$ for a wrong answer and 0
//! for a right one, the same $L$ for all five locations. The baseline $b_t$ predicts from the state
//! how probable an error is, and is trained with the squared error of this prediction. Each term
//! trains parameters of its own: the state is detached where the location network and the baseline
//! read it.
Tensor errors(const Output& seen, const Indices& labels) {
    const Indices predicted = argmax(seen.logits, -1);
    std::vector<double> wrong;
    for (int64_t i = 0; i < predicted.count(); ++i) wrong.push_back(predicted[i] != labels[i]);
    return tensor(wrong);
}
Tensor with_baseline(const GlimpseModel& model, const Output& seen, const Indices& labels) {
    const Tensor wrong = errors(seen, labels), b = seen.baseline;  // [B], [B, 5]
    const Tensor advantage = detach(unsqueeze(wrong, 1) - b);
    const Tensor locations = mean(sum(advantage * seen.log_prob, 1));
    return cross_entropy(seen.logits, labels) + model.baseline.loss(b, wrong) + 0.01 * locations;
}

//! The factor 0.01 is that of the public program named at the end. It hardly matters, because the
//! location network has parameters of its own and Adam divides by the size of a gradient. We
//! compare four other methods. Two have no learned baseline: one uses *errors*, $L = 1$ for a wrong
//! answer, the other *rewards*, $L = -1$ for a right answer. The two differ by a constant, which
//! acts as a baseline.
Tensor errors_only(const GlimpseModel&, const Output& seen, const Indices& labels) {
    return cross_entropy(seen.logits, labels) +
           0.01 * score_function_term(errors(seen, labels), seen.log_prob);
}
Tensor rewards_only(const GlimpseModel&, const Output& seen, const Indices& labels) {
    return cross_entropy(seen.logits, labels) +
           0.01 * score_function_term(errors(seen, labels) - 1.0, seen.log_prob);
}
//! The third looks at random locations. The fourth has a mistake that a well-known program once
//! had: the sampled location, $\mu + \sigma \epsilon$, is not detached, so cross-entropy sends a
//! gradient through it. This gradient does not come through the pixels, because they are selected
//! by integer indices, but through $V_\ell \ell$. So the network learns locations whose coordinates
//! help the classifier, not locations where there is something to see.
Tensor answer_only(const GlimpseModel&, const Output& seen, const Indices& labels) {
    return cross_entropy(seen.logits, labels);
}
const std::vector<Method> methods{{"learned baseline", LocationRule::learned, with_baseline},
                                  {"errors, no baseline", LocationRule::learned, errors_only},
                                  {"rewards, no baseline", LocationRule::learned, rewards_only},
                                  {"random locations", LocationRule::random, answer_only},
                                  {"a leak", LocationRule::leaking, answer_only}};
enum { learned, by_errors, by_rewards, at_random, leak };

//! Before training, we compare the loss by hand with the library's. We also check the gradient that
//! cross-entropy alone sends to the location network. It must be 0, and with the leak it is not.
void check_the_loss(Lesson& lesson, const Images& images, const Settings& settings) {
    Rng rng(lesson.seed());
    const GlimpseModel model(model_options(settings, 64), rng);
    const Images batch = course::range(images, 0, 64);
    const Indices labels(batch.labels);
    const auto& weights = model.locator.weight;
    const Output seen = model.look(batch.pixels, LocationRule::learned, rng);
    const Tensor term = score_function_term(errors(seen, labels), seen.log_prob, seen.baseline);
    const Tensor library = answer_only(model, seen, labels) + 0.01 * term +
                           model.baseline.loss(seen.baseline, errors(seen, labels));
    const Tensor mine = with_baseline(model, seen, labels);
    lesson.claim("gradient by hand against the library's, largest difference",
                 max(abs(grad(mine, {weights})[0] - grad(library, {weights})[0])).item(),
                 at_most(1e-6));
    const auto leaked = [&](LocationRule rule) {
        const Output now = model.look(batch.pixels, rule, rng);
        return max(abs(grad(answer_only(model, now, labels), {weights})[0])).item();
    };
    lesson.claim("gradient of cross-entropy in the location network", leaked(LocationRule::learned),
                 equals(0));
    lesson.claim("the same gradient with the leak", leaked(LocationRule::leaking), more_than(0));
}

//! ## Five methods
//!
//! Each picture has one of ten signs, of random size and at a random location. All five models have
//! the same sizes and are trained on the same pictures. Accuracy is measured with one sample of the
//! locations for each picture; a vote over many samples would hide a poor choice of locations.
void run_on_glyphs(Lesson& lesson, const Settings& settings) {
    const Prediction random = lesson.predict(
        "Six glimpses cover at most half of the picture. With learned locations about nine signs "
        "in ten are classified correctly. What share with random locations?",
        within(0.1));
    const Prediction worst =
        lesson.predict("Which is worst?", {"rewards, no baseline", "random locations", "a leak"});
    //! In quick mode: 2,000 pictures instead of 8,000, six epochs instead of sixteen, and one seed
    //! instead of three.
    const Data data = draw_pictures(lesson.quick(), lesson.seed());
    check_the_loss(lesson, data.train, settings);

    lesson.heading("Five methods");
    const Comparison result = compare_methods(lesson, methods, data, settings);
    const std::vector<double>& right = result.accuracy;
    lesson.reveal(random, right[at_random]);
    lesson.reveal(
        worst,
        methods[std::min_element(right.begin() + by_rewards, right.end()) - right.begin()].name);
    lesson.claim("accuracy with learned locations minus that with random locations",
                 right[learned] - right[at_random], at_least(lesson.quick() ? 0.05 : 0.15));
    if (!lesson.quick()) {
        lesson.claim("accuracy with learned locations", right[learned], at_least(0.8));
        lesson.claim("accuracy with learned locations minus that with a leak",
                     right[learned] - right[leak], at_least(0.15));
    }

    //! ## What the baseline does
    //!
    //! Of the three methods with REINFORCE, the one with a learned baseline is the best, as the
    //! table shows. Now we take a trained model and sample the locations many times for the same
    //! pictures. A model that is nearly always right gets a reward for nearly every choice, good or
    //! bad, and this is noise. The baseline removes it. Counting errors instead of rewards removes
    //! it too at this stage, because errors are rare now; early in training they are not.
    lesson.heading("What the baseline does");
    const std::vector<double> variance =
        show_variance(lesson, {methods[learned], methods[by_errors], methods[by_rewards]},
                      result.models[learned], data.train);
    if (!lesson.quick()) {
        lesson.claim("variance with rewards over that with a learned baseline",
                     variance[by_rewards] / variance[learned], at_least(3));
        lesson.claim("accuracy with a learned baseline minus the better of the two without",
                     right[learned] - std::max(right[by_errors], right[by_rewards]), more_than(0));
    }

    lesson.heading("Where does it look?");
    show_paths(lesson, methods, result.models, {learned, at_random, leak}, data.test);
    const std::vector<double> ink = show_ink(lesson, methods, result.models, data.test);
    lesson.claim("share of the ink seen with learned locations", ink[learned],
                 more_than(ink[at_random]));
}

}  // namespace

//! ## What this does not show
//!
//! Our pictures have one sign at one scale, without clutter. In the paper, the choice of locations
//! matters most for large pictures with clutter: with eight glimpses the error is 4 %, and 14 %
//! with random locations. Glimpses save pixels, but a processor can compute with all pixels in one
//! product, so they save little time. And the locations alone do not explain the answer.
//!
//! Sources: Mnih, Heess, Graves and Kavukcuoglu, "Recurrent Models of Visual Attention" (2014),
//! sections 3 and 4; Williams (1992). Sizes and rates follow the public program
//! kevinzakka/recurrent-visual-attention, and so does the leak, which an earlier version of it had.
//!
//! ## Try this next
//!
//! 1. `--glimpses 2`, then 10: how much does accuracy change with the number of glimpses?
//! 2. `--data mnist`, a folder with the four files of MNIST: handwritten digits.
//! 3. `--deviation 0.05`, then 0.5: how large a deviation does the model need to learn where to
//!    look?
int main(int argc, char** argv) {
    Lesson lesson({.number = 16,
                   .name = "glimpses",
                   .title = "Can a network choose where to look?",
                   .question = "Can a network learn where to take six glimpses, only from whether "
                               "its answers are right?",
                   .data = "a folder with the four files of MNIST (IDX, gzipped or not)",
                   .own_data = "generated pictures of ten signs, 28 x 28 pixels",
                   .saves_model = true});
    Settings settings;
    add_options(lesson, settings);
    return lesson.run(argc, argv, [&] {
        complete_settings(settings, lesson);
        if (lesson.options().data.empty())
            run_on_glyphs(lesson, settings);
        else
            run_on_digits(lesson, settings, methods[learned]);
    });
}
