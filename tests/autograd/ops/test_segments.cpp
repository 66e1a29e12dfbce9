// Sums, maxima and softmax over segments, against loops that select the rows of each segment.
#include "tests/autograd/compare.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

// Segment 1 has no rows, and neither has the last one.
const Indices ids({0, 0, 0, 2, 2, 3});
const Segments segments(ids, 5);

// The rows of one segment: all x[i] with ids[i] = s.
Tensor rows_of(const Tensor& x, int s) {
    std::vector<int> rows;
    for (int i = 0; i < ids.count(); ++i)
        if (ids[i] == s) rows.push_back(i);
    return index_select(x, 0, Indices(rows));
}

// of(rows of segment s), or zeros where it has none, for all segments.
template <class F>
Tensor for_each(const Tensor& x, const F& of) {
    std::vector<Tensor> parts;
    for (int s = 0; s < segments.count(); ++s) {
        const Tensor rows = rows_of(x, s);
        parts.push_back(rows.size(0) > 0 ? of(rows) : sum(rows, 0));
    }
    return stack(parts);
}

using Xs = std::vector<Tensor>;

}  // namespace

TEST_CASE("segments know their rows", "[segments]") {
    CHECK(segments.count() == 5);
    CHECK(segments.rows() == 6);
    CHECK(segments.begin(2) == 3);
    CHECK(segments.end(2) == 5);
    CHECK(segments.begin(1) == segments.end(1));
    CHECK(segments.end(4) == 6);
    CHECK(Segments().count() == 0);
    CHECK(Segments(Indices(std::vector<int>{}), 3).end(2) == 0);
}

TEST_CASE("segment_sum and segment_max are loops over the rows of each segment",
          "[segments][grad]") {
    for (const Shape& shape : {Shape{6}, Shape{6, 3}, Shape{6, 2, 3}, Shape{6, 17}}) {
        INFO(to_string(shape));
        check_against([](const Xs& x) { return segment_sum(x[0], segments); },
                      [](const Xs& x) {
                          return for_each(x[0], [](const Tensor& rows) { return sum(rows, 0); });
                      },
                      {numbers(shape)});
        check_against([](const Xs& x) { return segment_max(x[0], segments); },
                      [](const Xs& x) {
                          return for_each(x[0], [](const Tensor& rows) { return max(rows, 0); });
                      },
                      {numbers(shape)});
    }
    const Tensor sums = segment_sum(numbers({6, 3}), segments);
    CHECK(sums.at({1, 2}) == 0);
    CHECK(sums.at({4, 0}) == 0);
}

TEST_CASE("segment_softmax is softmax over the rows of each segment", "[segments][grad]") {
    for (const Shape& shape : {Shape{6}, Shape{6, 3}, Shape{6, 2, 3}, Shape{6, 17}}) {
        INFO(to_string(shape));
        check_against([](const Xs& x) { return segment_softmax(x[0], segments); },
                      [](const Xs& x) {
                          std::vector<Tensor> parts;
                          for (int s : {0, 2, 3}) parts.push_back(softmax(rows_of(x[0], s), 0));
                          return concat(parts, 0);
                      },
                      {numbers(shape)});
        check_against([](const Xs& x) { return segment_softmax(x[0], segments); },
                      [](const Xs& x) { return segment_softmax_definition(x[0], segments); },
                      {numbers(shape)});
    }
    // Weights are not negative and sum to 1 in every segment that has rows, however large the scores.
    const Tensor weights = segment_softmax(numbers({6, 2}) * 1e4, segments);
    const Tensor sums = segment_sum(weights, segments);
    for (int s : {0, 2, 3}) CHECK(sums.at({s, 1}) == Approx(1).epsilon(1e-12));
    CHECK(min(weights).item() >= 0);
}

TEST_CASE("rows equal to the maximum of their segment share the gradient", "[segments][grad]") {
    Tensor x = tensor({1, 3, 3, 2, 5, 4}, {6}, Dtype::float64).set_requires_grad();
    backward(segment_max(x, segments), tensor({6, 1, 10, 100, 1}, {5}, Dtype::float64));
    CHECK(x.grad().to_vector() == std::vector<double>{0, 3, 3, 0, 10, 100});
}

TEST_CASE("a NaN shows in its own segment and in no other", "[segments][bad]") {
    Tensor x = numbers({6, 2});
    x.edit<double>()[3] = nan_value;  // row 1, column 1
    const auto check_only = [](const Tensor& y, int row) {
        for (int64_t r = 0; r < y.size(0); ++r)
            for (int64_t c = 0; c < 2; ++c) {
                INFO(r << ", " << c);
                CHECK(std::isnan(y.at({r, c})) == (c == 1 && (y.size(0) == 5 ? r == row : r < 3)));
            }
    };
    check_only(segment_sum(x, segments), 0);
    check_only(segment_max(x, segments), 0);
    check_only(segment_softmax(x, segments), 0);
}

TEST_CASE("no rows, no columns, no segments", "[segments]") {
    const Segments none(Indices(std::vector<int>{}), 3);
    CHECK(max(abs(segment_sum(zeros({0, 2}), none))).item() == 0);
    CHECK(segment_max(zeros({0, 2}), none).shape() == Shape{3, 2});
    CHECK(segment_softmax(zeros({0, 2}), none).shape() == Shape{0, 2});
    CHECK(segment_sum(zeros({6, 0}), segments).shape() == Shape{5, 0});
    CHECK(segment_softmax(zeros({6, 0}), segments).shape() == Shape{6, 0});
    CHECK(segment_sum(zeros({0}), Segments()).shape() == Shape{0});
}

TEST_CASE("segments refuse ids and rows that do not fit", "[segments][errors]") {
    CHECK_THROWS_WITH(Segments({0, 3}, 3), ContainsSubstring("index 3 at [1]") &&
                                               ContainsSubstring("the number of segments"));
    CHECK_THROWS_WITH(Segments({0, 2, 1}, 3), ContainsSubstring("id 1 of row 2 comes after id 2") &&
                                                  ContainsSubstring("sort them by segment first"));
    CHECK_THROWS_WITH(Segments(Indices({0, 1}, {1, 2}), 3), ContainsSubstring("[1, 2]"));
    CHECK_THROWS_WITH(Segments(Indices(std::vector<int>{}), -1), ContainsSubstring("got -1"));
    CHECK_THROWS_WITH(segment_softmax(zeros({5, 2}), segments),
                      ContainsSubstring("segment_softmax: x [5, 2] for segments of 6 rows"));
    CHECK_THROWS_WITH(segment_sum(zeros({}), segments), ContainsSubstring("expected [6, ...]"));
    CHECK_THROWS_WITH(segment_max(Tensor(), segments), ContainsSubstring("not defined"));
}
