// How a curve looks, in a word, for exercises that let the reader predict a plot. The judge computes
// the curve and asks for its word:
//
//     std::vector<double> left;
//     for (int d = 1; d <= 60; ++d) left.push_back(std::pow(0.9, d));
//     judge.choice("0.9 multiplied d times", my_first, curve(left), {{"...", "flat"}});
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <vector>

namespace heed::course {

// "flat" if all numbers differ by at most a twentieth of the largest one, else "rises", "falls", or
// "valley", which falls first and rises afterwards, both by at least a fifth of the whole height. What
// goes the other way is noise, up to a twentieth of the height. Throws if none of the words fits: then
// the exercise asks for a plot that has no answer.
inline const char* curve(std::span<const double> y) {
    if (y.size() < 3) throw std::logic_error("curve: expected at least 3 numbers");
    const auto [low, high] = std::minmax_element(y.begin(), y.end());
    const double height = *high - *low;
    if (height <= 0.05 * std::max(std::abs(*low), std::abs(*high)) || height < 1e-12) return "flat";
    const auto goes = [&](double sign, auto begin, auto end) {
        double top = sign * *begin;
        for (auto i = begin; i != end; ++i) {
            if (sign * *i < top - 0.05 * height) return false;
            top = std::max(top, sign * *i);
        }
        return top - sign * *begin >= 0.2 * height;
    };
    if (goes(1, y.begin(), y.end())) return "rises";
    if (goes(-1, y.begin(), y.end())) return "falls";
    if (goes(-1, y.begin(), low + 1) && goes(1, low, y.end())) return "valley";
    throw std::logic_error("curve: it is neither flat nor a valley, and does not rise or fall");
}
inline const char* curve(const std::vector<double>& y) { return curve(std::span(y)); }

}  // namespace heed::course
