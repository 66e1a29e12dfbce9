#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    const auto block = [](const Tensor& x, int64_t row, int64_t column) {
        const int64_t V = x.size(0);
        return pad(pad(x, 0, row * V, (2 - row) * V), 1, column * V, (2 - column) * V);
    };
    const auto qk = [](const Head& head) { return matmul(transpose(head.query), head.key); };
    const auto ov = [](const Head& head) { return matmul(head.output, head.value); };
    judge.equal(
        "two letters, s = 3: the scores of \"a b a\", the tokens with their notes",
        [&] {
            const Tensor x = tensor({1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0}, {3, 6});
            return matmul(matmul(x, qk(my_copy_head(2, 3))), transpose(x));
        },
        tensor({0, 3, 0, 0, 0, 3, 0, 3, 0}, {3, 3}),
        {.formula = "s where the letter of the row is the letter before of the column",
         .mistakes = {
             {"this compares letters with letters: the head finds the letter itself",
              tensor({3, 0, 3, 0, 3, 0, 3, 0, 3}, {3, 3})},
             {"the query has the letter before, and the key the letter: it is the other way "
              "round",
              tensor({0, 0, 0, 3, 0, 3, 0, 3, 0}, {3, 3})},
             {"the sharpness s is missing", tensor({0, 1, 0, 0, 0, 1, 0, 1, 0}, {3, 3})},
             {"the sharpness is in the queries and in the keys",
              tensor({0, 9, 0, 0, 0, 9, 0, 9, 0}, {3, 3})}}});
    judge.equal("five letters: the QK circuit", [&] { return qk(my_copy_head(5, 7)); },
                block(7 * eye(5), 0, 1),
                {.formula = "rows of the query's letter, columns of the key's letter before"});
    judge.equal(
        "five letters: the OV circuit", [&] { return ov(my_copy_head(5, 7)); }, block(eye(5), 2, 0),
        {.formula = "rows of the answer, columns of the letter",
         .mistakes = {
             {"the letter goes to the letter's own group, not to the answer", block(eye(5), 0, 0)},
             {"the note is copied, not the letter: the answer repeats the query",
              block(eye(5), 2, 1)}}});
    // A text without a period, all notes in place: b a d c a b e a ?
    const std::vector<int> text{1, 0, 3, 2, 4, 3};
    std::vector<double> x;
    for (std::size_t i = 0; i < text.size(); ++i)
        for (int group = 0; group < 3; ++group)
            for (int letter = 0; letter < 5; ++letter)
                x.push_back(group == 0   ? text[i] == letter
                            : group == 1 ? i > 0 && text[i - 1] == letter
                                         : 0);
    const Tensor tokens = tensor(x, {6, 15});
    judge.equal(
        "b a d c e d: after d came c",
        [&] {
            const Head head = my_copy_head(5, 30);
            const Tensor weights = softmax(matmul(matmul(tokens, qk(head)), transpose(tokens)), -1);
            const Tensor added = matmul(weights, matmul(tokens, transpose(ov(head))));
            return slice(select(added, 0, 5), 0, 10, 15);
        },
        tensor({0, 0, 1, 0, 0}));
}
