//! # What a recurrent network forgets
//!
//! A sentence has no fixed length, and the networks of lesson 04 had a fixed number of inputs. The
//! oldest way out is a loop: read one word, change what you remember, read the next. What is
//! remembered at the end should hold what was read. Should. This lesson measures how much of the
//! beginning is left at the end, why, and what can be done about it without attention.

#include <cmath>
#include <map>

#include "autograd/autograd.h"
#include "lessons/05_recurrence/adding.h"
#include "lessons/05_recurrence/backwards.h"
#include "lessons/05_recurrence/cliff.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;

namespace {

//! ## A loop with a memory
//!
//! The memory is a vector $h$, the *hidden state*, changed at every step by the same *cell*. At
//! step $t$ comes an input $x_t$, already of the same width. The plain cell (Elman 1990) is
//!
//! $$ h_t = \tanh(W h_{t-1} + x_t) . $$
std::vector<Tensor> read_by_hand(const Tensor& w, const Tensor& x) {  // [D, D], [B, T, D]
    std::vector<Tensor> h{zeros({x.size(0), w.size(0)}, w.dtype()).set_requires_grad()};
    for (const Tensor& x_t : unbind(x, 1)) h.push_back(tanh(matmul(h.back(), transpose(w)) + x_t));
    return h;  // h₀ ... h_T, each [B, D]
}

//! How much does the last state still depend on one long before? The chain rule of lesson 02,
//! walked backwards, takes a gradient $g_t$ of $h_t$ to one of $h_{t-1}$: first by the slope of
//! tanh, which is $1 - h_t^2$, then by the matrix,
//!
//! $$ g_{t-1} = W^\top \big( (1 - h_t^2) \, g_t \big) . $$
//!
//! It is the same matrix every time: after $d$ steps back something has met it $d$ times.
std::vector<double> norms_by_hand(const Tensor& w, const std::vector<Tensor>& h, Tensor g) {
    std::vector<double> norms{typical_norm(g)};  // by distance
    for (std::size_t t = h.size() - 1; t > 0; --t) {
        g = matmul((1 - square(detach(h[t]))) * g, w);
        norms.push_back(typical_norm(g));
    }
    return norms;
}

//! ## Multiplied sixty times
//!
//! The largest modulus among the eigenvalues of $W$ is its *spectral radius* $\rho$; multiplying by
//! $W$ again and again grows like $\rho^d$. Here $W$ is $\rho$ times a random orthogonal matrix,
//! one that keeps every length, so that nothing but $\rho$ matters. The slopes are at most 1. If
//! the two are independent, each step multiplies the norm by $\rho s$, where $s^2$ is the mean of
//! $(1 - h^2)^2$.
constexpr int width = 64, rows = 16, steps = 60;
constexpr double input = 0.5;  // the deviation of x

void walk_back(Lesson& lesson, Prediction guess) {
    lesson.heading("Multiplied sixty times");
    LinePlot plot{.x_label = "steps back", .y_label = "norm of the gradient", .log_y = true};
    Table table({"radius", "slope", "product", "fitted rate", "left after 50 steps"});
    double off = 0, gap = 0;  // the largest
    for (double radius : {0.5, 0.8, 1.0, 1.3, 1.6, 2.0, 3.0}) {
        Rng rng(lesson.seed());
        const Tensor w = radius * orthogonal({width, width}, rng, 1, Dtype::float64);
        const Tensor x = normal({rows, 20 + steps, width}, 0, input, rng, Dtype::float64);
        std::vector<Tensor> h = read_by_hand(w, x);
        h.erase(h.begin(), h.begin() + 20);  // until it has forgotten that it began with zeros
        const Tensor g = directions(rows, width, rng);
        const std::vector<double> y = norms_by_hand(w, h, g);
        const double engine = typical_norm(grad(h.back(), {h.front()}, false, g)[0]);
        gap = std::max(gap, std::abs(y.back() / engine - 1));
        h.erase(h.begin());
        const double slope = std::sqrt(mean(square(1 - square(detach(stack(h))))).item());
        const double rate = fitted_rate(y);
        off = std::max(off, std::abs(rate / (radius * slope) - 1));
        table.row(radius, number(slope, 3), number(radius * slope, 3), number(rate, 3),
                  number(y[50], 2));
        if (radius == 1) lesson.reveal(guess, y[50]);
        plot.series.push_back(by_distance(fmt::format("radius {}", radius), y));
    }
    lesson.table(table, "A gradient walks back through a plain network.");
    lesson.show("plain", plot, "Straight lines on a logarithmic axis: the same factor every step.");
    lesson.claim("norm by hand against the engine's, relative difference", gap, at_most(1e-9));
    lesson.claim("fitted rate against radius times slope, relative difference", off, at_most(0.05));
}

//! A matrix that keeps every length forgets all the same, because the slopes do not. (Stacked
//! layers are sometimes blamed; here is one.) The border between *vanishing* and *exploding*
//! gradients is not $\rho = 1$ but $\rho s = 1$, a knife's edge that moves with the inputs' size.
//!
//! ## A road past the matrix
//!
//! The cure is a state that is carried over instead of being multiplied by a matrix. In the *gated
//! recurrent unit*, GRU (Cho et al. 2014), a *gate* $z$ says for each number how much of it stays:
//!
//! $$ h_t = z \, h_{t-1} + (1 - z) \, n_t, \qquad z = 1 / (1 + e^{-a_t}), $$
//!
//! with $n_t$ computed much as above, and $a_t$ from $h_{t-1}$ and $x_t$. The *long short-term
//! memory*, LSTM (Hochreiter and Schmidhuber 1997; its gate $f$ came in 2000), has a second state
//! and three gates $f$, $i$, $o$: $c_t = f c_{t-1} + i \, n_t$, of which it shows a part,
//! $h_t = o \tanh c_t$. Backwards, the old state now receives $z$ (or $f$) times the gradient
//! directly. So the story is usually told. But $a_t$ begins near 0 and $z$ near one half, and half
//! of a half of a half is soon nothing. So we also add 3 to the bias of that one gate: $z = 0.95$.
void compare_gates(Lesson& lesson, Prediction guess) {
    lesson.heading("A road past the matrix");
    Rng rng(lesson.seed());
    const Tensor x = normal({rows, steps, width}, 0, input, rng);
    LinePlot plot{.x_label = "steps back", .y_label = "norm of the gradient", .log_y = true};
    Table table({"cell", "fitted rate", "left after 50 steps"});
    const auto left = [&](const std::string& name, const RecurrentCell& cell) {
        const std::vector<double> y = norms_by_distance(cell, x, rng);
        plot.series.push_back(by_distance(name, y));
        table.row(name, number(fitted_rate(y), 3), number(y[50], 2));
        return y[50];
    };
    const double plain = left("plain, radius 1", turning_cell(width, rng));
    RecurrentCell gru(CellKind::gru, width, width, rng), lstm(CellKind::lstm, width, width, rng);
    const double fresh_gru = left("GRU", gru), fresh_lstm = left("LSTM", lstm);
    keep_longer(gru, 3);
    keep_longer(lstm, 3);
    const double gru_3 = left("GRU, bias 3", gru), lstm_3 = left("LSTM, bias 3", lstm);
    lesson.table(table, "The same for gated cells, of the same width and on the same inputs.");
    lesson.show("gated", plot, "A gate as it usually begins forgets; one told to keep does not.");
    lesson.reveal(guess, fresh_gru > plain ? "the GRU" : "the plain one");
    lesson.claim("GRU and LSTM as they usually begin: left after 50 steps, over the plain one's",
                 std::max(fresh_gru, fresh_lstm) / plain, less_than(1));
    lesson.claim("with a bias of 3: left after 50 steps, the smaller", std::min(gru_3, lstm_3),
                 at_least(0.03));
}

//! ## Learning across a distance
//!
//! A gradient that vanishes is no harm in itself. What matters is whether a network can learn that
//! something long ago was important. The *adding problem* asks for that and nothing else: of a row
//! of numbers two are marked; what is their sum? The three cells have equally many parameters
//! (about 3,300), see the same problems, and take the same number of steps with Adam, at the better
//! of two learning rates for each length, found on problems used for nothing else. The plain
//! network begins with $\rho = 1$, the others with a bias of 3.
void learn_to_add(Lesson& lesson, int training, Prediction guess) {
    lesson.heading("Learning across a distance");
    const bool quick = lesson.quick();
    const std::vector<int> lengths =
        quick ? std::vector<int>{10, 40} : std::vector<int>{10, 20, 40, 80};
    LinePlot plot{.x_label = "length", .y_label = "squared error", .log_x = true, .log_y = true};
    LinePlot after{.x_label = "steps back", .y_label = "norm of the gradient", .log_y = true};
    Table table({"cell", "length", "rate", "squared error"});
    std::map<std::pair<std::string, int>, double> error;
    std::string longest = "none";
    for (const auto& [kind, name] :
         {std::pair(CellKind::rnn_tanh, "plain"), std::pair(CellKind::gru, "GRU"),
          std::pair(CellKind::lstm, "LSTM")}) {
        std::vector<std::vector<double>> runs(quick ? 1 : 5);
        Class taught;
        for (int T : lengths) {
            taught = teach_class(kind, T, training, quick ? 1 : 5, 1000 * lesson.seed());
            for (std::size_t i = 0; i < runs.size(); ++i) runs[i].push_back(taught.errors[i]);
            table.row(name, T, taught.rate, mean_and_spread(taught.errors, 4));
            error[{name, T}] = summarise(taught.errors).mean;
        }
        plot.series.push_back(over_seeds(name, {lengths.begin(), lengths.end()}, runs));
        Rng rng(lesson.seed());
        const Tensor x = adding_problems(rows, lengths.back(), rng).x;
        after.series.push_back(by_distance(name, norms_by_distance(taught.last.cell(), x, rng)));
    }
    lesson.table(table, "On new problems, mean and deviation. Always answering 1 has 0.167.");
    lesson.show("adding", plot, "The adding problem by length.");
    lesson.show("after", after, "The gradient in networks trained at the greatest length.");
    for (int T : lengths)
        if (error[{"plain", T}] < error_of_a_guess / 2) longest = std::to_string(T);
    if (!quick) lesson.reveal(guess, longest);
    lesson.claim("plain network at length 10, squared error", error[{"plain", 10}],
                 at_most(quick ? 0.12 : 0.03));
    lesson.claim("plain network at length 40", error[{"plain", 40}], at_least(0.13));
    lesson.claim("GRU at the greatest length", error[{"GRU", lengths.back()}], at_most(0.03));
    if (!quick) lesson.claim("LSTM at length 40", error[{"LSTM", 40}], at_most(0.08));
    const double left = after.series[1].y.back() / after.series[0].y.back();
    lesson.claim("gradient left over all of it, trained GRU over trained plain network", left,
                 at_least(quick ? 10 : 1e3));
}

//! ## The other danger
//!
//! Where $\rho s > 1$, gradients explode, and a single step may throw a network out of all it has
//! learned. The smallest example has one number as its state and two parameters (Pascanu, Mikolov
//! and Bengio 2013), $x_t = w \, \sigma(x_{t-1}) + b$ with $\sigma(a) = 1 / (1 + e^{-a})$, and
//! wants $\sigma(x_{50}) = 0.7$. Its loss has a cliff, and at the edge of it a huge gradient.
//! *Clipping* keeps the direction and shortens what is longer than 1:
//! $g \leftarrow g \cdot \min(1, 1 / |g|)$.
void fall_off_a_cliff(Lesson& lesson) {
    lesson.heading("The other danger");
    const int side = lesson.quick() ? 20 : 40;
    const Descents wild = descend(side, 0), tame = descend(side, 1);
    lesson.show(
        "cliff",
        {picture_of_loss("the loss", side), picture_of("without clipping", wild),
         picture_of("with clipping", tame)},
        "Over w (rightwards) and b (upwards): the loss, dark where it is high, and whether a "
        "descent that starts there reaches the bottom (white).");
    lesson.claim("longest step, without clipping", wild.longest_step, at_least(100));
    lesson.claim("share of starts that reach the bottom, unclipped", wild.reached, at_most(0.75));
    lesson.claim("the same share with clipping", tame.reached, at_least(0.85));
}

}  // namespace

//! ## What this does not show
//!
//! Other matrices: for them $\rho s$ is only an estimate. And memory is more than gradients: a
//! state of fixed size holds only so much (lesson 06).
//!
//! Sources: Elman (1990); Bengio, Simard and Frasconi (1994), vanishing gradients; Hochreiter and
//! Schmidhuber, "Long Short-Term Memory" (1997), section 5.4; Gers, Schmidhuber and Cummins (2000),
//! the gate $f$; Jozefowicz et al. (2015), its bias; Cho et al. (2014), section 2.3; Pascanu,
//! Mikolov and Bengio, "On the difficulty of training recurrent neural networks" (2013).
//!
//! ## Try this next
//!
//! 1. `input = 0.1`, then 2: at which radius do gradients now neither vanish nor explode?
//! 2. In `adding.h`, `keep = 0`: up to which length do the gated cells learn as they usually begin?
//! 3. `--steps 5000`: does patience help the plain network?
int main(int argc, char** argv) {
    Lesson lesson(
        {.number = 5,
         .name = "recurrence",
         .title = "What a recurrent network forgets",
         .question = "A network reads one word after another: what does it forget, and why?",
         .own_data = "random inputs, and adding problems drawn afresh for every batch"});
    int training = 0;
    lesson.option("--steps", training, "steps of training (1200; quick 300)");
    return lesson.run(argc, argv, [&] {
        if (training == 0) training = lesson.quick() ? 300 : 1200;
        const Prediction left = lesson.predict(
            "The matrix of a network keeps lengths. What share of a gradient is left 50 steps "
            "back?",
            within_factor(10));
        const Prediction fresh = lesson.predict(
            "Before any training, which loses less of a gradient: that network, or a GRU?",
            {"the plain one", "the GRU"});
        const Prediction longest = lesson.predict(
            "Two of 10, 20, 40 or 80 numbers are to be added: how many can the plain network read?",
            {"none", "10", "20", "40", "80"});
        walk_back(lesson, left);
        compare_gates(lesson, fresh);
        learn_to_add(lesson, training, longest);
        fall_off_a_cliff(lesson);
    });
}
