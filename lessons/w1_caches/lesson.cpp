//! # The order of three loops
//!
//! The product of two matrices, $C = AB$ (lesson {tensors}), is three loops: over the rows $i$ of
//! $C$, over its columns $j$, and over $k$, along which products are added. The three can be nested
//! in six ways. That gives six programs, and all six do exactly the same additions and
//! multiplications. Yet one of them takes many times as long as another. Which one, and why? Guess
//! before you read on.
//!
//! This is a workshop. Nothing on the way to the translator needs it. Read it after lesson
//! {tensors}, or on the day when a program of yours is slow and you cannot see why.

#include <set>

#include "autograd/autograd.h"
#include "autograd/kernels/vec.h"
#include "lessons/course/course.h"
#include "lessons/course/lesson/memory.h"
#include "lessons/w1_caches/experiment.h"
#include "lessons/w1_caches/pictures.h"

namespace heed::workshop1 {

using namespace course;

namespace {

//! ## Six orders of the loops
//!
//! Each step of the loops adds one product to one element of $C$:
//!
//! $$ C_{ij} = \sum_k A_{ik} B_{kj} . $$
//!
//! It does not matter when a product is added, so any loop may stand outside and any inside. The
//! six programs differ in the order of three lines and in nothing else (`experiment.cpp` has them).
//! For matrices with $n$ rows and columns, each needs $n^3$ multiplications and $n^3$ additions.
//!
//! {no results} Speed is measured in *GFLOP/s*: one GFLOP/s is a billion additions or
//! multiplications of fractional numbers in a second (FLOP stands for floating-point operation).
//! For $n = 512$ the product has $2 \cdot 512^3$ operations, which is 268 million, and a program
//! with 1 GFLOP/s needs 0.27 seconds.
//!
//! Since all six do the same arithmetic, we should expect the same speed. But this counts
//! arithmetic only. Before a number can be multiplied, it has to come from memory, and a processor
//! waits for memory much longer than it calculates.
//!
//! Two things help the processor. A *cache* is a small, fast memory beside the processor, which
//! keeps copies of what was used last. And whenever one number is fetched, its neighbours come with
//! it: a *cache line* is the piece of memory that is fetched as a whole, on most machines 64 bytes,
//! which is 16 numbers of float32. So it is cheap to read numbers that are neighbours in memory.
//! The first one brings the other fifteen along.
//!
//! The body of the innermost loop runs $n^3$ times and decides the speed. Which numbers does it
//! touch, one after the other? Suppose this loop runs along $k$. In $A_{ik}$ the column changes:
//! stride 1. In $B_{kj}$ the row changes: stride $n$. $C_{ij}$ stays the same, a stride of 0. The
//! pictures show 16 steps of such a loop, in matrices of 16 rows and columns. Each row of a picture
//! is one cache line.
void look_at_lines(Lesson& lesson) {
    lesson.heading("Six orders of the loops");
    const char* about_lines =
        "Dark squares (9) are numbers that the loop uses. Pale squares (3) are numbers that are "
        "fetched with them and not used. All others (dots) are not touched.";
    lesson.show("along_k", lines_along_k(),
                std::string("16 steps of the innermost loop along k. ") + about_lines);
    lesson.show("along_j", lines_along_j(),
                std::string("16 steps of the innermost loop along j. ") + about_lines);
}

//! In $B$, the loop along $k$ needs a new cache line at every step, and uses one number of 16.
//! Along $j$, all three matrices are read and written in neighbouring numbers, or stay at the same
//! one. We can put this into a formula. Let $s$ be the stride of a matrix along the innermost loop,
//! in numbers of 4 bytes. Then a step needs this many new cache lines of 64 bytes, on average:
//!
//! $$ \ell = \min(1, \; 4 s_A / 64) + \min(1, \; 4 s_B / 64) + \min(1, \; 4 s_C / 64) . $$
//!
//! **By hand.** Along $k$ the three strides are 1, $n$ and 0, and
//! $\ell = 1/16 + 1 + 0 = 1.0625$. Along $j$ they are 0, 1 and 1, and
//! $\ell = 0 + 1/16 + 1/16 = 0.125$. Along $i$ they are $n$, 0 and $n$, and
//! $\ell = 1 + 0 + 1 = 2$. So a loop along $i$ needs 16 times as many lines as one along $j$.
double lines_of_a_step(double stride_a, double stride_b, double stride_c) {
    double lines = 0;
    for (const double stride : {stride_a, stride_b, stride_c})
        lines += std::min(1.0, 4 * stride / 64);
    return lines;
}

//! This count leaves one thing out: the cache may still have a line from a moment ago. Take an
//! order whose inner loop runs along $i$, down a column of $C$. After column $j$ comes column
//! $j + 1$, and 15 times out of 16 it lies in the very same lines. If the cache has kept them,
//! nothing has to be fetched. Has it?
//!
//! A cache cannot put a line wherever it likes. Number the lines of memory 0, 1, 2 and so on. In
//! many processors the first cache has 64 groups of 8 or 12 slots. Line 0 goes to group 0, line 1
//! to group 1, line 63 to group 63; line 64 goes to group 0 again. So the group is the remainder
//! when the number of the line is divided by 64. Now take a matrix of 512 columns. A row is $512
//! \cdot 4 = 2048$ bytes long, which is 32 lines. The numbers of one column therefore lie in lines
//! 0, 32, 64, 96 and so on, and their groups are 0, 32, 0, 32. All 512 lines share two groups, 16
//! or 24 slots, and the other groups stay empty. Each new line has to push out another one, long
//! before it would be used again.
//!
//! {no results} With 520 columns, a row is 32.5 lines long, and the lines of a column spread over
//! all 64 groups. (Lam, Rothberg and Wolf described this effect in 1991.) The program prints both
//! counts below the table of speeds.
//!
//! ![Each box is a group of the cache, with the number of lines that one column sends to it. Go from 512 columns to 520. Which other widths are bad, and how bad?](live:cache_groups)
int groups_of_a_column(int n) {
    std::set<int> groups;
    for (int row = 0; row < n; ++row) groups.insert(row * n * 4 / 64 % 64);
    return static_cast<int>(groups.size());
}

//! How fast a loop is depends on the processor and on what else the machine is doing. The order i j
//! k stands in two tables of this workshop, with two different speeds. So the speeds are reported,
//! and no claim is made about them. All programs run on one processor core.
void race_six_orders(Lesson& lesson, int n) {
    const Prediction gap = lesson.predict(
        "Six orders of the same three loops. How many times as long does the slowest take as the "
        "fastest?",
        within_factor(2).from(0));
    const Prediction longer = lesson.predict(
        fmt::format("In the slowest order, {0} x {0} takes some time. And {1} x {1}, which has "
                    "more numbers?",
                    n, n + 8),
        {"longer", "about as long", "less"});
    const double along_k = lines_of_a_step(1, n, 0), along_j = lines_of_a_step(0, 1, 1),
                 along_i = lines_of_a_step(n, 0, n);
    const OrderResult result =
        show_six_orders(lesson, n, {along_k, along_k, along_j, along_j, along_i, along_i},
                        {groups_of_a_column(n), groups_of_a_column(n + 8)});
    lesson.reveal(gap, result.slowest);
    lesson.reveal(longer, result.longer < 0.9   ? "less"
                          : result.longer < 1.1 ? "about as long"
                                                : "longer");
}

//! Compare the speeds with the column of the lines. The two orders along $j$ need the fewest lines
//! and should be the fastest. Among the four others the count is only a rough guide, because it
//! assumes that every new line comes from the main memory. Whether a line is still in the cache
//! depends on the size of the matrices, on the size of the cache, and on the groups.
//!
//! ## Tiles: use a loaded number several times
//!
//! Even the best order spends most of its time on moving numbers. Look at its innermost loop once
//! more: for one multiplication and one addition it loads a number of $B$, loads a number of $C$,
//! and stores the new number of $C$. To do better, a number that has been loaded should be used
//! several times before it is let go.
//!
//! A processor calculates in *registers*, a few dozen places inside the processor itself, in which
//! a number can be used without any waiting. A register of today holds several numbers, from 4 to
//! 16 of float32, and one instruction multiplies all of them. The idea is to keep a small rectangle
//! of $C$, a *tile*, in registers during the whole loop over $k$. Say the tile has $r$ rows, and
//! each row is $v$ registers wide. At each step of $k$ we load $v$ registers of $B$ and $r$ single
//! numbers of $A$. Every combination of them is multiplied: $r v$ products of whole registers. So
//! one product costs
//!
//! $$ \frac{r + v}{r v} $$
//!
//! loads, and no stores, because $C$ is stored only at the end.
//!
//! **By hand.** With $r = 4$ and $v = 2$ it is $6 / 8 = 0.75$. The best of the six orders needs two
//! loads and one store for each product, which makes 3. A larger tile would need even fewer loads,
//! but the $r v$ registers of the tile have to exist: most processors have 16 or 32. The code is
//! such a program. Its type `Vec` is a register of several numbers, and `lanes` says how many.
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

//! One thing is still wrong. The tile reads a narrow strip of $B$, and the next row of the strip is
//! $n$ numbers further on in memory: the stride of $n$ is back, and with it the trouble with the
//! groups of the cache. The library's product (`autograd/kernels/gemm.cpp`) goes one step further.
//! *Panels* are copies of parts of $A$ and $B$ in exactly the order in which the tiles will read
//! them; the library makes them before it multiplies. They take about $n^2$ steps, and the
//! multiplication takes $n^3$, so for a large $n$ they cost little. From then on every loop has the
//! stride 1, whatever the strides of the tensors were. (Goto and van de Geijn give a second reason.
//! The processor keeps a small list of the pages of memory that it has used last, and a copy lies
//! on few pages.)
//!
//! Four products now run one against the other. They add the same numbers in different orders, and
//! a computer rounds after every addition, so their results are not equal to the last digit. The
//! claim says how far they may differ.
void race_four_products(Lesson& lesson, int n) {
    lesson.heading("Tiles: use a loaded number several times");
    const std::vector<Method>& orders = six_orders();
    const Prediction guess = lesson.predict(
        "How many times as fast as the textbook's order, i j k, is the library's product?",
        within_factor(2).from(0));
    const ProductResult result = show_products(lesson,
                                               {{"textbook, i j k", orders[0].product},
                                                {"along j, i k j", orders[2].product},
                                                {"tiles in registers", tiles},
                                                {"the library's, with panels", nullptr}},
                                               n);
    lesson.reveal(guess, result.gain);
    lesson.claim("products-agree", "largest relative difference between the four products",
                 result.error, at_most(1e-5));
}

}  // namespace

}  // namespace heed::workshop1

//! ## What this does not show
//!
//! We measured square matrices only. The products of the lessons are often thin, a few rows by a
//! few hundred columns, and there the copies may cost more than they save. We used one processor
//! core; several cores share the way to memory, and four are not always four times as fast as one.
//! An operation such as the addition of two tensors uses each number once, so no order of its loops
//! and no tile can save a load. The count of cache lines explains which order is fast, but it does
//! not predict by how much: for that one would also have to count how many bytes each cache can
//! hold and how long the processor waits for each.
//!
//! Sources: Goto and van de Geijn, "Anatomy of High-Performance Matrix Multiplication" (2008), for
//! panels and tiles; Lam, Rothberg and Wolf, "The Cache Performance and Optimizations of Blocked
//! Algorithms" (1991), for sizes that are powers of two.
//!
//! ## Summary
//!
//! 1. Six orders of the same three loops do the same arithmetic at very different speeds.
//! 2. Memory arrives in lines of neighbouring numbers, so the steps of the innermost loop through
//!    memory decide the speed.
//! 3. A line has few slots to go to. A column of a matrix whose width is a power of two fills some
//!    of them and leaves the others empty.
//! 4. A tile in registers uses each number several times after loading it.
//! 5. Panels are copies of the matrices in the order in which the tiles read them.
//!
//! ## Try this next
//!
//! 1. `--size 448`, then `--size 1024`: how much of the gap between the orders comes from the power
//!    of two?
//! 2. In `tiles`, let `rows` be 1, 2 or 8. How many loads does one product cost then, by the
//!    formula, and what happens to the speed?
//! 3. In `experiment.cpp`, write `set_threads(2)`: how does the speed of the library's product
//!    change, at 64 and at 1024?
using namespace heed;
using namespace heed::workshop1;

int main(int argc, char** argv) {
    Lesson lesson({.workshop = 1,
                   .name = "caches",
                   .title = "The order of three loops",
                   .question = "Why is one order of the loops so much faster than another?",
                   .trains = false});
    int n = 0;
    lesson.option("--size", n, "rows and columns of the matrices (512; quick 256)");
    return lesson.run(argc, argv, [&] {
        if (n == 0) n = lesson.quick() ? 256 : 512;
        check(n % 64 == 0, "--size: expected a multiple of 64, found {}", n);
        const double largest = lesson.quick() ? n + 8.0 : 2.0 * n;  // six matrices of this size
        check_memory("--size", 6 * 4 * largest * largest);
        look_at_lines(lesson);
        race_six_orders(lesson, n);
        race_four_products(lesson, n);
    });
}
