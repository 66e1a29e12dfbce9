#include "lessons/course/exercise/judge.h"

#include "lessons/course/exercise/curve.h"

#include HEED_ANSWER

namespace {

// Multiply-adds of a layer, as the lesson counts them.
double gru(double T, double D) { return 6 * T * D * D; }
double attention(double T, double D, double reads) { return 4 * T * D * D + 2 * T * reads * D; }

// On the longest chain: the query, the scores, their division, softmax, mean and output. The number
// of positions does not matter, because they do not wait for one another.
double waiting(double) { return 6; }

std::vector<double> plot(double first, double last, const std::function<double(double)>& f) {
    std::vector<double> y;
    for (double x = first; x <= last; x *= 2) y.push_back(f(x));
    return y;
}

}  // namespace

void judge(course::Judge& judge) {
    constexpr double D = 64;
    judge.choice("GRU: multiply-adds for a position", my_gru,
                 course::curve(plot(64, 1024, [](double T) { return gru(T, D) / T; })),
                 {{"this is right before the division: 6 T D^2 grows with T", "rises"},
                  {"to divide twice; 6 T D^2 is divided by T once", "falls"}});
    judge.choice(
        "attention: multiply-adds for a position", my_attention,
        course::curve(plot(64, 1024, [](double T) { return attention(T, D, T) / T; })),
        {{"to count the four matrices only; each position also reads T keys and T values", "flat"},
         {"to divide twice; 2 T^2 D is divided by T once", "falls"}});
    judge.choice("attention with a window: multiply-adds for a position", my_window,
                 course::curve(plot(64, 1024, [](double T) { return attention(T, D, 32) / T; })),
                 {{"to let each position read all T positions; it reads 32", "rises"},
                  {"to divide by T a number that is for one position already", "falls"}});
    judge.choice(
        "attention: the longest chain", my_waiting, course::curve(plot(64, 1024, waiting)),
        {{"to take the work for the waiting; more scores are more work, but none of them "
          "waits for another",
          "rises"},
         {"to expect less waiting in longer sequences; count the operations from the query "
          "to the output",
          "falls"}});
    judge.choice(
        "the weight of the first state", my_share,
        course::curve(plot(64, 1024,
                           [](double T) {
                               const Tensor weights = softmax(zeros({static_cast<int64_t>(T)}));
                               return select(weights, 0, 0).item();
                           })),
        {{"to take the distance for the number of inputs; the distance does not matter, but "
          "all weights sum to 1",
          "flat"},
         {"to turn the share around; T weights sum to 1", "rises"}});
    judge.choice(
        "attention over GRU, against the width", my_width,
        course::curve(plot(
            16, 1024, [](double width) { return attention(256, width, 256) / gru(256, width); })),
        {{"to compare with the length: here D grows, and 6 T D^2 grows faster than 2 T^2 D",
          "rises"},
         {"to cancel D everywhere; in 2 T^2 D it occurs once, in 6 T D^2 twice", "flat"}});
    double twice = 1;
    while (attention(twice, D, twice) < 2 * gru(twice, D)) ++twice;
    judge.number(
        "where attention needs twice the work", my_twice, twice,
        {.formula = "4 T D^2 + 2 T^2 D = 2 * 6 T D^2",
         .mistakes = {{"this is T = D, where both need the same", D},
                      {"this is twice the T where both are equal; attention does not begin "
                       "at 0",
                       2 * D},
                      {"the four matrices are left out: 2 T D = 12 D^2", 6 * D}}});
}
