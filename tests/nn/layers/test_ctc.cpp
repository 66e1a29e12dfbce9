// CTC: against the sum over all paths, written one by one; the laws of its probabilities with wrong
// recursions that break them; kernel against definition; decoding against all labels.
#include <cmath>
#include <functional>
#include <map>

#include "nn/nn.h"
#include "tests/autograd/compare.h"

namespace heed {
namespace {

using Labels = std::vector<int>;

constexpr int T = 5, C = 3;

// Log-probabilities [1, T, C] of one sequence.
Tensor some_frames(uint64_t seed = 1) {
    Rng rng(seed);
    return log_softmax(normal({1, T, C}, 0, 1, rng, Dtype::float64));
}

// The sum over all C^T paths, by what they say.
std::map<Labels, double> by_all_paths(const Tensor& log_p, int blank = 0) {
    std::map<Labels, double> sums;
    const int paths = static_cast<int>(std::pow(C, T));
    for (int number = 0; number < paths; ++number) {
        Labels path;
        double log_probability = 0;
        for (int t = 0, rest = number; t < T; ++t, rest /= C) {
            path.push_back(rest % C);
            log_probability += log_p.at({0, t, path.back()});
        }
        sums[ctc_labels(path, blank)] += std::exp(log_probability);
    }
    return sums;
}

double loss_of(const Tensor& log_p, const Labels& labels, int blank = 0) {
    return ctc_loss(log_p, Indices(labels, {1, std::ssize(labels)}), {}, {},
                    {.blank = blank, .reduction = Reduction::sum})
        .item();
}

// --- the recursion by hand, with rules that can be wrong -----------------------------------------

struct Rules {
    bool skips = true, skips_between_equal = false, ends_with_label = true,
         begins_with_label = true;
};

double probability(const Tensor& log_p, const Labels& labels, const Rules& rules) {
    std::vector<int> z{0};
    for (int label : labels) z.insert(z.end(), {label, 0});
    const int states = static_cast<int>(z.size());
    std::vector<double> a(states, 0);
    for (int t = 0; t < T; ++t) {
        std::vector<double> next(states, 0);
        for (int s = 0; s < states; ++s) {
            double ways = a[s] + (s >= 1 ? a[s - 1] : 0);
            const bool may = s >= 2 && z[s] != 0 && (rules.skips_between_equal || z[s] != z[s - 2]);
            if (rules.skips && may) ways += a[s - 2];
            if (t == 0) ways = s == 0 || (s == 1 && rules.begins_with_label);
            next[s] = ways * std::exp(log_p.at({0, t, z[s]}));
        }
        a = next;
    }
    return a[states - 1] + (states > 1 && rules.ends_with_label ? a[states - 2] : 0);
}

// All labels of length 0 to T.
std::vector<Labels> all_labels() {
    std::vector<Labels> all{{}};
    for (std::size_t i = 0; i < all.size(); ++i)
        for (int c = 1; c < C && std::ssize(all[i]) < T; ++c) {
            all.push_back(all[i]);
            all.back().push_back(c);
        }
    return all;
}

using Probability = std::function<double(const Tensor& log_p, const Labels& labels)>;

// Law: the probabilities of all labels sum to 1, since each path says something.
bool sums_to_one(const Probability& p) {
    const Tensor log_p = some_frames();
    double total = 0;
    for (const Labels& labels : all_labels()) total += p(log_p, labels);
    return std::abs(total - 1) < 1e-12;
}

// Law: reading the frames and the labels backwards changes nothing.
bool same_backwards(const Probability& p) {
    const Tensor log_p = some_frames();
    for (const Labels& labels : all_labels()) {
        const Labels turned(labels.rbegin(), labels.rend());
        if (std::abs(p(log_p, labels) - p(flip(log_p, 1), turned)) > 1e-12) return false;
    }
    return true;
}

TEST_CASE("what a path says: repeats are merged, then blanks removed") {
    CHECK(ctc_labels({0, 3, 3, 0, 1, 1, 2}) == Labels{3, 1, 2});
    CHECK(ctc_labels({1, 0, 1}) == Labels{1, 1});
    CHECK(ctc_labels({1, 1, 1}) == Labels{1});
    CHECK(ctc_labels({0, 0}) == Labels{});
    CHECK(ctc_labels({}) == Labels{});
    CHECK(ctc_labels({0, 2, 2, 0}, 2) == Labels{0, 0});
}

TEST_CASE("ctc_loss equals the sum over all paths") {
    for (uint64_t seed : {1, 2})
        for (int blank : {0, 2}) {
            const Tensor log_p = some_frames(seed);
            const std::map<Labels, double> sums = by_all_paths(log_p, blank);
            CHECK(sums.size() > 20);
            for (const auto& [labels, p] : sums)
                CHECK(std::abs(loss_of(log_p, labels, blank) + std::log(p)) < 1e-12);
        }
    // Five frames cannot say these.
    for (const Labels& labels :
         {Labels{1, 2, 1, 2, 1, 2}, Labels{1, 1, 1, 1}, Labels{1, 1, 2, 2, 1}})
        CHECK(loss_of(some_frames(), labels) == infinity);
}

TEST_CASE("laws of CTC, and wrong recursions that they catch", "[laws]") {
    const auto by = [](const Rules& rules) {
        return [=](const Tensor& log_p, const Labels& labels) {
            return probability(log_p, labels, rules);
        };
    };
    const auto ours = [](const Tensor& log_p, const Labels& labels) {
        return std::exp(-loss_of(log_p, labels));
    };
    CHECK(sums_to_one(ours));
    CHECK(same_backwards(ours));
    CHECK(sums_to_one(by({})));
    CHECK(same_backwards(by({})));
    // Each blank has to be said; a blank may be left out between equal labels; the last frame or the first
    // has to be a blank.
    CHECK_FALSE(sums_to_one(by({.skips = false})));
    CHECK_FALSE(sums_to_one(by({.skips_between_equal = true})));
    CHECK_FALSE(same_backwards(by({.ends_with_label = false})));
    CHECK_FALSE(same_backwards(by({.begins_with_label = false})));
}

TEST_CASE("ctc_loss: kernel and definition agree, in values, gradients and lengths",
          "[definition]") {
    Rng rng(3);
    const Indices labels({1, 2, 2, 3, 3, 1, 2, -7, -7, 0, 0, 0}, {4, 3});
    const Indices lengths({6, 4, 1, 0}), label_lengths({3, 3, 1, 0});
    for (Reduction reduction : {Reduction::mean, Reduction::sum, Reduction::none})
        for (Dtype dtype : {Dtype::float64, Dtype::float32}) {
            const double tolerance = dtype == Dtype::float64 ? 1e-12 : 2e-6;
            const Tensor x = normal({4, 6, 4}, 0, 1, rng, dtype).set_requires_grad();
            const CtcOptions options{.reduction = reduction};
            const Tensor log_p = log_softmax(x);
            const Tensor loss = ctc_loss(log_p, labels, lengths, label_lengths, options),
                         defined =
                             ctc_loss_definition(log_p, labels, lengths, label_lengths, options);
            CHECK(largest_difference(loss, defined) < tolerance);
            const Tensor c = uniform(loss.shape(), 0.5, 2, rng, dtype);
            const Tensor gradient = grad(loss, {x}, false, c)[0];
            CHECK(largest_difference(gradient, grad(defined, {x}, false, c)[0]) < tolerance);
            CHECK(max(abs(slice(gradient[1], 0, 4, 6))).item() == 0);  // behind the last frame
        }
    // A row alone, cut to its length, and a row in the batch.
    const Tensor log_p = log_softmax(normal({4, 6, 4}, 0, 1, rng, Dtype::float64));
    const Tensor all =
        ctc_loss(log_p, labels, lengths, label_lengths, {.reduction = Reduction::none});
    CHECK(all[3].item() == 0);  // no frames say no labels
    for (int b = 0; b < 3; ++b) {
        Labels own;
        for (int i = 0; i < label_lengths[b]; ++i) own.push_back(labels.at({b, i}));
        const Tensor frames = slice(slice(log_p, 0, b, b + 1), 1, 0, lengths[b]);
        CHECK(std::abs(loss_of(frames, own) - all[b].item()) < 1e-12);
    }
    // The shares of the classes at a frame sum to 1.
    const Tensor leaf = clone(log_p).set_requires_grad();
    const Tensor share =
        -grad(ctc_loss(leaf, labels, {}, label_lengths, {.reduction = Reduction::sum}), {leaf})[0];
    CHECK(largest_difference(sum(share, 2), ones({4, 6}, Dtype::float64)) < 1e-12);
    CHECK(min(share).item() >= 0);
}

TEST_CASE("ctc_loss of what cannot be said, of bad numbers, of nothing") {
    const Indices labels({1, 1, 2, 1}, {2, 2});
    const Tensor leaf = full({2, 2, 3}, -std::log(3), Dtype::float64).set_requires_grad();
    CtcOptions options{.reduction = Reduction::none};
    const Tensor losses = ctc_loss(leaf, labels, {}, {}, options);  // "1 1" needs three frames
    CHECK(losses[0].item() == infinity);
    CHECK(std::abs(losses[1].item() - 2 * std::log(3)) < 1e-12);
    CHECK(std::isnan(grad(sum(losses), {leaf})[0].at({0, 0, 1})));
    // A loss that is not asked for gives no gradient, however infinite.
    for (const auto& loss : {ctc_loss, ctc_loss_definition}) {
        const Tensor both = loss(leaf, labels, {}, {}, options);
        const Tensor gradient = grad(both[1], {leaf})[0];
        CHECK(max(abs(gradient[0])).item() == 0);
        CHECK(largest_difference(gradient[1],
                                 tensor({0, 0, -1, 0, -1, 0}, {2, 3}, Dtype::float64)) < 1e-12);
    }
    options.zero_infinity = true;
    for (const auto& loss : {ctc_loss, ctc_loss_definition}) {
        const Tensor both = loss(leaf, labels, {}, {}, options);
        CHECK(both[0].item() == 0);
        CHECK(max(abs(grad(sum(both), {leaf})[0][0])).item() == 0);
    }

    // A class that is impossible, and a NaN among those that are read and those that are not.
    Tensor frames = log_softmax(numbers({1, 4, 4}));
    const double before = loss_of(frames, {1, 2});
    const auto with = [&](int64_t t, int c, double number) {
        std::vector<double> values = frames.to_vector();
        values[4 * t + c] = number;
        return tensor(values, frames.shape(), Dtype::float64);
    };
    for (double number : {-infinity, nan_value})
        for (int c = 0; c < 4; ++c) {
            const Tensor changed = with(1, c, number);
            const Tensor a = ctc_loss(changed, Indices({1, 2}, {1, 2})),
                         b = ctc_loss_definition(changed, Indices({1, 2}, {1, 2}));
            if (c == 3) CHECK(a.item() == Approx(before / 2));  // no label: not read
            const bool bad = c < 3 && std::isnan(number);
            CHECK((bad ? std::isnan(a.item()) && std::isnan(b.item())
                       : largest_difference(a, b) < 1e-12));
        }

    CHECK(ctc_loss(zeros({0, 3, 2}), {}).item() == 0);
    CHECK(ctc_loss(zeros({2, 0, 2}), {}).item() == 0);
    CHECK(ctc_loss(zeros({2, 0, 2}), Indices({1, 1}, {2, 1})).item() == infinity);
}

TEST_CASE("CTC decoding: greedy is the best path, a wide beam the best labels") {
    int different = 0;
    for (uint64_t seed = 1; seed <= 30; ++seed) {
        const Tensor log_p = some_frames(seed);
        const std::map<Labels, double> sums = by_all_paths(log_p);
        const auto best = std::ranges::max_element(
            sums, [](const auto& a, const auto& b) { return a.second < b.second; });
        const CtcLabels found = ctc_beam_search(log_p, 1000)[0];
        CHECK(found.labels == best->first);
        CHECK(std::abs(found.log_probability - std::log(best->second)) < 1e-12);
        CHECK(std::abs(found.log_probability + loss_of(log_p, found.labels)) < 1e-12);

        const Labels greedy = ctc_greedy_decode(log_p)[0];
        CHECK(greedy == ctc_labels(argmax(reshape(log_p, {T, C})).values()));
        different += greedy != best->first;
        // A narrow beam finds labels whose probability it does not overstate.
        const CtcLabels narrow = ctc_beam_search(log_p, 2)[0];
        CHECK(narrow.log_probability < -loss_of(log_p, narrow.labels) + 1e-12);
    }
    CHECK(different > 0);  // or the beam would show nothing

    // Lengths; another blank.
    const Tensor two = concat({some_frames(1), some_frames(2)}, 0);
    for (int blank : {0, 2}) {
        const auto rows = ctc_greedy_decode(two, {5, 2}, blank);
        const auto beams = ctc_beam_search(two, 50, {5, 2}, blank);
        CHECK(rows[1] == ctc_greedy_decode(slice(two[Slice{1, 2}], 1, 0, 2), {}, blank)[0]);
        CHECK(beams[1].labels ==
              ctc_beam_search(slice(two[Slice{1, 2}], 1, 0, 2), 50, {}, blank)[0].labels);
        CHECK(std::abs(beams[0].log_probability + loss_of(some_frames(1), beams[0].labels, blank)) <
              1e-12);
    }
    CHECK(ctc_greedy_decode(zeros({1, 0, 2})) == std::vector<Labels>{{}});
    CHECK(ctc_beam_search(zeros({1, 0, 2}))[0].labels == Labels{});
    CHECK(ctc_beam_search(zeros({0, 3, 2})).empty());
}

// The example of ctc.h: a network that learns to say what it is shown, without being told where.
TEST_CASE("the example of ctc.h") {
    Rng rng(1);
    Linear layer(4, 4, rng);
    Adam adam(parameters(layer), {.lr = 0.1});
    // The frames show 0 1 1 0 2 2 3 and 2 2 1 0 0 0 0, class by class, with noise.
    const Indices shown({0, 1, 1, 0, 2, 2, 3, 2, 2, 1, 0, 0, 0, 0}, {2, 7});
    const Tensor x = one_hot(shown, 4) + normal({2, 7, 4}, 0, 0.1, rng);
    const Indices labels({1, 2, 3, 2, 1, -1}, {2, 3}), lengths({7, 4}), label_lengths({3, 2});
    for (int step = 0; step < 100; ++step) {
        const Tensor logits = layer(x);
        Tensor loss = ctc_loss(log_softmax(logits), labels, lengths, label_lengths);
        adam.zero_grad();
        backward(loss);
        adam.step();
    }
    const Tensor logits = layer(x);
    std::vector<std::vector<int>> heard = ctc_greedy_decode(log_softmax(logits), lengths);
    CHECK(heard == std::vector<Labels>{{1, 2, 3}, {2, 1}});
}

}  // namespace
}  // namespace heed
