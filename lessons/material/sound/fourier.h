// The discrete Fourier transform of real numbers, computed by the library KISS FFT (Borgerding 2003):
// which frequencies a sound is made of.
//
//     X(k) = Σₙ x(n) exp(-2πi k n / N)        k = 0, 1, ..., N / 2
//
//     Fourier fourier(256);
//     std::vector<double> power = fourier.power(frame);       // |X(k)|², 129 numbers
//
// X(k) belongs to the frequency k rate / N. For real x the other half of X is the mirror image of this
// one.
#pragma once

#include <complex>
#include <kissfft/kissfft.hh>
#include <span>
#include <vector>

namespace heed::course {

class Fourier {
  public:
    explicit Fourier(int size);  // N; throws heed::Error unless it is positive

    int size() const { return static_cast<int>(x_.size()); }
    int bins() const { return size() / 2 + 1; }
    // x is followed by zeros up to N. Throws for more than N numbers.
    std::vector<double> power(std::span<const double> x);

  private:
    std::vector<std::complex<double>> x_, y_;  // [N]
    kissfft<double> transform_;
};

}  // namespace heed::course
