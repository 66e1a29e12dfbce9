// ./heed learn language_model --mine: trains the GPT of lesson {language_model} with the reader's own parts
// and, beside it, the library's model with the same initial weights on the same text. Both should
// have the same losses, because a right part computes the same numbers, up to the rounding of
// float64.
//
// This file is compiled by lessons/course/exercise/own_engine.cpp, after the namespaces of the
// parts and a table `parts` that says who wrote which.
#include <cstdio>
#include <cstdlib>

#include "lessons/23_language_model/data.h"
#include "lessons/23_language_model/mine/gpt.h"
#include "lessons/course/course.h"
#include "nn/layers/losses.h"
#include "nn/optim/optimisers.h"

namespace heed::lesson23::mine {
namespace {

using course::number;
using course::Table;

struct Run {
    int steps = 200;
    std::uint64_t seed = 1;
};

Run read_options(int argc, char** argv) {
    Run run;
    for (int i = 1; i < argc; i += 2) {
        const std::string option = argv[i];
        check(option == "--steps" || option == "--seed",
              "{}: unknown option; with --mine there are --steps N and --seed N", option);
        check(i + 1 < argc, "{} needs a number", option);
        char* end = nullptr;
        const long long value = std::strtoll(argv[i + 1], &end, 10);
        check(*argv[i + 1] != '\0' && *end == '\0' && value >= 1 && value <= 1'000'000,
              "{} {}: expected a whole number from 1 to 1000000", option, argv[i + 1]);
        if (option == "--steps")
            run.steps = static_cast<int>(value);
        else
            run.seed = static_cast<std::uint64_t>(value);
    }
    return run;
}

Weights weights_of(const LanguageModel& model) {
    Weights all;
    for (const Parameter& p : parameters(model)) all[p.name] = detach(p.tensor);
    return all;
}

// One step of Adam with the reader's function.
void step(Weights& weights, const Weights& gradients,
          std::map<std::string, part_04_1::AdamState>& states, double rate, Clock& clock) {
    for (auto& [name, value] : weights) {
        auto& state = states[name];
        if (!state.m.defined()) state.m = zeros_like(value), state.s = zeros_like(value);
        value = clock("04.1", [&, &value = value, &name = name] {
            return part_04_1::my_adam(value, gradients.at(name), state, rate);
        });
    }
}

// Greedy decoding: begins with `first` and appends the most probable character until there are
// `count` characters. `next` computes the logits [V] of the next character from all so far.
template <class Next>
std::vector<int> most_probable(int first, int64_t count, const Next& next) {
    std::vector<int> ids{first};
    while (static_cast<int64_t>(ids.size()) < count) ids.push_back(argmax(next(ids), 0)[0]);
    return ids;
}

int train(const Run& run) {
    const course::Screen screen = course::screen_of_stdout();
    const Characters text = characters_of(english_lines(run.seed, 4000), 0.9);
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
    Rng rng(run.seed);
    LanguageModel library(options, rng);
    to_dtype(library, Dtype::float64);
    Weights weights = weights_of(library);
    // The learned positions start as sinusoids, scaled to about the size of the embeddings.
    Tensor& table = library.positions.table;
    const auto small = [&](const Tensor& positions) {
        return 0.03 * to_dtype(positions, Dtype::float64);
    };
    table = small(sinusoidal_positions(0, table.size(0), table.size(1)));
    table.set_requires_grad();
    weights["positions.table"] = small(part_20_3::my_positions(0, table.size(0), table.size(1)));
    constexpr double rate = 2e-3;
    Adam adam(parameters(library), {.lr = rate});
    std::map<std::string, part_04_1::AdamState> states;
    Clock clock;

    Table losses({"step", "your loss", "the library's", "difference"});
    double largest = 0, mine_seconds = 0, library_seconds = 0;
    const int every = std::max(1, run.steps / 8), measured = std::min(5, run.steps / 2);
    for (int n = 1; n <= run.steps; ++n) {
        const Piece piece = random_pieces(text.train, sizes.batch, sizes.context, rng);
        const int64_t count = sizes.batch * sizes.context;
        clock.measuring = n > run.steps - measured;  // the last steps measure each part

        const double start = Clock::now();
        Weights gradients;
        const double mine =
            Gpt(weights, sizes, clock)
                .loss(piece.in.reshaped({count}), piece.out.reshaped({count}), gradients);
        step(weights, gradients, states, rate, clock);
        const double middle = Clock::now();
        const Tensor loss = sequence_cross_entropy(library(piece.in), piece.out, -1);
        adam.zero_grad();
        backward(loss);
        adam.step();
        const double end = Clock::now();

        if (!clock.measuring) mine_seconds += middle - start, library_seconds += end - middle;
        const double difference = std::abs(mine - loss.item());
        largest = std::max(largest, difference);
        if (n == 1 || n % every == 0) {
            losses.row(n, fmt::format("{:.6f}", mine), fmt::format("{:.6f}", loss.item()),
                       number(difference, 2));
            fmt::print(stderr, "{}", screen.live ? fmt::format("\rstep {}", n) : "");
        }
        if (!(difference < 1e-3)) {
            fmt::print("{}\nThe losses differ in step {}: yours {:.6f}, the library's {:.6f}.\n",
                       losses.to_text(screen), n, mine, loss.item());
            fmt::print(
                "One of your parts gives other numbers; judge them again.\n"
                "NEXT  ./heed exercise\n");
            return 1;
        }
    }
    if (screen.live) fmt::print(stderr, "\r\033[K");
    fmt::print("{}\n", losses.to_text(screen));

    Table whose({"part", "exercise", "written by", "ms a step", "the library's"});
    for (const Part& part : parts) {
        const auto found = clock.spent.find(part.exercise);
        const bool known = found != clock.spent.end();
        whose.row(part.name, part.exercise, part.reader ? "you" : "heed",
                  known ? fmt::format("{:.2f}", 1e3 * found->second.mine / measured) : "",
                  known && found->second.library > 0
                      ? fmt::format("{:.2f}", 1e3 * found->second.library / measured)
                      : "");
    }
    fmt::print(
        "{}Times of one training step, for your function and for the library's on the same\n"
        "inputs. Of the matrix product only the forward pass is measured.\n\n",
        whose.to_text(screen));
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
    fmt::print("Text generated after a new line: {}\n", text.text({with.begin() + 1, with.end()}));
    const double steps = std::max(1, run.steps - measured);
    fmt::print("A step takes {} ms with these parts and {} ms with the library.\n",
               number(1e3 * mine_seconds / steps, 3), number(1e3 * library_seconds / steps, 3));
    fmt::print("{} largest difference of the two losses in {} steps: {}\n",
               largest < 1e-6 ? "✓" : "✗", run.steps, number(largest, 2));
    fmt::print("{} the text is the same with your cache and without it\n",
               with == without ? "✓" : "✗");
    return largest < 1e-6 && with == without ? 0 : 1;
}

}  // namespace
}  // namespace heed::lesson23::mine

int main(int argc, char** argv) {
    try {
        return heed::lesson23::mine::train(heed::lesson23::mine::read_options(argc, argv));
    } catch (const heed::course::NotWritten&) {
        fmt::print("A part is not written yet.\nNEXT  ./heed exercise\n");
        return 1;
    } catch (const std::exception& error) {
        fmt::print(stderr, "heed: {}\n", error.what());
        return 2;
    }
}
