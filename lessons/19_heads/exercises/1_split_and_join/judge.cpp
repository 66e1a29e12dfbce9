#include "lessons/course/exercise/judge.h"

void judge(Judge& judge) {
    judge.own({"split_heads", "join_heads", "MultiHead"});
    Rng rng(1);
    const auto numbers = [](int64_t n, const Shape& shape) {
        std::vector<double> all;
        for (int64_t i = 1; i <= n; ++i) all.push_back(static_cast<double>(i));
        return tensor(all, shape);
    };
    const Tensor two = numbers(8, {1, 2, 4});
    judge.equal("(1, 2, 3, 4) and (5, 6, 7, 8) for two heads",
                [&] { return my_split_heads(two, 2); },
                tensor({1, 2, 5, 6, 3, 4, 7, 8}, {1, 2, 2, 2}),
                {.formula = "head h of token t has the numbers h D/H to (h + 1) D/H - 1 of x_t",
                 .mistakes = {{"a reshape alone: head 0 gets the whole first token, and head 1 the "
                               "second",
                               numbers(8, {1, 2, 2, 2})},
                              {"every second number goes to the same head; a head owns neighbours",
                               tensor({1, 3, 5, 7, 2, 4, 6, 8}, {1, 2, 2, 2})}}});
    const Tensor x = normal({2, 5, 12}, 0, 1, rng);
    MultiHead heads({.width = 12, .heads = 3}, rng);
    const Tensor parts = heads.split_heads(x);
    judge.equal("two sequences of five tokens, three heads", [&] { return my_split_heads(x, 3); },
                parts);
    judge.equal("the way back", [&] { return my_join_heads(parts); }, x,
                {.formula = "x_t is the numbers of head 0, then those of head 1, ...",
                 .mistakes = {{"the heads are joined without exchanging the axes back",
                               reshape(parts, {2, 5, 12})}}});
    judge.equal("four heads of width 3, there and back",
                [&] { return my_join_heads(my_split_heads(x, 4)); }, x);
    judge.gradient("the gradient", [](const auto& in) { return my_split_heads(in[0], 4); }, {x});
}
