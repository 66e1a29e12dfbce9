// Schedules of the learning rate: plain functions from the number of an update, counted from 1, to
// a factor on the optimiser's rate.
//
//     using namespace schedules;
//     Schedule schedule = then(warm_up(200), 200, cosine(1800, 0.1));
//     optimiser.lr = base_rate * schedule(step);
#pragma once

#include <cstdint>
#include <functional>

namespace heed {

using Schedule = std::function<double(int64_t step)>;

namespace schedules {

Schedule constant(double factor = 1);

// Rises in equal steps to 1, reached at update `steps`; 1 from there on.
Schedule warm_up(int64_t steps);

// Half a wave of the cosine, from 1 at the first update towards `floor` after `steps` of them;
// `floor` from there on (Loshchilov and Hutter 2017, equation 5).
Schedule cosine(int64_t steps, double floor = 0);

// In a straight line from 1 at the first update to `floor` after `steps` of them.
Schedule linear_decay(int64_t steps, double floor = 0);

// √(steps / step) after a linear rise over `steps`, where it is 1.
Schedule inverse_square_root(int64_t steps);

// The same as Vaswani et al. 2017, section 5.3, give it: width^-½ min(step^-½, step steps^-1.5),
// for an optimiser with rate 1.
Schedule noam(int64_t width, int64_t steps);

// The one for the first `steps` updates, then the other, which counts from 1 again.
Schedule then(Schedule first, int64_t steps, Schedule second);

// The product of two.
Schedule product(Schedule a, Schedule b);

}  // namespace schedules

}  // namespace heed
