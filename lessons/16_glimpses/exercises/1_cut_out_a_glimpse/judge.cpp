#include "lessons/course/exercise/judge.h"

#include <tuple>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"glimpse"});
    Rng rng(1);
    const auto seen = [](const Tensor& picture, double x, double y, int64_t size) {
        return select(select(glimpse(unsqueeze(picture, 0), tensor({x, y}, {1, 2}, picture.dtype()),
                                     {.size = size}),
                             0, 0),
                      0, 0);
    };
    const Tensor small = reshape(arange(24), {4, 6}) + 1;
    judge.given({{"picture", small}});
    judge.equal(
        "2 by 2 pixels at (0, 0) of a picture of 4 rows and 6 columns",
        [&] { return my_glimpse(small, 0, 0, 2); }, tensor({9, 10, 15, 16}, {2, 2}),
        {.formula = "left = ((x + 1) X - size) / 2, top = ((y + 1) Y - size) / 2",
         .mistakes = {{"the location is taken as the upper left corner of the square, not as "
                       "its centre",
                       tensor({16, 17, 22, 23}, {2, 2})},
                      {"rows and columns are exchanged: x belongs to the columns",
                       tensor({14, 15, 20, 21}, {2, 2})},
                      {"the result is transposed", tensor({9, 15, 10, 16}, {2, 2})},
                      {"(0, 0) is the centre of the picture, not its corner",
                       tensor({1, 2, 7, 8}, {2, 2})}}});
    judge.equal("2 by 2 pixels at (0.34, -0.5): x to the right, y down",
                [&] { return my_glimpse(small, 0.34, -0.5, 2); }, tensor({4, 5, 10, 11}, {2, 2}),
                {.mistakes = {{"y grows downwards: -1 is the top of the picture",
                               tensor({16, 17, 22, 23}, {2, 2})},
                              {"rows and columns are exchanged: x belongs to the columns",
                               seen(small, -0.5, 0.34, 2)}}});
    judge.equal("at the lower right corner, (1, 1): three pixels are outside",
                [&] { return my_glimpse(small, 1, 1, 2); }, tensor({24, 0, 0, 0}, {2, 2}),
                {.formula = "pixels outside the picture are 0",
                 .mistakes = {{"the square is moved into the picture, so its centre is elsewhere",
                               tensor({17, 18, 23, 24}, {2, 2})},
                              {"the zeros stand on the wrong side", tensor({0, 0, 0, 24}, {2, 2})},
                              {"the pixels at the edge are repeated", full({2, 2}, 24)}}});
    judge.equal("at the upper left corner, (-1, -1)", [&] { return my_glimpse(small, -1, -1, 2); },
                tensor({0, 0, 0, 1}, {2, 2}),
                {.mistakes = {{"the zeros stand on the wrong side", tensor({1, 0, 0, 0}, {2, 2})},
                              {"a cast alone cuts -0.5 off to 0, where std::floor gives -1",
                               tensor({1, 2, 7, 8}, {2, 2})}}});
    const Tensor picture = normal({7, 9}, 0, 1, rng, Dtype::float64);
    for (const auto& [x, y, size] : {std::tuple<double, double, int64_t>{0.1, -0.3, 3},
                                     {-0.7, 0.95, 4},
                                     {0.62, -1.2, 5},
                                     {-1.1, 0.4, 3},
                                     {0.05, 0.05, 12},
                                     {0.4, 0.2, 1}})
        judge.equal(
            fmt::format("{0} by {0} pixels at ({1}, {2}) of a picture of 7 by 9", size, x, y),
            [&, x = x, y = y, size = size] { return my_glimpse(picture, x, y, size); },
            seen(picture, x, y, size));
    judge.equal(
        "far outside: all zeros", [&] { return my_glimpse(picture, -5, 7, 3); },
        zeros({3, 3}, Dtype::float64));
    judge.gradient("the gradient of the picture",
                   [](const auto& in) { return my_glimpse(in[0], -0.7, 0.95, 4); }, {picture});
}
