#include "lessons/course/exercise/judge.h"

#include <cmath>
#include <numbers>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"Fourier", "log_mel", "sliding_windows", "conv1d"});
    const auto f64 = [](std::vector<double> numbers, Shape shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    const Tensor seven = arange(7, Dtype::float64);
    judge.given({{"samples", seven}});
    judge.equal("pieces of the samples 0 to 6, length 4, hop 2",
                [&] { return my_pieces(seven, 4, 2); }, f64({0, 1, 2, 3, 2, 3, 4, 5}, {2, 4}),
                {.formula = "piece t has the samples t hop to t hop + length - 1",
                 .mistakes = {{"the pieces do not overlap: the next one begins after hop samples",
                               f64({0, 1, 2, 3}, {1, 4})},
                              {"a piece that is not full is completed with zeros; it is left out",
                               f64({0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 0}, {3, 4})}}});
    judge.equal("pieces of the samples 0 to 5: the second one just fits",
                [&] { return my_pieces(arange(6, Dtype::float64), 4, 2); },
                f64({0, 1, 2, 3, 2, 3, 4, 5}, {2, 4}),
                {.mistakes = {{"the last piece is missing, although there is room for it",
                               f64({0, 1, 2, 3}, {1, 4})}}});
    judge.equal(
        "one piece only", [&] { return my_pieces(seven, 7, 3); },
        f64({0, 1, 2, 3, 4, 5, 6}, {1, 7}));
    judge.equal(
        "a hop that is larger than the pieces", [&] { return my_pieces(seven, 2, 3); },
        f64({0, 1, 3, 4}, {2, 2}));
    Rng rng(2);
    const Tensor word = normal({3783}, 0, 1, rng, Dtype::float64);
    judge.number("pieces of a word of 3,783 samples",
                 [&] { return static_cast<double>(my_pieces(word, 200, 160).size(0)); }, 23,
                 {.formula = "1 + (samples - length) / hop, rounded down"});

    judge.equal(
        "the powers of (1, 0, -1, 0) and, a quarter of a period later, (0, 1, 0, -1)",
        [&] {
            return my_powers(f64({1, 0, -1, 0, 0, 1, 0, -1}, {2, 4}));
        },
        f64({0, 4, 0, 0, 4, 0}, {2, 3}),
        {.formula = "P_k = C_k^2 + S_k^2",
         .mistakes = {{"the sine is missing: the power depends on where the piece begins",
                       f64({0, 4, 0, 0, 0, 0}, {2, 3})},
                      {"k = N/2 is missing: it is the fastest oscillation that samples show",
                       f64({0, 4, 0, 4}, {2, 2})},
                      {"this is the root of the power", f64({0, 2, 0, 0, 2, 0}, {2, 3})},
                      {"the angles are those of another period: 2 pi k n / N",
                       f64({0, 1, 4, 0, 1, 0}, {2, 3})}}});
    // The two loops of the lesson.
    const auto powers = [](const std::vector<double>& x) {
        std::vector<double> result;
        for (std::size_t k = 0; k <= x.size() / 2; ++k) {
            double c = 0, s = 0;
            for (std::size_t n = 0; n < x.size(); ++n) {
                const double angle = 2 * std::numbers::pi * double(k * n) / double(x.size());
                c += x[n] * std::cos(angle), s += x[n] * std::sin(angle);
            }
            result.push_back(c * c + s * s);
        }
        return result;
    };
    for (const int N : {6, 9, 200}) {
        const Tensor pieces = normal({3, N}, 0, 1, rng, Dtype::float64);
        std::vector<double> expected;
        for (int t = 0; t < 3; ++t)
            for (double p : powers(select(pieces, 0, t).to_vector())) expected.push_back(p);
        judge.equal(fmt::format("three random pieces of {} samples", N),
                    [&] { return my_powers(pieces); }, f64(expected, {3, N / 2 + 1}),
                    {.formula = "P_k = C_k^2 + S_k^2, k = 0 to N/2"});
    }
}
