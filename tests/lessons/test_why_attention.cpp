// Lesson 21: counting on a graph, the readers, and the bits whose parity is asked for.
#include "attention/scores/soft.h"
#include "lessons/21_why_attention/experiment.h"
#include "lessons/21_why_attention/models.h"
#include "tests/autograd/compare.h"
#include "tests/catch.h"

namespace heed::lesson21 {
namespace {

TEST_CASE("counts: a small graph, counted by hand", "[lesson]") {
    Rng rng(1);
    const Tensor x = normal({2, 3}, 0, 1, rng).set_requires_grad(),
                 w = normal({3, 4}, 0, 1, rng).set_requires_grad();
    //     a = x w        b = tanh(a)      c = exp(b)      y = c + a
    const Tensor a = matmul(x, w), y = exp(tanh(a)) + transpose(transpose(a));
    const Counts counts = count(y, x);
    CHECK(counts.multiply_adds == 2 * 3 * 4);
    CHECK(counts.waiting == 4);  // x w, tanh, exp, +; moving numbers does not count
    CHECK(counts.path == 2);     // x w, +
    CHECK(counts.bytes == 4 * 8 * 4);
    CHECK_THROWS_AS(count(y, normal({2, 3}, 0, 1, rng).set_requires_grad()), Error);
}

TEST_CASE("counts: a product whose first factor is a constant", "[lesson]") {
    Rng rng(1);
    const Tensor w = normal({5, 3}, 0, 1, rng).set_requires_grad();
    CHECK(count(linear(zeros({2, 3}), w), w).multiply_adds == 2 * 3 * 5);
    CHECK(count(matmul(zeros({2, 5}), w), w).multiply_adds == 2 * 5 * 3);
}

TEST_CASE("readers: attention over states is soft attention, and its gradient reaches all",
          "[lesson]") {
    Rng rng(2);
    const std::vector<Tensor> h = random_inputs(6, 3, 8, rng);
    const Tensor query = normal({3, 8}, 0, 1, rng, Dtype::float64), all = stack(h, 1);
    const Tensor scores = matmul(unsqueeze(query, 1), transpose(all)) / std::sqrt(8.0);
    CHECK(largest_difference(look_back(query, h), squeeze(soft_attention(scores, all).context, 1)) <
          1e-12);
    for (const ReaderKind kind : reader_kinds) {
        INFO(name_of(kind));
        const Reader reader(kind, 8, rng);
        const Tensor y = reader(h);
        CHECK(y.shape() == Shape{3, kind == ReaderKind::gru_attention ? 16 : 8});
        for (const double norm : gradient_by_distance(reader, 6, rng)) CHECK(norm > 0);
    }
}

TEST_CASE("bits: the answers are sums modulo two; an untrained model guesses", "[lesson]") {
    Rng rng(3);
    const Bits bits = random_bits(20, 30, rng);
    int ones = 0;
    for (int64_t row = 0; row < 20; ++row) {
        int sum = 0;
        for (int64_t t = 0; t < 30; ++t) {
            sum += bits.bit.at({row, t});
            CHECK(bits.odd.at({row, t}) == sum % 2);
        }
        ones += sum;
    }
    CHECK(ones > 230);
    CHECK(ones < 370);
    ParityModel model(PositionKind::rotary, rng);
    CHECK(model(bits.bit).shape() == Shape{20, 30, 2});
    const double before = accuracy_at(model, 10, rng);
    CHECK(before >= 0.3);
    CHECK(before <= 0.7);
}

TEST_CASE("written rows: what is read and what is asked", "[lesson]") {
    for (const Writing writing : all_writings) {
        Rng rng(4);
        const WrittenRows rows = written_rows(10, writing, rng);
        const int64_t length = rows.read.size(1), n = row_length;
        CHECK(length == (writing == Writing::nothing ? n + 1 : 2 * n));
        REQUIRE(rows.next.shape() == rows.read.shape());
        for (int64_t row = 0; row < 10; ++row) {
            int ones = 0;
            for (int64_t t = 0; t < length; ++t) {
                const int read = rows.read.at({row, t}), next = rows.next.at({row, t});
                if (t < n) ones += read;
                const bool steps = writing == Writing::steps;
                // A step is read after it was asked for.
                if (steps && t > n) CHECK(read == rows.next.at({row, t - 1}));
                if (steps ? t < n : t < length - 1) CHECK(next == -1);
            }
            CHECK(rows.odd[row] == ones % 2);
            CHECK(rows.next.at({row, length - 1}) == ones % 2);
        }
    }
}

TEST_CASE("written rows: a model that was not trained guesses", "[lesson]") {
    for (const Writing writing : all_writings) {
        Rng rng(5);
        const LanguageModel model = train_writer(writing, 1, rng);
        const double right = answers_right(model, writing, rng);
        CHECK(right < 0.7);
    }
}

}  // namespace
}  // namespace heed::lesson21
