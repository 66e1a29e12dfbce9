#include <algorithm>
#include <numeric>

#include "nn/nn.h"
#include "tests/autograd/compare.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

// Ten examples; example i has x = (i, 10 i) and label i.
TensorDataset<Tensor, Indices> ten() {
    std::vector<double> x;
    std::vector<int> labels;
    for (int i = 0; i < 10; ++i) {
        x.insert(x.end(), {double(i), 10.0 * i});
        labels.push_back(i);
    }
    return {tensor(x, {10, 2}), Indices(labels)};
}

std::vector<int> sorted(std::vector<int> values) {
    std::sort(values.begin(), values.end());
    return values;
}

}  // namespace

TEST_CASE("a data set gives its examples by index", "[data]") {
    const auto data = ten();
    CHECK(data.size() == 10);
    const auto some = data.rows({7, 0, 7});
    CHECK(some.x.to_vector() == std::vector<double>{7, 70, 0, 0, 7, 70});
    CHECK(some.y == Indices({7, 0, 7}));
    CHECK_THROWS_AS(data.rows({10}), Error);

    const TensorDataset tokens(Indices({1, 2, 3, 4, 5, 6}, {3, 2}), ones({3, 1}));
    CHECK(tokens.rows({2, 0}).x == Indices({5, 6, 1, 2}, {2, 2}));
    CHECK_THROWS_WITH(tokens.rows({3}), ContainsSubstring("TensorDataset"));
    CHECK_THROWS_WITH(
        TensorDataset(ones({3, 2}), Indices{1, 2}),
        "TensorDataset: expected x [N, ...] and y [N, ...] with the same N, got [3, 2] and [2]");
}

TEST_CASE("random_split puts every example in one set, x and y together", "[data]") {
    Rng rng(3);
    const auto sets = random_split(ten(), {0.7, 0.3}, rng);
    REQUIRE(sets.size() == 2);
    CHECK(sets[0].size() == 7);
    CHECK(sets[1].size() == 3);
    std::vector<int> all;
    for (const auto& set : sets)
        for (int64_t i = 0; i < set.size(); ++i) {
            CHECK(set.x.at({i, 1}) == 10.0 * set.y[i]);
            all.push_back(set.y[i]);
        }
    CHECK(sorted(all) == sorted(ten().y.values()));
}

TEST_CASE("a loader goes through each epoch once", "[data]") {
    Rng rng(5);
    DataLoader loader(ten(), {.batch_size = 4, .shuffle = true}, rng);
    CHECK(loader.batches() == 3);
    std::vector<std::vector<int>> epochs(2);
    for (std::vector<int>& epoch : epochs)
        for (const auto& batch : loader) {
            CHECK((batch.size() == 4 || epoch.size() == 8));
            epoch.insert(epoch.end(), batch.y.begin(), batch.y.end());
        }
    for (const std::vector<int>& epoch : epochs) CHECK(sorted(epoch) == ten().y.values());
    CHECK(epochs[0] != epochs[1]);
    CHECK(loader.epoch() == 2);

    // The same seed gives the same batches, by next() as by the loop.
    Rng same(5);
    DataLoader again(ten(), {.batch_size = 4, .shuffle = true}, same);
    for (const std::vector<int>& epoch : epochs) {
        std::vector<int> seen;
        for (int i = 0; i < 3; ++i) {
            const auto batch = again.next();
            seen.insert(seen.end(), batch.y.begin(), batch.y.end());
        }
        CHECK(seen == epoch);
    }
    CHECK(again.epoch() == 2);
}

TEST_CASE("a loop over a loader owns its order", "[data]") {
    const auto labels_of = [](const auto& batch) {
        return std::vector<int>(batch.y.begin(), batch.y.end());
    };
    for (uint64_t seed = 0; seed < 20; ++seed)
        for (int broken_off : {0, 1, 2, 3}) {
            INFO("seed " << seed << ", left after " << broken_off << " batches");
            Rng rng(seed);
            DataLoader loader(ten(), {.batch_size = 4, .shuffle = true}, rng);
            const auto first = labels_of(loader.next());  // next() is in the middle of an epoch

            // Each loop sees each example once, whatever goes on inside of it.
            std::vector<int> outer, stream = first;
            int count = 0;
            for (const auto& batch : loader) {
                const auto some = labels_of(batch);
                outer.insert(outer.end(), some.begin(), some.end());
                std::vector<int> inner;
                int in_loop = 0;
                for (const auto& other : loader) {
                    if (in_loop++ == broken_off) break;
                    const auto more = labels_of(other);
                    inner.insert(inner.end(), more.begin(), more.end());
                }
                CHECK(inner.size() == (broken_off == 3 ? 10u : 4u * broken_off));
                const auto distinct = sorted(inner);
                CHECK(std::adjacent_find(distinct.begin(), distinct.end()) == distinct.end());
                if (++count < 3) {
                    const auto next = labels_of(loader.next());
                    stream.insert(stream.end(), next.begin(), next.end());
                }
            }
            CHECK(sorted(outer) == ten().y.values());
            CHECK(sorted(stream) == ten().y.values());
            CHECK(loader.epoch() == 1 + 1 + 3);
        }
}

TEST_CASE("a loop that is left leaves nothing behind, and next() goes on where it was", "[data]") {
    Rng a(3), b(3);
    DataLoader left(ten(), {.batch_size = 3, .shuffle = true}, a),
        plain(ten(), {.batch_size = 3, .shuffle = true}, b);
    CHECK(left.next().y == plain.next().y);
    for (const auto& batch : left) {
        CHECK(batch.size() == 3);
        break;
    }
    for (const auto& batch : plain) CHECK(batch.size() > 0);
    for (int i = 0; i < 12; ++i) CHECK(left.next().y == plain.next().y);

    // Two positions of one loop, and a loader without shuffling.
    DataLoader ordered(ten(), {.batch_size = 5});
    auto one = ordered.begin(), two = one;
    ++one;
    CHECK((*two).y == Indices({0, 1, 2, 3, 4}));
    CHECK((*one).y == Indices({5, 6, 7, 8, 9}));
}

TEST_CASE("the position of next() is saved, whatever loops there were", "[data]") {
    Rng rng(4);
    DataLoader loader(ten(), {.batch_size = 4, .shuffle = true}, rng);
    for (int taken = 0; taken < 5; ++taken) {
        const NamedState before = collect({loader});
        std::vector<Indices> expected, found;
        for (int i = 0; i < 4; ++i) expected.push_back(loader.next().y);
        for (const auto& batch : loader) expected.push_back(batch.y);
        restore({loader}, before, "here");
        for (int i = 0; i < 4; ++i) found.push_back(loader.next().y);
        for (const auto& batch : loader) found.push_back(batch.y);
        CHECK((found == expected));
        restore({loader}, before, "here");
        loader.next();
    }
}

TEST_CASE("a loader keeps the order without shuffling, and may drop the last batch", "[data]") {
    DataLoader loader(ten(), {.batch_size = 4, .drop_last = true});
    CHECK(loader.batches() == 2);
    CHECK(loader.next().y == Indices({0, 1, 2, 3}));
    CHECK(loader.next().y == Indices({4, 5, 6, 7}));
    CHECK(loader.next().y == Indices({0, 1, 2, 3}));
    CHECK(DataLoader(ten()).next().y == Indices({0}));  // one example, as in PyTorch

    CHECK_THROWS_WITH(DataLoader(ten(), {.shuffle = true}),
                      "DataLoader: shuffling needs a generator: DataLoader(data, options, rng)");
    CHECK_THROWS_WITH(DataLoader(ten(), {.batch_size = 0}),
                      "DataLoader: batch_size is 0; expected a positive number");
    CHECK_THROWS_WITH(DataLoader(ten(), {.batch_size = 11, .drop_last = true}),
                      "DataLoader: 10 examples make no batch of 11 when the last one is dropped");
}

TEST_CASE("a classifier is trained from a loader", "[data]") {
    Rng rng(1);
    const Tensor x = normal({200, 2}, 0, 1, rng);
    const std::vector<double> values = x.to_vector();
    std::vector<int> labels;  // whether the two numbers of a point have the same sign
    for (int i = 0; i < 200; ++i) labels.push_back(values[2 * i] * values[2 * i + 1] > 0);
    const auto sets = random_split(TensorDataset(x, Indices(labels)), {0.8, 0.2}, rng);

    const Linear hidden(2, 16, rng), out(16, 2, rng);
    const auto model = [&](const Tensor& in) { return out(tanh(hidden(in))); };
    std::vector<Parameter> all = parameters(hidden);
    for (const Parameter& p : parameters(out)) all.push_back({"out." + p.name, p.tensor});
    Adam optimiser(all, {.lr = 0.03});
    DataLoader loader(sets[0], {.batch_size = 16, .shuffle = true}, rng);
    const TrainReport report =
        train(optimiser,
              {.epochs = 60,
               .epoch_steps = loader.batches(),
               .validate = [&] { return cross_entropy(model(sets[1].x), sets[1].y).item(); }},
              [&](int64_t) {
                  const auto batch = loader.next();
                  return StepResult{cross_entropy(model(batch.x), batch.y), batch.size()};
              });
    CHECK(report.validations.size() == 60);
    CHECK(loader.epoch() == 60);
    CHECK(metrics::accuracy(model(sets[1].x), sets[1].y) > 0.8);  // by chance 0.5
}
