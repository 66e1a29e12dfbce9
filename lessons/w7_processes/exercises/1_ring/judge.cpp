#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.number(
        "million bytes that a process sends", my_sent, 6,
        {.tolerance = 0.001,
         .formula = "2 (n - 1) / n times the bytes of the gradient",
         .mistakes = {{"the ring goes round twice: once to add, once to pass the sums on", 3},
                      {"only one chunk is sent in a step of the ring, not the whole gradient", 12},
                      {"only one chunk is sent in a step of the ring, not the whole gradient", 24},
                      {"the own chunk is not sent: n - 1 steps in each round", 8},
                      {"each number takes 4 bytes", 1.5},
                      {"this is the whole gradient, sent once", 4}}});
    judge.choice(
        "the ring: bytes divided by (n - 1) / n", my_curve, "flat",
        {{"this is right before the division: 2 (n - 1) / n times the gradient", "rises"},
         {"to divide the gradient among the processes, as the work; its chunks get smaller, but "
          "there are more steps",
          "falls"}});
}
