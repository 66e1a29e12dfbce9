//! # What a recurrent network forgets
//!
//! {no results}
//!
//! A list contains numbers, and two of them are marked:
//!
//! | number | 0.3 | 0.9 | 0.5 | 0.2 |
//! | --- | --- | --- | --- | --- |
//! | marked | yes | no | no | yes |
//!
//! What is the sum of the marked numbers? Here it is $0.3 + 0.2 = 0.5$. The next list may have
//! eighty numbers, and the first marked one may stand at its very beginning. A network that reads
//! from left to right has to keep this number for eighty steps. Can it learn to do so?
//!
//! Sentences pose the same problem. In "the dog that chased the cats is tired", the word "is"
//! depends on "dog", five words before. Before there was attention, sentences were read by the
//! network of this lesson. What does it forget?

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/07_recurrence/data.h"
#include "lessons/07_recurrence/experiment.h"
#include "lessons/07_recurrence/model.h"
#include "lessons/07_recurrence/pictures.h"
#include "lessons/course/course.h"

namespace heed::lesson07 {

using namespace course;

namespace {

//! ## A loop with a state
//!
//! The networks of lesson {learning} have a fixed number of inputs. We could give such a network
//! eighty inputs and fill up shorter lists with zeros. Then each input has weights of its own. What
//! the network has learned about a mark at the third input is of no use when the mark is at the
//! seventh: it has to learn the same thing eighty times. And a list of eighty-one numbers cannot be
//! read at all.
//!
//! A better idea is a loop. A *recurrent network* reads one input after another, and after each
//! input it updates a vector, with the same weights at every step. This vector, the *hidden state*
//! $h$, is all that the network knows about what it has read so far. The part that computes the new
//! state from the old one and the input is called the *cell*. The simplest cell (Elman 1990) is
//!
//! $$ h_t = \tanh(W h_{t-1} + x_t) . $$
//!
//! $x_t$ is the input at step $t$, a vector as wide as the state, and $W$ is a square matrix of
//! learned weights. The function $\tanh$ keeps each number of the state between -1 and 1. (Usually
//! the input is multiplied by a matrix too, and a bias is added. We leave both out for the moment.)
//! We call this cell the plain one.
//!
//! {no results} Let us read one bit with a state of a single number. The first input is 1 or -1,
//! and all later inputs are 0. $W$ is then a single number $w$. With $w = 0.5$ and the input 1, the
//! state is $\tanh(1) = 0.762$, then $\tanh(0.5 \cdot 0.762) = 0.363$, then $\tanh(0.5 \cdot 0.363)
//! = 0.180$. So after three steps the state still shows which bit it was, but it is about halved at
//! each step. The program continues to step 50, and tries larger weights as well:
void remember_one_bit(Lesson& lesson) {
    lesson.heading("A loop with a state");
    lesson.show("loop", loop_diagram(),
                "A recurrent network reads three inputs. The same cell, with the same weights, is "
                "used at each step.");
    const OneBit bit = show_one_bit(lesson, {0.5, 1, 2});
    lesson.claim(
        "step-three",
        "identity: state and derivative at step 3 against the text, largest difference",
        std::max(std::abs(bit.states[0][2] - 0.180), std::abs(bit.derivatives[0][2] - 0.210)),
        at_most(0.001));
}

//! {no results} With $w = 0.5$ the bit is lost. With $w = 2$ the state stays near 0.96, so the bit
//! is kept for ever. Is everything well then?
//!
//! ## Kept, but not learnable
//!
//! To find weights that keep the right thing, the network needs derivatives: how does the last
//! state change if the first one changes a little? The derivative of $\tanh(a)$ is $1 -
//! \tanh^2(a)$. So a change of $h_{t-1}$ is multiplied at step $t$ by
//!
//! $$ \frac{\partial h_t}{\partial h_{t-1}} = (1 - h_t^2) \, w , $$
//!
//! {no results} and a change of $h_1$ is multiplied by all these factors in turn. With $w = 0.5$
//! the factors of the second and third step are $(1 - 0.363^2) \cdot 0.5 = 0.434$ and $(1 -
//! 0.180^2) \cdot 0.5 = 0.484$. Their product, 0.210, is the derivative of $h_3$ with respect to
//! $h_1$. It is in the last columns of the table above.
//!
//! {no results} Look at the row of $w = 2$. The state is kept, but its derivative is nearly 0 after
//! ten steps. The reason is the factor $1 - h_t^2$: for the state 0.9575, where it settles, it is
//! only 0.083, so each step multiplies by $2 \cdot 0.083 = 0.166$. **A state that resists small
//! disturbances resists the small changes of training as well** (Bengio, Simard and Frasconi 1994).
//! A network that does not yet know what to keep gets no hint from the end of the list about what
//! happened at its beginning.
//!
//! When the gradient of an early step is so small that it has no effect, we speak of a *vanishing
//! gradient*. When the factors are larger than 1, their product grows without limit: an *exploding
//! gradient*. Both come from the same fact: going back $d$ steps multiplies $d$ factors.
//!
//! With vectors it is the same. Let $g_t$ be the gradient of the loss with respect to $h_t$. The
//! backward pass (lesson {autograd}), also called backpropagation, multiplies it by the derivative
//! of tanh, number by number, and then by the transposed matrix:
//!
//! $$ g_{t-1} = W^\top \big( (1 - h_t^2) \, g_t \big) . $$
//!
//! The program computes forward and backward by these formulas, step by step, and compares its
//! result with the gradient of the library.
std::vector<Tensor> read_by_hand(const Tensor& w, const Tensor& x) {  // [D, D], [B, T, D]
    std::vector<Tensor> h{zeros({x.size(0), w.size(0)}, w.dtype()).set_requires_grad()};
    for (const Tensor& x_t : unbind(x, 1)) h.push_back(tanh(matmul(h.back(), transpose(w)) + x_t));
    return h;  // h₀ ... h_T, each [B, D]
}

std::vector<double> norms_by_hand(const Tensor& w, const std::vector<Tensor>& h, Tensor g) {
    std::vector<double> norms{typical_norm(g)};  // by distance from the end
    for (std::size_t t = h.size() - 1; t > 0; --t) {
        g = matmul((1 - square(detach(h[t]))) * g, w);
        norms.push_back(typical_norm(g));
    }
    return norms;
}

//! ## Multiplied sixty times
//!
//! How fast does the gradient of a vector shrink? We measure its *norm*, which is its length: the
//! root of the sum of the squares. Two things change it at each step, the matrix and the
//! derivatives of tanh. To tell them apart, we use matrices that do one simple thing. A matrix is
//! *orthogonal* if it keeps the length of every vector; it only rotates and reflects:
//!
//! $$ \begin{pmatrix} 0 & -1 \\ 1 & 0 \end{pmatrix} \begin{pmatrix} 3 \\ 4 \end{pmatrix}
//! = \begin{pmatrix} -4 \\ 3 \end{pmatrix} . $$
//!
//! Both vectors have the length 5. Our $W$ is a random orthogonal matrix times a number $\rho$, so
//! it multiplies every length by $\rho$.
//!
//! The derivatives of tanh multiply each number of the gradient by something between 0 and 1. They
//! multiply its length by about $s$, where $s^2$ is the mean of $(1 - h^2)^2$ over all states. So
//! $d$ steps should multiply the norm by
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
        const Tensor g = directions(rows, width, rng);
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
//! orthogonal matrix ($\rho = 1$) the gradient vanishes, because the derivatives of tanh are below
//! 1. The border between vanishing and exploding is not at $\rho = 1$ but at $\rho s = 1$.
//! Vanishing gradients are often said to come from many layers. That is the same thing: drawn as in
//! the figure above, a loop of sixty steps is a stack of sixty layers, all with the same matrix.
//!
//! ![Begin at scale 1, where the gradient of the plain network vanishes, as in the table. Raise the scale until it stays about as it is, and then until it explodes. Go back to 1 and raise the bias of the gates, which the next section explains: GRU and LSTM then keep it. These networks have random weights and are not trained.](live:vanishing)
//!
//! ## Gates
//!
//! The plain cell computes a completely new state at every step. It would be easier to keep
//! something if the old state were simply copied. A *gate* allows this: it is a number between 0
//! and 1 that says how much of something passes. It is computed from the state and the input by a
//! sigmoid, $\sigma(a) = 1 / (1 + e^{-a})$, so the network learns when to keep and when to
//! overwrite.
//!
//! The *GRU* (gated recurrent unit, Cho et al. 2014) is a cell with two gates, $z$ and $r$. All
//! products of vectors below are taken number by number, each $W$ and $U$ is a learned matrix, and
//! the biases are left out:
//!
//! $$ z = \sigma(W_z h_{t-1} + U_z x_t), \qquad r = \sigma(W_r h_{t-1} + U_r x_t), $$
//! $$ n = \tanh(r \, W_n h_{t-1} + U_n x_t), \qquad h_t = z \, h_{t-1} + (1 - z) \, n . $$
//!
//! {no results} $n$ is the candidate for the new state, computed much as in the plain cell. The
//! gate $z$ mixes it with the old state: with $z = 1$ the old state is kept, with $z = 0$ it is
//! replaced. (We call such a gate open when it is near 1, so that the old state passes.) The gate
//! $r$ says how much of the old state the candidate may see. For one number, let $h_{t-1} = 0.762$,
//! $n = 0.380$ and $z = 0.953$. Then $h_t = 0.953 \cdot 0.762 + 0.047 \cdot 0.380 = 0.744$.
//!
//! The *LSTM* (long short-term memory, Hochreiter and Schmidhuber 1997) is a cell with two states,
//! $c$ and $h$, and three gates, $f$, $i$ and $o$, each computed like $z$. The state $c$ is copied
//! from step to step; $f$ says how much of it is kept, and $i$ how much of the candidate is added.
//! The hidden state $h$ is what $o$ lets out of it:
//!
//! $$ c_t = f \, c_{t-1} + i \, n, \qquad h_t = o \, \tanh(c_t) . $$
//!
//! (The gate $f$ was added by Gers et al. in 2000.) In numbers: $c_{t-1} = 0.762$, $n = 0.380$,
//! $f = 0.953$ and $i = 0.5$ give $c_t = 0.916$; $f$ and $i$ need not sum to 1. On the way back,
//! the gradient of the old state is the gradient of the new one times $z$, or $f$, plus what comes
//! through the matrices. So with $z$ near 1 it is nearly copied.
//!
//! {no results} Many explanations stop here. But is $z$ near 1? Before training, the weights are
//! small, $a$ is near 0, and $\sigma(0)$ is 0.5. A gradient that is halved at every step vanishes
//! too: after 50 steps $0.5^{50}$ is left, less than a millionth of a billionth. Therefore one
//! often adds a number to the bias of this one gate at the start (Jozefowicz et al. 2015 add 1). We
//! add 3. Then $z = \sigma(3) = 0.953$, and $0.953^{50} = 0.09$.
//!
//! The comparison has to be fair. The initial matrices matter as much as the cell, so all three
//! cells are filled in the same two ways. The first is the default of PyTorch, a widely used
//! library, and of ours: all weights are random, uniform between $-1/\sqrt D$ and $1/\sqrt D$. In
//! the second, each $W$ is a random orthogonal matrix. The gated cells are measured with and
//! without the 3.
void compare_gates(Lesson& lesson, Prediction guess) {
    lesson.heading("Gates");
    lesson.show("cells", cell_diagrams(),
                "The three cells. The gates of GRU and LSTM are computed from the old hidden state "
                "and the input. The diagrams do not show their matrices.");
    Rng rng(lesson.seed());
    const Tensor x = normal({rows, steps, width}, 0, input, rng);
    GateTable table;
    for (CellKind kind : {CellKind::rnn_tanh, CellKind::gru, CellKind::lstm})
        for (double bias : {0., 3.})
            for (bool orthogonal : {false, true}) {
                if (bias > 0 && gates_of(kind) == 1) continue;  // the plain cell has no gate
                RecurrentCell cell(kind, width, width, rng);
                if (orthogonal) make_orthogonal(cell, rng);
                if (bias > 0) raise_keep_bias(cell, bias);
                table.add({kind, orthogonal, bias}, norms_by_distance(cell, x, rng));
            }
    table.show(lesson);
    const auto factor = [&](CellKind kind, bool orthogonal, double bias) {
        return table.factor({kind, orthogonal, bias});
    };
    const double plain = factor(CellKind::rnn_tanh, true, 0), gru = factor(CellKind::gru, true, 0);
    lesson.reveal(guess, gru > plain ? "the GRU" : "the plain one");
    lesson.claim(
        "gated-better",
        "finding: default matrices, no bias: the better gated cell's factor minus the plain one's",
        std::max(factor(CellKind::gru, false, 0), factor(CellKind::lstm, false, 0)) -
            factor(CellKind::rnn_tanh, false, 0),
        at_least(0.04));
    lesson.claim(
        "orthogonal-better",
        "finding: orthogonal matrices, no bias: the plain cell's factor minus the better gated one's",
        plain - std::max(gru, factor(CellKind::lstm, true, 0)), at_least(0.08));
    for (bool orthogonal : {false, true})
        lesson.claim(
            fmt::format("{}-bias-3", orthogonal ? "orthogonal" : "default"),
            fmt::format(
                "finding: {} matrices, bias 3: the worse gated cell's factor minus the plain "
                "one's",
                orthogonal ? "orthogonal" : "default"),
            std::min(factor(CellKind::gru, orthogonal, 3), factor(CellKind::lstm, orthogonal, 3)) -
                factor(CellKind::rnn_tanh, orthogonal, 0),
            at_least(orthogonal ? 0.1 : 0.33));
}

//! {if all gated-better > 0.05 and orthogonal-better > 0.09} **Do gates cure the vanishing
//! gradient? Not alone.** With default matrices a gated cell keeps more than the plain one; with
//! orthogonal matrices the plain cell keeps more than both. So the initial values decide.
//! {if all default-bias-3 > 0.35 and orthogonal-bias-3 > 0.1} Only with the larger bias is the gate
//! that keeps the old state ($z$ or $f$) near 1 from the start. Then the gated cells keep far more,
//! whichever matrices they have.
//!
//! (The LSTM with the bias 3 is not described by one factor. Its gradient falls until it has got
//! from $h$ into $c$. Then it grows slowly, and the fitted factor is above 1, although less than 1
//! is left after 50 steps.)
//!
//! ## Learning across a distance
//!
//! A large gradient is not yet a solved problem. So we train networks on the problem from the
//! beginning, which is called the adding problem (Hochreiter and Schmidhuber 1997). The input at
//! each step is the number and its mark (1 or 0). The numbers are random between 0 and 1; one is
//! marked in each half of the list. After the last step, a linear layer (a matrix and a bias) turns
//! the state into the answer. The loss is the squared error. A network that always answers 1,
//! which is the mean of all sums, has a squared error of $1/6 = 0.167$.
//!
//! The three cells have about the same number of parameters (3,300), see the same number of
//! problems and begin with orthogonal matrices, the gated ones with a bias of 3. For each length,
//! each cell has the better of two learning rates, chosen on problems that are not used again.
struct Learned {
    const char* name;
    CellKind kind;
    std::vector<std::vector<double>> errors{};  // by length and seed
    Adder last{};                               // trained on the longest lists
};

void learn_to_add(Lesson& lesson, int training, Prediction guess) {
    lesson.heading("Learning across a distance");
    const bool quick = lesson.quick();
    const std::vector<int> lengths =
        quick ? std::vector<int>{10, 40} : std::vector<int>{10, 20, 40, 80};
    std::vector<Learned> cells{
        {"plain", CellKind::rnn_tanh}, {"GRU", CellKind::gru}, {"LSTM", CellKind::lstm}};
    AddingTable table(lengths);
    for (Learned& cell : cells)
        for (int length : lengths) {
            TrainedAdders trained =
                train_adders(cell.kind, length, training, quick ? 1 : 5, 1000 * lesson.seed());
            table.add(cell.name, length, trained);
            cell.last = std::move(trained.last);
        }
    table.show(lesson);
    if (!quick) lesson.reveal(guess, table.longest_learned("plain"));
    const int longest = lengths.back();
    lesson.claim("plain-10", "finding: plain network, length 10: squared error",
                 table.error("plain", 10), at_most(quick ? 0.15 : 0.025));
    lesson.claim("plain-40", "finding: plain network, length 40: squared error",
                 table.error("plain", 40), at_least(quick ? 0.13 : 0.15));
    lesson.claim("gru-longest", "finding: GRU, greatest length: squared error",
                 table.error("GRU", longest), at_most(quick ? 0.1 : 0.001));
    if (!quick) {
        lesson.claim("lstm-20", "finding: LSTM, length 20: squared error", table.error("LSTM", 20),
                     at_most(0.005));
        lesson.claim(
            "lstm-gain-20",
            "finding: length 20: squared error of the plain network minus that of the LSTM",
            table.error("plain", 20) - table.error("LSTM", 20), at_least(0.04));
    }

    //! What do the gradients look like now? We take the networks that were trained on the longest
    //! lists and go back over a whole list once more.
    std::vector<std::pair<std::string, std::vector<double>>> norms;
    for (const Learned& cell : cells) {
        Rng rng(lesson.seed());
        norms.emplace_back(
            cell.name,
            norms_by_distance(cell.last.cell(), adding_problems(rows, longest, rng).x, rng));
    }
    const double left = show_trained_norms(lesson, norms);
    lesson.claim("gradient-left",
                 "finding: gradient left over a whole list: trained GRU over trained plain network",
                 left, at_least(quick ? 1 : 100));
}

//! {if all plain-10 < 0.03 and plain-40 > 0.16 and gru-longest < 0.001} The plain network learns
//! lists of 10 numbers. At 20 its squared error is {lstm-20 + lstm-gain-20:2}, and at 40 that of
//! always answering 1. The GRU learns all lengths up to 80. {if all lstm-20 < 0.005} The LSTM
//! learns 10 and 20 just as well; at 40 some of its trainings succeed and others fail. So even with
//! a gate that is open at the start, learning over a long distance is not certain.
//! {if all gradient-left > 100} Over a whole list the trained GRU keeps hundreds of times as much
//! of the gradient as the plain network, and often millions of times.
//!
//! ## Exploding gradients
//!
//! A vanishing gradient teaches nothing. An exploding gradient is worse: a single step of gradient
//! descent can destroy what was learned before. The smallest example is a state of one number, here
//! called $x$, no input, and two parameters (Pascanu, Mikolov and Bengio 2013):
//!
//! $$ x_t = w \, \sigma(x_{t-1}) + b, \qquad x_0 = 0.5, \qquad L = (\sigma(x_{50}) - 0.7)^2 . $$
//!
//! The loss $L$ asks for $0.7$ after 50 steps. For some parameters $w$ and $b$ the state goes to a
//! small number, for others to a large one. On the border, a tiny change of a parameter decides
//! which it is. The loss has a cliff there, and on the cliff the gradient is huge. A descent that
//! comes to such a point jumps far away.
//!
//! The usual repair is simple. *Clipping* a gradient means shortening it to a given length if it is
//! longer, without changing its direction. To the length 1:
//!
//! $$ g \leftarrow g \cdot \min \Big( 1, \frac{1}{|g|} \Big) . $$
//!
//! For $g = (3, 4)$ the norm $|g|$ is 5, so the gradient becomes $(0.6, 0.8)$, whose norm is 1. A
//! gradient of norm $0.5$ stays as it is. We let gradient descent start from every point of a grid,
//! with the learning rate 1, without clipping and with it:
void clip_gradients(Lesson& lesson) {
    lesson.heading("Exploding gradients");
    const int side = lesson.quick() ? 20 : 40;
    const Descents unclipped = descend(side, 0), clipped = descend(side, 1);
    lesson.show("cliff",
                {picture_of_loss("the loss", side), picture_of("without clipping", unclipped),
                 picture_of("with clipping", clipped)},
                "w grows to the right, b upwards. Left: the loss, dark where it is high. Then: "
                "white where a descent that starts at this point reaches the minimum. On a "
                "terminal @ is white and a blank is black. Each sign is the mean of two points, "
                "one above the other: * means that one of them reaches the minimum, : none.");
    lesson.say(
        "The longest step (gradient times the learning rate 1) was {} without clipping, and "
        "{} with it.",
        number(unclipped.longest_step, 3), number(clipped.longest_step, 3));
    lesson.claim("unclipped", "finding: share of starts that reach the minimum, without clipping",
                 unclipped.reached, at_most(0.75));
    lesson.claim("clipped", "finding: share of starts that reach the minimum, with clipping",
                 clipped.reached, at_least(0.85));
}

}  // namespace

}  // namespace heed::lesson07

//! {if all clipped > unclipped + 0.3} Without clipping {unclipped:%} of the starts reach the
//! minimum, with it {clipped:%}: the direction of a long gradient is still useful. Clipping does
//! not help with vanishing gradients: to make a gradient of $10^{-30}$ longer would only make the
//! rounding errors longer. Nearly all recurrent networks, and those of the next lessons, are
//! trained with clipping.
//!
//! ## What this does not show
//!
//! An orthogonal matrix treats all directions alike. Other matrices stretch some and shrink others,
//! so there is no single factor $\rho s$. The inputs of the first experiments are random noise;
//! with others the derivatives of tanh are different, and so is the border between vanishing and
//! exploding. The bias of 3 suits problems in which something has to be kept for long. There are
//! other repairs, such as an initial matrix close to the one that changes nothing (Le et al. 2015).
//! And a gradient that arrives is not enough: a state has a fixed size. The next lesson asks how
//! much of a sentence fits into it.
//!
//! Sources: Elman, "Finding Structure in Time" (1990); Hochreiter (1991) and Bengio, Simard and
//! Frasconi, "Learning Long-Term Dependencies with Gradient Descent is Difficult" (1994), for
//! vanishing gradients; Hochreiter and Schmidhuber, "Long Short-Term Memory" (1997); Gers,
//! Schmidhuber and Cummins, "Learning to Forget" (2000); Cho et al., "Learning Phrase
//! Representations using RNN Encoder-Decoder" (2014), for the GRU; Jozefowicz, Zaremba and
//! Sutskever, "An Empirical Exploration of Recurrent Network Architectures" (2015); Le, Jaitly and
//! Hinton, "A Simple Way to Initialize Recurrent Networks of Rectified Linear Units" (2015);
//! Pascanu, Mikolov and Bengio, "On the Difficulty of Training Recurrent Neural Networks" (2013),
//! for clipping.
//!
//! ## Summary
//!
//! 1. A recurrent network updates a hidden state at each input, always with the same weights. So it
//!    can read lists of any length.
//! 2. Going back $d$ steps multiplies the gradient by $d$ factors. If they are below 1 it vanishes,
//!    and if they are above 1 it explodes.
//! 3. A state can be kept while its gradient vanishes. Then the network cannot learn what to keep.
//! 4. GRU and LSTM copy their state through a gate. This helps if a large initial bias opens the
//!    gate when training begins.
//! 5. Clipping shortens long gradients and keeps their direction. It repairs exploding gradients
//!    and not vanishing ones.
//!
//! ## Try this next
//!
//! 1. In `lesson.cpp`, set `input = 0.1`, then 2. At which $\rho$ does the gradient now keep its
//!    length?
//! 2. In `model.h`, set `keep_bias = 0`. Up to which length do the gated cells still learn?
//! 3. In `model.cpp`, leave out the line with `make_orthogonal`. Which of the three cells needs it
//!    most?
//! 4. In `clip_gradients`, clip to a tenth with `descend(side, 0.1)`. Do more starts reach the
//!    minimum, or fewer?
//! 5. `--steps 5000`: does longer training help the plain network?
using namespace heed;
using namespace heed::lesson07;

int main(int argc, char** argv) {
    Lesson lesson(
        {.number = 7,
         .name = "recurrence",
         .title = "What a recurrent network forgets",
         .question = "A network reads one number after another. What does it forget, and why?",
         .own_data = "random inputs, and new random adding problems for every batch"});
    int training = 0;
    lesson.option("--steps", training, "steps of training (1200; quick 300)");
    return lesson.run(argc, argv, [&] {
        if (training == 0) training = lesson.quick() ? 300 : 1200;
        const Prediction left = lesson.predict(
            "The matrix of a plain network keeps the length of every vector. What share of a "
            "gradient's norm is left after going back 50 steps?",
            within_factor(10));
        const Prediction fresh = lesson.predict(
            "Before training, all matrices orthogonal, no larger bias: which loses less of the "
            "gradient, the plain cell or the GRU?",
            {"the plain one", "the GRU"});
        Prediction longest;  // what a quick run does not measure is not asked there
        if (!lesson.quick())
            longest = lesson.predict(
                "Two of 10, 20, 40 or 80 numbers are marked. Up to which length does the plain network "
                "learn to add them?",
                {"none", "10", "20", "40", "80"});
        remember_one_bit(lesson);
        multiply_many_times(lesson, left);
        compare_gates(lesson, fresh);
        learn_to_add(lesson, training, longest);
        clip_gradients(lesson);
    });
}
