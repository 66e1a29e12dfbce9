#include "lessons/25_images/models.h"

#include <algorithm>
#include <numeric>

#include "autograd/autograd.h"
#include "lessons/material/training/next_checkpoint.h"

namespace heed::lesson25 {

DenseNetwork::DenseNetwork(Rng& rng) : hidden(side * side, 52, rng), output(52, 10, rng) {}
Tensor DenseNetwork::operator()(const Tensor& x, Mode) const {
    return output(relu(hidden(flatten(x, 1))));
}

ConvolutionalNetwork::ConvolutionalNetwork(Rng& rng)
    : first(1, 16, 3, {.stride = 2, .padding = 1}, rng),
      second(16, 36, 3, {.stride = 2, .padding = 1}, rng),
      third(36, 74, 3, {.stride = 2, .padding = 1}, rng),
      output(74 * 4 * 4, 10, rng) {}
Tensor ConvolutionalNetwork::operator()(const Tensor& x, Mode) const {
    const Tensor h = relu(second(relu(first(unsqueeze(x, 1)))));  // [B, 36, 7, 7]
    return output(flatten(relu(third(h)), 1));                    // [B, 74, 4, 4] -> [B, 10]
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

PatchNetwork::PatchNetwork(const VisionTransformerOptions& options, Rng& rng) : vit(options, rng) {
    if (vit.positions.table.defined()) draw_positions(0.5, rng);
}

void PatchNetwork::draw_positions(double deviation, Rng& rng) {
    vit.positions.table.assign(normal(vit.positions.table.shape(), 0, deviation, rng));
}

const char* name_of(Kind kind) {
    switch (kind) {
        case Kind::vit:
            return "ViT";
        case Kind::convolutional:
            return "convolutional";
        case Kind::dense:
            return "dense";
    }
    return "?";
}

Network make(Kind kind, Rng& rng) {
    if (kind == Kind::vit) return PatchNetwork(vit_options(), rng);
    if (kind == Kind::convolutional) return ConvolutionalNetwork(rng);
    return DenseNetwork(rng);
}

int64_t parameter_count_of(const Network& network) {
    return std::visit([](const auto& model) { return heed::parameter_count(model); }, network);
}

// --- pictures -----------------------------------------------------------------------------------

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

Tensor rearranged(const Tensor& pixels, const std::vector<int>& order) {
    return reshape(index_select(flatten(pixels, 1), 1, Indices(order)), pixels.shape());
}

std::vector<int> exchanged_patches(Rng& rng) {
    std::vector<int> from(grid * grid), order;
    std::iota(from.begin(), from.end(), 0);
    rng.shuffle(from);
    for (int64_t i = 0; i < side; ++i)
        for (int64_t j = 0; j < side; ++j) {
            const int source = from[i / patch * grid + j / patch];  // the patch that comes here
            const int64_t row = source / grid * patch + i % patch;
            const int64_t column = source % grid * patch + j % patch;
            order.push_back(static_cast<int>(row * side + column));
        }
    return order;
}

std::vector<int> exchanged_pixels(Rng& rng) {
    std::vector<int> order(side * side);
    std::iota(order.begin(), order.end(), 0);
    rng.shuffle(order);
    return order;
}

// --- training -----------------------------------------------------------------------------------

double tuned_rate(Kind kind) { return kind == Kind::vit ? 0.008 : 0.032; }

namespace {

template <class Model>
void train_one(const Model& model, const course::Images& images, const Budget& budget, Rng& rng) {
    AdamW adam(parameters(model), {.lr = budget.lr, .weight_decay = budget.weight_decay});
    BatchStream<std::vector<int>> batches([&] {
        return bucket_batches(std::vector<int>(images.size()),
                              {.batch_size = budget.batch, .pool = 0}, rng);
    });
    const int64_t rising = std::max<int64_t>(1, budget.steps / 10);
    const TrainOptions options{.steps = budget.steps,
                               .schedule = schedules::warm_up_cosine(rising, budget.steps, 0.02),
                               .checkpoint = course::next_checkpoint({rng, batches})};
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
        const course::Images some =
            course::range(images, first, std::min(first + 500, images.size()));
        const Tensor logits = std::visit(
            [&](const auto& model) { return model(some.pixels, Mode::evaluation()); }, network);
        const Indices predicted = argmax(logits, -1);
        for (int i = 0; i < some.size(); ++i) right += predicted[i] == some.labels[i];
    }
    return static_cast<double>(right) / images.size();
}

}  // namespace heed::lesson25
