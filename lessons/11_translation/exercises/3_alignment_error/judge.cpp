#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

// The rate from counts.
double rate(double n_S, double n_P, double n_A, double s) { return 1 - (n_S + n_P) / (n_A + s); }

void judge(course::Judge& judge) {
    judge.own({"alignment_error_rate", "AlignmentError"});
    const auto measured = [](const Tensor& weights, const Links& sure, const Links& possible) {
        return [=] { return scalar(my_error_rate(weights, sure, possible), Dtype::float64); };
    };
    const auto f64 = [](double number) { return scalar(number, Dtype::float64); };
    const std::string formula = "1 - (n_S + n_P) / (n_A + s)";
    // I, am, a, student; 0 is I, 1 is student, 2 is am in Korean.
    const Tensor weights = tensor({0.8, 0.1, 0.1, 0.05, 0.05, 0.9, 0.2, 0.6, 0.2, 0.5, 0.3, 0.2},
                                  {4, 3}, Dtype::float64);
    const Links sure{{0, 0}, {1, 2}, {3, 1}};
    Links possible = sure;
    possible.insert({2, 1});
    judge.equal(
        "the example: 0.286", measured(weights, sure, possible), f64(rate(2, 3, 4, 3)),
        {.formula = formula,
         .mistakes = {
             {"the possible links are not used: n_P counts true links as well as "
              "possible ones",
              f64(rate(2, 2, 4, 3))},
             {"n_P counts all links of P, and the true ones belong to P", f64(rate(2, 1, 4, 3))},
             {"the number of possible links is in the divisor, not that of true ones",
              f64(rate(2, 3, 4, 4))},
             {"this is the share of right links; the rate is 1 minus it", f64(5. / 7)},
             {"the missing true link is not counted: s is not in the divisor", f64(1 - 3. / 4)},
             {"each source word was linked with a target word, not the other way "
              "about",
              f64(rate(3, 3, 3, 3))}}});
    judge.equal("the wrong link mended: 0",
                measured(weights, {{0, 0}, {1, 2}, {3, 0}}, {{0, 0}, {1, 2}, {3, 0}, {2, 1}}),
                f64(0),
                {.formula = formula,
                 .mistakes = {{"the indices of target and source are exchanged in a link",
                               f64(rate(2, 3, 4, 3))}}});
    judge.equal("all links wrong: 1", measured(weights, {{0, 1}, {1, 0}}, {{0, 1}, {1, 0}, {2, 2}}),
                f64(1), {.formula = formula});
    judge.equal("a target word with two true links",
                measured(weights, {{0, 0}, {0, 1}, {1, 2}}, {{0, 0}, {0, 1}, {1, 2}}),
                f64(rate(2, 2, 4, 3)), {.formula = formula});
    Rng rng(1);
    const Tensor random = softmax(normal({9, 6}, 0, 1, rng, Dtype::float64));
    Links some, more;
    int n_S = 0, n_P = 0;
    for (int t = 0; t < 9; ++t) {
        const int best = argmax(select(random, 0, t))[0], other = (best + 1) % 6;
        if (t % 3 == 0) some.insert({t, best}), ++n_S;
        if (t % 3 == 1) some.insert({t, other});
        if (t % 4 == 2) more.insert({t, best});
    }
    more.insert(some.begin(), some.end());
    for (int t = 0; t < 9; ++t) n_P += more.contains({t, argmax(select(random, 0, t))[0]});
    judge.equal("nine target words and six source words", measured(random, some, more),
                f64(rate(n_S, n_P, 9, static_cast<double>(some.size()))), {.formula = formula});
}
