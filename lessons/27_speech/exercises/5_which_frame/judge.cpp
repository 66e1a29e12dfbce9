#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"ctc_loss", "ctc_loss_definition", "ctc_beam_search"});
    const auto f64 = [](std::vector<double> numbers, Shape shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    const auto one = [](double number) { return scalar(number, Dtype::float64); };
    const Tensor two = f64({0.5, 0.5, 0.25, 0.75}, {2, 2});
    judge.given({{"p", two}});
    judge.equal(
        "two frames, (0.5, 0.5) and (0.25, 0.75), say 1", [&] { return my_ctc(two, {1}); },
        one(0.875),
        {.formula = "the paths 0 1, 1 0 and 1 1",
         .mistakes = {{"a path may also end with the last label, without a blank", one(0.125)},
                      {"before the first frame a path is in state 0 only", one(1.5)}}});
    const Tensor three = f64({0.5, 0.5, 0.25, 0.75, 0.6, 0.4}, {3, 2});
    judge.equal("three frames say 1 1: only the path 1 0 1 does",
                [&] {
                    return my_ctc(three, {1, 1});
                },
                one(0.05),
                {.mistakes = {{"between equal labels the blank cannot be left out", one(0.725)}}});
    const Tensor classes = f64({0.2, 0.5, 0.3, 0.1, 0.3, 0.6}, {2, 3});
    judge.equal("two frames say 1 2: only the path 1 2 does",
                [&] {
                    return my_ctc(classes, {1, 2});
                },
                one(0.3),
                {.mistakes = {{"a blank between labels that differ may be left out", one(0)}}});
    judge.equal(
        "two frames say nothing: the path 0 0", [&] { return my_ctc(classes, {}); }, one(0.02));
    judge.equal(
        "two frames cannot say 1 1",
        [&] {
            return my_ctc(two, {1, 1});
        },
        one(0));
    Rng rng(5);
    for (const std::vector<int>& labels :
         {std::vector<int>{1, 2, 3}, {2, 2, 1, 1}, {3}, {3, 1, 3, 1, 1, 2}}) {
        const Tensor p = softmax(normal({9, 4}, 0, 1, rng, Dtype::float64));
        const Indices row(labels, {1, std::ssize(labels)});
        judge.equal(
            fmt::format("nine random frames say {}", fmt::join(labels, " ")),
            [&] { return my_ctc(p, labels); },
            exp(-1.0 * ctc_loss(unsqueeze(log(p), 0), row, {}, {}, {.reduction = Reduction::sum})),
            {.tolerance = 1e-9});
    }
    judge.gradient("the gradient of the logarithm",
                   [](const auto& x) {
                       return log(my_ctc(softmax(x[0]), {1, 2, 2}));
                   },
                   {normal({6, 3}, 0, 1, rng, Dtype::float64)});
}
