#include "lessons/course/exercise/judge.h"

#include <vector>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"quantise", "dequantise"});
    std::vector<int> bytes;
    for (int j = 0; j < 16; ++j) bytes.push_back((37 * j + 58) % 256);  // byte 0 is 0x3A
    std::vector<double> low, high;
    for (const int byte : bytes) low.push_back(byte % 16), high.push_back(byte / 16);
    const Tensor lower = tensor(low), upper = tensor(high);
    const auto weights = [](const Tensor& q) { return q * 0.5 - 2.0; };
    const Tensor q = concat({lower, upper}, 0);
    judge.equal(
        "16 bytes with d = 0.5 and m = -2", [&] { return my_unpack(bytes, 0.5, -2); }, weights(q),
        {.formula = "w = d q + m",
         .mistakes = {
             {"the two numbers of a byte are weights j and j + 16, not neighbours",
              weights(reshape(stack({lower, upper}, 1), {32}))},
             {"the lower four bits are weight j, the upper ones weight j + 16",
              weights(concat({upper, lower}, 0))},
             {"8 is subtracted as in Q4_0, but Q4_1 has a minimum for that", weights(q - 8.0)},
             {"the minimum is not added", q * 0.5}}});

    const auto rounded = [](const Tensor& w, double steps) {
        const double m = min(w).item(), d = (max(w).item() - m) / steps;
        return round((w - m) / d) * d + m;
    };
    const auto d64 = Dtype::float64;
    const Tensor three = tensor({1, 4, 16}, {3}, d64);
    judge.given({{"w", three}});
    judge.equal("(1, 4, 16) comes back", [&] { return my_rounded(three); }, three,
                {.mistakes = {{"16 whole numbers have 15 steps between them", rounded(three, 16)},
                              {"the minimum is not added again", three - 1.0}}});
    Rng rng(1);
    const Tensor w = normal({32}, 0.3, 1, rng, d64);
    judge.equal("32 random weights", [&] { return my_rounded(w); }, rounded(w, 15),
                {.formula = "d round((w - m) / d) + m"});
    judge.holds(
        "no weight moves by more than half a step",
        [&] {
            const double step = (max(w).item() - min(w).item()) / 15;
            return max(abs(my_rounded(w) - w)).item() <= step / 2 + 1e-12;
        },
        "the nearest of the 16 numbers is at most half a step away");
    const Tensor small = 1e-3 * w;
    judge.equal("weights of a thousandth", [&] { return my_rounded(small); }, rounded(small, 15),
                {.formula = "however small d is; only 0 is no step"});
    judge.equal("five equal weights", [&] { return my_rounded(full({5}, 0.7, d64)); },
                full({5}, 0.7, d64), {.formula = "d is 0 then, and 0 / 0 is no number"});
}
