// ./heed learn reinforce --mine: an eye that looks at one place of a picture, trained with the reader's parts, and
// its soft twin, which reads all places and takes their weighted mean. Both have the same networks, begin
// with the same weights and see the same pictures.
//
// This file is compiled after the namespaces of the parts (parts.h).
#include <cmath>
#include <vector>

#include "attention/attention.h"
#include "lessons/course/course.h"
#include "lessons/course/figures/picture.h"
#include "lessons/material/corpora/glyphs.h"
#include "lessons/mine/program.h"

namespace heed::mine {
namespace {

using course::number;

constexpr int64_t side = 36, cells = 3, cell = side / cells, places = cells * cells;

// From a blurred picture of 6 by 6 pixels: the scores of the nine places. From one place: which sign it is.
struct Eye {
    Sequential where, what;

    explicit Eye(Rng& rng)
        : where(Linear(36, 64, rng), Relu{}, Linear(64, places, rng)),
          what(Linear(cell * cell, 64, rng), Relu{}, Linear(64, course::glyph_count, rng)) {}
    template <class F>
    void visit(F&& f) {
        f("where", where);
        f("what", what);
    }
};

Tensor blurred(const Tensor& pictures) {  // [B, Y, X] -> [B, 36]
    const int64_t B = pictures.size(0);
    return reshape(mean(reshape(pictures, {B, 6, 6, 6, 6}), {2, 4}), {B, 36});
}

// The middle of a place, from -1 to 1.
double middle_of(int64_t row_or_column) {
    return (2.0 * static_cast<double>(row_or_column) + 1) / cells - 1;
}

// What the reader's glimpse sees at one place of each picture: [B, Y, X], [B] -> [B, 144].
Tensor read(const Tensor& pictures, const Indices& at) {
    std::vector<Tensor> seen;
    for (int64_t b = 0; b < pictures.size(0); ++b)
        seen.push_back(flatten(part_cut_out_a_glimpse::my_glimpse(
            select(pictures, 0, b), middle_of(at.at({b}) % cells), middle_of(at.at({b}) / cells),
            cell)));
    return stack(seen, 0);
}

Tensor all_places(const Tensor& pictures) {  // [B, Y, X] -> [B, 9, 144]
    const Tensor split = reshape(pictures, {pictures.size(0), cells, cell, cells, cell});
    return reshape(transpose(split, 2, 3), {pictures.size(0), places, cell * cell});
}

// Several looks at each picture: [S, B] losses, log-probabilities of the places.
struct Looks {
    Tensor loss, log_prob;
    Tensor glimpses;                 // [S B, 144], by the reader's part
    Tensor glimpses_of_the_library;  // the same, cut by the library
};

Looks look(const Eye& eye, const Tensor& pictures, const Indices& labels, int samples, Rng& rng) {
    const Tensor scores = eye.where(blurred(pictures)), patches = all_places(pictures);
    std::vector<Tensor> losses, log_probs, glimpses, cut;
    for (int s = 0; s < samples; ++s) {
        const CategoricalSample sample = sample_categorical(scores, rng);
        glimpses.push_back(read(pictures, sample.indices));
        cut.push_back(values_at(patches, sample.indices));
        losses.push_back(-categorical_log_prob(eye.what(glimpses.back()), labels));
        log_probs.push_back(sample.log_prob);
    }
    return {stack(losses, 0), stack(log_probs, 0), concat(glimpses, 0), concat(cut, 0)};
}

// The number whose gradient trains the eye, with the reader's parts.
Tensor surrogate(const Looks& looks) {
    const Tensor baseline = part_leave_one_out::my_leave_one_out(detach(looks.loss));
    return part_reinforce::my_reinforce(flatten(looks.loss), reshape(looks.log_prob, {-1, 1}),
                                        reshape(baseline, {-1, 1}));
}

// How far the reader's gradients and glimpses are from the library's.
double distance_to_library(const Eye& eye, const Looks& looks) {
    std::vector<Tensor> all;
    for (const Parameter& p : parameters(eye)) all.push_back(p.tensor);
    const Tensor baseline = leave_one_out(detach(looks.loss));
    const std::vector<Tensor> mine = grad(surrogate(looks), all),
                              ours = grad(reinforce(looks.loss, looks.log_prob, baseline), all);
    double off = max(abs(looks.glimpses - looks.glimpses_of_the_library)).item();
    for (std::size_t i = 0; i < all.size(); ++i)
        off = std::max(off, max(abs(mine[i] - ours[i])).item());
    return off;
}

Tensor soft_logits(const Eye& eye, const Tensor& pictures) {
    const Tensor scores = unsqueeze(eye.where(blurred(pictures)), 1);  // [B, 1, 9]
    return eye.what(squeeze(soft_attention(scores, all_places(pictures)).context, 1));
}

int train(const Options& given) {
    const auto seed = static_cast<std::uint64_t>(whole(given, "--seed"));
    const int steps = whole(given, "--steps"), batch = 32, samples = 4;
    Rng data(seed), init(seed), init_again(seed), drawing(seed);
    const course::GlyphOptions kind{.side = static_cast<int>(side),
                                    .small = 3,
                                    .large = 4,
                                    .clutter = 2,
                                    .cells = static_cast<int>(cells)};
    const course::Images training = course::draw_glyphs(6000, kind, data).images,
                         test = course::draw_glyphs(1000, kind, data).images;
    const Eye hard(init), soft(init_again);
    Adam of_hard(parameters(hard), {.lr = 2e-3}), of_soft(parameters(soft), {.lr = 2e-3});
    double off = 0;
    for (int step = 0; step < steps; ++step) {
        std::vector<int> some;
        for (int i = 0; i < batch; ++i)
            some.push_back(static_cast<int>(drawing.below(training.size())));
        const course::Images pictures = course::pick(training, some);
        const Indices labels(pictures.labels);
        const Looks looks = look(hard, pictures.pixels, labels, samples, drawing);
        if (step < 3) off = std::max(off, distance_to_library(hard, looks));
        of_hard.zero_grad();
        backward(surrogate(looks));
        of_hard.step();
        of_soft.zero_grad();
        backward(cross_entropy(soft_logits(soft, pictures.pixels), labels));
        of_soft.step();
        if ((step + 1) % 1000 == 0 || step + 1 == steps) {
            fmt::print("step {:>5}: hard {:.3f}, soft {:.3f}\n", step + 1, mean(looks.loss).item(),
                       cross_entropy(soft_logits(soft, pictures.pixels), labels).item());
            std::fflush(stdout);
        }
    }
    const NoGrad no_grad;
    const Indices labels(test.labels), at = most_likely(hard.where(blurred(test.pixels)));
    const double right = metrics::accuracy(hard.what(read(test.pixels, at)), labels),
                 right_soft = metrics::accuracy(soft_logits(soft, test.pixels), labels);
    course::Table table({"attention", "right of 1,000 new pictures", "places read in each"});
    table.row("hard", number(right, 3), "1");
    table.row("soft", number(right_soft, 3), std::to_string(places));
    const course::Screen screen = course::screen_of_stdout();
    fmt::print("\n{}\n", table.to_text(screen));
    course::Picture picture{.title = "Where it looks",
                            .height = static_cast<int>(side),
                            .width = static_cast<int>(side),
                            .path = {{(middle_of(at[0] % cells) + 1) * side / 2,
                                      (middle_of(at[0] / cells) + 1) * side / 2}},
                            .glimpse = static_cast<double>(cell)};
    for (int64_t y = 0; y < side; ++y)
        for (int64_t x = 0; x < side; ++x)
            picture.grey.push_back(1 - std::clamp(test.pixels.at({0, y, x}), 0.0, 1.0));
    fmt::print("{}\n", course::to_text(picture, screen));
    for (const Part& part : parts)
        say("  {}, exercise {}: written by {}\n", part.what, part.exercise,
            part.reader ? "you" : "heed");
    say("{} largest distance of glimpses and gradients from the library's: {}\n",
        off < 1e-5 ? "✓" : "✗", number(off, 2));
    milestone("eyes",
              "a hard attention that is right on 95 of 100 pictures and reads one place of nine",
              off < 1e-5 && right >= 0.95,
              fmt::format("{:.3f} right, its soft twin, which reads all nine, {:.3f}", right,
                          right_soft));
    return off < 1e-5 ? 0 : 1;
}

}  // namespace
}  // namespace heed::mine

int main(int argc, char** argv) {
    return heed::mine::run_own_program(
        [&] { return heed::mine::train(heed::mine::read_options("eyes", argc, argv)); });
}
