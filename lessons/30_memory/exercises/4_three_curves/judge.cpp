#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.choice(
        "12 layers, c = 17: bytes against the number of pieces", my_first, "falls",
        {{"the rule of sqrt(L), which holds for c = 1: compute n + c L / n at 3 and at 12",
          "valley"},
         {"to count the kept inputs only; a piece has c L / n vectors, too", "rises"},
         {"to expect that both terms balance; compute n + c L / n at 1 and at 12", "flat"}});
    judge.choice(
        "100 layers, c = 4: bytes against the number of pieces", my_second, "valley",
        {{"to expect the first plot again: compute n + c L / n at 20 and at 100", "falls"},
         {"to count the kept inputs only; a piece has c L / n vectors, too", "rises"},
         {"to expect that both terms balance; compute n + c L / n at 1 and at 20", "flat"}});
    judge.number("where the second curve is lowest", my_lowest, 20,
                 {.tolerance = 1e-6,
                  .formula = "n + c L / n",
                  .mistakes = {{"this is sqrt(L), the rule for c = 1", 10},
                               {"this is sqrt(L) / sqrt(c): the factor c is at the other end", 5},
                               {"this has the smallest pieces, but 100 inputs are kept", 100}}});
    judge.choice(
        "reversible layers: bytes of activations against the depth", my_third, "flat",
        {{"this holds for ordinary layers; here an input is computed from the output", "rises"},
         {"to confuse depth with the number of pieces", "falls"},
         {"to confuse depth with the number of pieces", "valley"}});
}
