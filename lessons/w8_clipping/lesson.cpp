//! # When does a gradient vanish, and when does it explode?
//!
//! Workshop; read it after lesson {recurrence}, or when the loss of a training suddenly jumps.
//!
//! A recurrent network is trained, and its loss falls for hundreds of steps. Then, from one step to
//! the next, the loss is back where it began. Nothing is wrong with the data. One gradient was so
//! long that a single step threw the weights far away from all that they had learned.
//!
//! Where does such a gradient come from? Lesson {recurrence} said that going back $d$ steps
//! multiplies $d$ factors. For a state of one number the factor was $(1 - h_t^2) \, w$. Here we
//! find it for vectors. Then we look at a loss with a cliff, let gradient descent fall off it, and
//! see what clipping changes.

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"
#include "lessons/course/course.h"
#include "lessons/w8_clipping/experiment.h"
#include "lessons/w8_clipping/pictures.h"
#include "nn/layers/init.h"

namespace heed::workshop8 {

using namespace course;

namespace {

//! ## Backwards through vectors
//!
//! The plain cell is $h_t = \tanh(W h_{t-1} + x_t)$. Let $g_t$ be the gradient of the loss with
//! respect to the state $h_t$. The backward pass (lesson {autograd}), also called backpropagation,
//! multiplies it by the derivative of $\tanh$, number by number, and then by the transposed matrix:
//!
//! $$ g_{t-1} = W^\top \big( (1 - h_t^2) \, g_t \big) . $$
//!
//! Take this matrix and one step back from the state $h_t = (0, 0.5)$ with $g_t = (3, 4)$:
//!
//! $$ W = \begin{pmatrix} 0 & -1 \\ 1 & 0 \end{pmatrix}, \qquad
//! (1 - h_t^2) \, g_t = (1 \cdot 3, \; 0.75 \cdot 4) = (3, 3), \qquad
//! g_{t-1} = W^\top \begin{pmatrix} 3 \\ 3 \end{pmatrix} = \begin{pmatrix} 3 \\ -3 \end{pmatrix} . $$
//!
//! {no results} The norm of $g_t$ is 5. The derivative of $\tanh$ shortens it to 4.243, and the
//! matrix does not change it: it is orthogonal (lesson {recurrence}) and only rotates. So two
//! things change the norm at each step, the derivatives and the matrix. The program goes back by
//! this formula, step by step, and compares its result with the gradient of the library.
std::vector<Tensor> read_by_hand(const Tensor& w, const Tensor& x) {  // [D, D], [B, T, D]
    std::vector<Tensor> h{zeros({x.size(0), w.size(0)}, w.dtype()).set_requires_grad()};
    for (const Tensor& x_t : unbind(x, 1)) h.push_back(tanh(matmul(h.back(), transpose(w)) + x_t));
    return h;  // h₀ ... h_T, each [B, D]
}

Tensor one_step_back(const Tensor& w, const Tensor& h, const Tensor& g) {  // [D, D], [B, D], [B, D]
    return matmul((1 - square(h)) * g, w);
}

// The geometric mean of the norms of the rows.
double typical_norm(const Tensor& gradients) {
    return std::exp(0.5 * mean(log(sum(square(gradients), 1))).item());
}

std::vector<double> norms_by_hand(const Tensor& w, const std::vector<Tensor>& h, Tensor g) {
    std::vector<double> norms{typical_norm(g)};  // by distance from the end
    for (std::size_t t = h.size() - 1; t > 0; --t) {
        g = one_step_back(w, detach(h[t]), g);
        norms.push_back(typical_norm(g));
    }
    return norms;
}

void step_back(Lesson& lesson) {
    lesson.heading("Backwards through vectors");
    const Tensor w = tensor({0, -1, 1, 0}, {2, 2}, Dtype::float64),
                 g = tensor({3, 4}, {1, 2}, Dtype::float64),
                 x = tensor({0, std::atanh(0.5)}, {1, 1, 2}, Dtype::float64);
    const std::vector<Tensor> h = read_by_hand(w, x);  // (0, 0), (0, 0.5)
    const Tensor back = one_step_back(w, detach(h[1]), g);
    lesson.listing(fmt::format("one step back from (3, 4): ({:.3g}, {:.3g}), norm {:.3f}",
                               back.at({0, 0}), back.at({0, 1}), typical_norm(back)));
    const Tensor paper = tensor({3, -3}, {1, 2}, Dtype::float64);
    lesson.claim("one-step",
                 "identity: one step back on paper against the library's, largest difference",
                 max(abs(grad(h[1], {h[0]}, false, g)[0] - paper)).item(), at_most(1e-12));
}

//! ## Multiplied sixty times
//!
//! How fast does the norm shrink? To tell the two apart, we use matrices that do one simple thing.
//! Our $W$ is a random orthogonal matrix times a number $\rho$, so it multiplies every length by
//! $\rho$. The derivatives of $\tanh$ multiply each number of the gradient by something between 0
//! and 1. They multiply its length by about $s$, where $s^2$ is the mean of $(1 - h^2)^2$ over all
//! states. So $d$ steps should multiply the norm by
//!
//! $$ (\rho s)^d . $$
//!
//! {no results} If $\rho s$ is 0.9, then $0.9^{50} = 0.005$ is left after 50 steps. If it is 1.1,
//! the norm is 117 times as large. The program reads random inputs with a state of 64 numbers, goes
//! back 60 steps, and fits the factor of a step to the norms:
constexpr int width = 64, rows = 16, steps = 60;
constexpr double input = 0.5;  // the standard deviation of x

void multiply_many_times(Lesson& lesson, Prediction guess) {
    lesson.heading("Multiplied sixty times");
    PlainTable table;
    for (double rho : {0.5, 0.8, 1.0, 1.3, 1.6, 2.0, 3.0}) {
        Rng rng(lesson.seed());
        const Tensor w = rho * orthogonal({width, width}, rng, 1, Dtype::float64);
        const Tensor x = normal({rows, 20 + steps, width}, 0, input, rng, Dtype::float64);
        std::vector<Tensor> h = read_by_hand(w, x);
        h.erase(h.begin(), h.begin() + 20);  // these still depend on the zeros at the start
        const Tensor v = normal({rows, width}, 0, 1, rng, Dtype::float64);
        const Tensor g = v * rsqrt(sum(square(v), 1, true));  // random directions of length 1
        const std::vector<double> norms = norms_by_hand(w, h, g);
        const double engine = typical_norm(grad(h.back(), {h.front()}, false, g)[0]);
        h.erase(h.begin());
        const double s = std::sqrt(mean(square(1 - square(detach(stack(h))))).item());
        table.add(rho, s, norms, engine);
    }
    table.show(lesson);
    lesson.reveal(guess, table.left_at_1);
    lesson.claim("norm-by-hand", "identity: norm by hand against the engine's, relative difference",
                 table.gap, at_most(1e-9));
    lesson.claim("factor-formula",
                 "finding: fitted factor against rho times s, relative difference", table.off,
                 at_most(0.05));
}

//! {if all factor-formula < 0.05} The lines are straight on a logarithmic axis, so every step
//! multiplies by the same factor, and the formula gives it up to {factor-formula:%}. Even with an
//! orthogonal matrix ($\rho = 1$) the gradient vanishes, because the derivatives of $\tanh$ are
//! below
//! 1. The border between vanishing and exploding is not at $\rho = 1$ but at $\rho s = 1$.
//!
//! Vanishing gradients are often said to come from many layers. That is the same thing: a loop of
//! sixty steps is a stack of sixty layers, all with the same matrix.
//!
//! ## Off a cliff
//!
//! A vanishing gradient teaches nothing. An exploding gradient is worse: a single step of gradient
//! descent can destroy what was learned before. The smallest example is a state of one number, here
//! called $x$, no input, and two parameters (Pascanu, Mikolov and Bengio 2013):
//!
//! $$ x_t = w \, \sigma(x_{t-1}) + b, \qquad x_0 = 0.5, \qquad L = (\sigma(x_{50}) - 0.7)^2 . $$
//!
//! $\sigma$ is the sigmoid. The loss $L$ asks for $0.7$ after 50 steps. For some parameters $w$ and
//! $b$ the state goes to a small number, for others to a large one. On the border, a tiny change of
//! a parameter decides which it is. The loss has a cliff there, and on the cliff the gradient is
//! huge. A descent that comes to such a point jumps far away.
//!
//! ![Gradient descent from a point of your choice, with the learning rate 1. Move w and b until the descent falls off the cliff, and then clip its gradient.](live:cliff)
//!
//! Clipping (lesson {recurrence}) shortens a gradient that is longer than $m$ to the norm $m$, and
//! keeps its direction. Is the direction still good for anything, when the length is so wrong? We
//! let gradient descent start from every point of a grid, with the learning rate 1, without
//! clipping and with $m = 1$:
Descents descend(int side, double clip_norm) {  // 0: without clipping
    CliffPoints p = cliff_points(side);
    Descents d;
    d.side = side;
    for (int n = 0; n < 500; ++n) {
        p.w = clone(p.w).set_requires_grad();
        p.b = clone(p.b).set_requires_grad();
        const std::vector<Tensor> g = grad(sum(cliff_loss(p.w, p.b)), {p.w, p.b});
        const NoGrad no_grad;
        const Tensor norm = sqrt(square(g[0]) + square(g[1]) + 1e-300), all = ones_like(norm);
        const Tensor scale = clip_norm > 0 ? minimum(all, clip_norm / norm) : all;
        d.longest_step = std::max(d.longest_step, max(scale * norm).item());
        p.w = p.w - scale * g[0];
        p.b = p.b - scale * g[1];
    }
    d.loss = cliff_loss(p.w, p.b);
    d.reached = mean(d.loss < 1e-4).item();
    return d;
}

void clip_gradients(Lesson& lesson, Prediction guess) {
    lesson.heading("Off a cliff");
    const int side = lesson.quick() ? 20 : 40;
    const Descents unclipped = descend(side, 0), clipped = descend(side, 1);
    show_descents(lesson, unclipped, clipped);
    lesson.reveal(guess, clipped.reached > unclipped.reached ? "more" : "fewer");
    lesson.claim("unclipped", "finding: share of starts that reach the minimum, without clipping",
                 unclipped.reached, at_most(0.75));
    lesson.claim("clipped", "finding: share of starts that reach the minimum, with clipping",
                 clipped.reached, at_least(0.85));
}

}  // namespace

}  // namespace heed::workshop8

//! {if all clipped > unclipped + 0.3} Without clipping {unclipped:%} of the starts reach the
//! minimum, with it {clipped:%}: the direction of a long gradient is still useful.
//!
//! Clipping does not help with vanishing gradients. To make a gradient of $10^{-30}$ longer would
//! only make the rounding errors longer.
//!
//! A network has many parameters, each with a gradient of its own shape. All their numbers together
//! are one vector with one norm, and they are shortened by the same factor. If each parameter were
//! clipped alone, the direction would change (exercise {recurrence.2}).
//!
//! ## What this does not show
//!
//! An orthogonal matrix treats all directions alike. Other matrices stretch some and shrink others,
//! so there is no single factor $\rho s$. The inputs of the first experiment are random noise; with
//! others the derivatives of $\tanh$ are different, and so is the border between vanishing and
//! exploding. Training moves the matrix, too. There are other repairs, such as an initial matrix
//! close to the one that changes nothing (Le et al. 2015). And a loss of two parameters can be
//! drawn; whether the losses of large networks look like this one, we did not see.
//!
//! Sources: Hochreiter (1991) and Bengio, Simard and Frasconi, "Learning Long-Term Dependencies
//! with Gradient Descent is Difficult" (1994), for vanishing gradients; Pascanu, Mikolov and
//! Bengio, "On the Difficulty of Training Recurrent Neural Networks" (2013), section 2.3 and figure
//! 6 for the cliff, section 3.2 for clipping; Le, Jaitly and Hinton, "A Simple Way to Initialize
//! Recurrent Networks of Rectified Linear Units" (2015).
//!
//! ## Summary
//!
//! 1. A step back multiplies the gradient by the derivatives of $\tanh$ and by the transposed
//!    matrix.
//! 2. With an orthogonal matrix times $\rho$, $d$ steps multiply its norm by $(\rho s)^d$. The
//!    border between vanishing and exploding is $\rho s = 1$.
//! 3. A loss can have a cliff, where a tiny change of a parameter changes all later states. There
//!    the gradient is huge.
//! 4. Clipping shortens long gradients and keeps their direction, which is still useful.
//! 5. Clipping repairs exploding gradients and not vanishing ones.
//!
//! ## Try this next
//!
//! 1. Set `input = 0.1`, then 2. At which $\rho$ does the gradient now keep its length?
//! 2. In `clip_gradients`, clip to a tenth with `descend(side, 0.1)`. Do more starts reach the
//!    minimum, or fewer?
using namespace heed;
using namespace heed::workshop8;

int main(int argc, char** argv) {
    Lesson lesson({.workshop = 8,
                   .name = "clipping",
                   .title = "When does a gradient vanish, and when does it explode?",
                   .question = "By which factor does a step change a gradient, and what helps when "
                               "it is too long?",
                   .own_data = "random inputs, and a loss of two parameters",
                   .trains = false});
    return lesson.run(argc, argv, [&] {
        const Prediction left = lesson.predict(
            "The matrix of a plain network keeps the length of every vector. What share of a "
            "gradient's norm is left after going back 50 steps?",
            within_factor(10).from(0, 1));
        const Prediction more = lesson.predict(
            "Gradient descent on a loss with a cliff, each gradient shortened to the length 1 if it "
            "is longer: do more of the descents reach the minimum, or fewer?",
            {"more", "fewer"});
        step_back(lesson);
        multiply_many_times(lesson, left);
        clip_gradients(lesson, more);
    });
}
