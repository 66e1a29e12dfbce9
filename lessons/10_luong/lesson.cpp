//! # Does the decoder need to look everywhere?
//!
//! The translator of lesson 09 compares its state with every word of the source, for every word it
//! writes: twice as long a sentence, four times the work. Yet nearly all the weight falls on one or
//! two words. Luong, Pham and Manning (2015) asked two questions about this. Does it matter how the
//! two are compared? And could one look through a window, if only one knew where to hold it?
//!
//! Their decoder is simpler than that of lesson 09. It takes its step first, and then looks: the
//! query is the new state $s_t$, the next word is read off $\tilde s_t = \tanh(W_c [s_t; c_t])$,
//! the *features*, and no attention stands between two states. So while training, when the target
//! is known, the attention of all its steps is one matrix product.

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"
#include "lessons/10_luong/race.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;
using namespace heed::lesson10;

namespace {

//! ## A window, and where to hold it
//!
//! *Global* attention scores all $K$ words of the source. *Local* attention scores those within a
//! reach $R$ of a centre $p$, at most $2R + 1$ of them, however long the sentence. *Local-m* takes
//! the alignment to be monotone: while it writes word $t$ it looks about $p = t$. *Local-p*
//! predicts the centre from the state alone, without a look at any key, and lets the weights fade
//! towards the edges so that the centre has a gradient:
//!
//! $$ p = \frac{K}{1 + e^{-v^\top \tanh(U s)}} \qquad
//!    \alpha_j = \frac{e^{e_j}}{\sum_{|k - p| \le R} e^{e_k}} \, e^{-(j - p)^2 / 2 \sigma^2} \qquad
//!    \sigma = \frac{R}{2} $$
//!
//! Here for one state $s$ and the annotations $h_j$, with the *general* score $e_j = s^\top W h_j$.
//! It computes no score it does not need.
struct Window {
    Tensor context;  // [C]
    int scores = 0;  // that were computed
};
Window local_by_hand(const Attention& attention, const Look& look) {
    const Tensor &s = look.state, &h = look.annotations;
    const auto& [kind, reach, hidden, v] = attention.span;
    const bool predicts = kind == SpanKind::local_p;
    const double R = static_cast<double>(reach), K = look.keys();
    const double p = predicts ? K * sigmoid(matmul(v, tanh(hidden(s)))).item() : look.place;
    const int first = static_cast<int>(std::max(0.0, std::ceil(p - R)));
    const int end = static_cast<int>(std::min(K, std::floor(p + R) + 1));
    if (first >= end) return {zeros({h.size(1)})};  // local-m, long after the last word
    const Tensor near = slice(h, 0, first, end);
    const Tensor e = matmul(near, matmul(s, std::get<GeneralScore>(attention.score.any).weight));
    const Tensor distance = (arange(end - first) + (first - p)) / (R / 2);
    const Tensor alpha = exp(e) / sum(exp(e));
    return {matmul(predicts ? alpha * exp(-0.5 * square(distance)) : alpha, near), end - first};
}

//! The library computes all scores and hides those outside the window, which is quicker for a batch
//! of short sentences. The numbers had better be the same.
void count_scores(Lesson& lesson, const Race& result, int m, int p, const TextSet& part) {
    NoGrad no_grad;
    std::vector<Cost> costs;
    double gap = 0, most = 0;
    for (int which : {m, p}) {
        const Attention& attention = *result.models[which].decoder.attention;
        costs.push_back({.name = which == m ? "local-m" : "local-p"});
        for (const Look& look : looks_of(result.models[which], part)) {
            const auto [mine, scores] = local_by_hand(attention, look);
            const Tensor h = unsqueeze(look.annotations, 0), s = reshape(look.state, {1, 1, -1});
            const Tensor library = attention(s, attention.prepare(h, h), look.place).context;
            gap = std::max(gap, max(abs(mine - reshape(library, {-1}))).item());
            costs.back().add(look.keys(), scores);
        }
        most = static_cast<double>(2 * attention.span.half_window + 1);
    }
    show_cost(lesson, costs);
    lesson.claim("contexts by hand against the library's, largest difference", gap, at_most(1e-4));
    for (const Cost& cost : costs) {
        lesson.claim(fmt::format("scores of a step in {}, the most", cost.name), cost.most(),
                     at_most(most));
        lesson.claim(fmt::format("scores that {} computes, as a share of global's", cost.name),
                     cost.share(), at_most(0.8));
    }
}

//! Some texts file this under *hard* attention, since words outside the window are left out. It is
//! not: hard attention draws a place at random and needs the tools of lesson 12. Here nothing is
//! drawn. The context has a derivative with respect to $v$ and $U$, through the centre, and finite
//! differences agree with it.
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

//! ## Seven decoders, one budget
//!
//! Four scores of lesson 08 look everywhere: *dot*, *general*, *concat*, which is the additive
//! score of lesson 09, and *location*, which knows where $j$ is and never looks at what is there.
//! General then gets each of the two windows, and *input feeding*: the features of a step become
//! part of the input of the next, so that the decoder remembers where it has looked. That costs
//! what made this decoder quick: the steps must be taken one by one.
const std::vector<Variant> variants{
    {"dot", ScoreKind::dot},
    {"general", ScoreKind::general},
    {"concat", ScoreKind::additive},
    {"location", ScoreKind::location},
    {"general, local-m", ScoreKind::general, SpanKind::local_m},
    {"general, local-p", ScoreKind::general, SpanKind::local_p},
    {"general, feeding", ScoreKind::general, SpanKind::global, true}};
enum { dot_score, general, concat_score, location, local_m, local_p, feeding };

//! ## Where do they look?
//!
//! A Korean sentence ends in its verb; in English the verb is the second word or so. A window held
//! at the word's own place misses it. And the predicted centre? It should point at the word that is
//! being translated. Two guesses that need no learning stand beside it: the middle of the sentence,
//! and the diagonal, $t K / T$.
void follow_the_centre(Lesson& lesson, const std::vector<Look>& looks, Prediction guess) {
    double predicted = 0, middle = 0, diagonal = 0;
    int count = 0;
    for (const Look& look : looks) {
        if (look.gold.empty()) continue;
        const double keys = look.keys(), written = static_cast<double>(look.pair->target.size());
        predicted += look.off(look.centre);
        middle += look.off((keys - 1) / 2);
        diagonal += look.off(look.place * keys / written);
        ++count;
    }
    Table table({"centre", "places off"});
    table.row("predicted by local-p", predicted / count);
    table.row("always the middle", middle / count);
    table.row("on the diagonal", diagonal / count);
    lesson.table(table, fmt::format("Mean distance from the true place, over {} words.", count));
    lesson.reveal(guess, predicted / count);
    lesson.claim("the diagonal's distance, as a share of the middle's", diagonal / middle,
                 more_than(1));
    if (lesson.quick()) return;
    lesson.claim("the predicted centre, places off", predicted / count, at_most(1.4));
    lesson.claim("predicted centre's distance over the middle's", predicted / middle, at_most(0.6));
}

//! Location, it is often said, depends on the position alone. It depends on the state, and the
//! state has read the sentence: at the same place of two sentences of the same length the weights
//! differ. Half the sum of their differences is 0 where they agree and 1 where they share nothing.
//! What it cannot do is find a word by what the word is: its alignments are the worst of the four.
void judge_location(Lesson& lesson, const Race& result, const TextSet& part) {
    lesson.claim("location: how much the weights of two sentences of one length differ",
                 difference_at_one_place(result.models[location], part), at_least(0.1));
    if (lesson.quick()) return;
    lesson.claim("alignment error, location less general",
                 result.error(location) - result.error(general), at_least(0.15));
}

void run(Lesson& lesson, Budget budget, int longest) {
    const Prediction off = lesson.predict(
        "Always the middle is 2.3 places off the true one. How far off is the predicted centre?",
        within(0.3));
    const Prediction fed = lesson.predict(
        "Luong et al. gained 1.3 BLEU, a measure of quality, from input feeding. Are more "
        "sentences exact with it here?",
        {"more", "fewer", "no clear difference"});

    //! Sentences have at most 12 words and training is short: seven decoders, five beginnings each.
    //! In quick mode: one beginning, at most 8 words, $R = 2$, no statement on who is better.
    const int pairs = lesson.quick() ? 3000 : 6000, test = lesson.quick() ? 150 : 400;
    const ParallelText text = from_corpus(korean_english(
        lesson.seed(), {.pairs = pairs, .valid = 100, .test = test, .longest = longest}));
    lesson.claim("gradient through the centre against finite differences, relative error",
                 error_of_the_gradient(lesson.seed()), at_most(1e-7));

    lesson.heading("Seven decoders, one budget");
    const Race result = race(lesson, variants, text, budget, lesson.quick() ? 1 : 5);
    lesson.reveal(fed, !result.is_clear(feeding, general)  ? "no clear difference"
                       : result.gain(feeding, general) > 0 ? "more"
                                                           : "fewer");
    //! A window that moves is worth more than one that does not, and what it misses costs a little:
    //! local-p loses some points to global. Input feeding does not pay here.
    if (!lesson.quick()) {
        lesson.claim("exact translations, local-p over local-m", result.gain(local_p, local_m),
                     at_least(0.04));
        lesson.claim("exact translations, global over local-p", result.gain(general, local_p),
                     at_most(0.12));
        lesson.claim("exact translations, concat over location",
                     result.gain(concat_score, location), at_least(0.1));
        lesson.claim("exact translations, feeding over none", result.gain(feeding, general),
                     less_than(0.02));
        lesson.claim("alignment error, local-m less local-p",
                     result.error(local_m) - result.error(local_p), at_least(0.1));
    }

    lesson.heading("Where do they look?");
    show_maps(lesson, result, {general, location, local_m, local_p}, text.test);
    const std::vector<Look> looks = looks_of(result.models[local_p], text.test);
    show_centre(lesson, looks, text.test.pairs[telling_sentence(text.test)]);
    follow_the_centre(lesson, looks, off);
    judge_location(lesson, result, text.test);

    lesson.heading("What a step costs");
    count_scores(lesson, result, local_m, local_p, text.test);
}

}  // namespace

//! ## What this does not show
//!
//! What a window saves. Sentences of at most 12 words need none; its gain is for paragraphs, and
//! there it must be built so that what is outside is never computed. Luong et al. found local-p
//! with *general* the best of all, and gained from input feeding, on German, with states of a
//! thousand numbers and a week of training. On a clean little grammar, after a minute, neither need
//! show, and neither did.
//!
//! Sources: Luong, Pham and Manning, "Effective Approaches to Attention-based Neural Machine
//! Translation" (2015), sections 3.1 to 3.3 and 5; Bahdanau, Cho and Bengio (2015), section 3.1.
//!
//! ## Try this next
//!
//! 1. `--reach 1`, then `--reach 8`: how narrow may a window be, if it moves? And if it does not?
//! 2. `--longest 26`: whose translations suffer most from longer sentences?
//! 3. Give local-p the *dot* score in `variants` (and `local_by_hand` its $e$). Better or worse?
int main(int argc, char** argv) {
    Lesson lesson({.number = 10,
                   .name = "luong",
                   .title = "Does the decoder need to look everywhere?",
                   .question = "How are state and word best compared, and is a window enough?",
                   .own_data = "6,000 Korean-English pairs from the grammar of lesson 09"});
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
