#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"parameter_count", "VisionTransformer"});
    judge.number("the parameters with patches of 7 x 7", my_parameters_7, 3264,
                 {.tolerance = 1e-9,
                  .formula = "W, b, c and a vector e_n for each token",
                  .mistakes = {{"48 are missing: the bias, the class token or its position", 3216},
                               {"96 are missing: bias, class token and its position count", 3168},
                               {"the positions are missing", 2448},
                               {"every patch has a matrix of its own here; W is shared",
                                16 * 48 * 49 + 48 + 48 + 17 * 48},
                               {"W is a matrix for vectors of 7 numbers; a patch has 49",
                                48 * 7 + 48 + 48 + 17 * 48}}});
    judge.number("the parameters with patches of 14 x 14", my_parameters_14, 9744,
                 {.tolerance = 1e-9,
                  .formula = "W, b, c and a vector e_n for each token",
                  .mistakes = {{"48 are missing: the bias, the class token or its position", 9696},
                               {"there are fewer patches now, so fewer positions",
                                48 * 196 + 48 + 48 + 17 * 48},
                               {"a patch of 14 x 14 has 196 pixels", 48 * 49 + 48 + 48 + 5 * 48}}});
    judge.number("the scores of one head", my_scores_14, 25,
                 {.tolerance = 1e-9,
                  .mistakes = {{"the class token attends and is attended to as well", 16},
                               {"each token has a score with every token, not one score", 5},
                               {"this is the number with patches of 7 x 7", 289},
                               {"a token attends to itself, too", 20}}});
}
