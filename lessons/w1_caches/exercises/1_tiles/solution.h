#include <algorithm>
#include <functional>

#include "lessons/course/exercise/write.h"

using Load = std::function<double(int row, int column)>;
using Store = std::function<void(int row, int column, double value)>;

// A tile of 4 by 4 sums stays in registers during the whole loop over k. Each k loads 4 + 4 numbers
// and makes 16 products of them: 0.5 loads a product. At the rim of C, the tile is smaller.
void my_product(const Load& A, const Load& B, const Store& C, int n, int m, int p) {
    constexpr int r = 4, v = 4;
    for (int i = 0; i < n; i += r)
        for (int j = 0; j < p; j += v) {
            const int rows = std::min(r, n - i), columns = std::min(v, p - j);
            double tile[r][v] = {};
            for (int k = 0; k < m; ++k) {
                double b[v];
                for (int y = 0; y < columns; ++y) b[y] = B(k, j + y);
                for (int x = 0; x < rows; ++x) {
                    const double a = A(i + x, k);
                    for (int y = 0; y < columns; ++y) tile[x][y] += a * b[y];
                }
            }
            for (int x = 0; x < rows; ++x)
                for (int y = 0; y < columns; ++y) C(i + x, j + y, tile[x][y]);
        }
}
