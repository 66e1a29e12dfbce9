//! # Can a picture be read like a sentence?
//!
//! Here is a picture of 28 x 28 pixels, and somewhere in it somebody has drawn one of ten signs: a
//! ring, a triangle, a square, a plus, ... Each sign is 8 to 12 pixels high, a little rotated and
//! bent, and it may be anywhere in the picture. Which sign is it?
//!
//! For us it does not matter where a sign is. A *convolutional* network has this built in: it
//! applies the same small table of weights, its kernel, at every pixel. So what it has learned
//! about rings at the top left holds at the bottom right too. It also has built in that
//! neighbouring pixels belong together, because a kernel sees only a few pixels next to one
//! another. From 2012, when a convolutional network won the ImageNet competition (Krizhevsky et al.
//! 2012), nearly all programs that recognised pictures relied on these two assumptions.
//!
//! A Transformer has neither of them. It reads a sequence of vectors, and every element may attend
//! to every other. Dosovitskiy et al. (2021) used it on pictures nevertheless: they cut a picture
//! into patches and let a Transformer read the patches as if they were words. It was better than
//! convolutional networks, but only after training on hundreds of millions of pictures.
//!
//! We build such a Vision Transformer (ViT) and ask three questions. What does it have to learn
//! that a convolutional network knows from the start? Could attention compute what a convolution
//! computes? And how many pictures does the missing knowledge cost?

#include <algorithm>
#include <cmath>

#include "attention/fused/scaled_dot_product.h"
#include "autograd/autograd.h"
#include "lessons/25_images/experiment.h"
#include "lessons/25_images/models.h"
#include "lessons/25_images/pictures.h"
#include "lessons/material/corpora/glyphs.h"
#include "lessons/material/read/idx.h"

namespace heed::lesson25 {

using namespace course;

namespace {

constexpr Dtype f64 = Dtype::float64;

double gap(const Tensor& a, const Tensor& b) { return max(abs(a - b)).item(); }

void opening(Lesson& lesson, const Images& images) {
    lesson.show("patches", in_patches(images),
                "The sixteen patches are the words of this lesson. The more of the sign is in one, "
                "the stronger its colour; most of them are empty.");
}

//! ## The naive attempt: every pixel a token
//!
//! A sentence is a sequence of words. The most direct translation to pictures is a sequence of
//! pixels. Our picture has $28 \times 28 = 784$ of them, which is longer than any sentence of this
//! course, and each head of each layer computes $784^2 = 614{,}656$ scores. A photograph of
//! $224 \times 224$ pixels would need $50{,}176^2$, about 2,500 million. And a single pixel says
//! nearly nothing. It is light or dark; whether it belongs to a ring or to a square, only its
//! neighbours can tell.
//!
//! ## Patches
//!
//! So the picture is cut into square patches, and each patch becomes one token. Our patches have
//! $7 \times 7$ pixels. There are $N = 4 \cdot 4 = 16$ of them, and $16^2 = 256$ scores. The 49
//! numbers of a patch are written into one vector $p$. A matrix turns this vector into one of 48
//! numbers, the width of our model:
//!
//! $$ z_n = W p_n + b + e_n $$
//!
//! Here $p_n$ is patch number $n$ (49 numbers), $W$ is a matrix of $48 \times 49$ learned weights,
//! the same for all patches, $b$ is a learned bias, and $e_n$ is a learned vector for position $n$,
//! that is, for the location of the patch in the picture.
//!
//! **By hand.** Suppose that the picture had only 2 x 4 pixels,
//!
//! $$ \begin{pmatrix} 1 & 0 & 0 & 2 \\ 0 & 1 & 0 & 2 \end{pmatrix} $$
//!
//! and the patches 2 x 2. There are two tokens, $p_1 = (1, 0, 0, 1)$ and $p_2 = (0, 2, 0, 2)$. A
//! row $(1, 1, 1, 1)$ of $W$ measures how much ink a patch has: 2 and 4. A row $(1, -1, 1, -1)$
//! measures whether the left or the right column has more of it: 0 and -4.
//!
//! In front of the patches stands one more token. The *class token* is a learned vector $c$ that
//! belongs to no patch; it has a learned position vector too, so the table of positions has $N + 1$
//! rows. In every layer it collects from the patches, by attention, what is needed for the answer,
//! and the classifier reads its last state and nothing else. The function `tokens_by_hand` makes
//! the tokens in this way.
//!
//! ![Draw a picture and make the patches smaller: attention computes more and more scores, and a token says less and less. The framed patch is the query. Here nothing is learned: its weights are larger for patches with the same pixels, and without position vectors it cannot tell two equal patches apart.](live:patches)
Tensor tokens_by_hand(const VisionTransformer& model, const Tensor& picture) {  // [H, W]
    std::vector<Tensor> tokens{model.class_token};
    const Tensor w = reshape(model.patches.weight, {-1, patch * patch});  // [D, 49]
    for (int64_t i = 0; i < side; i += patch)
        for (int64_t j = 0; j < side; j += patch) {
            const Tensor p = slice(slice(picture, 0, i, i + patch), 1, j, j + patch);
            tokens.push_back(matmul(w, flatten(contiguous(p))) + model.patches.bias);
        }
    return stack(tokens) + model.positions.table;  // [1 + 16, D]
}

//! The library does the same with one operation, a convolution. The stride of a convolution is the
//! number of pixels by which its kernel moves from one result to the next. If the kernel moves by
//! its own size, it cuts the picture into patches and multiplies each with $W$. What follows is the
//! encoder of lesson {transformer}, with pre-norm.
//!
//! Only the vectors $e_n$ tell this encoder where a patch was. Two identities follow, and we check
//! both. Without positions, exchanging patches changes nothing: to such a model a picture is a bag
//! of patches (lesson {positions}). With positions, exchanging the patches changes nothing either,
//! if their vectors $e_n$ are exchanged with them. So before training no patch is the neighbour of
//! any other. Which ones are has to be learned.
void patches_as_tokens(Lesson& lesson, const Images& images) {
    lesson.heading("Patches as tokens");
    Rng rng(lesson.seed());
    const PatchNetwork network(vit_options(), rng);
    const Tensor picture = select(images.pixels, 0, 0);
    const Tensor library = network.vit.tokens(reshape(picture, {1, 1, side, side}));
    lesson.show("model", diagram_of(network), "From a picture, at the bottom, to ten logits.");
    lesson.claim("tokens-by-hand",
                 "identity: tokens by hand against the library's, largest difference",
                 gap(tokens_by_hand(network.vit, picture), select(library, 0, 0)), at_most(1e-5));

    const Tensor vectors = network.vit.patches(unsqueeze(slice(images.pixels, 0, 0, 100), 1));
    const Tensor sizes = norm(flatten(vectors, 2), 2, 1) / std::sqrt(48.0);  // W p: [100, 16]
    lesson.say(
        "How large are the vectors W p before training? Take the patch of each picture in which "
        "W p is largest: there a number of W p has the typical size {:.2f} (root of the mean "
        "square). The training below has to compare this with the size of the positions.",
        mean(max(sizes, 1)).item());

    const Mode evaluation = Mode::evaluation();
    const Tensor x = to_dtype(slice(images.pixels, 0, 0, 8), f64);
    const std::vector<int> order = exchanged_patches(rng);
    const Tensor exchanged = rearranged(x, order);
    PatchNetwork unordered(vit_options(ImagePooling::class_token, PositionKind::none), rng);
    to_dtype(unordered, f64);
    lesson.claim("no-positions",
                 "identity: without positions: change of the logits when patches are exchanged",
                 gap(unordered(x, evaluation), unordered(exchanged, evaluation)), at_most(1e-10));

    PatchNetwork ordered = network;
    to_dtype(ordered, f64);
    const Tensor before = ordered(x, evaluation);
    const double alone = gap(before, ordered(exchanged, evaluation));
    std::vector<int> rows{0};  // of the table of positions: the class token, then the patches
    for (int64_t n = 0; n < grid * grid; ++n) {
        const int corner = order[n / grid * patch * side + n % grid * patch];  // of patch n before
        rows.push_back(static_cast<int>(1 + corner / side / patch * grid + corner % side / patch));
    }
    ordered.vit.positions.table.assign(
        index_select(detach(ordered.vit.positions.table), 0, Indices(rows)));
    lesson.say("With positions, exchanging the patches changes the logits by up to {:.2f}.", alone);
    lesson.claim(
        "with-positions",
        "identity: with positions: the same, when the positions are exchanged with the patches",
        gap(before, ordered(exchanged, evaluation)), at_most(1e-10));
    //! The model of the paper with patches of 16 x 16 pixels, ViT-B/16, has 12 layers of width 768.
    //! Its parameters can be counted on paper: $W$ and $b$ have $768 \cdot 3 \cdot 16^2 + 768$, the
    //! class token 768, the $14 \cdot 14 + 1$ positions $197 \cdot 768$, and so on. The table of
    //! the paper says 86 million.
    lesson.claim("vit-parameters",
                 "identity: parameters of ViT-B/16 with a classifier for 1,000 classes",
                 static_cast<double>(parameter_count(VisionTransformerOptions{
                     .image = 224,
                     .patch = 16,
                     .channels = 3,
                     .classes = 1000,
                     .stack = vit({.width = 768, .heads = 12, .layers = 12})})),
                 equals(86'567'656));
}

//! ## A convolution is one attention pattern
//!
//! Is a Transformer able to do what a convolutional network does? Let us go back to one token for
//! each pixel. A convolution with a kernel of $3 \times 3$ pixels computes, at every pixel $i$,
//!
//! $$ y_i = \sum_\delta K_\delta \, x_{i + \delta}, $$
//!
//! where $\delta$ runs through the nine shifts $(-1, -1), (-1, 0), \dots, (1, 1)$. A pixel may have
//! several numbers, its channels; a colour picture has three, for red, green and blue. $x_j$ is the
//! vector of the channels of pixel $j$, and $K_\delta$ is a small matrix, the weights of the kernel
//! at this shift. Attention with $H$ heads computes
//!
//! $$ y_i = \sum_{h=1}^{H} A_h \sum_j \alpha^h_{ij} \, x_j, $$
//!
//! where $\alpha^h_{ij}$ is the weight that head $h$ gives to pixel $j$ for the query at pixel $i$,
//! and $A_h$ is the product of the head's value and output matrices. Compare the two formulas. They
//! agree if there are nine heads, one for each shift, if head $h$ gives all its weight to one
//! pixel, $\alpha^h_{ij} = 1$ for $j = i + \delta_h$, and if $A_h = K_{\delta_h}$.
//!
//! Can a softmax give all its weight to one pixel? Take the score
//!
//! $$ s^h_{ij} = -a \, |j - i - \delta_h|^2, $$
//!
//! the squared distance to the wanted pixel times a number $-a$. It depends on the distance of $j$
//! from $i$ only, so relative positions (lesson {positions}) can produce it. The wanted pixel has
//! score 0, its four neighbours have $-a$, the four on the diagonals $-2a$. With $a = 1$ the wanted
//! pixel gets the weight
//!
//! $$ \frac{1}{1 + 4 e^{-1} + 4 e^{-2} + 4 e^{-4} + \dots}
//!    \approx \frac{1}{1 + 1.47 + 0.54 + 0.07 + \dots}
//!    \approx 0.32, $$
//!
//! with $a = 5$ it gets $1 / (1 + 4 e^{-5} + \dots) \approx 0.97$. As $a$ grows, attention becomes
//! the convolution (Cordonnier, Loukas and Jaggi 2020, theorem 1). The function `weights_of_head`
//! computes the weights of one head for $n \times n$ pixels, and `convolution_by_attention` sums
//! the nine heads.
Tensor weights_of_head(int64_t n, int64_t down, int64_t right, double a) {  // [n n, n n]
    std::vector<double> scores;
    for (int64_t i = 0; i < n * n; ++i)
        for (int64_t j = 0; j < n * n; ++j) {
            const auto rows = static_cast<double>(j / n - i / n - down);
            const auto columns = static_cast<double>(j % n - i % n - right);
            scores.push_back(-a * (rows * rows + columns * columns));
        }
    return softmax(tensor(scores, {n * n, n * n}, f64), -1);
}

Tensor convolution_by_attention(const Tensor& x, const Tensor& kernel, double a) {  // [C, n, n]
    const int64_t n = x.size(1), out = kernel.size(0);
    const Tensor pixels = transpose(flatten(x, 1));  // [n n, C]
    Tensor y = zeros({n * n, out}, f64);
    for (int64_t down = -1; down <= 1; ++down)
        for (int64_t right = -1; right <= 1; ++right) {                          // one head
            const Tensor k = select(select(kernel, 3, right + 1), 2, down + 1);  // K [O, C]
            y = y + linear(matmul(weights_of_head(n, down, right, a), pixels), k);
        }
    return reshape(transpose(y), {out, n, n});
}

//! At the edge of the picture the wanted pixel may not exist. This attention then takes the nearest
//! pixel, where a convolution reads a 0, so we compare the pixels inside. A mask does better. Let
//! head $h$ be allowed to attend to pixel $i + \delta_h$ and to nothing else. One key is left, it
//! gets the weight 1, and where there is none the result is 0 (lesson {self_attention}). The
//! function `convolution_by_masks` does this with the library's attention, and the convolution is
//! exact for all pixels.
Tensor convolution_by_masks(const Tensor& x, const Tensor& kernel) {  // [C, n, n]
    const int64_t n = x.size(1), channels = x.size(0);
    std::vector<double> allowed;  // [9 heads, n n queries, n n keys]
    for (int64_t head = 0; head < 9; ++head)
        for (int64_t i = 0; i < n * n; ++i)
            for (int64_t j = 0; j < n * n; ++j)
                allowed.push_back(j / n - i / n == head / 3 - 1 && j % n - i % n == head % 3 - 1);
    const Tensor pixels = reshape(transpose(flatten(x, 1)), {1, 1, n * n, channels});
    const Tensor nine = contiguous(expand(pixels, {1, 9, n * n, channels}));
    const Tensor seen = scaled_dot_product_attention(  // [1, 9, n n, C]
        nine, nine, nine, {.mask = tensor(allowed, {1, 9, n * n, n * n}, f64)});
    const Tensor k = transpose(flatten(kernel, 2));              // [O, 9, C]
    const Tensor joined = flatten(transpose(seen, 1, 2), 2);     // [1, n n, 9 C]
    const Tensor y = linear(joined, flatten(contiguous(k), 1));  // the output matrix [O, 9 C]
    return reshape(transpose(select(y, 0, 0)), {kernel.size(0), n, n});
}

void attention_as_convolution(Lesson& lesson, const Tensor& sign) {
    lesson.heading("A convolution is one attention pattern");
    std::vector<HeatMap> maps;
    for (const double a : {0.2, 1.0, 5.0}) {
        const Tensor row =
            select(weights_of_head(7, -1, 1, a), 0, 24);  // of the pixel in the middle
        HeatMap map{
            .title = fmt::format("a = {}", a), .values = row.to_vector(), .rows = 7, .columns = 7};
        map.gold = {{2, 4}};
        maps.push_back(map);
    }
    lesson.show("head", maps,
                "The head for the shift (-1, 1): the weights of 7 x 7 pixels for a query in the "
                "middle. The wanted pixel is one up and one to the right of the middle. In the "
                "terminal a digit stands for tenths, and a dot for a weight near 0.");

    Rng rng(lesson.seed());
    const Tensor x = normal({2, 8, 8}, 0, 1, rng, f64),
                 kernel = normal({3, 2, 3, 3}, 0, 1, rng, f64);
    const Tensor convolved = select(conv2d(unsqueeze(x, 0), kernel, {}, {.padding = 1}), 0, 0);
    const auto inside = [](const Tensor& y) { return slice(slice(y, 1, 1, 7), 2, 1, 7); };
    Table table({"a", "weight of the wanted pixel", "largest difference from the convolution"});
    double last = 1;
    for (const double a : {1.0, 2.0, 5.0, 10.0, 20.0, 40.0}) {
        last = gap(inside(convolution_by_attention(x, kernel, a)), inside(convolved));
        table.row(number(a), number(weights_of_head(9, 0, 0, a).at({40, 40}), 4),
                  fmt::format("{:.1e}", last));
    }
    lesson.table(table, "Nine heads of attention against a convolution of 3 x 3 pixels.");
    lesson.claim(
        "distance-scores",
        "identity: scores by distance, a = 40, against the convolution, largest difference inside",
        last, at_most(1e-12));
    lesson.claim("masks-convolution",
                 "identity: masks against the convolution, largest difference of all pixels",
                 gap(convolution_by_masks(x, kernel), convolved), at_most(1e-12));

    const Tensor edges = tensor({-1, 0, 1, -2, 0, 2, -1, 0, 1}, {1, 1, 3, 3}, f64) / 4.0;
    const Tensor picture = unsqueeze(to_dtype(sign, f64), 0);
    const auto shown = [](const Tensor& y, const std::string& title, double low, double high) {
        Picture p{.title = title, .height = int(side), .width = int(side)};
        p.grey = clamp((high - y) / (high - low), 0, 1).to_vector();
        return p;
    };
    lesson.show(
        "edges",
        std::vector<Picture>{
            shown(picture, "a sign", 0, 1),
            shown(select(conv2d(unsqueeze(picture, 0), edges, {}, {.padding = 1}), 0, 0),
                  "convolution", -1, 1),
            shown(convolution_by_masks(picture, edges), "nine heads", -1, 1)},
        "A kernel that measures whether it gets darker to the right, as a convolution and as "
        "attention with nine heads over 784 pixels. In the terminal one line stands for two rows "
        "of pixels; the empty ground of the sign is drawn as @ and its ink as a blank.");
    //! So a Transformer can be a convolutional network. But it does not start as one. From examples
    //! it has to find out that near pixels matter more than far ones, and that what holds at one
    //! location holds at another.
}

//! ## Error against the number of training pictures
//!
//! An assumption that is built into a model is called its *inductive bias*. An assumption that is
//! true saves examples. So we expect the convolutional network to need fewer pictures than the
//! others, and the others to catch up when there are many. Three networks are compared:
//!
//! * the **ViT**: 16 patches, two layers of width 48 with four heads;
//! * a **convolutional** network: three convolutions of 3 x 3 pixels with stride 2 and 16, 36 and
//!   74 channels, then a dense layer;
//! * a **dense** network: one hidden layer of 52 units, in which each pixel has weights of its own.
//!
//! {no results} All three have about 41,500 parameters. They see the same pictures in batches of 64
//! for the same number of steps: 300 with 100 pictures, and twice as many with ten times the
//! pictures. The optimiser is AdamW (lesson {language_model}) with a weight decay of 0.3 for all,
//! several times what is usual; `--decay` changes it.
//!
//! {no results} **The same chance for each.** A comparison is fair only if each network has the
//! settings that suit it. For each of them we tried six learning rates, 0.001 to 0.032, with 1,000
//! training pictures, and compared the accuracies on 1,000 validation pictures that are used for
//! nothing else. `--tune --seed 99` repeats the search and prints its table.
//!
//! {no results} The search had a surprise. Our first ViT, with a learning rate of 0.001, was worse
//! than the dense network, although it fitted its training pictures perfectly. It knew fewer than
//! four validation pictures in ten. We suspected a bug, wrote the same model in PyTorch, and got
//! nearly the same accuracy. So it was not the code. Two things were wrong.
//!
//! {no results} The learning rate was too small by a factor of eight. With 0.008 the same ViT knew
//! seven in ten. And the positions were too small. The published code draws the numbers of $e_n$
//! with a standard deviation of 0.02. The numbers of $W p$ have a size of about 0.5 in a patch with
//! much ink, as measured above. That is 25 times as much, so next to $W p$ the position hardly
//! counts, and a network learns first from what is large. It sees a bag of patches, and memorises
//! which patches occur in which training picture. A step of Adam changes each number by about the
//! learning rate, so with 0.001 the positions need hundreds of steps to become as large as the
//! patches. With positions drawn as large as the patches, it knew more than eight in ten. The
//! comparison uses what was best on the validation pictures: for the ViT the larger positions and a
//! rate of 0.008, for each of the other two a rate of 0.032, where our search ended.
Comparison error_by_pictures(Lesson& lesson, const Images& pictures, const Images& test,
                             const Settings& settings) {
    lesson.heading("Error against the number of training pictures");
    return compare_sizes(lesson, pictures, test, settings);
}

//! {if all conv-lead > 0.12} With 100 pictures all three networks are poor: there are ten examples
//! of each sign, and many more shapes and locations. With 1,000 pictures the convolutional network
//! is ahead of the ViT by {conv-lead:2}. {if all conv-lead-shrinks > 0.1} With 10,000 the ViT has
//! made up nearly all of it: the lead is {conv-lead - conv-lead-shrinks:2}. The dense network is
//! last: what it has learned about a pixel says nothing about the pixel beside it.
//!
//! ## What does each network take for granted?
//!
//! We can also measure an inductive bias directly, by breaking the assumption. Each network gets
//! three versions of the same 1,000 training pictures: as drawn; with the 16 patches exchanged; and
//! with all 784 pixels exchanged, in the same way in all pictures. To us the third version looks
//! like noise, but no information is lost. The test pictures are treated in the same way. A network
//! that gets worse took something for granted that is no longer true.
//!
//! What do we expect? The dense network has no assumption about which pixels are neighbours, so it
//! should learn from what looks like noise just as well. For the ViT, exchanged patches are the
//! same problem: by the identity from above, only the position vectors change owners, and they
//! start at random. But when pixels leave their patch, even the ViT should get worse. It has an
//! inductive bias after all, and it lies in the patches: the 49 pixels of a patch belong together,
//! and $W$ is the same for all patches. The convolutional network relies on neighbours everywhere.
void compare_arrangements(Lesson& lesson, const Images& pictures, const Images& test,
                          const Settings& settings, const Comparison& reached, std::size_t size,
                          Prediction guess) {
    lesson.heading("What does each network take for granted?");
    const std::vector<std::string> versions{"as drawn", "patches exchanged", "pixels exchanged"};
    Rng rng(lesson.seed());
    const std::vector<std::vector<int>> orders{exchanged_patches(rng), exchanged_pixels(rng)};
    std::vector<Picture> shown;
    for (std::size_t v = 0; v < versions.size(); ++v) {
        Tensor example = slice(test.pixels, 0, 0, 1);
        if (v > 0) example = rearranged(example, orders[v - 1]);
        Picture picture{.title = versions[v], .height = int(side), .width = int(side)};
        picture.grey = (1.0 - clamp(example, 0, 1)).to_vector();
        shown.push_back(picture);
    }
    lesson.show("versions", shown, "One picture in the three versions.");

    Table table({"network", versions[0], versions[1], versions[2]});
    BarChart chart{.title = "Accuracy with 1,000 pictures", .value_label = "accuracy", .high = 1};
    for (const std::string& version : versions) chart.sets.push_back({version, {}, {}});
    std::vector<std::vector<double>> means;
    for (const Kind kind : kinds) {
        std::vector<Accuracies> of{reached.of[static_cast<std::size_t>(kind)][size]};
        for (const std::vector<int>& order : orders) {
            const Images train{rearranged(pictures.pixels, order), pictures.labels};
            const Images unseen{rearranged(test.pixels, order), test.labels};
            of.push_back(train_seeds(lesson, kind, train, unseen, settings));
        }
        table.row(name_of(kind), mean_and_spread(of[0]), mean_and_spread(of[1]),
                  mean_and_spread(of[2]));
        chart.labels.emplace_back(name_of(kind));
        means.emplace_back();
        for (std::size_t v = 0; v < versions.size(); ++v) {
            means.back().push_back(summarise(of[v]).mean);
            chart.sets[v].values.push_back(means.back().back());
        }
    }
    lesson.table(
        table, fmt::format("Test accuracy with {} training pictures, {}.", number(pictures.size()),
                           averaged_over(static_cast<std::size_t>(settings.seeds))));
    lesson.show("arrangements", chart, "What each network loses when pixels are rearranged.");
    std::size_t most = 0;
    for (const std::size_t k : {1u, 2u})
        if (means[k][0] - means[k][2] > means[most][0] - means[most][2]) most = k;
    lesson.reveal(guess, name_of(kinds[most]));
    if (!lesson.options().data.empty()) return;
    lesson.claim("conv-pixels-lost",
                 "finding: pixels exchanged: what the convolutional network loses",
                 means[1][0] - means[1][2], at_least(0.3));
    lesson.claim("dense-pixels-lost", "finding: pixels exchanged: what the dense network loses",
                 means[2][0] - means[2][2], between(-0.04, 0.04));
    lesson.claim("vit-patches-lost", "finding: patches exchanged: what the ViT loses",
                 means[0][0] - means[0][1], between(-0.06, 0.06));
}

//! {if all dense-pixels-lost < 0.03 and dense-pixels-lost > -0.03 and vit-patches-lost < 0.06 and
//! vit-patches-lost > -0.06 and conv-pixels-lost > 0.35} It comes out as expected. {full run}
//! Exchanged pixels change the accuracy of the dense network by at most 2 points in 100, and
//! exchanged patches that of the ViT by at most 6, up as often as down; the ViT loses when pixels
//! leave their patch. The convolutional network loses most, {conv-pixels-lost:2} with exchanged
//! pixels.
//!
//! ## Augmentation: examples of what the network does not know
//!
//! The ViT does not know that a shifted sign is the same sign. We know it, and can say so with
//! examples: whenever a training picture is used, it is shifted by a random number of pixels, up to
//! four in each direction. No picture has to be drawn or labelled for this. Changes of the training
//! pictures that do not change the label are called *augmentation*. All three networks get the same
//! shifted pictures.
std::vector<double> with_shifts(Lesson& lesson, const Images& pictures, const Images& test,
                                const Settings& settings, const Comparison& plain,
                                std::size_t size) {
    lesson.heading("Augmentation");
    Table table({"network", "as drawn", "with random shifts"});
    BarChart chart{.title = "Random shifts", .value_label = "accuracy", .high = 1};
    chart.sets = {{"as drawn", {}, {}}, {"with random shifts", {}, {}}};
    std::vector<double> gains;
    for (const Kind kind : kinds) {
        const Accuracies& without = plain.of[static_cast<std::size_t>(kind)][size];
        const Accuracies with = train_seeds(lesson, kind, pictures, test, settings, 4);
        table.row(name_of(kind), mean_and_spread(without), mean_and_spread(with));
        chart.labels.emplace_back(name_of(kind));
        chart.sets[0].values.push_back(summarise(without).mean);
        chart.sets[1].values.push_back(summarise(with).mean);
        gains.push_back(summarise(with).mean - summarise(without).mean);
    }
    lesson.table(table,
                 fmt::format("Test accuracy with {} training pictures.", number(pictures.size())));
    lesson.show("shifts", chart, "What random shifts of the training pictures add.");
    return gains;
}

//! {if all shifts-gain > 0} {full run} The shifts raise the accuracy of the ViT with 1,000 pictures
//! in {count shifts-gain > 0} runs, by {shifts-gain:2} in the median ({shifts-gain:range 2}); look
//! at the dense network, which gains even more.
//!
//! ## What the positions have learned
//!
//! The vectors $e_n$ start as random numbers. Nobody tells the network which patch lies below which
//! other one. After training we compare each position with all others by the cosine of their
//! vectors. If the network has found the grid, near patches have more similar vectors than distant
//! ones. In the large models of the paper this can be seen at once (its figure 7). We measure it,
//! over all pairs of patches, as the correlation of the cosine with the distance on the grid. (A
//! correlation is a number between -1 and 1; it is negative if one quantity tends to fall when the
//! other one rises.) {if all position-correlation < -0.2} {full run} It is
//! {position-correlation:2}, over the seeds {position-correlation:range 2}; the random vectors at
//! the start have one that differs from 0 by chance only. The network has found some of the grid.
void look_at_positions(Lesson& lesson, const PatchNetwork& network) {
    lesson.heading("What the positions have learned");
    const Tensor cosines = cosines_of_positions(network);
    std::vector<HeatMap> maps;
    for (const int n : {0, 5, 15}) {
        HeatMap map{.title = fmt::format("row {}, column {}", n / grid + 1, n % grid + 1),
                    .values = select(cosines, 0, n).to_vector(),
                    .rows = int(grid),
                    .columns = int(grid)};
        map.low = -1, map.value_name = "cosine";
        map.gold = {{int(n / grid), int(n % grid)}};
        maps.push_back(map);
    }
    lesson.show("positions", maps,
                "The cosine of one patch's position vector (outlined) with those of all patches.");
    Rng rng(lesson.seed());
    const double at_start =
        correlation_with_distance(cosines_of_positions(PatchNetwork(vit_options(), rng)));
    const double now = correlation_with_distance(cosines);
    lesson.say("Correlation of cosine and distance: {:.2f} before training, {:.2f} after.",
               at_start, now);
    if (lesson.options().data.empty())
        lesson.claim("position-correlation",
                     "finding: correlation of the cosine of two positions with their distance", now,
                     at_most(-0.15));
}

//! ## The class token, or the mean?
//!
//! The classifier could also read the mean of all patches, without a class token. The paper found
//! both equally good when each has a learning rate of its own (appendix D.3). {full run} We train
//! both with 1,000 pictures and draw what the class token attends to.
void class_token_or_mean(Lesson& lesson, const Images& pictures, const Images& test,
                         const Settings& settings, const Comparison& reached, std::size_t size) {
    lesson.heading("The class token, or the mean?");
    const Budget budget = settings.budget(Kind::vit, pictures.size());
    Accuracies of_mean;
    for (int seed = 0; seed < settings.seeds; ++seed) {
        Rng rng(1000 * lesson.seed() + static_cast<std::uint64_t>(seed));
        const Network network = PatchNetwork(vit_options(ImagePooling::mean), rng);
        train(network, pictures, budget, rng);
        of_mean.push_back(accuracy(network, test));
    }
    Table table({"what the classifier reads", "accuracy"});
    table.row("the class token", mean_and_spread(reached.of[0][size]));
    table.row("the mean of all patches", mean_and_spread(of_mean));
    lesson.table(table, fmt::format("{} training pictures.", number(pictures.size())));

    const NoGrad no_grad;
    std::vector<Picture> seen;
    const Images some = range(test, 0, 4);
    std::vector<Tensor> of_layers;  // [B, H, T, T] each
    reached.vit.vit.run(unsqueeze(some.pixels, 1),
                        {.mode = Mode::evaluation(), .weights = &of_layers});
    const Tensor weights = mean(of_layers.back(), 1);  // of the heads: [B, T, T]
    for (int i = 0; i < some.size(); ++i) {
        const Tensor of_patches = slice(select(select(weights, 0, i), 0, 0), 0, 1, 1 + grid * grid);
        Picture picture{
            .title = fmt::format("picture {}", i + 1), .height = int(side), .width = int(side)};
        picture.grey = (1.0 - clamp(select(some.pixels, 0, i), 0, 1)).to_vector();
        picture.patch_rows = picture.patch_columns = int(grid);
        picture.weights = (of_patches / max(of_patches)).to_vector();
        seen.push_back(picture);
    }
    lesson.show(
        "attention", seen,
        "The weights of the 16 patches for the class token, in the last layer of the ViT with "
        "the most training pictures; mean of the heads.");
}

struct Pictures {
    Images training, validation, test;
};

Pictures draw(int training, int test, Rng& rng) {
    const GlyphOptions small{.side = int(side), .small = 4, .large = 6};
    Pictures pictures;
    pictures.training = draw_glyphs(training, small, rng).images;
    pictures.test = draw_glyphs(test, small, rng).images;
    pictures.validation = draw_glyphs(1000, small, rng).images;
    return pictures;
}

// MNIST, or other pictures of its size in its files. The training set is shuffled; its last 1,000
// pictures are the validation set.
Pictures read_pictures(const std::string& folder, Rng& rng) {
    Images all = read_digits(folder, "train", int(side));
    Pictures pictures;
    pictures.test = read_digits(folder, "t10k", int(side));
    for (const Images* images : {&all, &pictures.test})
        check(images->pixels.size(1) == side && images->pixels.size(2) == side,
              "{}: expected pictures of 28 x 28 pixels, found {} x {}", folder,
              images->pixels.size(1), images->pixels.size(2));
    check(all.size() >= 3000, "{}: expected at least 3,000 training pictures, found {}", folder,
          all.size());
    std::vector<int> order;
    for (int i = 0; i < all.size(); ++i) order.push_back(i);
    rng.shuffle(order);
    pictures.training = pick(all, order);
    pictures.validation = range(pictures.training, all.size() - 1000, all.size());
    return pictures;
}

}  // namespace

}  // namespace heed::lesson25

//! ## Handwritten digits
//!
//! `--data mnist --table` repeats the experiment with the handwritten digits of MNIST (LeCun et al.
//! 1998), up to all 60,000 training pictures. Digits lie in the middle of their pictures, all of
//! nearly the same size, so a network need not learn that a sign may stand anywhere. When we ran
//! it, with five networks of each kind, the dense network, which has no idea of neighbours, was as
//! good as the ViT or nearly so, and with 100 pictures as good as the convolutional one. The
//! convolutional network led from 300 pictures on, and the ViT did not catch up with 60,000: its
//! error was still more than twice as large. (Ten times the pictures get only twice the steps here,
//! so with many pictures no network has been trained to its end.)

//! ## What this does not show
//!
//! Our networks have 41,500 parameters, and our signs are drawn by a program. The ViT of the paper
//! overtakes convolutional networks with 300 million photographs (its figure 3). No experiment of
//! two minutes can show that. It shows the other end of the scale, where the built-in assumptions
//! count most.
//!
//! The convolutional network ends in a dense layer over $4 \times 4$ locations, so it is not
//! indifferent to where a sign is; a network that takes the mean over all locations would be. The
//! ViT would gain from smaller patches, and from the stronger augmentation with which later work
//! trained ViTs on a million pictures alone (Touvron et al. 2021). All learning rates were chosen
//! for 1,000 generated pictures. With other numbers of pictures, or with `--data`, each network may
//! have better ones.
//!
//! **Sources.** Dosovitskiy et al., "An image is worth 16x16 words" (2021), sections 3 and 4.3,
//! appendix D.3; Krizhevsky, Sutskever and Hinton, "ImageNet classification with deep convolutional
//! neural networks" (2012); Cordonnier, Loukas and Jaggi, "On the relationship between
//! self-attention and convolutional layers" (2020), theorem 1; LeCun, Bottou, Bengio and Haffner,
//! "Gradient-based learning applied to document recognition" (1998), for convolutional networks and
//! the digits; Touvron et al., "Training data-efficient image transformers" (2021).
//!
//! ## Summary
//!
//! 1. A ViT cuts a picture into patches. Each patch is a token, made by one matrix, with a learned
//!    vector for its position.
//! 2. The encoder does not know which patches are neighbours. With their positions exchanged too,
//!    exchanged patches are the same picture to it.
//! 3. Attention with one head for each shift, and scores or masks that depend on positions only, is
//!    a convolution.
//! 4. {if all conv-lead > 0.12 and conv-lead-shrinks > 0.1} It does not start as one. With 1,000
//!    pictures the convolutional network is far better, and with 10,000 the ViT is nearly as good.
//! 5. Randomly shifted training pictures show a network that a shift does not change the sign.
//!
//! ## Try this next
//!
//! 1. `--data mnist`, a folder with the four files of MNIST. Digits lie in the middle of their
//!    pictures. Which network gains most from that, and why? The whole table takes ten minutes:
//!    `--data mnist --table --sizes 100,300,1000,3000,10000,30000,60000 --seeds 5`.
//! 2. {no results} `--lr 0.002`: how much does the ViT lose with a learning rate that was good
//!    enough for the others?
//! 3. In `models.h`, set `patch = 14`. The ViT has four tokens. What is lost, and what if it is 4?
using namespace heed;
using namespace heed::lesson25;

int main(int argc, char** argv) {
    Lesson lesson({.number = 25,
                   .name = "images",
                   .title = "Can a picture be read like a sentence?",
                   .question = "A Transformer reads patches as if they were words. What does it "
                               "cost that it does not know what a picture is?",
                   .data = "a folder with the four files of MNIST, or other pictures of 28 x 28 "
                           "pixels in its format (IDX, gzipped or not)",
                   .data_is = DataIs::folder,
                   .own_data = "generated pictures of ten signs, 28 x 28 pixels"});
    Settings settings;
    int steps = 0, seeds = 0;
    std::string sizes;
    bool only_table = false, tuning = false;
    lesson.option("--sizes", sizes,
                  "numbers of training pictures (100,300,1000,3000,10000; quick 100,1000)");
    lesson.option("--steps", steps, "steps of training with 100 pictures (300; quick 60)");
    lesson.option("--seeds", seeds, "networks trained for each number (2; quick and --data 1)");
    lesson.option("--lr", settings.lr, "learning rate of all networks (ViT 0.008, others 0.032)");
    lesson.option("--decay", settings.weight_decay, "weight decay of all networks (0.3)");
    lesson.option("--table", only_table, "only the table of errors by number of training pictures");
    lesson.option("--tune", tuning, "only the search for the learning rates");
    return lesson.run(argc, argv, [&] {
        const bool generated = lesson.options().data.empty(), quick = lesson.quick();
        settings.steps = steps ? steps : quick ? 60 : 300;
        settings.seeds = seeds ? seeds : quick || !generated ? 1 : 2;
        settings.sizes = parse_sizes(!sizes.empty() ? sizes
                                     : quick        ? "100,1000"
                                                    : "100,300,1000,3000,10000");
        check(settings.lr >= 0, "--lr: expected a number above 0, got {}", settings.lr);
        check(settings.weight_decay >= 0, "--decay: expected 0 or more, got {}",
              settings.weight_decay);
        const auto thousand = static_cast<std::size_t>(
            std::find(settings.sizes.begin(), settings.sizes.end(), 1000) - settings.sizes.begin());
        const bool usual = thousand < settings.sizes.size();  // the sections with 1,000 pictures

        Rng rng(lesson.seed());
        const int most = std::max(1000, settings.sizes.back());
        const Pictures pictures = generated ? draw(most, quick ? 500 : 2000, rng)
                                            : read_pictures(lesson.options().data, rng);
        check(most <= pictures.training.size(),
              "--sizes: {} training pictures were asked for, {} has {}", most,
              lesson.options().data, pictures.training.size());
        const Images first = range(pictures.training, 0, 1000);
        if (generated && !tuning && !only_table) opening(lesson, first);
        if (tuning) return tune(lesson, first, pictures.validation, settings);
        if (only_table) {
            error_by_pictures(lesson, pictures.training, pictures.test, settings);
            return;
        }

        const Prediction best = lesson.predict(
            "A ViT, a convolutional and a dense network of the same size see 1,000 pictures. Which "
            "classifies new pictures best?",
            {"ViT", "convolutional", "dense"});
        Prediction loser;  // what a quick run does not measure is not asked there
        if (!lesson.quick())
            loser = lesson.predict(
                "All pixels are exchanged, in the same way in all pictures. Which network loses most?",
                {"ViT", "convolutional", "dense"});
        patches_as_tokens(lesson, first);
        attention_as_convolution(lesson, select(pictures.test.pixels, 0, 0));
        const Comparison reached =
            error_by_pictures(lesson, pictures.training, pictures.test, settings);
        if (!usual) return;
        Kind winner = Kind::vit;
        for (const Kind kind : kinds)
            if (reached.mean(kind, thousand) > reached.mean(winner, thousand)) winner = kind;
        lesson.reveal(best, name_of(winner));
        const auto lead = [&](std::size_t size) {
            return reached.mean(Kind::convolutional, size) - reached.mean(Kind::vit, size);
        };
        if (generated)
            lesson.claim(
                "conv-lead",
                "finding: 1,000 pictures: accuracy of the convolutional network minus that of the ViT",
                lead(thousand), at_least(quick ? 0.25 : 0.1));
        if (quick) return;
        if (generated && settings.sizes.back() >= 10000)
            lesson.claim("conv-lead-shrinks",
                         "finding: the same difference, with 1,000 pictures minus with the most",
                         lead(thousand) - lead(settings.sizes.size() - 1), at_least(0.08));
        compare_arrangements(lesson, first, pictures.test, settings, reached, thousand, loser);
        const std::vector<double> gains =
            with_shifts(lesson, first, pictures.test, settings, reached, thousand);
        if (generated)
            lesson.claim("shifts-gain",
                         "finding: random shifts: what they add to the ViT's accuracy", gains[0],
                         more_than(0));
        look_at_positions(lesson, reached.vit);
        class_token_or_mean(lesson, first, pictures.test, settings, reached, thousand);
    });
}
