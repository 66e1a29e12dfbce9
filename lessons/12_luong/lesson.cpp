//! # Does the decoder need to look everywhere?
//!
//! For every word it generates, the translator of lesson 11 compares its state with every word of
//! the source: for twice the length, that is four times the work. Yet one or two words get nearly
//! all the weight. Luong, Pham and Manning (2015) asked two questions. Does it matter which score
//! compares state and word? And is it enough to attend to a small window of the source, if the
//! decoder can find the right position for it?
//!
//! Their decoder is simpler than that of lesson 11. It takes its recurrent step first and attends
//! afterwards: the query is the new state $s_t$, and the next word is predicted from the *features*
//! $\tilde s_t = \tanh(W_c [s_t; c_t])$. No state depends on the attention. So in training, when
//! the target is known, the attention of all steps is one matrix product.

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"
#include "lessons/12_luong/comparison.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;
using namespace heed::lesson12;

namespace {

//! ## Attention in a window
//!
//! *Global* attention scores all $K$ words of the source. *Local* attention scores those within a
//! reach $R$ of a centre $p$, at most $2R + 1$ of them, however long the sentence. *Local-m*
//! assumes a monotone alignment: for target word $t$ the centre is $p = t$. *Local-p* predicts the
//! centre from the state alone, without the keys, and multiplies the weights by a Gaussian, so that
//! the centre has a gradient:
//!
//! $$ p = \frac{K}{1 + e^{-v^\top \tanh(U s)}} \qquad
//!    \alpha_j = \frac{e^{e_j}}{\sum_{|k - p| \le R} e^{e_k}} \, e^{-(j - p)^2 / 2 \sigma^2} \qquad
//!    \sigma = \frac{R}{2} $$
//!
//! Here for one state $s$ and the annotations $h_j$, with the *general* score $e_j = s^\top W h_j$.
//! Only the scores inside the window are computed.
struct Window {
    Tensor context;  // [C]
    int scores = 0;  // that were computed
};
Window local_by_hand(const Attention& attention, const WindowStep& step) {
    const Tensor &s = step.state, &h = step.annotations;
    const auto& [kind, reach, hidden, v] = attention.span;
    const bool predicts = kind == SpanKind::local_p;
    const double R = static_cast<double>(reach), K = step.keys();
    const double p = predicts ? K * sigmoid(matmul(v, tanh(hidden(s)))).item() : step.index;
    const int first = static_cast<int>(std::max(0.0, std::ceil(p - R)));
    const int end = static_cast<int>(std::min(K, std::floor(p + R) + 1));
    if (first >= end) return {zeros({h.size(1)})};  // local-m: the window lies behind the last word
    const Tensor near = slice(h, 0, first, end);
    const Tensor e = matmul(near, matmul(s, std::get<GeneralScore>(attention.score.any).weight));
    const Tensor distance = (arange(end - first) + (first - p)) / (R / 2);
    const Tensor alpha = exp(e) / sum(exp(e));
    return {matmul(predicts ? alpha * exp(-0.5 * square(distance)) : alpha, near), end - first};
}

//! The library computes all scores and hides those outside the window, which is faster for a batch
//! of short sentences. The results must be the same.
void count_scores(Lesson& lesson, const Comparison& result, int m, int p, const TextSet& part) {
    NoGrad no_grad;
    std::vector<Cost> costs;
    double gap = 0, most = 0;
    for (int which : {m, p}) {
        const Attention& attention = *result.models[which].decoder.attention;
        costs.push_back({.name = which == m ? "local-m" : "local-p"});
        for (const WindowStep& step : window_steps(result.models[which], part)) {
            const auto [mine, scores] = local_by_hand(attention, step);
            const Tensor h = unsqueeze(step.annotations, 0), s = reshape(step.state, {1, 1, -1});
            const Tensor library = attention(s, attention.prepare(h, h), step.index).context;
            gap = std::max(gap, max(abs(mine - reshape(library, {-1}))).item());
            costs.back().add(step.keys(), scores);
        }
        most = static_cast<double>(2 * attention.span.half_window + 1);
    }
    show_cost(lesson, costs);
    lesson.claim("contexts by hand against the library's, largest difference", gap, at_most(1e-4));
    for (const Cost& cost : costs) {
        lesson.claim(fmt::format("most scores in one step of {}", cost.name), cost.most(),
                     at_most(most));
        lesson.claim(fmt::format("scores that {} computes, as a share of global's", cost.name),
                     cost.share(), at_most(0.8));
    }
}

//! Some texts call this *hard* attention, since words outside the window are left out. But hard
//! attention samples one position at random and needs the methods of lesson 14. Here nothing is
//! sampled. The context has a derivative with respect to $v$ and $U$, through the centre, and it
//! agrees with finite differences.
double error_of_the_gradient(std::uint64_t seed) {
    Rng rng(seed);
    Attention attention{AttentionScore(ScoreKind::general, {.query = 4, .key = 3}, rng),
                        AttentionSpan(SpanKind::local_p, {.half_window = 2, .query = 4}, rng)};
    to_dtype(attention, Dtype::float64);
    const Tensor s = normal({1, 1, 4}, 0, 1, rng, Dtype::float64);
    const Tensor h = normal({1, 9, 3}, 0, 1, rng, Dtype::float64);
    const auto context = [&](const std::vector<Tensor>& x) {
        attention.span.v = x[0];
        attention.span.hidden.weight = x[1];
        return attention(s, attention.prepare(h, h)).context;
    };
    return gradcheck(context, {attention.span.v, attention.span.hidden.weight}).max_error;
}

//! ## Seven decoders
//!
//! Four decoders have global attention with a score of lesson 10: *dot*, *general*, *concat* (the
//! additive score of lesson 11) and *location*, which depends on the position $j$ but not on the
//! key. Two more use *general* with one of the two windows. The last uses *general* with *input
//! feeding*: the features of a step are part of the input of the next step, so that the decoder
//! knows where it has looked before. Then the attention steps cannot be computed in one matrix
//! product, which makes training slower.
const std::vector<Variant> variants{
    {"dot", ScoreKind::dot},
    {"general", ScoreKind::general},
    {"concat", ScoreKind::additive},
    {"location", ScoreKind::location},
    {"general, local-m", ScoreKind::general, SpanKind::local_m},
    {"general, local-p", ScoreKind::general, SpanKind::local_p},
    {"general, feeding", ScoreKind::general, SpanKind::global, true}};
enum { dot_score, general, concat_score, location, local_m, local_p, feeding };

//! ## Where is the centre of the window?
//!
//! A Korean sentence ends with its verb; in English the verb is often the second word. A window
//! centred on the index of the target word misses it. The predicted centre should be near the word
//! that is translated. We compare it with two centres that need no learning: the middle of the
//! sentence, and the diagonal, $t K / T$.
void measure_centres(Lesson& lesson, const std::vector<WindowStep>& steps, Prediction guess) {
    double predicted = 0, middle = 0, diagonal = 0;
    int count = 0;
    for (const WindowStep& step : steps) {
        if (step.gold.empty()) continue;
        const double keys = step.keys(),
                     target_words = static_cast<double>(step.pair->target.size());
        predicted += step.distance_to_gold(step.centre);
        middle += step.distance_to_gold((keys - 1) / 2);
        diagonal += step.distance_to_gold(step.index * keys / target_words);
        ++count;
    }
    Table table({"centre", "distance in words"});
    table.row("predicted by local-p", predicted / count);
    table.row("always the middle", middle / count);
    table.row("on the diagonal", diagonal / count);
    lesson.table(table,
                 fmt::format("Mean distance from the true alignment, over {} words.", count));
    lesson.reveal(guess, predicted / count);
    lesson.claim("distance of the diagonal, over that of the middle", diagonal / middle,
                 more_than(1));
    if (lesson.quick()) return;
    lesson.claim("distance of the predicted centre, in words", predicted / count, at_most(1.4));
    lesson.claim("distance of the predicted centre, over that of the middle", predicted / middle,
                 at_most(0.6));
}

//! Many texts say that the location score depends on the position alone. It also depends on the
//! decoder's state, which depends on the sentence: at the same target word of two sentences of the
//! same length, the weights differ. We measure half the sum of the absolute differences, which is 0
//! for equal weights and 1 for weights without overlap. But the location score cannot use the
//! content of a source word, and its alignments are the worst of the four.
void measure_location(Lesson& lesson, const Comparison& result, const TextSet& part) {
    lesson.claim("location: difference of the weights of two sentences of one length",
                 difference_at_third_word(result.models[location], part), at_least(0.1));
    if (lesson.quick()) return;
    lesson.claim("alignment error of location minus that of general",
                 result.error(location) - result.error(general), at_least(0.15));
}

void run(Lesson& lesson, Budget budget, int longest) {
    const Prediction off = lesson.predict(
        "A centre always in the middle is 2.3 words away from the true alignment. How far away is "
        "the predicted centre?",
        within(0.3));
    const Prediction fed = lesson.predict(
        "Luong et al. gained 1.3 BLEU, a measure of quality, by input feeding. Are more sentences "
        "exact with it here?",
        {"more", "fewer", "no clear difference"});

    //! Sentences have at most 12 words and training is short. Each decoder is trained with five
    //! seeds. In quick mode: one seed, at most 8 words, $R = 2$, and no claims about which decoder
    //! is better.
    const int pairs = lesson.quick() ? 3000 : 6000, test = lesson.quick() ? 150 : 400;
    const ParallelText text = from_corpus(korean_english(
        lesson.seed(), {.pairs = pairs, .valid = 100, .test = test, .longest = longest}));
    lesson.claim("gradient through the centre against finite differences, relative error",
                 error_of_the_gradient(lesson.seed()), at_most(1e-7));

    lesson.heading("Seven decoders");
    const Comparison result =
        compare_decoders(lesson, variants, text, budget, lesson.quick() ? 1 : 5);
    lesson.reveal(fed, !result.is_clear(feeding, general)  ? "no clear difference"
                       : result.gain(feeding, general) > 0 ? "more"
                                                           : "fewer");
    //! Local-p is better than local-m, and somewhat worse than global attention, because its window
    //! sometimes misses the word. Input feeding does not help here.
    if (!lesson.quick()) {
        lesson.claim("share of exact translations, local-p minus local-m",
                     result.gain(local_p, local_m), at_least(0.04));
        lesson.claim("share of exact translations, global minus local-p",
                     result.gain(general, local_p), at_most(0.12));
        lesson.claim("share of exact translations, concat minus location",
                     result.gain(concat_score, location), at_least(0.1));
        lesson.claim("share of exact translations, with input feeding minus without",
                     result.gain(feeding, general), less_than(0.02));
        lesson.claim("alignment error of local-m minus that of local-p",
                     result.error(local_m) - result.error(local_p), at_least(0.1));
    }

    lesson.heading("Where is the centre of the window?");
    show_maps(lesson, result, {general, location, local_m, local_p}, text.test);
    const std::vector<WindowStep> steps = window_steps(result.models[local_p], text.test);
    show_centre(lesson, steps, text.test.pairs[non_monotone_sentence(text.test)]);
    measure_centres(lesson, steps, off);
    measure_location(lesson, result, text.test);

    lesson.heading("What a step costs");
    count_scores(lesson, result, local_m, local_p, text.test);
}

}  // namespace

//! ## What this does not show
//!
//! It does not show how much time a window saves. Sentences of at most 12 words need no window. It
//! pays for whole paragraphs, and only if the scores outside it are really not computed. For Luong
//! et al., local-p with *general* was the best decoder, and input feeding helped: on German, with
//! states of a thousand numbers and a week of training. With a small artificial grammar and a
//! minute of training we saw neither effect.
//!
//! Sources: Luong, Pham and Manning, "Effective Approaches to Attention-based Neural Machine
//! Translation" (2015), sections 3.1 to 3.3 and 5; Bahdanau, Cho and Bengio (2015), section 3.1.
//!
//! ## Try this next
//!
//! 1. `--reach 1`, then `--reach 8`: how narrow may the window be in local-p, and in local-m?
//! 2. `--longest 26`: which decoder gets worse most with longer sentences?
//! 3. Give local-p the *dot* score in `variants` (and `local_by_hand` its $e$). Better or worse?
int main(int argc, char** argv) {
    Lesson lesson({.number = 12,
                   .name = "luong",
                   .title = "Does the decoder need to look everywhere?",
                   .question = "Which score compares state and word best, and is a small window of "
                               "the source enough?",
                   .own_data = "6,000 Korean-English pairs from the grammar of lesson 11"});
    Budget budget;
    int longest = 0;
    lesson.option("--steps", budget.steps, "steps of training (750; quick 250)");
    lesson.option("--reach", budget.reach, "R, how far a window reaches to each side (3; quick 2)");
    lesson.option("--longest", longest, "words of the longest Korean sentence (12; quick 8)");
    return lesson.run(argc, argv, [&] {
        if (budget.reach == 0) budget.reach = lesson.quick() ? 2 : 3;
        if (budget.steps == 0) budget.steps = lesson.quick() ? 250 : 750;
        if (longest == 0) longest = lesson.quick() ? 8 : 12;
        check(longest >= 8 && longest <= 26, "--longest: expected 8 to 26, got {}", longest);
        run(lesson, budget, longest);
    });
}
