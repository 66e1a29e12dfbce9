#include "lessons/course/exercise/judge.h"

#include <algorithm>
#include <vector>

#include HEED_ANSWER

// A product in a memory that counts.
struct Counted {
    Tensor result;                    // 0 where nothing was stored
    std::string not_stored = "none";  // the first such element
    int64_t loads_of_a = 0, loads_of_b = 0, stores = 0;
    double loads(int n, int m, int p) const {  // for each product of two numbers
        return static_cast<double>(loads_of_a + loads_of_b) / (1.0 * n * m * p);
    }
};

Counted counted(const Tensor& A, const Tensor& B) {
    const int n = static_cast<int>(A.size(0)), m = static_cast<int>(A.size(1)),
              p = static_cast<int>(B.size(1));
    const std::vector<double> a = A.to_vector(), b = B.to_vector();
    std::vector<double> c(static_cast<std::size_t>(n) * p, 0.0);
    std::vector<bool> stored(c.size(), false);
    Counted count;
    const auto inside = [](int row, int column, int rows, int columns, const char* name) {
        check(row >= 0 && row < rows && column >= 0 && column < columns,
              "{} has {} rows and {} columns, and you asked for row {}, column {}", name, rows,
              columns, row, column);
    };
    my_product(
        [&](int i, int k) {
            inside(i, k, n, m, "A");
            ++count.loads_of_a;
            return a[i * m + k];
        },
        [&](int k, int j) {
            inside(k, j, m, p, "B");
            ++count.loads_of_b;
            return b[k * p + j];
        },
        [&](int i, int j, double value) {
            inside(i, j, n, p, "C");
            ++count.stores;
            c[i * p + j] = value;
            stored[i * p + j] = true;
        },
        n, m, p);
    if (const auto first = std::find(stored.begin(), stored.end(), false); first != stored.end())
        count.not_stored = fmt::format("row {}, column {}", (first - stored.begin()) / p,
                                       (first - stored.begin()) % p);
    count.result = tensor(c, {n, p}, Dtype::float64);
    return count;
}

void judge(course::Judge& judge) {
    judge.own({"matmul", "dot", "einsum", "linear", "malloc"});
    Rng rng(1);
    const auto random = [&](int rows, int columns) {
        return normal({rows, columns}, 0, 1, rng, Dtype::float64);
    };
    const auto all_stored = [&](const std::string& what, const Tensor& A, const Tensor& B) {
        judge.equal(
            what + ": elements of C that are never stored",
            [&] { return counted(A, B).not_stored; }, "none");
    };
    const Tensor amounts = tensor({1, 2, 3, 2, 0, 1}, {2, 3}, Dtype::float64),
                 prices = tensor({3, 4, 1, 2, 2, 1}, {3, 2}, Dtype::float64);
    all_stored("two persons and two shops", amounts, prices);
    judge.equal("what the two persons of the lesson pay in the two shops: 11, 11, 8 and 9",
                [&] { return counted(amounts, prices).result; },
                tensor({11, 11, 8, 9}, {2, 2}, Dtype::float64),
                {.formula = "C_ij = sum over k of A_ik B_kj"});
    const Tensor A = random(32, 20), B = random(20, 48);
    all_stored("32 rows and 48 columns", A, B);
    judge.equal("32 rows, 20 products each, 48 columns", [&] { return counted(A, B).result; },
                matmul(A, B), {.formula = "C_ij = sum over k of A_ik B_kj"});
    const Tensor odd_a = random(13, 9), odd_b = random(9, 11);
    all_stored("13 rows and 11 columns", odd_a, odd_b);
    judge.equal("13 rows and 11 columns, where tiles do not fit",
                [&] { return counted(odd_a, odd_b).result; }, matmul(odd_a, odd_b),
                {.formula = "a tile at the rim of C has fewer rows or columns"});
    const Tensor row = random(1, 5), column = random(5, 1);
    all_stored("a single row and a single column", row, column);
    judge.equal(
        "a single row times a single column", [&] { return counted(row, column).result; },
        matmul(row, column));
    judge.holds(
        "each element of C is stored once", [&] { return counted(A, B).stores == 32 * 48; },
        "There are more stores than elements of C. Keep the sums of a tile in registers "
        "until the loop over k has ended.");
    all_stored("m = 0", random(3, 0), random(0, 2));
    judge.equal(
        "m = 0: sums of nothing, which are 0",
        [&] { return counted(random(3, 0), random(0, 2)).result; }, zeros({3, 2}, Dtype::float64));
    const auto loads = [&] { return counted(A, B).loads(32, 20, 48); };
    judge.holds(
        "not two loads for each product", [&] { return loads() < 1.9; },
        "Each product loads both of its numbers. This is the plain program. A mistake that "
        "many make: blocks only in the order of the loops, and no number kept.");
    judge.holds(
        "not one load for each product", [&] { return loads() < 0.95; },
        "One of the two numbers is kept, and the other one is loaded for each product. A "
        "tile that is one number wide or high has (r + 1) / r loads for each product.");
    judge.holds(
        "at most 0.55 loads for each product", [&] { return loads() <= 0.55; },
        "The tile is too small: (r + v) / (r v) should be 0.5.");
    // All of A or of B in registers would need less than any tile of 64 numbers can reach.
    judge.holds(
        "no more than 64 numbers in registers",
        [&] { return counted(A, B).loads(32, 20, 48) >= 0.24; },
        "So few loads are possible only if more than 64 numbers are kept.");
}
