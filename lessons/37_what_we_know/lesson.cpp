//! # What is known, and what is not?
//!
//! You run the whole course once more, every lesson, with a seed that nobody has used before.
//! Hundreds of lines say that a claim holds. One says that it does not. Which lesson is broken?
//!
//! Perhaps none. Networks begin with random weights, and the bar of a claim is set so that at least
//! ninety-nine of a hundred seeds should keep it. With hundreds of such claims one has to expect a
//! failure now and then.
//!
//! The naive remedy is to move the bar a little, or to take another seed. Each makes the line
//! green, and neither makes the claim more true.
//!
//! This last lesson trains nothing. It reads what the course has kept, the numbers of twenty seeds
//! for each claim, and asks what they show and what they do not.

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"
#include "lessons/37_what_we_know/data.h"
#include "lessons/37_what_we_know/pictures.h"
#include "lessons/course/course.h"

namespace heed::lesson37 {

using namespace course;

namespace {

//! ## What you have built
//!
//! If somebody asks what you learned here, you could say:
//!
//! A program can look at the right word by computing a weighted mean: each word gets a score, and
//! the scores become the weights of the mean. The numbers behind the scores are learned, so we
//! needed derivatives, a tape that finds them, and a check that the tape is right.
//!
//! Then we read sentences. A recurrent network forgets, and an encoder that presses a long sentence
//! into one vector fails. Attention removes that vector: at each step the decoder looks back at all
//! words. So we translated Korean, and the weights were an alignment that nobody had given. Where a
//! model may look at one position only, REINFORCE trains the choice.
//!
//! Next, each sequence attended to itself. Query, key and value became three roles of one word,
//! several heads looked for several things, and positions had to be added, because a mean ignores
//! order. Such blocks, repeated, are a Transformer; trained to guess the next token, it is a GPT.
//! The same block read pictures, graphs and sound. Its price was the square of the length, and we
//! learned what can be left out. At the end we found circuits in a model that was attention and
//! nothing else, met the block of today, and put a state in the place of the cache. We let tokens
//! choose among experts, let a small model write ahead for a large one, and taught a predictor to
//! answer, until it fooled its judge.
//!
//! What each part took over from an earlier one stands in its box.
void what_you_built(Lesson& lesson, const Course& course) {
    lesson.heading("What you have built");
    lesson.show("road", road(course), "The parts of the course. Read it from the bottom.");
    show_parts(lesson, course);
}

//! {if claims > varying * 1.5} The course makes {claims:0} claims that were measured with twenty
//! seeds. In {varying:0} of them the number depends on the seed; in the others two computations
//! agree, or a cost is counted.
//!
//! ## What did not hold with all seeds
//!
//! An experiment may contradict what we expected, and then the text has to say so. A program finds
//! the sentences that count seeds. It leaves out those with a word such as "it" or "the same", which
//! may refer to an earlier sentence. The next table has those on which the seeds agree least. The
//! second one lists comparisons in which neither side was always ahead.
void what_did_not_hold(Lesson& lesson, const Course& course) {
    lesson.heading("What did not hold with all seeds");
    lesson.measured("not-all", "sentences that count seeds, and not all of them",
                    show_statements(lesson, course));
    lesson.measured("open-signs", "comparisons in which either side was ahead",
                    show_open_signs(lesson, course));
}

//! The most instructive results are those that we had not expected. Here are five.
//!
//! **A part of a famous model did harm.** {if all luong/feeding-gain < 0} Input feeding helped
//! Luong et al.; in our translator it lost {luong/feeding-gain * -100:0} sentences in a hundred,
//! with {count luong/feeding-gain < 0} seeds (lesson {luong}). Whether a remedy helps depends on
//! the task, the size and the budget.
//!
//! **The Transformer came last** of four translators with attention, in {count
//! transformer/attention-apart + transformer/transformer-gain < 0.0001} runs, by a little (lesson
//! {transformer}). Its advantage is that it is trained on all positions at once, and a table
//! of accuracies does not show that. In lesson {why_attention}, with longer sentences of another kind,
//! additive attention was ahead of it in {count why_attention/long-additive-gain >
//! why_attention/long-transformer-gain} runs only.
//!
//! **Good weights, no better answers.** {if graphs/gatv2-gain-noise < 0.01 and
//! graphs/gatv2-gain-noise > -0.01} In lesson {graphs} one network sees which edges are noise and
//! another does not; the first was ahead in {count graphs/gatv2-gain-noise > 0} runs. Whether a
//! mechanism works and whether it is needed are two questions.
//!
//! **The better formula only had better initial values.** {if all
//! score_functions/scaled-minus-dot > 0 and score_functions/dot-small-start > 0.95} Scaled dot was
//! ahead of dot with {count score_functions/scaled-minus-dot > 0} seeds (workshop {score_functions}). Then dot got smaller
//! initial values, and the lead was gone. Seeds show that two programs give different results, but
//! not which difference between the programs is the reason.
//!
//! **An order where there should be none.** A network without positions should not be able to tell
//! a word from the same word backwards. It was a little better in {count speech/without-positions >
//! speech/right-pair / 2} runs (lesson {speech}), because the pitch of our words falls. The data
//! held a clue that we had not intended.
//!
//! ## How many claims fail by luck
//!
//! {no results} Suppose claim $i$ of $n$ fails with the probability $p_i$. Then
//!
//! $$ \text{expected failures} = \sum_{i=1}^n p_i , \qquad
//!    P(\text{at least one}) = 1 - \prod_{i=1}^n (1 - p_i) . $$
//!
//! The sum always holds. The product needs independent claims; if claims fail together, it is too
//! large. {no results} **By hand:** for 100 claims with $p = 0.01$ the sum is 1, and $1 -
//! 0.99^{100} = 1 - 0.366 = 0.634$.
double expected_failures(const std::vector<double>& p) {
    double sum = 0;
    for (double one : p) sum += one;
    return sum;
}

double at_least_one(const std::vector<double>& p) {
    double none = 1;
    for (double one : p) none *= 1 - one;
    return 1 - none;
}

//! What is $p$ for a claim of this course? Counting is no help: {beyond-own-bar:0} kept seeds are
//! beyond their bar, but the bars were set by people who saw these seeds. {no results} And twenty
//! seeds cannot show that 99 of 100 hold. Even if one in seven failed, twenty in a row would hold
//! once in about twenty times, since $(6/7)^{20} = 0.046$.
//!
//! So we make an assumption. A bell curve with the mean and the standard deviation of the seeds has
//! a tail beyond the bar, and the area of this tail is a first estimate. It is too large where the
//! numbers span powers of ten. A bound needs no curve: of 21 seeds each is equally likely to be the
//! worst. So the next seed falls beyond the worst of twenty with a probability of at most 1/21, and
//! beyond a bar further out still more rarely. We take the smaller of the two. For a claim with a
//! bar on each side we add the two tails.
double tail(double distance, double deviation) {  // of a bell curve, beyond the bar
    return 0.5 * std::erfc(distance / (deviation * std::sqrt(2.0)));
}

Risk risk_of(const MeasuredClaim& claim) {
    const Summary seeds = summarise(claim.seeds);
    const Expectation& bar = *claim.written.bar;
    Risk risk{&claim};
    for (double distance : {seeds.mean - bar.low, bar.high - seeds.mean}) {
        if (!std::isfinite(distance)) continue;  // there is no bar on this side
        const double beyond = tail(distance, seeds.deviation);
        risk.normal += beyond;
        risk.luck += std::min(beyond, 1.0 / (static_cast<double>(claim.seeds.size()) + 1));
    }
    return risk;
}

void luck_of_the_course(Lesson& lesson, const Course& course) {
    lesson.heading("How many claims fail by luck");
    const Prediction guess = lesson.predict(
        "Each of 100 claims fails with one seed in 100. You run all of them once. How probable is it "
        "that at least one fails?",
        {"about 1 in 100", "about 1 in 3", "about 2 in 3"});
    const double by_hand = at_least_one(std::vector<double>(100, 0.01));
    lesson.reveal(guess, by_hand < 0.1   ? "about 1 in 100"
                         : by_hand < 0.5 ? "about 1 in 3"
                                         : "about 2 in 3");
    lesson.claim("luck-by-hand", "identity: at least one of 100 fails, worked by hand 0.634",
                 by_hand, between(0.6335, 0.6345));

    std::vector<Risk> risks;
    std::vector<double> p;
    int beyond = 0, no_number = 0;
    for (const MeasuredClaim& claim : course.claims) {
        beyond += claim.beyond();
        if (!claim.varies()) continue;
        no_number += !claim.written.bar;
        if (!claim.written.bar) continue;
        risks.push_back(risk_of(claim));
        p.push_back(risks.back().luck);
    }
    show_risks(lesson, risks);
    lesson.measured("beyond-own-bar", "kept seeds beyond the bar of their claim", beyond);
    lesson.measured("with-number", "claims that vary and whose bar is a number",
                    static_cast<double>(p.size()));
    lesson.measured("no-number", "claims that vary and whose bar was not read", no_number);
    lesson.claim("expected-failures", "finding: claims expected to fail in one run of the course",
                 expected_failures(p), at_most(3));
    lesson.measured("one-fails", "probability that at least one fails", at_least_one(p));
}

//! {if expected-failures > 0.2 and expected-failures < 2} Of the {with-number:0} claims that vary
//! and whose bar is a number, {expected-failures:1} are expected to fail in one run of the whole
//! course; at least one fails with the probability {one-fails:2}. ({no-number:0} more have a bar
//! that we could not read from the source.) {no results} The prediction above had 100 claims with
//! exactly 0.01 each, and came to 0.63. With 0.01 each, {with-number / 100:1} of ours would be
//! expected to fail. The estimate is lower because most bars are further from the seeds than 99 of
//! 100 require. So one failed claim is no reason to repair anything. Run its lesson with `--seed
//! 100 --repeat 5`. Bad luck goes away, and a broken lesson stays broken.
//!
//! ## A bar and the seeds that set it
//!
//! {no results} May a bar be judged by the seeds that were seen when it was set? Divide the twenty
//! seeds of each claim at random into ten and ten. The first ten set a bar: at the worst of them,
//! or where a bell curve has 1 % left, which is 2.33 deviations from the mean. Then both tens are
//! judged.
struct Bars {
    double low = 0, high = 0;
    double share_beyond(const std::vector<double>& seeds) const {
        double beyond = 0;
        for (double one : seeds) beyond += (one < low || one > high) / double(seeds.size());
        return beyond;
    }
};

Bars at_the_worst(const std::vector<double>& seeds, const Expectation& bar) {
    const Summary seen = summarise(seeds);
    return {std::isfinite(bar.low) ? seen.low : bar.low,
            std::isfinite(bar.high) ? seen.high : bar.high};
}

Bars by_bell_curve(const std::vector<double>& seeds, const Expectation& bar) {
    const Summary seen = summarise(seeds);
    return {std::isfinite(bar.low) ? seen.mean - 2.33 * seen.deviation : bar.low,
            std::isfinite(bar.high) ? seen.mean + 2.33 * seen.deviation : bar.high};
}

void judge_on_other_seeds(Lesson& lesson, const Course& course) {
    lesson.heading("A bar and the seeds that set it");
    const Prediction guess = lesson.predict(
        "A bar is set at the worst of ten seeds. What share of ten other seeds is beyond it?",
        {"about 1 in 100", "about 1 in 10", "about 1 in 3"});
    Rng rng(lesson.seed());
    Judged worst, normal;
    int claims = 0;
    for (const MeasuredClaim& claim : course.claims) {
        const auto& bar = claim.written.bar;
        if (!claim.varies() || !bar || claim.seeds.size() < 20) continue;
        if (std::isfinite(bar->low) == std::isfinite(bar->high)) continue;  // two bars, or none
        std::vector<double> all = claim.seeds;
        rng.shuffle(all);
        const std::vector<double> ten(all.begin(), all.begin() + 10),
            other(all.begin() + 10, all.end());
        const Bars a = at_the_worst(ten, *bar), b = by_bell_curve(ten, *bar);
        worst.same += a.share_beyond(ten), worst.others += a.share_beyond(other);
        normal.same += b.share_beyond(ten), normal.others += b.share_beyond(other);
        ++claims;
    }
    for (double* sum : {&worst.same, &worst.others, &normal.same, &normal.others}) *sum /= claims;
    show_bars(lesson, worst, normal);
    lesson.reveal(guess, worst.others < 0.03  ? "about 1 in 100"
                         : worst.others < 0.2 ? "about 1 in 10"
                                              : "about 1 in 3");
    lesson.claim("worst-on-others",
                 "finding: bar at the worst of ten: share of ten others beyond it", worst.others,
                 between(0.04, 0.13));
    lesson.claim("normal-on-others",
                 "finding: bar at 1 % of a bell curve: share of ten others beyond", normal.others,
                 more_than(0.01));
    lesson.measured("normal-on-same", "bar at 1 % of a bell curve: share of the same ten beyond it",
                    normal.same);
}

//! {if all worst-on-others > 0.04 and normal-on-others > 0.01} A bar at the worst of ten seeds is
//! never failed by these ten, but by {worst-on-others:% 1} of the others; one in eleven was to be
//! expected. The bell curve promises one failure in a hundred. Of the seeds that it was fitted to,
//! {normal-on-same:% 1} fail, so the promise is kept. Of the others, {normal-on-others:% 1} fail,
//! so it is not. {no results} Even a perfect bell curve would not keep it: mean and deviation of
//! ten seeds are themselves uncertain, and 2.7 % of new seeds are beyond (by the t-distribution
//! with 9 degrees of freedom). So our estimate of the last section, whose curves come from kept
//! seeds too, is rather too small. And a bar needs some distance from the worst seed, and it has to
//! be tested on a seed that was not used to set it.
//!
//! ## The best of many ideas
//!
//! {no results} A stronger form of the same mistake needs no bad intention. You try an idea, look
//! at the results, try the next one on the same seeds, and report the one that worked: *p-hacking*.
//! Suppose that no idea does anything, so each seed is a fair coin. By luck an idea keeps a bar of
//! 15 of 20 seeds with the probability $q = 21700 / 2^{20} = 0.0207$. But the best of $k$ ideas
//! keeps it with the probability
//!
//! $$ 1 - (1 - q)^k , $$
//!
//! {no results} and for $k = 20$ this is $1 - 0.9793^{20} = 0.342$. One such search in three ends
//! with a discovery, and there was nothing to discover. Below, the search is repeated many times,
//! and we call each repetition a world.
int seeds_ahead(Rng& rng) {  // of an idea that does nothing
    int ahead = 0;
    for (int seed = 0; seed < 20; ++seed) ahead += rng.chance(0.5);
    return ahead;
}

Best try_ideas(int ideas, int bar, int worlds, Rng& rng) {
    Best found{ideas};
    for (int world = 0; world < worlds; ++world) {
        int best = 0;
        for (int idea = 0; idea < ideas; ++idea) best = std::max(best, seeds_ahead(rng));
        found.same += double(best >= bar) / worlds;
        found.again += double(seeds_ahead(rng) >= bar) / worlds;  // the best one, twenty new seeds
    }
    found.formula = 1 - std::pow(1 - 21700 / std::pow(2, 20), ideas);
    return found;
}

void best_of_many(Lesson& lesson) {
    lesson.heading("The best of many ideas");
    Rng rng(lesson.seed());
    std::vector<Best> found;
    for (int ideas : {1, 5, 10, 20, 40, 60}) found.push_back(try_ideas(ideas, 15, 2000, rng));
    show_best(lesson, found);
    const Best& twenty = found[3];
    lesson.claim("best-of-twenty", "finding: share of worlds in which the best of 20 keeps its bar",
                 twenty.same, between(twenty.formula - 0.04, twenty.formula + 0.04));
    lesson.claim("best-again", "finding: share of worlds in which it keeps it on new seeds",
                 twenty.again, at_most(0.04));
}

//! ![Twenty ideas, and a bar of 15 seeds. How strict must the bar be for sixty ideas?](live:best_of)
//!
//! {if all best-of-twenty > 0.25 and best-again < 0.05} In the simulation the best of twenty keeps
//! its bar in {best-of-twenty:%} of the worlds, and on twenty new seeds in {best-again:%}. So
//! choose on some seeds and judge on others. `./heed experiment` does it without being asked: after
//! each change of your file it takes seeds that no version has used. It cannot count the ideas that
//! you try in your head.
//!
//! ## What nobody knows
//!
//! Five questions are open, as far as the sources say. Each is good for an afternoon.
//!
//! **Are attention weights explanations?** Jain and Wallace (2019) and Wiegreffe and Pinter (2019)
//! disagree, and there is no agreed test (Bibal et al. 2022). Try: in lesson {explanation}, remove
//! words in the order of the weights, then of the gradients. Which changes the answer sooner?
//!
//! **Why does pre-norm train so easily?** Xiong et al. (2020) point to the gradients before the
//! first step; Liu et al. (2020) find that this is not enough. Try: in lesson {transformer},
//! multiply the branches of post-norm by a small factor, and leave out warm-up.
//!
//! **How much of in-context learning is induction heads?** In small models without MLPs they cause
//! it; in large ones the evidence was a correlation (Olsson et al. 2022), and Yin and Steinhardt
//! (2025) find other heads that matter more. Lesson {circuits} finds such heads in a small network.
//! Try: give the GPT of lesson {language_model} texts with a random string twice, and switch off
//! one head at a time.
//!
//! **Can a state replace the cache?** A fixed state cannot copy every long string (Jelassi et al.
//! 2024), and recall explains most of the gap that Arora et al. (2024) measured. How much recall do
//! ordinary texts need? Try: `./heed experiment recall`, after lesson {states}.
//!
//! **How far does length generalise?** On small reasoning tasks, Kazemnejad et al. (2023) found
//! well-known encodings of positions worse than none at all. Try: add a task to lesson {positions},
//! and predict the order of the five.
//!

}  // namespace

}  // namespace heed::lesson37

//! ## What to read next
//!
//! 1. Bahdanau, Cho and Bengio, "Neural Machine Translation by Jointly Learning to Align and
//!    Translate" (2015). Now you can read each line.
//! 2. Vaswani et al., "Attention Is All You Need" (2017), with Rush, "The Annotated Transformer"
//!    (2018), its program.
//! 3. Phuong and Hutter, "Formal Algorithms for Transformers" (2022): pseudocode without gaps.
//! 4. Karpathy, nanoGPT (2022): a GPT as two short files of code.
//! 5. Prince, "Understanding Deep Learning" (2023): the textbook for what we left out.
//! 6. Jurafsky and Martin, "Speech and Language Processing" (third edition, a draft): language
//!    itself.
//! 7. Griewank and Walther, "Evaluating Derivatives" (2008): all that a tape can do.
//! 8. Elhage et al., "A Mathematical Framework for Transformer Circuits" (2021): how to read a
//!    small Transformer.
//! 9. Hoffmann et al., "Training Compute-Optimal Large Language Models" (2022): how large a model,
//!    and how many tokens.
//! 10. Henderson et al., "Deep Reinforcement Learning That Matters" (2018): what seeds do to
//!     results.
//!
//! ## What this does not show
//!
//! Twenty seeds show the errors that come from a seed, and no others. A claim may hold with all of
//! them because the task is too easy or because all lessons share a bug. So the engine is compared
//! with finite differences and with PyTorch, and some lessons read data that we have not made. And
//! everything here is small. This course does not know what holds at a thousand times the size.
//!
//! Sources: Simmons, Nelson and Simonsohn, "False-Positive Psychology" (2011); Bouthillier et al.,
//! "Accounting for Variance in Machine Learning Benchmarks" (2021). For the open questions also
//! Bibal et al., "Is Attention Explanation?"; Liu et al., "Understanding the Difficulty of Training
//! Transformers"; Olsson et al., "In-context Learning and Induction Heads"; Yin and Steinhardt,
//! "Which Attention Heads Matter for In-Context Learning?"; Jelassi et al., "Repeat After Me";
//! Arora et al., "Zoology"; Kazemnejad et al., "The Impact of Positional Encoding on Length
//! Generalization in Transformers".
//!
//! ## Summary
//!
//! 1. Attention is a mean with computed weights. The rest is how to learn them, where to look, and
//!    what it costs.
//! 2. An experiment may contradict its author, and then the text has to say so.
//! 3. Among many claims, one failure is to be expected. Run it again before you repair it.
//! 4. A number looks better on the seeds that chose it.
//! 5. Many questions are open, and small models on two processors are enough to study them.
//!
//! ## Try this next
//!
//! 1. `./heed experiment` lists the open experiments. Take the one whose answer you are sure of,
//!    and set its bar before you run it.
//! 2. Take one of the five questions. Before the first run, write down what would change your mind.
//! 3. Explain attention to somebody, in ten minutes and with a pencil. You will notice what you
//!    have not understood yet, and you know where to read it again.
//!
//! That was the course. Thank you for working through it. One thing is left: lesson {published}
//! takes a model that somebody else has trained and runs it on what you wrote. Then go and measure
//! something of your own.
using namespace heed;
using namespace heed::lesson37;

int main(int argc, char** argv) {
    Lesson lesson({.number = 37,
                   .name = "what_we_know",
                   .title = "What is known, and what is not?",
                   .question = "What did twenty seeds show, what did they not show, and what does "
                               "nobody know?",
                   .own_data = "what the course has kept of its own runs",
                   .trains = false});
    return lesson.run(argc, argv, [&] {
        const Course course = what_is_kept();
        what_you_built(lesson, course);
        what_did_not_hold(lesson, course);
        luck_of_the_course(lesson, course);
        judge_on_other_seeds(lesson, course);
        best_of_many(lesson);
    });
}
