//! # Tensors, and the order of three loops
//!
//! The inputs of a network, its weights, its states and its outputs are all *tensors*: blocks of
//! numbers with axes. A sentence of 20 words, each described by 64 numbers, is a tensor of shape
//! [20, 64]; a batch of 32 such sentences has shape [32, 20, 64]. A matrix is a tensor of two axes,
//! a vector has one, a single number none. In the code of all lessons, shapes stand beside the
//! tensors in letters: that batch is [B, T, D], with T for time and D for the width of a word.
//!
//! Networks spend nearly all of their time in one operation, the product of matrices. This lesson
//! explains both, the tensor and the product. The product is one line of arithmetic inside three
//! loops. Depending on the order of the loops, the program is slow or many times faster, and the
//! reason is the order in which the numbers lie in memory.

#include "autograd/autograd.h"
#include "autograd/base/pool.h"
#include "autograd/kernels/vec.h"
#include "lessons/01_tensors/measure.h"
#include "lessons/course/course.h"
#include "lessons/course/lesson/memory.h"

using namespace heed;
using namespace heed::course;

namespace {

//! ## One row of numbers, many views
//!
//! Memory has one axis only. A tensor is therefore a row of numbers together with its *strides*,
//! which say for each axis how far apart in memory two neighbouring elements are:
//!
//! $$ \text{position of } x_{ij} = \text{start} + i \, s_0 + j \, s_1 . $$
//!
//! A fresh tensor of shape [4, 6] has strides [6, 1]: row after row. Exchange the strides, and rows
//! become columns without touching a number. Double one, and every second column is skipped. Set
//! one to 0, and the same row is repeated. A tensor with other strides over the same memory is a
//! *view*. In the maps below each number of $x$ is its own position in memory.
HeatMap map_of(const std::string& title, const Tensor& x) {
    HeatMap map{.title = title, .values = x.to_vector(), .high = 32, .value_name = "position"};
    for (int i = 0; i < x.size(0); ++i) map.row_labels.push_back(std::to_string(i));
    for (int j = 0; j < x.size(1); ++j) map.column_labels.push_back(std::to_string(j));
    return map;
}

void look_at_views(Lesson& lesson) {
    const Tensor x = reshape(arange(24), {4, 6}), row = slice(x, 0, 2, 3);
    const std::vector maps{map_of("x: [6, 1]", x), map_of("transposed: [1, 6]", transpose(x)),
                           map_of("every second column: [6, 2]", slice(x, 1, 1, 6, 2)),
                           map_of("row 2, three times: [0, 1]", expand(row, {3, 6}))};
    lesson.show("views", maps, "24 numbers in a row, seen by four pairs of strides.");

    //! Now we take a million numbers and count bytes. A view stores a shape, strides and a start,
    //! so it is as small for a large tensor as for a small one. But no strides can describe the
    //! elements of a transpose, *in its own order*, as one long row. That needs a copy.
    Rng rng(lesson.seed());
    Tensor big = normal({1000, 1000}, 0, 1, rng);
    const Tensor corner = slice(slice(big, 0, 0, 1), 1, 0, 1), transposed = transpose(big);
    Table table({"view", "shape", "strides", "bytes"});
    const auto bytes_of = [&](const std::string& name, auto make) {
        const std::size_t before = memory_use().in_use;
        const Tensor y = make();
        const std::size_t bytes = memory_use().in_use - before;
        table.row(name, to_string(y.shape()), to_string(y.strides()), bytes);
        return static_cast<double>(bytes);
    };
    double views = bytes_of("transpose", [&] { return transpose(big); });
    views += bytes_of("a billion times", [&] { return expand(corner, {31623, 31623}); });
    const double copy = bytes_of("transpose, flattened", [&] { return flatten(transposed); });
    lesson.table(table,
                 "Bytes that each view takes, in addition to the 4,000,000 of the tensor itself.");
    lesson.claim("bytes taken by the two views together", views, at_most(3000));
    lesson.claim("bytes taken by flattening the transpose", copy, at_least(4e6));

    big.edit<float>()[999] = 42;  // the last number of row 0
    lesson.claim("a number written to x appears in its transpose", transposed.at({999, 0}) == 42,
                 is_true());
}

//! ## Broadcasting: a stride of 0
//!
//! What is [5, 1, 7] plus [4, 1]? Shapes are aligned at their last axis. Along an axis of size 1
//! the tensor is repeated, which is a stride of 0:
//!
//! $$ (x + y)_{ijk} = x_{i 0 k} + y_{j 0}, \qquad [5, 1, 7] + [4, 1] \to [5, 4, 7]. $$
//!
//! Nothing is copied, and we need not write a loop. The loop below is there to compare.
void broadcast_against_the_loop(Lesson& lesson) {
    Rng rng(lesson.seed());
    const Tensor x = normal({5, 1, 7}, 0, 1, rng), y = normal({4, 1}, 0, 1, rng), sum = x + y;
    double gap = 0;
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 4; ++j)
            for (int k = 0; k < 7; ++k) {
                const float loop = static_cast<float>(x.at({i, 0, k}) + y.at({j, 0}));
                gap = std::max(gap, std::abs(sum.at({i, j, k}) - loop));
            }
    lesson.claim("broadcasting against the explicit loop, largest difference", gap, equals(0));
}

//! ## Six orders of the loops
//!
//! The product of two matrices is
//!
//! $$ C_{ij} = \sum_k A_{ik} B_{kj} . $$
//!
//! As a program: for all $i$, $j$, $k$, add $A_{ik} B_{kj}$ to $C_{ij}$. The loops can be nested in
//! any order, so there are six programs, each with $n^3$ multiplications and $n^3$ additions. A
//! billion of these a second is 1 GFLOP/s.
template <int outer, int middle, int inner>
void three_loops(const float* __restrict a, const float* __restrict b, float* __restrict c, int n) {
    std::fill_n(c, n * n, 0.0f);
    int at[3], &i = at[0], &j = at[1], &k = at[2];
    for (at[outer] = 0; at[outer] < n; ++at[outer])
        for (at[middle] = 0; at[middle] < n; ++at[middle])
            for (at[inner] = 0; at[inner] < n; ++at[inner])
                c[i * n + j] += a[i * n + k] * b[k * n + j];
}
const std::vector<Method> orders{{"i j k", three_loops<0, 1, 2>}, {"j i k", three_loops<1, 0, 2>},
                                 {"i k j", three_loops<0, 2, 1>}, {"k i j", three_loops<2, 0, 1>},
                                 {"j k i", three_loops<1, 2, 0>}, {"k j i", three_loops<2, 1, 0>}};

//! The body of the inner loop runs $n^3$ times, so it decides the speed. Memory comes to the
//! processor in lines of 64 bytes, 16 numbers. A loop with stride 1 needs a new line every 16
//! steps, one with stride $n$ at every step, one with stride 0 never. Along $k$ the strides are 1
//! in $A$, $n$ in $B$ and 0 in $C$; along $j$ they are 0, 1, 1; along $i$ they are $n$, 0, $n$. So
//! we know the number of lines for each multiplication before we run anything.
constexpr double lines[] = {1 / 16. + 1, 1 / 16. + 1, 2 / 16., 2 / 16., 2, 2};

//! That number leaves one thing out. A *cache*, the small fast memory beside the processor, can
//! keep a line only in the few slots that belong to its address, and addresses a power of two apart
//! compete for the same slots (Lam et al. 1991). With 512 columns the numbers of a column lie 2048
//! bytes apart; with 520 they do not.
void six_orders(Lesson& lesson, int n, Prediction gap, Prediction longer) {
    lesson.heading("Six orders of the loops");
    const std::vector<Result> results = measure_speed(orders, n, 3, lesson.seed());
    const std::vector<Result> larger = measure_speed(orders, n + 8, 3, lesson.seed());
    Table table({"loops", "lines a step", "GFLOP/s", "with 8 more columns"});
    std::vector<double> speed;
    for (std::size_t i = 0; i < orders.size(); ++i) {
        speed.push_back(results[i].gflops);
        table.row(orders[i].name, lines[i], number(speed[i], 3), number(larger[i].gflops, 3));
    }
    lesson.table(table, "The same arithmetic in six orders, outermost loop first, on one core.");
    const double slowest = *std::min_element(speed.begin(), speed.end());
    const double along_rows = std::min(speed[2], speed[3]), fastest = std::max(speed[2], speed[3]);
    const double others = std::max({speed[0], speed[1], speed[4], speed[5]});
    const double time = larger[5].gflops / speed[5] / std::pow(1 + 8. / n, 3);
    lesson.reveal(gap, fastest / slowest);
    lesson.reveal(longer, time > 1.1 ? "less" : time > 0.9 ? "about as long" : "longer");
    //! How fast a loop is depends on the processor and on what else it does, so these numbers are
    //! reported and not judged.
    lesson.say(
        "The fastest order is {} times as fast as the slowest. The slower of the two orders along "
        "rows is {} times as fast as the best of the others. `k j i` takes {} times as long as with "
        "eight more columns.",
        number(fastest / slowest, 3), number(along_rows / others, 3), number(time, 3));
}

//! ## A tile that stays in registers
//!
//! For every multiplication, even the best order loads a number of $B$ and one of $C$ and stores
//! one. Processors multiply faster than they load, so a number that is loaded should be used
//! several times. A *tile* of $C$, here 4 rows of two registers each, stays in registers during the
//! whole loop over $k$. Each step of $k$ loads two registers of $B$ and four numbers of $A$, and
//! multiplies 8 whole registers. (`Vec` is a register: 16 numbers with AVX-512, 4 on Arm.)
constexpr int rows = 4, registers = 2, lanes = Vec<float>::lanes;

void tiles(const float* a, const float* b, float* c, int n) {  // n: a multiple of a tile's sides
    for (int j = 0; j < n; j += registers * lanes)
        for (int i = 0; i < n; i += rows) {
            Vec<float> tile[rows][registers] = {};
            for (int k = 0; k < n; ++k)
                for (int v = 0; v < registers; ++v) {
                    const auto y = Vec<float>::load(b + k * n + j + v * lanes);
                    for (int r = 0; r < rows; ++r) tile[r][v] += Vec<float>(a[(i + r) * n + k]) * y;
                }
            for (int r = 0; r < rows; ++r)
                for (int v = 0; v < registers; ++v)
                    tile[r][v].store(c + (i + r) * n + j + v * lanes);
        }
}

//! The library's product (`autograd/kernels/gemm.cpp`) goes one step further. It first copies the
//! blocks of $A$ and $B$ that it is about to use into small dense panels; that costs $n^2$ steps,
//! while multiplying costs $n^3$. From then on every loop has stride 1, whatever the strides of the
//! tensors.
void four_products(Lesson& lesson, int n) {
    lesson.heading("Tiles and panels");
    const std::vector<Method> steps{{"textbook, i j k", orders[0].product},
                                    {"rows, i k j", orders[2].product},
                                    {"tiles in registers", tiles},
                                    {"the library's, with panels", nullptr}};
    const std::vector<Result> results = measure_speed(steps, n, 5, lesson.seed());
    Table table({"product", fmt::format("GFLOP/s at {}", n), "times the first"});
    LinePlot plot{.x_label = "n", .y_label = "GFLOP/s", .log_x = true, .log_y = true};
    double error = 0, gain = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        gain = results[i].gflops / results[0].gflops;
        table.row(steps[i].name, number(results[i].gflops, 3), number(gain, 3));
        plot.series.push_back({steps[i].name});
        error = std::max(error, results[i].error);
    }
    lesson.table(table, "Four ways to multiply two matrices, on one core.");
    lesson.claim("largest relative difference between the four products", error, at_most(1e-4));
    lesson.say("The library's product is {} times as fast as the textbook's.", number(gain, 3));

    for (int size = 64; size <= (lesson.quick() ? n : 2 * n); size *= 2) {
        const std::vector<Result> here = measure_speed(steps, size, 2, lesson.seed());
        for (std::size_t i = 0; i < steps.size(); ++i) {
            plot.series[i].x.push_back(size);
            plot.series[i].y.push_back(here[i].gflops);
        }
    }
    lesson.show("four_products", plot, "Speed against size, both axes logarithmic.");
}

}  // namespace

//! ## What this does not show
//!
//! We measured square matrices only. The products in the lessons are often thin, a few rows by a
//! few hundred, and there copying may cost more than it saves. Adding two tensors reads each number
//! once, and no order makes that faster. On another processor all these numbers differ.
//!
//! Sources: Goto and van de Geijn, "Anatomy of High-Performance Matrix Multiplication" (2008), for
//! panels and tiles; Lam, Rothberg and Wolf, "The Cache Performance and Optimizations of Blocked
//! Algorithms" (1991), for sizes that are powers of two; Harris et al., "Array programming with
//! NumPy" (2020).
//!
//! ## Try this next
//!
//! 1. `--size 448`, then `--size 1024`: how much of the gap between the orders is due to the power
//!    of two?
//! 2. In `tiles`, let `rows` be 1, 2 or 8: how large a tile do your registers hold?
//! 3. In `measure.cpp`, write `set_threads(2)`: how does the speed of the library's product change,
//!    at 64 and at 1024?
int main(int argc, char** argv) {
    Lesson lesson({.number = 1,
                   .name = "tensors",
                   .title = "Tensors, and the order of three loops",
                   .question = "What is a tensor, and why is one loop order so much faster?"});
    int n = 0;
    lesson.option("--size", n, "rows and columns of the matrices (512; quick 256)");
    return lesson.run(argc, argv, [&] {
        if (n == 0) n = lesson.quick() ? 256 : 512;
        check(n % 64 == 0, "--size: expected a multiple of 64, found {}", n);
        const double largest = lesson.quick() ? n + 8.0 : 2.0 * n;  // six matrices of this size
        check_memory("--size", 6 * 4 * largest * largest);
        const Prediction gap = lesson.predict(
            "Three loops multiply two matrices: by what factor do the best and worst order differ?",
            within_factor(2));
        const Prediction longer = lesson.predict(
            fmt::format("In the worst order {0} x {0} takes some time. And {1} x {1}?", n, n + 8),
            {"longer", "about as long", "less"});
        look_at_views(lesson);
        broadcast_against_the_loop(lesson);
        six_orders(lesson, n, gap, longer);
        four_products(lesson, n);
    });
}
