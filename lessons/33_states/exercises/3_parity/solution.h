#include "lessons/course/exercise/write.h"

// Toggle changes the sign; off forgets the past with the factor 0 and adds the state of a dark lamp.
double my_factor(int toggle, int off) { return off ? 0 : toggle ? -1 : 1; }

double my_addend(int /*toggle*/, int off) { return off ? 1 : 0; }

Tensor my_lamp(const Indices& toggle, const Indices& off) {
    std::vector<double> on;
    double s = 1;
    for (int64_t t = 0; t < toggle.count(); ++t) {
        s = my_factor(toggle[t], off[t]) * s + my_addend(toggle[t], off[t]);
        on.push_back((1 - s) / 2);
    }
    return tensor(on);
}
