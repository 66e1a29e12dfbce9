#include "lessons/25_images/models.h"

#include <algorithm>

#include "autograd/autograd.h"
#include "lessons/course/lesson/checkpoints.h"

namespace heed::lesson25 {

DenseNetwork::DenseNetwork(Rng& rng) : hidden(side * side, 52, rng), output(52, 10, rng) {}
Tensor DenseNetwork::operator()(const Tensor& x, Mode) const {
    return output(relu(hidden(flatten(x, 1))));
}

ConvolutionalNetwork::ConvolutionalNetwork(Rng& rng)
    : first(1, 16, 5, {.stride = 2, .padding = 2}, rng),
      second(16, 46, 5, {.stride = 2, .padding = 2}, rng),
      output(46 * 7 * 7, 10, rng) {}
Tensor ConvolutionalNetwork::operator()(const Tensor& x, Mode) const {
    return output(flatten(relu(second(relu(first(unsqueeze(x, 1))))), 1));
}

VisionTransformerOptions vit_options(ImagePooling pooling, PositionKind positions) {
    VisionTransformerOptions o{.image = side,
                               .patch = patch,
                               .pooling = pooling,
                               .stack = vit({.width = 48, .heads = 4, .layers = 2})};
    o.stack.hidden = 96;
    o.stack.positions.kind = positions;
    return o;
}

Tensor shifted(const Tensor& pixels, int most, Rng& rng) {
    const int64_t count = pixels.size(0), height = pixels.size(1), width = pixels.size(2);
    const std::vector<double> from = pixels.to_vector();
    std::vector<float> to(from.size(), 0.0f);
    const auto draw = [&] { return static_cast<int64_t>(rng.below(2 * most + 1)) - most; };
    for (int64_t n = 0; n < count; ++n) {
        const int64_t down = draw(), right = draw();
        for (int64_t i = std::max<int64_t>(0, down); i < height + std::min<int64_t>(0, down); ++i)
            for (int64_t j = std::max<int64_t>(0, right); j < width + std::min<int64_t>(0, right);
                 ++j)
                to[(n * height + i) * width + j] =
                    static_cast<float>(from[(n * height + i - down) * width + j - right]);
    }
    return tensor(to, pixels.shape());
}

namespace {

template <class Model>
void train_one(const Model& model, const course::Images& images, const Budget& budget, Rng& rng) {
    Adam adam(parameters(model), {.lr = budget.lr});
    BatchStream<std::vector<int>> batches([&] {
        return bucket_batches(std::vector<int>(images.size()),
                              {.batch_size = budget.batch, .pool = 0}, rng);
    });
    const TrainOptions options{.steps = budget.steps,
                               .schedule = schedules::cosine(budget.steps, 0.02),
                               .checkpoint = course::next_checkpoint({SavedState(rng), SavedState(batches)})};
    heed::train(adam, options, [&](int64_t) {
        const course::Images batch = course::pick(images, batches.next());
        const Tensor x = budget.shift > 0 ? shifted(batch.pixels, budget.shift, rng) : batch.pixels;
        return StepResult{cross_entropy(model(x, Mode::training(rng)), Indices(batch.labels)),
                          batch.size()};
    });
}

}  // namespace

void train(const Network& network, const course::Images& images, const Budget& budget, Rng& rng) {
    std::visit([&](const auto& model) { train_one(model, images, budget, rng); }, network);
}

double accuracy(const Network& network, const course::Images& images) {
    const NoGrad no_grad;
    int64_t right = 0;
    for (int first = 0; first < images.size(); first += 500) {
        const course::Images part =
            course::range(images, first, std::min(first + 500, images.size()));
        const Tensor logits = std::visit(
            [&](const auto& model) { return model(part.pixels, Mode::evaluation()); }, network);
        const Indices predicted = argmax(logits, -1);
        for (int i = 0; i < part.size(); ++i) right += predicted[i] == part.labels[i];
    }
    return static_cast<double>(right) / images.size();
}

int64_t parameter_count_of(const Network& network) {
    return std::visit([](const auto& model) { return heed::parameter_count(model); }, network);
}

}  // namespace heed::lesson25
