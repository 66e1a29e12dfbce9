#include "lessons/material/sound/fourier.h"

#include <fftw3.h>

#include <algorithm>

#include "autograd/base/error.h"

namespace heed::course {

struct Fourier::Plan {
    int size;
    double* x;        // [N]
    fftw_complex* y;  // [N / 2 + 1], pairs of real and imaginary part
    fftw_plan plan;

    explicit Plan(int n)
        : size(n),
          x(fftw_alloc_real(static_cast<std::size_t>(n))),
          y(fftw_alloc_complex(static_cast<std::size_t>(n / 2 + 1))),
          plan(fftw_plan_dft_r2c_1d(n, x, y, FFTW_ESTIMATE)) {}
    ~Plan() {
        fftw_destroy_plan(plan);
        fftw_free(y);
        fftw_free(x);
    }
};

Fourier::Fourier(int size) {
    check(size > 0, "Fourier: a transform of {} numbers; expected at least 1", size);
    plan_ = std::make_unique<Plan>(size);
}
Fourier::~Fourier() = default;

int Fourier::size() const { return plan_->size; }

std::vector<double> Fourier::power(std::span<const double> x) {
    check(static_cast<int>(x.size()) <= size(), "Fourier: {} numbers for a transform of {}",
          x.size(), size());
    std::fill(std::copy(x.begin(), x.end(), plan_->x), plan_->x + size(), 0.0);
    fftw_execute(plan_->plan);
    std::vector<double> power(static_cast<std::size_t>(bins()));
    for (std::size_t k = 0; k < power.size(); ++k)
        power[k] = plan_->y[k][0] * plan_->y[k][0] + plan_->y[k][1] * plan_->y[k][1];
    return power;
}

}  // namespace heed::course
