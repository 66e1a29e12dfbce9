#include "lessons/28_two_modalities/models.h"

#include <algorithm>

#include "attention/scores/mask.h"
#include "autograd/autograd.h"
#include "lessons/material/training/next_checkpoint.h"

namespace heed::lesson28 {

namespace {

// f on at most 200 rows at a time, without recording.
Tensor by_parts(int64_t rows, const std::function<Tensor(int64_t first, int64_t end)>& f) {
    const NoGrad no_grad;
    std::vector<Tensor> parts;
    for (int64_t first = 0; first < rows; first += 200)
        parts.push_back(f(first, std::min(first + 200, rows)));
    return concat(parts, 0);
}

// Adam on `loss_of`, which gets the indices of a batch. `after` is called after every step.
void train_on(std::vector<Parameter> parameters, const Training& how,
              const std::vector<Scene>& scenes, Rng& rng, std::vector<SavedState> changing,
              const std::function<Tensor(const std::vector<int>&)>& loss_of,
              const std::function<void(const TrainProgress&)>& after) {
    Adam adam(std::move(parameters), {.lr = how.lr});
    BatchStream<std::vector<int>> batches([&] { return epoch(scenes, how.batch, how.near, rng); });
    changing.emplace_back(rng);
    changing.emplace_back(batches);
    const int64_t steps = std::max(1, how.pairs / how.batch);
    const int64_t rise = std::max<int64_t>(1, steps / 20);
    const TrainOptions options{
        .steps = steps,
        .schedule = schedules::multiplied(schedules::warm_up(rise), schedules::cosine(steps, 0.02)),
        .on_step = after,
        .checkpoint = course::next_checkpoint(std::move(changing))};
    train(adam, options, [&](int64_t) { return StepResult{loss_of(batches.next()), how.batch}; });
}

}  // namespace

PictureEncoder::PictureEncoder(Rng& rng)
    : first(1, 16, 5, {.stride = 2, .padding = 2}, rng),
      second(16, 48, 3, {.stride = 2, .padding = 1}, rng),
      dense(48 * 7 * 7, picture_width, rng) {}

Tensor PictureEncoder::operator()(const Tensor& pixels) const {
    const Tensor grid = relu(second(relu(first(pixels))));  // [N, 48, 7, 7]
    return relu(dense(reshape(grid, {pixels.size(0), 48 * 7 * 7})));
}

CaptionEncoder::CaptionEncoder(Rng& rng)
    : embedding(static_cast<int64_t>(words().size()), caption_width, rng, padding),
      positions({.kind = PositionKind::sinusoidal, .width = caption_width}, rng),
      encoder({.width = caption_width, .heads = 4, .layers = 1, .hidden = 96, .pre_norm = true},
              rng),
      pool({.width = caption_width}, rng) {}

Tensor CaptionEncoder::operator()(const std::vector<std::vector<int>>& captions) const {
    const PaddedBatch batch = pad_sequences(captions, padding);
    const Tensor mask = padding_mask(batch.lengths, batch.ids.size(1));  // [N, 1, T]
    const Tensor read = encoder(positions(embedding(batch.ids)), {.mask = mask});
    return squeeze(pool(read, {}, mask).context, 1);
}

TwoModalities::TwoModalities(Rng& rng, double temperature)
    : picture(rng),
      caption(rng),
      pair({.first_width = picture_width,
            .second_width = caption_width,
            .width = common,
            .temperature = temperature},
           rng) {}

Tensor TwoModalities::pictures(const Tensor& pixels) const {
    return by_parts(pixels.size(0), [&](int64_t first, int64_t end) {
        return pair.first(picture(slice(pixels, 0, first, end)));
    });
}

Tensor TwoModalities::captions(const std::vector<std::vector<int>>& captions) const {
    return by_parts(static_cast<int64_t>(captions.size()), [&](int64_t first, int64_t end) {
        return pair.second(caption({captions.begin() + first, captions.begin() + end}));
    });
}

Tensor TwoModalities::cosines(const Pairs& pairs) const {
    return matmul(pictures(pairs.pixels), transpose(captions(pairs.captions)));
}

Trained train_pair(const Pairs& data, const Training& how, Rng& rng) {
    Trained trained{TwoModalities(rng, how.temperature), {}, {}};
    TwoModalities& model = trained.model;
    const bool contrasts = how.loss == Loss::contrastive;
    if (!how.learn_temperature || !contrasts) model.pair.log_scale.set_requires_grad(false);
    train_on(
        parameters(model), how, data.scenes, rng, {model, trained.losses, trained.temperatures},
        [&](const std::vector<int>& batch) {
            const Tensor a = model.picture(index_select(data.pixels, 0, Indices(batch)));
            const Tensor b = model.caption(pick(data.captions, batch));
            if (contrasts) return model.pair.loss(a, b);
            const Tensor gap = model.pair.first(a) - model.pair.second(b);
            return sum(gap * gap) / static_cast<double>(batch.size());
        },
        [&](const TrainProgress& progress) {
            model.pair.clip();
            trained.losses.push_back(progress.loss);
            trained.temperatures.push_back(model.pair.temperature());
        });
    return trained;
}

// --- measures -----------------------------------------------------------------------------------

Recall recall_of(const TwoModalities& model, const Pairs& pairs) {
    const Tensor cosines = model.cosines(pairs), turned = transpose(cosines);
    return {recall_at(cosines, 1), recall_at(cosines, 5), recall_at(turned, 1),
            recall_at(turned, 5)};
}

double told_apart(const TwoModalities& model, const Pairs& pairs, Exchange exchange,
                  Phrasing phrasing, Rng& rng) {
    std::vector<int> which;
    std::vector<std::vector<int>> right, wrong;
    for (int i = 0; i < pairs.size(); ++i) {
        const Scene& scene = pairs.scenes.at(i);
        const Scene other = exchanged(scene, exchange);
        if (other == scene) continue;
        which.push_back(i);
        right.push_back(pairs.captions.at(i));
        wrong.push_back(caption_of(other, phrasing == Phrasing::two && rng.chance(0.5)));
    }
    const NoGrad no_grad;
    const Tensor pictures = model.pictures(index_select(pairs.pixels, 0, which));
    const Tensor lead = sum(pictures * (model.captions(right) - model.captions(wrong)), 1);
    double count = 0;
    for (double x : lead.to_vector()) count += x > 0;
    return count / static_cast<double>(which.size());
}

// --- the supervised classifier ------------------------------------------------------------------

namespace {

struct Part {
    int64_t first, classes;  // of the logits
};
constexpr Part parts[] = {{0, 10}, {10, 10}, {20, 2}, {22, 2}, {24, 2}};

int label(const Scene& s, int part) {
    const int labels[] = {s.first, s.second, s.first_dark, s.second_dark, s.beside};
    return labels[part];
}

}  // namespace

Classifier::Classifier(Rng& rng) : picture(rng), head(picture_width, 26, rng) {}

Classifier train_classifier(const Pairs& data, const Training& how, Rng& rng) {
    Classifier model(rng);
    train_on(parameters(model), how, data.scenes, rng, {model},
             [&](const std::vector<int>& batch) {
                 const Tensor logits =
                     model.head(model.picture(index_select(data.pixels, 0, Indices(batch))));
                 Tensor loss;
                 for (int part = 0; part < 5; ++part) {
                     std::vector<int> labels;
                     for (int i : batch) labels.push_back(label(data.scenes.at(i), part));
                     const auto [first, classes] = parts[part];
                     const Tensor one =
                         cross_entropy(slice(logits, 1, first, first + classes), labels);
                     loss = loss.defined() ? loss + one : one;
                 }
                 return loss;
             },
             {});
    return model;
}

Indices best_scenes(const Classifier& model, const Tensor& pixels,
                    const std::vector<Scene>& among) {
    const NoGrad no_grad;
    const Tensor logits = model.head(model.picture(pixels));
    Tensor total;
    for (int part = 0; part < 5; ++part) {
        std::vector<int> labels;
        for (const Scene& scene : among) labels.push_back(label(scene, part));
        const auto [first, classes] = parts[part];
        const Tensor log_p = log_softmax(slice(logits, 1, first, first + classes), 1);
        const Tensor chosen = index_select(log_p, 1, labels);  // [N, scenes]
        total = total.defined() ? total + chosen : chosen;
    }
    return argmax(total, 1);
}

}  // namespace heed::lesson28
