#include <algorithm>
#include <numeric>

#include "nn/nn.h"
#include "tests/autograd/compare.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

std::vector<int> flatten_sorted(const std::vector<std::vector<int>>& lists) {
    std::vector<int> all;
    for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
    std::sort(all.begin(), all.end());
    return all;
}

std::vector<int> up_to(int count) {
    std::vector<int> all(count);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

}  // namespace

TEST_CASE("pad_sequences fills rows up at the end and counts tokens") {
    const PaddedBatch batch = pad_sequences({{5, 6, 7}, {}, {8}});
    CHECK(batch.ids == Indices({5, 6, 7, 0, 0, 0, 8, 0, 0}, {3, 3}));
    CHECK(batch.lengths == Indices({3, 0, 1}));
    CHECK(batch.tokens() == 4);
    CHECK(pad_sequences({{1}, {2, 3}}, 9).ids == Indices({1, 9, 2, 3}, {2, 2}));
    CHECK_THROWS_WITH(pad_sequences({}), "pad_sequences: there are no sequences");

    CHECK(length_mask(batch.lengths, 4).to_vector() ==
          std::vector<double>{1, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0});
    CHECK_THROWS_WITH(length_mask(batch.lengths, 2), "length_mask: length 3 is outside 0 to 2");
}

TEST_CASE("bucketing uses every sentence once, is reproducible, and adds little padding") {
    Rng draw(1);
    std::vector<int> lengths(1003);
    for (int& length : lengths) length = 1 + static_cast<int>(draw.below(40));

    const auto padding = [&](const std::vector<std::vector<int>>& batches) {
        int64_t padded = 0, tokens = 0;
        for (const auto& batch : batches) {
            const std::vector<int> own = pick(lengths, batch);
            padded += *std::max_element(own.begin(), own.end()) * int64_t(own.size());
            tokens = std::accumulate(own.begin(), own.end(), tokens);
        }
        return double(padded) / double(tokens) - 1;
    };
    for (int pool : {0, 2, 50}) {
        Rng a(7), b(7), c(8);
        const BatchOptions options{.batch_size = 32, .pool = pool};
        const auto batches = bucket_batches(lengths, options, a);
        CHECK(flatten_sorted(batches) == up_to(1003));
        for (const auto& batch : batches) CHECK(batch.size() <= 32);
        CHECK(batches == bucket_batches(lengths, options, b));
        CHECK(batches != bucket_batches(lengths, options, c));
        CHECK(batches != bucket_batches(lengths, options, a));  // the next epoch has another order
        if (pool == 50) CHECK(padding(batches) < 0.05);
        if (pool == 0) CHECK(padding(batches) > 0.5);
    }
}

TEST_CASE("with a limit of tokens no batch is larger, padding included") {
    Rng rng(1);
    std::vector<int> lengths(500);
    for (int& length : lengths) length = 1 + static_cast<int>(rng.below(40));
    lengths[17] = 1000;
    const auto batches = bucket_batches(lengths, {.batch_size = 64, .tokens = 300}, rng);
    CHECK(flatten_sorted(batches) == up_to(500));
    for (const auto& batch : batches) {
        const std::vector<int> own = pick(lengths, batch);
        const int longest = *std::max_element(own.begin(), own.end());
        CHECK((longest * int64_t(own.size()) <= 300 || own.size() == 1));
    }
    CHECK_THROWS_WITH(bucket_batches(lengths, {.batch_size = 0}, rng),
                      "bucket_batches: batch_size is 0; expected a positive number");
}

TEST_CASE("random_split puts every index in one set, in the given shares") {
    Rng rng(3), same(3);
    const auto sets = random_split(101, {0.8, 0.1, 0.1}, rng);
    CHECK(sets.size() == 3);
    CHECK(sets[0].size() == 81);
    CHECK(sets[1].size() == 10);
    CHECK(flatten_sorted(sets) == up_to(101));
    CHECK(sets == random_split(101, {0.8, 0.1, 0.1}, same));
    CHECK_THROWS_WITH(random_split(10, {0.8, 0.3}, rng), ContainsSubstring("more than 1"));
}

TEST_CASE("a batch stream continues from one epoch to the next") {
    int made = 0;
    BatchStream<int> stream([&] { return std::vector<int>{++made * 10, made * 10 + 1}; });
    std::vector<int> seen;
    for (int i = 0; i < 5; ++i) seen.push_back(stream.next());
    CHECK(seen == std::vector<int>{10, 11, 20, 21, 30});
    CHECK(stream.epoch() == 3);
    CHECK(stream.epoch_steps() == 2);
}
