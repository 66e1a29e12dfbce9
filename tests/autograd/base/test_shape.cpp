// Layouts by their numbers alone.
#include "autograd/base/shape.h"
#include "tests/catch.h"

using namespace heed;

TEST_CASE("contiguous: the stride of an axis of size 1 does not matter, all others do") {
    struct Case {
        Shape shape;
        Strides strides;
        bool contiguous;
    };
    for (const auto& [shape, strides, contiguous] : {Case{{2, 3}, {3, 1}, true},
                                                     {{2, 3}, {1, 2}, false},
                                                     {{5, 1}, {1, 7}, true},
                                                     {{5, 1}, {3, 1}, false},
                                                     {{1, 5}, {7, 1}, true},
                                                     {{1, 5}, {5, 2}, false},
                                                     {{2, 1, 3}, {3, 9, 1}, true},
                                                     {{2, 1, 3}, {6, 3, 1}, false},
                                                     {{4}, {2}, false},
                                                     {{1}, {9}, true},
                                                     {{}, {}, true},
                                                     {{3, 2}, {0, 1}, false}}) {
        INFO(to_string(shape) << ", strides " << to_string(strides));
        CHECK(is_contiguous(Layout{shape, strides}) == contiguous);
    }
    CHECK(contiguous_strides({2, 1, 3}) == Strides{3, 3, 1});
}
