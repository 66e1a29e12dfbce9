#include "lessons/15_show_attend/pictures.h"

#include "attention/hard/hard.h"
#include "autograd/autograd.h"

namespace heed::lesson15 {

using namespace course;

namespace {

Picture picture(const Glyphs& glyphs, int number) {
    const Tensor pixels = select(glyphs.images.pixels, 0, number);
    Picture result{.height = static_cast<int>(pixels.size(0)),
                   .width = static_cast<int>(pixels.size(1))};
    for (double ink : pixels.to_vector()) result.grey.push_back(1 - ink);  // black on white
    return result;
}

}  // namespace

std::vector<Diagram> network_diagrams() {
    Diagram soft{.title = "soft attention: 16 patches at full resolution"};
    soft.boxes = {{"picture", {"16 patches"}, 0, 0.5, true},
                  {"coarse", {"9 numbers each"}, 1, 0},
                  {"scorer", {"16 scores"}, 2, 0},
                  {"softmax", {"16 weights"}, 3, 0},
                  {"encoder", {"all 16 patches"}, 2, 1},
                  {"weighted mean", {"64 features"}, 4, 0.5},
                  {"classifier", {"10 probabilities"}, 5, 0.5}};
    soft.arrows = {{0, 1}, {1, 2}, {2, 3}, {0, 4}, {3, 5}, {4, 5}, {5, 6}};

    Diagram hard{.title = "hard attention: 1 patch at full resolution"};
    hard.boxes = {{"picture", {"16 patches"}, 0, 0.5, true},
                  {"coarse", {"9 numbers each"}, 1, 0},
                  {"scorer", {"16 scores"}, 2, 0},
                  {"softmax", {"16 weights"}, 3, 0},
                  {"draw", {"1 of 16", "no gradient"}, 4, 0},
                  {"encoder", {"1 patch"}, 5, 0.5},
                  {"classifier", {"10 probabilities"}, 6, 0.5}};
    hard.arrows = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {0, 5}, {5, 6}};
    return {soft, hard};
}

void show_signs(AtCall lesson, const Glyphs& glyphs) {
    std::vector<Picture> pictures;
    for (int number : {0, 1, 2}) {
        pictures.push_back(picture(glyphs, number));
        pictures.back().title = glyph_name(glyphs.images.labels[number]);
    }
    lesson->keep("signs", pictures,
                 "Three pictures. Each has one sign and fifteen patches of clutter.");
}

void show_weights(AtCall lesson, const Glyphs& glyphs, const std::vector<Method>& methods,
                  const std::vector<PatchClassifier>& models, const std::vector<int>& which) {
    NoGrad no_grad;
    const Indices looks = most_likely(models[which[1]].scores(patches(glyphs.images.pixels, side)));
    int missed = 0;  // the first picture in which the second model attends to clutter
    while (missed < glyphs.images.size() - 1 && looks[missed] == glyphs.cell[missed]) ++missed;
    std::vector<Picture> pictures;
    for (int number : {0, 1, missed})
        for (int i : which) {
            const Tensor patch = patches(range(glyphs.images, number, number + 1).pixels, side);
            Picture drawn = picture(glyphs, number);
            drawn.title =
                methods[i].name + ": " +
                std::string(glyph_name(argmax(read(models[i], patch, methods[i].reading))[0]));
            drawn.patch_rows = drawn.patch_columns = grid;
            drawn.weights = softmax(models[i].scores(patch), -1).to_vector();
            pictures.push_back(std::move(drawn));
        }
    lesson->keep(
        "looks", pictures,
        fmt::format(
            "The attention weights, and the answer of each method. Hard attention reads only the "
            "patch with the largest weight. In the last row it missed the sign, which is the {}.",
            glyph_name(glyphs.images.labels[missed])));
    lesson->show(
        "look", pictures[1],
        "The attention weights learned with REINFORCE, and its answer. Where they are printed "
        "in characters, each stands for a patch: 9 for the largest weight, smaller digits "
        "for smaller ones, a dot for a weight near 0.");
}

}  // namespace heed::lesson15
