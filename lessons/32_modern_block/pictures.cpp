#include "lessons/32_modern_block/pictures.h"

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"
#include "lessons/course/contents/kept_seeds.h"
#include "lessons/course/course.h"
#include "nn/layers/normalisation.h"

namespace heed::lesson32 {

using namespace course;

double gap_between(const Tensor& a, const Tensor& b) { return max(abs(a - b)).item(); }

std::vector<Diagram> two_blocks() {
    using Lines = std::vector<std::string>;
    const auto block = [](const char* title, const Lines& x, const char* norm, const Lines& of_norm,
                          const Lines& attention, const Lines& network) {
        constexpr auto left = Diagram::Side::left;
        const auto box = [](const char* name, double row, const Lines& lines = {}) {
            return Diagram::Box{.name = name, .lines = lines, .row = row};
        };
        const auto plus = [](double row) {
            return Diagram::Box{.name = "+", .row = row, .round = true};
        };
        return Diagram{.title = title,
                       .boxes = {box("x", 0, x), box(norm, 1, of_norm),
                                 box("attention", 2, attention), plus(3), box(norm, 4, of_norm),
                                 box("feed-forward", 5, network), plus(6), box("y", 7)},
                       .arrows = {{0, 1},
                                  {1, 2},
                                  {2, 3},
                                  {3, 4},
                                  {4, 5},
                                  {5, 6},
                                  {6, 7},
                                  {0, 3, "", left},
                                  {3, 6, "", left}},
                       .flow = Diagram::Flow::up};
    };
    return {block("GPT-2, 2019", {"token + position"}, "layer norm",
                  {"mean subtracted", "weight and bias"}, {"a key for each query", "biases"},
                  {"GELU: 2 matrices", "biases"}),
            block("Llama 2 70B, 2023", {"▸ token only"}, "▸ RMS norm",
                  {"▸ mean not subtracted", "▸ weight only"},
                  {"▸ a key for 8 queries", "▸ rotary positions", "▸ no biases"},
                  {"▸ SwiGLU: 3 matrices", "▸ no biases"})};
}

void show_norms(AtCall lesson) {
    Table table({"x", "layer norm", "RMS norm"});
    const auto pair = [](const Tensor& y) {
        return fmt::format("({:.3f}, {:.3f})", y.at({0}), y.at({1}));
    };
    for (const std::vector<double>& x : {std::vector<double>{3, 4}, {30, 40}, {13, 14}}) {
        const Tensor v = tensor(x);
        table.row(fmt::format("({:.0f}, {:.0f})", x[0], x[1]), pair(layer_norm(v)),
                  pair(rms_norm(v)));
    }
    lesson->table(table,
                  "Neither norm depends on the scale of x. Only the layer norm ignores a shift.");
}

void show_activations(AtCall lesson) {
    const Tensor z = linspace(-5, 3, 81);
    lesson->show(
        "activations",
        LinePlot{.title = "silu and gelu have the same shape",
                 .x_label = "z",
                 .y_label = "value",
                 .series = {{"silu", z.to_vector(), silu(z).to_vector()},
                            {"gelu", z.to_vector(), gelu(z).to_vector()}}},
        "Both lie a little below 0 where z is negative, and silu comes back to 0 more slowly.");
}

void show_losses(AtCall lesson, const std::vector<Trained>& all) {
    const bool usual = !lesson->quick() && !lesson->options().changes_the_experiment;
    const KeptSeeds seeds =
        usual ? kept_seeds(kept_seeds_path("modern_block"), false) : KeptSeeds{};
    // What the loss changes by in the kept runs; a gain lowers it.
    const std::vector<std::pair<const char*, double>> kept{{"", 0},
                                                           {"rms-gain", -1},
                                                           {"swiglu-gain", -1},
                                                           {"rotary-gain", -1},
                                                           {"no-biases-gain", -1},
                                                           {"two-groups-cost", 1},
                                                           {"one-group-cost", 1},
                                                           {"swiglu-gain-last", 1},
                                                           {"other-weights", 1}};
    const auto signed_number = [](double x) { return fmt::format("{:+.3f}", x); };
    Table table({"block", "instead of", "loss", "change", "kept", "bytes"});
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Trained& one = all[i];
        const std::size_t before = i < 5 ? i - 1 : i < 8 ? 4 : 0;  // the row it is compared with
        const auto found = seeds.find(kept[i].first);
        table.row(one.block.name + (i == 4 ? " (Llama's)" : ""), one.block.change,
                  fmt::format("{:.3f}", one.loss),
                  i == 0 ? "" : signed_number(one.loss - all[before].loss),
                  found == seeds.end() ? "" : signed_number(kept[i].second * median(found->second)),
                  one.cache);
    }
    lesson->table(
        table,
        "The first row is GPT's block, and each of the next four adds one change. The next "
        "three change one thing in Llama's block. The last row is GPT's block with other initial "
        "weights. \"Change\": the loss minus that of the row before, from \"2 groups\" on minus that "
        "of Llama's block, in the last row minus that of the first. \"Kept\": its median in the kept "
        "full runs. \"Bytes\": of the cache, for a token.");
}

std::vector<double> gains_of(const std::vector<Trained>& all) {
    std::vector<double> gains;
    for (std::size_t i = 0; i < 4; ++i) gains.push_back(all[i].loss - all[i + 1].loss);
    return gains;
}

void claim_gains(AtCall lesson, const std::vector<Trained>& all) {
    const std::vector<double> gains = gains_of(all);
    lesson->measured("loss-gpt", "loss of GPT's block", all[0].loss);
    lesson->measured("loss-llama", "loss of Llama's block", all[4].loss);
    lesson->measured("other-weights", "loss of GPT's block, other initial weights minus the first",
                     all[8].loss - all[0].loss);
    lesson->measured("rms-gain", "loss that the RMS norm saves", gains[0]);
    lesson->measured("swiglu-gain", "loss that SwiGLU saves, with learned positions", gains[1]);
    lesson->measured("no-biases-gain", "loss that leaving out the biases saves", gains[3]);
    lesson->measured("two-groups-cost", "loss that two groups cost", all[5].loss - all[4].loss);
    lesson->claim("rotary-gain", "finding: loss that rotary positions save", gains[2],
                  at_least(0.2));
    lesson->claim("whole-gain", "finding: loss that Llama's block saves", all[0].loss - all[4].loss,
                  at_least(0.35));
    lesson->claim("swiglu-gain-last", "finding: loss that SwiGLU saves, in Llama's block",
                  all[7].loss - all[4].loss, at_least(0.02));
    lesson->claim("one-group-cost", "finding: loss that one group costs", all[6].loss - all[4].loss,
                  between(-0.1, 0.25));
}

std::vector<Diagram> three_groupings() {
    using enum Diagram::Kind;
    std::vector<Diagram> all;
    for (const int groups : {4, 2, 1}) {
        const int share = 4 / groups;
        Diagram one{.title = fmt::format("G = {}: {}", groups,
                                         groups == 4   ? "a key for each query"
                                         : groups == 2 ? "two queries share a key"
                                                       : "all share one key"),
                    .flow = Diagram::Flow::up};
        for (int g = 0; g < groups; ++g)  // in the middle below its queries
            one.boxes.push_back({.name = fmt::format("k{}", g),
                                 .lines = {fmt::format("v{}", g)},
                                 .column = g * share + (share - 1) / 2.0,
                                 .row = 0,
                                 .kind = input});
        for (int h = 0; h < 4; ++h) {
            one.boxes.push_back(
                {.name = fmt::format("q{}", h), .column = static_cast<double>(h), .row = 1});
            one.arrows.push_back({h * groups / 4, groups + h});
        }
        all.push_back(one);
    }
    return all;
}

std::vector<Diagram> two_brackets() {
    using enum Diagram::Kind;
    Diagram keys{.title = "First a key from each latent"}, latents{.title = "The brackets moved"};
    const auto add = [](Diagram& to, const std::string& name, double column, double row,
                        Diagram::Kind kind = computed) {
        to.boxes.push_back({.name = name, .column = column, .row = row, .kind = kind});
        return static_cast<int>(to.boxes.size()) - 1;
    };
    const int plain = add(keys, "q", 1, 3), asks = add(latents, "q", 0, 3),
              changed = add(latents, "Uᵀ q", 1, 3);
    latents.arrows.push_back({asks, changed});
    for (int j = 0; j < 3; ++j) {
        const std::string latent = fmt::format("c{}", j), score = fmt::format("score {}", j);
        const int from = add(keys, latent, 0, j, input), key = add(keys, "U " + latent, 1, j),
                  first = add(keys, score, 2, j);
        keys.arrows.insert(keys.arrows.end(), {{from, key}, {key, first}, {plain, first}});
        const int itself = add(latents, latent, 0, j, input), second = add(latents, score, 2, j);
        latents.arrows.insert(latents.arrows.end(), {{itself, second}, {changed, second}});
    }
    return {keys, latents};
}

namespace {

// With how many of twenty coin tosses the same side comes up at least 16 times, as a probability.
double chance_of_the_bar() {
    double ways = 0, choose = 1;  // choose k of 20, from k = 20 down
    for (int k = 20; k >= 16; --k) ways += choose, choose *= k / (21.0 - k);
    return 2 * ways / std::exp2(20);
}

struct Change {
    std::string name;
    double median = 0, deviation = 0;  // of what it saves, in nats a character
    int better = 0, runs = 0;

    int same_side() const { return std::max(better, runs - better); }
    int verdict() const { return same_side() < 16 ? 0 : better > runs - better ? 1 : -1; }
};

Change change_of(const char* name, std::vector<double> saved) {
    Change of{name, median(saved), summarise(saved).deviation, 0, static_cast<int>(saved.size())};
    of.better =
        static_cast<int>(std::count_if(saved.begin(), saved.end(), [](double x) { return x > 0; }));
    return of;
}

}  // namespace

void show_gains(AtCall lesson) {
    const KeptSeeds seeds = kept_seeds(kept_seeds_path("modern_block"), false);
    std::vector<Change> changes;
    const auto add = [&](const char* name, const char* claim, double sign) {
        const auto found = seeds.find(claim);
        if (found == seeds.end()) return;
        std::vector<double> saved = found->second;
        for (double& x : saved) x *= sign;
        changes.push_back(change_of(name, saved));
    };
    add("rotary positions", "rotary-gain", 1);
    add("SwiGLU in Llama's block", "swiglu-gain-last", 1);
    add("RMS norm", "rms-gain", 1);
    add("no biases", "no-biases-gain", 1);
    add("2 groups", "two-groups-cost", -1);
    add("1 group", "one-group-cost", -1);
    if (changes.empty()) return;  // nothing has been kept
    std::stable_sort(changes.begin(), changes.end(),
                     [](const Change& a, const Change& b) { return a.verdict() > b.verdict(); });
    const auto with = [&](int verdict) {
        return std::count_if(changes.begin(), changes.end(),
                             [=](const Change& x) { return x.verdict() == verdict; });
    };
    const std::string title =
        fmt::format("Of {} comparisons {} help, {} cost, {} cannot be told from chance",
                    changes.size(), with(1), with(-1), with(0));
    const double bar = chance_of_the_bar();
    const std::string luck = fmt::format(
        "By luck at least one of {} passes it with the probability {:.3f} (if no two shared a run).",
        changes.size(), 1 - std::pow(1 - bar, static_cast<double>(changes.size())));
    add("(only chance", "other-weights", -1);
    BarChart chart{.title = title,
                   .value_label = "nats a character that the change saves",
                   .sets = {{.name = "saved"}}};
    for (const Change& one : changes) {
        chart.labels.push_back(fmt::format("{}, {}/{}{}", one.name, one.same_side(), one.runs,
                                           one.name.starts_with("(") ? ")" : ""));
        chart.sets[0].values.push_back(std::round(1000 * one.median) / 1000);
        chart.sets[0].spread.push_back(one.deviation);
    }
    lesson->show(
        "gains", chart,
        "What each change saves in the kept full runs: the median, and the standard deviation to "
        "either side. Below 0 it costs something. Beside each name: in how many of the runs the loss "
        "moves in the same direction; the bar is 16. " +
            luck +
            " In brackets, grey: GPT's block with other initial weights, one run against one.");
}

const std::vector<Published>& published_models() {
    static const std::vector<Published> all{
        {"Llama 2 7B", 32000, {.width = 4096, .heads = 32, .layers = 32, .hidden = 11008}},
        {"Llama 3 8B",
         128256,
         {.width = 4096, .heads = 32, .layers = 32, .key_value_heads = 8, .hidden = 14336}},
        {"Llama 2 70B",
         32000,
         {.width = 8192, .heads = 64, .layers = 80, .key_value_heads = 8, .hidden = 28672}}};
    return all;
}

void show_published(AtCall lesson) {
    Table table({"model", "heads", "groups", "weights", "cache", "cache, G = H"});
    for (const auto& [name, vocabulary, size] : published_models()) {
        const TransformerOptions stack = llama(size);
        TransformerOptions multi_head = stack;
        multi_head.key_value_heads = 0;
        const auto gigabytes = [](int64_t bytes) {
            return number(static_cast<double>(bytes) / 1e9);
        };
        const int64_t weights = parameter_count(
            LanguageModelOptions{.vocabulary = vocabulary, .stack = stack, .tied_output = false});
        table.row(name, size.heads, size.key_value_heads ? size.key_value_heads : size.heads,
                  gigabytes(2 * weights), gigabytes(4096 * cache_bytes(stack, 2)),
                  gigabytes(4096 * cache_bytes(multi_head, 2)));
    }
    lesson->table(
        table,
        "GB of the weights and of the cache of one text of 4,096 tokens, all numbers in 16 bits. "
        "The last column is the cache with a group for each head.");
}

}  // namespace heed::lesson32
