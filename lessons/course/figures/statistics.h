// Mean and spread over seeds: the two numbers behind every comparison of the course.
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

// Throws heed::Error when there is nothing to summarise.
Summary summarise(const std::vector<double>& values);

// "0.953 ± 0.011"; of one value, which has no spread, "0.953".
std::string mean_and_spread(const std::vector<double>& values, int decimals = 3);

// What such numbers are, for a caption: "mean and standard deviation over 5 beginnings", or "one
// beginning".
std::string averaged_over(std::size_t count, const std::string& thing = "beginning");

}  // namespace heed::course
