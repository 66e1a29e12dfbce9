// Every elementwise function and its slope, over its whole range, to the last digits that its kernel
// promises. ./heed gradcheck --ulp prints the table.
#include <algorithm>

#include "tests/autograd/elementwise_operations.h"
#include "tests/catch.h"
#include "tests/gradcheck/accuracy.h"

namespace heed {

TEST_CASE("elementwise functions and their slopes are exact to some units in the last place",
          "[ulp]") {
    for (const Accuracy& row : measure_accuracy()) {
        INFO(row.name << " in " << name_of(row.dtype) << ": " << row.error << " ulp at "
                      << row.at[0] << " " << row.at[1] << ", found " << row.found << ", exact "
                      << row.expected);
        CHECK(row.error <= row.bar);
    }
}

TEST_CASE("every elementwise operation has a row in the table of accuracies", "[ulp]") {
    const std::vector<std::string> names = accuracy_names();
    for (const ListedOperation& op : elementwise_operations()) {
        INFO(op.name);
        CHECK(std::count(names.begin(), names.end(), op.name) >= 1);
    }
}

}  // namespace heed
