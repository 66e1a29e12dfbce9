// Matrix products against three plain loops: odd sizes, every layout, and the same bits with one
// thread and with two.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "autograd/base/parallel.h"
#include "autograd/kernels/gemm_blocked.h"
#include "autograd/kernels/gemm_layout.h"
#include "tests/catch.h"

using namespace heed;

namespace {

enum class MatrixLayout {
    rows,
    columns,
    strided,
    one_row
};  // row-major, column-major, neither, repeated

// A matrix with its memory. What lies between its elements is NaN: reading it spoils the result,
// and writing it is found out.
template <class T>
struct Owned {
    std::vector<T> memory;
    Matrix<T> matrix;

    Owned(int64_t rows, int64_t columns, MatrixLayout layout, std::mt19937& random) {
        int64_t row_stride = columns + 3, column_stride = 1;
        if (layout == MatrixLayout::columns) row_stride = 1, column_stride = rows + 5;
        if (layout == MatrixLayout::strided) row_stride = 2 * columns + 7, column_stride = 2;
        if (layout == MatrixLayout::one_row) row_stride = 0;
        const int64_t last = std::max<int64_t>(rows - 1, 0) * row_stride +
                             std::max<int64_t>(columns - 1, 0) * column_stride;
        memory.assign(last + 1, std::numeric_limits<T>::quiet_NaN());
        matrix = {memory.data(), rows, columns, row_stride, column_stride};
        std::uniform_real_distribution<T> uniform(-1, 1);
        for (int64_t i = 0; i < rows; ++i)
            for (int64_t j = 0; j < columns; ++j) at(i, j) = uniform(random);
    }
    Owned(const Owned& other) : memory(other.memory), matrix(other.matrix) {
        matrix.data = memory.data();
    }
    T& at(int64_t i, int64_t j) { return memory[i * matrix.row_stride + j * matrix.column_stride]; }
    Matrix<const T> input() const {
        return {memory.data(), matrix.rows, matrix.columns, matrix.row_stride,
                matrix.column_stride};
    }
    int64_t holes() const {
        return std::count_if(memory.begin(), memory.end(), [](T x) { return std::isnan(x); });
    }
};

// The largest error of C in units of rounding, where the scale of an element is sum |a| |b| + |start| +
// |bias|.
template <class T>
double error(Owned<T>& a, Owned<T>& b, Owned<T>& before, Owned<T>& after, bool accumulate,
             const T* bias) {
    double worst = 0;
    for (int64_t i = 0; i < a.matrix.rows; ++i)
        for (int64_t j = 0; j < b.matrix.columns; ++j) {
            const double start = accumulate ? before.at(i, j) : 0, added = bias ? bias[j] : 0;
            double exact = start + added;
            double scale = std::abs(start) + std::abs(added) + 1e-30;
            for (int64_t p = 0; p < a.matrix.columns; ++p) {
                const double term = static_cast<double>(a.at(i, p)) * b.at(p, j);
                exact += term;
                scale += std::abs(term);
            }
            const double e = std::abs(after.at(i, j) - exact) / scale;
            if (!(e <= worst)) worst = e;  // a NaN stays
        }
    return worst / std::numeric_limits<T>::epsilon();
}

template <class T>
void check_product(int64_t m, int64_t n, int64_t k, MatrixLayout layout_a, MatrixLayout layout_b,
                   MatrixLayout layout_c, bool accumulate, bool with_bias, std::mt19937& random) {
    Owned<T> a(m, k, layout_a, random), b(k, n, layout_b, random), c(m, n, layout_c, random);
    std::vector<T> bias(n + 1);
    for (T& x : bias) x = std::uniform_real_distribution<T>(-1, 1)(random);
    const T* added = with_bias ? bias.data() : nullptr;
    Owned<T> before = c, plain = c;
    gemm(a.input(), b.input(), c.matrix, accumulate, added);
    gemm_definition(a.input(), b.input(), plain.matrix, accumulate, added);
    INFO(sizeof(T) * 8 << " bits, [" << m << ", " << k << "] x [" << k << ", " << n << "], layouts "
                       << int(layout_a) << int(layout_b) << int(layout_c) << ", accumulate "
                       << accumulate << ", bias " << with_bias);
    const double worst = error(a, b, before, c, accumulate, added);
    CHECK(worst <= 2 + 0.5 * std::sqrt(double(k)) * 4);
    CHECK(error(a, b, before, plain, accumulate, added) <= 4 + k);
    CHECK(c.holes() == before.holes());
    if (accumulate || with_bias) return;
    Owned<T> blocked = before;
    gemm_blocked(a.input(), b.input(), blocked.matrix);
    CHECK(error(a, b, before, blocked, accumulate, added) <= 4 + k);
    CHECK(blocked.holes() == before.holes());
}

template <class T>
void check_all_layouts(int64_t m, int64_t n, int64_t k, std::mt19937& random) {
    for (MatrixLayout a :
         {MatrixLayout::rows, MatrixLayout::columns, MatrixLayout::strided, MatrixLayout::one_row})
        for (MatrixLayout b : {MatrixLayout::rows, MatrixLayout::columns, MatrixLayout::strided,
                               MatrixLayout::one_row})
            for (MatrixLayout c :
                 {MatrixLayout::rows, MatrixLayout::columns, MatrixLayout::strided})
                for (int way = 0; way < 4; ++way)
                    check_product<T>(m, n, k, a, b, c, way & 1, way & 2, random);
}

}  // namespace

TEST_CASE("gemm: every layout, at odd sizes, zero and one", "[gemm]") {
    std::mt19937 random(1);
    const int64_t sizes[][3] = {{0, 3, 4},   {3, 0, 4},  {3, 4, 0},   {1, 1, 1},   {1, 1, 50},
                                {1, 50, 1},  {50, 1, 1}, {1, 33, 20}, {2, 70, 40}, {37, 1, 20},
                                {5, 7, 3},   {3, 17, 9}, {15, 16, 8}, {14, 32, 5}, {13, 31, 33},
                                {29, 65, 2}, {64, 9, 31}};
    for (const auto [m, n, k] : sizes) {
        check_all_layouts<float>(m, n, k, random);
        check_all_layouts<double>(m, n, k, random);
    }
}

TEST_CASE("gemm: products larger than a block", "[gemm]") {
    std::mt19937 random(2);
    const int64_t sizes[][3] = {{150, 140, 600}, {300, 2100, 7},  {9, 300, 700},
                                {500, 33, 260},  {1600, 260, 33}, {260, 40, 1500}};
    for (const auto [m, n, k] : sizes)
        for (MatrixLayout a : {MatrixLayout::rows, MatrixLayout::columns, MatrixLayout::strided})
            for (MatrixLayout b : {MatrixLayout::rows, MatrixLayout::columns})
                for (MatrixLayout c : {MatrixLayout::rows, MatrixLayout::columns})
                    for (int way = 0; way < 4; ++way)
                        check_product<float>(m, n, k, a, b, c, way & 1, way & 2, random);
}

TEST_CASE("gemm: random sizes", "[gemm]") {
    std::mt19937 random(3);
    auto draw = [&](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
    for (int round = 0; round < 400; ++round) {
        const int64_t m = draw(80), n = draw(80), k = draw(80);
        const MatrixLayout a{draw(3)}, b{draw(3)}, c{draw(2)};
        check_product<float>(m, n, k, a, b, c, draw(1), draw(1), random);
        check_product<double>(m, n, k, a, b, c, draw(1), draw(1), random);
    }
}

TEST_CASE("gemm_batched: steps, a shared operand, and adding all up", "[gemm]") {
    std::mt19937 random(4);
    const int64_t count = 5, m = 6, n = 18, k = 7;
    Owned<float> a(count * m, k, MatrixLayout::rows, random),
        b(count * k, n, MatrixLayout::rows, random);
    for (bool share_b : {false, true})
        for (bool add_up : {false, true}) {
            Owned<float> c(count * m, n, MatrixLayout::rows, random), expected = c;
            const int64_t b_step = share_b ? 0 : k * b.matrix.row_stride;
            const int64_t c_step = add_up ? 0 : m * c.matrix.row_stride;
            auto item = [&](auto x, int64_t rows, int64_t step, int64_t i) {
                x.rows = rows;
                x.data += i * step;
                return x;
            };
            const int64_t a_step = m * a.matrix.row_stride;
            gemm_batched(count, item(a.input(), m, 0, 0), a_step, item(b.input(), k, 0, 0), b_step,
                         item(c.matrix, m, 0, 0), c_step, add_up);
            for (int64_t i = 0; i < count; ++i)
                gemm(item(a.input(), m, a_step, i), item(b.input(), k, b_step, i),
                     item(expected.matrix, m, c_step, i), add_up);
            CHECK(std::memcmp(c.memory.data(), expected.memory.data(), c.memory.size() * 4) == 0);
        }
}

TEST_CASE("panels of a product are filled up with zeros", "[gemm]") {
    constexpr int64_t k = 5, columns = 19, width = 32;
    // Column-major, so that it is transposed on the way. What lies behind it is NaN.
    std::vector<float> memory(2 * k * width, std::numeric_limits<float>::quiet_NaN());
    for (int64_t i = 0; i < k * columns; ++i) memory[i] = static_cast<float>(i);
    for (const bool column_major : {true, false}) {
        INFO((column_major ? "column-major" : "row-major"));
        const Matrix<const float> x{memory.data(), k, columns, column_major ? 1 : columns,
                                    column_major ? k : 1};
        GrowingBuffer<float> buffer;
        const Panels<float> panels = pack(x, width, buffer, 1);
        for (int64_t p = 0; p < k; ++p)
            for (int64_t i = 0; i < width; ++i) {
                const float expected =
                    i < columns ? x.data[p * x.row_stride + i * x.column_stride] : 0.0f;
                CHECK(panels[0].data[p * panels[0].row + i * panels[0].column] == expected);
            }
    }
}

TEST_CASE("gemm: the same bits with any number of threads", "[gemm]") {
    std::mt19937 random(5);
    const int64_t sizes[][3] = {{128, 128, 128}, {300, 270, 530}, {33, 1000, 90},
                                {1000, 40, 90},  {3, 1000, 700},  {64, 768, 64},
                                {700, 3, 600},   {1600, 300, 40}, {300, 430, 1100}};
    for (const auto [m, n, k] : sizes)
        for (MatrixLayout layout_a : {MatrixLayout::rows, MatrixLayout::columns})
            for (MatrixLayout layout_b : {MatrixLayout::rows, MatrixLayout::columns}) {
                Owned<float> a(m, k, layout_a, random), b(k, n, layout_b, random);
                Owned<float> one(m, n, MatrixLayout::rows, random);
                for (int count : {1, 2, 3}) {
                    Owned<float> c = one;
                    set_threads(count);
                    gemm(a.input(), b.input(), count == 1 ? one.matrix : c.matrix);
                    gemm_batched(2, a.input(), 0, b.input(), 0, c.matrix, 0);
                    INFO(m << " " << n << " " << k << ", threads " << count);
                    CHECK(std::memcmp(c.memory.data(), one.memory.data(), c.memory.size() * 4) ==
                          0);
                }
                set_threads(0);
            }
}
