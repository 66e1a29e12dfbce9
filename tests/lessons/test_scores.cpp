// The tasks of lesson 08: the answer is the value of the key that the query asks for.
#include "lessons/08_scores/tasks.cpp"  // a lesson's own files are in its program only
#include "tests/catch.h"

namespace {

// The key whose product with the query is largest.
int nearest(const Tensor& query, const Tensor& key, int row) {
    const Tensor products =
        matmul(select(query, 0, row), transpose(select(key, 0, row)));  // [1, K]
    return argmax(products, 1)[0];
}

}  // namespace

TEST_CASE("score tasks: symbols and positions determine the key of the answer", "[lesson]") {
    constexpr int count = 300;
    for (Task task : {Task::symbols, Task::place}) {
        Rng rng(2);
        const Batch batch = Problem(task, rng).draw(count, rng);
        std::vector<int> times_asked(keys);
        for (int b = 0; b < count; ++b) {
            int position = batch.asked.at({b, 0});
            if (task == Task::symbols) {
                position = -1;
                for (int j = 0; j < keys; ++j)
                    if (batch.named.at({b, j}) == batch.asked.at({b, 0})) {
                        CHECK(position == -1);  // each symbol occurs at most once
                        position = j;
                    }
            }
            REQUIRE((position >= 0 && position < keys));
            ++times_asked[position];
            CHECK(batch.answer[b] == batch.value.at({b, position}));
            CHECK((batch.answer[b] >= 0 && batch.answer[b] < values));
        }
        for (int times : times_asked) CHECK(times > count / 20);
        CHECK_FALSE(batch.query.defined());
        CHECK(batch.key.defined() == (task == Task::place));
    }
}

TEST_CASE("score tasks: in one space the nearest key is right, in the other the rotated one",
          "[lesson]") {
    constexpr int count = 300;
    int right = 0, turned_right = 0;
    for (Task task : {Task::same_space, Task::other_space}) {
        Rng rng(2);
        const Problem problem(task, rng);
        const Batch batch = problem.draw(count, rng);
        REQUIRE(batch.query.shape() == Shape{count, 1, width});
        REQUIRE(batch.key.shape() == Shape{count, keys, width});
        for (int b = 0; b < count; ++b) {
            const int position = nearest(batch.query, batch.key, b);
            (task == Task::same_space ? right : turned_right) +=
                batch.value.at({b, position}) == batch.answer[b];
        }
    }
    CHECK(right > 0.97 * count);
    CHECK(turned_right < 0.4 * count);

    // The rotation is the same for all batches, and its inverse finds the keys.
    Rng rng(2), again = rng;
    const Tensor turn = orthogonal({width, width}, again);
    const Problem problem(Task::other_space, rng);
    for (int draw = 0; draw < 2; ++draw) {
        const Batch batch = problem.draw(count, rng);
        const Tensor back = matmul(batch.query, transpose(turn));
        int found = 0;
        for (int b = 0; b < count; ++b)
            found += batch.value.at({b, nearest(back, batch.key, b)}) == batch.answer[b];
        CHECK(found > 0.97 * count);
    }
}
