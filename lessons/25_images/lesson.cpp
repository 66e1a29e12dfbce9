//! # Can a picture be read like a sentence?
//!
//! Look at a photograph of a street. You see at once that the round thing at the bottom is a wheel,
//! and you would see it as well at the top or on the left. A convolutional network knows this before
//! it has seen a single picture: it slides the same small kernel over all pixels, so a wheel gives
//! the same features wherever it is. It also knows that neighbouring pixels belong together. For
//! thirty years nearly all programs that recognise pictures were built on these two assumptions.
//!
//! A Transformer has neither of them. It reads a sequence of vectors, and every element may attend
//! to every other. Dosovitskiy et al. (2021) used it on pictures nevertheless: they cut a picture
//! into patches and let a Transformer read the patches as if they were words. It worked, and better
//! than convolutions, but only with hundreds of millions of training pictures. With fewer pictures
//! the convolutional network was better.
//!
//! This lesson builds such a Vision Transformer (ViT) and asks three questions. What does the
//! Transformer have to learn that a convolution knows already? Could attention do what a convolution
//! does? And how many pictures does the missing knowledge cost?

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"
#include "lessons/25_images/models.h"
#include "lessons/course/course.h"
#include "lessons/course/generated/glyphs.h"
#include "lessons/course/read/idx.h"

using namespace heed;
using namespace heed::course;
using namespace heed::lesson25;

namespace {

double gap(const Tensor& a, const Tensor& b) { return max(abs(a - b)).item(); }

//! ## The naive attempt: every pixel a token
//!
//! A sentence is a sequence of words. The most direct translation to pictures is a sequence of
//! pixels. Our pictures have $28 \times 28 = 784$ of them, which is longer than any sentence of
//! this course, and attention compares every token with every other: $784^2 = 614{,}656$ scores for
//! each head of each layer. For a photograph of $224 \times 224$ pixels there would be
//! $50{,}176^2$, about 2.5 thousand million. And a single pixel says nearly nothing: it is grey.
//!
//! ## Patches
//!
//! So the picture is cut into square *patches*, and each patch is one token. Our pictures have 28 x
//! 28 pixels and our patches 7 x 7, so there are $N = 4 \cdot 4 = 16$ tokens and $16^2 = 256$
//! scores. The 49 numbers of a patch are written in one vector $p$, and a matrix makes a vector of
//! the model's width of it:
//!
//! $$ z_n = W p_n + b + e_n $$
//!
//! Here $p_n$ is patch number $n$ (49 numbers), $W$ a matrix of $48 \times 49$ learned weights, the
//! same for all patches, $b$ a bias, and $e_n$ a learned vector for the position $n$ of the patch.
//! With numbers: if the picture had 2 x 4 pixels
//!
//! $$ \begin{matrix} 1 & 0 & 0 & 2 \\ 0 & 1 & 0 & 2 \end{matrix} $$
//!
//! and the patches 2 x 2, there would be two tokens, $p_1 = (1, 0, 0, 1)$ and $p_2 = (0, 2, 0, 2)$.
//! A row $(1, 1, 1, 1)$ of $W$ would measure how bright a patch is: 2 and 4. A row $(1, -1, 1, -1)$
//! would measure whether the left or the right column is brighter: 0 and -4.
//!
//! Cutting and multiplying are one operation: a convolution whose stride is the size of its kernel.
//! That is how the library does it. By hand:
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

//! In front of the patches stands one more token, the *class token*. It is a learned vector that
//! belongs to no patch. In every layer it collects from the patches, by attention, what is needed
//! for the answer, and the classifier reads its last state and nothing else. The alternative is to
//! have no such token and to give the classifier the mean of all patches. We shall compare the two.
//!
//! The rest is the encoder of the Transformer (lesson 22), with the norms in front of the
//! sublayers. Nothing in it knows that the tokens come from a picture. Without the vectors $e_n$ it
//! could not even tell the top of a picture from its bottom: if we exchange patches, nothing
//! changes.
void patches_as_tokens(Lesson& lesson, const Images& images) {
    lesson.heading("Patches as tokens");
    Rng rng(lesson.seed());
    const PatchNetwork network(vit_options(), rng);
    const Tensor picture = select(images.pixels, 0, 0);
    const Tensor library = network.vit.tokens(reshape(picture, {1, 1, side, side}));
    lesson.claim("tokens by hand against the library's, largest difference",
                 gap(tokens_by_hand(network.vit, picture), select(library, 0, 0)), at_most(1e-5));

    PatchNetwork unordered(vit_options(ImagePooling::class_token, PositionKind::none), rng);
    to_dtype(unordered, Dtype::float64);
    const Tensor x = to_dtype(slice(images.pixels, 0, 0, 8), Dtype::float64);
    const Tensor exchanged = roll(roll(x, 2 * patch, 1), patch, 2);  // all patches, none cut
    const Mode evaluation = Mode::evaluation();
    lesson.claim("without positions: change of the logits when the patches are exchanged",
                 gap(unordered(x, evaluation), unordered(exchanged, evaluation)), at_most(1e-10));
    //! The model of the paper with patches of 16 x 16 pixels, ViT-B/16, has 12 layers of width 768.
    //! We count its parameters as the authors' table does: 86 million, exactly 86,567,656 with a
    //! classifier for 1,000 classes.
    lesson.claim("parameters of ViT-B/16",
                 double(parameter_count(VisionTransformerOptions{
                     .image = 224,
                     .patch = 16,
                     .channels = 3,
                     .classes = 1000,
                     .stack = vit({.width = 768, .heads = 12, .layers = 12})})),
                 equals(86567656));
}

//! ## A convolution is one attention pattern
//!
//! Is a Transformer able to do what a convolution does? A convolution with a kernel of $3 \times 3$
//! pixels computes, at every pixel $i$,
//!
//! $$ y_i = \sum_\delta K_\delta \, x_{i + \delta}, $$
//!
//! where $\delta$ runs through the nine shifts $(-1, -1), (-1, 0), \dots, (1, 1)$ and $K_\delta$ is
//! a small matrix, the weights of the kernel at this shift. Attention with $H$ heads computes
//!
//! $$ y_i = \sum_{h=1}^{H} A_h \sum_j \alpha^h_{ij} \, x_j, $$
//!
//! where $\alpha^h_{ij}$ is the weight that head $h$ gives to pixel $j$ when it stands at pixel $i$,
//! and $A_h$ is the product of the value and output matrices of the head. The two formulas agree if
//! there are nine heads, one for each shift, if head $h$ gives all its weight to the pixel at its
//! own shift, $\alpha^h_{ij} = 1$ for $j = i + \delta_h$, and if $A_h = K_{\delta_h}$.
//!
//! Can a softmax give all its weight to one pixel? Take the score
//!
//! $$ s^h_{ij} = -a \, |j - i - \delta_h|^2, $$
//!
//! the squared distance to the wanted pixel times a number $a$. It depends on positions only, so
//! relative positions can produce it. The wanted pixel has score 0, its four neighbours have $-a$.
//! With $a = 1$ the wanted pixel gets the weight $1 / (1 + 4 e^{-1} + 4 e^{-2} + \dots) \approx
//! 0.32$; with $a = 5$ it gets $1 / (1 + 4 e^{-5} + \dots) \approx 0.97$. As $a$ grows, attention
//! becomes the convolution (Cordonnier, Loukas and Jaggi 2020, theorem 1). In code, for a picture
//! of $n \times n$ pixels with some channels:
Tensor convolution_by_attention(const Tensor& x, const Tensor& kernel, double a) {
    const int64_t channels = x.size(0), n = x.size(1);
    const Tensor pixels = transpose(reshape(x, {channels, n * n}));  // [n n, C]
    Tensor y = zeros({n * n, kernel.size(0)}, x.dtype());
    for (int64_t down = -1; down <= 1; ++down)
        for (int64_t right = -1; right <= 1; ++right) {  // one head
            std::vector<double> scores;
            for (int64_t i = 0; i < n * n; ++i)
                for (int64_t j = 0; j < n * n; ++j) {
                    const double rows = double(j / n - i / n - down);
                    const double columns = double(j % n - i % n - right);
                    scores.push_back(-a * (rows * rows + columns * columns));
                }
            const Tensor weights = softmax(tensor(scores, {n * n, n * n}, x.dtype()), -1);
            const Tensor k = select(select(kernel, 3, right + 1), 2, down + 1);  // K [O, C]
            y = y + linear(matmul(weights, pixels), k);
        }
    return reshape(transpose(y), {kernel.size(0), n, n});
}

//! At the edge of the picture the wanted pixel may not exist; the head then attends to the nearest
//! one, where the convolution reads a 0. So we compare the pixels inside.
void attention_as_convolution(Lesson& lesson) {
    lesson.heading("A convolution is one attention pattern");
    Rng rng(lesson.seed());
    const Tensor x = normal({2, 8, 8}, 0, 1, rng, Dtype::float64);
    const Tensor kernel = normal({3, 2, 3, 3}, 0, 1, rng, Dtype::float64);
    const Tensor convolved = select(conv2d(unsqueeze(x, 0), kernel), 0, 0);  // [3, 6, 6]
    Table table({"a", "weight of the wanted pixel", "largest difference"});
    double last = 1;
    for (const double a : {1.0, 2.0, 5.0, 10.0, 20.0, 40.0}) {
        double sum = 0;
        for (int row = -3; row <= 3; ++row)
            for (int column = -3; column <= 3; ++column)
                sum += std::exp(-a * (row * row + column * column));
        const Tensor inside =
            slice(slice(convolution_by_attention(x, kernel, a), 1, 1, 7), 2, 1, 7);
        last = gap(inside, convolved);
        table.row(a, 1 / sum, fmt::format("{:.1e}", last));
    }
    lesson.table(table, "Nine heads of attention against a convolution of 3 x 3 pixels.");
    lesson.claim("attention with a = 40 against the convolution, largest difference", last,
                 at_most(1e-12));
    //! So a Transformer *can* be a convolutional network. But it does not begin as one. It has to
    //! find out from examples that near pixels matter and that what holds at one location holds at
    //! another. An assumption that is built into a model is called its *inductive bias*. The ViT has
    //! a weak one. We now measure what that costs.
}

//! ## Error against the number of training pictures
//!
//! The task is to tell ten drawn signs apart (ring, triangle, square, ...). A sign may be anywhere
//! in the picture. Three networks are compared:
//!
//! * the *ViT*: 16 patches, two layers of width 48 with four heads;
//! * a *convolutional* network: two convolutions of 5 x 5 pixels with stride 2 and 16 and 46
//!   channels, then a dense layer;
//! * a *dense* network: one hidden layer of 52 units. It has no inductive bias for pictures at all:
//!   each pixel has weights of its own, and if all pixels were shuffled in the same way, it would
//!   learn just as well.
//!
//! All three have about 41,500 parameters, the same optimiser, learning rate and number of steps,
//! and see the same pictures. Only the number of *different* training pictures changes: with 100 of
//! them each is seen many times, with the largest number hardly twice.
const std::vector<std::string> names{"ViT", "convolutional", "dense"};

Network make(std::size_t which, Rng& rng) {
    if (which == 0) return PatchNetwork(vit_options(), rng);
    if (which == 1) return ConvolutionalNetwork(rng);
    return DenseNetwork(rng);
}

struct Settings {
    std::vector<int> sizes;  // training pictures
    Budget budget;
    int seeds = 1;
};

// accuracy[network][size], the mean over the seeds
using Accuracies = std::vector<std::vector<double>>;

Accuracies compare_networks(Lesson& lesson, const Images& pictures, const Images& test,
                            const Settings& settings) {
    lesson.heading("Error against the number of training pictures");
    Table counts({"network", "parameters"});
    LinePlot plot{.title = "Error by number of training pictures",
                  .x_label = "training pictures",
                  .y_label = "test error",
                  .log_x = true};
    std::vector<std::string> header{"training pictures"};
    header.insert(header.end(), names.begin(), names.end());
    Table table(header);
    std::vector<std::vector<std::string>> rows;
    for (const int size : settings.sizes) rows.push_back({number(size)});

    Accuracies means(names.size());
    for (std::size_t which = 0; which < names.size(); ++which) {
        std::vector<std::vector<double>> errors(static_cast<std::size_t>(settings.seeds));
        for (std::size_t s = 0; s < settings.sizes.size(); ++s) {
            std::vector<double> reached;
            for (int seed = 0; seed < settings.seeds; ++seed) {
                Rng rng(1000 * lesson.seed() + static_cast<std::uint64_t>(seed));
                const Network network = make(which, rng);
                if (s == 0 && seed == 0) counts.row(names[which], parameter_count_of(network));
                train(network, range(pictures, 0, settings.sizes[s]), settings.budget, rng);
                reached.push_back(accuracy(network, test));
                errors[static_cast<std::size_t>(seed)].push_back(1 - reached.back());
            }
            means[which].push_back(summarise(reached).mean);
            rows[s].push_back(mean_and_spread(reached));
        }
        plot.series.push_back(
            over_seeds(names[which],
                       std::vector<double>(settings.sizes.begin(), settings.sizes.end()), errors));
    }
    for (const auto& row : rows) table.add(row);
    lesson.table(counts, "The three networks.");
    lesson.table(table, fmt::format("Test accuracy, {}.",
                                    averaged_over(static_cast<std::size_t>(settings.seeds))));
    lesson.show("errors", plot, "The test error of the three networks.");
    return means;
}

//! ## Augmentation: telling the model what it does not know
//!
//! A ViT does not know that a shifted sign is still the same sign. We know it, and can say so with
//! examples: at every step each training picture is shifted by a random number of pixels, up to
//! four in each direction. No new picture has to be drawn or labelled. The convolutional network
//! gets the same shifted pictures; it can learn less from them, because its kernels are shifted
//! over the picture anyway.
std::vector<double> with_shifts(Lesson& lesson, const Images& pictures, const Images& test,
                                const Settings& settings, int size, const Accuracies& plain,
                                std::size_t column) {
    lesson.heading("Augmentation");
    Table table({"network", "as drawn", "with random shifts"});
    std::vector<double> gains;
    Budget budget = settings.budget;
    budget.shift = 4;
    for (const std::size_t which : {0, 1}) {
        std::vector<double> reached;
        for (int seed = 0; seed < settings.seeds; ++seed) {
            Rng rng(1000 * lesson.seed() + static_cast<std::uint64_t>(seed));
            const Network network = make(which, rng);
            train(network, range(pictures, 0, size), budget, rng);
            reached.push_back(accuracy(network, test));
        }
        table.row(names[which], plain[which][column], mean_and_spread(reached));
        gains.push_back(summarise(reached).mean - plain[which][column]);
    }
    lesson.table(table, fmt::format("Test accuracy with {} training pictures.", number(size)));
    return gains;
}

//! ## What the positions have learned
//!
//! The vectors $e_n$ start as random numbers. Nobody tells the model that patch 5 lies below patch
//! 1. After training we compare each position with all others by the cosine of their vectors. If
//! the model has found the grid, neighbours are more alike than patches far apart. In the paper's
//! large models this is clearly visible (its figure 7); in our small model, trained for seconds, it
//! is a tendency.
//!
//! We also compare the class token with the mean of all patches. The paper found both equally good
//! with learning rates of their own (appendix D.3).
void look_inside(Lesson& lesson, const Images& pictures, const Images& test,
                 const Settings& settings) {
    lesson.heading("What the positions have learned");
    Table table({"what the classifier reads", "accuracy"});
    for (const ImagePooling pooling : {ImagePooling::class_token, ImagePooling::mean}) {
        Rng rng(lesson.seed());
        const PatchNetwork network(vit_options(pooling), rng);
        train(Network(network), pictures, settings.budget, rng);
        table.row(pooling == ImagePooling::mean ? "the mean of all patches" : "the class token",
                  accuracy(Network(network), test));
        if (pooling == ImagePooling::mean) continue;

        const Tensor table_of_patches = slice(network.vit.positions.table, 0, 1, 17);
        const Tensor centred = table_of_patches - mean(table_of_patches, 0, true);
        const Tensor unit = centred / norm(centred, 2, -1, true);
        const Tensor cosines = matmul(unit, transpose(unit));  // [16, 16]
        double near = 0, far = 0;
        int near_count = 0, far_count = 0;
        for (int i = 0; i < 16; ++i)
            for (int j = 0; j < 16; ++j) {
                const int distance = std::abs(i / 4 - j / 4) + std::abs(i % 4 - j % 4);
                if (distance == 1) near += cosines.at({i, j}), ++near_count;
                if (distance >= 3) far += cosines.at({i, j}), ++far_count;
            }
        std::vector<HeatMap> maps;
        for (const int patch_index : {0, 5, 15}) {
            HeatMap map{
                .title = fmt::format("row {}, column {}", patch_index / 4 + 1, patch_index % 4 + 1),
                .values = select(cosines, 0, patch_index).to_vector(),
                .rows = 4,
                .columns = 4};
            map.low = -1, map.value_name = "cosine";
            maps.push_back(map);
        }
        lesson.show("positions", maps,
                    "The cosine of one patch's position vector with those of all 16 patches.");
        lesson.claim("mean cosine of neighbouring positions minus that of distant ones",
                     near / near_count - far / far_count, more_than(0));

        // Where the class token looks in the last layer, the mean of the heads.
        const NoGrad no_grad;
        std::vector<Picture> seen;
        const Images some = range(test, 0, 3);
        const TransformerOutput run = network.vit.run(
            unsqueeze(some.pixels, 1), {.need_weights = true, .mode = Mode::evaluation()});
        const Tensor weights = mean(run.weights.back(), 1);  // [B, T, T]
        for (int i = 0; i < 3; ++i) {
            const Tensor of_patches = slice(select(select(weights, 0, i), 0, 0), 0, 1, 17);
            Picture picture{
                .title = fmt::format("picture {}", i + 1), .height = int(side), .width = int(side)};
            picture.grey = (1.0 - clamp(select(some.pixels, 0, i), 0, 1)).to_vector();
            picture.patch_rows = picture.patch_columns = 4;
            picture.weights = (of_patches / max(of_patches)).to_vector();
            seen.push_back(picture);
        }
        lesson.show("attention", seen, "The attention of the class token to the 16 patches.");
    }
    lesson.table(table, "A ViT whose classifier reads the class token, or the mean.");
}

Images draw(int count, Rng& rng) { return draw_glyphs(count, {}, rng).images; }

}  // namespace

//! ## What this does not show
//!
//! Our networks are small and our signs are drawn by a program. The ViT of the paper becomes better
//! than convolutions with 300 million photographs; no experiment of two minutes can show that. What
//! can be shown is the other end of the scale: with few pictures the convolution's built-in
//! knowledge counts most. With other settings both networks could be improved. Later work trained
//! ViTs on a million pictures alone, with much augmentation (Touvron et al. 2021).
//!
//! The number of steps is the same for all sizes. With 100 pictures that means many epochs, and a
//! network may learn them by heart. Stopping early would help all three a little.
//!
//! Sources: Dosovitskiy et al., "An image is worth 16x16 words" (2021), sections 3 and 4.3,
//! appendix D.3; Cordonnier, Loukas and Jaggi, "On the relationship between self-attention and
//! convolutional layers" (2020), theorem 1; LeCun et al. (1998) for the digits; Touvron et al.,
//! "Training data-efficient image transformers" (2021).
//!
//! ## Summary
//!
//! 1. A ViT cuts a picture into patches; each patch is a token, made by one matrix.
//! 2. Learned positions tell the patches apart; without them a shuffled picture is the same picture.
//! 3. Attention with one head for each shift, and scores that depend on positions, is a convolution.
//! 4. It does not begin as one: with few training pictures the convolutional network is better.
//! 5. More pictures, or shifted copies of the same ones, make up for part of the missing knowledge.
//!
//! ## Try this next
//!
//! 1. `--data mnist`, a folder with the four files of MNIST. Digits are in the middle of their
//!    pictures. Which network gains most from that, and why?
//! 2. `--steps 2000`: does the ViT reach the convolutional network with more steps?
//! 3. In `models.h`, set `patch = 14`. The model has four tokens. What is lost?
int main(int argc, char** argv) {
    Lesson lesson({.number = 25,
                   .name = "images",
                   .title = "Can a picture be read like a sentence?",
                   .question = "A Transformer reads patches as if they were words. What does it "
                               "cost that it does not know what a picture is?",
                   .data = "a folder with the four files of MNIST (IDX, gzipped or not)",
                   .own_data = "generated pictures of ten signs, 28 x 28 pixels"});
    Settings settings;
    int steps = 0, seeds = 0;
    lesson.option("--steps", steps, "steps of training (1000; quick 100)");
    lesson.option("--lr", settings.budget.lr, "learning rate of all networks (0.002)");
    lesson.option("--seeds", seeds, "networks trained for each number (2; quick and --data 1)");
    return lesson.run(argc, argv, [&] {
        const bool own = lesson.options().data.empty();
        settings.budget.steps = steps ? steps : lesson.quick() ? 100 : 1000;
        settings.seeds = seeds ? seeds : lesson.quick() || !own ? 1 : 2;
        settings.sizes = lesson.quick() ? std::vector<int>{100, 1000}
                                        : std::vector<int>{100, 1000, 10000};
        const Prediction best = lesson.predict(
            "A ViT, a convolutional and a dense network of the same size see 1,000 pictures. Which "
            "classifies new pictures best?",
            names);
        //! In quick mode: two numbers of training pictures instead of three, 100 steps instead of
        //! 1,000, and one seed instead of two.
        Rng rng(lesson.seed());
        Images pictures, test;
        if (own) {
            pictures = draw(settings.sizes.back(), rng);
            test = draw(lesson.quick() ? 500 : 2000, rng);
        } else {
            pictures = read_digits(lesson.options().data, "train", int(side));
            test = read_digits(lesson.options().data, "t10k", int(side));
            check(pictures.size() >= 1000 && pictures.pixels.size(1) == side &&
                      pictures.pixels.size(2) == side,
                  "{}: expected at least 1,000 training pictures of 28 x 28 pixels, found {}",
                  lesson.options().data, pictures.size());
            std::vector<int> order(static_cast<std::size_t>(pictures.size()));
            for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
            rng.shuffle(order);
            pictures = pick(pictures, order);
            if (!lesson.quick()) settings.sizes.push_back(pictures.size());
            std::erase_if(settings.sizes, [&](int size) { return size > pictures.size(); });
        }
        patches_as_tokens(lesson, pictures);
        attention_as_convolution(lesson);
        const Accuracies reached = compare_networks(lesson, pictures, test, settings);

        const auto at = [&](int size) {
            return static_cast<std::size_t>(
                std::find(settings.sizes.begin(), settings.sizes.end(), size) -
                settings.sizes.begin());
        };
        std::size_t winner = 0;
        for (std::size_t which : {1, 2})
            if (reached[which][at(1000)] > reached[winner][at(1000)]) winner = which;
        lesson.reveal(best, names[winner]);
        lesson.claim("1,000 pictures: accuracy of the convolutional network minus that of the ViT",
                     reached[1][at(1000)] - reached[0][at(1000)], more_than(0));
        if (lesson.quick()) return;
        const std::size_t last = settings.sizes.size() - 1;
        if (own)
            lesson.claim(
                "the same difference, with 1,000 pictures minus with the most",
                reached[1][at(1000)] - reached[0][at(1000)] - (reached[1][last] - reached[0][last]),
                more_than(0));
        const std::vector<double> gains =
            with_shifts(lesson, pictures, test, settings, 1000, reached, at(1000));
        if (own)
            lesson.claim("1,000 pictures: what random shifts add to the ViT's accuracy", gains[0],
                         more_than(0));
        look_inside(lesson, range(pictures, 0, settings.sizes[std::min<std::size_t>(last, 2)]),
                    test, settings);
    });
}
