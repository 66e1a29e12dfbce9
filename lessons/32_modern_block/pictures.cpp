#include "lessons/32_modern_block/pictures.h"

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"
#include "lessons/course/contents/kept_seeds.h"
#include "lessons/course/course.h"
#include "nn/layers/normalisation.h"

namespace heed::lesson32 {

using namespace course;

std::vector<Diagram> two_blocks() {
    using Kind = Diagram::Kind;
    using Lines = std::vector<std::string>;
    const auto block = [](const char* title, const Lines& x, const char* norm, const Lines& of_norm,
                          const Lines& attention, const Lines& network) {
        constexpr auto left = Diagram::Side::left;
        const auto box = [](const char* name, double row, Kind kind, const Lines& lines = {}) {
            return Diagram::Box{.name = name, .lines = lines, .row = row, .kind = kind};
        };
        const auto plus = [](double row) {
            return Diagram::Box{.name = "+", .row = row, .round = true};
        };
        return Diagram{.title = title,
                       .boxes = {box("x", 0, Kind::input, x), box(norm, 1, Kind::learned, of_norm),
                                 box("attention", 2, Kind::learned, attention), plus(3),
                                 box(norm, 4, Kind::learned, of_norm),
                                 box("feed-forward", 5, Kind::learned, network), plus(6),
                                 box("y", 7, Kind::output)},
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
    return {
        block("GPT-2, 2019", {"token + position"}, "layer norm", {"minus the mean", "weight, bias"},
              {"a key for each query", "biases"}, {"GELU: 2 matrices", "biases"}),
        block("Llama 2 70B, 2023: what changed", {"token"}, "RMS norm",
              {"the mean stays", "weight"}, {"a key for 8 queries", "rotated by position"},
              {"SwiGLU: 3 matrices", "a gate"})};
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

void show_losses(AtCall lesson, const std::vector<Trained>& all) {
    Table table({"block", "instead of", "parameters", "loss", "bytes a token"});
    for (const Trained& one : all) {
        table.row(one.block.name, one.block.change, number(one.parameters, 6), one.loss, one.cache);
    }
    lesson->table(
        table,
        "The first row is GPT's block, and each of the next four adds one change. The next "
        "three change one thing in the fifth row, Llama's block. The last row is GPT's "
        "block with other initial weights.");
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

void show_gains(AtCall lesson) {
    const KeptSeeds seeds = kept_seeds(kept_seeds_path("modern_block"), false);
    BarChart chart{.value_label = "nats a character that the change saves",
                   .sets = {{.name = "saved"}}};
    int sure = 0;
    const auto bar = [&](const char* label, const char* claim, double sign) {
        const auto found = seeds.find(claim);
        if (found == seeds.end()) return;
        const std::vector<double>& all = found->second;
        const Summary of = summarise(all);
        chart.labels.emplace_back(label);
        chart.sets[0].values.push_back(std::round(1000 * sign * of.mean) / 1000);
        chart.sets[0].spread.push_back(of.deviation);
        sure += std::count_if(all.begin(), all.end(), [&](double x) { return sign * x > 0; }) >= 16;
    };
    bar("rotary positions", "rotary-gain", 1);
    bar("SwiGLU", "swiglu-gain-last", 1);
    bar("RMS norm", "rms-gain", 1);
    bar("no biases", "no-biases-gain", 1);
    bar("2 groups", "two-groups-cost", -1);
    bar("1 group", "one-group-cost", -1);
    bar("only chance", "other-weights", -1);
    if (chart.labels.empty()) return;  // nothing has been kept
    chart.title = fmt::format("{} of 6 changes lower the loss with at least 16 of 20 seeds", sure);
    lesson->show("gains", chart,
                 "What each change saves in the kept full runs of twenty seeds: mean and standard "
                 "deviation. Below 0 it costs something. \"Only chance\": GPT's block with other "
                 "initial weights.");
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
