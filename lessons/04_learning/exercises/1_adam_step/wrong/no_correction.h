// Says: the averages are not corrected
#include <cmath>

#include "lessons/course/exercise/write.h"

struct MomentumState {
    Tensor v;
};

struct AdamState {
    Tensor m, s;
    int n = 0;  // steps so far
};

Tensor my_momentum(const Tensor& theta, const Tensor& g, MomentumState& state, double rate) {
    state.v = 0.9 * state.v + g;
    return theta - rate * state.v;
}

Tensor my_adam(const Tensor& theta, const Tensor& g, AdamState& state, double rate) {
    ++state.n;
    state.m = 0.9 * state.m + 0.1 * g;
    state.s = 0.999 * state.s + 0.001 * square(g);
    const Tensor mean = state.m, size = sqrt(state.s);
    return theta - rate * mean / (size + 1e-8);
}
