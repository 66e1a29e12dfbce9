// Schedules of the learning rate: functions from the number of an update, counted from 1, to a
// factor on the optimiser's learning rate.
//
//     using namespace schedules;
//     Schedule schedule = warm_up_cosine(200, 2000, 0.1);
//     optimiser.lr = base_lr * schedule(step);
//
// train() does the second line by itself, see TrainOptions::schedule. In brackets stand the names
// of PyTorch's schedulers for the same formulas.
#pragma once

#include <cstdint>
#include <functional>

#include "autograd/base/arguments.h"

namespace heed {

using Schedule = std::function<double(int64_t step)>;

namespace schedules {

Schedule constant(double factor = 1);

// Rises linearly to 1, which is reached at update `steps`; 1 from there on. [LinearLR]
Schedule warm_up(Integer steps);

// Half a period of the cosine, from 1 at the first update to `floor` after `steps` of them; `floor`
// from there on (Loshchilov and Hutter 2017, equation 5). [CosineAnnealingLR]
Schedule cosine(Integer steps, double floor = 0);

// The two after each other, which most models are trained with: warm_up() for `rise` updates, then cosine()
// until update `steps`.
Schedule warm_up_cosine(Integer rise, Integer steps, double floor = 0);

// Falls linearly from 1 at the first update to `floor` after `steps` of them. [LinearLR]
Schedule linear_decay(Integer steps, double floor = 0);

// gamma^k after k times `every` updates. [StepLR; ExponentialLR with every = 1]
Schedule step_decay(Integer every, double gamma = 0.1);

// √(steps / step) after a linear warm-up over `steps`, at whose end it is 1.
Schedule inverse_square_root(Integer steps);

// The same as Vaswani et al. 2017, section 5.3, write it: width^-½ min(step^-½, step steps^-1.5),
// for an optimiser with learning rate 1; their code calls it "noam".
Schedule noam(Integer width, Integer steps);

struct OneCycleOptions {
    double pct_start = 0.3;         // the share of the updates in which the rate rises
    double div_factor = 25;         // the first factor is 1 / div_factor
    double final_div_factor = 1e4;  // the last factor is the first one / final_div_factor
};
// Up to 1 and down again over `steps` updates, both along a cosine (Smith and Topin 2019). Its
// options are PyTorch's; the optimiser's rate is the max_lr there. [OneCycleLR]
Schedule one_cycle(Integer steps, const OneCycleOptions& options = {});

// `first` for `steps` updates, then `second`, which counts from 1 again. [SequentialLR]
Schedule sequential(Schedule first, Integer steps, Schedule second);

// The product of two schedules. [ChainedScheduler]
Schedule multiplied(Schedule a, Schedule b);

}  // namespace schedules

}  // namespace heed
