//! # Can a network choose where to look?
//!
//! A human eye sees only a small spot sharply, about as large as a thumbnail at arm's length.
//! Several times a second it jumps to another spot, and the brain combines what it has seen. We do
//! not read a page by looking at all of it. What we have seen decides where we look next.
//!
//! The network of this lesson does the same (Mnih et al. 2014). A picture of 28 by 28 pixels shows
//! one of the ten signs of lesson {show_attend} somewhere. The network never sees the whole
//! picture. It sees six *glimpses*: small squares of 8 by 8 pixels, cut out around locations that
//! it chooses itself. After the sixth one it says which sign it was. Six glimpses are at most 384
//! pixels, less than half of the picture.
//!
//! The training data contain the pictures and the names of the signs. Nothing says where to look.
//! All that the network ever finds out about a location is whether its answer was right in the end.
//! Is this enough?

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"
#include "lessons/16_glimpses/experiment.h"
#include "lessons/16_glimpses/model.h"
#include "lessons/16_glimpses/pictures.h"
#include "lessons/course/course.h"

namespace heed::lesson16 {

using namespace course;

namespace {

void opening(Lesson& lesson, const Data& data) {
    Rng rng(lesson.seed());
    lesson.show("look", random_look(data.test, rng),
                "All that the network sees of this picture are six squares, one after another. "
                "Here they lie at random, and often show nothing.");
}

//! ## Two attempts without learning to look
//!
//! The simplest attempt is to look at six **random** locations. The classifier can still be
//! trained, because everything after the glimpse has a derivative. But many glimpses show only
//! empty background.
//!
//! Could the loss be differentiated with respect to the locations, as if they were weights? A
//! location is two numbers, $x$ and $y$, from -1 to 1: $(-1, -1)$ is the upper left corner, and
//! $(0, 0)$ is the centre. {no results} One pixel is $2 / 28 = 0.071$ wide. A glimpse begins at a
//! whole pixel. If a location moves by 0.001, nearly always the same 64 pixels are cut out, and the
//! loss stays the same. The derivative is 0, as it was for the cameras of lesson {reinforce}.
//!
//! The solution is the same, too: draw the location at random around a mean that the network
//! computes, and use REINFORCE to move the mean towards locations that led to right answers.
//!
//! ## From a glimpse to the next location
//!
//! The model repeats one step six times. At step $t$ it has a location $\ell_t$ and a state
//! $h_{t-1}$, the vector in which it keeps what it has seen so far (lesson {recurrence}). First it
//! cuts out the 64 pixels $x_t$ around $\ell_t$. From what it sees and where it sees it, it
//! computes the features $g_t$ of the glimpse. From these and the state before it computes the new
//! state $h_t$:
//!
//! $$ g_t = \text{relu}\big( W_x \, \text{relu}(V_x x_t)
//!        + W_\ell \, \text{relu}(V_\ell \ell_t) \big) , \qquad
//!    h_t = \text{relu}(A g_t + B h_{t-1}) . $$
//!
//! The capital letters are matrices of learned weights (each layer has a bias, too, which is not
//! written), and $\text{relu}(z)$ is the larger of $z$ and 0. From the new state the model computes
//! the mean $\mu_{t+1}$ of the next location, with two more matrices $R$ and $P$:
//!
//! $$ \mu_{t+1} = \tanh(P \, \text{relu}(R h_t)) , \qquad
//!    \ell_{t+1} = \mu_{t+1} + \sigma \epsilon . $$
//!
//! The function $\tanh$ keeps the mean inside the picture. The numbers in $\epsilon$ are random,
//! from a normal distribution (the bell curve) with mean 0 and variance 1, so $\sigma = 0.17$ is
//! the standard deviation of the location, a little more than two pixels. A location outside the
//! picture is moved to its edge. The first location is random. The class is computed from the sixth
//! state. This is the whole model; `look` reads six glimpses with it:
Tensor look(const GlimpseModel& m, const Tensor& images, Rng& rng) {  // [B, Y, X] -> logits
    const int64_t B = images.size(0);
    Tensor at = uniform({B, 2}, -1, 1, rng), h = zeros({B, m.options.hidden});
    for (int t = 0; t < m.options.glimpses; ++t) {
        if (t > 0) {
            const Tensor mu = tanh(m.mean(relu(m.locator(h))));
            at = clamp(mu + normal({B, 2}, 0, m.options.deviation, rng), -1, 1);
        }
        const Tensor x = reshape(glimpse(images, at, m.options.glimpse), {B, -1});
        const Tensor g = relu(m.what(relu(m.pixels(x))) + m.where(relu(m.location(at))));
        h = relu(m.input(g) + m.recurrent(h));
    }
    return m.output(h);
}

//! The *recurrent attention model* is a recurrent network that reads a picture in glimpses and
//! computes from its state where to look next: in the words of lesson {reinforce}, its policy.
void show_the_step(Lesson& lesson, const Data& data) {
    lesson.heading("From a glimpse to the next location");
    lesson.show("step", step_diagram(),
                "One step of the recurrent attention model. No gradient flows through the draw.");
    show_signs(lesson, data);
}

//! In lesson {show_attend} we could read all sixteen patches and sum over them. Here five locations
//! are drawn, one after another, each is a point in a plane, and each changes what is seen
//! afterwards. No sum covers that, so the gradient is estimated from samples.
//!
//! ## The gradient of a location
//!
//! REINFORCE needs $\nabla \ln p(\ell)$: in which direction must the mean move, so that the
//! location that was drawn becomes more probable? For a normal distribution and one coordinate it
//! is
//!
//! $$ \frac{\partial}{\partial \mu} \ln p(\ell)
//!    = \frac{\partial}{\partial \mu} \Big( -\frac{(\ell - \mu)^2}{2 \sigma^2} \Big)
//!    = \frac{\ell - \mu}{\sigma^2} . $$
//!
//! (The terms of $\ln p$ that do not contain $\mu$ have been left out.) The mean has to move
//! towards the location, which is no surprise. REINFORCE multiplies this by the advantage. The
//! *advantage* is the loss of a sample minus its baseline, $L - b$: how much worse it went than
//! expected. The loss is $L = 1$ if the answer was wrong and
//! $L = 0$ if it was right. The baseline $b$ is the share of errors that the model expects.
//!
//! {no results} **By hand.** Let $\mu = 0.2$, and let $\ell = 0.37$ be drawn, one standard
//! deviation farther right. Then $(\ell - \mu) / \sigma^2 = 0.17 / 0.0289 = 5.88$. Let the baseline
//! be 0.3. If the answer was wrong, the gradient is $(1 - 0.3) \cdot 5.88 = 4.12$. Gradient descent
//! goes against the gradient, so the mean moves left, away from the location that was of no use. If
//! the answer was right, the gradient is $(0 - 0.3) \cdot 5.88 = -1.76$, and the mean moves right,
//! towards it.
double location_gradient(double mean, double location, double deviation, double loss,
                         double baseline) {
    return (loss - baseline) * (location - mean) / (deviation * deviation);
}

void check_one_location(Lesson& lesson) {
    lesson.heading("The gradient of a location");
    const double wrong = location_gradient(0.2, 0.37, 0.17, 1, 0.3),
                 right = location_gradient(0.2, 0.37, 0.17, 0, 0.3);
    const auto f64 = Dtype::float64;
    Tensor mean = tensor({0.2}, {1, 1}, f64);
    mean.set_requires_grad();
    const Tensor log_p = gaussian_log_prob(mean, 0.17, tensor({0.37}, {1, 1}, f64));
    const auto library = [&](double loss) {
        const Tensor term = score_function_term(tensor({loss}, {1}, f64), log_p, scalar(0.3, f64));
        return grad(term, {mean})[0].item();
    };
    lesson.say("The gradient of the mean after a wrong answer: {:.2f}, after a right one: {:.2f}.",
               wrong, right);
    lesson.claim("two-gradients",
                 "identity: the two gradients by hand against the library's, largest difference",
                 std::max(std::abs(wrong - library(1)), std::abs(right - library(0))),
                 at_most(1e-9));
}

//! All five locations of a picture get the same $L$, because nobody knows which of them was to
//! blame. Over many pictures, good locations come with right answers more often than bad ones.
//!
//! ## A loss with three terms
//!
//! The model is trained with a sum of three terms.
//!
//! * **Cross-entropy** of the class. It trains the classifier, the state and the layers of the
//!   glimpses.
//! * **REINFORCE** for the locations. It trains the layers $R$ and $P$, the *location network*: the
//!   part that computes from the state where to look next.
//! * **The baseline.** A small linear layer predicts $L$ from the state at each step. It is trained
//!   with the squared error of this prediction.
//!
//! Each term trains parameters of its own. For this, the state is detached (lesson {reinforce})
//! where the location network and the baseline read it.
Tensor errors(const Output& seen, const Indices& labels) {  // L of each picture
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

//! {no results} The factor 0.01 is that of a public program (see the sources). It changes little.
//! No other term sends a gradient to the location network, and Adam divides each gradient by its
//! usual size (lesson {learning}), so a factor that all gradients of a parameter share cancels.
//!
//! ## Five methods
//!
//! We compare this loss with four other ways to choose locations. Two of them use REINFORCE without
//! a learned baseline. One counts **errors**, as above: $L = 1$ for a wrong answer and 0 for a
//! right one. The other counts **rewards**: $L = -1$ for a right answer and 0 for a wrong one,
//! since a reward of 1 is a loss of -1.
Tensor errors_only(const GlimpseModel&, const Output& seen, const Indices& labels) {
    return cross_entropy(seen.logits, labels) +
           0.01 * score_function_term(errors(seen, labels), seen.log_prob);
}
Tensor rewards_only(const GlimpseModel&, const Output& seen, const Indices& labels) {
    return cross_entropy(seen.logits, labels) +
           0.01 * score_function_term(errors(seen, labels) - 1.0, seen.log_prob);
}

//! The two differ by the constant 1, and a constant is a baseline (lesson {reinforce}). So both
//! have the same mean gradient, but not the same variance.
//!
//! The third method looks at **random** locations.
//!
//! The fourth has a mistake that a well-known program once had, a **leak**. The location $\mu +
//! \sigma \epsilon$ is not detached from the graph. Then cross-entropy sends a gradient to $\mu$.
//! It does not come through the pixels, which have no derivative with respect to the location. It
//! comes through $V_\ell \ell_t$, where the coordinates enter the features as numbers. The location
//! network then learns to send the classifier convenient numbers. Whether anything is to be seen
//! at these coordinates has no part in this gradient.
Tensor answer_only(const GlimpseModel&, const Output& seen, const Indices& labels) {
    return cross_entropy(seen.logits, labels);
}
const std::vector<Method> methods{{"learned baseline", LocationRule::learned, with_baseline},
                                  {"errors, no baseline", LocationRule::learned, errors_only},
                                  {"rewards, no baseline", LocationRule::learned, rewards_only},
                                  {"random locations", LocationRule::random, answer_only},
                                  {"a leak", LocationRule::leaking, answer_only}};
enum { learned, by_errors, by_rewards, at_random, leak };

//! Before training, we check the code: cross-entropy alone must send the gradient 0 to the location
//! network, except with the leak.
void check_the_loss(Lesson& lesson, const Images& images, const Settings& settings) {
    lesson.heading("Five methods");
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
    lesson.claim(
        "gradient-library", "identity: gradient by hand against the library's, largest difference",
        max(abs(grad(mine, {weights})[0] - grad(library, {weights})[0])).item(), at_most(1e-6));
    {
        const NoGrad no_grad;
        Rng here = rng, there = rng;
        const Tensor theirs = model.look(batch.pixels, LocationRule::learned, there).logits;
        lesson.claim("look-by-hand",
                     "identity: logits of the loop above against the model's, largest difference",
                     max(abs(look(model, batch.pixels, here) - theirs)).item(), at_most(1e-6));
    }
    const auto leaked = [&](LocationRule rule) {
        const Output now = model.look(batch.pixels, rule, rng);
        return max(abs(grad(answer_only(model, now, labels), {weights})[0])).item();
    };
    lesson.claim("location-gradient", "identity: gradient of cross-entropy in the location network",
                 leaked(LocationRule::learned), equals(0));
    lesson.claim("leak-gradient", "identity: the same gradient with the leak",
                 leaked(LocationRule::leaking), more_than(0));
}

//! All five models have the same sizes and are trained on the same 8,000 pictures for sixteen
//! epochs, three times with different random numbers. Each sign has a random size and is at a
//! random location. Accuracy is measured on 2,000 new pictures with one sample of the locations for
//! each picture.
//!
//! {code experiment.cpp train}
void compare(Lesson& lesson, const Settings& settings, const Data& data, Comparison& result,
             Prediction random, Prediction leaking) {
    result = compare_methods(lesson, methods, data, settings);
    const std::vector<double>& right = result.accuracy;
    lesson.reveal(random, right[learned] - right[at_random]);
    lesson.reveal(leaking, right[leak] - right[at_random] >= 0.05 ? "yes" : "no");
    lesson.claim("learned-gain",
                 "finding: accuracy with learned locations minus that with random locations",
                 right[learned] - right[at_random], at_least(lesson.quick() ? 0.05 : 0.2));
    if (!lesson.quick()) {
        lesson.claim("learned-accuracy", "finding: accuracy with learned locations", right[learned],
                     at_least(0.85));
        lesson.claim("leak-loss", "finding: accuracy with learned locations minus that with a leak",
                     right[learned] - right[leak], at_least(0.2));
    }
}

//! {if all learned-accuracy > 0.85 and learned-gain > 0.2} **Being right or wrong is enough.** With
//! learned locations {learned-accuracy:%} of the answers are right, with random ones
//! {learned-accuracy - learned-gain:%}. {if all leak-loss > 0.25} With the leak it is
//! {learned-accuracy - leak-loss:%}, less than with random locations with
//! {count leak-loss > learned-gain} seeds: a wrong gradient can be worse than none.
//!
//! ## What the baseline does
//!
//! {no results} Why does it matter whether we count errors or rewards? Take a model that is right
//! nine times in ten. Suppose, to keep it simple, that this does not depend on the locations. Then
//! all of the gradient is noise, and its variance is proportional to the mean of $(L - b)^2$. **By
//! hand:** with rewards it is $0.9 \cdot 1 + 0.1 \cdot 0 = 0.9$. With errors it is $0.9 \cdot 0 +
//! 0.1 \cdot 1 = 0.1$. With errors and the baseline $b = 0.1$ it is $0.9 \cdot 0.01 + 0.1 \cdot
//! 0.81 = 0.09$, a tenth of that with rewards. A good model is rewarded for nearly everything it
//! does, and these rewards say nothing about the location.
//!
//! Early in training it is the other way round: a model that is wrong nine times in ten has much
//! noise with errors and little with rewards. A learned baseline follows the model.
//!
//! We take one trained model and sample the locations many times for the same pictures:
void measure_variance(Lesson& lesson, const Comparison& result, const Data& data) {
    lesson.heading("What the baseline does");
    const std::vector<double> variance =
        show_variance(lesson, {methods[learned], methods[by_errors], methods[by_rewards]},
                      result.models[learned], data.train);
    if (!lesson.quick())
        lesson.claim("reward-variance",
                     "finding: variance with rewards over that with a learned baseline",
                     variance[by_rewards] / variance[learned], at_least(10));
}

//! {if all reward-variance > 10.5} By hand the variance with rewards was 10 times that with a
//! baseline. Measured, it is {reward-variance:0} times, with every seed more than 10. The trained
//! model is about as good as the one by hand. But its baseline is not one number: it is computed
//! from the state, so it expects an error where the picture is hard and none where it is easy.
//!
//! Does more variance mean less accuracy? {full run} In the first table, the three methods with
//! REINFORCE differ by no more than their spread. So this experiment does not show that the
//! baseline matters for the accuracy. It shows that it matters for the variance.
//!
//! ## Where does it look?
//!
//! A numbered dot is the centre of a glimpse, and the square around it is what the glimpse
//! contains. The first location is random; watch where the others are. How much of the sign has
//! been inside at least one glimpse? We count the ink, the dark pixels of the sign.
void show_locations(Lesson& lesson, const Comparison& result, const Data& data) {
    lesson.heading("Where does it look?");
    show_paths(lesson, methods, result.models, {learned, at_random, leak}, data.test);
    lesson.live("glimpses",
                "Draw a sign, or change this one, and watch where the model looks and what it "
                "believes. It has learned ten signs from pictures of its own; which changes "
                "mislead it?",
                [&](const std::string& path) { save_model(result.models[learned], path); });
    const std::vector<double> ink = show_ink(lesson, methods, result.models, data.test);
    lesson.claim("ink-seen", "finding: share of the ink seen, learned minus random locations",
                 ink[learned] - ink[at_random], more_than(lesson.quick() ? 0 : 0.1));
}

void run_on_glyphs(Lesson& lesson, const Settings& settings) {
    check_file_to_load(lesson, methods, settings);
    const Data data = draw_pictures(lesson.quick(), lesson.seed());
    opening(lesson, data);
    const Prediction random = lesson.predict(
        "A network sees six small squares of a picture, which cover at most half of it, and names "
        "the sign in it. It learns the locations of the squares only from whether its answers were "
        "right. By how much does this raise its accuracy over random locations? (0.1 is ten "
        "percentage points.)",
        within(0.1).from(-1, 1).share());
    show_the_step(lesson, data);
    check_one_location(lesson);
    check_the_loss(lesson, data.train, settings);
    const Prediction leaking = lesson.predict(
        "The leak trains the location network, too, but with a wrong gradient. Does it reach an "
        "accuracy at least 5 percentage points above that of random locations?",
        {"yes", "no"});
    Comparison result;
    compare(lesson, settings, data, result, random, leaking);
    measure_variance(lesson, result, data);
    show_locations(lesson, result, data);
}

}  // namespace

}  // namespace heed::lesson16

//! {if all ink-seen > 0.1} Learned glimpses see more of the sign than random ones, by
//! {ink-seen * 100:0} points of its ink. But a path of glimpses is no explanation of the answer. It
//! shows what the network has seen, not what it has used.
//!
//! ## What this does not show
//!
//! Each of our pictures has one sign and no clutter. A glimpse in the paper also has several
//! scales, a small sharp square inside a larger blurred one, which helps the network to find
//! something that is far away. And glimpses save pixels, but little time here: a processor computes
//! with all 784 pixels in one product, and the six glimpses have to wait for each other.
//!
//! Sources: Mnih, Heess, Graves and Kavukcuoglu, "Recurrent Models of Visual Attention" (2014),
//! sections 3 and 4; Williams (1992). Sizes and learning rates follow the public program
//! kevinzakka/recurrent-visual-attention, an earlier version of which had the leak.
//!
//! ## Summary
//!
//! 1. The recurrent attention model sees a picture in glimpses. It combines them in a state, and
//!    computes from the state where to look next.
//! 2. The location is drawn from a normal distribution. Training moves the mean towards the
//!    location after a right answer, and away from it after a wrong one.
//! 3. Cross-entropy trains what has a derivative, REINFORCE the location network, and a learned
//!    baseline makes the variance smaller.
//! 4. Errors and rewards have the same mean gradient, but not the same variance. Which of them is
//!    better depends on how often the model is right.
//! 5. If the sampled location is not detached, cross-entropy trains the location network to choose
//!    convenient numbers instead of useful views. That is mostly worse than random locations.
//!
//! ## Try this next
//!
//! 1. `--glimpses 2`, then 10: how does the accuracy depend on the number of glimpses?
//! 2. `--deviation 0.05`, then `0.5`: is a very small deviation as bad as a very large one? Look at
//!    the formula of the gradient.
//! 3. In `model.cpp`, let the first location be the centre of the picture instead of a random one.
//! 4. In `with_baseline`, replace `b` by its mean over the batch. How much of the advantage is
//!    left?
//! 5. `./heed learn glimpses --mine`: your answers to exercises {reinforce.1}, {reinforce.2} and
//!    {glimpses.1} train an eye that reads one place of nine, beside its soft twin, which reads all.
//! 6. `--data mnist`, a folder with the four files of MNIST: handwritten digits, with the settings
//!    of the paper.
using namespace heed;
using namespace heed::lesson16;

int main(int argc, char** argv) {
    Lesson lesson({.number = 16,
                   .name = "glimpses",
                   .title = "Can a network choose where to look?",
                   .question = "Can a network learn where to take six glimpses, only from whether "
                               "its answers are right?",
                   .data = "a folder with the four files of MNIST (IDX, gzipped or not)",
                   .data_is = DataIs::folder,
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
