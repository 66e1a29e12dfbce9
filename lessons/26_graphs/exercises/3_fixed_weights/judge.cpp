#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.number(
        "y_1 of three papers", my_y1, 1 / std::sqrt(6.) + 2,
        {.tolerance = 0.003,
         .formula = "y_i = sum over the edges to i of x_j / sqrt(d_i d_j)",
         .mistakes = {{"this is the plain mean of the neighbours", 2.5},
                      {"the self-loop is missing in the sum", 1 / std::sqrt(6.)},
                      {"the self-loops are not counted among the edges", 4 + 1 / std::sqrt(2.)},
                      {"the root is missing", 1. / 6 + 1},
                      {"each weight has the edges of paper 1 only", 5 / std::sqrt(2.)},
                      {"this is y_0; asked is paper 1", 1. / 3 + 11 / std::sqrt(6.)}}});
    judge.number("the ratio after very many convolutions", my_ratio, std::sqrt(1.5),
                 {.tolerance = 0.005,
                  .mistakes = {{"to expect equal numbers; these weights do not sum to 1", 1},
                               {"the ratio of the numbers of edges; the root is missing", 1.5},
                               {"the ratio is upside down", std::sqrt(2. / 3)},
                               {"the self-loops are not counted among the edges", std::sqrt(2.)}}});
    judge.number(
        "the ratio after very many means", my_ratio_of_means, 1,
        {.tolerance = 0.005,
         .mistakes = {{"this holds for the graph convolution; the weights of a mean sum to 1",
                       std::sqrt(1.5)},
                      {"the ratio of the numbers of edges: more neighbours do not make a mean "
                       "larger",
                       1.5}}});
}
