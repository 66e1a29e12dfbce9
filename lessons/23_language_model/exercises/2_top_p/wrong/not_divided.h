// Says: what is kept is not divided by its sum
#include <algorithm>
#include <numeric>
#include <vector>

#include "lessons/course/exercise/write.h"

std::vector<double> my_top_p(const std::vector<double>& probabilities, double p) {
    std::vector<int> order(probabilities.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return probabilities[a] > probabilities[b]; });
    std::vector<double> kept(probabilities.size(), 0);
    double sum = 0;
    for (int place : order) {
        if (sum > 0 && sum >= p) break;
        kept[place] = probabilities[place];
        sum += probabilities[place];
    }
    for (double& probability : kept) probability /= 1;
    return kept;
}
