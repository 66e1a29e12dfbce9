//! # Can a network choose where to look?
//!
//! An eye does not take a photograph. It sees sharply a spot the size of a thumbnail at arm's
//! length, jumps to another, three times a second, and the picture is put together in the head. The
//! network of this lesson has such an eye (Mnih et al. 2014): six glimpses of eight by eight
//! pixels, from a picture of twenty-eight by twenty-eight, and after the last one it must say what
//! it saw. Nobody tells it where to look. It learns that from nothing but whether it was right.

#include <algorithm>

#include "autograd/autograd.h"
#include "lessons/14_glimpses/report.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;
using namespace heed::lesson14;

namespace {

//! ## An eye, a memory, a plan
//!
//! At place $\ell_t$ the eye sees the pixels $x_t$. Both count: *what* it saw, and *where*. A
//! recurrent state puts the glimpses together, and proposes the next place:
//!
//! $$ g_t = \mathrm{relu}\big( W_x \, \mathrm{relu}(V_x x_t)
//!        + W_\ell \, \mathrm{relu}(V_\ell \ell_t) \big) \qquad
//!    h_t = \mathrm{relu}(A g_t + B h_{t-1}) $$
//!
//! $$ \mu_{t+1} = \tanh(P \, \mathrm{relu}(R h_t)) \qquad
//!    \ell_{t+1} \sim \mathcal N(\mu_{t+1}, \sigma^2) $$
//!
//! What is drawn outside the picture is moved to its edge. The first place is anywhere; the sixth
//! state answers. There are no sixteen patches to sum over as in lesson 13: places are points of a
//! plane, five of them are chosen, and each changes what can be seen next. REINFORCE remains.

//! ## One loss of three parts
//!
//! The class is learned by cross-entropy, through the state and all six glimpses. The places get
//! $(L - b_t) \nabla \ln p(\ell_t)$ with $L = 1$ for a wrong answer and 0 for a right one: all five
//! share the blame. The baseline $b_t$, a guess from the state how likely an error is, learns from
//! what then happened. Each part has parameters of its own: the state is detached where places and
//! baseline read it, or the memory would learn to flatter them.
Tensor errors(const Seen& seen, const Indices& labels) {
    const Indices said = argmax(seen.logits, -1);
    std::vector<double> wrong;
    for (int64_t i = 0; i < said.count(); ++i) wrong.push_back(said[i] != labels[i]);
    return tensor(wrong);
}
Tensor with_baseline(const Eye& eye, const Seen& seen, const Indices& labels) {
    const Tensor wrong = errors(seen, labels), b = seen.baseline;  // [B], [B, 5]
    const Tensor blame = detach(unsqueeze(wrong, 1) - b);
    const Tensor places = mean(sum(blame * seen.log_prob, 1));
    return cross_entropy(seen.logits, labels) + eye.baseline.loss(b, wrong) + 0.01 * places;
}

//! The factor 0.01 is that of the public program named at the end. As the places have parameters of
//! their own and Adam divides by the size of a gradient, it hardly matters. Four others to compare
//! with. Two have no baseline: one counts *errors*, the other *rewards*, $-1$ for a right answer.
//! The two differ by a constant, and a constant is a baseline.
Tensor errors_only(const Eye&, const Seen& seen, const Indices& labels) {
    return cross_entropy(seen.logits, labels) +
           0.01 * score_function_term(errors(seen, labels), seen.log_prob);
}
Tensor rewards_only(const Eye&, const Seen& seen, const Indices& labels) {
    return cross_entropy(seen.logits, labels) +
           0.01 * score_function_term(errors(seen, labels) - 1.0, seen.log_prob);
}
//! One looks anywhere. And one has a mistake in it that a well-known program once had: the drawn
//! place, $\mu + \sigma \epsilon$, is not cut off from the graph, so cross-entropy sends a gradient
//! through it. Not through the pixels, for those are picked by whole numbers, but through
//! $V_\ell \ell$, where a place is only a number to compute with. The network learns to look where
//! the number helps, not where there is something to see.
Tensor answer_only(const Eye&, const Seen& seen, const Indices& labels) {
    return cross_entropy(seen.logits, labels);
}
const std::vector<Way> ways{{"learned baseline", Looking::learned, with_baseline},
                            {"errors, no baseline", Looking::learned, errors_only},
                            {"rewards, no baseline", Looking::learned, rewards_only},
                            {"random places", Looking::random, answer_only},
                            {"a leak", Looking::leaking, answer_only}};
enum { learned, by_errors, by_rewards, at_random, leak };

//! Before anything is trained: the loss by hand against the library's, the gradient that
//! cross-entropy alone sends to the network of places, which must be 0, and with the leak is not.
void check_the_loss(Lesson& lesson, const Images& images, const Settings& settings) {
    Rng rng(lesson.seed());
    const Eye eye(sizes(settings, 64), rng);
    const Images batch = course::range(images, 0, 64);
    const Indices labels(batch.labels);
    const auto& weights = eye.propose.weight;
    const Seen seen = eye.look(batch.pixels, Looking::learned, rng);
    const Tensor term = score_function_term(errors(seen, labels), seen.log_prob, seen.baseline);
    const Tensor library = answer_only(eye, seen, labels) + 0.01 * term +
                           eye.baseline.loss(seen.baseline, errors(seen, labels));
    const Tensor mine = with_baseline(eye, seen, labels);
    lesson.claim("gradient by hand against the library's, largest difference",
                 max(abs(grad(mine, {weights})[0] - grad(library, {weights})[0])).item(),
                 at_most(1e-6));
    const auto leaked = [&](Looking looking) {
        const Seen now = eye.look(batch.pixels, looking, rng);
        return max(abs(grad(answer_only(eye, now, labels), {weights})[0])).item();
    };
    lesson.claim("gradient of cross-entropy in the network of places", leaked(Looking::learned),
                 equals(0));
    lesson.claim("the same gradient with the leak", leaked(Looking::leaking), more_than(0));
}

//! ## Five ways to look
//!
//! The pictures are of ten drawn signs, of different sizes and anywhere in the picture. All five
//! eyes have the same sizes, see the same pictures and as many. Accuracy is that of one sample of
//! places a picture: to look ten times and vote would hide a poor plan.
void run_on_glyphs(Lesson& lesson, const Settings& settings) {
    const Prediction random = lesson.predict(
        "Six glimpses see at most half of the picture. With learned places about nine signs "
        "in ten are named right. What share with random ones?",
        within(0.1));
    const Prediction worst =
        lesson.predict("Which is worst?", {"rewards, no baseline", "random places", "a leak"});
    //! In quick mode: 2,000 pictures instead of 8,000, six epochs instead of sixteen, and one
    //! beginning instead of three.
    const Pictures pictures = draw_pictures(lesson.quick(), lesson.seed());
    check_the_loss(lesson, pictures.train, settings);

    lesson.heading("Five ways to look");
    const Race result = race(lesson, ways, pictures, settings);
    const std::vector<double>& right = result.right;
    lesson.reveal(random, right[at_random]);
    lesson.reveal(
        worst,
        ways[std::min_element(right.begin() + by_rewards, right.end()) - right.begin()].name);
    lesson.claim("more right with learned places than with random ones",
                 right[learned] - right[at_random], at_least(lesson.quick() ? 0.05 : 0.15));
    if (!lesson.quick()) {
        lesson.claim("pictures named rightly with learned places", right[learned], at_least(0.8));
        lesson.claim("more right with learned places than with a leak",
                     right[learned] - right[leak], at_least(0.15));
    }

    //! ## What the baseline is for
    //!
    //! Of the three that learn by REINFORCE the one with a baseline ends ahead, as the table shows.
    //! Here is a trained eye, with the same pictures, and places drawn again and again. An eye that
    //! is nearly always right is nearly always rewarded, for whatever it did. The baseline takes
    //! that noise away, and at this late stage so does counting errors, which are rare by now;
    //! early on they are not.
    lesson.heading("What the baseline is for");
    const std::vector<double> variance =
        show_noise(lesson, {ways[learned], ways[by_errors], ways[by_rewards]}, result.eyes[learned],
                   pictures.train);
    if (!lesson.quick()) {
        lesson.claim("variance by rewards over that with a baseline",
                     variance[by_rewards] / variance[learned], at_least(3));
        lesson.claim("more right with a baseline than with the better of the two without",
                     right[learned] - std::max(right[by_errors], right[by_rewards]), more_than(0));
    }

    lesson.heading("Where does it look?");
    show_paths(lesson, ways, result.eyes, {learned, at_random, leak}, pictures.test);
    const std::vector<double> ink = show_ink(lesson, ways, result.eyes, pictures.test);
    lesson.claim("share of the ink seen with learned places", ink[learned],
                 more_than(ink[at_random]));
}

}  // namespace

//! ## What this does not show
//!
//! One scale, one sign, no clutter. In the paper it is large cluttered pictures that need a plan:
//! eight glimpses leave 4 % of errors, and 14 % at random places. What an eye saves, pixels, is
//! worth little on a processor that would see them all in one product. And where the eye looked is
//! not yet what its answer was made of.
//!
//! Sources: Mnih, Heess, Graves and Kavukcuoglu, "Recurrent Models of Visual Attention" (2014),
//! sections 3 and 4; Williams (1992). Sizes and rates follow the public program
//! kevinzakka/recurrent-visual-attention, and so does the leak, which an earlier version of it had.
//!
//! ## Try this next
//!
//! 1. `--glimpses 2`, then 10: how much is a glimpse worth?
//! 2. `--data mnist`, a folder with the four files of MNIST: handwritten digits.
//! 3. `--deviation 0.05`, then 0.5: how far must an eye stray to learn where to look?
int main(int argc, char** argv) {
    Lesson lesson({.number = 14,
                   .name = "glimpses",
                   .title = "Can a network choose where to look?",
                   .question =
                       "Six glimpses, and nobody says where: can it be learned from right and "
                       "wrong alone?",
                   .data = "a folder with the four files of MNIST (IDX, gzipped or not)",
                   .own_data = "pictures of ten drawn signs, 28 x 28 pixels",
                   .saves_model = true});
    Settings settings;
    add_options(lesson, settings);
    return lesson.run(argc, argv, [&] {
        settle(settings, lesson);
        if (lesson.options().data.empty())
            run_on_glyphs(lesson, settings);
        else
            run_on_digits(lesson, settings, ways[learned]);
    });
}
