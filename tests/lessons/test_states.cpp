// Lesson 33: the two tasks, what a state holds of pairs, and the models that read them.
#include "lessons/33_states/experiment.h"
#include "tests/autograd/compare.h"

namespace heed::lesson33 {
namespace {

Tensor add(const Tensor& S, const Tensor& k, const Tensor& v) {
    return S + matmul(transpose(k), v);
}
Tensor replace(const Tensor& S, const Tensor& k, const Tensor& v) {
    return S + matmul(transpose(k), v - matmul(k, S));
}

TEST_CASE("recall: a question has the value that stood with its key, and no key stands twice",
          "[lesson]") {
    Rng rng(1);
    const int pairs = 16;
    const Batch batch = draw_recall(20, pairs, rng);
    for (int64_t b = 0; b < 20; ++b) {
        std::vector<int> value(keys, -1);
        for (int64_t i = 0; i < pairs; ++i) {
            int& place = value[static_cast<std::size_t>(batch.first.at({b, i}))];
            CHECK(place == -1);
            place = batch.second.at({b, i});
            CHECK(place < values);
            CHECK(batch.answer.at({b, i}) == -100);
        }
        for (int64_t i = pairs; i < pairs + queries; ++i) {
            CHECK(batch.second.at({b, i}) == values);
            CHECK(batch.answer.at({b, i}) ==
                  value[static_cast<std::size_t>(batch.first.at({b, i}))]);
        }
    }
}

TEST_CASE("parity: the answer is that of the sum of the bits so far", "[lesson]") {
    Rng rng(2);
    const Batch batch = draw_parity(5, 30, rng);
    for (int64_t b = 0; b < 5; ++b) {
        int ones = 0;
        for (int64_t t = 0; t < 30; ++t) {
            ones += batch.first.at({b, t});
            CHECK(batch.answer.at({b, t}) == ones % 2);
        }
    }
}

TEST_CASE("a state holds keys at right angles without an error", "[lesson]") {
    Rng rng(3);
    Pairs pairs = random_pairs(6, 6, false, rng);
    pairs.key = eye(6, Dtype::float64);
    for (const Write& write : {Write(add), Write(replace)}) {
        const ReadBack read = read_back(pairs, 6, write);
        CHECK(read.error < 1e-20);
        CHECK(read.share == 1);
    }
    // Written twice, the sum holds both values, and the delta rule the second one.
    pairs.key = concat({pairs.key, pairs.key}, 0);
    pairs.value = concat({pairs.value, pairs.value * 3.0}, 0);
    CHECK(std::abs(read_back(pairs, 6, add).error - 1 / 9.0) < 1e-12);
    CHECK(read_back(pairs, 6, replace).error < 1e-20);
}

TEST_CASE("the squared error of the sum is (n - 1) / d", "[lesson]") {
    for (int64_t count : {9, 17, 33}) {
        const double error = mean_read_back(count, 32, false, add, Rng(4)).error;
        INFO(count << " pairs: " << error);
        CHECK(std::abs(error / ((count - 1) / 32.0) - 1) < 0.2);
    }
}

TEST_CASE("a cache grows with the tokens, and no state does", "[lesson]") {
    Rng rng(5);
    for (Mixer mixer : mixers()) {
        const MixerLayer layer = make_mixer(mixer, rng);
        INFO(name_of(mixer));
        const int64_t few = numbers_kept(layer, 10), many = numbers_kept(layer, 70);
        CHECK(many == (mixer == Mixer::attention ? 7 * few : few));
    }
    CHECK(numbers_kept(make_mixer(Mixer::attention, rng), 10) == 10 * 2 * width);
    CHECK(numbers_kept(make_mixer(Mixer::delta, rng), 10) == width * width / heads);
}

TEST_CASE("no reader sees a later token, and all have about as many parameters", "[lesson]") {
    std::vector<int64_t> counts;
    for (Mixer mixer : mixers()) {
        Rng rng(6);
        const Reader reader({mixer}, rng);
        counts.push_back(parameter_count(reader));
        const Batch batch = draw_parity(2, 12, rng);
        std::vector<int> bits(batch.first.begin(), batch.first.end());
        bits[11] ^= 1;  // the last of the first sequence
        Batch other = batch;
        other.first = Indices(bits, {2, 12});
        const NoGrad no_grad;
        const Tensor a = reader(batch), b = reader(other);
        INFO(name_of(mixer));
        CHECK(largest_difference(slice(a, 1, 0, 11), slice(b, 1, 0, 11)) < 1e-5);
        CHECK(largest_difference(a, b) > 1e-5);
    }
    const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
    CHECK(static_cast<double>(*most) / static_cast<double>(*least) < 1.15);
}

}  // namespace
}  // namespace heed::lesson33
