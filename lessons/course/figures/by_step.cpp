#include "lessons/course/figures/by_step.h"

#include <cmath>

namespace heed::course {

Series by_step(const std::string& name, const std::vector<double>& values) {
    Series series{name, {}, values};
    for (std::size_t step = 0; step < values.size(); ++step)
        series.x.push_back(static_cast<double>(step));
    return series;
}

double factor_of_a_step(const std::vector<double>& values) {
    double xx = 0, xy = 0;
    const double middle = 0.5 * static_cast<double>(values.size() - 1);
    for (std::size_t step = 0; step < values.size(); ++step) {
        const double x = static_cast<double>(step) - middle;
        xx += x * x;
        xy += x * std::log(values[step]);
    }
    return std::exp(xy / xx);
}

}  // namespace heed::course
