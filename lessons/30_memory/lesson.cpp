//! # How can a model train that does not fit?
//!
//! A large model needs more bytes for training than one machine has. The first idea is usually that
//! the parameters are too many. We count, and find that most of the bytes are somewhere else. Then
//! there are three ways to need fewer of them. The first never stores the attention weights. The
//! second throws intermediate results away and computes them again. The third computes them
//! backwards from the output. All three give the same gradient, apart from rounding. (A fourth way,
//! to divide the batch among several processes, is workshop {processes}.)

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "attention/fused/scaled_dot_product.h"
#include "attention/transformer/language_model.h"
#include "autograd/autograd.h"
#include "autograd/base/pool.h"
#include "lessons/30_memory/pictures.h"
#include "lessons/course/course.h"
#include "nn/nn.h"

namespace heed::lesson30 {

using namespace course;

namespace {

double megabytes(double bytes) { return bytes / 1e6; }

// The bytes in live tensors of this program, as the engine's pool counts them.
double bytes_in_use() { return static_cast<double>(memory_use().in_use); }

// Six layers, forward and then backward: the bytes that are kept after each.
void opening(Lesson& lesson) {
    Rng rng(lesson.seed());
    BarChart chart{.title = "What six layers keep", .value_label = "MB"};
    chart.sets.push_back({});
    const auto add = [&, before = bytes_in_use()](const std::string& when) {
        chart.labels.push_back(when);
        chart.sets[0].values.push_back(megabytes(bytes_in_use() - before));
    };
    Tensor x = normal({1024, 256}, 0, 1, rng);
    for (int layer = 1; layer <= 6; ++layer) {
        const Linear linear(256, 256, rng);
        x = tanh(linear(x));
        add(fmt::format("after layer {}", layer));
    }
    backward(sum(x));
    x = Tensor();
    add("after backward");
    lesson.show("kept", chart,
                "Six layers of width 256 read 1,024 tokens. Each keeps a copy of what it computed, "
                "until the way back has used it: a stack that grows with the depth. (Counted by "
                "the engine; the parameters are counted, too.)");
}

struct Measured {
    double bytes = 0;    // the largest amount in use at one time, beyond what was in use before
    double seconds = 0;  // of the fastest of `times` calls
};

Measured measure(const std::function<void()>& work, int times = 1) {
    Measured all{0, std::numeric_limits<double>::infinity()};
    for (int i = 0; i < times; ++i) {
        const double before = bytes_in_use();
        reset_peak_memory();
        const auto start = std::chrono::steady_clock::now();
        work();
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        all.seconds = std::min(all.seconds, taken.count());
        all.bytes = static_cast<double>(memory_use().peak) - before;
    }
    return all;
}

//! ## Where the bytes go
//!
//! Let us train a small GPT (lesson {language_model}) for one step and write down the number of
//! bytes after each part of it. Four kinds of numbers have to be stored:
//!
//! * the **parameters**, $P$ numbers;
//! * the state of the **optimiser**: Adam keeps two running means for each parameter, $2P$ numbers;
//! * the **activations**: results of operations that the backward pass will need again (lesson
//!   {autograd}). They are kept from the forward pass until the backward pass has used them;
//! * the **gradients**, one number for each parameter, $P$ numbers.
//!
//! A number in float32 takes 4 bytes, so the first, second and fourth kind take $16 P$ bytes
//! together, whatever the data are. The activations depend on the data. Every layer computes
//! vectors of width $D$ for every token, say $c$ of them. With $B$ sequences of $T$ tokens and $L$
//! layers that is
//!
//! $$ \text{activations} = 4 \, c \, B \, T \, D \, L \text{ bytes}. $$
//!
//! For one layer we can list them: the two norms, query, key, value, the context, the output of the
//! attention, the residual sums, and the hidden units of the feed-forward network, which is four
//! times as wide as the model and is needed before and after its activation function. These are
//! $2 + 3 + 1 + 1 + 2 + 8 = 17$ vectors, so we expect $c$ to be about 17.
//!
//! {no results} Work one case by hand. Take $D = 64$, $L = 4$, $B = 16$, $T = 64$. A layer has
//! about $12 D^2$ parameters, so $P \approx 4 \cdot 12 \cdot 4096 \approx 197{,}000$ and $16 P$ is
//! about 3.1 million bytes. The activations take
//! $4 \cdot 17 \cdot 1024 \cdot 64 \cdot 4 \approx 18$ million bytes: nearly six times as much.
struct Bytes {
    double parameters, optimiser, activations, gradients;
};

Bytes bytes_of_a_step(int64_t batch, int64_t length, std::uint64_t seed, double& parameters) {
    Rng rng(seed);
    Bytes bytes{};
    double before = bytes_in_use();
    const auto since = [&] { return bytes_in_use() - std::exchange(before, bytes_in_use()); };
    const LanguageModel model(
        {.vocabulary = 65,
         .stack = gpt({.width = 64, .heads = 4, .layers = 4, .max_positions = 64})},
        rng);
    bytes.parameters = since();
    parameters = static_cast<double>(parameter_count(model));
    Adam adam(heed::parameters(model), {.lr = 1e-3});
    bytes.optimiser = since();
    std::vector<int> ids;
    for (int64_t i = 0; i < batch * length; ++i) ids.push_back(static_cast<int>(rng.below(65)));
    const Indices text(ids, {batch, length});
    Tensor loss = sequence_cross_entropy(model(text), text, -1);
    bytes.activations = since();
    backward(loss);
    loss = Tensor();                                // the last of the graph goes
    bytes.gradients = since() + bytes.activations;  // the activations are gone
    adam.step();
    return bytes;
}

void count_bytes(Lesson& lesson, Prediction guess) {
    lesson.heading("Where the bytes go");
    lesson.show("step", training_step(),
                "One training step of two layers, and how long each kind of bytes is needed.");
    Table table({"sequences", "parameters", "optimiser", "gradients", "activations", "c"});
    BarChart chart{.value_label = "MB"};
    chart.sets.push_back({});
    std::vector<Bytes> found;
    double parameters = 0;
    for (const int64_t batch : {1, 4, 16}) {
        const Bytes b = bytes_of_a_step(batch, 64, lesson.seed(), parameters);
        found.push_back(b);
        const double c = b.activations / (4.0 * static_cast<double>(batch) * 64 * 64 * 4);
        table.row(batch, megabytes(b.parameters), megabytes(b.optimiser), megabytes(b.gradients),
                  megabytes(b.activations), number(c, 3));
    }
    const Bytes& large = found.back();
    chart.labels = {"parameters", "optimiser", "gradients", "activations"};
    for (const double bytes :
         {large.parameters, large.optimiser, large.gradients, large.activations})
        chart.sets[0].values.push_back(megabytes(bytes));
    lesson.table(table,
                 "Megabytes of one training step of a GPT with 4 layers of width 64 on "
                 "sequences of 64 tokens, counted by the engine.");
    lesson.show("bytes", chart, "The same for 16 sequences.");
    const double rest = large.parameters + large.optimiser + large.gradients;
    lesson.reveal(guess, large.activations / (rest + large.activations));
    lesson.claim(
        "sixteen-bytes",
        "identity: bytes of parameters, optimiser and gradients over 16 for each parameter",
        rest / (16 * parameters), between(1, 1.25));
    lesson.claim("activations-growth", "identity: bytes of activations, 16 sequences over 4",
                 large.activations / found[1].activations, between(3.6, 4.2));
    lesson.claim("activations-share", "identity: activations over all other bytes, 16 sequences",
                 large.activations / rest, more_than(4));
}

//! {if activations-share > 4} Counted, they take {activations-share:1} times as many bytes as all
//! else. (The engine takes the bytes of its tensors from a pool, a store of pieces that are used
//! again, and the pool rounds sizes up.) The activations grow with the number of sequences and
//! everything else stays the same. So a step that does not fit can be made to fit by a smaller
//! batch, as long as at least one sequence fits. For long sequences there is one more kind of
//! activation, and it grows faster than all others.
//!
//! ## Attention by tiles
//!
//! Attention compares every query with every key. The scores of one head are a matrix of $T$ by $T$
//! numbers, and so are the weights. With $T = 16{,}384$ a single such matrix has 268 million
//! numbers, which is more than a gigabyte. But the result has only $T$ rows of width $D$. Can we
//! compute it without ever storing the matrix?
//!
//! The naive attempt is to cut the keys into tiles, to compute attention for each tile, and to
//! average the results. It fails: the softmax of a tile makes its weights sum to 1, so a tile in
//! which nothing is important gets as much weight as the tile with the answer.
//!
//! The sums must be kept apart. For one query with scores $s_1, \dots, s_T$ and values $v_j$, the
//! result is a quotient of two sums:
//!
//! $$ o = \frac{\sum_j e^{s_j} v_j}{\sum_j e^{s_j}} $$
//!
//! Each sum can be computed tile by tile. One problem is left: $e^{s}$ overflows for large scores,
//! so a softmax first subtracts the largest score (lesson {probabilities}), and the largest score
//! of all is known only at the end. The way out is to subtract the largest score so far, $m$, and
//! to correct the two sums when a larger one, $m'$, comes. All that has been added up so far
//! contains the factor $e^{-m}$, and should contain $e^{-m'}$. One multiplication by $e^{m - m'}$
//! does that, since $e^{-m} \cdot e^{m - m'} = e^{-m'}$. So we carry three things from tile to
//! tile: the maximum $m$, the sum of weights $\ell$, and the weighted sum of values $a$. For a tile
//! with scores $s_j$:
//!
//! $$ m' = \max(m, \max_j s_j), \qquad
//!    \ell' = e^{m - m'} \ell + \sum_j e^{s_j - m'}, \qquad
//!    a' = e^{m - m'} a + \sum_j e^{s_j - m'} v_j $$
//!
//! and at the end $o = a / \ell$. *Online softmax* (Milakov and Gimelshein 2018) is this
//! computation of a softmax and its weighted sum in one pass over tiles, none of which is seen
//! again.
//!
//! {no results} An example with numbers. The scores are 1, 3 in the first tile and 2, 5 in the
//! second one, the values are 10, 20 and 30, 40. After the first tile $m = 3$,
//! $\ell = e^{-2} + 1 = 1.1353$ and $a = 0.1353 \cdot 10 + 20 = 21.353$. The second tile raises the
//! maximum to 5, so both sums are multiplied by $e^{3-5} = 0.1353$: they become 0.1537 and 2.890.
//! Added are $e^{-3} = 0.0498$ and 1: $\ell = 1.2034$ (before rounding) and
//! $a = 2.890 + 1.494 + 40 = 44.384$. The result is $44.384 / 1.2034 = 36.88$.
//!
//! The function `attention_by_tiles` does this for all queries at the same time.
//!
//! ![Read tile after tile. When a tile has a larger score, all sums so far are multiplied by a number below 1, and nothing is lost: at the end the context is that of the whole row. Other sizes of tiles give the same.](live:tiles)
Tensor attention_by_tiles(const Tensor& q, const Tensor& k, const Tensor& v, int64_t tile) {
    const int64_t queries = q.size(0), keys = k.size(0), D = q.size(1);  // q [Q, D], k, v [K, D]
    Tensor m = full({queries, 1}, -std::numeric_limits<double>::infinity(), q.dtype()),
           l = zeros({queries, 1}, q.dtype()), a = zeros({queries, D}, q.dtype());
    for (int64_t first = 0; first < keys; first += tile) {
        const int64_t last = std::min(first + tile, keys);
        const Tensor s = matmul(q, transpose(slice(k, 0, first, last))) /
                         std::sqrt(static_cast<double>(D));  // [Q, tile]
        const Tensor larger = maximum(m, max(s, 1, true));
        const Tensor p = exp(s - larger), factor = exp(m - larger);
        l = factor * l + sum(p, 1, true);
        a = factor * a + matmul(p, slice(v, 0, first, last));
        m = larger;
    }
    return a / l;
}

void attend_by_tiles(Lesson& lesson) {
    lesson.heading("Attention by tiles");
    Rng rng(lesson.seed());
    const auto random = [&](int64_t rows, Dtype dtype) {
        return normal({rows, 32}, 0, 2, rng, dtype);
    };
    const auto as_head = [](const Tensor& x) { return reshape(x, {1, 1, x.size(0), x.size(1)}); };
    const Tensor q = random(40, Dtype::float64), k = random(75, Dtype::float64),
                 v = random(75, Dtype::float64);
    const Tensor whole = reshape(
        scaled_dot_product_definition(as_head(q), as_head(k), as_head(v)).context, {40, 32});
    const Tensor library =
        reshape(scaled_dot_product_attention(as_head(q), as_head(k), as_head(v)), {40, 32});
    double off = 0;
    for (const int64_t tile : {1, 16, 75})
        off = std::max(off, max(abs(attention_by_tiles(q, k, v, tile) - whole)).item());
    lesson.claim(
        "tiles-by-hand",
        "identity: attention by tiles of 1, 16 and 75 keys against the definition, largest difference",
        off, at_most(1e-12));
    lesson.claim("library",
                 "identity: the library's attention against the definition, largest difference",
                 max(abs(library - whole)).item(), at_most(1e-12));

    //! The library computes attention in this way (Rabe and Staats 2021, Dao et al. 2022), in
    //! float32 and with several queries and keys in registers at a time
    //! (`attention/fused/tiled_attention.cpp`). Its backward pass computes the scores once more,
    //! tile by tile, from the kept $m$ and $\ell$. We count the bytes of a forward and backward
    //! pass of one head.
    std::vector<int64_t> lengths{256, 512, 1024};
    if (!lesson.quick()) lengths.push_back(2048);
    LinePlot plot{.x_label = "length T", .y_label = "MB", .log_x = true, .log_y = true};
    plot.series = {{"definition"}, {"by tiles"}};
    std::vector<std::vector<double>> bytes(2);
    for (const int64_t length : lengths) {
        const auto part = [&] {
            return as_head(random(length, Dtype::float32)).set_requires_grad();
        };
        const Tensor query = part(), key = part(), value = part();
        const auto pass = [&](bool tiles) {
            return measure([&] {
                const Tensor context =
                    tiles ? scaled_dot_product_attention(query, key, value)
                          : scaled_dot_product_definition(query, key, value).context;
                backward(sum(square(context)));
                for (Tensor x : {query, key, value}) x.clear_grad();
            });
        };
        for (int tiles : {0, 1}) {
            bytes[tiles].push_back(pass(tiles == 1).bytes);
            plot.series[tiles].x.push_back(static_cast<double>(length));
            plot.series[tiles].y.push_back(megabytes(bytes[tiles].back()));
        }
    }
    lesson.show(
        "tiles", plot,
        "Bytes of attention, forward and backward. For twice the length the definition needs "
        "about four times as many, attention by tiles two to three times as many.");
    const auto growth = [](const std::vector<double>& y) { return y.back() / y[y.size() - 2]; };
    lesson.claim("definition-growth", "identity: bytes of the definition, twice the length",
                 growth(bytes[0]), between(3.5, 4.3));
    lesson.claim("tiles-growth", "identity: bytes by tiles, twice the length", growth(bytes[1]),
                 at_most(3));
    lesson.claim("tiles-over-definition",
                 "identity: bytes by tiles over those of the definition, longest sequence",
                 bytes[1].back() / bytes[0].back(), at_most(lesson.quick() ? 0.2 : 0.15));
}

//! {if definition-growth > 3.5 and tiles-growth < 3} For twice the length the definition needs
//! {definition-growth:1} times the bytes, and the tiles {tiles-growth:1} times. Why not two? The
//! backward pass divides the keys into up to eight parts, so that threads can share the work, and
//! each part has its own sum of the queries' gradients. Short sequences have fewer parts. Once
//! there are eight, the bytes grow in proportion to the length. {if tiles-over-definition < 0.1}
//! For the longest sequence the tiles need {tiles-over-definition:%} of the bytes.
//!
//! ## Computing again instead of keeping
//!
//! Twelve layers keep twelve sets of activations, because the backward pass begins with the last
//! layer and the first layer has to wait the longest. But activations can be thrown away: the input
//! of the layer gives them again. So we keep only some activations, the *checkpoints*, from which
//! the others can be computed again: the inputs of some layers. They cut the network into pieces.
//! When the backward pass reaches a piece, it runs the piece forward once more, with recording, and
//! then backward. This is *gradient checkpointing* (Griewank and Walther 2000; Chen et al. 2016).
//!
//! What does it cost? Say that a layer keeps $c$ vectors for each token, its input included, and
//! the $L$ layers are cut into $n$ pieces. During the forward pass $n$ inputs are kept, one vector
//! each. During the backward pass one piece at a time has all its activations, $c L / n$ vectors:
//!
//! $$ \text{vectors for each token} = n + \frac{c L}{n} $$
//!
//! The derivative $1 - cL / n^2$ is 0 at $n = \sqrt{cL}$. For $c = 1$ this is $\sqrt L$, the rule
//! that one often reads. But $c$ is about 17 here. With $L = 12$ the minimum is at
//! $n = \sqrt{204} \approx 14$, which is more than there are layers. So the best choice is a
//! checkpoint before every layer: $12 + 17 = 29$ vectors instead of 204, about seven times fewer.
//! The work grows by one forward pass. A backward pass takes about twice the time of a forward
//! pass, so we expect about $4/3$ of the time.
//!
//! The library's `checkpoint(f, {x})` computes `f` without keeping its intermediate results. The
//! function `run_in_pieces` runs a stack of layers that is cut into pieces.
Tensor run_in_pieces(const std::vector<TransformerEncoderLayer>& layers, Tensor x, int pieces) {
    if (pieces == 0) {  // keep everything
        for (const TransformerEncoderLayer& layer : layers) x = layer(x, {.causal = true});
        return x;
    }
    const std::size_t each = layers.size() / static_cast<std::size_t>(pieces);
    for (std::size_t first = 0; first < layers.size(); first += each)
        x = checkpoint(
            [&layers, first, each](const std::vector<Tensor>& in) {
                Tensor y = in[0];
                for (std::size_t i = first; i < first + each; ++i)
                    y = layers[i](y, {.causal = true});
                return y;
            },
            {x});
    return x;
}

void compare_checkpoints(Lesson& lesson, Prediction guess) {
    lesson.heading("Computing again instead of keeping");
    Rng rng(lesson.seed());
    const int64_t batch = lesson.quick() ? 2 : 8, length = 128, width = 64;
    std::vector<TransformerEncoderLayer> layers;
    std::vector<Parameter> weights;
    for (int i = 0; i < 12; ++i) {
        layers.emplace_back(TransformerOptions{.width = width, .heads = 4, .pre_norm = true}, rng);
        for (const Parameter& p : parameters(layers.back())) weights.push_back(p);
    }
    const Tensor x = normal({batch, length, width}, 0, 1, rng);
    const auto gradients = [&] {
        std::vector<double> all;
        for (const Parameter& p : weights)
            for (const double g : p.tensor.grad().to_vector()) all.push_back(g);
        return all;
    };
    const auto clear = [&] {
        for (Parameter& p : weights) p.tensor.clear_grad();
    };
    const auto pass = [&](int pieces) {
        return measure(
            [&] {
                clear();
                backward(mean(square(run_in_pieces(layers, x, pieces))));
            },
            lesson.quick() ? 1 : 3);
    };
    pass(0);  // from here on the gradients have their bytes
    const Measured kept = pass(0);
    const std::vector<double> expected = gradients();
    Table table({"checkpoints", "MB", "times fewer bytes", "times the time"});
    table.row("none", megabytes(kept.bytes), 1.0, 1.0);
    Series series{"measured"};
    double fewest = kept.bytes;
    int different = 0;
    for (const int pieces : {1, 2, 3, 4, 6, 12}) {
        const Measured now = pass(pieces);
        const std::vector<double> found = gradients();
        for (std::size_t i = 0; i < found.size(); ++i) different += found[i] != expected[i];
        table.row(pieces, megabytes(now.bytes), number(kept.bytes / now.bytes, 3),
                  number(now.seconds / kept.seconds, 3));
        series.x.push_back(pieces);
        series.y.push_back(megabytes(now.bytes));
        fewest = now.bytes;
    }
    clear();
    lesson.table(table,
                 "Twelve layers of width 64: the largest number of bytes in use at one time, "
                 "and the time, of a forward and backward pass.");
    lesson.show("checkpoints", {.x_label = "checkpoints", .y_label = "MB", .series = {series}},
                "More checkpoints, fewer bytes: the inputs that are kept are small.");
    lesson.reveal(guess, kept.bytes / fewest);
    lesson.claim(
        "checkpoint-bits",
        "identity: numbers of the gradient that differ in any bit, over all numbers of checkpoints",
        different, equals(0));
    lesson.claim("checkpoint-saves",
                 "identity: bytes without checkpoints over those with one before each layer",
                 kept.bytes / fewest, at_least(5));
}

//! {if checkpoint-saves > 5} With twelve checkpoints the step needs {checkpoint-saves:1} times
//! fewer bytes, and not seven times as the formula says: it leaves out that the backward pass also
//! needs bytes for the gradients. A single checkpoint even costs bytes. The backward pass then runs
//! all twelve layers again and has all their activations, as without checkpoints, and the gradients
//! of the parameters on top of them. The time grows by somewhat more than $4/3$: in layers as small
//! as these a forward pass takes more than a third of the whole time.
//!
//! The gradient has the same bits in all cases, because the same operations are computed from the
//! same numbers. This needs care with random numbers. If a layer drops units at random, the second
//! forward pass must drop the same units, so it needs a copy of the random number generator as it
//! was in the first one.
//!
//! ## Layers that run backwards
//!
//! Checkpoints still keep one input for each layer, and for a thousand layers these are many. Could
//! we compute the input of a layer from its output? For $y = x + f(x)$ we cannot: to subtract
//! $f(x)$ we would have to know $x$. Gomez et al. (2017) found a small change that makes it
//! possible. Cut $x$ into two halves, and let each half change with the help of the other one:
//!
//! $$ y_1 = x_1 + f(x_2), \qquad y_2 = x_2 + g(y_1) $$
//!
//! Now read it backwards. We know $y_1$, so we can compute $g(y_1)$ and get $x_2 = y_2 - g(y_1)$.
//! Then we know $x_2$, so we can compute $f(x_2)$ and get $x_1 = y_1 - f(x_2)$. Neither $f$ nor $g$
//! has to be invertible. Numbers: let $f(x) = x^2$, $g(y) = 3y$ and $x_1 = 1$, $x_2 = 2$. Then
//! $y_1 = 1 + 4 = 5$ and $y_2 = 2 + 15 = 17$. Backwards: $x_2 = 17 - 15 = 2$ and $x_1 = 5 - 4 = 1$.
//! In the Reformer (Kitaev et al. 2020) $f$ is attention and $g$ is the feed-forward network.
struct Reversible {
    std::vector<Linear> f, g;  // one of each for a layer
};

struct Halves {
    Tensor first, second;
};

Halves forwards(const Reversible& net, Halves x) {
    for (std::size_t i = 0; i < net.f.size(); ++i) {
        x.first = x.first + tanh(net.f[i](x.second));
        x.second = x.second + tanh(net.g[i](x.first));
    }
    return x;
}

//! The backward pass gets the outputs of the last layer and their gradients. For each layer it
//! computes one half of the input, records only this one function, and sends the gradient through
//! it. By the chain rule, the gradient of $y_1$ is the one that arrives from above plus the one
//! through $g$. The gradient of $x_2$ is that of $y_2$ plus the one through $f$. The function
//! `backwards` in `lesson.cpp` does this layer by layer.
void backwards(const Reversible& net, Halves y, Halves gradient) {
    const auto through = [](const Linear& layer, const Tensor& in, const Tensor& g) {
        Tensor leaf = copy_of(in).set_requires_grad();
        const Tensor out = tanh(layer(leaf));
        backward(sum(out * g));  // adds to the gradients of the layer's weights
        return std::pair(detach(out), leaf.grad());
    };
    for (std::size_t i = net.f.size(); i-- > 0;) {
        const auto [g_out, to_first] = through(net.g[i], y.first, gradient.second);
        y.second = y.second - g_out;  // x₂
        gradient.first = gradient.first + to_first;
        const auto [f_out, to_second] = through(net.f[i], y.second, gradient.first);
        y.first = y.first - f_out;  // x₁
        gradient.second = gradient.second + to_second;
    }
}

void reverse_layers(Lesson& lesson) {
    lesson.heading("Layers that run backwards");
    const std::vector<int> depths{4, 8, 16, 32};
    LinePlot plot{.x_label = "layers", .y_label = "MB", .log_x = true};
    plot.series = {{"kept"}, {"computed backwards"}};
    std::vector<std::vector<double>> bytes(2);
    double off = 0;
    for (const int depth : depths) {
        Rng rng(lesson.seed());
        Reversible net;
        std::vector<Parameter> weights;
        for (int i = 0; i < 2 * depth; ++i) (i % 2 ? net.g : net.f).emplace_back(32, 32, rng);
        for (auto* all : {&net.f, &net.g})
            for (Linear& layer : *all)
                for (const Parameter& p : parameters(layer)) weights.push_back(p);
        const Halves x{normal({512, 32}, 0, 1, rng), normal({512, 32}, 0, 1, rng)};
        const auto collect_and_clear = [&] {
            std::vector<double> all;
            for (Parameter& p : weights) {
                for (const double g : p.tensor.grad().to_vector()) all.push_back(g);
                p.tensor.clear_grad();
            }
            return all;
        };
        // The loss is the mean of the squares of all outputs.
        const Measured kept = measure([&] {
            const Halves y = forwards(net, x);
            backward(mean(square(y.first)) + mean(square(y.second)));
        });
        const std::vector<double> expected = collect_and_clear();
        const Measured reversed = measure([&] {
            Halves y;
            {
                const NoGrad nothing_is_kept;
                y = forwards(net, x);
            }
            const double scale = 2.0 / static_cast<double>(y.first.numel());
            backwards(net, y, {y.first * scale, y.second * scale});
        });
        const std::vector<double> found = collect_and_clear();
        double largest = 0, difference = 0;
        for (std::size_t i = 0; i < found.size(); ++i) {
            largest = std::max(largest, std::abs(expected[i]));
            difference = std::max(difference, std::abs(expected[i] - found[i]));
        }
        off = std::max(off, difference / largest);
        bytes[0].push_back(kept.bytes);
        bytes[1].push_back(reversed.bytes);
        for (int i : {0, 1}) {
            plot.series[i].x.push_back(depth);
            plot.series[i].y.push_back(megabytes(bytes[i].back()));
        }
    }
    lesson.show("reversible", plot, "Bytes of a forward and backward pass, gradients included.");
    lesson.claim(
        "reversible-gradient",
        "identity: gradient of reversible layers against the ordinary one, largest difference over "
        "the largest number",
        off, at_most(1e-5));
    lesson.claim("kept-growth", "identity: bytes when all is kept, 32 layers over 8",
                 bytes[0][3] / bytes[0][1], between(3, 4.3));
    lesson.claim("reversible-saves",
                 "identity: bytes computed backwards over bytes when all is kept, 32 layers",
                 bytes[1][3] / bytes[0][3], at_most(0.2));
}

}  // namespace

}  // namespace heed::lesson30

//! Unlike checkpointing, this does not give the same bits. $x_1 + f(x_2) - f(x_2)$ is not exactly
//! $x_1$ after rounding, and the error is carried from layer to layer.
//! {if all reversible-gradient < 0.00001 and reversible-saves < 0.2} The gradient still agrees to
//! five digits, and with 32 layers {reversible-saves:%} of the bytes are enough.
//!
//! ## What this does not show
//!
//! Numbers of 16 bits halve most of the bytes; this engine has none. We count bytes that are
//! **stored**. On a graphics processor the greater gain of the tiles is in bytes that are
//! **moved**: the slow main memory is read and written far less often (Dao et al. 2022). The times
//! depend on the machine, and on a processor that does other work at the same time they mean
//! little, so no claim is made about them.
//!
//! Sources: Milakov and Gimelshein, "Online normalizer calculation for softmax" (2018), section 3;
//! Rabe and Staats, "Self-attention does not need O(n²) memory" (2021) and Dao et al.,
//! "FlashAttention" (2022), section 3, for attention by tiles; Griewank and Walther, "Revolve"
//! (2000); Chen et al., "Training Deep Nets with Sublinear Memory Cost" (2016), section 4; Gomez,
//! Ren, Urtasun and Grosse, "The Reversible Residual Network" (2017), section 3.1; Kitaev, Kaiser
//! and Levskaya, "Reformer" (2020), section 3.
//!
//! ## Summary
//!
//! 1. Parameters, their gradients and Adam's state take 16 bytes for each parameter; the
//!    activations grow with the batch and are soon larger than all of these.
//! 2. A softmax can be computed tile by tile if its two sums are corrected whenever the maximum
//!    grows. For long sequences attention then needs bytes in proportion to the length, not to its
//!    square.
//! 3. Checkpoints keep a few inputs and compute the rest again: the same bits, several times fewer
//!    bytes, one more forward pass.
//! 4. Reversible layers keep only the last output, whatever the depth. Rounding makes their
//!    gradient slightly different.
//!
//! ## Try this next
//!
//! 1. Before you run it: how many bytes do 16 sequences of 128 tokens need? Change `max_positions`
//!    and the length in `count_bytes` and compare.
//! 2. Write `attention_by_tiles` with a causal mask. Which tiles need not be computed at all?
//! 3. Cut twelve layers into pieces of different sizes. Can three checkpoints do better than the
//!    three of the table?
using namespace heed;
using namespace heed::lesson30;

int main(int argc, char** argv) {
    Lesson lesson({.number = 30,
                   .name = "memory",
                   .title = "How can a model train that does not fit?",
                   .question = "Where do the bytes of a training step go, and which of them can be "
                               "saved without changing the gradient?",
                   .own_data = "random tokens and random vectors",
                   .trains = false});
    return lesson.run(argc, argv, [&] {
        const Prediction share = lesson.predict(
            "A GPT with 4 layers of width 64 is trained on 16 sequences of 64 tokens. What share of "
            "the bytes are activations?",
            within(0.1).from(0, 1));
        const Prediction fewer = lesson.predict(
            "Twelve layers, a checkpoint before each. How many times fewer bytes does a training "
            "step need?",
            within_factor(1.5).from(0));
        opening(lesson);
        count_bytes(lesson, share);
        attend_by_tiles(lesson);
        compare_checkpoints(lesson, fewer);
        reverse_layers(lesson);
    });
}
