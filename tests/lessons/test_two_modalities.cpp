// Lesson 28: scenes and captions, what is held out, the company of a pair in its batch, the classifier's
// product of probabilities, and the masked softmax of the digits.
#include <cmath>
#include <map>
#include <set>

#include "autograd/autograd.h"
#include "lessons/28_two_modalities/data.h"
#include "lessons/28_two_modalities/digits.h"
#include "lessons/28_two_modalities/models.h"
#include "tests/catch.h"

namespace heed::lesson28 {
namespace {

using Catch::Matchers::ContainsSubstring;

const Scene ring_plus{.first = 0, .second = 3, .first_dark = false, .second_dark = true};

std::string said(const Scene& scene, bool from_second = false) {
    return text_of(caption_of(scene, from_second));
}

TEST_CASE("scenes: captions say what is in the picture", "[lesson][data]") {
    CHECK(said(ring_plus) == "a pale ring left of a dark plus");
    CHECK(said(ring_plus, true) == "a dark plus right of a pale ring");
    Scene above = ring_plus;
    above.beside = false;
    CHECK(said(above) == "a pale ring above a dark plus");
    CHECK(said(above, true) == "a dark plus below a pale ring");

    CHECK(said(exchanged(ring_plus, Exchange::signs)) == "a pale plus left of a dark ring");
    CHECK(said(exchanged(ring_plus, Exchange::shades)) == "a dark ring left of a pale plus");
    CHECK(said(exchanged(ring_plus, Exchange::both)) == "a dark plus left of a pale ring");
    Scene equal = ring_plus;
    equal.second_dark = false;
    CHECK(exchanged(equal, Exchange::shades) == equal);
}

TEST_CASE("scenes: what is held out never occurs in training", "[lesson][data]") {
    const auto &training = scenes_of(Which::training), &held = scenes_of(Which::held_out);
    CHECK(training.size() == 560);
    CHECK(held.size() == 160);
    std::set<std::string> captions;
    std::map<int, std::set<int>> partners;
    for (const auto* scenes : {&training, &held})
        for (const Scene& scene : *scenes)
            for (bool from_second : {false, true}) captions.insert(said(scene, from_second));
    CHECK(captions.size() == 1440);
    std::set<std::pair<int, int>> known;
    for (const Scene& s : training)
        known.insert({s.first, s.second}), known.insert({s.second, s.first});
    for (const Scene& s : held) {
        CHECK_FALSE(known.contains({s.first, s.second}));
        partners[s.first].insert(s.second);
        // An exchange leads from a held-out scene to a held-out scene.
        for (Exchange exchange : exchanges) CHECK(is_held_out(exchanged(s, exchange)));
    }
    CHECK(partners.size() == 10);
    for (const auto& [sign, others] : partners) CHECK(others.size() == 2);

    Rng rng(1);
    for (const Scene& s : draw_pairs(300, Which::training, Phrasing::two, rng).scenes)
        CHECK_FALSE(is_held_out(s));
    const Pairs test = draw_test(Which::held_out, Phrasing::one, rng);
    CHECK(test.size() == 160);
    for (int i = 0; i < test.size(); ++i) {
        const Scene& scene = test.scenes[static_cast<std::size_t>(i)];
        CHECK(is_held_out(scene));
        CHECK(std::count(test.scenes.begin(), test.scenes.end(), scene) == 1);
    }
}

TEST_CASE("scenes: ink lies where the scene says, and a dark sign has more", "[lesson][data]") {
    const Scene scenes[] = {{0, 3, false, true, true},
                            {0, 3, true, false, true},
                            {0, 0 + 2, false, true, false},
                            {0, 2, true, false, false}};
    Rng rng(2);
    for (const Scene& scene : scenes) {
        const Pairs pairs = draw_pairs(std::vector<Scene>(40, scene), Phrasing::one, rng);
        REQUIRE(pairs.pixels.shape() == Shape{40, 1, 28, 28});
        const Tensor mean_picture = reshape(mean(pairs.pixels, 0), {28, 28});
        // The two halves that hold the signs, left and right or top and bottom.
        const int axis = scene.beside ? 1 : 0;
        const double first = max(slice(pairs.pixels, axis + 2, 0, 14)).item(),
                     second = max(slice(pairs.pixels, axis + 2, 14, 28)).item();
        CHECK(sum(mean_picture).item() > 10);
        CHECK((first > 0.9) == scene.first_dark);
        CHECK((second > 0.9) == scene.second_dark);
        CHECK(std::min(first, second) > 0.4);
    }
    Rng same(2), again(2);
    CHECK(max(abs(draw_pairs({ring_plus}, Phrasing::two, same).pixels -
                  draw_pairs({ring_plus}, Phrasing::two, again).pixels))
              .item() == 0);
}

TEST_CASE("without order: two scenes have the same words if the shades are equal, else four",
          "[lesson]") {
    std::vector<Scene> four{ring_plus};
    for (Exchange exchange : exchanges) four.push_back(exchanged(ring_plus, exchange));
    CHECK(recall_without_order(four) == 0.25);
    Scene equal = ring_plus;
    equal.second_dark = false;
    CHECK(recall_without_order({equal, exchanged(equal, Exchange::signs)}) == 0.5);
    CHECK(recall_without_order(scenes_of(Which::held_out)) == 0.375);
}

TEST_CASE("batches: twins and near misses are counted, and composed batches have near misses",
          "[lesson]") {
    const Scene near = exchanged(ring_plus, Exchange::shades);
    Scene other = ring_plus;
    other.beside = false;
    // One batch of four: two rows of the same scene, its near miss, and a stranger.
    const Company met = company({ring_plus, near, other, ring_plus}, {{0, 1, 2, 3}});
    CHECK(met.twins == 0.5);        // (1 + 0 + 0 + 1) / 4
    CHECK(met.near_misses == 1.0);  // (1 + 2 + 0 + 1) / 4

    Rng rng(3);
    const Pairs pairs = draw_pairs(2000, Which::training, Phrasing::one, rng);
    for (const bool composed : {false, true}) {
        const auto batches = epoch(pairs.scenes, 50, composed, rng);
        CHECK(batches.size() == 40);
        std::set<int> seen;
        for (const auto& batch : batches) {
            CHECK(batch.size() == 50);
            seen.insert(batch.begin(), batch.end());
        }
        CHECK(seen.size() == 2000);  // every pair once
        const double near_misses = company(pairs.scenes, batches).near_misses;
        // By chance: 49 others, and 3 or 1 of 560 scenes are near: 49 * 2 / 560 = 0.175.
        if (composed)
            CHECK(near_misses > 0.8);
        else
            CHECK(std::abs(near_misses - 0.175) < 0.06);
    }
    CHECK_THROWS_WITH(epoch(pairs.scenes, 2001, false, rng), ContainsSubstring("2001 pairs"));
}

TEST_CASE(
    "the two modalities: a picture's vector does not depend on the rest of the batch, and "
    "word order changes a caption's",
    "[lesson]") {
    Rng rng(4);
    const TwoModalities model(rng);
    const Pairs pairs = draw_test(Which::held_out, Phrasing::one, rng);
    const Tensor all = model.pictures(pairs.pixels), captions = model.captions(pairs.captions);
    CHECK(max(abs(sum(all * all, 1) - 1.0)).item() < 1e-5);
    const Tensor alone = model.pictures(slice(pairs.pixels, 0, 7, 8));
    CHECK(max(abs(alone - slice(all, 0, 7, 8))).item() < 1e-5);
    // Captions of seven and eight words together: padding changes nothing.
    for (int i : {0, 1, 2, 3, 4, 5})
        CHECK(max(abs(model.captions({pairs.captions[static_cast<std::size_t>(i)]}) -
                      slice(captions, 0, i, i + 1)))
                  .item() < 1e-5);
    CHECK(max(abs(model.captions({caption_of(ring_plus, false)}) -
                  model.captions({caption_of(exchanged(ring_plus, Exchange::both), false)})))
              .item() > 1e-3);
}

TEST_CASE("training a pair: the loss falls, the temperature is learned or fixed", "[lesson]") {
    Rng rng(5);
    const Pairs pairs = draw_pairs(256, Which::training, Phrasing::one, rng);
    const Training how{.pairs = 64 * 30, .batch = 32};
    const Trained learned = train_pair(pairs, how, rng);
    REQUIRE(learned.losses.size() == 60);
    CHECK(learned.losses.front() > 3);  // ln 32 = 3.47
    CHECK(learned.losses.back() < 3.2);
    CHECK(learned.temperatures.back() != learned.temperatures.front());
    Training fixed = how;
    fixed.temperature = 0.3, fixed.learn_temperature = false;
    for (double tau : train_pair(pairs, fixed, rng).temperatures) CHECK(std::abs(tau - 0.3) < 1e-6);
}

TEST_CASE("the classifier's best scene is that with the largest product of five probabilities",
          "[lesson]") {
    Rng rng(6);
    const Classifier model(rng);
    const Pairs pairs = draw_test(Which::held_out, Phrasing::one, rng);
    const std::vector<Scene>& among = scenes_of(Which::held_out);
    const Indices answers = best_scenes(model, pairs.pixels, among);
    const Tensor logits = model.head(model.picture(pairs.pixels));
    for (int i = 0; i < 10; ++i) {
        double best = -1e9;
        int chosen = -1;
        for (std::size_t s = 0; s < among.size(); ++s) {
            const Scene& scene = among[s];
            const int labels[] = {scene.first, scene.second, scene.first_dark, scene.second_dark,
                                  scene.beside};
            double product = 0;
            int at = 0;
            for (int part = 0; part < 5; ++part) {
                const int classes = part < 2 ? 10 : 2;
                double total = 0;
                for (int c = 0; c < classes; ++c) total += std::exp(logits.at({i, at + c}));
                product += logits.at({i, at + labels[part]}) - std::log(total);
                at += classes;
            }
            if (product > best) best = product, chosen = static_cast<int>(s);
        }
        CHECK(answers[i] == chosen);
    }
}

TEST_CASE("digits: the mask takes twins out of the softmax, and the lowest loss counts them",
          "[lesson]") {
    const Tensor mask = without_twins({7, 2, 7});
    CHECK(mask.at({0, 0}) == 0);
    CHECK(mask.at({0, 1}) == 0);
    CHECK(mask.at({0, 2}) == Approx(-1e9));
    const Tensor scores = tensor({1, 2, 5, 0, 3, 1, 5, 0, 1}, {3, 3});
    // Row 0 without its twin: ln(1 + e) + ...; by hand -ln(e / (e + e²)) = ln(1 + e).
    const double row = -log_softmax(scores + mask, 1).at({0, 0});
    CHECK(row == Approx(std::log(1 + std::exp(1.0))));
    // A batch of one has no twins; in a batch of 20,000 each digit has 2,000: ln 2000.
    Rng rng(7);
    CHECK(lowest_loss(1, rng) == 0);
    CHECK(std::abs(lowest_loss(20'000, rng) - std::log(2000.0)) < 0.01);
}

TEST_CASE("digits: the last speaker is the test set", "[lesson][data]") {
    std::vector<Recording> all{{{}, 1, "ann"}, {{}, 2, "zoe"}, {{}, 3, "ann"}, {{}, 4, "mia"}};
    const std::vector<Recording> test = take_last_speaker(all);
    REQUIRE(test.size() == 1);
    CHECK(test[0].label == 2);
    CHECK(all.size() == 3);
    for (const Recording& r : all) CHECK(r.speaker != "zoe");
}

TEST_CASE("digits: a missing folder is named", "[lesson][errors]") {
    CHECK_THROWS_WITH(read_recordings("/no/such/folder"), ContainsSubstring("/no/such/folder"));
}

}  // namespace
}  // namespace heed::lesson28
