//! # Must everyone look at everyone?
//!
//! A film review has some 700 words, a scientific paper 8,000, a novel 100,000. In self-attention
//! every word is compared with every other word. For the review that is half a million scores, in
//! every head of every layer; for the paper 64 million; for the novel ten thousand million. But
//! when we read the last page of a novel, we do not compare each of its words with every word of
//! the book.
//!
//! Which comparisons can be left out, and what is lost? Six answers have become known by the names
//! of their models: Longformer (Beltagy et al. 2020), BigBird (Zaheer et al. 2020), Linformer (Wang
//! et al. 2020), Performer (Choromanski et al. 2021), Reformer (Kitaev et al. 2020) and Synthesizer
//! (Tay et al. 2021). We build the idea behind each one, compare it with exact attention, and train
//! a small model with each of them on two tasks: one whose answer is nearby, and one whose answer
//! is far away.

#include <cmath>

#include "attention/attention.h"
#include "autograd/autograd.h"
#include "lessons/29_long_sequences/data.h"
#include "lessons/29_long_sequences/experiment.h"
#include "lessons/29_long_sequences/model.h"
#include "lessons/course/course.h"

namespace heed::lesson29 {

using namespace course;

namespace {

double gap(const Tensor& a, const Tensor& b) { return max(abs(a - b)).item(); }

//! ## The cost of looking everywhere
//!
//! {no results} Let $T$ be the number of tokens and $D$ the width of a head. Exact attention
//! computes $T^2$ scores, each of them $D$ multiply-adds, and then $T$ weighted means of $T$
//! values: together $2 T^2 D$ multiply-adds. For $T = 16{,}384$ and $D = 64$ these are
//! $3.4 \cdot 10^{10}$, in one head, forward only. Stored as 4-byte numbers, the scores would take
//! 1 GiB ($2^{30}$ bytes; 1 MiB is $2^{20}$). The library does not store them: it computes them
//! tile by tile and forgets them (lesson {memory} shows how), so its bytes grow linearly in the
//! end. The time does not: nothing but leaving out work changes the exponent.
//!
//! The simplest idea is to keep a window: each token attends to the tokens at most $w$ steps before
//! or after it. That leaves at most $2w + 1$ keys for each query, and $T (2w + 1)$ scores, which is
//! linear in $T$. {full run} The table measures both, up to 16,384 tokens. Its numbers of scores
//! are a little larger than $T (2w + 1)$, because the library computes whole blocks of 64 keys and
//! hides those that lie outside the window. Up to 1,024 tokens the window even needs more bytes
//! than exact attention. What counts is how both grow.
void cost(Lesson& lesson, Prediction guess) {
    lesson.heading("The cost of looking everywhere");
    show_cost(lesson, lesson.quick() ? 2048 : 16384);
    const auto scores = [](int64_t length) {
        return static_cast<double>(BlockPattern(length, {.before = 128, .after = 128}).scores());
    };
    lesson.claim("window-growth",
                 "identity: scores of a window at 16,384 tokens over those at 2,048",
                 scores(16384) / scores(2048), between(7.9, 8.4));
    lesson.claim("exact-over-window",
                 "identity: scores of exact attention over those of the window, at 16,384 tokens",
                 16384.0 * 16384.0 / scores(16384), at_least(50));
    lesson.reveal(guess, 16384.0 * 16384.0 / scores(16384));
}

//! ## Leaving out pairs: windows, global tokens, random blocks
//!
//! {if all window-growth < 8.5 and exact-over-window > 50} From 2,048 tokens to eight times as
//! many, the scores of the window grow {window-growth:1}-fold, and those of exact attention
//! 64-fold. At 16,384 tokens exact attention computes {exact-over-window:0} times as many. What
//! does the window pay for that? Take eight tokens and a window of $w = 1$. Token 0 attends to
//! tokens 0 and 1, token 1 to 0, 1, 2, and so on: $2 + 6 \cdot 3 + 2 = 22$ scores instead of 64.
//! What does token 7 know about token 0? In one layer nothing. In a second layer it reads token 6,
//! which has read token 5 in the first. So after $k$ layers information has moved at most $k w$
//! steps (the hops of lesson {self_attention}): to cross a text of 1,000 tokens with a window of
//! 128, eight layers are needed.
//!
//! There are three ways to reach further. A *dilated* window leaves gaps: with a dilation of $d$ it
//! takes every $d$-th token and reaches $d w$ steps. A global token attends to all tokens, and all
//! attend to it: any two tokens are then two steps apart. And if each query also attends to a few
//! keys drawn at random, the pairs that may attend are the edges of a random graph, in which short
//! paths join nearly any two tokens. Longformer uses windows, dilation and global tokens; BigBird
//! uses windows, global tokens and random blocks.
//!
//! With $M_{ij} = 1$ where query $i$ may attend to key $j$, all of them are the same formula, the
//! softmax over the allowed keys:
//!
//! $$ y_i = \frac{\sum_j M_{ij}\, e^{q_i \cdot k_j / \sqrt D}\, v_j}
//!              {\sum_j M_{ij}\, e^{q_i \cdot k_j / \sqrt D}} $$
//!
//! The function `window_by_hand` is this formula for a window, without masks: it touches only the
//! keys that count. The library goes through blocks of 64 keys, because a processor is fast on
//! blocks and slow on single numbers, and hides the superfluous pairs of a block.
Tensor window_by_hand(const Tensor& q, const Tensor& k, const Tensor& v, int64_t w) {  // [T, D]
    std::vector<Tensor> rows;
    for (int64_t i = 0; i < q.size(0); ++i) {
        const int64_t first = std::max<int64_t>(0, i - w), end = std::min(q.size(0), i + w + 1);
        const Tensor near = slice(k, 0, first, end);                        // [n, D]
        const Tensor scores = matmul(near, unsqueeze(select(q, 0, i), 1));  // [n, 1]
        const Tensor weights = softmax(scores / std::sqrt(k.size(1)), 0);
        rows.push_back(sum(weights * slice(v, 0, first, end), 0));
    }
    return stack(rows);
}

void patterns(Lesson& lesson) {
    lesson.heading("Leaving out pairs: windows, global tokens, random blocks");
    std::vector<HeatMap> maps;
    const auto draw_map = [&](const char* title, const BlockPatternOptions& options) {
        HeatMap map{.title = title,
                    .values = BlockPattern(32, options).mask().to_vector(),
                    .rows = 32,
                    .columns = 32};
        map.row_axis = "query", map.column_axis = "key", map.value_name = "may attend";
        maps.push_back(map);
    };
    draw_map("window", {.before = 3, .after = 3, .block = 4});
    draw_map("dilated", {.before = 3, .after = 3, .dilation = 3, .block = 4});
    draw_map("global", {.before = 3, .after = 3, .global = {0, 16}, .block = 4});
    draw_map("random blocks", {.before = 3, .after = 3, .random_blocks = 1, .block = 4});
    lesson.show("patterns", maps,
                "Who may attend to whom, for 32 tokens: a dark cell is a pair "
                "of a query (row) and a key (column) that is compared.");

    Rng rng(lesson.seed());
    const auto drawn = [&] { return normal({1, 1, 100, 16}, 0, 1, rng, Dtype::float64); };
    const Tensor q = drawn(), k = drawn(), v = drawn();
    const BlockPattern pattern(100, {.before = 7, .after = 7});
    const Tensor library = block_sparse_attention(q, k, v, pattern);
    const auto flat = [](const Tensor& x) { return reshape(x, {100, 16}); };
    lesson.claim("window-by-hand",
                 "identity: window by hand against the library's blocks, largest difference",
                 gap(window_by_hand(flat(q), flat(k), flat(v), 7), flat(library)), at_most(1e-12));
    const Tensor masked =
        scaled_dot_product_attention(q, k, v, {.mask = unsqueeze(pattern.mask(), 1)});
    lesson.claim(
        "window-mask",
        "identity: exact attention with the window as a mask against blocks, largest difference",
        gap(masked, library), at_most(1e-12));
    lesson.claim("window-scores", "identity: scores of eight tokens with a window of 1",
                 static_cast<double>(BlockPattern(8, {.before = 1, .after = 1}).allowed()),
                 equals(22));
}

//! ## Fewer keys: Linformer
//!
//! A window decides beforehand which keys matter. Linformer keeps something of every key, but
//! stores it in fewer rows. A learned matrix $E$ with $P$ rows and $T$ columns turns the $T$ keys
//! into $P$ weighted sums of keys; a second matrix $F$ does the same with the values:
//!
//! $$ y = \text{softmax}\Big(\frac{q\,(E k)^\top}{\sqrt D}\Big)\,(F v) $$
//!
//! {no results} With four keys and $P = 2$, let
//! $E = F = \begin{pmatrix} 1/2 & 1/2 & 0 & 0 \\ 0 & 0 & 1/2 & 1/2 \end{pmatrix}$. The keys 1, 3,
//! 5, 9 (of width 1) become 2 and 7, and the query attends to these two instead of the four. With
//! the query 0.5 the scores are $0.5 \cdot 2 = 1$ and $0.5 \cdot 7 = 3.5$, so the first row has the
//! weight $e^1 / (e^1 + e^{3.5}) = 0.076$. The cost is $4 T P D$ multiply-adds, for the two
//! projections and the two products with $P$ rows. Why can this work at all? The paper observed
//! that trained attention matrices are close to matrices of low rank. The rank is the number of
//! rows from which all other rows can be made as weighted sums, so few rows can do most of the
//! work.
//!
//! Two things are lost. $E$ and $F$ belong to positions: if two words exchange their positions, the
//! result changes even without position encodings, and a text longer than $T$ has no columns. And
//! each row mixes early and late tokens, so a causal mask cannot be applied: Linformer cannot be
//! used to generate text.
void linformer(Lesson& lesson) {
    lesson.heading("Fewer keys: Linformer");
    Rng rng(lesson.seed());
    Linformer layer({.length = 4, .projected = 2, .shared = true}, rng);
    layer.key = tensor({0.5, 0.5, 0, 0, 0, 0, 0.5, 0.5}, {2, 4}, Dtype::float64);
    const Tensor k = tensor({1, 3, 5, 9}, {1, 1, 4, 1}, Dtype::float64);
    const Tensor q = tensor({0.5}, {1, 1, 1, 1}, Dtype::float64);
    const double weight = std::exp(0.5 * 2) / (std::exp(0.5 * 2) + std::exp(0.5 * 7));
    lesson.claim(
        "low-rank-by-hand",
        "identity: the four keys with two rows: the weight of the first row by hand, difference",
        std::abs(layer(q, k, k).weights.at({0, 0, 0, 0}) - weight), at_most(1e-12));

    Linformer all({.length = 50, .projected = 50, .shared = true}, rng);
    all.key = eye(50, Dtype::float64);
    const Tensor x = normal({1, 2, 50, 8}, 0, 1, rng, Dtype::float64);
    lesson.claim(
        "low-rank-exact",
        "identity: with as many rows as keys and E = F = 1 it is exact attention, difference",
        gap(all(x, x, x).context, scaled_dot_product_attention(x, x, x)), at_most(1e-12));
}

//! ## Another order of multiplication: Performer
//!
//! Attention without its softmax would be cheap. The product $(Q K^\top) V$ of three matrices may
//! be computed as $Q (K^\top V)$: the inner product is only $D \times D$, and the cost is linear in
//! $T$. The exponential stands in the way, because $e^{x \cdot y}$ is no product of something of
//! $x$ and something of $y$. But it is the mean of such products. If $w$ is a vector of standard
//! normal numbers, then, with $E_w$ for the mean over all draws of $w$ (not the matrix $E$ from
//! above),
//!
//! $$ e^{x \cdot y} = E_w\big[\varphi_w(x)\, \varphi_w(y)\big], \qquad
//!    \varphi_w(x) = e^{w \cdot x - |x|^2 / 2} . $$
//!
//! {no results} In one dimension with $x = 0.5$ and $y = 0.4$, the exact value is
//! $e^{0.2} = 1.221$. Suppose we draw $w = 1$ and $w = -1$. For $w = 1$:
//! $\varphi(x) = e^{0.5 - 0.125} = 1.455$ and $\varphi(y) = e^{0.4 - 0.08} = 1.377$, with the
//! product 2.004. For $w = -1$: $e^{-0.625} = 0.535$ times $e^{-0.48} = 0.619$, which is 0.331. The
//! mean of the two is 1.167: two draws already come near.
//!
//! Performer draws $M$ vectors $w_m$ once, and puts $\varphi_{w_m}(x) / \sqrt M$ for all of them
//! into a vector $\varphi(x)$ of *random features*. Attention needs $e^{q \cdot k / \sqrt D}$ and
//! not $e^{q \cdot k}$, so $q$ and $k$ are both divided by the same number first (exercise
//! {long_sequences.2} asks by which). From here on $q_i$ and $k_j$ are the divided ones:
//!
//! $$ y_i = \frac{\varphi(q_i)^\top \sum_j \varphi(k_j)\, v_j^\top}
//!              {\varphi(q_i)^\top \sum_j \varphi(k_j)} . $$
//!
//! Both sums are the same for all queries, so they are computed once: $4 T M D$ multiply-adds. For
//! causal attention the sums run over the keys so far, and grow with $i$. Why the strange factor
//! $e^{-|x|^2/2}$, and not the better known features $\cos(w \cdot x)$ and $\sin(w \cdot x)$? Those
//! can be negative, and so could the denominator. Positive features give positive weights.
//!
//! An estimate has an error. With $M$ independent draws its variance is proportional to $1/M$, so
//! the error falls as $1/\sqrt M$: sixteen times the features, a quarter of the error. If the $w_m$
//! are made orthogonal to each other, the mean remains the same, and the paper shows that the
//! variance is a little smaller.
double kernel_by_hand(const Tensor& x, const Tensor& y, int features, Rng& rng) {  // x, y [D]
    double total = 0;
    for (int m = 0; m < features; ++m) {
        double wx = 0, wy = 0, xx = 0, yy = 0;
        for (int64_t d = 0; d < x.size(0); ++d) {
            const double w = rng.normal(), a = x.at({d}), b = y.at({d});
            wx += w * a, wy += w * b, xx += a * a, yy += b * b;
        }
        total += std::exp(wx - xx / 2) * std::exp(wy - yy / 2);
    }
    return total / features;
}

void random_features(Lesson& lesson) {
    lesson.heading("Another order of multiplication: Performer");
    Rng rng(lesson.seed());
    const Tensor x = uniform({8}, -0.35, 0.35, rng, Dtype::float64),
                 y = uniform({8}, -0.35, 0.35, rng, Dtype::float64);
    const double exact = std::exp(sum(x * y).item());
    const int draws = lesson.quick() ? 2000 : 10000;
    Table table({"features", "mean of the estimates", "standard deviation", "orthogonal"});
    std::vector<double> spread;
    double worst = 0;
    for (int features : {4, 16, 64}) {
        std::vector<double> found, orthogonal;
        for (int i = 0; i < draws / features; ++i) {
            found.push_back(kernel_by_hand(x, y, features, rng));
            const Tensor w = orthogonal_features(features, 8, rng, Dtype::float64);
            orthogonal.push_back(sum(positive_features(x, w) * positive_features(y, w)).item());
        }
        for (const auto* each : {&found, &orthogonal}) {
            const Summary s = summarise(*each);
            const double error = s.deviation / std::sqrt(static_cast<double>(each->size()));
            worst = std::max(worst, std::abs(s.mean - exact) / error);
        }
        spread.push_back(summarise(found).deviation);
        table.row(features, mean_and_spread(found), summarise(found).deviation,
                  summarise(orthogonal).deviation);
    }
    lesson.table(table, fmt::format("Estimates of e^(x·y) = {:.3f}.", exact));
    lesson.claim(
        "features-unbiased",
        "identity: distance of the mean estimates from e^(x·y), in standard errors, the largest of six",
        worst, at_most(5));
    lesson.claim("features-spread",
                 "finding: standard deviation with 4 features over that with 64 (1/√M says 4)",
                 spread[0] / spread[2], between(2, 8));
}

//! ## Only the similar ones: Reformer
//!
//! In a sharp softmax nearly all weight lies on a few keys: those most similar to the query. If
//! they could be found without computing all scores, the others would not be missed. Finding
//! similar vectors quickly is what *locality-sensitive hashing* is for: a hash function that gives
//! near vectors the same number more often than distant ones. Reformer multiplies a vector with a
//! random matrix $R$ and takes the index of the largest among the results and their negatives
//! (argmax is this index):
//!
//! $$ h(x) = \text{argmax}\,[\,x R;\; -x R\,] $$
//!
//! Take two dimensions and an $R$ that leaves vectors as they are. Then $h$ tells which of the four
//! directions right, up, left, down a vector points to most: $(2, 1)$ and $(3, -1)$ have hash 0,
//! $(1, 2)$ has hash 1, $(-2, 0)$ has hash 2. The vectors $(2, 1)$ and $(1, 2)$ are near each other
//! and still fall on different sides. That is why several hashes are computed, each with its own
//! $R$: a pair that one separates is joined by another.
//!
//! Now the tokens are sorted by their hash, and the sorted row is cut into chunks of $m$. A query
//! looks only at its own chunk and the one before, and there only at keys with its own hash. Two
//! details make this work. A query can share a hash with the keys that matter to it only if queries
//! and keys are the same vectors; the keys are scaled to length 1. But then each token is most
//! similar to itself, and would attend to little else, so its own position is allowed only where
//! there is nothing else.
//!
//! The result is a softmax over some of the keys, and the numbers decide which.
void hashing(Lesson& lesson) {
    lesson.heading("Only the similar ones: Reformer");
    Rng rng(lesson.seed());
    const Tensor qk = normal({1, 1, 256, 16}, 0, 3, rng, Dtype::float64),
                 v = normal({1, 1, 256, 16}, 0, 1, rng, Dtype::float64);
    const LshOptions options{.buckets = 16, .chunk = 16, .hashes = 2, .seed = lesson.seed()};
    const Tensor keys = qk / norm(qk, 2, {-1}, true);
    const Tensor masked =
        scaled_dot_product_attention(qk, keys, v, {.mask = lsh_mask(qk, options)});
    lesson.claim(
        "hashed-mask",
        "identity: hashed attention against exact attention under the same mask, largest difference",
        gap(lsh_attention(qk, v, options), masked), at_most(1e-12));

    // How much of the weight that exact attention gives lies on keys that hashing finds.
    const Tensor others = reshape(1 - eye(256, Dtype::float64), {1, 1, 256, 256});
    const Tensor weights = scaled_dot_product_definition(qk, keys, v, {.mask = others}).weights;
    Table table({"hashes", "keys visited", "weight found"});
    std::vector<double> found, visited;
    for (int64_t hashes : {1, 2, 4, 8}) {
        LshOptions each = options;
        each.hashes = hashes;
        const Tensor mask = lsh_mask(qk, each);
        visited.push_back(mean(mask).item());
        found.push_back(sum(weights * mask).item() / 256);
        table.row(hashes, visited.back(), found.back());
    }
    lesson.table(table,
                 "Share of the keys that a query visits, and of the weight of exact attention "
                 "that lies on them.");
    lesson.claim("hashes-weight",
                 "finding: weight found with eight hashes over the share of keys visited",
                 found[3] / visited[3], at_least(1.3));
    lesson.claim("hashes-gain", "finding: weight found with eight hashes minus that with one",
                 found[3] - found[0], at_least(0.3));
}

//! {if all hashes-gain > 0.3} Eight hashes find {hashes-gain:2} more of the weight of exact
//! attention than one does.
//!
//! ## No keys at all: Synthesizer
//!
//! Synthesizer asks whether the comparison is needed at all. Its dense form predicts the scores of
//! token $i$ for all positions from token $i$ alone, by a small network with one hidden layer:
//! $s_i = W_2\,\text{relu}(W_1 x_i + b_1) + b_2$. Its random form does not look at the tokens at
//! all: the scores are a learned matrix, the same for every text. Both still compute $T^2$ weights
//! and weighted means, so they save half of the work, not the exponent. They are interesting as a
//! question: how much of what attention does depends on comparing two tokens?
//!
//! ## How far from exact attention?
//!
//! {no results} Windows, Performer and Reformer are used in place of exact attention with the same
//! queries, keys and values. So we can measure how far their contexts are from the exact contexts.
//! The distance depends on the weights. Flat weights spread over all keys; sharp weights lie on a
//! few. We draw queries and keys as normal numbers of standard deviation 0.5 (flat) and 1.5
//! (sharp), 256 of them, and divide the size of the error by the size of the exact context. Before
//! you read the table: which of the methods gets better when the weights get sharper?
//!
//! ![Choose a method and raise its budget: how much of exact attention does it cost before the two pictures look alike? Then double the length. The window needs no more budget, because these keys change slowly. The vectors are random and nothing is trained.](live:long_sequences)
void errors(Lesson& lesson) {
    lesson.heading("How far from exact attention?");
    const Prediction guess = lesson.predict(
        "Performer or Reformer: which comes nearer to exact attention when "
        "the weights get sharper?",
        {"Performer", "Reformer"});
    const Errors flat = errors_of(0.5, lesson.seed()), sharp = errors_of(1.5, lesson.seed());
    Table table({"attention", "flat", "sharp"});
    table.row("window of 32 to each side", flat.window, sharp.window);
    table.row("Performer, 16 features", flat.performer_few, sharp.performer_few);
    table.row("Performer, 256 features", flat.performer_many, sharp.performer_many);
    table.row("Reformer, 1 hash", flat.reformer_one, sharp.reformer_one);
    table.row("Reformer, 8 hashes", flat.reformer_eight, sharp.reformer_eight);
    lesson.table(table,
                 "Relative error of the contexts; Reformer against exact attention with its own "
                 "keys.");
    lesson.claim("flat-features",
                 "finding: flat weights: error of Performer with 16 features over that with 256",
                 flat.performer_few / flat.performer_many, between(1.9, 4));
    lesson.claim(
        "sharp-performer",
        "finding: Performer with 256 features: error for sharp weights over that for flat ones",
        sharp.performer_many / flat.performer_many, at_least(5));
    lesson.claim("sharp-reformer",
                 "finding: Reformer with 8 hashes: error for sharp weights over that for flat ones",
                 sharp.reformer_eight / flat.reformer_eight, at_most(0.8));
    lesson.reveal(guess, "Reformer");

    //! {if all sharp-performer > 5} Performer is good where weights are flat, since the features of
    //! all keys are added up. For sharp weights its error is {sharp-performer:1} times as large:
    //! one that is small beside the sum of all keys is large beside a single key.
    //! {if all sharp-reformer < 0.8} Reformer is the opposite: it drops the keys with little
    //! weight, and if the weights are flat these are most of the sum. With eight hashes its error
    //! for sharp weights is {sharp-reformer:2} of that for flat ones; it is the smallest of the
    //! column, and still large. The error of the window also falls when the weights get sharper.
    //! The window is bad at both here, because the keys were drawn without any relation to their
    //! positions. In a text, neighbours are related.
}

//! ## Which laws hold?
//!
//! The library keeps a list of laws that attention should obey, with a test for each
//! (`attention/laws/laws.h`). Here are four of them. `permutation`: the order of the keys does not
//! matter. `every_key_counts`: changing a key changes its weight. `queries_apart`: the result of a
//! query does not depend on the other queries. `weighted_mean`: the context is the weights times
//! the values. Besides, weights should not be negative. For Linformer we take as the weight of a
//! key what its projected rows contribute, the softmax times $F$.
void broken_laws(Lesson& lesson) {
    lesson.heading("Which laws hold?");
    show_laws(lesson);
    const auto holds = [&](const char* name, Kind kind, const char* law, bool expected) {
        lesson.claim(name,
                     fmt::format("identity: {} {} the law {}", name_of(kind),
                                 expected ? "obeys" : "breaks", law),
                     obeys(kind, law, lesson.seed()) == expected, is_true());
    };
    lesson.claim("performer-smallest", "identity: smallest weight of Performer",
                 smallest_weight(Kind::performer, lesson.seed()), more_than(0));
    lesson.claim("linformer-smallest", "finding: smallest weight of Linformer",
                 smallest_weight(Kind::linformer, lesson.seed()), less_than(0));
    holds("performer-permutation", Kind::performer, "permutation", true);
    holds("window-permutation", Kind::window, "permutation", false);
    holds("synthesizer-keys", Kind::synthesizer, "every_key_counts", false);

    //! Reformer breaks permutation, because chunks are cut by position among equal hashes, and
    //! every_key_counts, because a key outside the chunks of a query has no weight. It obeys
    //! queries_apart only because it ignores the query: its queries are its keys, and this law
    //! changes no key. A broken law is not a mistake, but it is a warning. Linformer's weights can
    //! be negative, so a map of them is no map of what the model looks at. A window makes order
    //! matter, which is welcome in a text and wrong in a set. And a Synthesizer cannot react to
    //! what another token is.
}

//! ## Near and far
//!
//! Now we train models. A sequence has 64 tokens, most of them letters without a meaning. Four are
//! facts and four are questions. A fact names a topic and says one of four things about it; a
//! question names a topic, and at its position the model has to answer what the fact said:
//!
//!     a  topic 2: thing 3  c  f  topic 2?  b  ...
//!     the answer at "topic 2?" is thing 3
//!
//! In the task near each fact stands 1 to 4 steps before its question. In the task far all facts
//! stand in the first 16 positions and all questions in the last 32. For exact attention, to which
//! every token is one step away, the two tasks should be equally difficult.
//!
//! Each model has two layers of one kind of attention, with learned positions and feed-forward
//! networks, of width 32 with two heads. The window reaches 4 steps to each side, so 8 in two
//! layers: at far it can only guess. BigBird's pattern adds the first token as a global one, and
//! one random block of 8 keys for each block of 8 queries. Linformer has 16 rows, Performer 32
//! features, Reformer chunks of 16 and two hashes. All are trained with the same number of batches.
//! The global token could carry all four facts: they are no more than 8 bits. Will the model learn
//! to use it?
//!
//! {code model.cpp accuracy_after_training}
void near_and_far(Lesson& lesson, const Sizes& sizes, int steps, int seeds, Prediction guess) {
    lesson.heading("Near and far");
    const std::vector<Kind> which =
        lesson.quick() ? std::vector<Kind>{Kind::exact, Kind::window} : kinds();
    const uint64_t seed = 100 * lesson.seed();
    const Accuracies near = accuracies_of(which, Task::near, sizes, steps, seeds, seed),
                     far = accuracies_of(which, Task::far, sizes, steps, seeds, seed + 50);
    show_accuracies(lesson, near, far, sizes);
    const auto mean_of = [](const Accuracies& all, Kind kind) {
        return summarise(all.at(kind)).mean;
    };
    lesson.claim("near-exact", "finding: near: share right with exact attention",
                 mean_of(near, Kind::exact), at_least(0.95));
    lesson.claim("near-window", "finding: near: share right with a window",
                 mean_of(near, Kind::window), at_least(0.95));
    lesson.claim("far-exact", "finding: far: share right with exact attention",
                 mean_of(far, Kind::exact), at_least(0.97));
    if (lesson.quick()) return;
    lesson.reveal(guess, mean_of(far, Kind::bigbird));
    lesson.claim("far-bigbird-gain",
                 "finding: far: share right with BigBird minus that with the window",
                 mean_of(far, Kind::bigbird) - mean_of(far, Kind::window), at_least(0.2));
    lesson.claim("far-linformer", "finding: far: share right with Linformer",
                 mean_of(far, Kind::linformer), at_least(0.95));
    lesson.claim("far-performer", "finding: far: share right with Performer",
                 mean_of(far, Kind::performer), at_least(0.98));
}

//! {if all far-exact > 0.98 and near-window > 0.98 and far-bigbird-gain > 0.2} {full run} Exact
//! attention answers nearly all questions of both tasks. The window is as good at near and has to
//! guess at far. BigBird is between the two, {far-bigbird-gain:2} above the window. Its global
//! token could pass the facts on, but the model has to discover that in two steps: the first layer
//! must collect the facts in the global token, and the second must read the right one out of it.
//! After this training it has learned that only in part. {if all far-performer > 0.98 and
//! far-linformer > 0.95} Performer and Linformer, which leave no key out, answer {far-performer:%}
//! and {far-linformer:%} at far.
//!
//! {full run} The row of the Synthesizer is remarkable: it never compares two tokens, and still
//! answers most questions at far. How? It can give each position a summary of the whole sequence,
//! and if a sequence holds only four facts, all of them fit into 32 numbers; the feed-forward
//! network then picks the one that is asked for. That is the fixed context of lesson {bottleneck},
//! and as there it will not do for many facts. So a task that needs far looks is not yet a task
//! that needs comparisons.
//!
//! The second last column counts the work at the length of the experiment, 64 tokens, where some of
//! the approximations cost as much as exact attention. The last column counts it at 16,384 tokens,
//! where they cost much less, except for the Synthesizer. Both columns count whole blocks, which
//! have 8 tokens in the experiment. A window of 4 to each side reaches into three blocks, so it has
//! 24 keys for each query, and not 9.

}  // namespace

}  // namespace heed::lesson29

//! ## What this does not show
//!
//! It does not show which method is best for text. The tasks are artificial, the models tiny, and
//! the sequences short. Our errors are those of single layers on random numbers; a model that is
//! trained with an approximation adapts to it.
//!
//! It also does not show that the approximations are needed. Since exact attention is computed in
//! tiles (Dao et al. 2022), its bytes are no longer quadratic, and on a processor built for large
//! products it is hard to beat below some thousand tokens. Of the six only the window is common
//! today: many models use exact attention in some layers and windows in the others. (Tay et al.
//! 2022 survey the rest.) The time at which a method starts to pay is where the lines of the first
//! figure cross on your machine.
//!
//! Real texts are another question. With `--data` and the 1,600 film reviews of lesson
//! {explanation}, cut after 1,024 words, we trained one network with each attention to tell praise
//! from blame. Exact attention was right for four of five test reviews, and the window for three of
//! four, which 199 test reviews cannot tell from chance. So the window loses little here: whether a
//! film was liked is said in many places, each of which can be read alone. Only Linformer failed:
//! it learned the training reviews by heart and guessed on the test.
//!
//! Sources: Beltagy, Peters and Cohan, "Longformer" (2020), section 3; Zaheer et al., "Big Bird"
//! (2020), section 2; Wang et al., "Linformer" (2020), sections 3 and 4; Choromanski et al.,
//! "Rethinking attention with Performers" (2021), section 2; Kitaev, Kaiser and Levskaya,
//! "Reformer" (2020), section 2; Tay et al., "Synthesizer" (2021), section 3; Dao et al.,
//! "FlashAttention" (2022); Tay et al., "Efficient Transformers: a survey" (2022).
//!
//! ## Summary
//!
//! 1. Exact attention costs $2 T^2 D$ multiply-adds; a window of $w$ to each side costs about
//!    $4 w T D$, and more if it is computed in whole blocks.
//! 2. Block-sparse and hashed attention are exact attention over fewer keys; Performer estimates
//!    the sum over all keys; Linformer and Synthesizer are different functions.
//! 3. Performer has small errors when weights are flat. Reformer's errors are smaller when weights
//!    are sharp, but only many hashes make it better than the others.
//! 4. A window reaches $w$ steps in each layer; one global token joins everything in two layers.
//! 5. What is left out shows in the laws: order, negative weights, keys that do not count.
//!
//! ## Try this next
//!
//! 1. `--window 16 --layers 3`: how far does a window reach now, and what does far say? How many
//!    layers would be needed with a window of 4?
//! 2. `--steps 1000`: does BigBird learn to use its global token?
//! 3. In `data.h`, let eight topics share the first half of a longer sequence. Which of the methods
//!    suffers first? Predict it from the paragraph on the Synthesizer.
//! 4. `--data` with a file of labelled texts, one a line, as in lesson {attention_pooling},
//!    `LABEL:detail word word`, or with the folder of film reviews of lesson {explanation}, some
//!    800 words each. Does a classifier of long texts need to look far?
using namespace heed;
using namespace heed::lesson29;

int main(int argc, char** argv) {
    Lesson lesson({.number = 29,
                   .name = "long_sequences",
                   .title = "Must everyone look at everyone?",
                   .question =
                       "Exact attention compares all pairs of tokens. Which comparisons can be "
                       "left out, and what is lost?",
                   .data = "texts, `LABEL:detail words` a line, or a folder of reviews with "
                           "marked words",
                   .data_is = DataIs::either,
                   .own_data = "sequences of letters, facts and questions"});
    int steps = 0, seeds = 0, epochs = 0, longest = 1024, window = 4, features = 32, layers = 2;
    lesson.option("--steps", steps, "steps of training of each model (200; quick 100)");
    lesson.option("--seeds", seeds, "training runs of each model (2; quick 1)");
    lesson.option("--window", window, "steps to each side that the window reaches");
    lesson.option("--features", features, "random features of Performer");
    lesson.option("--layers", layers, "layers of the models");
    lesson.option("--epochs", epochs, "with --data: epochs of training (3; quick 1)");
    lesson.option("--longest", longest, "with --data: words of a text that are read");
    return lesson.run(argc, argv, [&] {
        if (steps == 0) steps = lesson.quick() ? 100 : 200;
        if (seeds == 0) seeds = lesson.quick() ? 1 : 2;
        if (epochs == 0) epochs = lesson.quick() ? 1 : 3;
        if (!lesson.options().data.empty()) return run_on_own_texts(lesson, epochs, longest);
        const Prediction scores = lesson.predict(
            "16,384 tokens: how many times more scores does exact attention compute than a window "
            "of "
            "128 to each side?",
            within_factor(1.3).from(0));
        Prediction reaches;  // what a quick run does not measure is not asked there
        if (!lesson.quick())
            reaches = lesson.predict(
                "A window of 4 steps, one global token and a random block, in two layers: what share "
                "of "
                "questions about facts far away is answered right? Guessing gives 0.25.",
                within(0.15).from(0, 1));
        cost(lesson, scores);
        patterns(lesson);
        linformer(lesson);
        random_features(lesson);
        hashing(lesson);
        errors(lesson);
        broken_laws(lesson);
        near_and_far(lesson, {.layers = layers, .window = window, .features = features}, steps,
                     seeds, reaches);
    });
}
