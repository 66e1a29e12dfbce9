//! # Does a published model run on what I wrote?
//!
//! Somewhere on the web lies a file of 98 megabytes. Its name is SmolLM2-135M-Instruct, and
//! somebody has trained it on two trillion tokens. It has a page of settings, a list of 49,152
//! pieces of words, and 272 arrays of numbers with names such as `blk.7.attn_k.weight`. Nothing in
//! it is a program. The arrays lie there until somebody writes down what is to be multiplied with
//! what, and in which order.
//!
//! You have written that down, one exercise after another. Does it run?
//!
//! If you have the file, you can see it: `./heed learn 38 --model FILE` examines it with all that
//! follows here. It may be a GGUF file of the Llama family, or a folder with `config.json` and
//! safetensors. Nothing is downloaded, and no file is needed. Without one, the lesson trains a
//! small Llama in seconds and examines that. The functions are the same, the tables are the same,
//! and the text gives the numbers of the small one.

#include <algorithm>
#include <cmath>
#include <limits>

#include "attention/scores/mask.h"
#include "autograd/autograd.h"
#include "autograd/record/grad_mode.h"
#include "lessons/38_published/experiment.h"
#include "lessons/38_published/pictures.h"
#include "nn/layers/adapters.h"
#include "nn/layers/losses.h"
#include "nn/layers/quantise.h"
#include "nn/module/hooks.h"

namespace heed::lesson38 {

using namespace course;

namespace {

//! ## Every part is one of yours
//!
//! {no results} The small Llama has three layers of width 64, four heads, and two groups of keys.
//! Its tokens are characters. A third of its lines tell of somebody with a new name, which returns.
//! The others repeat a string of random letters:
//!
//!     kosire sees the cat. the dog likes kosire. the bird knows kosire. ...
//!     qhzfbmwqhzfbmwqhzfbmwqhzfbmw
//!
//! Here is a Llama, all of it, for one text. The norm, the network and the groups are those of
//! lesson {modern_block}, the mask is that of lesson {self_attention}, and the rotation that of
//! lesson {positions}.
Tensor normed(const Tensor& x, const TransformerNorm& norm) {  // [T, D]
    return x / sqrt(mean(x * x, -1, true) + norm.eps) * norm.weight;
}

Tensor attended(const Tensor& x, const SelfAttention& attention) {  // [T, D]
    const MultiHead& m = attention.multi_head;
    const std::vector<double>& frequencies = attention.positions.frequencies;
    const RotaryLayout layout = attention.positions.layout;
    const int64_t T = x.size(0), H = m.heads, G = m.key_value_heads, W = x.size(1) / H;
    const Tensor q = m.query(x), k = m.key(x), v = m.value(x);
    const auto head = [&](const Tensor& all, int64_t h) {
        return slice(all, 1, h * W, (h + 1) * W);
    };
    std::vector<Tensor> contexts;
    for (int64_t h = 0; h < H; ++h) {
        const int64_t g = h * G / H;
        const Tensor qh = rotary(head(q, h), 0, frequencies, layout),  // exercise {published.1}
            kg = rotary(head(k, g), 0, frequencies, layout);
        const Tensor scores = matmul(qh, transpose(kg)) / std::sqrt(static_cast<double>(W));
        contexts.push_back(matmul(masked_softmax(scores, causal_mask(T)), head(v, g)));
    }
    return m.output(concat(contexts, 1));
}

Tensor gated(const Tensor& x, const FeedForward& network) {  // [T, D]
    return network.output(silu(network.gate(x)) * network.hidden(x));
}

Tensor my_llama(const LanguageModel& model, const std::vector<int>& ids) {  // -> [T, V]
    Tensor x = model.embedding(Indices(ids));
    for (const TransformerEncoderLayer& layer : model.stack.layers) {
        x = x + attended(normed(x, layer.attention_residual.norm), layer.attention);
        x = x + gated(normed(x, layer.feed_forward_residual.norm), layer.feed_forward);
    }
    return model.head(normed(x, model.stack.norm));
}

void part_by_part(Lesson& lesson, const Subject& subject) {
    lesson.heading("Every part is one of yours");
    const NoGrad no_grad;
    show_parts(lesson, subject);
    const std::vector<int> ids = subject.encode(subject.prompt);
    const Tensor library = select(subject.model(Indices(ids, {1, std::ssize(ids)})), 0, 0);
    const Tensor mine = my_llama(subject.model, ids);
    lesson.claim("by-hand",
                 "identity: logits of the page above against the library's, over the largest",
                 max(abs(mine - library)).item() / max(abs(library)).item(), at_most(1e-3));
}

//! In a larger model most of the weights are in the gated networks, and the rotation and the mask
//! have none. They are not in the file at all. The settings only say what kind of rotation was
//! meant, and each program that reads the file has to do the same.
//!
//! ## The strictest judge
//!
//! Suppose one detail of your program is different. You took the GELU of GPT, or the base 10,000
//! that stands in the paper, or forgot the causal mask. The naive test is to run it. It runs: all
//! shapes fit, no number is infinite, and out comes text. A test of shapes says nothing here. But
//! the weights were trained for one way of computing, and they notice.
//!
//! Below, each row changes one detail and nothing else. A detail is a field of the model, or it is
//! a hook (lesson {circuits}). Next to the loss on a text that the model has not been trained on
//! stands what it writes after a short beginning, with the most probable token each time. Read the
//! last column first.
struct Detail {
    std::string name, what;
    Change change = {};            // of a copy of the model
    std::vector<Hook> hooks = {};  // or of values inside it
    bool causal = true;
};

template <class F>
Change in_each_layer(F f) {
    return [f](LanguageModel& model) {
        for (TransformerEncoderLayer& layer : model.stack.layers) f(layer);
    };
}
template <class F>
Change in_each_norm(F f) {
    return [f](LanguageModel& model) {
        f(model.stack.norm);
        for (TransformerEncoderLayer& layer : model.stack.layers)
            f(layer.attention_residual.norm), f(layer.feed_forward_residual.norm);
    };
}

// The heads as if their groups were assigned in turn, head h to group h mod G. The library assigns neighbours, so
// the queries change their order before the attention, and the contexts change it back.
std::vector<Hook> groups_in_turn(const MultiHead& m) {
    const auto H = static_cast<int>(m.heads), G = static_cast<int>(m.key_value_heads);
    std::vector<int> order(m.heads), back(m.heads);
    for (int h = 0; h < H; ++h) {
        const int slot = h % G * (H / G) + h / G;  // one that reads group h mod G
        order[static_cast<std::size_t>(slot)] = h;
        back[static_cast<std::size_t>(h)] = slot;
    }
    return {{"decoder.layers.*.attention.q",
             [=](const Tensor& q) { return index_select(q, 1, order); }},
            {"decoder.layers.*.attention.heads",
             [=](const Tensor& z) { return index_select(z, 1, back); }}};
}

using Layer = TransformerEncoderLayer;
const Change other_pairs = in_each_layer([](Layer& layer) {
    RotaryLayout& layout = layer.attention.positions.layout;
    layout = layout == RotaryLayout::halves ? RotaryLayout::pairs : RotaryLayout::halves;
});
const Change base_of_the_paper = in_each_layer([](Layer& layer) {
    std::vector<double>& frequencies = layer.attention.positions.frequencies;
    frequencies = rotary_frequencies(2 * std::ssize(frequencies));
});
const Change no_rotation =
    in_each_layer([](Layer& layer) { layer.attention.positions.kind = PositionKind::none; });

std::vector<Detail> details(const LanguageModel& model) {
    return {{"right", "as it was trained"},
            {"eps", "eps 1e-6, not 1e-5", in_each_norm([](TransformerNorm& n) { n.eps = 1e-6; })},
            {"gelu", "GELU, not SiLU",
             in_each_layer([](Layer& l) { l.feed_forward.activation = Activation::gelu; })},
            {"layer-norm", "layer norm, not RMS norm",
             in_each_norm([](TransformerNorm& n) { n.kind = NormKind::layer; })},
            {"base", "rotation: base 10,000, not its own", base_of_the_paper},
            {"pairs", "rotation: the other pairs", other_pairs},
            {"unrotated", "no rotation", no_rotation},
            {"scale", "scores not divided",
             in_each_layer([](Layer& l) { l.attention.multi_head.scale = 1; })},
            {"groups",
             "groups of keys in turn",
             {},
             groups_in_turn(model.stack.layers[0].attention.multi_head)},
            {"mask", "no causal mask", {}, {}, false}};
}

Tensor logits_of(const LanguageModel& model, const Indices& ids, AttentionCall call) {  // [B, T, V]
    return model.head(model.stack(model.embedding(ids), call));
}
double loss_of(const LanguageModel& model, const Rows& rows,
               AttentionCall call = {.causal = true}) {
    const NoGrad no_grad;
    return sequence_cross_entropy(logits_of(model, rows.in, call), rows.out, -1).item();
}

std::string written(const Subject& subject, const LanguageModel& model, bool causal) {
    const NoGrad no_grad;
    std::vector<int> ids = subject.encode(subject.prompt), more;
    for (int i = 0; i < (subject.published ? 14 : 20); ++i) {
        const Indices so_far(ids, {1, std::ssize(ids)});
        more.push_back(argmax(select(logits_of(model, so_far, {.causal = causal}), 1, -1), 1)[0]);
        ids.push_back(more.back());
    }
    return subject.decode(more);
}

void one_detail_at_a_time(Lesson& lesson, const Subject& subject) {
    lesson.heading("The strictest judge");
    const Prediction guess = lesson.predict(
        "Which of these mistakes costs the model most?",
        {"GELU for SiLU", "layer norm for RMS norm", "the other pairs", "scores not divided"});
    Table table({"the detail", "loss", "more", "what it writes"});
    std::vector<std::string> names;
    std::vector<double> more;
    double right = 0;
    const std::vector<Detail> all = details(subject.model);
    for (const Detail& detail : all) {
        LanguageModel model = subject.model;  // shares the weights
        if (detail.change) detail.change(model);
        const auto [loss, text] = with_hooks(model, detail.hooks, [&] {
            return std::pair(loss_of(model, subject.text, {.causal = detail.causal}),
                             written(subject, model, detail.causal));
        });
        if (names.empty()) right = loss;
        names.push_back(detail.what), more.push_back(loss - right);
        table.row(detail.what, fmt::format("{:.3f}", loss), fmt::format("{:.3f}", loss - right),
                  one_line(text));
    }
    lesson.show(
        "details", details_chart(names, more),
        "What each wrong detail adds to the loss, in nats a token. A shape check passes for all of them.");
    lesson.table(table,
                 fmt::format("The loss, and what follows \"{}\".", one_line(subject.prompt)));
    const std::vector<std::pair<std::string, double>> asked{{"GELU for SiLU", more[2]},
                                                            {"layer norm for RMS norm", more[3]},
                                                            {"the other pairs", more[5]},
                                                            {"scores not divided", more[7]}};
    lesson.reveal(guess, std::max_element(asked.begin(), asked.end(), [](auto& a, auto& b) {
                             return a.second < b.second;
                         })->first);
    lesson.measured("right", "loss of the model as it was trained", right);
    const auto growth = [&](const char* name) {
        const auto at = std::find_if(all.begin(), all.end(),
                                     [&](const Detail& detail) { return detail.name == name; });
        return more[static_cast<std::size_t>(at - all.begin())];
    };
    finding(lesson, subject, "pairs", "the other pairs: growth of the loss", growth("pairs"),
            at_least(1.5));
    finding(lesson, subject, "groups", "groups of keys in turn: growth of the loss",
            growth("groups"), at_least(0.9));
    finding(lesson, subject, "eps", "eps 1e-6, not 1e-5: change of the loss",
            std::abs(growth("eps")), at_most(0.001));
    lesson.measured("gelu", "GELU, not SiLU: growth of the loss", growth("gelu"));
    lesson.measured("layer-norm", "layer norm, not RMS norm: growth of the loss",
                    growth("layer-norm"));
    lesson.measured("base", "base 10,000, not its own: growth of the loss", growth("base"));
    lesson.measured("unrotated", "no rotation: growth of the loss", growth("unrotated"));
    lesson.measured("scale", "scores not divided: growth of the loss", growth("scale"));
    lesson.measured("mask", "no causal mask: growth of the loss", growth("mask"));
}

//! {if all eps < 0.001} The wrong $\epsilon$ costs nothing. {if all gelu < 0.3 and layer-norm <
//! 0.3} The small model hardly notices GELU for SiLU ({gelu:2} nats) and the layer norm
//! ({layer-norm:2}). {if all pairs > 1.5 and groups > 0.9} But with the other pairs it loses
//! {pairs:1} nats, and with the groups in turn {groups:1}. It no longer knows where anything is.
//!
//! Two rows deserve distrust. A small growth is the dangerous kind: nobody sees {gelu:2} nats in a
//! text, and a program with that mistake can be used for years. And without the mask the model sees
//! the token that it has to predict. A model that has learned to copy may then have a **smaller**
//! loss than the right one, and write nonsense. With a file you can see that: the loss alone is no
//! judge, either. This is why we print both columns.
//!
//! Your own functions can be judged like this. `./heed chat FILE --mine` talks to you through the
//! embedding, norm, rotation, attention and network that you wrote as exercises. With
//! `--what-breaks` it puts the mistakes in that people have made there, one after the other, and
//! shows what the model then says.
//!
//! ## Two ways to pair
//!
//! The rotation is the detail that people get wrong most often, since two conventions are in use.
//! Lesson {positions} rotates neighbours, the numbers 0 and 1, 2 and 3, ... of a head. Files for
//! the package `transformers` pair each number with the one half a head further. For a head of
//! width $D$, the pair $i$ from 0 to $D/2 - 1$,
//!
//! $$ (x_{2i}, \, x_{2i+1}) \quad \text{or} \quad (x_i, \, x_{i + D/2}) , $$
//!
//! is rotated by the angle $t \, b^{-2i/D}$, where $t$ is the position of the token and $b$ the
//! base.
//!
//! {no results} **By hand.** The row $(1, 0, 1, 0)$ at position 1 with $b = 100$ has the angles 1
//! and 0.1. Neighbours: the pairs are $(1, 0)$ and $(1, 0)$, and the result is $(0.540, 0.841,
//! 0.995, 0.100)$. Halves: the pairs are $(1, 1)$ and $(0, 0)$. The first one becomes
//! $(0.540 - 0.841, \, 0.841 + 0.540)$, so the result is $(-0.301, 0, 1.382, 0)$.
//!
//! Neither is better. A score is a sum over pairs, and it does not matter where the two numbers of
//! a pair are stored. If the rows of $W_Q$ and $W_K$ are put into another order, one convention
//! becomes the other. The programs that write GGUF files of a Llama do just that: they reorder the
//! rows once, and the program that reads the file rotates neighbours.
void reorder_the_rows(Lesson& lesson, const Subject& subject) {
    lesson.heading("Two ways to pair");
    const auto d64 = Dtype::float64;
    const Tensor row = tensor({1, 0, 1, 0}, {1, 4}, d64);
    const auto apart = [&](RotaryLayout layout, const std::vector<double>& by_hand) {
        return max(abs(rotary(row, 1, 100, layout) - tensor(by_hand, {1, 4}, d64))).item();
    };
    lesson.claim("pairs-by-hand",
                 "identity: the row above in both ways, against the numbers by hand",
                 std::max(apart(RotaryLayout::pairs, {0.540, 0.841, 0.995, 0.100}),
                          apart(RotaryLayout::halves, {-0.301, 0, 1.382, 0})),
                 at_most(0.001));
    LanguageModel model = subject.model;
    in_each_layer([](Layer& layer) {
        MultiHead& m = layer.attention.multi_head;
        const RotaryLayout from = layer.attention.positions.layout,
                           to = from == RotaryLayout::halves ? RotaryLayout::pairs
                                                             : RotaryLayout::halves;
        m.query.weight = with_rotary_layout(m.query.weight, m.heads, from, to);
        m.key.weight = with_rotary_layout(m.key.weight, m.key_value_heads, from, to);
    })(model);
    other_pairs(model);
    lesson.claim("reordered", "identity: the other pairs with reordered rows: change of the loss",
                 std::abs(loss_of(model, subject.text) - loss_of(subject.model, subject.text)),
                 at_most(1e-4));
}

//! ![A head that was made to look one token back. Change the base, then the pairs. Which of the two does it survive?](live:rotation)
//!
//! ## Training forgives
//!
//! If pairs are only a convention, a model that is **trained** with the other pairs should be as
//! good as ours. We train three more models from the beginning, each with one of the mistakes that
//! cost so much: the other pairs, the base 10,000, no rotation. Same seed, same text, same number
//! of steps.
void train_with_mistakes(Lesson& lesson, const Subject& subject, int steps) {
    lesson.heading("Training forgives");
    const Prediction guess = lesson.predict(
        "Trained from the beginning with the base 10,000 in place of 500: its loss?",
        {"larger by more than 0.1", "the same within 0.1", "smaller by more than 0.1"});
    const double right = loss_of(subject.model, subject.text);
    Table table({"trained with", "loss", "more"});
    table.row("no mistake", fmt::format("{:.3f}", right), "0");
    const auto trained = [&](const std::string& what, const Change& change) {
        const double loss = loss_of(train_small(lesson, steps, what, change), subject.text);
        table.row(what, fmt::format("{:.3f}", loss), fmt::format("{:.3f}", loss - right));
        return loss - right;
    };
    const double pairs = trained("the other pairs", other_pairs),
                 base = trained("base 10,000", base_of_the_paper),
                 none = trained("no rotation", no_rotation);
    lesson.table(table, "The loss of four models, each examined as it was trained.");
    lesson.reveal(guess, base > 0.1    ? "larger by more than 0.1"
                         : base < -0.1 ? "smaller by more than 0.1"
                                       : "the same within 0.1");
    finding(lesson, subject, "trained-pairs", "trained with the other pairs: growth of the loss",
            pairs, at_most(0.6));
    finding(lesson, subject, "trained-base", "trained with base 10,000: growth of the loss", base,
            at_most(0.7));
    finding(lesson, subject, "trained-none", "trained without rotation: growth of the loss", none,
            at_least(0.3));
}

//! {full run} With the other pairs the loss differs from that of the first model by
//! {trained-pairs:2} nats (over the seeds {trained-pairs:range 2}), with the base 10,000 by
//! {trained-base:2} ({trained-base:range 2}). That is chance: the copying begins a little sooner or
//! later. In the trained model the same two changes cost {pairs:2} and {base:2}. {if all
//! trained-none > 0.3} {full run} Only what is really missing is missed: without rotation the loss
//! stays {trained-none:1} larger, since nothing else tells the positions.
//!
//! So a loss that falls is a weak test of a program. The weights learn to live with most mistakes.
//! **If you want to know whether your attention is right, do not train it. Give it weights that
//! somebody else has trained.**
//!
//! ## The circuits again
//!
//! Lesson {circuits} found heads that look at the token before and induction heads, in a network of
//! two layers without norms and without feed-forward networks. Are they there in a Llama? Draw a
//! string of $n$ random tokens and write it twice. In the second copy, at token $i$, the head of
//! the first kind looks at $i - 1$. An induction head looks at $i - n + 1$, the token that came
//! next the first time. The two scores of a head are its mean weights there:
//!
//! $$ \text{previous} = \frac{1}{n} \sum_i \alpha_{i, \, i-1}, \qquad
//!    \text{induction} = \frac{1}{n} \sum_i \alpha_{i, \, i-n+1}, $$
//!
//! where $i$ runs over the second copy, and $\alpha_{ij}$ is the weight of token $j$ for token $i$.
double mean_weight(const Tensor& weights, int64_t row, int64_t column, int64_t n) {  // [B, T, T]
    const Tensor block = slice(slice(weights, 1, row, row + n), 2, column, column + n);
    return sum(block * eye(n)).item() / static_cast<double>(n * weights.size(0));
}

struct Head {
    int64_t layer = 0, head = 0;
    double previous = 0, induction = 0;
};
std::vector<Head> score_heads(const LanguageModel& model, const Twice& twice) {
    std::vector<Tensor> weights;  // [B, H, T, T] of each layer
    model.run(twice.in, {.weights = &weights});
    const int64_t second = twice.first + twice.n;  // where the second copy begins
    std::vector<Head> all;
    for (int64_t l = 0; l < std::ssize(weights); ++l)
        for (int64_t h = 0; h < weights[static_cast<std::size_t>(l)].size(1); ++h) {
            const Tensor w = select(weights[static_cast<std::size_t>(l)], 1, h);
            all.push_back({l, h, mean_weight(w, second, second - 1, twice.n),
                           mean_weight(w, second, twice.first + 1, twice.n)});
        }
    return all;
}

//! A weight is a hint and no proof. So we also patch: the outputs of some heads are replaced by
//! their means over all strings, and we measure the loss on the second copy. For a comparison we
//! take as many heads that are in neither list, by chance, three times.
double loss_without(const LanguageModel& model, const Twice& twice,
                    const std::vector<Head>& heads) {
    std::vector<Hook> hooks;
    for (const Head& one : heads)
        hooks.emplace_back(
            fmt::format("decoder.layers.{}.attention.heads", one.layer),
            [h = static_cast<int>(one.head)](const Tensor& z) {  // [B, H, T, W]
                const int64_t H = z.size(1);
                const Tensor only = reshape(one_hot(Indices({h}, {1}), H), {1, H, 1, 1});
                return z + only * (mean(z, 0, true) - z);
            });
    return sequence_cross_entropy(run_with(model, twice.in, hooks), twice.out, -1).item();
}

void find_circuits(Lesson& lesson, const Subject& subject) {
    lesson.heading("The circuits again");
    const NoGrad no_grad;
    Rng rng(lesson.seed() + 7);
    const Twice twice = draw_twice(subject, subject.published ? 4 : 50, rng);
    std::vector<Head> all = score_heads(subject.model, twice);
    std::vector<double> previous, induction;
    for (const Head& head : all)
        previous.push_back(head.previous), induction.push_back(head.induction);
    const int64_t layers = std::ssize(subject.model.stack.layers), heads = std::ssize(all) / layers;
    lesson.show("heads",
                {heads_map("Looks at the token before", layers, heads, previous),
                 heads_map("Looks at what came next", layers, heads, induction)},
                "The two scores of each head, on random strings that are written twice.");

    const std::size_t k = std::min<std::size_t>(10, all.size() / 4);
    const auto best = [&](double Head::*score) {
        std::sort(all.begin(), all.end(),
                  [&](const Head& a, const Head& b) { return a.*score > b.*score; });
        return std::vector<Head>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(k));
    };
    const std::vector<Head> copiers = best(&Head::induction), lookers = best(&Head::previous);
    std::vector<Head> others;
    for (const Head& head : all)
        if (head.induction < copiers.back().induction && head.previous < lookers.back().previous)
            others.push_back(head);
    double without_others = 0;
    for (int draw = 0; draw < 3; ++draw) {
        rng.shuffle(others);
        without_others +=
            loss_without(subject.model, twice,
                         {others.begin(), others.begin() + static_cast<std::ptrdiff_t>(k)}) /
            3;
    }
    const double whole = loss_without(subject.model, twice, {}),
                 no_copiers = loss_without(subject.model, twice, copiers),
                 no_lookers = loss_without(subject.model, twice, lookers);
    Table table({"replaced by their means", "loss on the second copy"});
    table.row("nothing", fmt::format("{:.3f}", whole));
    table.row(fmt::format("the {} best induction heads", k), fmt::format("{:.3f}", no_copiers));
    table.row(fmt::format("the {} best previous-token heads", k),
              fmt::format("{:.3f}", no_lookers));
    table.row(fmt::format("{} other heads", k), fmt::format("{:.3f}", without_others));
    lesson.table(table,
                 subject.published
                     ? "In nats a token."
                     : "In nats a token. A guess among 26 letters has the loss ln 26 = 3.26.");
    finding(lesson, subject, "best-induction", "largest induction score of a head",
            copiers[0].induction, at_least(0.2));
    lesson.measured("best-previous", "largest previous-token score of a head", lookers[0].previous);
    lesson.measured("copied", "loss on the second copy", whole);
    finding(lesson, subject, "no-copiers", "without the best induction heads: growth of the loss",
            no_copiers - whole, at_least(0.3));
    lesson.measured("no-lookers", "without the best previous-token heads: growth of the loss",
                    no_lookers - whole);
    lesson.measured("no-others", "without as many other heads: growth of the loss",
                    without_others - whole);
}

//! {if best-induction > 0.4 and best-previous > 0.3} {full run} Both kinds are there, and nobody
//! has put them there. The best scores are {best-induction:2} for an induction head and
//! {best-previous:2} for the token before. {if no-copiers > no-others + 0.5 and no-lookers >
//! no-others + 0.5} {full run} Without its three best induction heads the loss on the second copy
//! grows by {no-copiers:1}, without the three heads that look at the token before by
//! {no-lookers:1}, and without three others by {no-others:2}. The induction heads cost more than
//! the others in {count no-copiers > no-others} seeds, and the heads for the token before in {count
//! no-lookers > no-others}. Losing the first step is as bad as losing the second: without its note,
//! an induction head has nothing to find. And as in lesson {circuits}, a seed may copy in a way
//! that the scores do not show: {count best-previous < 0.3} have no head with a score of {no
//! results} 0.3 for the token before.
//!
//! ## The first token
//!
//! Softmax has to spend its weight somewhere, even if a head has nothing to look for. Large models
//! spend it on the first token, the attention sink of lesson {states}. That lesson had no
//! measurement of it, and says that a model which is trained in seconds has none. Is that so? We
//! take the mean weight on the first token, by layer, for the tokens of the second half of each
//! text. Then we hide its key from them, and for comparison the keys of three other tokens of the
//! first half, one at a time.
double loss_hidden(const LanguageModel& model, const Rows& second_half, int64_t hidden) {
    const int64_t T = second_half.in.size(1);
    std::vector<double> seen(static_cast<std::size_t>(T * T), 1);
    for (int64_t i = T / 2; i < T; ++i) seen[static_cast<std::size_t>(i * T + hidden)] = 0;
    return loss_of(model, second_half, {.mask = tensor(seen, {1, T, T}), .causal = true});
}

void look_for_a_sink(Lesson& lesson, const Subject& subject) {
    lesson.heading("The first token");
    const NoGrad no_grad;
    const int64_t T = subject.text.in.size(1);
    std::vector<Tensor> weights;
    subject.model.run(subject.text.in, {.weights = &weights});
    std::vector<double> on_first;
    for (const Tensor& w : weights)
        on_first.push_back(mean(select(slice(w, 2, T / 2, T), 3, 0)).item());
    double even = 0;
    for (int64_t t = T / 2; t < T; ++t) even += 2.0 / static_cast<double>(T * (t + 1));
    lesson.show(
        "sink", sink_plot(on_first, even),
        "The mean weight on the first token of a text, by layer, and what it would be if all tokens "
        "had the same.");

    std::vector<int> counted(subject.text.out.begin(), subject.text.out.end());
    for (std::size_t i = 0; i < counted.size(); ++i)
        if (static_cast<int64_t>(i) % T < T / 2) counted[i] = -1;
    const Rows second_half{subject.text.in, Indices(counted, subject.text.out.shape())};
    const double all = loss_of(subject.model, second_half),
                 no_first = loss_hidden(subject.model, second_half, 0) - all;
    double no_other = -std::numeric_limits<double>::infinity();
    for (const int64_t j : {T / 8, T / 4, 3 * T / 8})
        no_other = std::max(no_other, loss_hidden(subject.model, second_half, j) - all);
    Table table({"hidden", "growth of the loss"});
    table.row("the first token", fmt::format("{:.4f}", no_first));
    table.row("the worst of three others", fmt::format("{:.4f}", no_other));
    lesson.table(table, "The second half of each text does not see one key and value.");
    finding(lesson, subject, "sink", "largest mean weight of a layer on the first token",
            *std::max_element(on_first.begin(), on_first.end()), at_most(0.1));
    lesson.measured("even", "the weight on the first token if all were the same", even);
    lesson.measured("no-first", "first token hidden: growth of the loss", no_first);
    lesson.measured("no-other", "another token hidden: growth of the loss", no_other);
}

//! {if all sink < 0.1} The small Llama has no sink: no layer gives the first token more than
//! {sink:2} of its weight, where an even share would be {even:2}. {if no-other > no-first} Hiding
//! the first token costs {no-first:3} nats, hiding another one up to {no-other:3}, because that one
//! may be a letter of a name. So lesson {states} was right about small models. In a published one,
//! expect a curve that climbs after the first layers, and compare the two rows of the table: the
//! first token may be "The", and no later word needs to know that.
//!
//! ## Four bits
//!
//! The file of 98 megabytes cannot hold 135 million floats, which take 538. Most of its matrices
//! are blocks of 32 weights with 4 bits for each, in the format called Q4_1. Lesson {fast_decoding}
//! rounds weights to $s \, q$, with $q$ from $-7$ to 7, so the grid lies around 0. In Q4_1 a block
//! has a second number, its smallest weight:
//!
//! $$ w_i \approx d \, q_i + m , \qquad m = \min_i w_i , \qquad d = \frac{\max_i w_i - m}{15} , $$
//!
//! where $q_i$ is a whole number from 0 to 15.
//!
//! {no results} **By hand.** The weights $-0.2, 0.1, 1.3$ have $m = -0.2$ and $d = 1.5 / 15 = 0.1$,
//! so $q = 0, 3, 15$, and all three come back exactly. Two bytes each for $d$ and $m$ and 16 for
//! the $q$ are 20 bytes for 32 weights, 5 bits a weight. Exercise {published.2} takes such a block
//! apart.
Tensor four_bits(const Tensor& w) {  // [n, 32], a block in each row
    const Tensor m = min(w, -1, true), d = (max(w, -1, true) - m) / 15;
    return d * round((w - m) / maximum(d, 1e-30)) + m;
}

void compare_bits(Lesson& lesson, const Subject& subject) {
    lesson.heading("Four bits");
    const NoGrad no_grad;
    const Tensor three = tensor({-0.2, 0.1, 1.3}, {1, 3}, Dtype::float64);
    lesson.claim("bits-by-hand", "identity: the three weights after rounding, against themselves",
                 max(abs(four_bits(three) - three)).item(), at_most(1e-12));

    if (!in_blocks_of_32(subject.model)) {
        lesson.say(
            "The layers of this model are not whole blocks of 32 inputs, so they stay floats.");
        return;
    }
    std::vector<std::pair<std::string, LanguageModel>> models(4, {"floats", subject.model});
    models[1].first = "8 bits", models[2].first = "4 bits, d and m",
    models[3].first = "4 bits, d only";
    quantise(models[1].second, {.bits = 8});
    quantise(models[2].second, {.bits = 4, .minimum = true});
    quantise(models[3].second, {.bits = 4});
    if (subject.stored.head.defined()) models.emplace_back("as in the file", subject.stored);
    const double memory = bytes_a_second();
    Table table({"weights", "perplexity", "MB a token", "tokens/s", "memory allows"});
    std::vector<double> perplexity;
    for (const auto& [name, model] : models) {
        const double bytes = bytes_a_token(model);
        perplexity.push_back(std::exp(loss_of(model, subject.text)));
        table.row(name, fmt::format("{:.3f}", perplexity.back()),
                  fmt::format("{:.2f}", bytes / 1e6), fmt::format("{:.0f}", tokens_a_second(model)),
                  fmt::format("{:.0f}", memory / bytes));
    }
    lesson.table(
        table,
        fmt::format("Perplexity on unseen text; the bytes of weights that a token needs; tokens a "
                    "second on this machine; and {:.1f} GB a second, which a sum of floats "
                    "has just read from memory, over those bytes.",
                    memory / 1e9));
    finding(lesson, subject, "eight", "8 bits: perplexity over that of floats",
            perplexity[1] / perplexity[0], between(0.99, 1.01));
    finding(lesson, subject, "four", "4 bits, d and m: perplexity over that of floats",
            perplexity[2] / perplexity[0], between(0.99, 1.1));
    lesson.measured("four-without", "4 bits, d only: perplexity over that of floats",
                    perplexity[3] / perplexity[0]);
}

//! With 8 bits the perplexity is {eight:3} times that of floats, with 4 bits {four:3} times.
//! Without the minimum it is {four-without:3} times, which is more in {count four-without > four}
//! seeds. Weights that lie around 0 have little use for it. If
//! a file already has 4 bits, the floats in the table are its 4 bits unpacked, and rounding them a
//! second time in another format costs more than the first time.
//!
//! The last two columns are the formula of lesson {fast_decoding}: a token costs all weights, so
//! memory allows at most its bytes a second over the bytes of the weights. For a real model the two
//! columns should be of one size, and fewer bits should mean more tokens. The small model lies in a
//! cache, so memory is not what it waits for, and the columns have nothing to do with each other.
//! Nothing here is judged: the time is that of your machine.
//!
//! ## Your own text
//!
//! Now somebody else's model shall learn something of yours. Lesson {assistant} has the tool, a
//! low-rank adapter: the weights stay frozen, and two narrow matrices beside queries and values
//! learn. The small Llama knows the names and the cats of the land. We give it a text from the sea,
//! with other nouns, verbs and sentences: "at sea bopilu moors a raft." With a file, `--text FILE`
//! is your text. Four fifths of it are for training, and some of the rest for the test.
void adapt(Lesson& lesson, const Subject& subject) {
    lesson.heading("Your own text");
    const Prediction guess = lesson.predict(
        "After the training on the new text: the loss on the old one?",
        {"the same within 0.1", "larger by more than 0.1", "smaller by more than 0.1"});
    LanguageModel model = copy_model(subject.model);
    double frozen = 0, trained = 0;
    for (const Parameter& p : parameters(model)) frozen += static_cast<double>(p.tensor.numel());
    Rng rng(lesson.seed() + 9);
    add_adapters(model, {.rank = 4, .only = {"query", "value"}}, rng);
    for (const Parameter& p : parameters(model))
        if (p.tensor.requires_grad()) trained += static_cast<double>(p.tensor.numel());
    const auto both = [&] {
        return std::pair(std::exp(loss_of(model, subject.other_test)),
                         std::exp(loss_of(model, subject.text)));
    };
    const auto [new_before, old_before] = both();
    train_on_other(lesson, model, subject, rng);
    const auto [new_after, old_after] = both();
    Table table({"perplexity on", "before", "after"});
    table.row("the new text", fmt::format("{:.2f}", new_before), fmt::format("{:.2f}", new_after));
    table.row("the old text", fmt::format("{:.2f}", old_before), fmt::format("{:.2f}", old_after));
    lesson.table(
        table,
        fmt::format(
            "Adapters of rank 4 at queries and values: {:.0f} parameters are trained, {:.1f} % of "
            "the model's {:.0f}.",
            trained, 100 * trained / frozen, frozen));
    const double cost = std::log(old_after / old_before);
    lesson.reveal(guess, cost > 0.1    ? "larger by more than 0.1"
                         : cost < -0.1 ? "smaller by more than 0.1"
                                       : "the same within 0.1");
    finding(lesson, subject, "new-text", "perplexity on the new text: after over before",
            new_after / new_before, at_most(0.4));
    finding(lesson, subject, "old-text", "perplexity on the old text: after over before",
            old_after / old_before, at_least(1.2));
    lesson.measured("new-before", "perplexity on the new text, before", new_before);
    lesson.measured("new-after", "perplexity on the new text, after", new_after);
    lesson.measured("old-before", "perplexity on the old text, before", old_before);
    lesson.measured("old-after", "perplexity on the old text, after", old_after);
    lesson.measured("adapted", "share of the parameters that are trained", trained / frozen);
}

//! With {adapted:%} of the parameters the perplexity on the new text falls from {new-before:0} to
//! {new-after:1}. {if all old-text > 1.1} That is not free. On the old text it rises from
//! {old-before:1} to {old-after:1}, although no weight of the model has changed. A small adapter is
//! no protection: few parameters can do much. It is a protection in another sense. Take it away,
//! and the old model is back, bit for bit.

}  // namespace

}  // namespace heed::lesson38

//! ## What this does not show
//!
//! The small Llama is no language model. It knows one kind of sentence and one trick, and its table
//! of details is its own: how much a detail costs depends on the model, as you see with a file.
//! That training forgives was shown for two mistakes. The mask is another matter: without it a
//! model trains very well, and learns nothing but to copy the next token (lesson {language_model},
//! "Try this next"). Our two scores find the heads that do what the scores ask for. What the others
//! do, we have not asked.
//!
//! And a file that runs is not yet an assistant. `./heed chat FILE` talks with it: there, the
//! template of the conversation matters, and names of special tokens in your text must stay text
//! (exercise {published.3}).
//!
//! Sources: Touvron et al., "LLaMA" (2023) and "Llama 2" (2023), the parts; Ben Allal et al.,
//! "SmolLM2" (2025), the model of the first paragraph; Su et al., "RoFormer" (2021), section 3.2.2,
//! neighbours; Wang and Komatsuzaki, GPT-J (2021), and Black et al., "GPT-NeoX-20B" (2022), section
//! 2.1; the file formats of Gerganov's ggml, and of the package `transformers` by Wolf et al.
//! (2020); Olsson et al., "In-context Learning and Induction Heads" (2022), the scores on repeated
//! random tokens; Xiao et al., "Efficient streaming language models with attention sinks" (2023),
//! section 3; Williams, Waterman, Patterson, "Roofline" (2009); Hu et al., "LoRA" (2022).
//!
//! ## Summary
//!
//! 1. A published model is arrays with names and a page of settings. You have written every part of
//!    the program.
//! 2. {if all pairs > 1.5 and groups > 0.9} A wrong detail runs, and trained weights notice it.
//!    Look at the loss and at the text: either alone can look healthy.
//! 3. {if trained-pairs < 0.2 and trained-base < 0.2} Training from the beginning forgives what a
//!    file does not. So weights of somebody else are the better test.
//! 4. {if no-copiers > no-others and no-lookers > no-others} Heads for the token before and
//!    induction heads are in a Llama, too, and copying needs both.
//! 5. Few bits cost little, and a small adapter teaches a new text at the price of the old one.
//!
//! ## Try this next
//!
//! 1. Run it with a file, and read the row without a causal mask. Which of its two columns would
//!    you have believed?
//! 2. Add a detail of your own to `details`: residual connections left out, the last norm missing,
//!    queries and keys exchanged. Guess before you run.
//! 3. Give the adapters rank 1, or fewer steps. Is there a point where the new text gains and the
//!    old one loses nothing?
using namespace heed;
using namespace heed::lesson38;

int main(int argc, char** argv) {
    Lesson lesson(
        {.number = 38,
         .name = "published",
         .title = "Does a published model run on what I wrote?",
         .question =
             "A file that somebody else has trained, and the parts that you wrote: what happens?",
         .own_data = "lines with names that return, and random strings that are repeated"});
    std::string file, text;
    int steps = 0;
    lesson.option("--model", file, "a GGUF file of the Llama family, or a folder with safetensors");
    lesson.input_file("--text", text, "with --model: a text of yours, for the adapters");
    lesson.option("--steps", steps, "steps of training of the small Llama (800; quick 150)");
    return lesson.run(argc, argv, [&] {
        check(text.empty() || !file.empty(), "--text: only together with --model");
        if (steps == 0) steps = lesson.quick() ? 150 : 800;
        const Subject subject = file.empty()
                                    ? small_subject(train_small(lesson, steps, "a small Llama"),
                                                    lesson.seed(), lesson.quick())
                                    : subject_from(file, text, lesson.quick());
        part_by_part(lesson, subject);
        one_detail_at_a_time(lesson, subject);
        reorder_the_rows(lesson, subject);
        if (!subject.published) train_with_mistakes(lesson, subject, steps);
        find_circuits(lesson, subject);
        look_for_a_sink(lesson, subject);
        compare_bits(lesson, subject);
        adapt(lesson, subject);
    });
}
