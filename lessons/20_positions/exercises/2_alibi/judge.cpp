#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"alibi_bias", "alibi_slopes", "RelativePositions"});
    judge.equal("the slopes of four heads: 1/4, 1/16, 1/64, 1/256",
                [] { return tensor(my_slopes(4)); }, tensor(alibi_slopes(4)),
                {.formula = "m_h = 2^(-8 h / H), h = 1, ..., H",
                 .mistakes = {{"the heads are counted from 0: the first slope is not 1",
                               tensor({1, 0.25, 1. / 16, 1. / 64})},
                              {"the slopes halve from head to head, whatever H is",
                               tensor({0.5, 0.25, 0.125, 0.0625})},
                              {"the slopes are in the opposite order: the first head looks at near "
                               "tokens",
                               tensor({1. / 256, 1. / 64, 1. / 16, 1. / 4})}}});
    judge.equal(
        "those of sixteen heads: their exponents are not whole numbers",
        [] { return tensor(my_slopes(16)); }, tensor(alibi_slopes(16)),
        {.formula = "m_h = 2^(-8 h / H), h = 1, ..., H",
         .mistakes = {{"-8 / H is a division of whole numbers, which gives 0 here", ones({16})}}});
    judge.equal(
        "those of eight heads", [] { return tensor(my_slopes(8)); }, tensor(alibi_slopes(8)));
    judge.equal(
        "those of two heads", [] { return tensor(my_slopes(2)); }, tensor(alibi_slopes(2)));
    judge.equal(
        "the slope of one head", [] { return tensor(my_slopes(1)); }, tensor(alibi_slopes(1)));
    judge.equal(
        "one query, three keys: the first of four heads",
        [] { return select(my_penalties(4, 1, 3), 0, 0); }, tensor({-0.5, -0.25, 0}, {1, 3}),
        {.formula = "-m |t - j|, where t = K - Q + i is the position of the query",
         .mistakes = {
             {"a penalty is subtracted from the score, not added", tensor({0.5, 0.25, 0}, {1, 3})},
             {"the query is the last token, not the first", tensor({0, -0.25, -0.5}, {1, 3})},
             {"the penalties are divided by the number of keys",
              tensor({-0.5 / 3, -0.25 / 3, 0}, {1, 3})},
             {"the distance is squared", tensor({-1, -0.25, 0}, {1, 3})}}});
    judge.equal("four queries and four keys, two heads", [] { return my_penalties(2, 4, 4); },
                alibi_bias(2, 4, 4),
                {.mistakes = {{"a later key has a distance, too: it is |t - j|, never negative",
                               expand(unsqueeze(unsqueeze(arange(4), 0), 0) -
                                          unsqueeze(unsqueeze(arange(4), 1), 0),
                                      {2, 4, 4}) *
                                   reshape(tensor(alibi_slopes(2)), {2, 1, 1})}}});
    judge.equal("three queries, seven keys, eight heads", [] { return my_penalties(8, 3, 7); },
                alibi_bias(8, 3, 7), {.formula = "query i stands at position K - Q + i"});
    judge.equal(
        "the weights of the lesson: 0.254, 0.326 and 0.419",
        [] { return softmax(select(select(my_penalties(4, 1, 3), 0, 0), 0, 0)); },
        softmax(tensor({-0.5, -0.25, 0})));
}
