// Images picked from a set keep their pixels and labels.
#include "autograd/autograd.h"
#include "lessons/material/read/images.h"
#include "tests/catch.h"

using namespace heed;
using namespace heed::course;

TEST_CASE("images: picked by index or range, with their labels", "[lesson][data]") {
    const Images images{reshape(arange(24), {4, 2, 3}), {7, 5, 3, 1}};  // more images than rows
    const Images two = pick(images, {3, 0});
    CHECK(two.pixels.shape() == Shape{2, 2, 3});
    CHECK(select(two.pixels, 0, 0).to_vector() == std::vector<double>{18, 19, 20, 21, 22, 23});
    CHECK(select(two.pixels, 0, 1).to_vector() == std::vector<double>{0, 1, 2, 3, 4, 5});
    CHECK(two.labels == std::vector<int>{1, 7});

    const Images middle = course::range(images, 1, 3);
    CHECK(middle.pixels.to_vector() == slice(images.pixels, 0, 1, 3).to_vector());
    CHECK(middle.labels == std::vector<int>{5, 3});

    CHECK_THROWS(pick(images, {4}));
    CHECK_THROWS(course::range(images, 2, 2));
    CHECK_THROWS(course::range(images, 0, 5));
}
