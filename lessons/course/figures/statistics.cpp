#include "lessons/course/figures/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "autograd/base/error.h"

namespace heed::course {

//     mean = Σ xᵢ / n          deviation = √( Σ (xᵢ - mean)² / (n - 1) )
Summary summarise(const std::vector<double>& values) {
    check(!values.empty(), "summarise: no values");
    const double count = static_cast<double>(values.size());
    Summary summary;
    for (const double value : values) summary.mean += value / count;
    double squares = 0;
    for (const double value : values) squares += (value - summary.mean) * (value - summary.mean);
    if (values.size() > 1) summary.deviation = std::sqrt(squares / (count - 1));
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    summary.low = *low;
    summary.high = *high;
    return summary;
}

std::string mean_and_spread(const std::vector<double>& values, int decimals) {
    const Summary summary = summarise(values);
    if (values.size() == 1) return fmt::format("{:.{}f}", summary.mean, decimals);
    return fmt::format("{:.{}f} ± {:.{}f}", summary.mean, decimals, summary.deviation, decimals);
}

std::string averaged_over(std::size_t count, const std::string& thing) {
    if (count == 1) return "one " + thing;
    return fmt::format("mean and standard deviation over {} {}s", count, thing);
}

}  // namespace heed::course
