// Says: the corrected averages are kept in the state
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
    state.m = state.m / (1 - std::pow(0.9, state.n));
    state.s = state.s / (1 - std::pow(0.999, state.n));
    return theta - rate * state.m / (sqrt(state.s) + 1e-8);
}
