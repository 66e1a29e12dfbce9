#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"Dropout", "dropout"});
    Rng data(1);
    const Tensor x = tensor({1, 2, 3, 4, 5, 6}, {2, 3});
    // The share of zeros among n rows of m ones, and the kept value (0 if they differ).
    const Tensor large = ones({200, 50});
    struct Seen {
        double zeros = 0, kept = 0, mean = 0;
        bool rows_differ = false, columns_differ = false;
    };
    const auto seen = [](const Tensor& y) {
        Seen result;
        const std::vector<double> all = y.to_vector();
        const auto columns = y.size(1);
        for (std::size_t i = 0; i < all.size(); ++i) {
            result.mean += all[i] / static_cast<double>(all.size());
            if (all[i] == 0)
                result.zeros += 1. / static_cast<double>(all.size());
            else
                result.kept = all[i];
            const auto row = i / columns, column = i % columns;
            result.columns_differ |= (all[i] == 0) != (all[row * columns] == 0);
            result.rows_differ |= (all[i] == 0) != (all[column] == 0);
        }
        return result;
    };
    const auto drop = [&](const Tensor& in, double p, uint64_t seed = 7) {
        Rng rng(seed);
        return my_dropout(in, p, true, rng);
    };

    judge.given({{"x", x}});
    judge.equal(
        "after training, p = 0.5: nothing changes",
        [&] {
            Rng rng(3);
            return my_dropout(x, 0.5, false, rng);
        },
        x,
        {.formula = "if training is false, the result is x",
         .mistakes = {{"after training all units are used as they are; the scaling belongs to "
                       "the training",
                       x * 0.5},
                      {"after training all units are used as they are; the scaling belongs to "
                       "the training",
                       x * 2.}}});
    judge.equal(
        "in training, p = 0: nothing changes", [&] { return drop(x, 0); }, x,
        {.formula = "with p = 0, every element is kept",
         .mistakes = {{"p is the probability of a zero, not that of keeping", zeros_like(x)}}});
    judge.equal("p = 0.75: an element is 0, or what it must be for the average to be right",
                [&] {
                    const Seen s = seen(drop(large, 0.75));
                    return tensor({s.kept});
                },
                tensor({4.}),
                {.formula = "probability of keeping times kept value = 1",
                 .mistakes = {{"the activations that are kept are not scaled", tensor({1.})},
                              {"the division is by p, not by the probability of keeping",
                               tensor({1 / 0.75})},
                              {"the kept activations are multiplied by the probability of keeping, "
                               "not divided",
                               tensor({0.25})}}});
    judge.holds(
        "each element is drawn for itself",
        [&] {
            const Seen s = seen(drop(large, 0.5));
            return s.rows_differ && s.columns_differ;
        },
        "All elements of a row, or all of a column, are kept or dropped together. Each unit "
        "is dropped anew for each example.");
    judge.number("p = 0.75: the share of zeros", [&] { return seen(drop(large, 0.75)).zeros; },
                 0.75,
                 {.tolerance = 0.03,
                  .mistakes = {{"p is the probability of a zero, not that of keeping", 0.25}}});
    judge.number("p = 0.2: the share of zeros", [&] { return seen(drop(large, 0.2)).zeros; }, 0.2,
                 {.tolerance = 0.03, .mistakes = {{"the probability is 0.5, whatever p is", 0.5}}});
    judge.number("p = 0.2: the mean of many ones", [&] { return seen(drop(large, 0.2)).mean; }, 1,
                 {.tolerance = 0.03});
    judge.holds(
        "two steps drop different elements",
        [&] {
            Rng rng(7);
            const Tensor first = my_dropout(large, 0.5, true, rng),
                         second = my_dropout(large, 0.5, true, rng);
            return max(abs(first - second)).item() > 0;
        },
        "Two calls with the same generator drop the same elements. A mistake that many make: "
        "a generator of its own, made anew in each call.");
    judge.holds(
        "the same seed drops the same elements",
        [&] { return max(abs(drop(large, 0.5, 3) - drop(large, 0.5, 3))).item() == 0; },
        "Two calls with the same seed differ. All random numbers should come from rng.");
    judge.gradient("its gradient",
                   [](const auto& in) {
                       Rng rng(5);
                       return my_dropout(in[0], 0.4, true, rng);
                   },
                   {normal({4, 5}, 0, 1, data)});
}
