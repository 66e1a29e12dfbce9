// Says: Each product loads both of its numbers
#include <functional>

#include "lessons/course/exercise/write.h"

using Load = std::function<double(int row, int column)>;
using Store = std::function<void(int row, int column, double value)>;

void my_product(const Load& A, const Load& B, const Store& C, int n, int m, int p) {
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < p; ++j) {
            double sum = 0;
            for (int k = 0; k < m; ++k) sum += A(i, k) * B(k, j);
            C(i, j, sum);
        }
}
