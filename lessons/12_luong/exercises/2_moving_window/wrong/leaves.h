// Says: Such a window has to have begin equal to end
#include <algorithm>

#include "lessons/course/exercise/write.h"

struct Window {
    int begin, end;
};

Window my_window(int t, int K, int R) { return {std::max(t - R, 0), std::clamp(t + R + 1, 0, K)}; }

int my_scores(int K, int T, int R) {
    int count = 0;
    for (int t = 0; t < T; ++t) {
        const Window window = my_window(t, K, R);
        count += window.end - window.begin;
    }
    return count;
}
