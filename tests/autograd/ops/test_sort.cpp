// Sorting against std::stable_sort, row by row.
#include "tests/autograd/oracle.h"

namespace heed {
namespace {

// The indices of x[.., :, ..] along the axis in sorted order, NaN as the largest.
std::vector<int> order_of(const Tensor& x, int axis, Axes index, bool descending) {
    std::vector<double> row;
    for (int64_t i = 0; i < x.shape()[axis]; ++i) {
        index[axis] = i;
        row.push_back(at(x, index));
    }
    std::vector<int> order(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) order[i] = static_cast<int>(i);
    const auto less = [&](double a, double b) {
        return std::isnan(a) ? false : std::isnan(b) ? true : a < b;
    };
    std::stable_sort(order.begin(), order.end(), [&](int i, int j) {
        return descending ? less(row[j], row[i]) : less(row[i], row[j]);
    });
    return order;
}

TEST_CASE("sort, argsort and topk equal std::stable_sort along every axis, in every layout") {
    Tensor numbers = round(draw({4, 5, 6}) * 4);  // many are equal
    numbers = where(numbers == 2.0, NAN, numbers);
    for (Dtype dtype : both_dtypes)
        for (const NamedLayout& layout : layouts_of(to_dtype(numbers, dtype)))
            for (int axis : {0, 1, 2})
                for (bool descending : {false, true}) {
                    INFO(layout.name << " along " << axis << (descending ? ", descending" : ""));
                    const Tensor& x = layout.x;
                    const ValuesAndIndices sorted = sort(x, axis, descending);
                    const ValuesAndIndices first = topk(x, 3, axis - 3, descending);
                    std::vector<int> expected, expected_first;
                    each_index(x.shape(), [&](const Axes& index) {
                        const int found = order_of(x, axis, index, descending)[index[axis]];
                        expected.push_back(found);
                        if (index[axis] < 3) expected_first.push_back(found);
                    });
                    CHECK(sorted.indices.values() == expected);
                    CHECK(sorted.indices.shape() == x.shape());
                    CHECK(argsort(x, axis, descending) == sorted.indices);
                    CHECK(first.indices.values() == expected_first);
                    CHECK(same_bits(sorted.values, gather(x, axis, sorted.indices)));
                    CHECK(same_bits(first.values, gather(x, axis, first.indices)));
                }
}

TEST_CASE("sorting by hand, and with nothing to sort") {
    const ValuesAndIndices sorted = sort(tensor({3, 1, 2}));
    CHECK(sorted.values.to_vector() == std::vector<double>{1, 2, 3});
    CHECK(sorted.indices.values() == std::vector<int>{1, 2, 0});
    CHECK(topk(tensor({3, 1, 2}), 2).values.to_vector() == std::vector<double>{3, 2});
    CHECK(topk(tensor({3, 1, 2}), 2, 0, false).values.to_vector() == std::vector<double>{1, 2});
    CHECK(topk(tensor({3, 1, 2}), 0).values.shape() == Shape{0});
    CHECK(sort(empty({0, 3}), 0).values.shape() == Shape{0, 3});
    CHECK(sort(empty({0, 3}), 1).indices.count() == 0);
}

TEST_CASE("the gradient of sorted values goes to the elements they came from", "[grad]") {
    Tensor x = tensor({3, 1, 2}, Dtype::float64).set_requires_grad();
    backward(sort(x).values, tensor({10, 20, 30}, Dtype::float64));
    CHECK(x.grad().to_vector() == std::vector<double>{30, 10, 20});
    x.clear_grad();
    backward(topk(x, 2).values, tensor({10, 20}, Dtype::float64));
    CHECK(x.grad().to_vector() == std::vector<double>{10, 0, 20});
}

TEST_CASE("max_with_indices: the first of several equal ones, and its gradient alone") {
    Tensor x = tensor({3, 1, 3, 2, 2, 2}, {2, 3}, Dtype::float64).set_requires_grad();
    const ValuesAndIndices largest = max_with_indices(x, 1),
                           smallest = min_with_indices(x, 0, true);
    CHECK(largest.values.to_vector() == std::vector<double>{3, 2});
    CHECK(largest.indices.values() == std::vector<int>{0, 0});
    CHECK(largest.values.shape() == Shape{2});
    CHECK(min_with_indices(x, 0).values.shape() == Shape{3});
    CHECK(smallest.values.shape() == Shape{1, 3});
    CHECK(smallest.values.to_vector() == std::vector<double>{2, 1, 2});
    CHECK(smallest.indices.shape() == Shape{1, 3});
    backward(sum(largest.values));
    CHECK(x.grad().to_vector() == std::vector<double>{1, 0, 0, 1, 0, 0});
    CHECK(std::isnan(max_with_indices(tensor({1, NAN, 3}), 0).values.item()));
    CHECK(std::isnan(min_with_indices(tensor({1, NAN, 3}), 0).values.item()));
}

}  // namespace
}  // namespace heed
