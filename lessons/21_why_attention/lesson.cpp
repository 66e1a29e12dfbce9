//! # Why did attention win?
//!
//! Somebody whispers 나는 학생 이다 to a neighbour, who whispers it to the next one. After a hundred
//! people, little of it is left. Now let the last one ask the first one directly.
//!
//! The translator of lesson {translation} (2015) does both. Its recurrent network passes a state
//! from word to word, and its attention asks each word directly. Two years later, Vaswani et al.
//! kept the attention and removed the recurrence, and nearly all large language models have been
//! built that way since. Three reasons are usually given. Direct connections cure vanishing
//! gradients. A long sentence is no longer a long way. And all words can be computed at the same
//! time. We measure all three, and then ask where a recurrent network is still the better choice.

#include <cmath>
#include <map>

#include "attention/fused/scaled_dot_product.h"
#include "autograd/autograd.h"
#include "lessons/21_why_attention/experiment.h"
#include "lessons/21_why_attention/models.h"
#include "lessons/21_why_attention/pictures.h"
#include "lessons/course/course.h"

namespace heed::lesson21 {

using namespace course;

namespace {

constexpr int64_t width = 64;

void opening(Lesson& lesson) {
    lesson.show("ways", two_ways(),
                "The first sentence on its way to the hundredth person, if each passes on half of "
                "what was heard. Attention asks the first person, and shares itself among all "
                "hundred.");
}

//! ## A whisper through a hundred people
//!
//! In a recurrent network, what it reads first reaches the end through all the states between. How
//! much of it is left can be measured. Take the result of a network, a vector $y$,
//! and make one number of it, a sum with random factors. Its gradient with respect to the input $d$
//! steps before the end says how much this input still matters. Lesson {recurrence} showed why its
//! norm shrinks: each step back multiplies the gradient by a matrix and by the derivative of tanh,
//! or by gates. If each product makes it half as long, then after 100 steps a share of $0.5^{100}$
//! is left, about $10^{-30}$.
//!
//! Here we compare six networks, all of width 64 and before any training:
//!
//! * a **plain** recurrent network, a **GRU** and an **LSTM**; $y$ is the last state, $h_T$;
//! * a GRU whose gate begins with the **bias 3** of lesson {recurrence};
//! * a **GRU with attention**: $y$ is the last state together with a context. The last state is the
//!   query, all states are keys and values:
//!
//! $$ c = \sum_{t=1}^T \alpha_t h_t, \qquad
//!    \alpha = \operatorname{softmax}\Big(\frac{h_T \cdot h_1}{\sqrt D}, \dots, \frac{h_T \cdot
//!    h_T}{\sqrt D}\Big) $$
//!
//!   Here $T$ is the number of inputs, $D$ the width, and $h_t$ the state after input $t$.
//! * a **Transformer** of two blocks; $y$ is its output at the last position. A block is attention
//!   of every position to every position, and then two linear layers, both parts with a residual
//!   connection (lesson {self_attention}). Lesson {transformer} builds it.
//!
//! Here `context_by_hand` computes the context with the scaled dot product of lesson {scores}.
Tensor context_by_hand(const Tensor& query, const Tensor& h) {  // [B, D], [B, T, D] -> [B, D]
    const Tensor scores = matmul(h, unsqueeze(query, -1));      // [B, T, 1]
    const Tensor scaled = scores / std::sqrt(static_cast<double>(h.size(-1)));
    const Tensor alpha = softmax(scaled, 1);  // over the T states
    return squeeze(matmul(transpose(alpha), h), 1);
}

//! In the formula of the context $h_t$ appears directly, multiplied by $\alpha_t$. So its gradient
//! contains $\alpha_t$ times that of $c$, without a product over the steps between. Before training
//! all weights are about $1/T$. With $T = 100$ the first state should receive about one hundredth,
//! far more than $10^{-30}$.
void compare_gradients(Lesson& lesson) {
    lesson.heading("A whisper through a hundred people");
    const Prediction guess = lesson.predict(
        "A GRU with attention reads 100 vectors. How large is the gradient 99 steps back, "
        "compared with that 1 step back?",
        within_factor(5).from(0).share());
    constexpr int64_t length = 100;
    LinePlot plot{
        .x_label = "steps before the end", .y_label = "norm of the gradient", .log_y = true};
    Table table({"network", "1 step back", "25 steps", "50 steps", "99 steps"});
    std::map<ReaderKind, std::vector<double>> norms;
    for (const ReaderKind kind : reader_kinds) {
        Rng rng(lesson.seed());
        const Reader reader(kind, width, rng);
        const std::vector<double> y = norms[kind] = gradient_by_distance(reader, length, rng);
        table.row(name_of(kind), number(y[1], 2), number(y[25], 2), number(y[50], 2),
                  number(y[99], 2));
        Series series{name_of(kind), {}, y};
        for (std::size_t d = 0; d < y.size(); ++d) series.x.push_back(static_cast<double>(d));
        plot.series.push_back(std::move(series));
    }
    lesson.table(table,
                 "The norm of the gradient of the result with respect to an input some "
                 "steps before the end, in untrained networks of width 64.");
    lesson.show("gradient_by_distance", plot,
                "On this logarithmic axis, recurrent networks fall in straight lines: they lose "
                "the same share at every step. With attention the line becomes flat.");
    const std::vector<double>&gru = norms[ReaderKind::gru], &lstm = norms[ReaderKind::lstm],
          &attended = norms[ReaderKind::gru_attention],
          &transformer = norms[ReaderKind::transformer];
    lesson.reveal(guess, attended[99] / attended[1]);
    lesson.claim(
        "recurrent-gradient",
        "finding: GRU and LSTM: gradient 50 steps back over that 1 step back, the larger of the two",
        std::max(gru[50] / gru[1], lstm[50] / lstm[1]), at_most(1e-8));
    lesson.claim("attended-gradient",
                 "finding: GRU with attention: gradient 99 steps back over that 50 steps back",
                 attended[99] / attended[50], between(0.85, 1.15));
    lesson.claim("transformer-gradient",
                 "finding: Transformer: gradient 99 steps back over that 1 step back",
                 transformer[99] / transformer[1], between(0.3, 3));

    Rng rng(lesson.seed());
    const Tensor query = normal({2, width}, 0, 1, rng, Dtype::float64),
                 h = normal({2, 12, width}, 0, 1, rng, Dtype::float64);
    const Tensor heads = unsqueeze(h, 1);  // one head: [B, 1, T, D]
    const Tensor library = reshape(
        scaled_dot_product_attention(reshape(query, {2, 1, 1, width}), heads, heads), {2, width});
    lesson.claim("context-by-hand",
                 "identity: the context by hand against the library's, largest difference",
                 max(abs(context_by_hand(query, h) - library)).item(), at_most(1e-12));
}

//! {if all recurrent-gradient < 0.000000001 and attended-gradient > 0.9} With the usual initial
//! biases the gradient of a GRU or an LSTM has shrunk to less than a billionth after 50 steps. With
//! the larger bias of lesson {recurrence} much more is left, but it still falls with the distance.
//! The line of the GRU with attention first falls like that of the GRU and then stays level.
//! Attention adds a second path from every state to the result. On this path an input 99 steps back
//! gets as much gradient as one 50 steps back. But the more inputs there are, the less each gets.
//! So where a text says that attention "solves" the vanishing gradient, it leaves out the price.
//!
//! ## The gradient is shared out
//!
//! If nothing is preferred, each of $T$ states gets $1/T$ of the gradient. On two logarithmic axes,
//! a gradient proportional to $1/T$ is a line of slope $-1$.
void share_the_gradient(Lesson& lesson) {
    lesson.heading("The gradient is shared out");
    std::vector<int64_t> lengths{16, 32, 64, 128};
    if (!lesson.quick()) lengths.push_back(256);
    LinePlot plot{.x_label = "length T",
                  .y_label = "gradient at the first input",
                  .log_x = true,
                  .log_y = true};
    std::map<ReaderKind, double> slope;
    for (const ReaderKind kind : {ReaderKind::gru_attention, ReaderKind::transformer}) {
        Series series{name_of(kind)};
        for (const int64_t length : lengths) {
            Rng rng(lesson.seed());
            const Reader reader(kind, width, rng);
            series.x.push_back(static_cast<double>(length));
            series.y.push_back(gradient_by_distance(reader, length, rng).back());
        }
        slope[kind] = std::log(series.y.back() / series.y.front()) /
                      std::log(series.x.back() / series.x.front());
        plot.series.push_back(std::move(series));
    }
    lesson.show("gradient_by_length", plot,
                "The gradient at the first of T inputs, before training. On the average each "
                "doubling of T about halves it.");
    lesson.claim(
        "attended-slope",
        "finding: GRU with attention: slope of the gradient at the first input against the length",
        slope[ReaderKind::gru_attention], between(-1.1, -0.85));
    lesson.claim(
        "transformer-slope",
        "finding: Transformer: slope of the gradient at the first input against the length",
        slope[ReaderKind::transformer], between(-1.4, -0.6));
}

//! {if all attended-slope < -0.9 and attended-slope > -1.1} The slope is {attended-slope:2} for the
//! GRU with attention and {transformer-slope:2} for the Transformer. A hundredth of the gradient
//! can still be learned from. Training then raises the weights of the states that matter, and their
//! share of the gradient grows with them. Where the gradient has shrunk exponentially, almost
//! nothing is left to learn from.
//!
//! ## Counted on the graph
//!
//! The paper compares layers in a small table, and we can check it. Our engine records every
//! operation of a computation, with its inputs (lesson {autograd}). On this graph three numbers can
//! be counted:
//!
//! * **work**: the multiply-adds of all matrix products;
//! * **sequential operations**: those on the longest chain. Each needs the result of the one before
//!   it, so even a machine with endless processors cannot do them at the same time;
//! * **path length**: the operations on the shortest path from the first input to the result.
//!   Operations that only move numbers are not counted.
//!
//! In a layer of GRU, each step multiplies two vectors of width $D$, the input and the last state,
//! by three matrices each (lesson {recurrence}): $6 T D^2$ multiply-adds for $T$ steps. A layer of
//! attention needs four products with $D \times D$ matrices for every position (query, key, value,
//! output) and twice $T D$ for the scores and the sum of the values: $4 T D^2 + 2 T^2 D$. With $D =
//! 64$ and $T = 32$ that is $786{,}432$ for the GRU and $655{,}360$ for attention. Both formulas
//! are equal when $T = D$. **Attention needs less work than the GRU while the sequence is shorter
//! than the vectors are wide, and more beyond.**
//!
//! ![Make the sequence longer than the layer is wide: from there on attention needs more work than the GRU. Then look at the path: in the GRU it grows with the length, and all of its steps wait for one another. In attention it is one step (of a few operations) for every length.](live:costs)
void count_costs(Lesson& lesson) {
    lesson.heading("Counted on the graph");
    const Prediction guess = lesson.predict(
        "An attention layer reads 128 vectors. How many of its operations must wait for one "
        "another?",
        within_factor(2).from(0));
    const std::vector<int64_t> lengths{8, 16, 32, 64, 128};
    std::vector<Counts> by_layer[2];  // of the GRU and of attention, for each length
    double off = 0;  // the largest relative difference between the counts and the formulas
    for (const int64_t T : lengths) {
        Rng rng(lesson.seed());
        const std::vector<Tensor> x = random_inputs(T, 1, width, rng);
        const Reader gru(ReaderKind::gru, width, rng);
        by_layer[0].push_back(count(gru(x), x[0]));
        const Tensor y = Block(width, rng).attend(stack(x, 1));
        by_layer[1].push_back(count(y, x[0]));
        const double by_formula[] = {6. * T * width * width,
                                     4. * T * width * width + 2. * T * T * width};
        for (std::size_t i = 0; i < 2; ++i)
            off = std::max(off, std::abs(by_layer[i].back().multiply_adds / by_formula[i] - 1));
    }
    Table table({"one layer", "GRU, 32", "GRU, 128", "attention, 32", "attention, 128"});
    const auto row = [&](const char* what, auto member) {
        std::vector<std::string> cells{what};
        for (const std::vector<Counts>& counts : by_layer)
            for (const Counts& at : {counts[2], counts[4]})
                cells.push_back(number(static_cast<double>(at.*member), 8));
        table.add(cells);
    };
    row("multiply-adds", &Counts::multiply_adds);
    row("sequential operations", &Counts::waiting);
    row("path length", &Counts::path);
    row("bytes of the results", &Counts::bytes);
    lesson.table(table,
                 "Layers of width 64 that read 32 and 128 vectors, counted on their graphs.");

    const auto& [gru, attention] = by_layer;
    const auto growth = [](const std::vector<Counts>& layer, auto what) {  // from 64 to 128
        return static_cast<double>(layer[4].*what) / static_cast<double>(layer[3].*what);
    };
    lesson.reveal(guess, static_cast<double>(attention[4].waiting));
    lesson.claim(
        "operations-formula",
        "identity: counted multiply-adds against the two formulas, largest relative difference",
        off, at_most(1e-12));
    lesson.claim("gru-waits", "identity: GRU: sequential operations, 128 inputs over 64",
                 growth(gru, &Counts::waiting), between(1.9, 2.1));
    lesson.claim("attention-waits",
                 "identity: attention: sequential operations, 128 inputs over 64",
                 growth(attention, &Counts::waiting), at_most(1));
    lesson.claim(
        "gru-way",
        "identity: GRU: path length from the first input to the result, 128 inputs over 64",
        growth(gru, &Counts::path), between(1.9, 2.1));
    lesson.claim(
        "attention-way",
        "identity: attention: path length from the first input to the result, 128 inputs over 64",
        growth(attention, &Counts::path), at_most(1));
    lesson.claim("attention-bytes",
                 "identity: bytes of the results of attention, 128 inputs over 64",
                 growth(attention, &Counts::bytes), more_than(2));
}

//! For attention, the last two can be counted by hand. The longest chain has six operations: the
//! query (or the key), the scores, their division by $\sqrt D$, the softmax, the weighted mean and
//! the output matrix. The shortest path has three: the value, the weighted mean and the output
//! matrix.
//!
//! {if all gru-waits > 1.99 and attention-waits < 1.01 and attention-bytes > 2} The counts confirm
//! the table of the paper. With twice the length, the GRU has twice as many sequential operations,
//! attention as many as before. They also show what attention costs: its results take
//! {attention-bytes:2} times the bytes for twice the length, because there is a score for every
//! pair of positions (lesson {long_sequences}).
//!
//! ## On a real machine
//!
//! A short chain helps only on a processor that can do many operations at the same time. A graphics
//! processor has thousands of arithmetic units; your machine probably has between two and sixteen
//! cores.
//!
//! {full run} The table shows the time of one layer, forward and backward, for 16 sequences of 256
//! vectors of width 64, with one thread and with all. (Threads are parts of a program that run at
//! the same time, usually one on each core.) Attention does about twice the work of the GRU here,
//! and a softmax on top. So on few cores it may well be slower, and no claim is made.
void measure_time(Lesson& lesson) {
    lesson.heading("On a real machine");
    Rng rng(lesson.seed());
    const int64_t length = lesson.quick() ? 64 : 256;
    const Tensor x = normal({16, length, width}, 0, 1, rng);
    const Gru gru(width, width, {}, rng);
    const SelfAttention attention({.width = width, .heads = 4}, {}, rng);
    const int all = threads();
    Table table({"layer", "threads", "milliseconds"});
    for (const int count : all > 1 ? std::vector<int>{1, all} : std::vector<int>{1}) {
        set_threads(count);
        table.row("GRU", count, number(1e3 * seconds_of([&] { return gru(x).output; }), 3));
        table.row("attention", count, number(1e3 * seconds_of([&] { return attention(x); }), 3));
    }
    set_threads(all);
    lesson.table(table, fmt::format("Median of seven runs, 16 sequences of {} vectors.", length));
}

//! ## Long sentences
//!
//! A gradient that arrives is not yet a word translated. So we train three translators on Korean
//! sentences of 2 to 60 words, on the same batches for the same number of steps, with about the
//! same number of parameters: one with a fixed context (lesson {bottleneck}), one with additive
//! attention over recurrent states (lesson {translation}), and a Transformer. The long sentences
//! are chains of short ones joined by "and", without other words or rules. A model that fails only
//! on these fails because of their length.
//!
//! We measure the share of words that are predicted right when the model is given the true words
//! before them.
void compare_lengths(Lesson& lesson, int steps, int seeds, int pairs) {
    lesson.heading("Long sentences");
    Prediction guess;  // what a quick run does not measure is not asked there
    if (!lesson.quick())
        guess = lesson.predict(
            "A translator with a fixed context: what share of words does it predict right in "
            "sentences of 51 to 60 words?",
            within(0.1).from(0, 1));
    const ParallelText text = from_corpus(korean_english(
        lesson.seed(), {.pairs = pairs, .valid = 10, .test = pairs / 15, .longest = 60}));
    const std::vector<Trained> all = train_by_length(lesson, text, steps, seeds);
    LinePlot plot{.x_label = "words of the Korean sentence",
                  .y_label = "share of words right",
                  .y_range = {0, 1}};
    std::vector<double> middles;
    std::vector<std::string> header{"model", "parameters"};
    for (const LengthBand& band : bands) {
        middles.push_back(0.5 * (band.from + band.to));
        header.emplace_back(band.name);
    }
    header.emplace_back("seconds");
    Table table(header);
    std::map<std::string, std::vector<double>> mean;  // by band
    for (const Trained& one : all) {
        const Series series = over_seeds(one.name, middles, one.right);
        mean[one.name] = series.y;
        std::vector<std::string> cells{one.name, number(static_cast<double>(one.parameters))};
        for (const double share : series.y) cells.push_back(fmt::format("{:.3f}", share));
        cells.push_back(number(summarise(one.seconds).mean, 3));
        table.add(cells);
        plot.series.push_back(series);
    }
    lesson.table(table,
                 fmt::format("Share of words predicted right on {} unseen sentences, by the "
                             "length of the sentence, and seconds of training; {}.",
                             text.test.size(), averaged_over(static_cast<std::size_t>(seeds))));
    lesson.show("by_length", plot,
                "Share of words predicted right, by the length of the Korean sentence.");
    const std::vector<double>&fixed = mean[name_of(LadderModel::fixed)],
          &additive = mean[name_of(LadderModel::additive)],
          &transformer = mean[name_of(LadderModel::transformer)];
    if (lesson.quick()) {
        lesson.claim("own-fixed", "finding: 51 to 60 words: share right with a fixed context",
                     fixed.back(), less_than(0.9));
        return;
    }
    lesson.reveal(guess, fixed.back());
    lesson.claim("long-fixed",
                 "finding: fixed context: share of words right in sentences of 51 to 60 words",
                 fixed.back(), at_most(0.4));
    lesson.claim("long-additive-gain",
                 "finding: 51 to 60 words: additive attention minus the fixed context",
                 additive.back() - fixed.back(), at_least(0.35));
    lesson.claim("long-transformer-gain",
                 "finding: 51 to 60 words: Transformer minus the fixed context",
                 transformer.back() - fixed.back(), at_least(0.4));
}

//! {if all long-fixed < 0.4 and long-additive-gain > 0.35 and long-transformer-gain > 0.35}
//! {full run} All three get worse with the length, and by far the worst is the fixed context, as
//! Bahdanau et al. (2015) saw: in sentences of 51 to 60 words it predicts {long-fixed:%} of the
//! words right. {if long-additive-gain < long-transformer-gain + 0.02 and long-transformer-gain <
//! long-additive-gain + 0.02} Both models with attention have about {100 * long-additive-gain:0}
//! points more. Additive attention was ahead of the Transformer in
//! {count long-additive-gain > long-transformer-gain} runs. Quality is no reason to prefer the
//! Transformer here.
//!
//! The reason that Vaswani et al. give is the chain of operations: on a graphics processor the
//! Transformer trains faster. Later models used that to grow.
//!
//! ## Where recurrence still wins
//!
//! Read a row of bits and say after each one whether the number of ones so far is odd. A recurrent
//! network needs a state of one bit, which changes whenever a one is read, so what it has learned
//! on short rows can be right on rows of any length. A Transformer has no such state. It has to
//! count all ones again at every position, in a weighted mean, and there one of $T$ bits moves the
//! mean by $1/T$.
//!
//! As Bhattamishra et al. (2020) did, we train a GRU and causal Transformers, for 600 steps on rows
//! of 2 to 20 bits and test them on longer ones, too. The Transformers have no position information
//! ("none"), rotary positions, which turn queries and keys by angles that grow with the position,
//! or ALiBi, which lowers the scores of distant keys (lesson {positions}).
void count_ones(Lesson& lesson, int steps, int seeds) {
    lesson.heading("Where recurrence still wins");
    const std::vector<int64_t> lengths = lesson.quick() ? std::vector<int64_t>{10, 20, 40}
                                                        : std::vector<int64_t>{10, 20, 40, 80, 160};
    std::vector<std::string> header{"network"};
    for (const int64_t length : lengths) header.push_back(fmt::format("{} bits", length));
    Table table(header);
    LinePlot plot{.x_label = "bits", .y_label = "share right", .log_x = true, .y_range = {0.4, 1}};
    std::map<std::string, std::vector<double>> mean;
    const std::optional<PositionKind> kinds[] = {std::nullopt, PositionKind::none,
                                                 PositionKind::rotary, PositionKind::alibi};
    for (const std::optional<PositionKind>& kind : kinds) {
        const std::string name = kind ? fmt::format("Transformer, {}", name_of(*kind)) : "GRU";
        std::vector<std::vector<double>> runs;
        for (int run = 0; run < seeds; ++run) {
            Rng rng(100 * lesson.seed() + run);
            ParityModel model(kind, rng);
            train_parity(model, steps, rng.split());
            runs.emplace_back();
            for (const int64_t length : lengths)
                runs.back().push_back(accuracy_at(model, length, rng));
        }
        const Series series =
            over_seeds(name, std::vector<double>(lengths.begin(), lengths.end()), runs);
        std::vector<std::string> cells{name};
        for (const double share : series.y) cells.push_back(fmt::format("{:.2f}", share));
        table.add(cells);
        plot.series.push_back(series);
        mean[name] = series.y;
    }
    lesson.table(table,
                 fmt::format("Share of rows whose last answer is right; {}. Training rows "
                             "have 2 to {} bits.",
                             averaged_over(static_cast<std::size_t>(seeds)), longest_trained));
    lesson.show("parity", plot,
                "Whether the number of ones is odd, by the length of the row. A guess is right in "
                "one half.");
    double best = 0;  // of the Transformers, on the longest rows
    for (const auto& [name, shares] : mean)
        if (name != "GRU") best = std::max(best, shares.back());
    if (lesson.quick()) {
        lesson.claim("own-transformer", "finding: best Transformer on the longest rows", best,
                     at_most(0.8));
        return;
    }
    lesson.claim("gru-160",
                 "finding: GRU on rows of 160 bits, eight times the longest it was trained on",
                 mean["GRU"].back(), at_least(0.98));
    lesson.claim("transformer-160", "finding: best Transformer on rows of 160 bits", best,
                 at_most(0.6));
}

//! {if all gru-160 > 0.99 and transformer-160 < 0.6} {full run} The GRU is right on rows of 160
//! bits, eight times as long as any that it was trained on ({gru-160:%}). The best Transformer
//! guesses ({transformer-160:%}). But be careful with the reason. Look at the rows of 10 bits: the
//! Transformers have hardly learned those, and there one bit moves the mean by a tenth. So what the
//! table shows is that the GRU learns parity **faster**, at this budget and with one learning rate
//! for all. Hahn (2020) proves a limit: as rows grow, a single bit changes the output of a
//! soft-attention Transformer less and less. Chiang and Cholak (2022) build one that recognises
//! parity nevertheless, by weights set by hand.
//!
//! A second advantage needs no experiment. To generate the next word, a recurrent network keeps one
//! state: $D$ numbers for each layer, however long the text. A Transformer keeps the keys and
//! values of all words before, $2 T D$ numbers, and reads them for every new word (lesson
//! {language_model}). For a text of 100,000 words and a width of 64 that is 64 numbers against
//! 12,800,000. This is why recurrent networks with a large state (Gu and Dao 2023) and forms of
//! attention with a state of fixed size (lesson {long_sequences}) are studied again.
//!
//! **Here you may stop.** The question of this lesson has its answer. What follows shows how a
//! Transformer can get the state that it lacks.
//!
//! ## Writing the steps down
//!
//! A language model can make itself a state: what it writes, it reads again for the next word. A
//! *scratchpad* is a text of intermediate steps that a language model writes before its answer (Nye
//! et al. 2021). Here a step says whether the number of ones is odd so far: after the first bit,
//! after the first two, and so on. For the row 1 0 1 1 the steps are 1 1 0 1, and the last of them
//! is the answer.
//!
//! Each word is now easy. Let $b_t$ be bit number $t$ and $p_t$ the word written for it, 1 for odd.
//! If $b_t = 1$, the word changes, otherwise it stays: $p_t$ is 1 exactly when $p_{t-1}$ and $b_t$
//! differ. Without steps the answer depends on all bits, and each of them alone changes it. With
//! steps, the word $p_t$ depends on two tokens only, the last word and bit $t$; from $p_{t-1}$ back
//! to $b_t$ it is always as many tokens as the row has bits.
void draw_steps(Lesson& lesson) {
    lesson.heading("Writing the steps down");
    lesson.show("steps", what_words_depend_on({1, 0, 1, 1}),
                "The last word of each row is the one to be written. What it depends on is dark.");
}

//! We train three Transformers of equal size on rows of 16 bits, with rotary positions, which show
//! distances. (With learned positions the steps were not learned in our trials.) One answers at
//! once. One writes the steps. But with steps there are also more positions to compute in, so a
//! third one gets as many positions as the second, with nothing but dots in them, before it
//! answers. In the test the second one reads the steps that it has written itself, right or wrong.
void write_steps(Lesson& lesson, int steps) {
    Prediction guess;
    if (!lesson.quick())
        guess = lesson.predict(
            "A Transformer writes down a step for each of 16 bits. In what share of new rows is its "
            "answer right?",
            within(0.1).from(0, 1));
    Table table({"answers", "share right"});
    std::map<Writing, double> right;
    for (const Writing writing : all_writings) {
        Rng rng(lesson.seed());
        const LanguageModel model = train_writer(writing, steps, rng);
        right[writing] = answers_right(model, writing, rng);
        table.row(name_of(writing), fmt::format("{:.2f}", right[writing]));
    }
    lesson.table(table,
                 fmt::format("Is the number of ones odd? The share of {} new rows of {} bits "
                             "with the right answer.",
                             written_tests, row_length));
    if (!lesson.quick()) lesson.reveal(guess, right[Writing::steps]);
    lesson.claim("answer-at-once", "finding: 16 bits: the answer at once", right[Writing::nothing],
                 at_most(0.65));
    lesson.claim("answer-after-dots", "finding: 16 bits: the answer after dots",
                 right[Writing::dots], at_most(0.65));
    const char* const written = "finding: 16 bits: the answer after written steps";
    if (lesson.quick())  // it ends before the steps are learned
        lesson.measured("answer-after-steps", written, right[Writing::steps]);
    else
        lesson.claim("answer-after-steps", written, right[Writing::steps], at_least(0.9));
}

}  // namespace

}  // namespace heed::lesson21

//! {if all answer-after-steps > 0.95 and answer-at-once < 0.65 and answer-after-dots < 0.65}
//! {full run} With steps the Transformer is right in {answer-after-steps:%} of the rows. At once it
//! guesses ({answer-at-once:%}), and dots do not help ({answer-after-dots:%}). What counts is what
//! is written, not the room for it.
//!
//! What was learned here is not what a Transformer **can** do: the weights of Chiang and Cholak
//! answer at once. For some questions written steps are needed in principle, if circuits of a fixed
//! depth cannot compute everything that a long chain of steps can, as is commonly assumed (Merrill
//! and Sabharwal 2024). The price is time: one word is written after another, and the chain of
//! operations is as long as that of the GRU.
//!
//! ## What this does not show
//!
//! The gradients were measured before training. Training changes them: a GRU that needs to remember
//! for a hundred steps can learn gates near 1 (lesson {recurrence}). Size, probably the main
//! reason, is not measured here at all. And somebody has to know the steps: we told the model what
//! to write. Whether it finds steps of its own when only the answer is rewarded is another question
//! (lesson {assistant}).
//!
//! Sources: Vaswani et al., "Attention Is All You Need" (2017), section 4 and table 1; Bengio,
//! Simard and Frasconi (1994), vanishing gradients; Bahdanau, Cho and Bengio (2015), section 5.2.2
//! and figure 2, the fixed context by length; Hahn, "Theoretical Limitations of Self-Attention in
//! Neural Sequence Models" (2020); Chiang and Cholak, "Overcoming a Theoretical Limitation of
//! Self-Attention" (2022); Bhattamishra, Ahuja and Goyal (2020), parity; Gu and Dao, "Mamba"
//! (2023); Nye et al., "Show Your Work: Scratchpads for Intermediate Computation" (2021); Merrill
//! and Sabharwal, "The Expressive Power of Transformers with Chain of Thought" (2024).
//!
//! ## Summary
//!
//! 1. In a recurrent network the gradient shrinks with each step; how fast depends on the gates.
//!    Attention adds a path on which it does not depend on the distance.
//! 2. On that path the gradient is shared out: an input gets about $1/T$ of it before training.
//! 3. In a recurrent layer the sequential operations grow with $T$; an attention layer has a fixed
//!    number of them.
//! 4. Attention does less work than a GRU while $T < D$, and more beyond; its bytes grow
//!    faster.
//! 5. A recurrent network keeps a state of fixed size. A Transformer keeps all keys and values.
//! 6. What a language model has written is a state, too. With written steps it learns what it does
//!    not learn at once.
//!
//! ## Try this next
//!
//! 1. In `models.cpp`, change `keep_bias` from 3 to 6. How far back does the gradient reach now,
//!    without attention?
//! 2. `--steps 6000`: does the fixed context catch up on long sentences?
//! 3. In `models.h`, train on rows of up to 60 bits. Do the Transformers learn rows of 60 bits?
//! 4. In `models.cpp`, let the model write only every second step. Is it still right?
using namespace heed;
using namespace heed::lesson21;

int main(int argc, char** argv) {
    Lesson lesson({.number = 21,
                   .name = "why_attention",
                   .title = "Why did attention win?",
                   .question = "Recurrence came first. Why are nearly all large models built of "
                               "attention?",
                   .own_data = "random vectors, Korean-English pairs of up to 60 words from the "
                               "grammar of the course, and random bits"});
    int steps = 0, seeds = 0;
    lesson.option("--steps", steps, "steps of training of each translator (2000; quick 12)");
    lesson.option("--seeds", seeds, "training runs of each model (2; quick 1)");
    return lesson.run(argc, argv, [&] {
        const bool quick = lesson.quick();
        if (steps == 0) steps = quick ? 12 : 2000;
        if (seeds == 0) seeds = quick ? 1 : 2;
        opening(lesson);
        compare_gradients(lesson);
        share_the_gradient(lesson);
        count_costs(lesson);
        measure_time(lesson);
        compare_lengths(lesson, steps, seeds, quick ? 1500 : 12'000);
        count_ones(lesson, quick ? 60 : 600, seeds);
        draw_steps(lesson);
        write_steps(lesson, quick ? 20 : 500);
    });
}
