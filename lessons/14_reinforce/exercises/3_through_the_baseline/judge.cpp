#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"reinforce", "score_function_term", "LearnedBaseline"});
    judge.choice(
        "the group with a wrong gradient", my_wrong_group, "baseline",
        {{"to look at log_prob; its factor L - b has the right value, so its gradient is right",
          "scores"},
         {"to look at the loss; it is detached in both other terms, so only its own gradient is "
          "left",
          "loss"}});
    Rng rng(1);
    const Tensor loss = normal({4}, 2, 1, rng, Dtype::float64),
                 log_prob = normal({4}, -1, 0.3, rng, Dtype::float64),
                 predicted = normal({4}, 2, 1, rng, Dtype::float64);
    const auto gradient_of = [&](int which) {
        return [&, which] {
            std::vector<Tensor> x{copy_of(loss), copy_of(log_prob), copy_of(predicted)};
            for (Tensor& one : x) one.set_requires_grad();
            const Tensor number = my_training_loss(x[0], x[1], x[2]);
            check(number.requires_grad(),
                  "the number has no gradient at all: too much is detached");
            return grad(sum(number) + 0. * (sum(x[0]) + sum(x[1]) + sum(x[2])), x)[which];
        };
    };
    const Tensor error = (predicted - loss) * 0.5, zero = zeros({4}, Dtype::float64);
    judge.equal(
        "the gradient of the baseline, N = 4", gradient_of(2), error,
        {.formula = "2 (b - L) / N, from the squared error alone",
         .mistakes = {
             {"the term with ln p still gives the baseline a gradient", error - log_prob / 4.},
             {"the baseline is not trained any more: its squared error needs it undetached", zero},
             {"the wrong one was detached: the squared error has to train the baseline",
              log_prob / -4.}}});
    judge.equal(
        "the gradient of the log-probabilities", gradient_of(1), (loss - predicted) / 4.,
        {.formula = "(L - b) / N",
         .mistakes = {
             {"the log-probabilities were detached, so the choices learn nothing", zero},
             {"the baseline was left out; it should only be made a constant there", loss / 4.}}});
    judge.equal(
        "the gradient of the loss", gradient_of(0), full({4}, 0.25, Dtype::float64),
        {.formula = "1 / N",
         .mistakes = {{"the loss itself was detached, so a classifier learns nothing", zero},
                      {"the loss is not detached in the factor L - b", 0.25 + log_prob / 4.},
                      {"the loss is not detached in the squared error: it is pulled to the "
                       "prediction",
                       0.25 - error}}});
    judge.given({{"loss", loss}, {"log_prob", log_prob}, {"predicted", predicted}});
    judge.equal(
        "the value: only detach was to be changed",
        [&] { return my_training_loss(loss, log_prob, predicted); },
        mean(loss + (loss - predicted) * log_prob + square(predicted - loss)));
}
