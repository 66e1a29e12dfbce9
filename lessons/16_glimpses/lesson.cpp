//! # Can a network choose where to look?
//!
//! A human eye sees only a small spot sharply, about as large as a thumbnail at arm's length.
//! Several times a second the eye jumps to another spot, and the brain combines what it has seen.
//! We do not read a page by looking at all of it. We look at a few spots, one after another, and
//! what we have seen decides where we look next.
//!
//! The network of this lesson works in a similar way (Mnih et al. 2014). A picture has 28 by 28
//! pixels, 784 in all, and shows one of the ten signs of lesson {show_attend} somewhere. The
//! network never sees the whole picture. It sees six *glimpses*: small squares of 8 by 8 pixels,
//! cut out around locations that it chooses itself. After the sixth one it says which sign it was.
//! Six glimpses are 384 pixels, less than half of the picture, even if they do not overlap.
//!
//! The training data contain the pictures and the names of the signs. Nothing says where to look.
//! About a location, the network only finds out whether its answer was right in the end. Is this
//! enough to learn where to look?

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

//! ## Two attempts without learning to look
//!
//! The simplest attempt is to look at six **random** locations. The classifier can still be
//! trained, because everything after the glimpse has a derivative. But many glimpses show only
//! empty background. This model is one of the five that we shall compare.
//!
//! The next attempt is to learn the locations by differentiating the loss with respect to them, as
//! if they were weights. A location is two numbers, $x$ and $y$, from -1 to 1: $(-1, -1)$ is the
//! upper left corner, and $(0, 0)$ is the centre. One pixel is $2 / 28 = 0.071$ wide. A glimpse
//! begins at a whole pixel. If a location moves by 0.001, nearly always the same 64 pixels are cut
//! out, and the loss stays the same. The derivative is 0, as it was for the cameras of lesson
//! {reinforce}.
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
//! state.
//!
//! The *recurrent attention model* is a recurrent network that reads a picture in glimpses and
//! computes from its state where to look next. In lesson {reinforce}, such a rule for choosing was
//! called a policy.
void show_the_step(Lesson& lesson, const Data& data) {
    lesson.heading("From a glimpse to the next location");
    lesson.show("step", step_diagram(),
                "One step of the recurrent attention model. No gradient flows through the draw.");
    show_signs(lesson, data);
}

//! In lesson {show_attend} we could read all sixteen patches and sum over them. Here, five
//! locations are drawn, one after another, each is a point in a plane, and each changes what is
//! seen afterwards. Such a sum is impossible, so the gradient is estimated from samples.
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
//! The terms of $\ln p$ that do not contain $\mu$ have been left out. The mean has to move towards
//! the location, which is no surprise. REINFORCE multiplies this by the loss minus a baseline,
//! $L - b$. The loss is $L = 1$ if the answer was wrong and $L = 0$ if it was right. The baseline
//! is the share of errors that the model expects.
//!
//! **By hand.** Let $\mu = 0.2$, and let $\ell = 0.37$ be drawn, one standard deviation farther
//! right. Then $(\ell - \mu) / \sigma^2 = 0.17 / 0.0289 = 5.88$. Let the baseline be 0.3. If the
//! answer was wrong, the gradient is $(1 - 0.3) \cdot 5.88 = 4.12$. Gradient descent goes against
//! the gradient, so the mean moves left, away from the location that was of no use. If the answer
//! was right, the gradient is $(0 - 0.3) \cdot 5.88 = -1.76$, and the mean moves right, towards it.
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
    lesson.claim(
        "two-gradients", "the two gradients by hand against the library's, largest difference",
        std::max(std::abs(wrong - library(1)), std::abs(right - library(0))), at_most(1e-9));
}

//! All five locations of a picture get the same $L$, because nobody knows which of them was to
//! blame for a wrong answer. Over many pictures, good locations come with right answers more often
//! than bad ones.
//!
//! ## A loss with three terms
//!
//! The model is trained with a sum of three terms.
//!
//! * **Cross-entropy** of the class. It trains the classifier, the state and the layers of the
//!   glimpses.
//! * **REINFORCE** for the locations. It trains the layers $R$ and $P$, which are the *location
//!   network*: the part that computes from the state where to look next.
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

//! In this sum, the second term is multiplied by 0.01. This factor is that of a public program (see
//! the sources). It changes little, because the location network has parameters of its own, and
//! Adam divides each gradient by its usual size.
//!
//! ## Five methods
//!
//! We compare this loss with four other ways to choose locations. Two of them use REINFORCE without
//! a learned baseline. One counts **errors**, as above: $L = 1$ for a wrong answer and 0 for a
//! right one. The other counts **rewards**: $L = -1$ for a right answer and 0 for a wrong one. The
//! sign is negative because training makes the loss small: a reward of 1 is a loss of -1.
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
//! The fourth has a mistake that a well-known program once had, a **leak**. The location
//! $\mu + \sigma \epsilon$ is not detached from the graph. Then cross-entropy sends a gradient to
//! $\mu$. It does not come through the pixels, which have no derivative with respect to the
//! location. It comes through $V_\ell \ell_t$, where the coordinates enter the features. So the
//! location network learns to choose coordinates that are convenient as numbers for the classifier,
//! whatever there is to see. This can help or harm what is seen: the coordinates also decide where
//! the network looks next.
Tensor answer_only(const GlimpseModel&, const Output& seen, const Indices& labels) {
    return cross_entropy(seen.logits, labels);
}
const std::vector<Method> methods{{"learned baseline", LocationRule::learned, with_baseline},
                                  {"errors, no baseline", LocationRule::learned, errors_only},
                                  {"rewards, no baseline", LocationRule::learned, rewards_only},
                                  {"random locations", LocationRule::random, answer_only},
                                  {"a leak", LocationRule::leaking, answer_only}};
enum { learned, by_errors, by_rewards, at_random, leak };

//! Before training, we check the code. The gradient must be that of the library's functions, and
//! cross-entropy alone must send the gradient 0 to the location network. With the leak it does not.
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
    lesson.claim("gradient-library", "gradient by hand against the library's, largest difference",
                 max(abs(grad(mine, {weights})[0] - grad(library, {weights})[0])).item(),
                 at_most(1e-6));
    const auto leaked = [&](LocationRule rule) {
        const Output now = model.look(batch.pixels, rule, rng);
        return max(abs(grad(answer_only(model, now, labels), {weights})[0])).item();
    };
    lesson.claim("location-gradient", "gradient of cross-entropy in the location network",
                 leaked(LocationRule::learned), equals(0));
    lesson.claim("leak-gradient", "the same gradient with the leak", leaked(LocationRule::leaking),
                 more_than(0));
}

//! All five models have the same sizes and are trained on the same 8,000 pictures for sixteen
//! epochs, with three seeds. (Quick mode: 2,000 pictures, six epochs, one seed.) Each sign has a
//! random size and is at a random location. Accuracy is measured on 2,000 new pictures with one
//! sample of the locations for each picture. The leak changes the locations, so its accuracy can
//! differ from that of random locations. In a full run with `--seed 1` it was about 30 percentage
//! points below that of learned locations. The last plot of this lesson shows how much of the sign
//! each method has seen.
void compare(Lesson& lesson, const Settings& settings, const Data& data, Comparison& result,
             Prediction random, Prediction leaking) {
    result = compare_methods(lesson, methods, data, settings);
    const std::vector<double>& right = result.accuracy;
    lesson.reveal(random, right[learned] - right[at_random]);
    lesson.reveal(leaking, right[leak] - right[at_random] >= 0.05 ? "yes" : "no");
    lesson.claim("learned-gain", "accuracy with learned locations minus that with random locations",
                 right[learned] - right[at_random], at_least(lesson.quick() ? 0.05 : 0.18));
    if (!lesson.quick()) {
        lesson.claim("learned-accuracy", "accuracy with learned locations", right[learned],
                     at_least(0.85));
        lesson.claim("leak-loss", "accuracy with learned locations minus that with a leak",
                     right[learned] - right[leak], at_least(0.15));
    }
}

//! ## What the baseline does
//!
//! Why does it matter whether we count errors or rewards? Take a model that is right nine times in
//! ten. Suppose, to keep it simple, that this does not depend on the locations. Then all of the
//! gradient is noise, and its variance is proportional to the mean of $(L - b)^2$. **By hand:**
//! with rewards it is $0.9 \cdot 1 + 0.1 \cdot 0 = 0.9$. With errors it is
//! $0.9 \cdot 0 + 0.1 \cdot 1 = 0.1$. With errors and the baseline $b = 0.1$ it is
//! $0.9 \cdot 0.01 + 0.1 \cdot 0.81 = 0.09$. A good model is rewarded for nearly everything it
//! does, and these rewards say nothing about the location.
//!
//! Early in training it is the other way round: a model that is wrong nine times in ten has much
//! noise with errors and little with rewards. A learned baseline follows the model, and it can be
//! different for every picture.
//!
//! We take one trained model and sample the locations many times for the same pictures:
void measure_variance(Lesson& lesson, const Comparison& result, const Data& data) {
    lesson.heading("What the baseline does");
    const std::vector<double> variance =
        show_variance(lesson, {methods[learned], methods[by_errors], methods[by_rewards]},
                      result.models[learned], data.train);
    if (!lesson.quick())
        lesson.claim("reward-variance", "variance with rewards over that with a learned baseline",
                     variance[by_rewards] / variance[learned], at_least(6));
}

//! The calculation by hand, for a model that is right nine times in ten, gave 0.1 / 0.09 = 1.1 for
//! errors and 0.9 / 0.09 = 10 for rewards, both over the baseline 0.1. After a full run the model
//! is about as good as that. In quick mode it is trained so little that most of its answers are
//! wrong. Then rewards are rare, and the variance is larger with errors.
//!
//! Does more variance mean less accuracy? In the full run with seed 1, the three methods with
//! REINFORCE reached 0.907 (learned baseline), 0.890 (errors) and 0.891 (rewards), with standard
//! deviations of 0.020, 0.018 and 0.008 over three seeds. The differences are not larger than the
//! spread. This experiment does not show that the baseline matters for the accuracy. It shows that
//! it matters for the variance.
//!
//! ## Where does it look?
//!
//! In the pictures of the report, a numbered dot is the centre of a glimpse, and the square around
//! it is what the glimpse contains. A terminal shows one picture and lists the centres below it, in
//! pixels from the left and from the top; one printed line is two pixels high. Above the picture
//! are the true sign and the answer. The first location is random; watch where the others are. How
//! much of the sign has been inside at least one glimpse? We count the ink, the dark pixels of the
//! sign.
void show_locations(Lesson& lesson, const Comparison& result, const Data& data) {
    lesson.heading("Where does it look?");
    show_paths(lesson, methods, result.models, {learned, at_random, leak}, data.test);
    lesson.live("glimpses",
                "Draw a sign, or change this one, and watch where the model looks and what it "
                "believes. It has learned ten signs from pictures of its own; which changes "
                "mislead it?",
                [&](const std::string& path) { save_model(result.models[learned], path); });
    const std::vector<double> ink = show_ink(lesson, methods, result.models, data.test);
    lesson.claim("ink-seen", "share of the ink seen, learned minus random locations",
                 ink[learned] - ink[at_random], more_than(lesson.quick() ? 0 : 0.1));
}

void run_on_glyphs(Lesson& lesson, const Settings& settings) {
    const Prediction random = lesson.predict(
        "A network sees six small squares of a picture, which cover at most half of it, and names "
        "the sign in it. It learns the locations of the squares only from whether its answers were "
        "right. By how much does this raise its accuracy over random locations? (0.1 is ten "
        "percentage points.)",
        within(0.1));
    const Data data = draw_pictures(lesson.quick(), lesson.seed());
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

//! ## What this does not show
//!
//! Each of our pictures has one sign and no clutter. A glimpse in the paper also has several
//! scales, a small sharp square inside a larger blurred one, which helps the network to find
//! something that is far away. Glimpses save pixels, but they save little time here: a processor
//! computes with all 784 pixels in one product, and the six glimpses have to wait for each other.
//! And a path of glimpses is no explanation of the answer. It shows what the network has seen, not
//! what it has used.
//!
//! Sources: Mnih, Heess, Graves and Kavukcuoglu, "Recurrent Models of Visual Attention" (2014),
//! sections 3 and 4; Williams (1992). Sizes and learning rates follow the public program
//! kevinzakka/recurrent-visual-attention, an earlier version of which had the leak.
//!
//! ## Summary
//!
//! 1. The recurrent attention model sees a picture in glimpses. It combines them in a state, and
//!    computes from the state where to look next.
//! 2. The location is drawn from a normal distribution. The gradient of its log-probability points
//!    from the mean to the location. Training moves the mean towards the location after a right
//!    answer, and away from it after a wrong one.
//! 3. Cross-entropy trains everything that has a derivative. REINFORCE trains the location network,
//!    and a learned baseline makes the variance smaller.
//! 4. Errors and rewards have the same mean gradient, but not the same variance. Which of them is
//!    better depends on how often the model is right.
//! 5. If the sampled location is not detached, cross-entropy trains the location network to choose
//!    convenient coordinates instead of useful views.
//!
//! ## Try this next
//!
//! 1. `--glimpses 2`, then 10: how does the accuracy depend on the number of glimpses?
//! 2. `--deviation 0.05`, then 0.5: is a very small deviation as bad as a very large one? Look at
//!    the formula of the gradient.
//! 3. In `model.cpp`, let the first location be the centre of the picture instead of a random one.
//! 4. In `with_baseline`, replace `b` by its mean over the batch. How much of the advantage is
//!    left?
//! 5. `--data mnist`, a folder with the four files of MNIST: handwritten digits, with the settings
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
