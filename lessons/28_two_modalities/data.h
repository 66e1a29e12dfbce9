// Pictures of two signs, and captions in words: the pairs of this lesson.
//
//     Rng rng(1);
//     Pairs training = draw_pairs(8192, Which::training, rng);
//     training.pixels                        // [8192, 1, 28, 28], 0 paper to 1 ink, and noise
//     text_of(training.captions[0])          // "a pale ring left of a dark plus"
//
// Contents. A scene is two different signs of the ten of glyphs.h, a shade for each (pale or dark), and
// an arrangement: side by side, or one above the other. That makes 90 x 4 x 2 = 720 scenes. In the
// picture, form, size, stroke and location of each sign are random, and there is noise on every pixel.
//
// A scene has two captions, because "a pale ring left of a dark plus" and "a dark plus right of a pale
// ring" say the same. With Phrasing::one, captions begin with the left or upper sign; with
// Phrasing::two, either of the two is taken at random.
//
// Held out. Ten of the 45 pairs of signs never occur together in training, in pictures or captions:
// those whose numbers differ by 3 or 7, such as ring and plus. Each sign is in two of them and in seven
// others, so every word and every sign occurs in training. 560 scenes are left for training; 160 are
// held out.
#pragma once

#include <string>
#include <vector>

#include "autograd/tensor/random.h"
#include "lessons/material/corpora/glyphs.h"

namespace heed::lesson28 {

inline constexpr int side = 28;  // of a picture, in pixels

struct Scene {
    int first = 0, second = 1;  // the signs: the left one or the upper one is first
    bool first_dark = false, second_dark = false;
    bool beside = true;  // side by side

    bool operator==(const Scene&) const = default;
};

// The signs of this scene never occur together in training.
bool is_held_out(const Scene& scene);

enum class Which { training, held_out };
const std::vector<Scene>& scenes_of(Which which);

// --- captions -----------------------------------------------------------------------------------

inline constexpr int padding = 0;
const std::vector<std::string>& words();  // the vocabulary; the first is the padding

// The caption as word numbers; it begins with the first sign or with the second one.
std::vector<int> caption_of(const Scene& scene, bool from_second);
std::string text_of(const std::vector<int>& caption);

// Exchanges that turn a scene into another one whose caption has the same words in another order.
// signs: a pale ring left of a dark plus -> a pale plus left of a dark ring. shades: a dark ring left
// of a pale plus. both: a dark plus left of a pale ring. Equal shades make `shades` change nothing.
enum class Exchange { signs, shades, both };
inline constexpr Exchange exchanges[] = {Exchange::signs, Exchange::shades, Exchange::both};
const char* name_of(Exchange exchange);
Scene exchanged(const Scene& scene, Exchange exchange);

// The largest recall at 1 that is expected of a reader who knows the words of every caption but not
// their order: such a reader guesses among the scenes with the same words.
double recall_without_order(const std::vector<Scene>& scenes);

// --- pairs --------------------------------------------------------------------------------------

struct Pairs {
    Tensor pixels;  // [N, 1, 28, 28]
    std::vector<Scene> scenes;
    std::vector<std::vector<int>> captions;

    int size() const { return static_cast<int>(scenes.size()); }
};

enum class Phrasing { one, two };

// A picture of each of these scenes.
Pairs draw_pairs(const std::vector<Scene>& scenes, Phrasing phrasing, Rng& rng);
// Pictures of random scenes.
Pairs draw_pairs(int count, Which which, Phrasing phrasing, Rng& rng);
// Pictures of 160 different scenes: of all that are held out, or of random ones of training.
Pairs draw_test(Which which, Phrasing phrasing, Rng& rng);

// --- batches ------------------------------------------------------------------------------------

// What a pair meets in its batch, the mean over all rows of the batches.
struct Company {
    double twins = 0;        // other pairs of the same scene: false negatives
    double near_misses = 0;  // pairs of a scene that an exchange makes of this one
};
Company company(const std::vector<Scene>& scenes, const std::vector<std::vector<int>>& batches);

// One epoch: the pairs in random order, in batches of equal size; what is left over is not used. With
// `near` a pair is followed by one of a scene that an exchange makes of it, as long as there are any.
std::vector<std::vector<int>> epoch(const std::vector<Scene>& scenes, int batch, bool near,
                                    Rng& rng);

}  // namespace heed::lesson28
