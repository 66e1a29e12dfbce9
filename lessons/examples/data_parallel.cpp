// One model trained by several processes, each on its part of every batch. Without MPI:
//
//     ./heed run lessons/examples/data_parallel.cpp [FOLDER]
//
// With MPI, in four processes, with the same losses up to rounding (the program that ./heed run has
// compiled; or example_data_parallel of `./heed test`):
//
//     mpirun -n 4 build/release/bin/example_data_parallel [FOLDER]
//
// With a FOLDER it is trained with checkpoints there. Two rings, one around the other, are to be told
// apart.
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "mpi/mpi_ranks.h"
#include "nn/nn.h"
using namespace heed;

// Points on two rings with radius 1 and 2, with noise; and which ring.
TensorDataset<Tensor, Indices> rings(int count, Rng& rng) {
    std::vector<double> x;
    std::vector<int> labels;
    for (int i = 0; i < count; ++i) {
        const int ring = static_cast<int>(rng.below(2));
        const double angle = rng.uniform(0, 2 * std::numbers::pi);
        const double radius = 1 + ring + 0.2 * rng.normal();
        x.push_back(radius * std::cos(angle));
        x.push_back(radius * std::sin(angle));
        labels.push_back(ring);
    }
    return {tensor(x, {count, 2}), Indices(labels)};
}

int main(int argc, char** argv) {
    const std::unique_ptr<Ranks> ranks = launched_ranks();
    const std::string folder = argc > 1 ? argv[1] : "";
    const int64_t steps = argc > 2 ? std::atoll(argv[2]) : 300;
    set_threads(1);

    Rng rng(1);  // the same numbers on every rank: the same data, the same batches
    const auto training = rings(1000, rng), validation = rings(500, rng);
    Sequential net(Linear(2, 32, rng), Tanh{}, Linear(32, 32, rng), Tanh{}, Linear(32, 2, rng));
    AdamW optimiser(parameters(net), {.lr = 1e-2});
    DataLoader batches(training, {.batch_size = 48, .shuffle = true, .drop_last = true}, rng);

    CheckpointOptions checkpoint;
    if (!folder.empty()) checkpoint = {folder, {rng, batches}, {.steps = 20}};
    const auto report = train(optimiser,
                              {.steps = steps,
                               .clip_norm = 1,
                               .on_step = print_every(100),
                               .checkpoint = checkpoint,
                               .ranks = ranks.get()},
                              [&](int64_t) {
                                  const auto batch = batches.next();  // the whole batch
                                  const Tensor x = part_of(batch.x, *ranks);
                                  const Indices y = part_of(batch.y, *ranks);
                                  return StepResult{cross_entropy(net(x), y), x.size(0)};
                              });

    double total = 0;
    for (double loss : report.losses) total += loss;
    fmt::print("{} ranks; {} steps; {} bytes sent in each step\n", ranks->size(), report.last.step,
               ranks->bytes_sent() / steps);
    fmt::print("sum of the losses {:.6f}\n", total);
    NoGrad no_grad;
    fmt::print("validation accuracy {:.3f}\n", metrics::accuracy(net(validation.x), validation.y));
}
