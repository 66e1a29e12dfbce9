//! # How do several machines train one model?
//!
//! Workshop; read it after lesson {language_model}, or when one machine is too slow.
//!
//! You train a language model, and the run will take eight days. There are seven more machines in
//! the room. Can the eight of them finish tomorrow?
//!
//! A training is a chain of steps, and each step needs the weights of the step before. So the steps
//! cannot be shared out. But what happens inside a step can: a batch has many sequences, and
//! nothing in the gradient of one sequence depends on the others. Each machine could take some of
//! them. Then the machines have to agree on one gradient, before every single step. What does this
//! agreement cost, and is the result still the same?

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "attention/transformer/language_model.h"
#include "autograd/autograd.h"
#include "lessons/course/course.h"
#include "lessons/material/training/next_checkpoint.h"
#include "nn/nn.h"

namespace heed::workshop7 {

using namespace course;

namespace {

double megabytes(double bytes) { return bytes / 1e6; }

//! ## The mean of the means
//!
//! Let $n$ processes have the same model. Each computes the loss and the gradient on its part of
//! the batch, and before the update all take the mean of their gradients. This is *data-parallel
//! training*. Is that the gradient of the whole batch? The loss of a batch of $B$ sequences is a
//! mean, and a mean over equal parts is the mean of the parts' means:
//!
//! $$ \frac1B \sum_{i=1}^B \nabla \ell_i = \frac1n \sum_{r=1}^n
//!    \Big( \frac{n}{B} \sum_{i \in S_r} \nabla \ell_i \Big) $$
//!
//! Here $\ell_i$ is the loss of sequence $i$, and $S_r$ is the set of the $B / n$ sequences of
//! process $r$.
//!
//! {no results} Take four sequences with gradients 1, 2, 3, 6. The mean is 3. Two processes find
//! 1.5 and 4.5, and their mean is 3 as well. With parts of different sizes this would be wrong: the
//! means of 1 alone and of 2, 3 and 6 are 1 and 3.67, and the mean of these is 2.33. So `part_of()`
//! of the library refuses a batch that cannot be divided equally.
//!
//! ## A ring
//!
//! How do processes compute a mean? If all of them sent their gradients to one process, that
//! process would receive $n - 1$ times the bytes of the gradient, and everybody would wait for it.
//! It is better to sit in a ring and to cut the gradient into $n$ chunks. In each turn, every
//! process sends one chunk to its right neighbour and adds what it gets from the left.
//!
//! Take three processes with the gradients $(1, 2, 3)$, $(10, 20, 30)$ and $(100, 200, 300)$; each
//! chunk is a single number. In the first turn, process $r$ sends its chunk $r$. In the second
//! turn, it sends the chunk that it has just added to:
//!
//! | | process 1 | process 2 | process 3 |
//! | --- | --- | --- | --- |
//! | at first | 1, 2, 3 | 10, 20, 30 | 100, 200, 300 |
//! | after one turn | 1, 2, 303 | 11, 20, 30 | 100, 220, 300 |
//! | after two turns | 1, **222**, 303 | 11, 20, **333** | **111**, 220, 300 |
//!
//! After $n - 1$ turns every process has the full sum of one chunk. In $n - 1$ more turns these
//! sums are passed around. So every process sends, for $P$ parameters of 4 bytes,
//!
//! $$ \text{bytes sent in a step} = 2 \, \frac{n - 1}{n} \cdot 4 P, $$
//!
//! which is less than twice the gradient, however many processes there are (Patarasuk and Yuan
//! 2009).
void sum_in_a_ring(Lesson& lesson) {
    lesson.heading("A ring");
    std::vector<float> sums(3);
    int64_t sent = 0;
    run_ranks(3, [&](Ranks& ranks) {
        const float own = std::pow(10.F, static_cast<float>(ranks.rank()));
        std::vector<float> gradient{own, 2 * own, 3 * own};
        ranks.sum(gradient.data(), 3);
        sums = gradient;
        sent = ranks.bytes_sent();
    });
    LinePlot plot{
        .x_label = "processes",
        .y_label = "gradients",
        .series = {{.name = "each sends, in a ring"}, {.name = "one receives, from all"}}};
    for (int n = 1; n <= 16; ++n) {
        for (Series& line : plot.series) line.x.push_back(n);
        plot.series[0].y.push_back(2.0 * (n - 1) / n);
        plot.series[1].y.push_back(n - 1);
    }
    lesson.show("ring", plot,
                "The numbers on the way in a step, counted in gradients. In a ring they stay below "
                "two for every process.");
    lesson.listing(fmt::format("the sums in the library: {}, {}, {}; each process sends {} bytes",
                               sums[0], sums[1], sums[2], sent));
    lesson.claim(
        "ring-by-hand", "identity: sums and bytes on paper that the library finds too, of four",
        (sums[0] == 111) + (sums[1] == 222) + (sums[2] == 333) + (sent == 2 * 2 * 4), equals(4));
}

//! ## One batch, two processes
//!
//! The time of a step is about
//!
//! $$ t(n) = \frac{t_1}{n} + \frac{2 (n - 1)}{n} \cdot \frac{4 P}{b} + t_u, $$
//!
//! where $t_1$ is the time of forward and backward on the whole batch, $b$ the number of bytes that
//! a process can send in a second, and $t_u$ the time of the update, which every process makes for
//! itself. Only the first term gets smaller with more processes. So the speed-up is limited by the
//! bytes of the parameters, while the work that is shared grows with the batch.
//!
//! ![Begin with eight processes: how many times as fast are they? Then make the model larger, the network between the machines slower, or the batch larger.](live:speed_up)
//!
//! Now a training of a small GPT (lesson {language_model}), in one process and in two. All
//! processes draw the same random numbers, so they have the same model and the same batch;
//! `part_of` gives each its part, and `.ranks` lets `train` take the mean.
struct Trained {
    std::vector<double> losses;
    double seconds = 0;  // of a step
    double bytes = 0;    // that rank 0 has sent in a step
};

Trained train_on(int processes, int64_t batch, int64_t steps, std::uint64_t seed) {
    Trained found;
    CheckpointOptions saved = next_checkpoint();  // where an interrupted training goes on
    run_ranks(processes, [&](Ranks& ranks) {
        Rng rng(seed);  // the same numbers in every process: the same model, the same batches
        const LanguageModel model(
            {.vocabulary = 65,
             .stack = gpt({.width = 64, .heads = 4, .layers = 4, .max_positions = 32})},
            rng);
        Adam adam(parameters(model), {.lr = 1e-3});
        double first = 0;    // the seconds of the first step, which is slower
        int64_t before = 0;  // bytes sent before this step
        const auto on_step = [&](const TrainProgress& now) {
            if (now.step == 1 && steps > 1) first = now.seconds;
            found.bytes = static_cast<double>(ranks.bytes_sent() - before);
        };
        saved.state = {rng, first, found.bytes};
        const TrainReport report =
            train(adam,
                  {.steps = steps,
                   .clip_norm = 1,
                   .on_step = on_step,
                   .checkpoint = saved,
                   .ranks = &ranks},
                  [&](int64_t) {
                      before = ranks.bytes_sent();
                      std::vector<int> ids;  // each token is the one before it plus 0, 1 or 2
                      for (int64_t i = 0; i < batch * 33; ++i)
                          ids.push_back(static_cast<int>(
                              i % 33 == 0 ? rng.below(65) : (ids.back() + rng.below(3)) % 65));
                      const Indices all(ids, {batch, 33}), own = part_of(all, ranks);
                      const Indices in = slice(own, 1, 0, 32), out = slice(own, 1, 1, 33);
                      return StepResult{sequence_cross_entropy(model(in), out, -1), in.count()};
                  });
        found.losses = report.losses;
        found.seconds = (report.last.seconds - first) /
                        static_cast<double>(std::max<std::int64_t>(steps - 1, 1));
    });
    return found;
}

// The bytes that a process can send in a second around a ring of two.
double bytes_per_second() {
    double speed = 0;
    run_ranks(2, [&](Ranks& ranks) {
        std::vector<float> x(1'000'000);
        ranks.barrier();
        const double before = static_cast<double>(ranks.bytes_sent());
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < 10; ++i) ranks.sum(x.data(), static_cast<int64_t>(x.size()));
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        speed = (static_cast<double>(ranks.bytes_sent()) - before) / taken.count();
    });
    return speed;
}

void share_the_batch(Lesson& lesson, int64_t steps, Prediction guess) {
    lesson.heading("One batch, two processes");
    Rng rng(lesson.seed());
    const LanguageModel model(
        {.vocabulary = 65,
         .stack = gpt({.width = 64, .heads = 4, .layers = 4, .max_positions = 32})},
        rng);
    const auto gradient = 4.0 * static_cast<double>(parameter_count(model));
    const double speed = bytes_per_second();
    Table table({"sequences", "processes", "MB sent in a step", "ms for a step", "speed-up",
                 "speed-up by the formula"});
    double off = 0, sent = 0;
    for (const int64_t batch : {4, lesson.quick() ? 8 : 32}) {
        const Trained alone = train_on(1, batch, steps, lesson.seed());
        for (const int processes : {1, 2}) {
            const Trained now =
                processes == 1 ? alone : train_on(processes, batch, steps, lesson.seed());
            const double exchange = 2.0 * (processes - 1) / processes * gradient / speed;
            table.row(batch, processes, megabytes(now.bytes), 1e3 * now.seconds,
                      number(alone.seconds / now.seconds, 3),
                      number(alone.seconds / (alone.seconds / processes + exchange), 3));
            sent = now.bytes;
            for (std::size_t i = 0; i < std::min<std::size_t>(10, now.losses.size()); ++i)
                off = std::max(off, std::abs(now.losses[i] / alone.losses[i] - 1));
        }
    }
    lesson.say(
        "Between two processes of this machine {:.3g} MB can be sent in a second. The gradient "
        "has {:.3g} MB.",
        megabytes(speed), megabytes(gradient));
    lesson.table(table,
                 "Training a GPT with 4 layers of width 64 in one and in two processes, one "
                 "thread each. The speed-up by the formula leaves out the time of the update.");
    lesson.reveal(guess, sent / gradient);
    lesson.claim(
        "processes-agree",
        "identity: losses of the first ten steps, two processes against one, largest relative "
        "difference",
        off, at_most(1e-3));
    lesson.claim("bytes-sent",
                 "identity: bytes sent in a step over the bytes of the gradient, two processes",
                 sent / gradient, between(1, 1.01));
}

}  // namespace

}  // namespace heed::workshop7

//! The measured speed-up may be far below that of the formula, and two processes may even be slower
//! than one. A step of this small network takes some milliseconds, and in every step each process
//! waits for the other one several times. If another program uses one of the two processor cores,
//! both processes wait for it.
//!
//! The same training runs on several machines with MPI, a standard library by which processes
//! exchange messages: `mpirun -n 4` starts a program four times. Each process has a number, its
//! rank, and the option `.ranks` of `train()` lets it work on its part of the batch
//! (`mpi/mpi_ranks.h`). A network between machines is ten to a hundred times slower than the memory
//! of one machine, so there the second term of the formula decides. Whether eight machines finish
//! tomorrow depends on the batch: it has to be large enough to keep all of them busy for much
//! longer than they talk.
//!
//! ## What this does not show
//!
//! Data-parallel training divides the activations, but every process still has all parameters and
//! the whole state of the optimiser (lesson {memory}). If these do not fit, they have to be divided
//! too (Rajbhandari et al. 2020), and that is not built here. A larger batch also changes the
//! training itself, which was not measured. The times depend on the machine, and on a processor
//! that does other work at the same time they mean little, so no claim is made about them.
//!
//! Sources: Patarasuk and Yuan, "Bandwidth Optimal All-reduce Algorithms for Clusters of
//! Workstations" (2009), section 4, for the ring; Rajbhandari et al., "ZeRO" (2020).
//!
//! ## Summary
//!
//! 1. The mean of the gradients of equal parts is the gradient of the batch.
//! 2. Processes that share a batch and take the mean of their gradients train as one process does.
//! 3. In a ring, each of them sends less than twice the bytes of the gradient in a step, however
//!    many there are.
//! 4. Only the forward and backward pass gets faster. What is sent and the update do not.
//! 5. So a large batch gains much from many processes, and a large model with a small batch little.
//!
//! ## Try this next
//!
//! 1. In `train_on`, let the process of rank 1 use another seed for its data. Why does the loss
//!    still fall?
//! 2. If MPI is installed: `mpirun -n 4 build/release/bin/lesson_23` trains the GPT of lesson
//!    {language_model} in four processes.
using namespace heed;
using namespace heed::workshop7;

int main(int argc, char** argv) {
    Lesson lesson({.workshop = 7,
                   .name = "processes",
                   .title = "How do several machines train one model?",
                   .question = "Several processes share a batch. Is the training still the same, "
                               "and how much do they have to send?",
                   .own_data = "random tokens"});
    int steps = 0;
    lesson.option("--steps", steps, "steps of training in processes (60; quick 10)");
    return lesson.run(argc, argv, [&] {
        if (steps == 0) steps = lesson.quick() ? 10 : 60;
        const Prediction sent = lesson.predict(
            "Two processes average their gradients in a ring. How many times the bytes of the "
            "gradient does each send in a step?",
            within(0.1).from(0));
        sum_in_a_ring(lesson);
        share_the_batch(lesson, steps, sent);
    });
}
