//! # What a recurrent network forgets
//!
//! * 나는 학생 이다: "I am a student"
//! * 그는 학생 이다: "he is a student"
//! * 나는 그 책 을 읽은 학생 이다: "I am a student who read the book"
//!
//! The last word is 이다 each time. The first one decides whether it becomes "am" or "is". A network
//! that reads from left to right has to remember it until 이다 comes, however many words stand
//! between. Before there was attention, networks read sentences in just this way. What is
//! forgotten?

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/07_recurrence/data.h"
#include "lessons/07_recurrence/experiment.h"
#include "lessons/07_recurrence/model.h"
#include "lessons/07_recurrence/pictures.h"
#include "lessons/course/course.h"
#include "lessons/material/training/next_checkpoint.h"

namespace heed::lesson07 {

using namespace course;

namespace {

//! ## A loop with a state
//!
//! A network with one input for each position (lesson {learning}) cannot read a sentence that is
//! one word longer, and has to learn each word anew at each position.
//!
//! A *recurrent network* is a loop. After each word it updates a vector, with the same weights at
//! every step. This vector, the *hidden state* $h$, is all that it knows of what it has read. The
//! part that computes the new state is called the *cell*.
void draw_loop(Lesson& lesson) {
    lesson.heading("A loop with a state");
    lesson.show("loop", loop_diagram(),
                "A recurrent network reads a sentence. The same cell, with the same weights, is "
                "used at each step.");
}

//! The simplest cell (Elman 1990), which we call the plain one, is
//!
//! $$ h_t = \tanh(W h_{t-1} + x_t) . $$
//!
//! $x_t$ is the vector of word $t$, and $W$ is a square matrix of learned weights. (Usually $x_t$
//! is multiplied by a matrix too, and a bias, a learned vector, is added.)
//!
//! {no results} Let the state be a single number. Let 나는 be 1, 그는 be -1 and every other word 0.
//! With the weight $w = 0.5$, the state after 나는 is $\tanh(1) = 0.762$, after 학생 it is $\tanh(0.5
//! \cdot 0.762) = 0.363$, and after 이다 $\tanh(0.5 \cdot 0.363) = 0.180$. It shows how the sentence
//! began, but every word halves it. The program reads on to word 50, and tries larger weights:
Reading read(double w, const std::vector<double>& words) {
    std::vector<Tensor> h{tanh(tensor({words[0]}, {1}, Dtype::float64)).set_requires_grad()};
    for (std::size_t t = 1; t < words.size(); ++t) h.push_back(tanh(w * h.back() + words[t]));
    Reading reading;
    for (const Tensor& state : h) {
        reading.states.push_back(state.item());
        reading.derivatives.push_back(grad(state, {h[0]})[0].item());  // with respect to h₁
    }
    return reading;
}

void remember_the_first_word(Lesson& lesson) {
    std::vector<double> words(50, 0);
    words[0] = 1;
    const Reading half = read(0.5, words);
    show_readings(lesson, {{0.5, half}, {1, read(1, words)}, {2, read(2, words)}});
    lesson.claim("step-three",
                 "identity: state and derivative at step 3 against the text, largest difference",
                 std::max(std::abs(half.states[2] - 0.180), std::abs(half.derivatives[2] - 0.210)),
                 at_most(0.001));
}

//! {no results} With $w = 0.5$ the first word is lost. With $w = 2$ the state stays near 0.96: 나는
//! is kept for ever. Is everything well then?
//!
//! ## Kept, but not learnable
//!
//! To find such weights, training needs derivatives: how does the last state change if the first
//! one changes a little? The derivative of $\tanh(a)$ is $1 - \tanh^2(a)$, so step $t$ multiplies a
//! change by
//!
//! $$ \frac{\partial h_t}{\partial h_{t-1}} = (1 - h_t^2) \, w . $$
//!
//! {no results} With $w = 0.5$ these factors are $(1 - 0.363^2) \cdot 0.5 = 0.434$ and $(1 -
//! 0.180^2) \cdot 0.5 = 0.484$ at 학생 and 이다. Their product, 0.210, is the derivative of $h_3$
//! with respect to $h_1$ (in the last columns of the table).
//!
//! {no results} Now look at the row of $w = 2$. The state settles at 0.9575, where $1 - h^2$ is
//! only 0.083. So each step multiplies by 0.166, and after ten steps nearly nothing is left. **A
//! state that resists small disturbances resists the small changes of training as well** (Bengio,
//! Simard and Frasconi 1994). The network gets no hint what it should have kept.
//!
//! Going back $d$ steps multiplies $d$ factors. If they are below 1, the gradient of an early word
//! becomes too small to have an effect, a *vanishing gradient*. Above 1 it grows without limit, an
//! *exploding gradient*. With vectors it is the same (workshop {clipping}).
//!
//! ## Gates
//!
//! The plain cell makes a completely new state at every step. Copying the old one would keep more.
//! A *gate* is a number between 0 and 1 that says how much of something passes. Let the gate $z$
//! mix the old state with a candidate $n$ for the new one. ($z$ was a logit in lesson
//! {probabilities}; it is also the usual name of this gate.)
//!
//! $$ h_t = z \, h_{t-1} + (1 - z) \, n . $$
//!
//! {no results} With $h_{t-1} = 0.762$, $z = 0.953$ and some candidate, say 0.380, we get $h_t =
//! 0.953 \cdot 0.762 + 0.047 \cdot 0.380 = 0.744$, nearly the old state. Going back one step
//! multiplies the gradient by $z$; a second part comes through $n$ and $z$ themselves. If $z$ is
//! near 1, the gradient is nearly copied, too.
//!
//! {no results} But is $z$ near 1? The network has to learn when to keep, so $z$ is computed from
//! the old state and the word: $z = \sigma(a)$, where $a$ is a sum with learned weights and
//! $\sigma(a) = 1 / (1 + e^{-a})$ is the sigmoid. Before training $a$ is near 0, and $\sigma(0)$ is
//! 0.5: the gradient is halved at every step and vanishes as before. So a number is added to $a$,
//! the bias of the gate (Jozefowicz et al. 2015 add 1). We add 3: then $z = \sigma(3) = 0.953$, and
//! $0.953^{50} = 0.09$ is left after 50 steps.
//!
//! The *GRU* (gated recurrent unit, Cho et al. 2014; here as in PyTorch, a widely used library) is
//! this cell with one gate more, $r$, which says how much of the old state the candidate may see.
//! Products of vectors are taken number by number, each $W$ and $U$ is a learned matrix, and biases
//! are left out:
//!
//! $$ z = \sigma(W_z h_{t-1} + U_z x_t), \qquad r = \sigma(W_r h_{t-1} + U_r x_t), \qquad
//! n = \tanh(r \, W_n h_{t-1} + U_n x_t) . $$
struct GruWeights {
    Tensor Wz, Wr, Wn;  // [H, H]
    Tensor Uz, Ur, Un;  // [H, I]
};
Tensor gru_step(const Tensor& h, const Tensor& x, const GruWeights& w) {  // [H], [I] -> [H]
    const Tensor z = sigmoid(matmul(w.Wz, h) + matmul(w.Uz, x));
    const Tensor r = sigmoid(matmul(w.Wr, h) + matmul(w.Ur, x));
    const Tensor n = tanh(r * matmul(w.Wn, h) + matmul(w.Un, x));
    return z * h + (1 - z) * n;
}

void check_the_step(const Lesson& lesson) {
    constexpr int64_t H = 4, I = 3;
    Rng rng(lesson.seed());
    const RecurrentCell cell(CellKind::gru, I, H, rng, false);
    const auto part = [](const Tensor& all, int64_t gate) {  // in the order r, z, n
        return slice(all, 0, gate * H, (gate + 1) * H);
    };
    const Tensor &W = cell.weight_hh, &U = cell.weight_ih;
    const Tensor h = normal({H}, 0, 1, rng), x = normal({I}, 0, 1, rng);
    const Tensor ours =
        gru_step(h, x, {part(W, 1), part(W, 0), part(W, 2), part(U, 1), part(U, 0), part(U, 2)});
    const Tensor library = cell(unsqueeze(x, 0), {unsqueeze(h, 0), {}}).hidden;
    check(max(abs(ours - reshape(library, {-1}))).item() < 1e-5,
          "gru_step differs from the library's cell");
}

//! The *LSTM* (long short-term memory, Hochreiter and Schmidhuber 1997) has a second state, $c_t =
//! f \, c_{t-1} + i \, n$. Its gate $f$ (Gers et al. 2000) keeps as $z$ does, $i$ says how much of
//! the candidate is added, and a third gate $o$ how much is shown: $h_t = o \, \tanh(c_t)$.
void draw_cells(Lesson& lesson) {
    lesson.heading("Gates");
    lesson.show("cells", cell_diagrams(),
                "The three cells. The gates of GRU and LSTM are computed from the old hidden state "
                "and the input. The diagrams do not show their matrices.");
}

//! Do gates help? Let all recurrent matrices start *orthogonal*, which means that they keep the
//! length of every vector (workshop {clipping}). The *norm* of a vector is its length, the root of
//! the sum of its squares. By which factor does one step change the norm of the gradient?
void compare_gates(Lesson& lesson) {
    const Prediction guess = lesson.predict(
        "Before training and without a larger bias: which loses less of the gradient, the plain "
        "cell or the GRU?",
        {"the plain one", "the GRU"});
    Rng rng(lesson.seed());
    const Tensor x = normal({16, 60, 64}, 0, 0.5, rng);  // 16 inputs of 60 steps
    GateTable table;
    for (CellKind kind : {CellKind::rnn_tanh, CellKind::gru, CellKind::lstm})
        for (double bias : {0., 3.})
            for (bool orthogonal : {false, true}) {
                if (bias > 0 && gates_of(kind) == 1) continue;  // the plain cell has no gate
                RecurrentCell cell(kind, 64, 64, rng);
                if (orthogonal) make_orthogonal(cell, rng);
                if (bias > 0) raise_keep_bias(cell, bias);
                table.add({kind, orthogonal, bias}, norms_by_distance(cell, x, rng));
            }
    table.show(lesson, guess);
}

//! {if all orthogonal-better > 0.09} **Do gates cure the vanishing gradient? Not alone.** Without
//! the larger bias the gated cells lose more than the plain one. {if all gated-better > 0.05 and
//! default-bias-3 > 0.35 and orthogonal-bias-3 > 0.1} (With PyTorch's initial matrices a gated cell
//! loses less, but still nearly everything.) Only with the larger bias do they keep far more,
//! whichever matrices they have.
//!
//! ![At scale 1 the gradient of the plain network vanishes. Raise the scale until it explodes. Go back to 1 and raise the bias.](live:vanishing)
//!
//! ## Learning across a distance
//!
//! A gradient that arrives is not yet a solved problem. So the cells learn the adding problem
//! (Hochreiter and Schmidhuber 1997). {no results} In the list **0.3**, 0.9, 0.5, **0.2**, two
//! numbers are marked. What is their sum? One number is marked in each half, so the first one has
//! to be kept until the end. A linear layer turns the last state into the answer, and the loss is
//! the squared error.
double train(const Adder& adder, const Training& training, Rng& rng) {
    Adam adam(parameters(adder), {.lr = training.rate});
    Checkpoint checkpoint(course::next_checkpoint({adam, rng}));
    for (int64_t n : checkpoint.steps(training.steps)) {
        const Problems problems = adding_problems(32, training.length, rng);
        backward(mse(adder(problems.x), problems.t));
        clip_grad_norm(adam.parameters(), 1);  // the next section
        adam.lr = 3 * (n - 1) < 2 * training.steps ? training.rate : training.rate / 5;
        adam.step();
        adam.zero_grad();
    }
    return error_on_new_problems(adder, training.length, rng);
}

void learn_to_add(Lesson& lesson, int training) {
    lesson.heading("Learning across a distance");
    compare_adders(lesson, train, training);
}

}  // namespace

}  // namespace heed::lesson07

//! {if all plain-10 < 0.03 and plain-40 > 0.16 and gru-longest < 0.001} {full run} The plain
//! network learns lists of 10 numbers. At 20 its error is {lstm-20 + lstm-gain-20:2}, and at 40 it
//! is no better than always answering 1, the mean. The GRU learns all lengths up to 80. {if all
//! lstm-20 < 0.005} The LSTM learns 10 and 20 just as well; at 40 some of its trainings succeed and
//! others fail. {if all gradient-left > 100} Over a whole list the trained GRU keeps at least
//! hundreds of times as much of the gradient as the plain network.
//!
//! ## Clipping
//!
//! An exploding gradient is worse than a vanishing one: a single step can destroy what was learned
//! before. *Clipping* a gradient $g$ shortens it to a given norm $m$ if it is longer, and keeps its
//! direction:
//!
//! $$ g \leftarrow g \cdot \min \Big( 1, \frac{m}{|g|} \Big) . $$
//!
//! For $g = (3, 4)$ and $m = 1$ the norm $|g|$ is 5, so the gradient becomes $(0.6, 0.8)$. On a
//! loss with a cliff, {clipping/unclipped:%} of the descents reach the minimum without clipping,
//! and {clipping/clipped:%} with it (workshop {clipping}). All recurrent networks of this course
//! are trained so.
//!
//! ## What this does not show
//!
//! The bias of 3 suits problems in which something has to be kept for long. And a state has a fixed
//! size: the next lesson asks how much of a sentence fits into it.
//!
//! Sources: Elman, "Finding Structure in Time" (1990); Hochreiter's thesis (1991) and Bengio,
//! Simard and Frasconi, "Learning Long-Term Dependencies with Gradient Descent is Difficult"
//! (1994); Hochreiter and Schmidhuber, "Long Short-Term Memory" (1997); Gers et al., "Learning to
//! Forget" (2000); Cho et al. (2014), section 2.3; Jozefowicz et al. (2015).
//!
//! ## Summary
//!
//! 1. A recurrent network updates a hidden state at each word, with the same weights.
//! 2. Going back $d$ steps multiplies $d$ factors, so the gradient vanishes or explodes.
//! 3. A state can be kept while its gradient vanishes. Then the network cannot learn what to keep.
//! 4. GRU and LSTM copy their state through a gate, if a large initial bias opens it.
//! 5. Clipping shortens long gradients and keeps their direction.
//!
//! ## Try this next
//!
//! 1. In `model.h`, set `keep_bias = 0`. Up to which length do the gated cells still learn?
//! 2. `--steps 5000`: does longer training help the plain network?
using namespace heed;
using namespace heed::lesson07;

int main(int argc, char** argv) {
    Lesson lesson(
        {.number = 7,
         .name = "recurrence",
         .title = "What a recurrent network forgets",
         .question = "A network reads one word after another. What does it forget, and why?",
         .own_data = "random inputs, and new random adding problems for every batch"});
    int training = 0;
    lesson.option("--steps", training, "steps of training (1200; quick 300)");
    return lesson.run(argc, argv, [&] {
        if (training == 0) training = lesson.quick() ? 300 : 1200;
        draw_loop(lesson);
        check_the_step(lesson);
        remember_the_first_word(lesson);
        draw_cells(lesson);
        compare_gates(lesson);
        learn_to_add(lesson, training);
    });
}
