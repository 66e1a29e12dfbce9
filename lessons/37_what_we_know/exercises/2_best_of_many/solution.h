#include <cmath>

#include "lessons/course/exercise/write.h"

double my_luck(int seeds, int bar) {
    double results = 1, sum = 0;  // results: with k heads
    for (int k = 0; k <= seeds; ++k) {
        if (k >= bar) sum += results;
        results *= static_cast<double>(seeds - k) / (k + 1);
    }
    return sum / std::pow(2, seeds);
}

double my_best(int ideas, int seeds, int bar) {
    return 1 - std::pow(1 - my_luck(seeds, bar), ideas);
}

int my_bar(int ideas, int seeds, double most) {
    int bar = 0;
    while (bar <= seeds && my_best(ideas, seeds, bar) > most) ++bar;
    return bar;
}
