// The Vision Transformer against its equations, and the resizing of positions.
#include "attention/modalities/vision_transformer.h"
#include "autograd/autograd.h"
#include "nn/module/module.h"
#include "tests/attention/float64.h"
#include "tests/autograd/compare.h"
#include "tests/catch.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

VisionTransformerOptions small(ImagePooling pooling = ImagePooling::class_token) {
    return {.image = {4, 6},
            .patch = {2, 3},
            .channels = 2,
            .classes = 3,
            .pooling = pooling,
            .stack = vit({.width = 8, .heads = 2, .layers = 2})};
}

VisionTransformer make(const VisionTransformerOptions& o) {
    Rng rng(1);
    VisionTransformer model(o, rng);
    to_dtype(model, f64);
    for (const Parameter& p : parameters(model)) {  // no class token or bias of 0
        Tensor x = p.tensor;
        x.assign(x + 0.3 * normal(x.shape(), 0, 1, rng, f64));
    }
    return model;
}

}  // namespace

TEST_CASE("the tokens of a ViT are the patches, row by row, by the obvious loops", "[attention]") {
    const VisionTransformer model = make(small());
    const Tensor x = numbers({2, 2, 4, 6}), tokens = model.tokens(x);
    REQUIRE((tokens.shape() == Shape{2, 5, 8}));
    for (int64_t b = 0; b < 2; ++b)
        for (int64_t d = 0; d < 8; ++d) {
            CHECK(tokens.at({b, 0, d}) ==
                  Approx(model.class_token.at({d}) + model.positions.table.at({0, d})));
            for (int64_t row = 0; row < 2; ++row)
                for (int64_t column = 0; column < 2; ++column) {
                    const int64_t t = 1 + 2 * row + column;
                    double sum = model.patches.bias.at({d}) + model.positions.table.at({t, d});
                    for (int64_t c = 0; c < 2; ++c)
                        for (int64_t i = 0; i < 2; ++i)
                            for (int64_t j = 0; j < 3; ++j)
                                sum += model.patches.weight.at({d, c, i, j}) *
                                       x.at({b, c, 2 * row + i, 3 * column + j});
                    CHECK(tokens.at({b, t, d}) == Approx(sum));
                }
        }
}

TEST_CASE("the head of a ViT reads the class token, or the mean of all patches", "[attention]") {
    const Tensor x = numbers({3, 2, 4, 6});
    const VisionTransformer first = make(small());
    const Tensor y = first.encoder(first.tokens(x));
    CHECK(largest_difference(first(x), first.head(select(y, 1, 0))) < 1e-12);

    const VisionTransformer pooled = make(small(ImagePooling::mean));
    CHECK_FALSE(pooled.class_token.defined());
    const Tensor z = pooled.encoder(pooled.tokens(x));
    REQUIRE((z.shape() == Shape{3, 4, 8}));
    CHECK(largest_difference(pooled(x), pooled.head(mean(z, 1))) < 1e-12);

    VisionTransformerOptions headless = small();
    headless.classes = 0;
    CHECK((make(headless)(x).shape() == Shape{3, 8}));
    std::vector<Tensor> weights;
    first.run(x, {.weights = &weights});
    CHECK(weights.size() == 2);
}

TEST_CASE("without positions a ViT does not see where a patch is", "[attention]") {
    VisionTransformerOptions o = small();
    const Tensor x = numbers({1, 2, 4, 6});
    const Tensor moved = concat({slice(x, 2, 2, 4), slice(x, 2, 0, 2)}, 2);  // both rows of patches
    CHECK(largest_difference(make(o)(x), make(o)(moved)) > 1e-3);
    o.stack.positions.kind = PositionKind::none;
    CHECK(largest_difference(make(o)(x), make(o)(moved)) < 1e-12);
}

TEST_CASE("ViT-B/16 has 86,567,656 parameters", "[attention]") {
    const VisionTransformerOptions base{.image = 224,
                                        .patch = 16,
                                        .channels = 3,
                                        .classes = 1000,
                                        .stack = vit({.width = 768, .heads = 12, .layers = 12})};
    CHECK(parameter_count(base) == 86'567'656);
    Rng rng(1);
    CHECK(parameter_count(VisionTransformer(base, rng)) == 86'567'656);
    for (const ImagePooling pooling : {ImagePooling::class_token, ImagePooling::mean})
        for (const int64_t classes : {0, 3}) {
            VisionTransformerOptions o = small(pooling);
            o.classes = classes;
            CHECK(parameter_count(o) == parameter_count(VisionTransformer(o, rng)));
        }
}

TEST_CASE("a resized ViT reads pictures of another size, its positions interpolated",
          "[attention]") {
    for (const ImagePooling pooling : {ImagePooling::class_token, ImagePooling::mean}) {
        VisionTransformerOptions o = small(pooling);
        o.image = {6, 9};  // 3 x 3 patches
        const int64_t first = pooling == ImagePooling::class_token ? 1 : 0;
        VisionTransformer model = make(o);
        const Tensor before = copy_of(model.positions.table), x = numbers({1, 2, 6, 9});
        const Tensor y = model(x);
        model.resize({6, 9});
        CHECK(largest_difference(model(x), y) < 1e-12);

        for (const Interpolation kind : {Interpolation::bilinear, Interpolation::bicubic}) {
            VisionTransformer larger = make(o);
            larger.resize({8, 15}, kind);  // 4 x 5 patches
            CHECK((larger.grid() == Size2d(4, 5)));
            const Tensor& table = larger.positions.table;
            REQUIRE((table.shape() == Shape{first + 20, 8}));
            CHECK(is_parameter(table));
            CHECK((larger(numbers({2, 2, 8, 15})).shape() == Shape{2, 3}));
            // Each column of the table is a picture of 3 x 3 pixels, resized.
            for (int64_t d = 0; d < 8; ++d) {
                const auto picture = [&](const Tensor& t, Size2d grid) {
                    return reshape(slice(slice(t, 1, d, d + 1), 0, first, t.size(0)),
                                   {grid.height, grid.width});
                };
                CHECK(largest_difference(picture(table, {4, 5}),
                                         interpolate(picture(before, 3), {4, 5}, kind)) < 1e-12);
                if (first == 1) CHECK(table.at({0, d}) == before.at({0, d}));
            }
        }
    }
}

TEST_CASE("dropout of a ViT begins with the tokens", "[attention]") {
    VisionTransformerOptions o = small();
    o.stack.layers = 0;  // the tokens and the last norm are left
    o.stack.dropout = 0.5;
    const VisionTransformer model = make(o);
    const Tensor x = numbers({2, 2, 4, 6}), tokens = model.tokens(x);
    Rng one(5), same(5);
    const Tensor y = model.run(x, {.mode = Mode::training(one)});
    CHECK(largest_difference(y, model.encoder.norm(Dropout(0.5)(tokens, Mode::training(same)))) <
          1e-12);
    const Tensor kept = model.run(x, {.mode = Mode::evaluation()});
    CHECK(largest_difference(kept, model.encoder.norm(tokens)) < 1e-12);
    CHECK(largest_difference(y, kept) > 0.1);
}

TEST_CASE("what a ViT refuses", "[attention][errors]") {
    Rng rng(1);
    VisionTransformerOptions o = small();
    VisionTransformer model(o, rng);
    CHECK_THROWS_WITH(model(zeros({1, 2, 6, 6})), ContainsSubstring("resize()"));
    CHECK_THROWS_WITH(model.resize({5, 6}), ContainsSubstring("must divide the picture"));
    CHECK((model.image == Size2d(4, 6)));
    CHECK(model(zeros({1, 2, 4, 6})).numel() == 3);
    o.image = 5;
    CHECK_THROWS_WITH(VisionTransformer(o, rng), ContainsSubstring("5 x 5"));
    o = small();
    o.stack.dropout = 0.1;
    CHECK_THROWS_WITH(VisionTransformer(o, rng)(zeros({1, 2, 4, 6})),
                      ContainsSubstring("Mode::training"));
}
