// Mean and standard deviation over seeds. The lessons compare models by them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace heed::course {

struct Summary {
    double mean = 0;
    double deviation = 0;  // standard deviation of the sample (divided by n - 1); 0 for one value
    double low = 0, high = 0;
};

// Throws heed::Error if there are no values.
Summary summarise(const std::vector<double>& values);

// "0.953 ± 0.011"; for a single value, "0.953".
std::string mean_and_spread(const std::vector<double>& values, int decimals = 3);

// What such numbers are, for a caption: "mean and standard deviation over 5 seeds", or "one seed".
std::string averaged_over(std::size_t count, const std::string& thing = "seed");

}  // namespace heed::course
