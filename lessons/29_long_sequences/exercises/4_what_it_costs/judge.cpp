#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.number(
        "layers with a window of 64", my_layers, 64,
        {.tolerance = 1e-6,
         .mistakes = {
             {"a window of 64 to each side still moves only 64 steps in one direction", 32},
             {"63 layers do not reach far enough: round up", 63},
             {"the number of layers is a whole number: round up", 4095 / 64.},
             {"as if each layer moved one step", 4095}}});
    judge.number("features at which Performer costs as much", my_features, 2048,
                 {.tolerance = 1e-6,
                  .formula = "4 T M D = 2 T^2 D",
                  .mistakes = {{"Performer has twice as many terms: 4 in place of 2", 4096},
                               {"the factor is 4 / 2, not 4", 1024},
                               {"the width occurs on both sides and cancels", 32}}});
    judge.number("features for a fifth of the error", my_more_features, 1600,
                 {.tolerance = 1e-6,
                  .formula = "the error is proportional to 1 / sqrt(M)",
                  .mistakes = {{"the error falls as the root of M, not as M", 320},
                               {"the root is taken the wrong way", 64 * std::sqrt(5.)},
                               {"this is the factor, not the number of features", 25}}});
    judge.number(
        "layers with a global token", my_global_layers, 2,
        {.tolerance = 1e-6,
         .mistakes = {{"the last token does not see the first one itself; the global one does", 1},
                      {"the global token is read in the second layer already", 3},
                      {"the way through the window is no longer the shortest", 64}}});
}
