// An axis of a plot: the position of a value between its two ends, and the ticks with their labels.
#pragma once

#include <string>
#include <vector>

namespace heed::course {

struct Axis {
    double low = 0, high = 1;
    bool log = false;
    std::vector<double> ticks;
    std::vector<std::string> labels;  // one for each tick

    // 0 at the low end, 1 at the high end; NaN for a value that the axis cannot show.
    double position(double value) const;
};

// An axis that covers [low, high] with about `wanted` ticks at round numbers: 1, 2 or 5 times a
// power of ten; on a logarithmic axis powers of
// ten, where there are enough of them. With `widen`, the ends move out to the next
// tick.
Axis make_axis(double low, double high, bool log, int wanted, bool widen);

}  // namespace heed::course
