#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.number("the work of the GRU layer", my_gru_work, 3145728,
                 {.tolerance = 1e-9,
                  .mistakes = {{"the state is multiplied by three matrices, too", 1572864},
                               {"this is one step; there are T of them", 98304},
                               {"a GRU has three pairs of matrices, not four", 4194304},
                               {"these are the numbers of the lesson, with D = 64", 786432}}});
    judge.number("the work of the attention layer", my_attention_work, 2359296,
                 {.tolerance = 1e-9,
                  .mistakes = {{"the scores and the mean of the values are missing", 2097152},
                               {"the scores and the mean of the values both count", 2228224},
                               {"the output matrix is missing: there are four matrices", 1835008},
                               {"these are the numbers of the lesson, with D = 64", 655360}}});
    judge.number(
        "where LSTM and attention cross", my_lstm_crossing, 256,
        {.tolerance = 1e-9,
         .formula = "set both works equal and divide by T D",
         .mistakes = {{"this is the crossing of the GRU; an LSTM does more work", 128},
                      {"the two sides of the last equation are exchanged", 64},
                      {"the mean of the values is missing: 2 T D for each position", 512}}});
    judge.number("the shortest path through two attention layers", my_way, 6,
                 {.tolerance = 1e-9,
                  .mistakes = {{"this is one layer", 3},
                               {"a layer counts as several operations here, not as one step", 2},
                               {"this is the longest chain, not the shortest path", 12}}});
    judge.number("the longest chain in two attention layers", my_waiting, 12,
                 {.tolerance = 1e-9,
                  .mistakes = {{"this is one layer", 6},
                               {"the division by the root of D is an operation, too", 10}}});
}
