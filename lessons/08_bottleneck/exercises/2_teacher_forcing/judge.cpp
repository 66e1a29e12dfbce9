#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

// The loss in other words, also with the known mistakes.
struct Way {
    bool forced = true, with_end = true, divided = true, keeps_state = true;
};
Tensor loss_of(const Step& step, const Tensor& first, const std::vector<int>& target, int start,
               int end, const Way& way = {}) {
    std::vector<int> asked = target;
    if (way.with_end) asked.push_back(end);
    std::vector<Tensor> parts;
    Tensor state = first;
    for (int word : asked) {
        const Said said = step(start, state);
        parts.push_back(-log(select(softmax(said.logits), 0, word)));
        start = way.forced ? word : argmax(said.logits)[0];
        if (way.keeps_state) state = said.state;
    }
    const Tensor all = stack(parts, 0);
    return way.divided ? mean(all) : sum(all);
}

void judge(course::Judge& judge) {
    judge.own({"cross_entropy", "nll_loss", "sequence_loss"});
    const Tensor zero = scalar(0, Dtype::float64);
    const auto f64 = [](double number) { return scalar(number, Dtype::float64); };
    // Words: 0 start, 1 end, 2 "I", 3 "read". A row has the probabilities after a word.
    const Tensor table = log(tensor({0.1, 0.3, 0.5, 0.1,      // after start
                                     0.25, 0.25, 0.25, 0.25,  // after end
                                     0.1, 0.6, 0.05, 0.25,    // after "I"
                                     0.1, 0.8, 0.05, 0.05},   // after "read"
                                    {4, 4}, Dtype::float64));
    std::vector<int> read;
    const Step by_table = [&](int before, const Tensor& state) {
        check(before >= 0 && before < 4, "the decoder was given the word {}; there are 4", before);
        read.push_back(before);
        return Said{select(table, 0, before), state};
    };
    const std::string formula = "the mean of -ln p of the right words and of the end symbol";
    const auto mistake = [&](const Way& way) { return loss_of(by_table, zero, {2, 3}, 0, 1, way); };
    judge.given({{"first_state", zero}});
    judge.equal(
        "the words I, read and the end symbol with 0.5, 0.25 and 0.8: 0.768",
        [&] {
            return my_loss(by_table, zero, {2, 3}, 0, 1);
        },
        mistake({}),
        {.formula = formula,
         .mistakes = {
             {"the end symbol is not asked, so the decoder would never learn to stop",
              mistake({.with_end = false})},
             {"the sum was not divided by the number of steps", mistake({.divided = false})},
             {"the decoder read its own word before, and not the right one",
              mistake({.forced = false})},
             {"the sum was divided by the number of words without the end symbol",
              mistake({.divided = false}) / 2.},
             {"this is the mean of p, without the logarithm", f64((0.5 + 0.25 + 0.8) / 3)},
             {"the sign is missing: ln p is negative, and the loss is not", -mistake({})},
             {"the decoder read the word that it was asked for", [&] {
                  Tensor all = f64(0);
                  for (int word : {2, 3, 1}) all = all - select(select(table, 0, word), 0, word);
                  return all / 3.;
              }()}}});
    judge.holds(
        "the decoder read the start symbol, I and read, each once",
        [&] {
            read.clear();
            my_loss(by_table, zero, {2, 3}, 0, 1);
            return read == std::vector<int>{0, 2, 3};
        },
        "The decoder was called with other words, or more than once for a step.");
    judge.equal(
        "an empty target: only the end symbol, with 0.3",
        [&] { return my_loss(by_table, zero, {}, 0, 1); }, f64(-std::log(0.3)));

    Rng rng(3);
    const auto random = [&](const Shape& shape) {
        return normal(shape, 0, 1, rng, Dtype::float64);
    };
    const auto recurrent = [](const std::vector<Tensor>& p) -> Step {
        return [p](int before, const Tensor& state) {
            const Tensor next = tanh(matmul(p[0], state) + select(p[1], 0, before));
            return Said{matmul(p[2], next), next};
        };
    };
    const std::vector<Tensor> parameters{random({5, 5}), random({7, 5}), random({7, 5}),
                                         random({5})};
    const std::vector<int> target{4, 6, 2, 5};
    const Step decoder = recurrent(parameters);
    const auto wrong = [&](const Way& way) {
        return loss_of(decoder, parameters[3], target, 3, 0, way);
    };
    judge.equal("a recurrent decoder with random weights; start 3, end 0",
                [&] { return my_loss(decoder, parameters[3], target, 3, 0); }, wrong({}),
                {.formula = formula,
                 .mistakes = {{"the new state is not given to the next step",
                               wrong({.keeps_state = false})}}});
    judge.equal("logits of 2000: no overflow",
                [&] {
                    const Step large = [](int, const Tensor& state) {
                        return Said{tensor({2000, 1999, 0}, Dtype::float64), state};
                    };
                    return my_loss(large, zero, {0}, 0, 1);
                },
                f64(std::log(1 + std::exp(-1.)) + 0.5),
                {.mistakes = {{"exp(2000) is infinite: use log_softmax", f64(std::nan(""))}}});
    judge.gradient(
        "the gradient of the decoder's weights and of the first state",
        [&](const auto& in) { return my_loss(recurrent(in), in[3], target, 3, 0); }, parameters);
}
