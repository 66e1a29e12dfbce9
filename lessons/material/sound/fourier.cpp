#include "lessons/material/sound/fourier.h"

#include <algorithm>

#include "autograd/base/error.h"

namespace heed::course {
namespace {

std::size_t checked(int size) {
    check(size > 0, "Fourier: a transform of {} numbers; expected at least 1", size);
    return static_cast<std::size_t>(size);
}

}  // namespace

Fourier::Fourier(int size) : x_(checked(size)), y_(x_.size()), transform_(x_.size(), false) {}

std::vector<double> Fourier::power(std::span<const double> x) {
    check(x.size() <= x_.size(), "Fourier: {} numbers for a transform of {}", x.size(), size());
    std::fill(std::copy(x.begin(), x.end(), x_.begin()), x_.end(), 0.0);
    transform_.transform(x_.data(), y_.data());
    std::vector<double> power;
    for (int k = 0; k < bins(); ++k) power.push_back(std::norm(y_[static_cast<std::size_t>(k)]));
    return power;
}

}  // namespace heed::course
