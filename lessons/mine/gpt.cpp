// ./heed learn language_model --mine: trains the GPT of lesson {language_model} with the reader's own parts
// and, beside it, the library's model with the same initial weights on the same text. Both should
// have the same losses, because a right part computes the same numbers, up to the rounding of
// float64.
//
// This file is compiled after the namespaces of the parts (parts.h).
#include "lessons/mine/gpt.h"

#include <filesystem>

#include "lessons/23_language_model/counts.h"
#include "lessons/23_language_model/data.h"
#include "nn/layers/losses.h"
#include "nn/optim/optimisers.h"

namespace heed::mine {
namespace {

using course::number;
namespace fs = std::filesystem;

// Greedy decoding: begins with `first` and appends the most probable character until there are
// `count` characters. `next` computes the logits [V] of the next character from all so far.
template <class Next>
std::vector<int> most_probable(int first, int64_t count, const Next& next) {
    std::vector<int> ids{first};
    while (static_cast<int64_t>(ids.size()) < count) ids.push_back(argmax(next(ids), 0)[0]);
    return ids;
}

int train(const Options& given) {
    const int steps = whole(given, "--steps");
    const std::string kept = kept_in(given, "gpt");
    const bool goes_on = !kept.empty() && fs::exists(kept);
    const Options before = goes_on ? load_safetensors(kept).metadata : Options{};
    const int seed = goes_on ? number_in(before, "seed", kept) : whole(given, "--seed"),
              steps_before = goes_on ? number_in(before, "steps", kept) : 0;
    const lesson23::Characters text = lesson23::characters_of(
        lesson23::english_lines(static_cast<std::uint64_t>(seed), 4000), 0.9);
    const Sizes sizes;
    const LanguageModelOptions options{
        .vocabulary = text.size(),
        .stack = {.width = 64,
                  .heads = sizes.heads,
                  .layers = sizes.layers,
                  .pre_norm = true,
                  .activation = Activation::gelu,
                  .bias = false,
                  .positions = {.kind = PositionKind::learned, .max_positions = sizes.context}}};
    Rng rng(static_cast<std::uint64_t>(seed + steps_before));
    LanguageModel library(options, rng);
    to_dtype(library, Dtype::float64);
    Weights weights = weights_of(parameters(library));
    // The learned positions start as sinusoids, scaled to about the size of the embeddings.
    Tensor& table = library.positions.table;
    const auto small = [&](const Tensor& positions) {
        return 0.03 * to_dtype(positions, Dtype::float64);
    };
    table = small(sinusoidal_positions(0, table.size(0), table.size(1)));
    table.set_requires_grad();
    weights["positions.table"] =
        small(part_sinusoidal::my_positions(0, table.size(0), table.size(1)));
    if (goes_on) {
        load_model(library, kept);
        weights = weights_of(parameters(library));
        fmt::print(
            "It goes on with {}, which has learned {} steps; without this file it begins "
            "anew.\n\n",
            kept, steps_before);
    }
    Adam adam(parameters(library), {.lr = 2e-3});
    AdamStates states;
    Clock clock;

    Losses losses(steps);
    double mine_seconds = 0, library_seconds = 0;
    const int measured = std::min(5, steps / 2);
    for (int n = 1; n <= steps; ++n) {
        const lesson23::Piece piece =
            lesson23::random_pieces(text.train, sizes.batch, sizes.context, rng);
        const int64_t count = sizes.batch * sizes.context;
        clock.measuring = n > steps - measured;  // the last steps measure each part
        // Adam begins anew with each run, and a model that has learned long takes smaller steps.
        const double rate =
            2e-3 * std::min(1.0, n / 20.0) * std::sqrt(1000.0 / std::max(1000, steps_before + n));

        const double start = Clock::now();
        Weights gradients;
        const double mine =
            Gpt(weights, sizes, clock)
                .loss(piece.in.reshaped({count}), piece.out.reshaped({count}), gradients);
        adam_step(weights, gradients, states, rate, clock);
        const double middle = Clock::now();
        const Tensor loss = sequence_cross_entropy(library(piece.in), piece.out, -1);
        adam.zero_grad();
        backward(loss);
        adam.lr = rate;
        adam.step();
        const double end = Clock::now();

        if (!clock.measuring) mine_seconds += middle - start, library_seconds += end - middle;
        if (!losses.add(n, mine, loss.item())) return 1;
    }
    losses.show();
    show_parts(clock, measured);
    // With the cache, the model reads each token once; without it, all tokens again in each step.
    const int line_end = text.ids.at("\n");
    Generator generator(weights, sizes);
    const std::vector<int> with =
        most_probable(line_end, sizes.context,
                      [&](const std::vector<int>& ids) { return generator.next(ids.back()); });
    const std::vector<int> without =
        most_probable(line_end, sizes.context, [&](const std::vector<int>& ids) {
            Sizes of_text = sizes;
            of_text.batch = 1;
            of_text.context = static_cast<int64_t>(ids.size());
            Clock unused;
            Gpt model(weights, of_text, unused);
            return select(model.logits(Indices(ids, {of_text.context})).value, 0, -1);
        });
    keep(kept, weights,
         {{"seed", std::to_string(seed)}, {"steps", std::to_string(steps_before + steps)}});
    fmt::print(
        "After {} steps it writes, always the most probable letter after a new line:\n    {}\n",
        steps_before + steps, text.text({with.begin() + 1, with.end()}));
    fmt::print("and drawn by its probabilities:\n");
    for (int i = 0; i < 3; ++i) {
        Generator drawing(weights, sizes);
        std::string line;
        for (int id = line_end, n = 0; n + 1 < sizes.context; ++n) {
            id = categorical(softmax(drawing.next(id)), rng)[0];
            if (id == line_end) break;
            line += text.names[static_cast<std::size_t>(id)];
        }
        fmt::print("    {}\n", line);
    }
    // Against tables of counts that have read the same text: both predict the letters of the same pieces of the
    // validation text, and neither sees what was before a piece.
    const lesson23::Counts counts(text.train, text.size(), 6);
    const int pieces = 8;
    std::vector<double> by_length(
        7);  // the loss of tables with contexts of up to 0, 1, ... letters
    double mine = 0;
    const NoGrad no_grad;
    Rng of_validation(1);
    for (int n = 0; n < pieces; ++n) {
        const lesson23::Piece piece =
            lesson23::random_pieces(text.valid, sizes.batch, sizes.context, of_validation);
        const int64_t count = sizes.batch * sizes.context;
        Clock unused;
        const Tensor logits = Gpt(weights, sizes, unused).logits(piece.in.reshaped({count})).value;
        const Indices next = piece.out.reshaped({count});
        mine += part_cross_entropy::my_cross_entropy(logits, next).item() / pieces;
        for (int64_t row = 0; row < sizes.batch; ++row) {
            std::vector<int> letters{piece.in.at({row, 0})};
            for (int64_t t = 0; t < sizes.context; ++t) letters.push_back(piece.out.at({row, t}));
            for (std::size_t i = 1; i < letters.size(); ++i)
                for (int used = 0; used < 7; ++used)
                    by_length[static_cast<std::size_t>(used)] -=
                        std::log(counts.probability(letters, i, used)) /
                        static_cast<double>(pieces * count);
        }
    }
    const double tables = *std::min_element(by_length.begin(), by_length.end());
    milestone("gpt", "a GPT whose loss on unseen text is below that of the tables of counts",
              mine < tables, fmt::format("{:.3f} nats a letter, the tables {:.3f}", mine, tables));
    const double unmeasured = std::max(1, steps - measured);
    say("A step takes {} ms with these parts and {} ms with the library.\n",
        number(1e3 * mine_seconds / unmeasured, 3), number(1e3 * library_seconds / unmeasured, 3));
    say("{}", losses.verdict());
    say("{} the text is the same with your cache and without it\n", with == without ? "✓" : "✗");
    return losses.agree() && with == without ? 0 : 1;
}

}  // namespace
}  // namespace heed::mine

int main(int argc, char** argv) {
    return heed::mine::run_own_program(
        [&] { return heed::mine::train(heed::mine::read_options("gpt", argc, argv)); });
}
