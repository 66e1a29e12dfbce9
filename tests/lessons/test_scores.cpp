// The tasks of workshop W10: the answer is the value of the key that the query selects.
#include "lessons/w10_score_functions/model.h"
#include "tests/catch.h"

namespace heed::workshop10 {
namespace {

// The key whose product with the query is largest.
int nearest(const Tensor& query, const Tensor& key, int row) {
    const Tensor products =
        matmul(select(query, 0, row), transpose(select(key, 0, row)));  // [1, K]
    return argmax(products, 1)[0];
}

TEST_CASE("score tasks: symbols and positions select the key that holds the answer", "[lesson]") {
    constexpr int count = 300;
    for (Task task : {Task::symbols, Task::position}) {
        Rng rng(2);
        const Batch batch = Problem(task, rng).draw(count, rng);
        std::vector<int> counts(keys);
        for (int b = 0; b < count; ++b) {
            int j = batch.asked.at({b, 0});
            if (task == Task::symbols) {
                j = -1;
                for (int k = 0; k < keys; ++k)
                    if (batch.named.at({b, k}) == batch.asked.at({b, 0})) {
                        CHECK(j == -1);  // each symbol occurs once at most
                        j = k;
                    }
            }
            REQUIRE((j >= 0 && j < keys));
            ++counts[j];
            CHECK(batch.answer[b] == batch.value.at({b, j}));
            CHECK((batch.answer[b] >= 0 && batch.answer[b] < values));
        }
        for (int times : counts) CHECK(times > count / 20);
        CHECK_FALSE(batch.query.defined());
        CHECK(batch.key.defined() == (task == Task::position));
    }
}

TEST_CASE("score tasks: the nearest key is selected, in the other space after the rotation",
          "[lesson]") {
    constexpr int count = 300;
    int right = 0, rotated_right = 0;
    for (Task task : {Task::same_space, Task::other_space}) {
        Rng rng(2);
        const Problem problem(task, rng);
        const Batch batch = problem.draw(count, rng);
        REQUIRE(batch.query.shape() == Shape{count, 1, width});
        REQUIRE(batch.key.shape() == Shape{count, keys, width});
        for (int b = 0; b < count; ++b) {
            const int j = nearest(batch.query, batch.key, b);
            (task == Task::same_space ? right : rotated_right) +=
                batch.value.at({b, j}) == batch.answer[b];
        }
    }
    CHECK(right > 0.97 * count);
    CHECK(rotated_right < 0.4 * count);

    // The rotation is the same for all batches, and its transpose undoes it.
    Rng rng(2), again = rng;
    const Tensor rotation = orthogonal({width, width}, again);
    const Problem problem(Task::other_space, rng);
    for (int draw = 0; draw < 2; ++draw) {
        const Batch batch = problem.draw(count, rng);
        const Tensor back = matmul(batch.query, transpose(rotation));
        int found = 0;
        for (int b = 0; b < count; ++b)
            found += batch.value.at({b, nearest(back, batch.key, b)}) == batch.answer[b];
        CHECK(found > 0.97 * count);
    }
}

}  // namespace
}  // namespace heed::workshop10
