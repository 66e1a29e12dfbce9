// Sound as a picture: log-mel frames, which most systems for speech read instead of samples (Davis
// and Mermelstein 1980; Gulati et al. 2020, section 3.1, with 80 channels).
//
//     1. every 10 ms the next 25 ms of the sound are cut out and faded in and out (a Hann window);
//     2. the Fourier transform gives the power of each frequency;
//     3. powers are summed in channels that are narrow for low and wide for high tones, as in the
//        ear: the mel scale, m(f) = 2595 log₁₀(1 + f / 700);
//     4. the logarithm is taken, because the ear hears ratios.
//
//     const Sound sound = read_sound("7_jackson_12.wav");
//     const Tensor frames = log_mel(sound.samples, {.rate = sound.rate});     // [T, 40]
//
// Shapes: T frames, M channels, F = N / 2 + 1 frequencies of a transform of N numbers.
#pragma once

#include <vector>

#include "autograd/tensor/tensor.h"

namespace heed::course {

struct LogMelOptions {
    int rate = 8000;        // samples a second
    double window = 0.025;  // seconds
    double hop = 0.010;     // seconds from frame to frame
    int channels = 40;      // M
    double low = 50;        // Hz; the lowest channel begins here
    double high = 0;        // Hz; the highest ends here; 0: half the rate
    double floor = 1e-8;    // smaller energies count as this one
};

// m(f), and back.
double mel_of_hertz(double hertz);
double hertz_of_mel(double mel);

// The weight of each frequency in each channel, [M, F]: triangles whose corners are equally far apart
// on the mel scale. The peak of each is 1, at the corner of its neighbours, so between the first and
// the last peak the weights of a frequency sum to 1. Throws heed::Error unless
// 0 <= low < high <= rate / 2, and when a channel is so narrow that it contains no frequency.
Tensor mel_filters(const LogMelOptions& options, int transform_size);

// The number N of the transform: the window, with zeros up to the next power of 2.
int transform_size(const LogMelOptions& options);

// ln of the energy in each channel of each frame, [T, M]. T = 1 + (samples - window) / hop, rounded
// down; a sound shorter than the window is followed by silence. Throws for an empty sound.
Tensor log_mel(const std::vector<float>& samples, const LogMelOptions& options = {});

}  // namespace heed::course
