#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"linear_attention", "linear_attention_definition", "linear_attention_parallel",
               "LinearAttention"});
    const auto d64 = Dtype::float64;
    const Tensor S = tensor({1, 5}, {2, 1}, d64), ada = tensor({1, 0}, {1, 2}, d64),
                 two = tensor({2}, {1, 1}, d64);
    judge.given({{"S", S}, {"k", ada}, {"v", two}});
    judge.equal("Ada moves from 1 to 2, beta 1", [&] { return my_delta(S, ada, two, 1); },
                tensor({2, 5}, {2, 1}, d64),
                {.formula = "1 + 1 * (2 - 1), and 5 stays",
                 .mistakes = {{"the value was added to the old one; subtract what the key reads",
                               tensor({3, 5}, {2, 1}, d64)},
                              {"the difference has the wrong sign", tensor({0, 5}, {2, 1}, d64)}}});
    judge.equal("beta 0.5: half of the way", [&] { return my_delta(S, ada, two, 0.5); },
                tensor({1.5, 5}, {2, 1}, d64),
                {.mistakes = {{"beta is not used", tensor({2, 5}, {2, 1}, d64)},
                              {"beta multiplies the value only, not the difference",
                               tensor({1, 5}, {2, 1}, d64)}}});
    Rng rng(1);
    const Tensor state = normal({3, 2}, 0, 1, rng, d64), k = normal({1, 3}, 0, 1, rng, d64),
                 v = normal({1, 2}, 0, 1, rng, d64);
    const Tensor read = matmul(k, state);
    judge.equal(
        "a random state, beta 0.7", [&] { return my_delta(state, k, v, 0.7); },
        state + matmul(transpose(k), v - read) * 0.7);
    judge.gradient("its gradient", [](const auto& x) { return my_delta(x[0], x[1], x[2], 0.7); },
                   {state, k, v});
    const Tensor long_key = tensor({3, 0, 4}, {1, 3}, d64);
    const Tensor held = matmul(long_key, state);
    judge.given({{"S", state}, {"k", long_key}});
    judge.equal("the key (3, 0, 4) is erased: it reads 0",
                [&] { return matmul(long_key, my_erase(state, long_key)); }, zeros({1, 2}, d64),
                {.mistakes = {{"beta = 1 is right for keys of length 1; this one has length 5",
                               held * (1 - 25.0)},
                              {"divide by the square of the length of the key, not by its length",
                               held * (1 - 25.0 / 5)}}});
    const Tensor across = tensor({4, 2, -3}, {1, 3}, d64);
    judge.equal(
        "a key at right angles reads what it read before",
        [&] { return matmul(across, my_erase(state, long_key)); }, matmul(across, state),
        {.mistakes = {{"everything is gone, not only what this key reads", zeros({1, 2}, d64)}}});
}
