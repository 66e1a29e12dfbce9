#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"slice", "transpose", "view_of", "arange", "permute"});
    const Tensor x = reshape(arange(24), {4, 6}),
                 y = transpose(slice(slice(x, 0, 1, 4), 1, 1, 6, 2));
    judge.number("the position of the first element", my_first, y.at({0, 0}),
                 {.formula = "row times 6 plus column, for the first element of s",
                  .mistakes = {{"the rows that were cut off at the top are not counted", 1},
                               {"the column that was cut off on the left is not counted", 6},
                               {"the numbers are counted from 1, and not from 0", 8},
                               {"the view is taken for a copy that begins at 0", 0}}});
    judge.number("the stride of the rows of y", my_row_stride, static_cast<double>(y.strides()[0]),
                 {.mistakes = {{"the two strides are not exchanged by the transpose", 6},
                               {"the columns that are left out are not counted", 1},
                               {"the strides are worked out from the shape of the view", 3}}});
    judge.number("the stride of the columns of y", my_column_stride,
                 static_cast<double>(y.strides()[1]),
                 {.mistakes = {{"the two strides are not exchanged by the transpose", 2},
                               {"the strides are worked out from the shape of the view", 1},
                               {"the strides are worked out from the shape of the view", 3},
                               {"the step of two is used for the rows as well", 12}}});
    judge.number("the number at row 2, column 1 of y", my_number, y.at({2, 1}),
                 {.formula = "p = p0 + i s0 + j s1",
                  .mistakes = {{"this is row 2, column 1 of s, before it was transposed", 21},
                               {"the position of the first element is not added", 10},
                               {"i and j were counted from 1", 9}}});
}
