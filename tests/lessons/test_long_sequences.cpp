// Lesson 29: the sequences of its two tasks, its seven models, and the multiply-adds of its table.
#include <algorithm>

#include "lessons/29_long_sequences/data.h"
#include "lessons/29_long_sequences/model.h"
#include "tests/autograd/compare.h"
#include "tests/catch.h"

namespace heed::lesson29 {
namespace {

TEST_CASE("long sequences: each question has one fact, near or far, and its answer", "[lesson]") {
    for (const Task task : {Task::near, Task::far}) {
        INFO(name_of(task));
        Rng rng(1);
        std::vector<int> distances, seen(tokens);
        for (const int64_t length : {int64_t{64}, int64_t{128}}) {
            const Sequences batch = draw(task, 50, length, rng);
            REQUIRE(batch.token.shape() == Shape{50, length});
            for (int64_t b = 0; b < 50; ++b) {
                int facts = 0, questions = 0;
                for (int64_t t = 0; t < length; ++t) {
                    const int token = batch.token.at({b, t});
                    ++seen.at(token);
                    facts += token >= letters && token < question(0);
                    if (token < question(0)) {
                        CHECK(batch.answer.at({b, t}) == no_answer);
                        continue;
                    }
                    ++questions;
                    CHECK(t >= length / 2);
                    // The fact whose topic is asked for says what the answer is.
                    const int topic = token - question(0), thing = batch.answer.at({b, t});
                    REQUIRE((thing >= 0 && thing < things));
                    int64_t at = 0;
                    while (at < length && batch.token.at({b, at}) != fact(topic, thing)) ++at;
                    REQUIRE(at < length);
                    distances.push_back(static_cast<int>(t - at));
                    if (task == Task::far) CHECK(at < length / 4);
                }
                CHECK(facts == topics);
                CHECK(questions == topics);
            }
        }
        const auto [least, most] = std::minmax_element(distances.begin(), distances.end());
        CHECK(*least >= (task == Task::near ? 1 : 20));
        if (task == Task::near) CHECK((*least == 1 && *most == 4));
        CHECK(*std::min_element(seen.begin(), seen.end()) > 0);  // every token occurs
    }
}

TEST_CASE("long sequences: the models differ in what an early token can change", "[lesson]") {
    const Sizes sizes;
    Rng rng(2);
    const Sequences batch = draw(Task::far, 1, sizes.length, rng);
    std::vector<int> changed(batch.token.data(), batch.token.data() + sizes.length);
    changed[1] = (changed[1] + 1) % letters;
    for (const Kind kind : kinds()) {
        INFO(name_of(kind));
        Rng own(3);
        const LongModel model(kind, sizes, own);
        const NoGrad no_grad;
        const Tensor before = model(batch.token),
                     after = model(Indices(changed, {1, sizes.length}));
        REQUIRE(before.shape() == Shape{1, sizes.length, things});
        const auto change = [&](int64_t from, int64_t to) {
            return largest_difference(slice(before, 1, from, to), slice(after, 1, from, to));
        };
        // Two layers of a window of 4 carry a change of token 1 to position 9 and no further.
        if (kind == Kind::window) {
            CHECK(change(9, 10) > 0);
            CHECK(change(10, sizes.length) == 0);
        } else if (kind != Kind::reformer) {  // whose hashes decide
            CHECK(change(sizes.length / 2, sizes.length) > 0);
        }
    }
}

TEST_CASE("long sequences: multiply-adds of a head, by hand", "[lesson]") {
    const Sizes sizes;
    CHECK(multiply_adds(Kind::exact, sizes, 128, 16) == 2. * 128 * 128 * 16);
    CHECK(multiply_adds(Kind::linformer, sizes, 128, 16) == 4. * 128 * 16 * 16);
    CHECK(multiply_adds(Kind::performer, sizes, 128, 16) == 4. * 128 * 32 * 16);
    // Blocks of 8 and a window of 4: each block needs itself and its neighbours, 3 but for the ends.
    CHECK(multiply_adds(Kind::window, sizes, 128, 16) == 2. * (16 * 3 - 2) * 64 * 16);
}

}  // namespace
}  // namespace heed::lesson29
