//! # Nine times out of ten?
//!
//! What will the weather be tomorrow? A network reads today's air pressure, wind and a few more
//! numbers. {no results} It says: rain, 90 %. Somebody plans a wedding. Does it rain on nine of ten
//! such days?
//!
//! The network of this workshop does not keep its word. We shall see by how much, why training
//! itself makes it so, how to measure it, and how one number repairs it. You need softmax, its
//! temperature, the cross-entropy and its gradient $p - y$, all from lesson {probabilities}. Read
//! this workshop after it, or when you meet probabilities that somebody relies on.

#include <algorithm>
#include <cmath>
#include <map>

#include "lessons/course/course.h"
#include "lessons/w4_calibration/data.h"
#include "lessons/w4_calibration/experiment.h"
#include "lessons/w4_calibration/pictures.h"

namespace heed::workshop4 {

using namespace course;

namespace {

constexpr Dtype f64 = Dtype::float64;

//! ## Why a trained network is too sure
//!
//! {no results} The weather is generated: six measurements a day, and the outcomes sun, clouds and
//! rain, which come with the probabilities 0.5, 0.3 and 0.2. Each outcome has two typical patterns
//! of measurements, to which noise is added. Patterns of different outcomes overlap, so nobody can
//! always be right. A set of patterns is called a climate below. Because we made the weather, we
//! know the true probabilities of each day, which no real forecaster ever does.
//!
//! The forecaster is the network of lesson {learning}: a hidden layer of 64 units with tanh, then
//! three logits. It is trained on 300 days. We judge it on 4,000 test days that it has not seen.
//!
//! What will it learn? A network with enough units can learn so few days by heart. Once it is right
//! on all of them, there is still one way to make the loss smaller: multiply all logits by a number
//! above 1. That is a lower temperature, and it makes the network more sure. On the training days
//! it always pays to be more sure. On new days the network is not right every time, but it sounds
//! as sure as on the old ones.
//!
//! The *confidence* of a forecast is its largest probability. The *accuracy* of a network is the
//! share of its answers that are right. A forecast is right if the outcome with the largest
//! probability came.
//!
//! {code experiment.cpp trained}
void training_makes_sure(Lesson& lesson, const Training& how) {
    lesson.heading("Why a trained network is too sure");
    const Prediction guess = lesson.predict(
        "The network is trained until it is right on nearly all of its 300 days. On new days, by "
        "how much does its mean confidence exceed its accuracy? (0: it is as sure as it should be.)",
        within(0.05).from(-1, 1).share());
    Rng rng(1000 * lesson.seed());
    const World world(rng);
    const double best =
        cross_entropy(world.climate.logits(world.test.x), world.test.outcome).item();
    const Tensor seen = slice(world.train.x, 0, 0, how.days);
    const Indices came(
        std::vector<int>(world.train.outcome.begin(), world.train.outcome.begin() + how.days));
    Curves curves;
    double excess = 0, right = 0;
    const auto watch = [&](int step, const Forecaster& model) {
        if (step % 20 != 0 && step != how.steps && step != 5) return;
        const Tensor old = logits_of(model, seen), fresh = logits_of(model, world.test.x);
        const Sureness sure = sureness(softmax(fresh), world.test.outcome);
        curves.add(step, sure, cross_entropy(fresh, world.test.outcome).item(),
                   cross_entropy(old, came).item(), best);
        excess = sure.mean_confidence() - sure.accuracy();
        right = metrics::accuracy(old, came);
    };
    trained(world, how.days, 0, how.steps, lesson.seed(), watch,
            {curves.sure, curves.losses, excess, right});
    curves.show(lesson);
    lesson.say(
        "At the end the network is right on {:.1f} % of the training days. On test days its "
        "mean confidence exceeds its accuracy by {:.3f}.",
        100 * right, excess);
    lesson.reveal(guess, excess);
}

//! The two plots belong together. After about a hundred steps the accuracy on test days changes
//! little, but the confidence goes on growing, and so does the loss on test days. The network still
//! guesses nearly as well as before, but its probabilities become worse and worse.
//!
//! ## Calibration
//!
//! {no results} Forecasts are *calibrated* if they mean what they say: of all days on which the
//! forecaster said "70 %", the outcome comes on 70 %. How can we measure it? A confidence of
//! exactly 0.7 may occur only once. So we sort the $N$ forecasts into bins, here ten: confidence 0
//! to 0.1, 0.1 to 0.2, and so on. Bin $b$ has $n_b$ forecasts, with a mean confidence, and a share
//! of them was right. In a calibrated bin the two are equal. The *expected calibration error* is
//! the mean of their differences:
//!
//! $$ \operatorname{ECE} = \sum_b \frac{n_b}{N} \,
//!    \big| \operatorname{right}_b - \operatorname{confidence}_b \big| . $$
//!
//! {no results} The factor $n_b / N$ gives a bin with many forecasts more weight. An ECE of 0.1
//! says that the confidence is off by ten percentage points on average. A plot of the share that
//! was right against the confidence, with one point for each bin, is a *reliability diagram*. The
//! points of a calibrated forecaster lie on the diagonal; those of a forecaster who is too sure lie
//! below it.
//!
//! ![A forecaster who is too sure. Raise the temperature until the points lie on the diagonal, and watch the loss.](live:reliability)
//!
//! {no results} **By hand,** with six forecasts and five bins. Confidences 0.95 (right), 0.90
//! (right) and 0.85 (wrong) fall into the bin from 0.8 to 1: mean confidence 0.9, share right
//! 0.667, difference 0.233. Confidences 0.75 (right), 0.70 (wrong) and 0.65 (right) fall into the
//! bin from 0.6 to 0.8: mean confidence 0.7, share right 0.667, difference 0.033. Each bin has half
//! of the forecasts, so $\operatorname{ECE} = 0.5 \cdot 0.233 + 0.5 \cdot 0.033 = 0.133$.
double calibration_error(const Sureness& sure, int count = 10) {
    double sum = 0;
    for (const Bin& bin : bins_of(sure, count)) sum += std::abs(bin.right - bin.confidence);
    return sum / static_cast<double>(sure.right.size());
}

//! {no results} Two warnings. The ECE is not exactly 0 even for the true probabilities, because in
//! each bin the share that is right varies by chance. And calibration is not everything. A
//! forecaster who says "sun 50 %, clouds 30 %, rain 20 %" every day is perfectly calibrated and
//! tells us nothing about tomorrow. The loss punishes both faults: bad calibration, and forecasts
//! that do not tell the days apart.
//!
//! By the way, this course measures your calibration. It asks how sure you are of each
//! prediction, and `./heed` compares your mean confidence with the share that was right.
void measure_calibration(Lesson& lesson) {
    lesson.heading("Calibration");
    const Sureness six{{0.95, 0.90, 0.85, 0.75, 0.70, 0.65},
                       {true, true, false, true, false, true}};
    lesson.claim("ece-by-hand",
                 "identity: ECE of six forecasts in five bins, worked by hand as 0.133",
                 calibration_error(six, 5), between(0.1328, 0.1338));
}

//! ## Two remedies
//!
//! **Label smoothing** changes the training (Szegedy et al. 2016). The target that is subtracted in
//! the gradient is no longer one-hot. A share $s$ of the probability is spread evenly over all
//! outcomes:
//!
//! $$ q_j = (1 - s) \, y_j + \frac{s}{C} . $$
//!
//! {no results} With $s = 0.1$, three outcomes and rain, $q = (0.033, 0.033, 0.933)$. Now the loss
//! on the training days has a minimum: it is smallest for $p = q$. There rain is $0.9333 / 0.0333 =
//! 28$ times as likely as each other outcome, so its logit exceeds the others by $\ln 28 = 3.33$,
//! and there is no reason to enlarge it further. The gradient is $p - q$.
//!
//! **Temperature** changes nothing in the training (Guo et al. 2017). Afterwards, all logits are
//! divided by one number $\tau$: the one with the smallest loss on 300 more days that were not used
//! for training, the validation days. (The test days may not choose it, see lesson {learning}.)
//!
//! To find $\tau$, write $\beta = 1 / \tau$. The loss of the logits $\beta z$ is a function of one
//! number, and its derivative follows from $p - y$ by the chain rule. It is the mean over all days
//! of
//!
//! $$ \sum_j (p_j - y_j) \, z_j = \sum_j p_j z_j - z_y . $$
//!
//! If this mean is positive, $\beta$ is too large, otherwise too small. A larger $\beta$ moves the
//! probabilities towards the larger logits. So the first term grows with $\beta$, and $z_y$ stays
//! the same: there is only one zero. We halve the interval in which it lies until it is short
//! enough. This is called bisection.
double best_temperature(const Tensor& logits, const Indices& outcome) {
    const Tensor came = one_hot(outcome, logits.size(1), f64);
    double low = 0.01, high = 100;  // of β
    for (int i = 0; i < 40; ++i) {
        const double beta = std::sqrt(low * high);
        const double slope = sum((softmax(beta * logits) - came) * logits).item();
        (slope > 0 ? high : low) = beta;
    }
    return 1 / low;
}

//! We compare the network without a remedy, label smoothing with a share of one tenth, temperature,
//! and both together. Beside them stand two forecasters who do not learn: the one who says the same
//! every day, and the one who knows the true probabilities. KL is the mean divergence from the true
//! probabilities, which only generated weather allows us to compute. All numbers are means over
//! several climates, each with new days and new initial weights.
const Measures measures{[](const Sureness& sure) { return calibration_error(sure); },
                        best_temperature};

Findings two_remedies(Lesson& lesson, const Training& how, int climates) {
    lesson.heading("Two remedies");
    const Findings found = compare_remedies(lesson, how, climates, measures);
    const Unlearned unlearned = without_learning(lesson, climates, measures);
    show_remedies(lesson, found, unlearned, how, climates);
    const Record &plain = found.plain, &cooled = found.cooled, &smoothed = found.smoothed;
    const auto mean_of = [](const std::vector<double>& x) { return summarise(x).mean; };
    lesson.claim("overconfidence", "finding: network: mean confidence minus accuracy",
                 plain.excess(), at_least(0.14));
    lesson.measured("confidence", "network: mean confidence", mean_of(plain.confidence));
    lesson.measured("accuracy", "network: accuracy", mean_of(plain.accuracy));
    lesson.measured("loss-network", "network: loss", mean_of(plain.loss));
    lesson.measured("loss-always", "loss of saying the same every day",
                    mean_of(unlearned.always.loss));
    lesson.claim("loss-over-always",
                 "finding: loss of the network minus that of saying the same every day",
                 mean_of(plain.loss) - mean_of(unlearned.always.loss), more_than(0));
    lesson.measured("temperature", "the chosen temperature", mean_of(found.temperature));
    lesson.measured("ece-truth", "ECE of the true probabilities", mean_of(unlearned.truth.error));
    lesson.claim("smoothing-accuracy-loss",
                 "finding: accuracy of the network minus that with label smoothing",
                 mean_of(plain.accuracy) - mean_of(smoothed.accuracy), more_than(0));
    lesson.claim("ece-temperature-gain",
                 "finding: ECE of the network minus ECE with the chosen temperature",
                 mean_of(plain.error) - mean_of(cooled.error), at_least(0.12));
    lesson.claim("ece-temperature", "finding: ECE with the chosen temperature",
                 mean_of(cooled.error), at_most(0.035));
    lesson.claim("ece-smoothing-gain", "finding: ECE of the network minus ECE with label smoothing",
                 mean_of(plain.error) - mean_of(smoothed.error), at_least(0.055));
    lesson.claim("loss-temperature-gain",
                 "finding: loss of the network minus loss with the chosen temperature",
                 mean_of(plain.loss) - mean_of(cooled.loss), at_least(0.5));
    lesson.claim("kl-smoothing-ratio",
                 "finding: KL with smoothing and temperature, divided by KL with temperature alone",
                 mean_of(found.both.kl) / mean_of(cooled.kl), at_least(1.5));
    return found;
}

//! {if all overconfidence > 0.15 and loss-network > loss-always + 0.1} **Look at the row of the
//! network first.** It says {confidence:%} and is right on {accuracy:%} of the test
//! days. Its loss is even larger than that of the forecaster who says the same every day,
//! {loss-network:2} against {loss-always:2}, and that is so with {count loss-network > loss-always}
//! seeds. A network that knows much about the weather gives worse probabilities than somebody who
//! knows nothing about the day.
//!
//! {if all loss-temperature-gain > 0.7 and ece-temperature-gain > 0.15} **One number repairs it.**
//! Dividing all logits by {temperature:1} brings the loss down to
//! {loss-network - loss-temperature-gain:2}, and the ECE from
//! {ece-temperature + ece-temperature-gain:2} to {ece-temperature:2}, where the true probabilities
//! have {ece-truth:2} by chance alone. The guesses are the same as before. So the logits had
//! contained the knowledge, and only their scale was wrong.
//!
//! {if all ece-smoothing-gain > 0.06 and smoothing-accuracy-loss > 0.03 and kl-smoothing-ratio >
//! 1.7} **Label smoothing** lowers the ECE as well, but less, and it makes a worse forecaster: the
//! accuracy falls by {smoothing-accuracy-loss * 100:0} points. A temperature does not bring back
//! what is lost. With one, the smoothed network is still {kl-smoothing-ratio:1} times as far from
//! the truth, in KL divergence, as the plain one. Müller et al. (2019) saw something related:
//! smoothing removes information from the logits. Why the accuracy falls here we have not examined.
//!
//! ## More days
//!
//! {no results} Label smoothing asks for the same confidence, 0.933, whether the network is too
//! sure or not. The temperature is chosen by what happens on new days. To see the difference we
//! need a network that is not too sure. We get it from more data. Each step uses at most 300 days.
//! With 300 training days, 600 steps use every day 600 times. With 10,000 training days, they use
//! every day only 18 times ($600 \cdot 300 / 10000$), and the network does not learn single days by
//! heart. What does label smoothing do to the calibration of such a network?
void more_days(Lesson& lesson, Training how, const Findings& first, int climates) {
    lesson.heading("More days");
    const Prediction guess = lesson.predict(
        "With 10,000 training days, label smoothing makes the calibration of the network ...",
        {"better", "about the same", "worse"});
    std::map<int, Findings> found{{how.days, first}};
    for (int days : lesson.quick() ? std::vector{10000} : std::vector{100, 300, 1000, 3000, 10000})
        if (!found.count(days))
            how.days = days, found[days] = compare_remedies(lesson, how, climates, measures);
    show_days(lesson, found, climates);
    const Findings& last = found.rbegin()->second;
    const double worse = summarise(last.smoothed.error).mean - summarise(last.plain.error).mean;
    lesson.reveal(guess, worse > 0.01 ? "worse" : worse < -0.01 ? "better" : "about the same");
    lesson.say(
        "With {} training days, the chosen temperature is {} for the network, and {} after "
        "label smoothing.",
        number(found.rbegin()->first), mean_and_spread(last.temperature, 2),
        mean_and_spread(last.temperature_smoothed, 2));
    lesson.claim("ece-smoothing-many-days",
                 "finding: most training days: ECE with label smoothing minus ECE of the network",
                 worse, at_least(0.012));
    lesson.claim("smoothing-underconfidence",
                 "finding: most training days: label smoothing, mean confidence minus accuracy",
                 last.smoothed.excess(), at_most(-0.03));
    lesson.measured("temperature-many-days", "most training days: the chosen temperature",
                    summarise(last.temperature).mean);
    lesson.claim("temperature-after-smoothing",
                 "finding: most training days: temperature chosen after label smoothing",
                 summarise(last.temperature_smoothed).mean, at_most(0.84));
}

}  // namespace

}  // namespace heed::workshop4

//! The more days the network has, the smaller its excess of confidence.
//! {if all temperature-many-days < 1.1 and temperature-many-days > 0.95} With 10,000 days it is
//! calibrated without any remedy: the temperature chosen for it is {temperature-many-days:2}, and a
//! temperature of 1 changes nothing.
//!
//! {if all ece-smoothing-many-days > 0.03 and smoothing-underconfidence < -0.04} Label smoothing
//! goes on lowering the confidence all the same. With 10,000 days it is
//! {smoothing-underconfidence * -100:0} points below the accuracy: the network is no longer sure
//! enough. {if all temperature-after-smoothing < 0.8} The temperature chosen for its logits is
//! {temperature-after-smoothing:2}. This is below 1, so it makes the network surer and takes the
//! smoothing back.
//!
//! So is a forecast of 90 % right nine times out of ten? {no results} Not because a network says
//! so. A temperature, which is chosen by measuring, corrects the network in both directions. It
//! costs the validation days, which cannot be used for training.
//!
//! ## What this does not show
//!
//! The weather is simple: three outcomes, six measurements, and the new days come from the same
//! climate as the old ones. When the world changes after training, the temperature no longer fits,
//! and nothing in this lesson helps. Other means against overconfidence, such as stopping the
//! training early, dropout (workshop {batches}), weight decay (making all weights a little smaller
//! at each step) and the mean of several networks, are not compared. The ECE looks at the largest
//! probability only, and it depends on the number of bins; a network may be calibrated on average
//! and still be too sure on one kind of day. And we kept one share of smoothing for all sizes on
//! purpose: Müller et al. found that on pictures and translation a well-chosen share calibrates
//! about as well as a temperature.
//!
//! Sources: Murphy and Winkler, "Reliability of subjective probability forecasts of precipitation
//! and temperature" (1977), for reliability diagrams, which come from the weather service; Naeini,
//! Cooper and Hauskrecht, "Obtaining well calibrated probabilities using Bayesian binning" (2015),
//! for the ECE; Guo, Pleiss, Sun and Weinberger, "On calibration of modern neural networks" (2017),
//! for overconfidence and temperature; Szegedy et al., "Rethinking the Inception architecture for
//! computer vision" (2016), section 7, for label smoothing; Müller, Kornblith and Hinton, "When
//! does label smoothing help?" (2019).
//!
//! ## Summary
//!
//! 1. On training days more confidence always makes the loss smaller, so a network that is trained
//!    for long on few days is too sure.
//! 2. The expected calibration error says by how much confidence and accuracy differ. It does not
//!    say whether the forecasts tell the days apart; the loss punishes both faults.
//! 3. A temperature chosen on validation days repairs it, whichever way the network errs, and
//!    changes no guess.
//! 4. Label smoothing lowers the confidence always. It improves the calibration of a network that
//!    is too sure and spoils that of one that is not.
//! 5. More data repair it as well: with many days the network was calibrated without any remedy.
//!
//! ## Try this next
//!
//! 1. `--steps 60`: the training stops early. Is the network still too sure, and what does label
//!    smoothing do then?
//! 2. `--smoothing 0.3` and `--smoothing 0.02`: which share suits 300 days, and which 10,000?
//! 3. In `measures`, write `calibration_error(sure, 100)`. Why does the ECE of the true
//!    probabilities grow with the number of bins?
//! 4. On paper: show that the derivative of $\ln \sum_k e^{\beta z_k}$ with respect to $\beta$ is
//!    the mean of the logits, weighted by the probabilities.
using namespace heed;
using namespace heed::workshop4;

int main(int argc, char** argv) {
    Lesson lesson(
        {.workshop = 4,
         .name = "calibration",
         .title = "Nine times out of ten?",
         .question = "A network says 90 %. Is it right nine times out of ten?",
         .own_data = "generated weather: six measurements and an outcome of three a day"});
    Training how{.days = 300, .smoothing = 0.1, .steps = 600};
    int climates = 0;
    lesson.option("--days", how.days, "training days of the first comparison, up to 10000 (300)");
    lesson.option("--smoothing", how.smoothing, "share of the probability that is spread (0.1)");
    lesson.option("--steps", how.steps, "steps of training (600)");
    lesson.option("--climates", climates, "climates to average over (20; quick 5)");
    return lesson.run(argc, argv, [&] {
        check(how.days <= 10000, "--days: expected at most 10000, got {}", how.days);
        check(how.smoothing > 0 && how.smoothing < 1,
              "--smoothing: expected a number between 0 and 1, got {}", how.smoothing);
        if (climates == 0) climates = lesson.quick() ? 5 : 20;
        training_makes_sure(lesson, how);
        measure_calibration(lesson);
        const Findings first = two_remedies(lesson, how, climates);
        more_days(lesson, how, first, climates);
    });
}
