#include "lessons/28_two_modalities/digits.h"

#include <algorithm>
#include <cmath>

#include "attention/scores/mask.h"
#include "autograd/autograd.h"
#include "lessons/material/read/sound.h"
#include "lessons/material/sound/log_mel.h"
#include "lessons/material/training/next_checkpoint.h"

namespace heed::lesson28 {

std::vector<Recording> read_recordings(const std::string& folder) {
    std::vector<Recording> all;
    for (const course::SpokenDigit& said : course::read_spoken_digits(folder)) {
        const Tensor frames = course::log_mel(said.sound.samples,
                                              {.rate = said.sound.rate, .hop = 0.02, .high = 4000});
        all.push_back({(frames + 3.0) / 5.0, said.digit, said.speaker});
    }
    check(std::any_of(all.begin(), all.end(),
                      [&](const Recording& r) { return r.speaker != all[0].speaker; }),
          "{}: {} recordings; expected those of at least two speakers", folder, all.size());
    return all;
}

std::vector<Recording> take_last_speaker(std::vector<Recording>& all) {
    std::string last;
    for (const Recording& recording : all) last = std::max(last, recording.speaker);
    std::vector<Recording> others, taken;
    for (const Recording& recording : all)
        (recording.speaker == last ? taken : others).push_back(recording);
    all = others;
    return taken;
}

SpokenAndWritten::SpokenAndWritten(Rng& rng)
    : picture(rng),
      input(40, 36, rng),
      conformer({.width = 36, .heads = 4, .layers = 2, .hidden = 72, .kernel = 7}, rng),
      pool({.width = 36, .hidden = 24}, rng),
      pair({.first_width = picture_width, .second_width = 36, .width = common}, rng) {}

Tensor SpokenAndWritten::sound(const std::vector<Recording>& recordings, Mode mode) const {
    int64_t longest = 0;
    for (const Recording& r : recordings) longest = std::max(longest, r.frames.size(0));
    std::vector<Tensor> frames;
    std::vector<int> lengths;
    for (const Recording& r : recordings) {
        frames.push_back(pad(r.frames, 0, 0, longest - r.frames.size(0)));
        lengths.push_back(static_cast<int>(r.frames.size(0)));
    }
    const Tensor mask = padding_mask(lengths, longest);
    const Tensor read = conformer(input(stack(frames)), {.mask = mask, .mode = mode});
    return squeeze(pool(read, {}, mask).context, 1);
}

Tensor SpokenAndWritten::of_pictures(const Tensor& pixels) const {
    const NoGrad no_grad;
    return pair.first(picture(unsqueeze(pixels, 1)));
}

Tensor SpokenAndWritten::of_recordings(const std::vector<Recording>& recordings) const {
    const NoGrad no_grad;
    return pair.second(sound(recordings, Mode::evaluation()));
}

Tensor without_twins(const std::vector<int>& labels) {
    std::vector<double> bias;
    for (std::size_t i = 0; i < labels.size(); ++i)
        for (std::size_t j = 0; j < labels.size(); ++j)
            bias.push_back(i != j && labels[i] == labels[j] ? -1e9 : 0);
    const int64_t n = static_cast<int64_t>(labels.size());
    return tensor(bias, {n, n});
}

double lowest_loss(int batch, Rng& rng) {
    constexpr int batches = 1000;
    double total = 0;
    for (int b = 0; b < batches; ++b) {
        int count[10] = {};
        for (int i = 0; i < batch; ++i) ++count[rng.below(10)];
        for (int same : count)
            if (same > 0) total += same * std::log(same);
    }
    return total / batches / batch;
}

TrainedDigits train_digits(const course::Images& pictures, const std::vector<Recording>& recordings,
                           const DigitTraining& how, Rng& rng) {
    TrainedDigits trained{SpokenAndWritten(rng), {}, 0};
    const SpokenAndWritten& model = trained.model;
    std::vector<int> of_digit[10];
    for (int i = 0; i < pictures.size(); ++i)
        of_digit[pictures.labels[static_cast<std::size_t>(i)]].push_back(i);
    for (const Recording& r : recordings)
        check(!of_digit[r.label].empty(), "a recording of {}, but no picture of it", r.label);

    Adam adam(parameters(model), {.lr = how.lr});
    const TrainOptions options{
        .steps = how.steps,
        .schedule = schedules::cosine(how.steps, 0.02),
        .on_step =
            [&](const TrainProgress& progress) {
                trained.model.pair.clip();
                trained.losses.push_back(progress.loss);
            },
        .checkpoint = course::next_checkpoint({rng, trained.model, trained.losses, trained.twins})};
    train(adam, options, [&](int64_t) {
        std::vector<int> shown, labels;
        std::vector<Recording> heard;
        for (int i = 0; i < how.batch; ++i) {
            heard.push_back(recordings[static_cast<std::size_t>(
                rng.below(static_cast<int64_t>(recordings.size())))]);
            labels.push_back(heard.back().label);
            const std::vector<int>& same = of_digit[labels.back()];
            shown.push_back(
                same[static_cast<std::size_t>(rng.below(static_cast<int64_t>(same.size())))]);
        }
        const Tensor twins = without_twins(labels);
        trained.twins += mean(twins < 0.0).item() * how.batch / how.steps;
        Tensor scores = model.pair.scores(
            model.picture(unsqueeze(index_select(pictures.pixels, 0, Indices(shown)), 1)),
            model.sound(heard, Mode::training(rng)));  // [N, N]
        if (how.mask_twins) scores = scores + twins;
        return StepResult{contrastive_loss(scores), how.batch};
    });
    return trained;
}

}  // namespace heed::lesson28
