// A training that can be stopped at any moment, with Ctrl-C, kill -9 or the power switch. Started
// again it goes on, and ends with the same bits as if it had never been stopped.
//
//     ./heed run lessons/examples/checkpointed_training.cpp FOLDER [STEPS] [SECONDS]
//
// The checkpoint is in FOLDER and is written every SECONDS (2). Two moons are to be told apart.
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "nn/nn.h"
using namespace heed;

// Points on two half circles that reach into each other, with noise; and which half circle.
TensorDataset<Tensor, Indices> moons(int count, Rng& rng) {
    std::vector<double> x;
    std::vector<int> labels;
    for (int i = 0; i < count; ++i) {
        const int moon = static_cast<int>(rng.below(2));
        const double angle = rng.uniform(0, std::numbers::pi), sign = moon == 0 ? 1 : -1;
        x.push_back(moon + sign * std::cos(angle) + 0.15 * rng.normal());
        x.push_back(0.4 * moon + sign * std::sin(angle) - 0.2 + 0.15 * rng.normal());
        labels.push_back(moon);
    }
    return {tensor(x, {count, 2}), Indices(labels)};
}

int main(int argc, char** argv) {
    if (argc < 2) fail("expected a folder for the checkpoint");
    const std::string folder = argv[1];
    const int64_t steps = argc > 2 ? std::atoll(argv[2]) : 20000;
    const double seconds = argc > 3 ? std::atof(argv[3]) : 2;
    set_threads(1);

    Rng rng(1);
    const auto training = moons(1000, rng), validation = moons(500, rng);
    Sequential net(Linear(2, 32, rng), BatchNorm1d(32), Relu{}, Dropout(0.2), Linear(32, 32, rng),
                   Tanh{}, Linear(32, 2, rng));
    AdamW optimiser(parameters(net), {.lr = 5e-3});
    AverageOfWeights average(saved_tensors(net), {.ema_decay = 0.99});
    DataLoader batches(training, {.batch_size = 50, .shuffle = true}, rng);
    std::vector<double> curve;  // validation losses

    const auto validate = [&] {
        const auto in_use = average.use();
        const Tensor logits = net(validation.x, Mode::evaluation());
        curve.push_back(cross_entropy(logits, validation.y).item());
        return curve.back();
    };
    const TrainReport report =
        train(optimiser,
              {.steps = steps,
               .clip_norm = 1,
               .schedule = schedules::cosine(steps, 0.1),
               .on_step = [&](const TrainProgress&) { average.update(); },
               .validate = validate,
               .validate_every = 50,
               .restore_best = false,
               .checkpoint = {folder, {net, rng, batches, average, curve}, {.seconds = seconds}}},
              [&](int64_t) {
                  const auto batch = batches.next();
                  return StepResult{cross_entropy(net(batch.x, Mode::training(rng)), batch.y),
                                    batch.size()};
              });

    // Everything to the bit: %a prints all digits of a number.
    double total = 0;
    for (double loss : report.losses) total += loss;
    average.swap();
    save_model(net, folder + "/model.safetensors");
    fmt::print("{} steps, sum of the losses {:a}, of the curve {:a}\n", report.last.step, total,
               std::accumulate(curve.begin(), curve.end(), 0.0));
    NoGrad no_grad;
    fmt::print("validation accuracy {:.3f}\n",
               metrics::accuracy(net(validation.x, Mode::evaluation()), validation.y));
}
