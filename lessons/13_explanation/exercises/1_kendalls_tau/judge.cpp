#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"kendall_tau", "kendalls_tau", "tau"});
    using Numbers = std::vector<double>;
    const auto tau = [](const Numbers& a, const Numbers& b) {
        return [=] { return scalar(my_tau(a, b), Dtype::float64); };
    };
    const auto f64 = [](double number) { return scalar(number, Dtype::float64); };
    const std::string formula = "(concordant - discordant) / (n (n - 1) / 2)";
    judge.equal(
        "the example: 0.667", tau({0.5, 0.3, 0.15, 0.05}, {4, 1, 2, 0.5}), f64(4. / 6),
        {.formula = formula,
         .mistakes = {{"the discordant pairs are not subtracted", f64(5. / 6)},
                      {"it is divided by n squared, not by the number of pairs", f64(4. / 16)},
                      {"it is divided by n (n - 1), but each pair was counted once", f64(4. / 12)},
                      {"each pair was counted twice", f64(8. / 6)},
                      {"the division of two whole numbers drops the fraction", f64(0)},
                      {"a word was paired with itself", f64(8. / 10)},
                      {"only neighbours in the list were compared", f64(1. / 3)},
                      {"this is the difference, not yet divided", f64(4)}}});
    judge.equal("equal rankings", tau({3, 1, 2}, {30, 10, 20}), f64(1));
    judge.equal("opposite rankings", tau({3, 1, 2, 7, 9}, {-3, -1, -2, -7, -9}), f64(-1));
    judge.equal(
        "the first two of three words are equal in one list", tau({1, 1, 2}, {1, 2, 3}),
        f64(2. / 3),
        {.formula = formula,
         .mistakes = {{"a pair that a list does not rank is not discordant", f64(1. / 3)},
                      {"a pair that a list does not rank is not concordant", f64(1)},
                      {"a pair that a list does not rank still counts among all pairs", f64(1)}}});
    judge.equal(
        "a pair that both lists do not rank", tau({1, 1, 2, 0}, {5, 5, 4, 6}), f64(-5. / 6),
        {.formula = formula,
         .mistakes = {{"a pair that a list does not rank is not concordant, even if neither "
                       "list ranks it",
                       f64(-4. / 6)}}});
    judge.equal("a list of equal numbers: 0, not NaN", tau({1, 1, 1}, {1, 2, 3}), f64(0));
    judge.equal("tiny weights", tau({1e-200, 3e-200, 2e-200, 1}, {1, 2, 3, 5}), f64(4. / 6),
                {.formula = formula,
                 .mistakes = {{"10^-200 does not fit into a float, where it is 0; keep the numbers "
                               "in double",
                               f64(3. / 6)}}});
    judge.equal("tiny weights and tiny gradients",
                tau({1e-200, 3e-200, 2e-200, 1}, {1e-180, 2e-180, 3e-180, 5e-180}), f64(4. / 6),
                {.formula = formula,
                 .mistakes = {{"the product of two tiny differences is rounded to 0; compare with "
                               "< and >",
                               f64(3. / 6)}}});
    Rng rng(1);
    const Numbers a = normal({70}, 0, 1, rng, Dtype::float64).to_vector();
    Numbers b = normal({70}, 0, 1, rng, Dtype::float64).to_vector();
    for (std::size_t i = 0; i < b.size(); ++i) b[i] += a[i];
    int balance = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) balance += (a[i] < a[j]) == (b[i] < b[j]) ? 1 : -1;
    judge.equal("a document of 70 words", tau(a, b), f64(balance / 2415.), {.formula = formula});
}
