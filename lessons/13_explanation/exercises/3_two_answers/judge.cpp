#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

double kl(const List& a, const List& b) {
    double total = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] > 0) total += a[i] * (std::log(a[i]) - std::log(b[i]));
    return total;
}
List mean_of(const List& a, const List& b) {
    List m;
    for (std::size_t i = 0; i < a.size(); ++i) m.push_back((a[i] + b[i]) / 2);
    return m;
}

void judge(course::Judge& judge) {
    judge.own({"total_variation", "jensen_shannon", "kl_divergence", "js_divergence"});
    const auto f64 = [](double number) { return scalar(number, Dtype::float64); };
    const auto distance = [&](const List& p, const List& q) {
        return [=] { return f64(my_distance(p, q)); };
    };
    const auto divergence = [&](const List& a, const List& b) {
        return [=] { return f64(my_divergence(a, b)); };
    };
    judge.equal("the distance of (0.9, 0.1) and (0.6, 0.4): 0.3", distance({0.9, 0.1}, {0.6, 0.4}),
                f64(0.3),
                {.formula = "half the sum of |p_i - q_i|",
                 .mistakes = {{"the factor one half is missing", f64(0.6)},
                              {"the absolute value is missing, so the differences cancel", f64(0)},
                              {"the differences are squared", f64(0.09)},
                              {"the root of the squares was taken; this is the Euclidean distance",
                               f64(std::sqrt(0.18))}}});
    judge.equal(
        "the distance of (0.5, 0.3, 0.2, 0) and (0, 0.1, 0.2, 0.7)",
        distance({0.5, 0.3, 0.2, 0}, {0, 0.1, 0.2, 0.7}), f64(0.7),
        {.formula = "half the sum of |p_i - q_i|",
         .mistakes = {{"the sum is divided by the number of classes, not by 2", f64(0.35)}}});
    judge.equal(
        "the distance of three classes, (0.6, 0.2, 0.2) and (0.2, 0.4, 0.4)",
        distance({0.6, 0.2, 0.2}, {0.2, 0.4, 0.4}), f64(0.4),
        {.formula = "half the sum of |p_i - q_i|",
         .mistakes = {{"the sum is divided by the number of classes, not by 2", f64(0.8 / 3)},
                      {"the differences are squared", f64(0.12)}}});

    const std::string formula = "JS = (KL(a, m) + KL(b, m)) / 2, m = (a + b) / 2";
    const List a{0.5, 0.4, 0.1}, b{0.2, 0.2, 0.6}, m = mean_of(a, b);
    judge.equal("the divergence of (0.5, 0.4, 0.1) and (0.2, 0.2, 0.6)", divergence(a, b),
                f64((kl(a, m) + kl(b, m)) / 2),
                {.formula = formula,
                 .mistakes = {{"this is KL(a, b), without the mean", f64(kl(a, b))},
                              {"the mean of KL(a, b) and KL(b, a) is another measure",
                               f64((kl(a, b) + kl(b, a)) / 2)},
                              {"the factor one half is missing", f64(kl(a, m) + kl(b, m))},
                              {"only the first of the two halves is there", f64(kl(a, m) / 2)},
                              {"the two lists are exchanged in KL: it is KL(a, m), not KL(m, a)",
                               f64((kl(m, a) + kl(m, b)) / 2)},
                              {"the logarithm has the base 2; ln has the base e",
                               f64((kl(a, m) + kl(b, m)) / 2 / std::log(2.))}}});
    judge.equal("the divergence of (1, 0) and (0, 1): ln 2", divergence({1, 0}, {0, 1}),
                f64(std::log(2.)),
                {.formula = formula,
                 .mistakes = {{"0 times ln 0 is NaN for a computer; leave the term out",
                               f64(std::nan(""))}}});
    judge.equal("a word with the weight 0 in both lists", divergence({0, 0.3, 0.7}, {0, 0.6, 0.4}),
                f64((kl({0.3, 0.7}, {0.45, 0.55}) + kl({0.6, 0.4}, {0.45, 0.55})) / 2),
                {.formula = formula,
                 .mistakes = {{"0 times ln 0 is NaN for a computer; leave the term out",
                               f64(std::nan(""))}}});
    judge.equal("equal lists: 0", divergence(a, a), f64(0));
    judge.equal("a word that has a weight in one list only",
                divergence({0, 1, 0}, {0.5, 0.25, 0.25}),
                f64((std::log(1.6) + 0.75 * std::log(2.) + 0.25 * std::log(0.4)) / 2),
                {.formula = formula,
                 .mistakes = {{"a term was left out although its weight is not 0: each list is "
                               "looked at alone",
                               f64((std::log(1.6) + 0.25 * std::log(0.4)) / 2)}}});
}
