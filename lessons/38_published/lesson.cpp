//! # Does a published model run on what I wrote?
//!
//! This lesson was made by `./heed new lesson`. It runs, it passes the tests, and its text says what
//! belongs where. Replace the text part by part. The first passage is a concrete case, small enough
//! to hold in the head, and the question that it raises. Somebody reads it while the engine is still
//! being built.
//!
//! Here the case is a die that shows a number between 0 and 1, each equally likely. The mean of all
//! such numbers is $1/2$. You throw it a few times and take the mean of what you saw. How far from
//! $1/2$ will you be?

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/course/course.h"

namespace heed::lesson38 {

using namespace course;

namespace {

//! ## The idea, in words and with numbers
//!
//! First show the naive attempt and how it fails, in front of the reader. Then say the idea in
//! words, then as a formula with every symbol named, and then the same formula with numbers that
//! can be checked on paper. The code stands right below, a few lines that the reader could have
//! written.
//!
//! The mean of $n$ numbers $x_1, \dots, x_n$ is
//!
//! $$\bar x = \frac{1}{n} \sum_{i=1}^n x_i.$$
//!
//! {no results} For the three numbers 0.2, 0.9 and 0.7 it is $1.8 / 3 = 0.6$, which is 0.1 from the truth. One
//! such number has the standard deviation $1 / \sqrt{12} = 0.289$. The deviations of many throws
//! cancel in part, so the mean of $n$ has the standard deviation $0.289 / \sqrt n$.
//!
//! ![Change the number of throws.](live:published)
double mean_of_throws(int n, Rng& rng) { return mean(uniform({n}, 0, 1, rng)).item(); }

//! ## The experiment
//!
//! A question comes before the run, so that the reader has something to lose. Then the experiment,
//! and then the claims: statements that can fail, each with a bar that at least 99 of 100 seeds
//! hold. `./heed learn 38 --repeat 20 --keep` measures how they spread, and this lesson shows the
//! result to every reader. A text names its numbers and does not type them:
//!
//! {if 9 < distance-ratio < 11} The mean of a hundred numbers is {distance-ratio:1} times closer to
//! the truth than one number. The formula says $\sqrt{100} = 10$.
double root_mean_square_distance(int n, int repetitions, Rng& rng) {
    double sum = 0;
    for (int i = 0; i < repetitions; ++i) sum += std::pow(mean_of_throws(n, rng) - 0.5, 2);
    return std::sqrt(sum / repetitions);
}

}  // namespace

//! ## What this does not show
//!
//! Say here what a reader might believe after the lesson and should not. Throws that depend on each
//! other do not cancel in this way, for example, and a mean of a thousand of them can be as far from
//! the truth as a single one. Then name the sources: author, year, section.
//!
//! ## Summary
//!
//! 1. Five lines at most, each a sentence that stands without the others.
//! 2. The mean of $n$ numbers is closer to the truth by $\sqrt n$ than one of them.
//!
//! ## Try this next
//!
//! 1. Something to change in this file, and what to watch when it has been changed.
}  // namespace heed::lesson38

using namespace heed;
using namespace heed::lesson38;

int main(int argc, char** argv) {
    Lesson lesson({.number = 38,
                   .name = "published",
                   .title = "Does a published model run on what I wrote?",
                   .question = "How fast does a mean come closer to the truth?",
                   .trains = false});
    return lesson.run(argc, argv, [&] {
        const Prediction guess = lesson.predict(
            "The mean of 100 numbers between 0 and 1: how far is it from 1/2, typically?",
            within(0.01));
        Rng rng(lesson.seed());
        const int repetitions = lesson.quick() ? 500 : 5000;
        const double one = root_mean_square_distance(1, repetitions, rng),
                     hundred = root_mean_square_distance(100, repetitions, rng);
        lesson.say("Typical distance from 1/2: {:.3f} for one number, {:.4f} for a hundred.", one,
                   hundred);
        lesson.reveal(guess, hundred);
        lesson.claim("distance-ratio", "distance of one number, over that of the mean of 100",
                     one / hundred, between(8, 12));
    });
}
