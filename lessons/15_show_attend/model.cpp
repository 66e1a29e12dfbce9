#include "lessons/15_show_attend/model.h"

#include <algorithm>

#include "attention/hard/hard.h"
#include "attention/scores/soft.h"
#include "autograd/autograd.h"
#include "lessons/material/training/next_checkpoint.h"

namespace heed::lesson15 {

namespace {
constexpr int64_t blur = 4, seen = (side / blur) * (side / blur), scorer = 32;
}

PatchClassifier::PatchClassifier(Rng& rng)
    : coarse(seen, scorer, rng),
      score(scorer, 1, rng),
      encoder(side * side, width, rng),
      hidden(width, width, rng),
      output(width, course::glyph_count, rng) {}

Tensor PatchClassifier::scores(const Tensor& patches) const {
    const int64_t batch = patches.size(0), cells = side / blur;
    const Tensor blurred =
        mean(reshape(patches, {batch, patch_count, cells, blur, cells, blur}), {3, 5});
    return squeeze(score(relu(coarse(reshape(blurred, {batch, patch_count, seen})))), -1);
}

Tensor PatchClassifier::features(const Tensor& patches) const {
    patches_read += patches.numel() / (side * side);
    return relu(encoder(patches));
}

Tensor PatchClassifier::classify(const Tensor& features) const {
    return output(relu(hidden(features)));
}

Batch make_batch(const course::Images& images) {
    return {patches(images.pixels, side), Indices(images.labels)};
}

Tensor read(const PatchClassifier& model, const Tensor& patches, Reading reading) {
    const Tensor scores = model.scores(patches);
    if (reading == Reading::one)
        return model.classify(model.features(values_at(patches, most_likely(scores))));
    const Tensor features = model.features(patches);
    if (reading == Reading::mean) return model.classify(mean(features, 1));
    return model.classify(squeeze(soft_attention(unsqueeze(scores, 1), features).context, 1));
}

double accuracy(const PatchClassifier& model, const Batch& batch, Reading reading) {
    NoGrad no_grad;
    const Indices best = argmax(read(model, batch.patches, reading), -1);
    double right = 0;
    for (int64_t i = 0; i < best.count(); ++i) right += best[i] == batch.labels[i];
    return right / static_cast<double>(best.count());
}

double found(const PatchClassifier& model, const course::Glyphs& glyphs) {
    NoGrad no_grad;
    const Indices best = most_likely(model.scores(patches(glyphs.images.pixels, side)));
    double right = 0;
    for (int64_t i = 0; i < best.count(); ++i) right += best[i] == glyphs.cell[i];
    return right / static_cast<double>(best.count());
}

double sign_over_clutter(const PatchClassifier& model, const course::Glyphs& glyphs) {
    NoGrad no_grad;
    const Tensor features = model.features(patches(glyphs.images.pixels, side));
    const Tensor length = sqrt(sum(square(features), -1));  // [B, K]
    double sign = 0;
    for (int i = 0; i < glyphs.images.size(); ++i) sign += length.at({i, glyphs.cell[i]});
    return sign * (patch_count - 1) / (sum(length).item() - sign);
}

Data draw_data(int count, std::uint64_t seed) {
    const course::GlyphOptions options{.side = side * grid,
                                       .small = 2.7,
                                       .large = 4.2,
                                       .thin = 0.9,
                                       .thick = 1.6,
                                       .noise = 0.1,
                                       .clutter = patch_count - 1,
                                       .cells = grid};
    Rng rng(seed);
    return {draw_glyphs(count, options, rng), draw_glyphs(500, options, rng),
            draw_glyphs(2000, options, rng)};
}

Trained train(const Method& method, const Data& data, int steps, int every, std::uint64_t seed) {
    Rng rng(seed);
    Trained trained{.model = PatchClassifier(rng), .curve = {}};
    MovingAverage baseline;
    Adam adam(parameters(trained.model), {.lr = 2e-3});
    const Batch valid = make_batch(data.valid.images);
    const int count = data.train.images.size();
    BatchStream<std::vector<int>> batches([&] {
        return bucket_batches(std::vector<int>(count), {.batch_size = batch_size, .pool = 0}, rng);
    });
    int64_t read = 0, pictures = 0;
    Checkpoint checkpoint(
        course::next_checkpoint({adam, rng, baseline, batches, read, pictures, trained.curve}));
    for (int64_t step : checkpoint.steps(steps)) {
        const Batch batch = make_batch(course::pick(data.train.images, batches.next()));
        trained.model.patches_read = 0;
        backward(method.loss(trained.model, batch, baseline, rng));
        read += trained.model.patches_read;
        pictures += batch.labels.count();
        adam.step();
        adam.zero_grad();
        if (step % every == 0)
            trained.curve.push_back(accuracy(trained.model, valid, method.reading));
    }
    trained.patches_per_picture = static_cast<double>(read) / static_cast<double>(pictures);
    return trained;
}

double gradient_variance(const PatchClassifier& model, const Loss& loss, const Batch& batch,
                         int draws, Rng& rng) {
    const std::vector<Tensor> of{model.coarse.weight, model.coarse.bias, model.score.weight};
    MovingAverage baseline;
    for (int i = 0; i < 20; ++i)
        loss(model, batch, baseline, rng);  // a moving average needs some steps first
    Tensor total = zeros({1}, Dtype::float64), squares = total;
    for (int i = 0; i < draws; ++i) {
        std::vector<Tensor> flat;
        for (const Tensor& g : grad(loss(model, batch, baseline, rng), of))
            flat.push_back(flatten(g));
        const Tensor g = to_dtype(concat(flat, 0), Dtype::float64);
        total = total + g;
        squares = squares + square(g);
    }
    const double n = draws;
    const Tensor mean_g = total / n;
    const double variance =
        std::max(0.0, sum(squares).item() / n - sum(square(mean_g)).item()) * n / (n - 1);
    return variance / (sum(square(mean_g)).item() - variance / n);
}

}  // namespace heed::lesson15
