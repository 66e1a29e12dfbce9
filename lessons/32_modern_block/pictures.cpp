#include "lessons/32_modern_block/pictures.h"

#include "autograd/autograd.h"
#include "lessons/course/course.h"
#include "nn/layers/normalisation.h"

namespace heed::lesson32 {

using namespace course;

std::vector<Diagram> two_blocks() {
    using Kind = Diagram::Kind;
    const auto block = [](const char* title, const char* norm, std::vector<std::string> attention,
                          const char* units) {
        constexpr auto left = Diagram::Side::left;
        const auto box = [](const char* name, double row, Kind kind,
                            std::vector<std::string> lines = {}) {
            return Diagram::Box{.name = name, .lines = std::move(lines), .row = row, .kind = kind};
        };
        const auto plus = [](double row) {
            return Diagram::Box{.name = "+", .row = row, .round = true};
        };
        return Diagram{
            .title = title,
            .boxes = {box("x", 0, Kind::input), box(norm, 1, Kind::learned),
                      box("attention", 2, Kind::learned, std::move(attention)), plus(3),
                      box(norm, 4, Kind::learned), box("feed-forward", 5, Kind::learned, {units}),
                      plus(6), box("y", 7, Kind::output)},
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
    return {block("GPT-2, 2019", "layer norm", {"a key for each query", "biases"}, "GELU, biases"),
            block("Llama 2 70B, 2023", "RMS norm", {"a key for 8 queries", "rotated"}, "SwiGLU")};
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
    BarChart chart{.value_label = "nats a character"};
    chart.sets.push_back({});
    for (const Trained& one : all) {
        table.row(one.block.name, one.block.change, number(one.parameters, 6), one.loss, one.cache);
        chart.labels.push_back(one.block.name);
        chart.sets[0].values.push_back(one.loss);
    }
    lesson->table(
        table,
        "The first row is GPT's block, and each of the next four adds one change. The next "
        "three change one thing in the fifth row, Llama's block. The last row is GPT's "
        "block with other initial weights.");
    lesson->show("losses", chart, "Loss on unseen text.");
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
