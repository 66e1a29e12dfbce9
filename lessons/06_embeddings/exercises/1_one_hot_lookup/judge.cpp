#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"one_hot", "embedding", "Embedding", "index_select", "index_add", "scatter_add",
               "at_index", "gather", "grad", "backward", "vjp", "eye"});
    Rng rng(1);
    judge.equal("the id 1 of a table with three rows", [] { return my_one_hot({1}, 3); },
                tensor({0, 1, 0}, {1, 3}),
                {.formula = "a 1 at the index of the id, counted from 0",
                 .mistakes = {{"the ids are counted from 1", tensor({1, 0, 0}, {1, 3})}}});
    judge.equal("the ids 4, 0, 2, 4 of a table with five rows",
                [] {
                    return my_one_hot({4, 0, 2, 4}, 5);
                },
                one_hot({4, 0, 2, 4}, 5),
                {.mistakes = {{"there is a row for each word of the table, not for each id",
                               transpose(one_hot({4, 0, 2, 4}, 5))}}});
    judge.equal(
        "no ids at all", [] { return my_one_hot(Indices(), 3); }, zeros({0, 3}));
    const char* outside =
        "No error was thrown. An id outside of the table would read another word's row, "
        "or memory that does not belong to the table.";
    judge.refuses(
        "the id 3 of a table with three rows is an error",
        [] {
            my_one_hot({0, 3}, 3);
        },
        outside);
    judge.refuses(
        "the id -1 is an error",
        [] {
            my_one_hot({-1, 0}, 3);
        },
        outside);

    const Tensor E = tensor({1, 0, 2, -1, 0.5, 3}, {3, 2});
    judge.given({{"table", E}});
    judge.equal(
        "the words 1, 2, 1 of the table in the lesson",
        [&] {
            return my_lookup(E, {1, 2, 1});
        },
        tensor({2, -1, 0.5, 3, 2, -1}, {3, 2}),
        {.formula = "a row of the result is the row of the table with the index of the word"});
    const Tensor table = normal({7, 4}, 0, 1, rng, Dtype::float64);
    const Indices ids{6, 0, 3, 3, 5};
    judge.equal(
        "five words of a table with seven rows of width 4, in float64",
        [&] { return my_lookup(table, ids); }, embedding(table, ids));

    judge.equal(
        "the gradient of the table for the words 1, 2, 1",
        [] {
            return my_table_gradient({1, 2, 1}, tensor({1, 0, 0, 1, 2, 2}, {3, 2}), 3);
        },
        tensor({0, 0, 3, 2, 0, 1}, {3, 2}),
        {.formula = "row i is the sum over all occurrences of word i",
         .mistakes = {
             {"the last occurrence of a word replaces the earlier ones",
              tensor({0, 0, 2, 2, 0, 1}, {3, 2})},
             {"the first occurrence of a word is used only", tensor({0, 0, 1, 0, 0, 1}, {3, 2})},
             {"the mean of the occurrences is taken, not the sum",
              tensor({0, 0, 1.5, 1, 0, 1}, {3, 2})},
             {"the one-hot matrix is not transposed", tensor({0, 1, 2, 2, 0, 1}, {3, 2})}}});
    const Tensor g = normal({5, 4}, 0, 1, rng, Dtype::float64);
    judge.given({{"g", g}});
    judge.equal(
        "the gradient for five words and seven rows", [&] { return my_table_gradient(ids, g, 7); },
        index_add({7, 4}, 0, ids, g));
    judge.gradient("the lookup can be differentiated",
                   [&](const auto& x) { return my_lookup(x[0], ids); }, {table});
    judge.gradient("and your gradient agrees with finite differences",
                   [&](const auto& x) {
                       return record("lookup", detach(embedding(x[0], ids)), x[0],
                                     [&](const Tensor& arrives) {
                                         return my_table_gradient(ids, arrives, 7);
                                     });
                   },
                   {table});
}
