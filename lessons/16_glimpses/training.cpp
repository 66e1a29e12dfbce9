#include "lessons/16_glimpses/training.h"

#include <algorithm>

#include "autograd/autograd.h"
#include "lessons/course/lesson/checkpoints.h"

namespace heed::lesson16 {

void train(const GlimpseModel& model, const Method& method, const course::Images& images,
           const Budget& budget, Rng& rng, const OnEpoch& on_epoch, std::vector<State> changing) {
    Adam adam(parameters(model), {.lr = budget.lr});
    BatchStream<std::vector<int>> batches([&] {
        return bucket_batches(std::vector<int>(images.size()),
                              {.batch_size = budget.batch, .pool = 0}, rng);
    });
    const int64_t an_epoch = batches.epoch_steps(), steps = budget.epochs * an_epoch;
    double loss_sum = 0;
    changing.insert(changing.end(), {State(rng), State(batches), State(loss_sum)});
    const TrainOptions options{.steps = steps,
                               .schedule = schedules::cosine(steps, 0.02),
                               .checkpoint = course::next_checkpoint(changing)};
    heed::train(adam, options, [&](int64_t step) {
        if (step > 1 && step % an_epoch == 1) {
            if (on_epoch) on_epoch(static_cast<int>(step / an_epoch), loss_sum / an_epoch);
            loss_sum = 0;
        }
        const course::Images batch = course::pick(images, batches.next());
        const Output seen = model.look(batch.pixels, method.rule, rng);
        const Tensor loss = method.loss(model, seen, Indices(batch.labels));
        loss_sum += loss.item();
        return StepResult{loss, batch.size()};
    });
    if (on_epoch) on_epoch(budget.epochs, loss_sum / static_cast<double>(an_epoch));
}

double accuracy(const GlimpseModel& model, const course::Images& images, LocationRule rule,
                std::uint64_t seed) {
    NoGrad no_grad;
    Rng rng(seed);
    double right = 0;
    for (int first = 0; first < images.size(); first += 500) {
        const course::Images part =
            course::range(images, first, std::min(first + 500, images.size()));
        const Indices predicted = argmax(model.look(part.pixels, rule, rng).logits, -1);
        for (int i = 0; i < part.size(); ++i) right += predicted[i] == part.labels[i];
    }
    return right / images.size();
}

double gradient_variance(const GlimpseModel& model, const Method& method,
                         const course::Images& images, int draws, Rng& rng) {
    const std::vector<Tensor> of{model.locator.weight, model.mean.weight};
    const Indices labels(images.labels);
    Tensor total = zeros({1}, Dtype::float64), squares = total;
    for (int i = 0; i < draws; ++i) {
        const Output seen = model.look(images.pixels, method.rule, rng);
        const std::vector<Tensor> g = grad(method.loss(model, seen, labels), of);
        const Tensor flat = to_dtype(concat({flatten(g[0]), flatten(g[1])}, 0), Dtype::float64);
        total = total + flat;
        squares = squares + square(flat);
    }
    const double n = draws;
    return (sum(squares).item() / n - sum(square(total / n)).item()) * n / (n - 1);
}

}  // namespace heed::lesson16
