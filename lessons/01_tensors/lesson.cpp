//! # Numbers in a row
//!
//! In lesson {attention} a word was two numbers, how much of a person is in it and how much of a
//! verb:
//!
//! | | person | verb |
//! | --- | --- | --- |
//! | 나는 | 3 | 0 |
//! | 학생 | 2 | 1 |
//! | 이다 | 0 | 2 |
//!
//! The memory of a computer knows no tables. It is one long row of numbers. So the first question
//! is a small one: how does a program find the second number of 학생 in a plain row? The answer is
//! two more numbers. With them we can even turn the table on its side without moving a single
//! number. Scores and means of attention are products of such tables, and a table that is read in
//! the wrong direction crashes nothing (exercise {scores.3} has one).
//!
//! (A word in italics is a new term. "The library" is heed. All random numbers of a run are computed
//! from its seed. On a terminal, the key c shows the code.)

#include "autograd/autograd.h"
#include "lessons/01_tensors/pictures.h"
#include "lessons/course/course.h"

namespace heed::lesson01 {

using namespace course;

namespace {

//! ## A table in memory
//!
//! The simplest way to keep the table is a list of lists. But the inner lists may lie anywhere in
//! memory, and one may be longer than the others.
//!
//! A *tensor* is numbers of one type, arranged along axes and found
//! in one row of memory. An *axis* is one of the directions in which a tensor can be indexed; our
//! table has two, word and number. The *shape* of a tensor says how long each axis is, here [3, 2]:
//! 3 words, 2 numbers. The *dtype* (data type) of a tensor says how a number is stored: a float32
//! takes 4 bytes and has about 7 decimal digits, a float64 takes 8 and has about 16.
//!
//! A matrix is a tensor with two axes, a vector has one, and a single number has none. 32 sentences
//! of 20 words with 64 numbers each have the shape [32, 20, 64]. In code the shape stands in
//! letters beside the tensor: `[B, T, D]`, for B examples, T words (T for time) and D numbers a
//! word.
void store_the_sentence(Lesson& lesson, const Tensor& words) {
    lesson.heading("A table in memory");
    lesson.show(
        "memory", table_and_memory(words),
        "The sentence as a table of shape [3, 2], and as it lies in memory, at the positions "
        "0 to 5. Outlined is the second number of 학생.");
}

//! ## Strides
//!
//! Indices are counted from 0, so the second number of 학생 has the row 1 and the column 1. One row
//! down is 2 numbers further in memory, one column to the right 1 number. These are the strides of
//! the tensor: the *stride* of an axis is the number of positions in memory from an element to the
//! next one along this axis. The position of any element is
//!
//! $$ p = p_0 + i \, s_0 + j \, s_1 , $$
//!
//! with the position $p_0$ of the first element, the row $i$, the column $j$, and the strides $s_0$
//! and $s_1$ of the two axes.
//!
//! **By hand.** The second number of 학생 is at $0 + 1 \cdot 2 + 1 \cdot 1 = 3$. The memory holds 3
//! 0 2 1 0 2, and at position 3 we find the 1.
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

void find_elements(Lesson& lesson, const Tensor& words) {
    lesson.heading("Strides");
    const Tensor across = transpose(words);  // [2, 3], see below
    lesson.claim("formula",
                 "elements found by the formula, in the table and in its transpose: difference",
                 std::max(check_positions(words), check_positions(across)), equals(0));
}

//! ## Views: the same memory, read with other strides
//!
//! The *transpose* of a table is the same table with rows and columns exchanged. No number has to
//! move: the strides 2 and 1 become 1 and 2. Row 1 of the transpose has the three verb numbers; its
//! last one, element (1, 2), is at $0 + 1 \cdot 1 + 2 \cdot 2 = 5$, and there is the 2 of 이다.
//!
//! A *view* is a tensor that uses the memory of another tensor, with a shape, strides and a first
//! element of its own. The transpose is one. Here are two more, of a tensor $x$ with 4 rows, 6
//! columns and the strides 6 and 1:
//!
//! - Every second column: the shape [4, 3] and the strides [6, 2].
//! - Row 2, three times: the strides [0, 1]. A step to the next row stays where it is.
//!
//! ![Choose a view and an element, and see which number of the memory it reads.](live:strides)
void look_at_views(Lesson& lesson) {
    lesson.heading("Views: the same memory, read with other strides");
    const Tensor x = reshape(arange(24), {4, 6}), row = slice(x, 0, 2, 3);
    const std::vector maps{map_of("x: strides 6 and 1", x),
                           map_of("transposed: 1 and 6", transpose(x)),
                           map_of("every second column: 6 and 2", slice(x, 1, 1, 6, 2)),
                           map_of("row 2, three times: 0 and 1", expand(row, {3, 6}))};
    lesson.show(
        "views", maps,
        "The same 24 numbers in memory, seen through four pairs of strides. Each number is its own "
        "position. Where there are shades, a darker one is a position further back.");

    //! Strides are steps of equal size. This is the limit of views. Our table, column after column
    //! in one row, would be read at the positions 0, 2, 4, 1, 3, 5. The steps are 2, 2, -3, and no
    //! stride is both 2 and -3. So the program has to copy.
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

    //! {if all flat-bytes > 4000000 and view-bytes < 400} The run also repeats one number with
    //! strides of 0, a billion times. Both views together take {view-bytes} bytes; the copy takes
    //! four million. Since a view has no numbers of its own, a change of the tensor changes all of
    //! its views.
    big.edit<float>()[999] = 42;  // the last number of row 0
    lesson.claim("shared-storage", "a number written to x appears in its transpose",
                 transposed.at({999, 0}) == 42, is_true());
}

//! ## Broadcasting
//!
//! {no results} Attention multiplies each word by a weight: words of shape [3, 2] by weights of
//! shape [3, 1], say 0.25, 0.25 and 0.5. The shapes differ. We could copy the weights. But we have
//! just repeated something without a copy.
//!
//! *Broadcasting* means: where one tensor has the size 1 and the other is larger, the 1 is
//! repeated, with a stride of 0.
//!
//! 1. Align the two shapes at their right ends. Missing axes on the left count as 1.
//! 2. The two sizes of an axis must be equal, or one of them must be 1.
//!
//! So [32, 20, 64] and [64] fit: the same 64 numbers meet every word. [2, 3] and [2] do not,
//! because 3 and 2 would have to be equal. And [5, 1, 7] plus [4, 1] has the shape [5, 4, 7], with
//! $z_{ijk} = x_{i 0 k} + y_{j 0}$.
//!
//! {no results} **By hand.** The weighted words are $(0.75, 0)$, $(0.5, 0.25)$ and $(0, 1)$. Their
//! sum, the weighted mean of the words, is $(1.25, 1.25)$.
void broadcast_against_the_loop(Lesson& lesson, const Tensor& words) {
    lesson.heading("Broadcasting");
    const Tensor weights = tensor({0.25, 0.25, 0.5}, {3, 1});
    const Tensor weighted = weights * words;  // [3, 1] * [3, 2]
    const Tensor mean = sum(weighted, 0);     // [2]
    lesson.claim("weighted-by-hand",
                 "weighted words and their mean: largest difference from the numbers by hand",
                 max(abs(concat({flatten(weighted), mean}, 0) -
                         tensor({0.75, 0, 0.5, 0.25, 0, 1, 1.25, 1.25}, {8})))
                     .item(),
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
//! {no results} A translator needs such a mean for each word it writes. Let each row of $A$ be the
//! weights for one of them, first ours, then half of 나는 and half of 학생. Let the rows of $B$ be
//! the words that are read:
//!
//! $$ A = \begin{pmatrix} 0.25 & 0.25 & 0.5 \\ 0.5 & 0.5 & 0 \end{pmatrix}, \qquad
//!    B = \begin{pmatrix} 3 & 0 \\ 2 & 1 \\ 0 & 2 \end{pmatrix}, \qquad
//!    A B = \begin{pmatrix} 1.25 & 1.25 \\ 2.5 & 0.5 \end{pmatrix}. $$
//!
//! **Each row of the product is a weighted sum of the rows of $B$**, and a row of $A$ has the
//! weights. With $C = AB$:
//!
//! $$ C_{ij} = \sum_k A_{ik} B_{kj} . $$
//!
//! $C_{ij}$ is the dot product of row $i$ of $A$ with column $j$ of $B$; here $k$ counts the words
//! that are read. So all scores are a product, too, of the queries and the transposed words. Three
//! loops follow the formula, one for each letter.
void multiply(const float* a, const float* b, float* c, int rows, int inner, int columns) {
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            c[i * columns + j] = 0;
            for (int k = 0; k < inner; ++k)
                c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
        }
}

void many_weighted_sums(Lesson& lesson, const Tensor& words) {
    lesson.heading("The product of two matrices");
    const Tensor weights = tensor({0.25, 0.25, 0.5, 0.5, 0.5, 0}, {2, 3});
    Tensor means = zeros({2, 2});
    multiply(weights.data<float>(), words.data<float>(), means.edit<float>(), 2, 3, 2);
    lesson.claim("product-loops",
                 "product by the loops against the library's and the numbers worked by hand",
                 max(abs(means - matmul(weights, words)) +
                     abs(means - tensor({1.25, 1.25, 2.5, 0.5}, {2, 2})))
                     .item(),
                 equals(0));
}

//! Nearly all the time of a network goes into such products. Workshop {caches} makes them
//! many times as fast.

}  // namespace

}  // namespace heed::lesson01

//! ## What this does not show
//!
//! We made up the numbers of our words. How a program finds better ones comes in the next lessons.
//!
//! Source: Harris et al., "Array Programming with NumPy" (2020).
//!
//! ## Summary
//!
//! 1. A tensor has its numbers in one row of memory, a shape, and a stride for each axis.
//! 2. A view reads the same memory with other strides.
//! 3. Broadcasting repeats a tensor along an axis of size 1, with a stride of 0.
//! 4. Each row of a product of matrices is a weighted sum of the rows of the second one.
//! 5. Each of its numbers is a dot product, so all scores are one product, and all means another.
//!
//! ## Try this next
//!
//! 1. In `element`, exchange the two strides. Which claim notices it?
//! 2. Give `multiply` the weights 0, 0, 1 and 0, 1, 0. Which rows does it return?
using namespace heed;
using namespace heed::lesson01;

int main(int argc, char** argv) {
    Lesson lesson({.number = 1,
                   .name = "tensors",
                   .title = "Numbers in a row",
                   .question = "How does a program find a word in a plain row of numbers?",
                   .trains = false});
    return lesson.run(argc, argv, [&] {
        const Tensor words = tensor({3, 0, 2, 1, 0, 2}, {3, 2});
        store_the_sentence(lesson, words);
        find_elements(lesson, words);
        look_at_views(lesson);
        broadcast_against_the_loop(lesson, words);
        many_weighted_sums(lesson, words);
    });
}
