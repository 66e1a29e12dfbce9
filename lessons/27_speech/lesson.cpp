//! # Can sound be attended to?
//!
//! Say "sio", then "ois". Both words have the same three sounds: a hiss, a bright vowel and a dark
//! vowel. A listener has to hear what the sounds are and in which order they come. And the same
//! word never sounds twice the same: another speaker has a higher or a lower voice, and speaks
//! faster or slower.
//!
//! Ten such words are the task, in five pairs: "sio" and "ois", "aun" and "nua", and so on. Each
//! word of a pair is the other one backwards. A program computes their sounds for twelve different
//! speakers. A network gets the sound of a word and says which of the ten words it is.
//!
//! The networks of this course read sequences of vectors, and a sound is not a sequence of vectors
//! yet. First we make one of it. Then three networks of equal size read it: a recurrent network, a
//! Transformer, and the *Conformer*, a Transformer with a convolution along the time axis in each
//! block, which was built for speech (Gulati et al. 2020). Does the convolution help?

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "autograd/autograd.h"
#include "lessons/27_speech/models.h"
#include "lessons/27_speech/pictures.h"
#include "lessons/course/course.h"
#include "lessons/material/corpora/tones.h"
#include "lessons/material/read/sound.h"
#include "lessons/material/sound/fourier.h"
#include "lessons/material/sound/log_mel.h"

namespace heed::lesson27 {

using namespace course;

namespace {

//! ## The naive attempt: every sample a token
//!
//! {no results} A sound is a fast change of the air pressure. A microphone measures the pressure,
//! here 8,000 times a second, and writes down one number each time: above 0 if the pressure is
//! higher than in silence, below 0 if it is lower. These numbers are called samples. (They have
//! nothing to do with the random samples of lesson {reinforce}.) A word of 0.4 seconds is a list of
//! 3,200 samples.
//!
//! {no results} Take a hum that repeats 200 times a second. One repetition, a period, takes
//! $8{,}000 / 200 = 40$ samples. If the hum is a pure sine, sample number $n$ is
//! $\sin(2 \pi n / 40)$, and the list begins with 0, 0.156, 0.309, 0.454.
//!
//! {no results} Can every sample be a token? First, there are too many: attention would compare
//! $3{,}200^2$ pairs, ten million scores for one word and one head. Second, a single sample means
//! nothing. The sample 0.309 occurs in a hum, in a vowel and in a hiss. And if the recording begins
//! 20 samples later, half a period, the list begins with 0, -0.156, -0.309, -0.454. Every sample
//! has changed its sign, and to the ear nothing has changed. We need numbers that say how fast the
//! pressure goes up and down, and how strongly, and that do not depend on the moment at which the
//! recording begins.
//!
//! ## Which frequencies are in a sound?
//!
//! The frequency of an oscillation is the number of its periods in a second. Its unit is the hertz
//! (Hz), so the hum has 200 Hz. (Lesson {positions} gave frequencies as angles.) Most sounds are
//! sums of many oscillations. How can we find out whether a given one is in a list of samples?
//!
//! We multiply the samples with that oscillation, number by number, and add up the products: a dot
//! product (lesson {scores}). If the samples go up and down together with the oscillation, most
//! products are positive and the sum is large. If they have nothing to do with it, positive and
//! negative products cancel.
//!
//! One difficulty remains: the oscillation in the sound may begin at any moment. Therefore we
//! multiply with two oscillations, a cosine and a sine. For $N$ samples $x_0, \dots, x_{N-1}$ and
//! an oscillation that has $k$ periods in these $N$ samples, the two sums are
//!
//! $$ C_k = \sum_{n=0}^{N-1} x_n \cos(2 \pi k n / N), \qquad
//!    S_k = \sum_{n=0}^{N-1} x_n \sin(2 \pi k n / N) . $$
//!
//! The *discrete Fourier transform* is the computation of these two sums for all $k$ from a list of
//! samples. (Books write the two as one complex number $X_k = C_k - i S_k$.) From them we compute
//!
//! $$ P_k = C_k^2 + S_k^2 . $$
//!
//! $P_k$ is the power of this oscillation in the sound. Let a pure oscillation of $k$ periods begin
//! earlier or later, for $k$ between 0 and $N/2$: one of the two squares becomes larger, the other
//! one smaller, and $P_k$ stays the same. (At the two ends, $k = 0$ and $k = N/2$, the sine is 0 at
//! every sample, and nothing makes up for the cosine.) The *spectrum* of a piece of sound is the
//! list of its powers, one for each frequency. It runs from $k = 0$, the constant part, to
//! $k = N/2$, an oscillation that goes up and down from sample to sample. Samples cannot show a
//! faster one.
//!
//! **By hand.** Take the four samples $x = (1, 0, -1, 0)$, one full period. For $k = 1$ the four
//! values of the cosine are $1, 0, -1, 0$ and those of the sine $0, 1, 0, -1$. So
//! $C_1 = 1 + 0 + 1 + 0 = 2$, $S_1 = 0$ and $P_1 = 2^2 + 0^2 = 4$. For $k = 0$ the cosine is always
//! 1 and the sine always 0: $C_0 = 1 + 0 - 1 + 0 = 0$. For $k = 2$ the cosine is $1, -1, 1, -1$ and
//! the sine is 0: $C_2 = 1 + 0 - 1 + 0 = 0$. All the power is at one period in four samples.
//!
//! The same oscillation, begun a quarter of a period later, has the samples $(0, 1, 0, -1)$. Now
//! $C_1 = 0$ and $S_1 = 0 + 1 + 0 + 1 = 2$, so $P_1$ is again 4. All four samples have changed, and
//! the power has not.
//!
//! ![Bring the two tones together until one peak is left, then take a longer frame. With no window, a tone that does not fit into the frame spreads over all frequencies and hides a faint one; the Hann window lets the frame fade in and out.](live:frame)
std::vector<double> power_by_hand(const std::vector<double>& x) {
    std::vector<double> power;
    for (std::size_t k = 0; k <= x.size() / 2; ++k) {
        double c = 0, s = 0;
        for (std::size_t n = 0; n < x.size(); ++n) {
            const double angle = 2 * std::numbers::pi * double(k * n) / double(x.size());
            c += x[n] * std::cos(angle), s += x[n] * std::sin(angle);
        }
        power.push_back(c * c + s * s);
    }
    return power;
}

//! The two loops need about $N^2 / 2$ steps. The fast Fourier transform computes the same numbers
//! in about $N \log_2 N$ steps: 2,048 instead of 32,768 for $N = 256$. We use a library for it, and
//! check that it agrees with our loops.
//!
//! Here are 200 samples from the middle of a word, which is a vowel in all our words, and their
//! spectrum. A voice is a sum of oscillations, whose frequencies are multiples of its pitch. The
//! mouth makes some of them louder than others. A *formant* is a frequency at which the mouth makes
//! a voice loud. It depends on how the mouth is opened and where the tongue is, so vowels differ in
//! their formants: a man's "a" has the first two near 730 and 1,090 Hz, his "i" near 270 and 2,290
//! Hz (Peterson and Barney 1952).
void which_frequencies(Lesson& lesson, const Tone& example, int rate) {
    lesson.heading("Which frequencies are in a sound?");
    Table table({"samples", "P, k = 0", "P, k = 1", "P, k = 2"});
    for (const std::vector<double>& x : {std::vector<double>{1, 0, -1, 0}, {0, 1, 0, -1}}) {
        const std::vector<double> power = power_by_hand(x);
        table.add({fmt::format("({})", fmt::join(x, ", ")), fmt::format("{:.3f}", power[0]),
                   fmt::format("{:.3f}", power[1]), fmt::format("{:.3f}", power[2])});
    }
    lesson.table(table, "The powers of four samples, by the formula.");
    const std::vector<double> four = power_by_hand({1, 0, -1, 0});
    lesson.claim("power-by-hand", "identity: power of (1, 0, -1, 0) at one period, by the formula",
                 four[1], equals(4, 1e-12));
    const std::vector<float>& samples = example.samples;
    const std::vector<double> some(
        samples.begin(),
        samples.begin() + std::min<std::ptrdiff_t>(200, std::ptrdiff_t(samples.size())));
    const std::vector<double> mine = power_by_hand(some);
    Fourier fourier(int(some.size()));
    const std::vector<double> fast = fourier.power(some);
    double worst = 0, largest = 1e-12;
    for (std::size_t k = 0; k < mine.size(); ++k) {
        worst = std::max(worst, std::abs(mine[k] - fast[k]));
        largest = std::max(largest, mine[k]);
    }
    lesson.claim(
        "power-library",
        "identity: 200 samples: power by the formula against the library, relative difference",
        worst / largest, at_most(1e-10));
    const double middle = (example.borders[1] + example.borders[2]) / 2;  // of the vowel, in s
    const auto first = samples.begin() + std::ptrdiff_t(middle * rate) - 100;
    const std::vector<double> vowel(first, first + 200);
    lesson.show("wave", wave_of(vowel, rate), "200 samples of a vowel.");
    lesson.show("spectrum", spectrum_of(power_by_hand(vowel), rate),
                "The spectrum of these samples. The power is large near the formants.");
}

//! ## From samples to frames
//!
//! The spectrum of a whole word would say which frequencies are in it, but not when. "sio" and
//! "ois" would have nearly the same. So we cut the sound into short pieces and compute the spectrum
//! of each. Our pieces are 25 milliseconds long, which is 200 samples. In so short a time the mouth
//! hardly moves. Much shorter pieces would be too coarse, because the frequencies in a spectrum are
//! $8{,}000 / N$ Hz apart: 40 Hz for 200 samples, but 400 Hz for 20 samples. A new piece begins
//! every 160 samples, so neighbours overlap a little.
//!
//! {no results} Each piece is faded in and out, because a sudden beginning or end would add
//! frequencies that are not in the sound. Then 56 zeros are appended, because the fast transform is
//! simplest for powers of two. So $N = 256$, and a piece has $256 / 2 + 1 = 129$ powers, 31.25 Hz
//! apart.
//!
//! **The mel scale.** The ear does not hear all frequencies equally finely. Tones of 200 and 300 Hz
//! sound very different, tones of 3,200 and 3,300 Hz do not. The *mel scale* gives each frequency
//! $f$ (in Hz) a pitch $m$, so that equal steps of $m$ sound equally large to people:
//!
//! $$ m(f) = 2595 \, \log_{10}(1 + f / 700). $$
//!
//! At 200 Hz this is 283 mel, at 300 Hz 402 mel: a step of 119. From 3,200 to 3,300 Hz the step is
//! only 29. We add up the powers in 40 channels. A channel is a range of frequencies; the powers in
//! its middle count fully, and those towards its ends less. Neighbouring channels overlap, and all
//! are equally wide in mel. So the lowest reaches from 50 to 120 Hz, and the highest from 3,598 to
//! 4,000 Hz.
//!
//! {no results} **The logarithm.** The ear hears ratios: from 1 to 10 is the same step as from 10
//! to 100. The logarithm makes equal steps of equal ratios, 0, 2.303 and 4.605 for the powers 1, 10
//! and 100. It also separates loudness from content. If somebody speaks louder, all powers are
//! multiplied by the same number $a$. Since $\ln(a P) = \ln a + \ln P$, the same number is added to
//! all channels, and the differences between channels stay as they are.
//!
//! A *frame* is the vector of these 40 logarithms for one piece of sound (Davis and Mermelstein
//! 1980). A word is now a sequence of frames. A word of 3,783 samples, for example, has
//! $1 + \lfloor (3{,}783 - 200) / 160 \rfloor = 23$ of them. (The brackets round down.) Attention
//! compares $23^2 = 529$ pairs instead of fourteen million. The code also scales the numbers to a
//! range around 0.
const LogMelOptions how{.hop = 0.02};

// Log-mel frames, scaled to numbers around 0.
Tensor frames_of(const std::vector<float>& samples, int rate) {
    LogMelOptions options = how;
    options.rate = rate;
    return (log_mel(samples, options) + 3.0) / 5.0;
}

HeatMap spectrogram(const Tensor& frames, const std::string& title) {
    const Tensor upright = flip(transpose(frames), 0);  // low frequencies at the bottom
    const double low = min(frames).item(), high = max(frames).item();
    HeatMap map{.title = title,
                .values = ((upright - low) / std::max(high - low, 1e-6)).to_vector(),
                .rows = int(channels),
                .columns = int(frames.size(0))};
    map.row_axis = "channel, high above low", map.column_axis = "frame";
    map.value_name = "loudness";
    return map;
}

//! A picture of all frames of a sound, side by side, is called a *spectrogram*. Time runs to the
//! right and frequency upwards. A hiss is loud in the highest channels. A vowel has horizontal
//! bands, which are its formants. Where one sound passes into the next, the bands rise or fall.
void from_samples_to_frames(Lesson& lesson, const std::vector<float>& samples, int rate,
                            const std::string& title) {
    lesson.heading("From samples to frames");
    lesson.say("From 200 to 300 Hz: {:.0f} mel. From 3,200 to 3,300 Hz: {:.0f} mel.",
               mel_of_hertz(300) - mel_of_hertz(200), mel_of_hertz(3300) - mel_of_hertz(3200));
    const Tensor frames = frames_of(samples, rate);
    lesson.say("A word of {} samples became {} frames of {} numbers.", number(int(samples.size())),
               frames.size(0), channels);
    lesson.show("spectrogram", spectrogram(frames, title), "The frames of one word.");
}

//! ## Near frames and far frames
//!
//! What has to be found in the frames? First, something near. A single frame says which channels
//! are loud, but not whether a band is rising or falling. To see this, a frame has to be compared
//! with the frames next to it, and a convolution does just that (lesson {images}).
//!
//! Then, something far. In "sio" the hiss comes before both vowels, and in "ois" after them. One
//! sound lasts five to eight frames, so the hiss and the vowel at the other end are ten frames
//! apart or more. A convolution over 7 frames reaches only 3 frames to each side. Attention
//! compares any two frames in one step. It could also learn to look at the neighbours, but lesson
//! {images} showed what it costs to learn this. The Conformer has both in every block.
//!
//! ## Three networks
//!
//! All three begin with a dense layer, which maps the 40 numbers of a frame to the width of the
//! network. They also end in the same way: attention pooling (lesson {attention_pooling}) makes one
//! vector of all frames, and a dense layer computes ten logits from it. They differ in what happens
//! between.
//!
//! - The **recurrent** network is a GRU that reads the frames in both directions (lessons
//!   {recurrence} and {bottleneck}).
//! - The **Transformer** has two blocks of self-attention and feed-forward network (lesson
//!   {transformer}). Sinusoidal positions are added to its frames (lesson {positions}).
//! - The **Conformer** has two of the blocks that now follow.
//!
//! ## The convolution of the Conformer
//!
//! A frame inside the Conformer is a vector of $D = 36$ numbers, again called channels. A
//! *depthwise convolution* is a convolution in which each channel has a kernel of its own and is
//! not mixed with other channels. With a kernel of $K$ numbers, here $K = 7$, it computes
//!
//! $$ z_{t,c} = b_c + \sum_{k=1}^{K} w_{k,c} \, h_{t + k - (K+1)/2,\, c} . $$
//!
//! Here $h_{t,c}$ is channel $c$ of frame $t$, $w_{k,c}$ is number $k$ of the kernel of channel
//! $c$, $b_c$ is its bias, and $z_{t,c}$ the result. For $K = 7$ the sum runs over the frames from
//! $t - 3$ to $t + 3$. Beyond the ends of the word $h$ counts as 0. All kernels together have 36
//! times 7, that is, 252 weights. A convolution that mixes the channels would have 36 times as
//! many.
//!
//! **By hand.** Take one channel with the values $h = (1, 3, 2)$ in three frames, a kernel of three
//! numbers, $w = (-1, 0, 1)$, and no bias. Each result is the next value minus the one before:
//! $3 - 0 = 3$ at the first frame, then $2 - 1 = 1$, then $0 - 3 = -3$. So $z = (3, 1, -3)$. This
//! kernel measures whether the channel becomes louder or softer.
Tensor depthwise_by_hand(const Tensor& h, const Tensor& w) {  // [T, C], [C, 1, K]
    const int64_t frames = h.size(0), width = h.size(1), reach = (w.size(2) - 1) / 2;
    Tensor z = zeros(h.shape(), h.dtype());
    for (int64_t k = -reach; k <= reach; ++k) {
        const Tensor shifted = k < 0 ? pad(slice(h, 0, 0, frames + k), 0, -k, 0)
                                     : pad(slice(h, 0, k, frames), 0, 0, k);
        z = z + shifted * reshape(select(w, 2, k + reach), {1, width});
    }
    return z;
}

//! **The module around it.** The *convolution module* of the Conformer is a depthwise convolution
//! with a gate before it and a normalisation behind it. It gets normalised frames $x$ and computes
//! in this order
//!
//! $$ p = W_p x + b_p, \qquad q = W_q x + b_q, \qquad h = p \, \sigma(q), $$
//!
//! $$ z = \mathrm{depthwise}(h), \qquad
//!    \mathrm{Conv}(x) = W_o \, \mathrm{swish}(\mathrm{bn}(z)) + b_o . $$
//!
//! 1. Two dense layers compute two vectors $p$ and $q$ from each frame. They mix the channels of a
//!    frame.
//! 2. {no results} The gate $\sigma(q)$, taken number by number, is between 0 and 1 (lesson
//!    {recurrence}) and decides how much of $p$ passes (Dauphin et al. 2017). A channel with
//!    $p = 2$ becomes $2 \cdot 0.982 = 1.964$ if $q = 4$, and 0.036 if $q = -4$.
//! 3. The depthwise convolution compares neighbouring frames. Only this step mixes frames.
//! 4. $\mathrm{bn}$, *batch normalisation*, gives each channel the mean 0 and the variance 1. Layer normalisation takes mean and variance over the
//!    channels of one frame; batch normalisation takes them for one channel over all frames of the
//!    minibatch. After training, running averages from training take their place, so that the
//!    answer for a word does not depend on the other words.
//! 5. *Swish* is the activation function $\mathrm{swish}(a) = a \, \sigma(a)$, a smooth relative of
//!    relu: $\mathrm{swish}(2) = 1.762$ and $\mathrm{swish}(-2) = -0.238$.
//! 6. A last dense layer mixes the channels again.
//!
//! **The block.** The Conformer's block has four modules, each with a residual connection:
//!
//! $$ x_1 = x + \tfrac12 \, \mathrm{FF}(x), \qquad x_2 = x_1 + \mathrm{Attention}(x_1), $$
//!
//! $$ x_3 = x_2 + \mathrm{Conv}(x_2), \qquad
//!    y = \mathrm{norm}(x_3 + \tfrac12 \, \mathrm{FF}'(x_3)) . $$
//!
//! FF and FF′ are two feed-forward networks with weights of their own; each of the two counts half.
//! (The Transformer's block has one, behind the attention.) Attention is multi-head attention with
//! four heads and relative positions, a learned vector for each distance (lesson {positions}; the
//! paper uses another kind). Each of the four modules first applies a layer normalisation to its
//! input, which the formulas leave out. One more, norm, ends the block.
//!
//! {no results} **By hand**, for one number: let $x = 1$, and let the four modules compute 2, -1,
//! 0.5 and 3. Then $x_1 = 1 + 1 = 2$, $x_2 = 2 - 1 = 1$, $x_3 = 1 + 0.5 = 1.5$, and norm gets
//! $1.5 + 1.5 = 3$.
void depthwise(Lesson& lesson) {
    lesson.heading("The convolution of the Conformer");
    const Tensor h = tensor({1, 3, 2}, {3, 1}), w = tensor({-1, 0, 1}, {1, 1, 3});
    const Tensor z = depthwise_by_hand(h, w);
    Rng made(lesson.seed());
    const SpeechModel model(Kind::conformer, made);
    const std::vector<Diagram> pictures{conformer_block(model), convolution_module(model)};
    lesson.show("conformer", pictures,
                "One block, and the convolution module in it. Every module first normalises its "
                "input; \"+ ½\" adds half of what comes from below.");
    lesson.say("By hand: ({}, {}, {}).", z.at({0, 0}), z.at({1, 0}), z.at({2, 0}));
    Rng rng(lesson.seed());
    const Tensor x = normal({9, 4}, 0, 1, rng), kernel = normal({4, 1, 7}, 0, 1, rng);
    const Tensor library =
        conv1d(unsqueeze(transpose(x), 0), kernel, {}, {.padding = 3, .groups = 4});
    lesson.claim("depthwise-by-hand",
                 "identity: depthwise convolution by hand against the library, largest difference",
                 max(abs(transpose(depthwise_by_hand(x, kernel)) - select(library, 0, 0))).item(),
                 at_most(1e-5));
}

//! ## Voices never heard before
//!
//! A speaker of our words is three numbers: the pitch of the voice, from 90 to 230 Hz, a size by
//! which all formants are multiplied, and a speed. Eight speakers say the 1,200 words of the
//! training set. The 400 words of the test set come from four **other** speakers: the network has
//! to understand somebody whom it has never heard. All networks have some 45,000 to 48,000
//! parameters, the same optimiser (Adam, lesson {learning}), the same learning rate and the same
//! 400 steps.
//!
//! A fourth network is a control: the Transformer without positions. Attention and pooling ignore
//! the order of the frames (lesson {self_attention}), so it can learn which sounds a word has, but
//! not their order. The last column of the table counts how often the answer is in the right pair,
//! that is, the right word or the same word backwards. Between the two words of a pair this network
//! can only guess, with one exception. In our words the pitch falls a little while a word is
//! spoken. So a frame carries a trace of when it was spoken, even if nothing tells the network its
//! position.
struct Data {
    std::vector<Word> training, test;
};

double pair_accuracy(const std::vector<int>& given, const std::vector<Word>& words) {
    double right = 0;
    for (std::size_t i = 0; i < words.size(); ++i) right += given[i] / 2 == words[i].label / 2;
    return right / double(words.size());
}

SpeechModel compare(Lesson& lesson, const Data& data, const Budget& budget, int seeds, bool tones,
                    Prediction guess) {  // returns the first Conformer
    lesson.heading("Voices never heard before");
    const std::vector<Kind> kinds =
        tones ? std::vector<Kind>{Kind::recurrent, Kind::transformer, Kind::conformer,
                                  Kind::unordered}
              : std::vector<Kind>{Kind::recurrent, Kind::transformer, Kind::conformer};
    std::vector<std::string> header{"network", "parameters", "accuracy, new speakers"};
    if (tones) header.push_back("right pair of words");
    Table table(header);
    std::vector<double> means, of_pairs;
    std::optional<SpeechModel> shown;
    for (const Kind kind : kinds) {
        std::vector<double> reached, pairs;
        int64_t count = 0;
        for (int seed = 0; seed < seeds; ++seed) {
            Rng rng(1000 * lesson.seed() + std::uint64_t(seed));
            SpeechModel model(kind, rng);
            count = parameter_count(model);
            train(model, data.training, budget, rng);
            const std::vector<int> given = answers(model, data.test);
            reached.push_back(accuracy(given, data.test));
            pairs.push_back(pair_accuracy(given, data.test));
            if (kind == Kind::conformer && seed == 0) shown = model;
        }
        means.push_back(summarise(reached).mean);
        of_pairs.push_back(summarise(pairs).mean);
        std::vector<std::string> row{name_of(kind), number(int(count)), mean_and_spread(reached)};
        if (tones) row.push_back(mean_and_spread(pairs));
        table.add(row);
    }
    lesson.table(table, averaged_over(std::size_t(seeds)));
    const auto best = std::max_element(means.begin(), means.begin() + 3) - means.begin();
    lesson.reveal(guess, name_of(kinds[std::size_t(best)]));
    lesson.claim("new-speakers", "finding: accuracy of the Conformer on new speakers", means[2],
                 at_least(lesson.quick() ? 0.2
                          : tones        ? 0.95
                                         : 0.5));
    if (tones && !lesson.quick()) {
        lesson.claim("right-pair", "finding: without positions: share of words in the right pair",
                     of_pairs[3], at_least(0.85));
        lesson.claim(
            "without-positions",
            "finding: without positions: accuracy; guessing within the pair gives half of that",
            means[3], at_most(0.7));
    }
    return *shown;
}

//! {if all new-speakers > 0.97} Does the convolution help? Here we cannot say. The Conformer names
//! {new-speakers:% 1} of the words of strangers, and the recurrent network and the Transformer are
//! as good: the task is too easy to tell the three apart.
//! {if all right-pair > 0.9 and without-positions < 0.65} But the order of the frames is needed.
//! Without positions, {right-pair:%} of the words are put into the right pair, and
//! {without-positions:%} are right. Guessing within the pair gives half of the first number, and
//! the trace of the pitch a little more, in {count without-positions > right-pair / 2} runs.
//!
//! ## Attention over the frames
//!
//! Which frames does the last layer read? Attention pooling gives every frame a weight, and the
//! weights of a word sum to 1. A frame with a small weight may still play a part, because the two
//! blocks before the pooling have brought information from all frames into each (lesson
//! {explanation}).
void attention_over_the_frames(Lesson& lesson, const SpeechModel& model, const Data& data,
                               bool tones) {
    lesson.heading("Attention over the frames");
    std::vector<HeatMap> maps;
    for (int i = 0; i < 2; ++i) {
        const Word& word = data.test[std::size_t(i)];
        const NoGrad no_grad;
        const Tensor weights =
            model(batch_of(data.test, {i}), Mode::evaluation()).weights;  // [1, 1, T]
        HeatMap map = spectrogram(word.frames, tones ? std::string(word_of_tone(word.label))
                                                     : fmt::format("{}", word.label));
        const std::vector<double> row = (weights / max(weights)).to_vector();
        map.values.insert(map.values.begin(), row.begin(), row.end());
        map.rows += 1;
        maps.push_back(map);
    }
    lesson.show(
        "attention", maps,
        "Above: the weight of each frame in the Conformer's pooling; the largest is the darkest, and a digit stands for tenths of it. Below: the frames.");
}

Data draw(bool quick, std::uint64_t seed) {
    Rng rng(seed);
    const auto words = [&](int count, const ToneOptions& options) {
        std::vector<Word> all;
        for (const Tone& tone : draw_tones(count, options, rng))
            all.push_back({frames_of(tone.samples, options.rate), tone.label,
                           fmt::format("{}", tone.speaker)});
        return all;
    };
    Data data;
    data.training = words(quick ? 300 : 1200, {.first_speaker = 0, .speakers = 8});
    data.test = words(quick ? 100 : 400, {.first_speaker = 8, .speakers = 4});
    return data;
}

// The reader's recordings. One speaker is the test set: the one that is asked for, or else the last.
Data read_words(const std::string& folder, std::string test_speaker) {
    std::vector<Word> words;
    std::vector<std::string> speakers;
    for (const SpokenDigit& said : read_spoken_digits(folder)) {
        words.push_back({frames_of(said.sound.samples, said.sound.rate), said.digit, said.speaker});
        speakers.push_back(said.speaker);
    }
    std::sort(speakers.begin(), speakers.end());
    speakers.erase(std::unique(speakers.begin(), speakers.end()), speakers.end());
    check(words.size() >= 100 && speakers.size() >= 2,
          "{}: {} recordings by {} speakers; expected at least 100 by two speakers", folder,
          words.size(), speakers.size());
    if (test_speaker.empty()) test_speaker = speakers.back();
    check(std::count(speakers.begin(), speakers.end(), test_speaker) == 1,
          "--test-speaker: {} has no recording of '{}'", folder, test_speaker);
    Data data;
    for (const Word& word : words)
        (word.speaker == test_speaker ? data.test : data.training).push_back(word);
    return data;
}

}  // namespace

}  // namespace heed::lesson27

//! ## What this does not show
//!
//! Ten words of three sounds are not speech. Real recognition turns hours of sound into text, with
//! models a thousand times larger, and there the Conformer did better than Transformers without a
//! convolution (Gulati et al. 2020). Our experiment neither confirms nor refutes this. It does not
//! isolate the convolution either: Conformer and Transformer also differ in their positions, in the
//! number of feed-forward networks and in the width, 36 against 48, because the parameters are
//! equal. (The first suggestion at the end is a fairer test.)
//!
//! Our networks choose among ten words. To write any word, they would have to spell it, and nobody
//! tells them which frame belongs to which letter. Exercise {speech.5} adds up all ways to place
//! the letters.
//!
//! All our speakers are made by one formula with three numbers. Real voices differ in more ways,
//! and so do rooms and microphones. `--data` measures with real recordings.
//!
//! We tried 900 recordings of six people who say the ten digits (the Free Spoken Digit Dataset, the
//! first 15 of each speaker and digit). Each person was the test once (`--test-speaker`), and the
//! networks learned from the five others. On average over the six, the Transformer and the
//! Conformer were right for two digits of three, the recurrent network for four of seven. But each
//! of the three was the best for somebody, and the networks of one kind differed much among each
//! other. Who is tested matters more than which network it is: six voices are few.
//!
//! **Sources.** Gulati et al., "Conformer" (2020), section 2; Davis and Mermelstein (1980) for
//! frames on the mel scale; Peterson and Barney (1952) for the formants of the vowels; Dauphin et
//! al. (2017) for the gate.
//!
//! ## Summary
//!
//! 1. Samples are too many, and a single one means nothing. A spectrum says which frequencies are
//!    in a piece of sound, from sums of products with cosines and sines.
//! 2. A frame has the logarithms of the powers in 40 channels of equal width on the mel scale. A
//!    word becomes a sequence of about 20 frames, which any network for sequences can read.
//! 3. The Conformer adds a convolution along the frames to each block. The convolution compares
//!    neighbouring frames, attention compares frames at any distance.
//! 4. Without positions attention learns which sounds there are, but not their order.
//! 5. A fair test of speech uses speakers who are not in the training set.
//!
//! ## Try this next
//!
//! 1. In `models.cpp`, set `.kernel = 1`. Now the convolution sees one frame only, and all else
//!    stays as it is. What is lost?
//! 2. In `lesson.cpp`, set `.hop = 0.01`. There are twice as many frames, and the same kernel
//!    reaches half as far. Which network loses, and what does a kernel of 13 change?
//! 3. `--data recordings`, the folder of the Free Spoken Digit Dataset, or WAV, FLAC or Ogg files
//!    of your own with names such as `7_ann_1.wav`. `--steps 1000`: which network gains most?
using namespace heed;
using namespace heed::lesson27;

int main(int argc, char** argv) {
    Lesson lesson({.number = 27,
                   .name = "speech",
                   .title = "Can sound be attended to?",
                   .question = "How does sound become a sequence that attention can read, and does "
                               "a convolution in the block help?",
                   .data = "a folder of WAV, FLAC or Ogg files named DIGIT_SPEAKER_NUMBER",
                   .data_is = DataIs::folder,
                   .own_data = "synthesised words of three sounds by twelve speakers"});
    Budget budget{.steps = 0};
    int seeds = 0;
    std::string test_speaker;
    lesson.option("--test-speaker", test_speaker,
                  "with --data: who is tested and not in the training set (the last of all)");
    lesson.option("--steps", budget.steps, "steps of training (400; quick 60)");
    lesson.option("--seeds", seeds, "networks trained of each kind (2; quick 1)");
    return lesson.run(argc, argv, [&] {
        const std::string& folder = lesson.options().data;
        if (budget.steps == 0) budget.steps = lesson.quick() ? 60 : 400;
        if (seeds == 0) seeds = lesson.quick() ? 1 : 2;
        std::optional<Data> own;  // read first, so that a wrong file is refused before the text
        if (!folder.empty()) own = read_words(folder, test_speaker);
        const Prediction guess = lesson.predict(
            "Three networks of the same size learn words from some speakers and are tested on "
            "others. Which is best?",
            {"recurrent", "Transformer", "Conformer"});
        Rng rng(lesson.seed() + 7);
        const Tone example = draw_tones(1, {}, rng)[0];
        which_frequencies(lesson, example, 8000);
        from_samples_to_frames(lesson, example.samples, 8000,
                               std::string(word_of_tone(example.label)));
        depthwise(lesson);
        const Data data = own ? *std::move(own) : draw(lesson.quick(), lesson.seed());
        const SpeechModel conformer = compare(lesson, data, budget, seeds, folder.empty(), guess);
        attention_over_the_frames(lesson, conformer, data, folder.empty());
    });
}
