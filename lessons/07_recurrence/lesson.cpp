//! # What a recurrent network forgets
//!
//! Sentences differ in length, but the networks of lesson 04 had a fixed number of inputs. The
//! oldest solution is a loop: read one word, update a state, read the next word. After the last
//! word, the state should contain what was read. This lesson measures how much the state at the end
//! still depends on the first words, explains why, and shows what can be done about it without
//! attention.

#include <cmath>
#include <map>

#include "autograd/autograd.h"
#include "lessons/07_recurrence/adding.h"
#include "lessons/07_recurrence/cliff.h"
#include "lessons/07_recurrence/gradient_norms.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;

namespace {

//! ## A loop with a state
//!
//! The state is a vector $h$, the *hidden state*. The same *cell* updates it at every step. At step
//! $t$ the cell reads an input $x_t$, which here has the same width as $h$. The plain cell (Elman
//! 1990) is
//!
//! $$ h_t = \tanh(W h_{t-1} + x_t) . $$
std::vector<Tensor> read_by_hand(const Tensor& w, const Tensor& x) {  // [D, D], [B, T, D]
    std::vector<Tensor> h{zeros({x.size(0), w.size(0)}, w.dtype()).set_requires_grad()};
    for (const Tensor& x_t : unbind(x, 1)) h.push_back(tanh(matmul(h.back(), transpose(w)) + x_t));
    return h;  // h₀ ... h_T, each [B, D]
}

//! How much does the last state depend on a state many steps earlier? The backward pass of lesson
//! 02 computes the gradient $g_{t-1}$ of $h_{t-1}$ from the gradient $g_t$ of $h_t$: it multiplies
//! by the derivative of tanh, which is $1 - h_t^2$, and then by the matrix,
//!
//! $$ g_{t-1} = W^\top \big( (1 - h_t^2) \, g_t \big) . $$
//!
//! It is the same matrix at every step, so after $d$ steps the gradient has been multiplied by it
//! $d$ times.
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
//! The largest absolute value among the eigenvalues of $W$ is its *spectral radius* $\rho$. A
//! vector that is multiplied by $W$ many times grows like $\rho^d$. Here $W$ is $\rho$ times a
//! random orthogonal matrix, which keeps the length of every vector, so only $\rho$ matters. The
//! derivatives of tanh are at most 1. If they are independent of the gradient, each step multiplies
//! the norm by $\rho s$, where $s^2$ is the mean of $(1 - h^2)^2$.
constexpr int width = 64, rows = 16, steps = 60;
constexpr double input = 0.5;  // the standard deviation of x

void multiply_many_times(Lesson& lesson, Prediction guess) {
    lesson.heading("Multiplied sixty times");
    LinePlot plot{.x_label = "steps back", .y_label = "norm of the gradient", .log_y = true};
    Table table({"radius", "slope s", "product", "fitted factor", "left after 50 steps"});
    double off = 0, gap = 0;  // the largest errors
    for (double radius : {0.5, 0.8, 1.0, 1.3, 1.6, 2.0, 3.0}) {
        Rng rng(lesson.seed());
        const Tensor w = radius * orthogonal({width, width}, rng, 1, Dtype::float64);
        const Tensor x = normal({rows, 20 + steps, width}, 0, input, rng, Dtype::float64);
        std::vector<Tensor> h = read_by_hand(w, x);
        h.erase(h.begin(),
                h.begin() + 20);  // the first states still depend on the zeros at the start
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
    lesson.table(
        table,
        "The norm of a gradient in a plain network: the factor for each step, and what is left.");
    lesson.show(
        "plain", plot,
        "Straight lines on a logarithmic axis: every step multiplies the norm by the same factor.");
    lesson.claim("norm by hand against the engine's, relative difference", gap, at_most(1e-9));
    lesson.claim("fitted factor against radius times slope, relative difference", off,
                 at_most(0.05));
}

//! Even with a matrix that keeps all lengths, the gradient shrinks, because the derivatives of tanh
//! are below 1. (Some texts blame stacked layers; this network has one layer.) The border between
//! *vanishing* and *exploding* gradients is not $\rho = 1$ but $\rho s = 1$, and it depends on the
//! size of the inputs.
//!
//! ## Gates
//!
//! The remedy is a state that is copied from step to step instead of being multiplied by a matrix.
//! In the *gated recurrent unit*, GRU (Cho et al. 2014), a *gate* $z$ says for each number of the
//! state how much of it is kept:
//!
//! $$ h_t = z \, h_{t-1} + (1 - z) \, n_t, \qquad z = 1 / (1 + e^{-a_t}), $$
//!
//! with $n_t$ computed much as above, and $a_t$ from $h_{t-1}$ and $x_t$. The *long short-term
//! memory*, LSTM (Hochreiter and Schmidhuber 1997; its gate $f$ came in 2000), has a second state
//! $c$, the *cell state*, and three gates $f$, $i$, $o$: $c_t = f c_{t-1} + i \, n_t$ and
//! $h_t = o \tanh c_t$. In the backward pass, the old state now receives $z$ (or $f$) times the
//! gradient directly. Many explanations stop here. But before training, $a_t$ is near 0 and $z$
//! near one half, and a gradient that is halved at every step soon vanishes too. So we also try
//! adding 3 to the bias of that one gate, which makes $z = 0.95$.
void compare_gates(Lesson& lesson, Prediction guess) {
    lesson.heading("Gates");
    Rng rng(lesson.seed());
    const Tensor x = normal({rows, steps, width}, 0, input, rng);
    LinePlot plot{.x_label = "steps back", .y_label = "norm of the gradient", .log_y = true};
    Table table({"cell", "fitted factor", "left after 50 steps"});
    const auto left = [&](const std::string& name, const RecurrentCell& cell) {
        const std::vector<double> y = norms_by_distance(cell, x, rng);
        plot.series.push_back(by_distance(name, y));
        table.row(name, number(fitted_rate(y), 3), number(y[50], 2));
        return y[50];
    };
    const double plain = left("plain, radius 1", orthogonal_cell(width, rng));
    RecurrentCell gru(CellKind::gru, width, width, rng), lstm(CellKind::lstm, width, width, rng);
    const double fresh_gru = left("GRU", gru), fresh_lstm = left("LSTM", lstm);
    raise_keep_bias(gru, 3);
    raise_keep_bias(lstm, 3);
    const double gru_3 = left("GRU, bias 3", gru), lstm_3 = left("LSTM, bias 3", lstm);
    lesson.table(table, "The same for gated cells of the same width, on the same inputs.");
    lesson.show(
        "gated", plot,
        "With the usual initial bias the gradient vanishes; with a bias of 3 much of it is kept.");
    lesson.reveal(guess, fresh_gru > plain ? "the GRU" : "the plain one");
    lesson.claim(
        "GRU and LSTM with the usual initial bias: left after 50 steps, over the plain one's",
        std::max(fresh_gru, fresh_lstm) / plain, less_than(1));
    lesson.claim("GRU and LSTM with a bias of 3: left after 50 steps, the smaller of the two",
                 std::min(gru_3, lstm_3), at_least(0.03));
}

//! ## Learning across a distance
//!
//! What matters is whether a network can learn that an input many steps earlier was important. The
//! *adding problem* tests exactly this: in a sequence of numbers two are marked; what is their sum?
//! The three cells have about as many parameters (3,300), see the same problems, and take the same
//! number of steps with Adam. For each length we take the better of two learning rates, chosen on
//! problems used for nothing else. The plain network starts with $\rho = 1$, the others with a bias
//! of 3.
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
        TrainedAdders trained;
        for (int T : lengths) {
            trained = train_adders(kind, T, training, quick ? 1 : 5, 1000 * lesson.seed());
            for (std::size_t i = 0; i < runs.size(); ++i) runs[i].push_back(trained.errors[i]);
            table.row(name, T, trained.rate, mean_and_spread(trained.errors, 4));
            error[{name, T}] = summarise(trained.errors).mean;
        }
        plot.series.push_back(over_seeds(name, {lengths.begin(), lengths.end()}, runs));
        Rng rng(lesson.seed());
        const Tensor x = adding_problems(rows, lengths.back(), rng).x;
        after.series.push_back(by_distance(name, norms_by_distance(trained.last.cell(), x, rng)));
    }
    lesson.table(table,
                 "Squared error on new problems, mean and standard deviation. Always answering 1 "
                 "gives 0.167.");
    lesson.show("adding", plot, "The adding problem, by length.");
    lesson.show("after", after, "The gradient in networks trained with the longest sequences.");
    for (int T : lengths)
        if (error[{"plain", T}] < error_of_the_mean / 2) longest = std::to_string(T);
    if (!quick) lesson.reveal(guess, longest);
    lesson.claim("plain network at length 10, squared error", error[{"plain", 10}],
                 at_most(quick ? 0.12 : 0.03));
    lesson.claim("plain network at length 40, squared error", error[{"plain", 40}], at_least(0.13));
    lesson.claim("GRU at the greatest length, squared error", error[{"GRU", lengths.back()}],
                 at_most(0.03));
    if (!quick)
        lesson.claim("LSTM at length 40, squared error", error[{"LSTM", 40}], at_most(0.08));
    const double left = after.series[1].y.back() / after.series[0].y.back();
    lesson.claim("gradient left over the whole length, trained GRU over trained plain network",
                 left, at_least(quick ? 10 : 1e3));
}

//! ## Exploding gradients
//!
//! Where $\rho s > 1$, gradients explode, and a single step can destroy everything a network has
//! learned. The smallest example has one number as its state and two parameters (Pascanu, Mikolov
//! and Bengio 2013), $x_t = w \, \sigma(x_{t-1}) + b$ with $\sigma(a) = 1 / (1 + e^{-a})$. Its loss
//! is $(\sigma(x_{50}) - 0.7)^2$. This loss has a cliff, and near the cliff the gradient is huge.
//! *Clipping* keeps the direction of a gradient and reduces its length to at most 1:
//! $g \leftarrow g \cdot \min(1, 1 / |g|)$.
void clip_gradients(Lesson& lesson) {
    lesson.heading("Exploding gradients");
    const int side = lesson.quick() ? 20 : 40;
    const Descents unclipped = descend(side, 0), clipped = descend(side, 1);
    lesson.show("cliff",
                {picture_of_loss("the loss", side), picture_of("without clipping", unclipped),
                 picture_of("with clipping", clipped)},
                "w grows to the right, b upwards. Left: the loss, dark where it is high. Then: "
                "white where a descent that starts at this point reaches the minimum.");
    lesson.claim("longest step, without clipping", unclipped.longest_step, at_least(100));
    lesson.claim("share of starts that reach the minimum, without clipping", unclipped.reached,
                 at_most(0.75));
    lesson.claim("share of starts that reach the minimum, with clipping", clipped.reached,
                 at_least(0.85));
}

}  // namespace

//! ## What this does not show
//!
//! For matrices that are not orthogonal, $\rho s$ is only an estimate. And large gradients are not
//! enough: a state of fixed size can hold only a limited amount of information (lesson 08).
//!
//! Sources: Elman (1990); Bengio, Simard and Frasconi (1994), vanishing gradients; Hochreiter and
//! Schmidhuber, "Long Short-Term Memory" (1997), section 5.4; Gers, Schmidhuber and Cummins (2000),
//! the gate $f$; Jozefowicz et al. (2015), its bias; Cho et al. (2014), section 2.3; Pascanu,
//! Mikolov and Bengio, "On the difficulty of training recurrent neural networks" (2013).
//!
//! ## Try this next
//!
//! 1. `input = 0.1`, then 2: at which radius do gradients now neither vanish nor explode?
//! 2. In `adding.h`, set `keep_bias = 0`: up to which length do the gated cells learn with the
//!    usual initial bias?
//! 3. `--steps 5000`: does longer training help the plain network?
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
        const Prediction left = lesson.predict(
            "The matrix of a plain network keeps all lengths. What share of a gradient's norm is "
            "left after 50 steps back?",
            within_factor(10));
        const Prediction fresh = lesson.predict(
            "Before training, which loses less of the gradient: that network, or a GRU?",
            {"the plain one", "the GRU"});
        const Prediction longest = lesson.predict(
            "Two marked numbers of 10, 20, 40 or 80 are added. Up to which length does the plain "
            "network learn this?",
            {"none", "10", "20", "40", "80"});
        multiply_many_times(lesson, left);
        compare_gates(lesson, fresh);
        learn_to_add(lesson, training, longest);
        clip_gradients(lesson);
    });
}
