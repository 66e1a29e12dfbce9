#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    const auto d64 = Dtype::float64;
    const Tensor q = tensor({1, 0}, {1, 2}, d64), k = tensor({0, 2}, {1, 2}, d64);
    judge.given({{"W_Q", q}, {"W_K", k}});
    judge.equal(
        "queries (1, 0) and keys (0, 2)", [&] { return my_qk(q, k); },
        tensor({0, 2, 0, 0}, {2, 2}, d64),
        {.formula = "(W_Q x) . (W_K y) = x^T W_Q^T W_K y",
         .mistakes = {{"queries and keys are exchanged", tensor({0, 0, 2, 0}, {2, 2}, d64)}}});
    Rng rng(2);
    const auto random = [&](const Shape& shape) { return normal(shape, 0, 1, rng, d64); };
    const Tensor W_Q = random({3, 5}), W_K = random({3, 5}), W_O = random({5, 3}),
                 W_V = random({3, 5}), E = random({4, 5});
    const Tensor qk = matmul(transpose(W_Q), W_K), ov = matmul(W_O, W_V);
    judge.equal("five numbers wide, a head of three: QK", [&] { return my_qk(W_Q, W_K); }, qk,
                {.mistakes = {{"queries and keys are exchanged", transpose(qk)}}});
    judge.given({{"W_O", W_O}, {"W_V", W_V}});
    judge.equal("the same head: OV", [&] { return my_ov(W_O, W_V); }, ov,
                {.mistakes = {{"this is the OV circuit transposed", transpose(ov)}}});
    // Two letters. The note exchanges them, and so does the query.
    const Tensor swap = tensor({0, 1, 1, 0}, {2, 2}, d64), one = eye(2, d64);
    judge.given({{"E", one}, {"ov", swap}, {"qk", swap}});
    judge.equal(
        "two letters, exchanged in the note and again in the query",
        [&] { return my_composed(one, swap, swap); }, one);
    const Tensor expected = matmul(matmul(E, qk), transpose(matmul(E, transpose(ov))));
    judge.equal("four letters", [&] { return my_composed(E, ov, qk); }, expected,
                {.formula = "row a, column b: e_a^T QK (OV e_b)",
                 .mistakes = {{"rows and columns are exchanged: the queries are the rows",
                               transpose(expected)},
                              {"the note of a letter is OV e, not e OV",
                               matmul(matmul(E, qk), transpose(matmul(E, ov)))},
                              {"the note is missing: this compares letters with letters",
                               matmul(matmul(E, qk), transpose(E))},
                              {"the note was made of the letter that asks; it belongs to the key",
                               matmul(matmul(matmul(E, transpose(ov)), qk), transpose(E))}}});
    judge.gradient("its gradient", [](const auto& x) { return my_composed(x[0], x[1], x[2]); },
                   {E, ov, qk});
}
