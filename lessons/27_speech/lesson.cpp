//! # Can sound be attended to?
//!
//! Say "sio", then "ois". Both words have the same three sounds: a hiss, a bright vowel, a dark one.
//! A listener who only notes which sounds there were cannot tell the two apart. Both what and
//! in which order has to be heard. And the same word never sounds twice the same: another
//! speaker is higher or lower, faster or slower.
//!
//! This lesson makes sound readable for the networks of this course. Then it compares three of them
//! at equal size: a recurrent network, a Transformer, and the Conformer, which has attention and a
//! convolution in each block and was built for speech (Gulati et al. 2020).

#include <algorithm>
#include <cmath>
#include <complex>
#include <filesystem>
#include <numbers>

#include "autograd/autograd.h"
#include "lessons/27_speech/diagram.h"
#include "lessons/27_speech/models.h"
#include "lessons/course/course.h"
#include "lessons/course/generated/tones.h"
#include "lessons/course/read/wav.h"
#include "lessons/course/sound/fourier.h"
#include "lessons/course/sound/log_mel.h"

using namespace heed;
using namespace heed::course;
using namespace heed::lesson27;

namespace {

//! ## The naive attempt: every sample a token
//!
//! A microphone measures the air pressure, here 8,000 times a second. A word of 0.4 seconds is a
//! list of 3,200 numbers, called *samples*. If every sample were a token, attention would compare
//! $3200^2$ pairs, ten million scores for one word and one head. Worse, a single sample means
//! nothing. The same vowel shifted by a thousandth of a second has completely different samples at
//! every index. What we hear is not the samples but their oscillations: how fast they go up and
//! down.
//!
//! ## Which frequencies are in a sound?
//!
//! The *discrete Fourier transform* answers that. It compares $N$ samples $x_0, \dots, x_{N-1}$ with
//! oscillations of $k = 0, 1, 2, \dots$ periods:
//!
//! $$ X_k = \sum_{n=0}^{N-1} x_n \, e^{-2 \pi i k n / N} $$
//!
//! Here $i$ is the imaginary unit, and $e^{-i \varphi} = \cos \varphi - i \sin \varphi$ is a point on
//! the circle. $|X_k|^2$ says how much of this oscillation is in the sound, whenever it begins. Take
//! four samples, $x = (1, 0, -1, 0)$, one full period. For $k = 0$ we get $1 + 0 - 1 + 0 = 0$: the
//! mean is 0. For $k = 1$ the factors are $1, -i, -1, i$, so $X_1 = 1 + 0 + 1 + 0 = 2$. For $k = 2$
//! the factors are $1, -1, 1, -1$, so $X_2 = 1 + 0 - 1 + 0 = 0$. All the power, $2^2 = 4$, is at one
//! period in four samples. In code, the definition:
std::vector<double> power_by_hand(const std::vector<double>& x) {
    std::vector<double> power;
    for (std::size_t k = 0; k <= x.size() / 2; ++k) {
        std::complex<double> sum = 0;
        for (std::size_t n = 0; n < x.size(); ++n)
            sum += x[n] * std::polar(1.0, -2 * std::numbers::pi * double(k * n) / double(x.size()));
        power.push_back(std::norm(sum));
    }
    return power;
}

//! These two loops need $N^2 / 2$ steps. The fast Fourier transform needs about $N \log_2 N$ for
//! the same numbers. It is a solved problem, so we use a library for it.
//!
//! ## Log-mel frames
//!
//! Every 20 milliseconds we cut out 25 milliseconds of sound (200 samples), fade them in and out,
//! and transform them. This gives 129 powers. The ear does not hear all frequencies equally finely:
//! 200 and 300 Hz sound very different, 3,200 and 3,300 Hz do not. The *mel* scale measures pitch as
//! people judge it,
//!
//! $$ m(f) = 2595 \, \log_{10}(1 + f / 700). $$
//!
//! From 200 to 300 Hz it grows by 119 mel, from 3,200 to 3,300 Hz by 29. We add up the powers in 40
//! overlapping channels that are equally wide on this scale. Finally we take the logarithm, because
//! the ear hears ratios. The result is a *frame* of 40 numbers. A word becomes about 20 frames: a
//! sequence as short as a sentence.
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

void from_samples_to_frames(Lesson& lesson, const std::vector<float>& samples, int rate,
                            const std::string& title) {
    lesson.heading("From samples to frames");
    const std::vector<double> four = power_by_hand({1, 0, -1, 0});
    lesson.claim("power of (1, 0, -1, 0) at one period, by the formula", four[1], equals(4, 1e-12));
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
    lesson.claim("200 samples: power by the formula against the library, relative difference",
                 worst / largest, at_most(1e-10));
    const Tensor frames = frames_of(samples, rate);
    lesson.say("A word of {} samples became {} frames of {} numbers.", number(int(samples.size())),
               frames.size(0), channels);
    lesson.show("spectrogram", spectrogram(frames, title), "The frames of one word.");
}

//! ## Three networks
//!
//! All three read a sequence of frames and end in the same way. Attention pooling (lesson 09)
//! makes one vector of all frames, a weighted mean with learned weights, and a dense layer names the
//! word. They differ in what happens before.
//!
//! The **recurrent** network is a GRU that reads the frames forwards and backwards (lesson 07). The
//! **Transformer** has two layers of self-attention, and sinusoidal positions are added to its
//! frames (lesson 20). The **Conformer** has two blocks of four modules, each with a residual
//! connection:
//!
//! $$ x_1 = x + \tfrac12 \, \mathrm{FF}(x) \qquad x_2 = x_1 + \mathrm{Attention}(x_1) $$
//!
//! $$ x_3 = x_2 + \mathrm{Conv}(x_2) \qquad
//!    y = \mathrm{norm}(x_3 + \tfrac12 \, \mathrm{FF}(x_3)) $$
//!
//! FF is a feed-forward network; there are two, and each counts half. Attention uses relative
//! positions. The new part is the *convolution module*. Its heart is a *depthwise* convolution along
//! the frames: each channel $c$ has a kernel of its own, here $K = 7$ numbers,
//!
//! $$ y_{t,c} = b_c + \sum_{k=1}^{K} w_{k,c} \, h_{t + k - (K+1)/2,\, c} $$
//!
//! where $h$ are the frames inside the module and $t$ counts them. With a kernel of three numbers,
//! $w = (-1, 0, 1)$, and a channel with the values $h = (1, 3, 2)$, we get $y = (3, 1, -3)$: at the
//! first frame $3 - 0$, then $2 - 1$, then $0 - 3$, with zeros beyond the ends. This kernel measures
//! whether the channel becomes louder or softer. Speech is full of such short movements, and a
//! convolution finds them with $K$ numbers, where attention would have to learn which distance
//! matters. Before it, a gate decides how much of each channel passes, $p \cdot \sigma(q)$; after
//! it stand batch normalisation and the activation $x \, \sigma(x)$, called swish.
Tensor depthwise_by_hand(const Tensor& h, const Tensor& w) {  // [T, C], [C, 1, K]
    const int64_t frames = h.size(0), width = h.size(1), reach = (w.size(2) - 1) / 2;
    Tensor y = zeros(h.shape(), h.dtype());
    for (int64_t k = -reach; k <= reach; ++k) {
        const Tensor shifted = k < 0 ? pad(slice(h, 0, 0, frames + k), 0, -k, 0)
                                     : pad(slice(h, 0, k, frames), 0, 0, k);
        y = y + shifted * reshape(select(w, 2, k + reach), {1, width});
    }
    return y;
}

void depthwise(Lesson& lesson) {
    lesson.heading("The convolution of the Conformer");
    const Tensor h = tensor({1, 3, 2}, {3, 1}), w = tensor({-1, 0, 1}, {1, 1, 3});
    const Tensor y = depthwise_by_hand(h, w);
    Rng made(lesson.seed());
    const SpeechModel model(Kind::conformer, made);
    const std::vector<Diagram> pictures{conformer_block(model), convolution_module(model)};
    lesson.show("conformer", pictures,
                "One block, and the convolution module in it. Every module first normalises its "
                "input; \"+ ½\" adds half of what comes from below.");
    lesson.say("By hand: ({}, {}, {}).", y.at({0, 0}), y.at({1, 0}), y.at({2, 0}));
    Rng rng(lesson.seed());
    const Tensor x = normal({9, 4}, 0, 1, rng), kernel = normal({4, 1, 7}, 0, 1, rng);
    const Tensor library =
        conv1d(unsqueeze(transpose(x), 0), kernel, {}, {.padding = 3, .groups = 4});
    lesson.claim("depthwise convolution by hand against the library, largest difference",
                 max(abs(transpose(depthwise_by_hand(x, kernel)) - select(library, 0, 0))).item(),
                 at_most(1e-5));
}

//! ## Voices never heard before
//!
//! The test set has other speakers than the training set. This is stricter than splitting at
//! random: a network that has learned how eight voices say a word has not learned the word. All
//! networks have 45,000 to 48,000 parameters, the same optimiser and the same number of steps.
//!
//! A fourth network is a control: the Transformer without positions. Attention and pooling ignore
//! the order of the frames, so it can learn which sounds a word has, but not their order. Our words
//! come in pairs, "sio" and "ois". In each pair it can only guess, apart from traces of order inside
//! a frame.
struct Data {
    std::vector<Word> training, test;
};

double pair_accuracy(const std::vector<int>& given, const std::vector<Word>& words) {
    double right = 0;
    for (std::size_t i = 0; i < words.size(); ++i) right += given[i] / 2 == words[i].label / 2;
    return right / double(words.size());
}

void compare(Lesson& lesson, const Data& data, const Budget& budget, int seeds, bool tones,
             Prediction guess) {
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
    lesson.claim("accuracy of the Conformer on new speakers", means[2],
                 at_least(lesson.quick() ? 0.2
                          : tones        ? 0.8
                                         : 0.5));
    if (tones && !lesson.quick()) {
        lesson.claim("without positions: share of words in the right pair", of_pairs[3],
                     at_least(0.8));
        lesson.claim("without positions: accuracy; guessing within the pair gives half of that",
                     means[3], at_most(0.75));
    }

    //! Which frames does the classifier read? Attention pooling gives every frame a weight. Below,
    //! the weights stand above the frames of the word.
    lesson.heading("Attention over the frames");
    std::vector<HeatMap> maps;
    for (int i = 0; i < 2; ++i) {
        const Word& word = data.test[std::size_t(i)];
        const NoGrad no_grad;
        const Tensor weights =
            (*shown)(batch_of(data.test, {i}), Mode::evaluation()).weights;  // [1, 1, T]
        HeatMap map = spectrogram(word.frames, tones ? std::string(word_of_tone(word.label))
                                                     : fmt::format("{}", word.label));
        const std::vector<double> row = (weights / max(weights)).to_vector();
        map.values.insert(map.values.begin(), row.begin(), row.end());
        map.rows += 1;
        maps.push_back(map);
    }
    lesson.show("attention", maps,
                "Above: the weight of each frame in the Conformer's pooling. Below: the frames.");
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

// DIGIT_SPEAKER_NUMBER.wav, as in the Free Spoken Digit Dataset. The last speaker is the test set.
Data read_words(const std::string& folder) {
    namespace fs = std::filesystem;
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".wav") paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<Word> words;
    std::vector<std::string> speakers;
    for (const fs::path& path : paths) {
        const std::string name = path.stem().string();
        const std::size_t first = name.find('_'), last = name.rfind('_');
        if (first != 1 || last <= 2 || name[0] < '0' || name[0] > '9')
            fail("{}: expected a name such as 7_jackson_12.wav: digit, speaker, number",
                 path.string());
        const Sound sound = read_wav(path.string());
        if (sound.rate < 8000)
            fail("{}: {} samples a second; expected at least 8000", path.string(), sound.rate);
        words.push_back(
            {frames_of(sound.samples, sound.rate), name[0] - '0', name.substr(2, last - 2)});
        speakers.push_back(words.back().speaker);
    }
    std::sort(speakers.begin(), speakers.end());
    speakers.erase(std::unique(speakers.begin(), speakers.end()), speakers.end());
    check(words.size() >= 100 && speakers.size() >= 2,
          "{}: {} WAV files of {} speakers; expected at least 100 files of two speakers", folder,
          words.size(), speakers.size());
    Data data;
    for (const Word& word : words)
        (word.speaker == speakers.back() ? data.test : data.training).push_back(word);
    return data;
}

}  // namespace

//! ## What this does not show
//!
//! Ten words of three sounds are not speech. Real recognition turns hours of sound into text, with
//! models a thousand times larger, and there the Conformer replaced recurrent networks. On so small
//! a task the order of our three networks depends on the number of steps, on the data and on the
//! seed, as the spread in the table shows. Our speakers are made by a formula with three numbers;
//! real voices differ in more ways. `--data` measures with real ones.
//!
//! Sources: Gulati et al., "Conformer" (2020), section 2; Davis and Mermelstein (1980) for frames on
//! the mel scale; Peterson and Barney (1952) for the formants of the vowels; Dauphin et al. (2017)
//! for the gate.
//!
//! ## Summary
//!
//! 1. Samples are too many and mean too little; log-mel frames say which frequencies are loud when.
//! 2. A word becomes a sequence of about 20 frames, which any network for sequences can read.
//! 3. The Conformer adds a convolution along the frames to each block, for short movements.
//! 4. Without positions attention hears which sounds there are, but not their order.
//! 5. A fair test of speech uses speakers who are not in the training set.
//!
//! ## Try this next
//!
//! 1. `--data recordings`, the folder of the Free Spoken Digit Dataset, or WAV files of your own
//!    with names such as `7_ann_1.wav`.
//! 2. `--steps 1000`: which network gains most?
//! 3. In `models.cpp`, set `.kernel = 1`. Now the convolution sees one frame only. What is lost?
int main(int argc, char** argv) {
    Lesson lesson({.number = 27,
                   .name = "speech",
                   .title = "Can sound be attended to?",
                   .question = "How does sound become a sequence that attention can read, and does "
                               "a convolution in the block help?",
                   .data = "a folder of WAV files named DIGIT_SPEAKER_NUMBER.wav",
                   .own_data = "synthesised words of three sounds by twelve speakers"});
    Budget budget{.steps = 0};
    int seeds = 0;
    lesson.option("--steps", budget.steps, "steps of training (400; quick 60)");
    lesson.option("--seeds", seeds, "networks trained of each kind (2; quick 1)");
    return lesson.run(argc, argv, [&] {
        const std::string& folder = lesson.options().data;
        if (budget.steps == 0) budget.steps = lesson.quick() ? 60 : 400;
        if (seeds == 0) seeds = lesson.quick() ? 1 : 2;
        const Prediction guess = lesson.predict(
            "Three networks of the same size learn words from some speakers and are tested on "
            "others. Which is best?",
            {"recurrent", "Transformer", "Conformer"});
        //! In quick mode: 300 words instead of 1,200, 60 steps instead of 400, one seed instead of
        //! two.
        Rng rng(lesson.seed() + 7);
        const Tone example = draw_tones(1, {}, rng)[0];
        from_samples_to_frames(lesson, example.samples, 8000,
                               std::string(word_of_tone(example.label)));
        depthwise(lesson);
        const Data data = folder.empty() ? draw(lesson.quick(), lesson.seed()) : read_words(folder);
        compare(lesson, data, budget, seeds, folder.empty(), guess);
    });
}
