#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    const double P = 12. * 128 * 128 * 6 / 1e6, fixed = 16 * P;
    judge.number("million bytes of parameters, gradients and optimiser", my_fixed, fixed,
                 {.tolerance = 0.01,
                  .mistakes = {{"these are the parameters only", 4 * P},
                               {"Adam keeps two running means for each parameter, not one", 12 * P},
                               {"the state of Adam is missing", 8 * P},
                               {"these are numbers; each takes 4 bytes", P},
                               {"this is one layer of six", fixed / 6},
                               {"one million is 10^6 here, not 2^20", fixed * 1e6 / 1048576}}});
    const double all = 4. * 17 * 8 * 256 * 128 * 6 / 1e6;
    judge.number("million bytes of activations", my_activations, all,
                 {.tolerance = 0.01,
                  .formula = "4 c B T D L",
                  .mistakes = {{"these are numbers; each takes 4 bytes", all / 4},
                               {"this is one sequence of eight", all / 8},
                               {"this is one layer of six", all / 6},
                               {"each layer keeps 17 vectors for each token, not one", all / 17},
                               {"one million is 10^6 here, not 2^20", all * 1e6 / 1048576}}});
    judge.number("vectors for each token with eight checkpoints", my_vectors, 59,
                 {.tolerance = 0.001,
                  .formula = "n + c L / n",
                  .mistakes = {{"the kept inputs of the pieces are missing", 51},
                               {"a piece has 24 / 8 layers with 17 vectors each", 25},
                               {"this is c = 1; a layer keeps 17 vectors", 11},
                               {"only one piece at a time has its activations", 416},
                               {"this is the number without checkpoints", 408},
                               {"an input of a piece is one vector for each token, not 17", 187}}});
}
