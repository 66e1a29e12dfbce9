#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"recall_at", "nearest", "class_vectors", "unit_vectors"});
    const Tensor four = tensor({0.9, 0.1, 0.3, 0.2,   //
                                0.2, 0.5, 0.6, 0.1,   //
                                0.8, 0.75, 0.7, 0.0,  //
                                0.95, 0.3, 0.2, 0.6},
                               {4, 4});
    judge.given({{"scores", four}});
    judge.number(
        "recall at 1 of four pictures; better than the own caption are 0, 1, 2 and 1 others",
        [&] { return my_recall(four, 1); }, 0.25,
        {.tolerance = 1e-9,
         .formula = "the share of rows i in which fewer than k others are as good as s_ii",
         .mistakes = {{"this is the recall of captions: the best picture in a column", 0.5},
                      {"k others may be better here; it should be k - 1", 0.75},
                      {"this is the number of pictures, not their share", 1},
                      {"these are percents", 25}}});
    judge.number("recall at 2", [&] { return my_recall(four, 2); }, 0.75,
                 {.tolerance = 1e-9, .mistakes = {{"only the very best caption counts", 0.25}}});
    judge.number("recall at 4: all captions are among the best four",
                 [&] { return my_recall(four, 4); }, 1, {.tolerance = 1e-9});
    judge.number("recall at 1 of a collapsed network: all 25 scores are equal",
                 [] {
                     return my_recall(full({5, 5}, 0.99), 1);
                 },
                 0,
                 {.tolerance = 1e-9,
                  .mistakes = {{"a tie counts as won, so collapse looks perfect", 1},
                               {"a tie counts as won by the first caption", 0.2},
                               {"a tie counts as won by the last caption", 0.2}}});
    Rng rng(6);
    const Tensor many = round(normal({30, 30}, 0, 3, rng));  // with ties
    for (const int k : {1, 5, 20})
        judge.number(fmt::format("recall at {} of 30 pictures, some with ties", k),
                     [&] { return my_recall(many, k); }, recall_at(many, k), {.tolerance = 1e-9});

    judge.equal(
        "two pictures, (3, 1) and (0.1, 0.3); the captions (1, 0) and (0, 10)",
        [] {
            return to_tensor(
                my_classes(tensor({3, 1, 0.1, 0.3}, {2, 2}), tensor({1, 0, 0, 10}, {2, 2})));
        },
        tensor({0., 1.}),
        {.formula = "the caption with the largest cosine",
         .mistakes = {
             {"a long vector wins every dot product: divide by the lengths", tensor({1., 1.})},
             {"the distance depends on the lengths, the cosine does not", tensor({0., 0.})},
             {"this is the smallest cosine", tensor({1., 0.})}}});
    const Tensor pictures = normal({20, 5}, 0, 2, rng), lengths = uniform({7, 1}, 0.1, 3, rng),
                 captions = normal({7, 5}, 0, 1, rng) * lengths;
    judge.given({{"pictures", pictures}, {"captions", captions}});
    judge.equal(
        "20 random pictures and 7 captions",
        [&] { return to_tensor(my_classes(pictures, captions)); },
        to_tensor(nearest(pictures, captions)),
        {.mistakes = {{"there is one class for each caption; a picture has to be given for each",
                       to_tensor(nearest(captions, pictures))}}});
}
