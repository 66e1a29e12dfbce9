#include "lessons/28_two_modalities/data.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace heed::lesson28 {

namespace {

constexpr int signs = course::glyph_count;
enum Word { no_word, a, of, pale, dark, left, right, above, below, first_sign };

// A heap of drawn signs of 14 x 14 pixels, so that a sign of a given number can be taken.
class Stamps {
  public:
    explicit Stamps(Rng& rng) : rng_(rng), heap_(signs) {}

    std::vector<float> take(int sign) {
        std::vector<std::vector<float>>& of_sign = heap_[static_cast<std::size_t>(sign)];
        while (of_sign.empty()) draw_more();
        std::vector<float> stamp = std::move(of_sign.back());
        of_sign.pop_back();
        return stamp;
    }
    static constexpr int size = 14;

  private:
    void draw_more() {
        const course::Glyphs glyphs = course::draw_glyphs(
            200, {.side = size, .small = 3.6, .large = 4.3, .thin = 1, .thick = 1.6, .noise = 0},
            rng_);
        const std::vector<double> pixels = glyphs.images.pixels.to_vector();
        auto from = pixels.begin();
        for (int sign : glyphs.images.labels) {
            heap_[static_cast<std::size_t>(sign)].emplace_back(from, from + size * size);
            from += size * size;
        }
    }

    Rng& rng_;
    std::vector<std::vector<std::vector<float>>> heap_;  // of each sign
};

void draw_scene(const Scene& scene, Stamps& stamps, Rng& rng, float* picture) {
    constexpr int half = Stamps::size, free = side - half;
    const int line = static_cast<int>(rng.below(free + 1));  // the common row, or column
    for (const bool second : {false, true}) {
        const std::vector<float> stamp = stamps.take(second ? scene.second : scene.first);
        const float ink = (second ? scene.second_dark : scene.first_dark) ? 1.0f : 0.45f;
        const int across = std::clamp(line + static_cast<int>(rng.below(5)) - 2, 0, free);
        const int along = second ? half : 0;
        const int top = scene.beside ? across : along, from = scene.beside ? along : across;
        for (int y = 0; y < half; ++y)
            for (int x = 0; x < half; ++x)
                picture[(top + y) * side + from + x] +=
                    ink * stamp[static_cast<std::size_t>(y * half + x)];
    }
    for (int i = 0; i < side * side; ++i) picture[i] += static_cast<float>(0.05 * rng.normal());
}

}  // namespace

bool is_held_out(const Scene& scene) {
    const int apart = (scene.second - scene.first + signs) % signs;
    return apart == 3 || apart == signs - 3;
}

const std::vector<Scene>& scenes_of(Which which) {
    static const auto all = [] {
        std::vector<Scene> kinds[2];
        for (int first = 0; first < signs; ++first)
            for (int second = 0; second < signs; ++second)
                for (int rest = 0; rest < 8 && first != second; ++rest) {
                    const Scene scene{first, second, rest % 2 == 1, rest / 2 % 2 == 1, rest < 4};
                    kinds[is_held_out(scene)].push_back(scene);
                }
        return std::pair(kinds[0], kinds[1]);
    }();
    return which == Which::training ? all.first : all.second;
}

const std::vector<std::string>& words() {
    static const auto all = [] {
        std::vector<std::string> names{"-",    "a",     "of",    "pale", "dark",
                                       "left", "right", "above", "below"};
        for (int sign = 0; sign < signs; ++sign) names.emplace_back(course::glyph_name(sign));
        return names;
    }();
    return all;
}

std::vector<int> caption_of(const Scene& s, bool from_second) {
    const int first[] = {a, s.first_dark ? dark : pale, first_sign + s.first};
    const int second[] = {a, s.second_dark ? dark : pale, first_sign + s.second};
    std::vector<int> caption;
    caption.reserve(8);
    for (int word : from_second ? second : first) caption.push_back(word);
    if (s.beside) {
        caption.push_back(from_second ? right : left);
        caption.push_back(of);
    } else {
        caption.push_back(from_second ? below : above);
    }
    for (int word : from_second ? first : second) caption.push_back(word);
    return caption;
}

std::string text_of(const std::vector<int>& caption) {
    std::string text;
    for (int word : caption)
        if (word != no_word)
            text += (text.empty() ? "" : " ") + words().at(static_cast<std::size_t>(word));
    return text;
}

const char* name_of(Exchange exchange) {
    switch (exchange) {
        case Exchange::signs:
            return "signs";
        case Exchange::shades:
            return "shades";
        case Exchange::both:
            return "both";
    }
    return "";
}

Scene exchanged(const Scene& scene, Exchange exchange) {
    Scene other = scene;
    if (exchange != Exchange::shades) std::swap(other.first, other.second);
    if (exchange != Exchange::signs) std::swap(other.first_dark, other.second_dark);
    return other;
}

double recall_without_order(const std::vector<Scene>& scenes) {
    std::set<std::vector<int>> bags;
    for (const Scene& scene : scenes) {
        std::vector<int> bag = caption_of(scene, false);
        std::sort(bag.begin(), bag.end());
        bags.insert(bag);
    }
    return static_cast<double>(bags.size()) / static_cast<double>(scenes.size());
}

// --- pairs --------------------------------------------------------------------------------------

Pairs draw_pairs(const std::vector<Scene>& scenes, Phrasing phrasing, Rng& rng) {
    Pairs pairs{zeros({static_cast<int64_t>(scenes.size()), 1, side, side}), scenes, {}};
    float* picture = pairs.pixels.edit<float>();
    Stamps stamps(rng);
    for (const Scene& scene : scenes) {
        draw_scene(scene, stamps, rng, picture);
        picture += side * side;
        pairs.captions.push_back(caption_of(scene, phrasing == Phrasing::two && rng.chance(0.5)));
    }
    return pairs;
}

Pairs draw_pairs(int count, Which which, Phrasing phrasing, Rng& rng) {
    const std::vector<Scene>& all = scenes_of(which);
    std::vector<Scene> scenes;
    for (int i = 0; i < count; ++i)
        scenes.push_back(
            all[static_cast<std::size_t>(rng.below(static_cast<int64_t>(all.size())))]);
    return draw_pairs(scenes, phrasing, rng);
}

Pairs draw_test(Which which, Phrasing phrasing, Rng& rng) {
    std::vector<Scene> scenes = scenes_of(which);
    rng.shuffle(scenes);
    scenes.resize(scenes_of(Which::held_out).size());
    return draw_pairs(scenes, phrasing, rng);
}

// --- batches ------------------------------------------------------------------------------------

namespace {

bool is_near(const Scene& a, const Scene& b) {
    for (Exchange exchange : exchanges)
        if (exchanged(a, exchange) == b && !(a == b)) return true;
    return false;
}

int number_of(const Scene& s) {
    return (s.first * signs + s.second) * 8 + s.first_dark * 4 + s.second_dark * 2 + s.beside;
}

// The order with a near miss after every pair, as long as there are any.
std::vector<int> with_near_misses(const std::vector<int>& order, const std::vector<Scene>& scenes,
                                  Rng& rng) {
    std::map<int, std::vector<int>> waiting;  // the pairs of each scene
    for (int i : order) waiting[number_of(scenes[static_cast<std::size_t>(i)])].push_back(i);
    std::vector<int> result;
    std::vector<bool> taken(order.size());
    const auto take = [&](int i) {
        if (taken[static_cast<std::size_t>(i)]) return false;
        taken[static_cast<std::size_t>(i)] = true;
        result.push_back(i);
        return true;
    };
    for (int i : order) {
        if (!take(i)) continue;
        const Scene& scene = scenes[static_cast<std::size_t>(i)];
        Scene near = scene;
        while (near == scene) near = exchanged(scene, exchanges[rng.below(3)]);
        std::vector<int>& candidates = waiting[number_of(near)];
        for (bool found = false; !found && !candidates.empty(); candidates.pop_back())
            found = take(candidates.back());
    }
    return result;
}

}  // namespace

Company company(const std::vector<Scene>& scenes, const std::vector<std::vector<int>>& batches) {
    double rows = 0, twins = 0, near = 0;
    for (const std::vector<int>& batch : batches)
        for (int i : batch) {
            ++rows;
            for (int j : batch) {
                const Scene &a = scenes.at(static_cast<std::size_t>(i)),
                            &b = scenes.at(static_cast<std::size_t>(j));
                twins += i != j && a == b;
                near += is_near(a, b);
            }
        }
    return {twins / rows, near / rows};
}

std::vector<std::vector<int>> epoch(const std::vector<Scene>& scenes, int batch, bool near,
                                    Rng& rng) {
    check(batch >= 1 && static_cast<std::size_t>(batch) <= scenes.size(),
          "a batch of {} pairs, but there are {}", batch, scenes.size());
    std::vector<int> order(scenes.size());
    std::iota(order.begin(), order.end(), 0);
    rng.shuffle(order);
    if (near) order = with_near_misses(order, scenes, rng);
    std::vector<std::vector<int>> batches;
    for (auto i = order.begin(); order.end() - i >= batch; i += batch)
        batches.emplace_back(i, i + batch);
    rng.shuffle(batches);
    return batches;
}

}  // namespace heed::lesson28
