//! # Tensors, and the order of three loops
//!
//! This course is about attention, the method by which today's networks read texts, pictures and
//! sound. Attention itself begins in lesson {attention_pooling}. The lessons before it build what
//! it stands on, and this one begins at the bottom: with the block of numbers in which everything
//! is stored, and with the one operation that takes most of the time. You need to be able to
//! program, and you should have met a derivative. All else is explained where it first appears. A
//! word in italics is a new term, and the sentence in which it stands says what it means. (A
//! terminal without italics shows such a word like all others. The glossary of the course lists
//! them.)
//!
//! Every lesson is a program. You read a piece of text, the program asks you to guess a result, and
//! then it measures. At the end of a piece it makes *claims*: statements with a bound that are
//! compared with what was just measured, and that can turn out wrong.
//!
//! The text often speaks of the code that it explains: on a terminal the key c shows this code. The
//! report, a page for a browser whose path the run prints at its end, has it below the text. The
//! line under the title says how the program runs. The seed is the number that the random numbers
//! of the run are computed from, so the same seed gives the same random numbers again. What the
//! text calls "the library" is heed, the collection of operations on tensors that all lessons use.
//!
//! The question of this lesson is about three short loops that multiply two matrices. The loops can
//! be nested in six ways. All six programs do the same additions and multiplications. Yet one of
//! them takes many times as long as another. Why?

#include <set>

#include "autograd/autograd.h"
#include "autograd/kernels/vec.h"
#include "lessons/01_tensors/experiment.h"
#include "lessons/01_tensors/pictures.h"
#include "lessons/course/course.h"
#include "lessons/course/lesson/memory.h"

namespace heed::lesson01 {

using namespace course;

namespace {

//! ## A table in memory
//!
//! Somebody reads a thermometer three times a day, on two days:
//!
//! | | morning | noon | evening |
//! | --- | --- | --- | --- |
//! | Monday | 4 | 9 | 6 |
//! | Tuesday | 5 | 11 | 7 |
//!
//! The simplest way to store this table is a list of lists: `{{4, 9, 6}, {5, 11, 7}}`. It works for
//! six numbers, but it has weaknesses. Each inner list is a piece of memory of its own, and the
//! pieces may lie anywhere. Nothing prevents one list from being longer than the others. A day is
//! an object of the program, but "all noons" is not: to get them we have to visit every list.
//!
//! Programs that compute with many numbers therefore use something else. A *tensor* is a block of
//! numbers of one type, which is arranged along axes and stored in one row of memory. An *axis* is
//! one of the directions in which a tensor can be indexed; our table has two of them, the day and
//! the time of day. The *shape* of a tensor lists how many indices each axis has; here it is [2,
//! 3]. The *dtype* (short for data type) of a tensor says how each of its numbers is stored: a
//! number of the dtype float32 takes 32 bits, which is 4 bytes, and has about 7 decimal digits;
//! float64 takes twice as much and has about 16 digits.
//!
//! A matrix is a tensor with two axes, a vector has one, and a single number has none. A sentence
//! of 20 words, in which each word is described by 64 numbers, is a tensor of shape [20, 64]. If we
//! process 32 such sentences together, their shape is [32, 20, 64]. In the code of all lessons the
//! shape stands beside the tensor in letters. These sentences are `[B, T, D]`: B is the number of
//! examples, T the number of words (T for time), and D how many numbers describe a word.
//!
//! ## Strides
//!
//! Memory has one direction only: it is a long row. Our table is stored as the row 4 9 6 5 11 7,
//! one day after the other. How does the program find Tuesday's noon in it? Indices are counted
//! from 0, so Tuesday is row 1 and noon is column 1. To go down by one row, the program has to skip
//! 3 numbers of memory. To go right by one column, it moves on by 1. These two numbers are the
//! strides of the tensor: the *stride* of an axis is the number of positions in memory between an
//! element and the next one along this axis. With them, the position of any element is
//!
//! $$ p = p_0 + i \, s_0 + j \, s_1 . $$
//!
//! Here $p_0$ is the position of the first element, $i$ and $j$ are the indices of row and column,
//! and $s_0$ and $s_1$ are the strides of the two axes.
//!
//! **By hand.** The strides are 3 and 1. Tuesday's noon is at $0 + 1 \cdot 3 + 1 \cdot 1 = 4$. The
//! memory holds 4 9 6 5 11 7, and at position 4, counted from 0, we find 11. In the code, the
//! function `element` computes the position by this formula. It is tried on the table and on a
//! second tensor, the transpose, which the next section explains:
double element(const Tensor& x, int i, int j) {
    const float* first = x.data<float>();
    return first[i * x.strides()[0] + j * x.strides()[1]];
}

double check_positions(const Tensor& x) {  // the largest difference from the library's at()
    double gap = 0;
    for (int i = 0; i < x.size(0); ++i)
        for (int j = 0; j < x.size(1); ++j)
            gap = std::max(gap, std::abs(element(x, i, j) - x.at({i, j})));
    return gap;
}

void store_the_table(Lesson& lesson) {
    lesson.heading("Strides");
    const Tensor table = tensor({4, 9, 6, 5, 11, 7}, {2, 3}), across = transpose(table);
    lesson.listing(
        fmt::format("table       shape {}  strides {}  element (1, 1) = {}\n"
                    "transposed  shape {}  strides {}  element (2, 1) = {}",
                    to_string(table.shape()), to_string(table.strides()), element(table, 1, 1),
                    to_string(across.shape()), to_string(across.strides()), element(across, 2, 1)));
    lesson.claim("formula",
                 "elements found by the formula, in the table and in its transpose: difference",
                 std::max(check_positions(table), check_positions(across)), equals(0));
}

//! ## Views: the same memory, read with other strides
//!
//! The *transpose* of a table is the same table with rows and columns exchanged. The second line
//! that was just printed is the transpose of ours: it has a row for each time of day and a column
//! for each day. We might expect the program to copy all numbers into a new order. It does not. It
//! exchanges the two strides, 3 and 1, for 1 and 3, and leaves the numbers where they are. Element
//! (2, 1) of the transpose, Tuesday's evening, is at $0 + 2 \cdot 1 + 1 \cdot 3 = 5$, and there is
//! the 7.
//!
//! A *view* is a tensor that uses the memory of another tensor, with a shape, strides and a first
//! element of its own. The transpose is a view. There are more. Take a tensor $x$ with 4 rows and 6
//! columns, whose strides are 6 and 1:
//!
//! - Every second column: the stride of the columns is doubled. The shape is [4, 3], the strides
//!   are [6, 2]. If we begin with column 1, the first element is at position 1.
//! - Row 2, three times: a stride of 0. A step to the next row then stays where it is, and the
//!   program finds the same six numbers again. The strides are [0, 1].
//!
//! In the following maps, each number of $x$ is equal to its own position in memory.
//!
//! ![Choose a view and an element, and see which number of the memory it reads. The number stands at the first number of the view plus row times the one stride plus column times the other. A stride of 0 reads the same row again.](live:strides)
void look_at_views(Lesson& lesson) {
    lesson.heading("Views: the same memory, read with other strides");
    const Tensor x = reshape(arange(24), {4, 6}), row = slice(x, 0, 2, 3);
    const std::vector maps{map_of("x: [6, 1]", x), map_of("transposed: [1, 6]", transpose(x)),
                           map_of("every second column: [6, 2]", slice(x, 1, 1, 6, 2)),
                           map_of("row 2, three times: [0, 1]", expand(row, {3, 6}))};
    lesson.show(
        "views", maps,
        "The same 24 numbers in memory, seen through four pairs of strides. Where there are "
        "shades, a darker one is a position further back.");

    //! A view costs almost nothing: it stores a shape, strides and the place of its first element,
    //! and that is as little for a million numbers as for six. There is one limit. Strides describe
    //! steps of equal size. If we want the numbers of the transposed table in one single row,
    //! column after column of the original, the positions are 0, 3, 1, 4, 2, 5. The steps are +3,
    //! -2, +3, -2, +3, and no stride is both +3 and -2. So the program has to copy. The run counts
    //! the bytes for a tensor of a million numbers. It makes three tensors from it. The first is
    //! its transpose. The second is a single one of its numbers, repeated with strides of 0 as a
    //! matrix of 31,623 rows and columns: that looks like a thousand million numbers, and takes no
    //! more bytes than the first. The third has the numbers of the transpose in one row, which
    //! needs a copy. {if all flat-bytes > 4000000 and flat-bytes < 4400000 and view-bytes < 400}
    //! The copy takes a little more than 4,000,000 bytes, because the library rounds the size of a
    //! large block up, and the two views together take {view-bytes} bytes.
    //!
    //! And there is one consequence to remember. A view has no numbers of its own, so a number that
    //! is changed in the tensor is changed in all of its views, too.
    Rng rng(lesson.seed());
    Tensor big = normal({1000, 1000}, 0, 1, rng);  // random numbers
    const Tensor transposed = transpose(big);
    const Prediction guess = lesson.predict(
        "A tensor of 1,000 x 1,000 numbers takes 4,000,000 bytes. How many more bytes does its "
        "transpose take?",
        {"4,000,000", "1,000,000", "fewer than 1,000"});
    const ByteCount bytes = show_bytes(lesson, big);
    lesson.reveal(guess, bytes.transpose < 1000  ? "fewer than 1,000"
                         : bytes.transpose < 2e6 ? "1,000,000"
                                                 : "4,000,000");
    lesson.claim("view-bytes", "bytes taken by the two views together", bytes.views, at_most(3000));
    lesson.claim("flat-bytes", "bytes taken by flattening the transpose", bytes.copy,
                 at_least(4e6));

    big.edit<float>()[999] = 42;  // the last number of row 0
    lesson.claim("shared-storage", "a number written to x appears in its transpose",
                 transposed.at({999, 0}) == 42, is_true());
}

//! ## Broadcasting
//!
//! {no results} How much warmer or colder than usual was each reading? The means over both days are
//! 4.5 in the morning, 10 at noon and 6.5 in the evening. We want to subtract these three numbers
//! from both rows of the table. The shapes [2, 3] and [3] differ, so a subtraction element by
//! element does not fit. We could write a loop over the rows, or copy the means into a second row.
//! But we have just seen a row that is repeated without a copy: a stride of 0.
//!
//! This is how all array libraries do it. *Broadcasting* means that a tensor is repeated, with a
//! stride of 0, along each axis where it has only one index and the other tensor has several. The
//! rule has two steps:
//!
//! 1. Write the two shapes below each other so that they end at the same column. Missing axes on
//!    the left count as 1.
//! 2. In each column, the two sizes must be equal, or one of them must be 1. The 1 is repeated.
//!
//! So [2, 3] and [3] fit: [3] counts as [1, 3], and its row is repeated. [2, 3] and [2] do not fit,
//! because 3 and 2 would have to be equal. And [5, 1, 7] plus [4, 1] has the shape [5, 4, 7]; with
//! every index written out, it is
//!
//! $$ z_{ijk} = x_{i 0 k} + y_{j 0}, \qquad 0 \le i < 5, \; 0 \le j < 4, \; 0 \le k < 7. $$
//!
//! **By hand.** Monday minus the means is $(4 - 4.5, \; 9 - 10, \; 6 - 6.5) = (-0.5, -1, -0.5)$,
//! and Tuesday is $(0.5, 1, 0.5)$. The first of the next two claims compares the library with these
//! six numbers. The second is about the sum of the shapes [5, 1, 7] and [4, 1]: three loops compute
//! it by the formula above, and the library computes it as `x + y`.
void broadcast_against_the_loop(Lesson& lesson) {
    lesson.heading("Broadcasting");
    const Tensor table = tensor({4, 9, 6, 5, 11, 7}, {2, 3});
    const Tensor means = mean(table, 0);      // [3]
    const Tensor difference = table - means;  // [2, 3] - [3]
    lesson.claim("strides-by-hand", "largest difference from the six numbers worked by hand",
                 max(abs(difference - tensor({-0.5, -1, -0.5, 0.5, 1, 0.5}, {2, 3}))).item(),
                 equals(0));

    Rng rng(lesson.seed());
    const Tensor x = normal({5, 1, 7}, 0, 1, rng), y = normal({4, 1}, 0, 1, rng), z = x + y;
    double gap = 0;
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 4; ++j)
            for (int k = 0; k < 7; ++k) {
                const float loop = static_cast<float>(x.at({i, 0, k}) + y.at({j, 0}));
                gap = std::max(gap, std::abs(z.at({i, j, k}) - loop));
            }
    lesson.claim("broadcast-loop", "broadcasting against the explicit loop, largest difference",
                 gap, equals(0));
}

//! ## The product of two matrices
//!
//! Two people go shopping. The first one wants 1 bread, 2 litres of milk and 3 apples; the second
//! one wants 2, 0 and 1. There are two shops, with different prices. The matrix $A$ has a row for
//! each person, $B$ has a column for each shop:
//!
//! $$ A = \begin{pmatrix} 1 & 2 & 3 \\ 2 & 0 & 1 \end{pmatrix}, \qquad
//!    B = \begin{pmatrix} 3 & 4 \\ 1 & 2 \\ 2 & 1 \end{pmatrix}. $$
//!
//! What does the first person pay in the first shop? Each amount is multiplied by its price, and
//! the products are added: $1 \cdot 3 + 2 \cdot 1 + 3 \cdot 2 = 11$. A row of $A$ is combined with
//! a column of $B$. All persons and all shops together are the product of the two matrices,
//! $C = AB$:
//!
//! $$ C_{ij} = \sum_k A_{ik} B_{kj} . $$
//!
//! $C_{ij}$ is what person $i$ pays in shop $j$, and $k$ runs over the goods. The other three
//! numbers are $1 \cdot 4 + 2 \cdot 2 + 3 \cdot 1 = 11$, $2 \cdot 3 + 0 + 1 \cdot 2 = 8$ and
//! $2 \cdot 4 + 0 + 1 \cdot 1 = 9$.
//!
//! Why does this operation deserve so much care? What is called a neural network (lesson
//! {learning}) computes weighted sums: each of its units multiplies all of its inputs by weights
//! and adds the products, as the shop does with amounts and prices. For many examples and many
//! units together this is one product of matrices, and nearly all the time of a network goes into
//! such products. In the code, the function `multiply` follows the formula with three loops, one
//! for each of the letters $i$, $j$ and $k$. It finds the four numbers:
void multiply(const float* a, const float* b, float* c, int rows, int inner, int columns) {
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            c[i * columns + j] = 0;
            for (int k = 0; k < inner; ++k)
                c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
        }
}

void go_shopping(Lesson& lesson) {
    lesson.heading("The product of two matrices");
    const Tensor A = tensor({1, 2, 3, 2, 0, 1}, {2, 3}), B = tensor({3, 4, 1, 2, 2, 1}, {3, 2});
    Tensor C = zeros({2, 2});
    multiply(A.data<float>(), B.data<float>(), C.edit<float>(), 2, 3, 2);
    lesson.listing(fmt::format("C  {:>2} {:>2}\n   {:>2} {:>2}", C.at({0, 0}), C.at({0, 1}),
                               C.at({1, 0}), C.at({1, 1})));
    lesson.claim("product-loops",
                 "product by the loops against the library's and the numbers worked by hand",
                 max(abs(C - matmul(A, B)) + abs(C - tensor({11, 11, 8, 9}, {2, 2}))).item(),
                 equals(0));
}

//! ## Six orders of the loops
//!
//! The three loops run over $i$, $j$ and $k$. Each step adds one product to one element of $C$, and
//! it does not matter when it happens. So we may put any of the loops outside and any inside. That
//! gives six programs. They differ in the order of three lines and in nothing else
//! (`experiment.cpp` has them). For matrices with $n$ rows and columns, each of the six needs $n^3$
//! multiplications and $n^3$ additions.
//!
//! {no results} Speed is measured in *GFLOP/s*: one GFLOP/s is a billion additions or
//! multiplications of fractional numbers in a second (FLOP stands for floating-point operation).
//! For $n = 512$ the product has $2 \cdot 512^3$ operations, which is 268 million. A program with 1
//! GFLOP/s needs 0.27 seconds for it.
//!
//! Since all six do the same arithmetic, we should expect the same speed. This expectation is
//! wrong, because it counts arithmetic only. Before a number can be multiplied, it has to come from
//! memory, and a processor waits for memory much longer than it calculates.
//!
//! Two things help the processor. A *cache* is a small, fast memory beside the processor, which
//! keeps copies of what was used last. And whenever one number is fetched, its neighbours come with
//! it: a *cache line* is the piece of memory that is fetched as a whole, on most machines 64 bytes,
//! which is 16 numbers of float32. So it is cheap to read numbers that are neighbours in memory.
//! The first one brings the other fifteen along.
//!
//! Now look at the innermost loop. Its body runs $n^3$ times and decides the speed. Which numbers
//! does it touch, one after the other? Suppose the innermost loop runs along $k$. In $A_{ik}$ the
//! column changes: stride 1. In $B_{kj}$ the row changes: stride $n$. $C_{ij}$ stays the same, a
//! stride of 0. The pictures show 16 steps of this loop, in matrices of 16 rows and columns, where
//! each row of a picture is one cache line:
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
//! A cache cannot put a line wherever it likes. It has groups of slots, and the address of a line
//! determines its group. In many processors the first cache has 64 groups of 8 or 12 slots. Then
//! the group of a line is the remainder of the line's number divided by 64. With 512
//! columns, a row is $512 \cdot 4 = 2048$ bytes long, which is 32 lines. So the numbers of one
//! column lie in lines 0, 32, 64, 96 and so on, and the remainders are 0, 32, 0, 32. All 512 lines
//! share two groups, 16 or 24 slots. The others stay empty. Each new line has to push out another
//! one, long before it would be used again.
//!
//! {no results} With 520 columns, a row is 32.5 lines long, and the lines of a column spread over
//! all 64 groups. (Lam, Rothberg and Wolf described this effect in 1991.) The program counts the
//! groups, too, and prints the two counts below the table of speeds.
int groups_of_a_column(int n) {
    std::set<int> groups;
    for (int row = 0; row < n; ++row) groups.insert(row * n * 4 / 64 % 64);
    return static_cast<int>(groups.size());
}

//! How fast a loop is depends on the processor and on what else the machine is doing. Even within
//! one run the same loops have another speed when they are measured a second time: the order i j k
//! stands in two tables of this lesson, with two different speeds. So the speeds are reported here,
//! and no claim is made about them. All six programs run on one processor core.
void race_six_orders(Lesson& lesson, int n) {
    const Prediction gap = lesson.predict(
        "Six orders of the same three loops. How many times as long does the slowest take as the "
        "fastest?",
        within_factor(2));
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
//! and should be the fastest. Among the four others the count is only a rough guide. It assumes
//! that every new line comes from the main memory. If the lines are still in the cache, a step that
//! needs two of them need not be slower than a step that needs one. Whether they are still there
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
//! but the $r v$ registers of the tile have to exist: most processors have 16 or 32. The code of
//! this section is such a program. Its type `Vec` is a register of several numbers, and its
//! constant `lanes` says how many.
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
//! stride 1, whatever the strides of the tensors were.
//!
//! Four products now run one against the other. All of them add the same products, but not in the
//! same order, and a computer rounds after every addition. So their results are not equal to the
//! last digit. The claim below says how far they may differ.
void race_four_products(Lesson& lesson, int n) {
    lesson.heading("Tiles: use a loaded number several times");
    const std::vector<Method>& orders = six_orders();
    const Prediction guess = lesson.predict(
        "How many times as fast as the textbook's order, i j k, is the library's product?",
        within_factor(2));
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

}  // namespace heed::lesson01

//! ## What this does not show
//!
//! We measured square matrices only. The products in later lessons are often thin, a few rows by a
//! few hundred columns, and there the copies of panels may cost more than they save. We used one
//! processor core; several cores share the way to memory, and four cores are not always four times
//! as fast as one. An operation such as the addition of two tensors uses each number once, so no
//! order of its loops and no tile can save a load. The count of cache lines explains which order is
//! fast, but it does not predict by how much: for that one would also have to count how many bytes
//! each cache can hold and how long the processor waits for each.
//!
//! Sources: Goto and van de Geijn, "Anatomy of High-Performance Matrix Multiplication" (2008), for
//! panels and tiles; Lam, Rothberg and Wolf, "The Cache Performance and Optimizations of Blocked
//! Algorithms" (1991), for sizes that are powers of two; Harris et al., "Array Programming with
//! NumPy" (2020), for strides, views and broadcasting.
//!
//! ## Summary
//!
//! 1. A tensor is a block of numbers in one row of memory, with a shape, and with a stride for each
//!    axis that says how far apart two neighbours are.
//! 2. A view reads the same memory with other strides. It costs no copy, and a change of the tensor
//!    is visible in it. What no strides can describe has to be copied.
//! 3. Broadcasting repeats a tensor along an axis of size 1, with a stride of 0.
//! 4. The product of two matrices is three loops. Memory arrives in lines of neighbouring numbers,
//!    so the order in which the innermost loop steps through memory decides the speed.
//! 5. Fast programs use a number several times after loading it (tiles in registers), and first
//!    copy what they need into the order in which they will read it (panels).
//!
//! ## Try this next
//!
//! 1. `--size 448`, then `--size 1024`: how much of the gap between the orders comes from the power
//!    of two?
//! 2. In `tiles`, let `rows` be 1, 2 or 8. How many loads does one product cost then, by the
//!    formula, and what happens to the speed?
//! 3. In `element`, exchange the two strides. Which claim notices it?
//! 4. In `experiment.cpp`, write `set_threads(2)`: how does the speed of the library's product
//!    change, at 64 and at 1024?
using namespace heed;
using namespace heed::lesson01;

int main(int argc, char** argv) {
    Lesson lesson({.number = 1,
                   .name = "tensors",
                   .title = "Tensors, and the order of three loops",
                   .question = "What is a tensor, and why is one loop order so much faster?",
                   .trains = false});
    int n = 0;
    lesson.option("--size", n, "rows and columns of the matrices (512; quick 256)");
    return lesson.run(argc, argv, [&] {
        if (n == 0) n = lesson.quick() ? 256 : 512;
        check(n % 64 == 0, "--size: expected a multiple of 64, found {}", n);
        const double largest = lesson.quick() ? n + 8.0 : 2.0 * n;  // six matrices of this size
        check_memory("--size", 6 * 4 * largest * largest);
        store_the_table(lesson);
        look_at_views(lesson);
        broadcast_against_the_loop(lesson);
        go_shopping(lesson);
        look_at_lines(lesson);
        race_six_orders(lesson, n);
        race_four_products(lesson, n);
    });
}
