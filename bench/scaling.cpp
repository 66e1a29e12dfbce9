#include "bench/scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

#include "attention/attention.h"
#include "autograd/autograd.h"
#include "autograd/base/pool.h"
#include "lessons/course/figures/figures.h"
#include "lessons/course/figures/svg.h"
#include "lessons/course/report/files.h"
#include "lessons/course/terminal/screen.h"
#include "nn/nn.h"

namespace heed::bench {
namespace {

using course::LinePlot;
using course::Series;

double seconds() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

// The median of at least three runs, and of as many as take a fifth of a second.
double time_of(const std::function<void()>& work) {
    work();
    std::vector<double> times;
    for (double spent = 0; spent < 0.2 || times.size() < 3; spent += times.back()) {
        const double start = seconds();
        work();
        times.push_back(seconds() - start);
    }
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    return times[times.size() / 2];
}

// The largest number of bytes in tensors during the run, minus those before it.
double memory_of(const std::function<void()>& work) {
    const std::size_t before = memory_use().in_use;
    reset_peak_memory();
    work();
    return static_cast<double>(memory_use().peak - before);
}

struct Drawer {
    std::string folder;

    void operator()(const std::string& name, const LinePlot& plot) const {
        fmt::print("{}\n", to_text(plot, course::screen_of_stdout()));
        const std::string path = folder + "/" + name + ".svg";
        course::write_file(path, course::standalone_svg(to_svg(plot)));
        fmt::print("{}\n\n", path);
        std::fflush(stdout);
    }
};

template <class Measure>
Series measured(const std::string& name, const std::vector<double>& x, const Measure& measure) {
    Series series{.name = name, .x = x};
    for (double value : x) series.y.push_back(measure(static_cast<int64_t>(value)));
    return series;
}

struct Inputs {
    std::vector<Tensor> x;  // q, k, v [1, 4, T, 64]
    Tensor g;               // that weighs the context

    explicit Inputs(int64_t length) : g(ones({1, 4, length, 64})) {
        Rng rng(1);
        for (int i = 0; i < 3; ++i)
            x.push_back(normal({1, 4, length, 64}, 0, 1, rng).set_requires_grad());
    }
};

// Attention forward and backward, in tiles and by its definition: time and memory.
void attention_by_length(const Drawer& draw) {
    const auto step = [](int64_t length, bool tiled) {
        return [in = Inputs(length), tiled] {
            const auto& x = in.x;
            const Tensor y = tiled ? scaled_dot_product_attention(x[0], x[1], x[2])
                                   : scaled_dot_product_definition(x[0], x[1], x[2]).context;
            grad(y, x, false, in.g);
        };
    };
    const std::vector<double> all{256, 512, 1024, 2048, 4096, 8192}, some{256, 512, 1024, 2048};
    LinePlot time{.title = "Attention forward and backward, 4 heads of 64",
                  .x_label = "length",
                  .y_label = "milliseconds",
                  .log_x = true,
                  .log_y = true};
    LinePlot memory{.title = "Memory of attention, 4 heads of 64",
                    .x_label = "length",
                    .y_label = "MiB",
                    .log_x = true,
                    .log_y = true};
    for (bool tiled : {true, false}) {
        const std::string name = tiled ? "in tiles" : "by its definition";
        const std::vector<double>& lengths = tiled ? all : some;
        time.series.push_back(
            measured(name, lengths, [&](int64_t n) { return 1e3 * time_of(step(n, tiled)); }));
        memory.series.push_back(measured(
            name, lengths, [&](int64_t n) { return memory_of(step(n, tiled)) / (1 << 20); }));
    }
    draw("attention_time", time);
    draw("attention_memory", memory);
}

// Attention for long sequences, forward and backward: time, bytes, and how far the context is from that
// of exact attention.
void long_attention(const Drawer& draw) {
    struct Way {
        std::string name;
        // Makes, for a length, what is called.
        std::function<std::function<Tensor(const std::vector<Tensor>&)>(int64_t)> make;
    };
    const auto along = [](const BlockPatternOptions& options) {
        return [options](int64_t length) {
            return [pattern = BlockPattern(length, options)](const std::vector<Tensor>& x) {
                return block_sparse_attention(x[0], x[1], x[2], pattern);
            };
        };
    };
    const std::vector<Way> ways{
        {"exact",
         [](int64_t) {
             return [](const std::vector<Tensor>& x) {
                 return scaled_dot_product_attention(x[0], x[1], x[2]);
             };
         }},
        {"window of 256", along({.before = 128, .after = 128})},
        {"window, global, random",
         along({.before = 128, .after = 128, .global = {0, 1}, .random_blocks = 2})},
        {"Linformer, 256 rows",
         [](int64_t length) {
             Rng rng(2);
             return [layer = Linformer({.length = length, .projected = 256}, rng)](
                        const std::vector<Tensor>& x) { return layer(x[0], x[1], x[2]).context; };
         }},
        {"Performer, 256 features",
         [](int64_t) {
             Rng rng(2);
             return [w = orthogonal_features(256, 64, rng)](const std::vector<Tensor>& x) {
                 return performer_attention(x[0], x[1], x[2], w);
             };
         }},
        {"Reformer, 2 hashes",
         [](int64_t length) {
             return [length](const std::vector<Tensor>& x) {
                 return lsh_attention(x[0], x[2],
                                      {.buckets = std::max<int64_t>(2, length / 64), .hashes = 2});
             };
         }},
    };
    const std::vector<double> lengths{256, 512, 1024, 2048, 4096, 8192, 16384};
    LinePlot time{.title = "Attention for long sequences, forward and backward, 4 heads of 64",
                  .x_label = "length",
                  .y_label = "milliseconds",
                  .log_x = true,
                  .log_y = true};
    LinePlot memory{.title = "Bytes of attention for long sequences",
                    .x_label = "length",
                    .y_label = "MiB",
                    .log_x = true,
                    .log_y = true};
    fmt::print("{:<24} {:>7} {:>12} {:>10}\n", "attention", "length", "milliseconds", "MiB");
    for (const Way& way : ways) {
        Series times{.name = way.name, .x = lengths}, bytes = times;
        for (double n : lengths) {
            const auto step = [in = Inputs(static_cast<int64_t>(n)),
                               f = way.make(static_cast<int64_t>(n))] {
                grad(f(in.x), {in.x[0], in.x[2]}, false, in.g);
            };
            times.y.push_back(1e3 * time_of(step));
            bytes.y.push_back(memory_of(step) / (1 << 20));
            fmt::print("{:<24} {:>7} {:>12.2f} {:>10.1f}\n", way.name, n, times.y.back(),
                       bytes.y.back());
            std::fflush(stdout);
        }
        time.series.push_back(times);
        memory.series.push_back(bytes);
    }
    draw("long_attention_time", time);
    draw("long_attention_memory", memory);
    fmt::print("at 16384: a window of 256 takes {:.3f} of the time of exact attention\n\n",
               time.series[1].y.back() / time.series[0].y.back());
}

// Twelve layers of a Transformer, forward and backward: all activations kept, each layer as a
// checkpoint, and reversible.
void checkpoints() {
    constexpr int64_t width = 128, layers = 12;
    Rng rng(1);
    const TransformerOptions options{.width = width, .heads = 4, .hidden = 4 * width};
    std::vector<TransformerEncoderLayer> stack;
    std::vector<FeedForward> feeds;
    std::vector<SelfAttention> attentions;
    for (int64_t i = 0; i < layers; ++i) {
        stack.emplace_back(options, rng);
        attentions.emplace_back(MultiHeadOptions{.width = width, .heads = 4}, PositionOptions{},
                                rng);
        feeds.emplace_back(options, rng);
    }
    std::vector<ReversibleBlock> blocks;
    for (int64_t i = 0; i < layers; ++i)
        blocks.push_back({[&attention = attentions[i]](const Tensor& x) { return attention(x); },
                          [&feed = feeds[i]](const Tensor& x) { return feed(x); }});
    const Tensor x = normal({4, 256, width}, 0, 1, rng).set_requires_grad();
    const Tensor wide = normal({4, 256, 2 * width}, 0, 1, rng).set_requires_grad();
    // All gradients, as a training step needs them.
    std::vector<Parameter> weights;
    const auto collect = [&](const auto& model) {
        for (const Parameter& p : parameters(model)) weights.push_back(p);
    };
    for (const auto& layer : stack) collect(layer);
    for (const auto& layer : attentions) collect(layer);
    for (const auto& layer : feeds) collect(layer);
    const auto differentiate = [&](const Tensor& loss) {
        backward(loss);
        for (Parameter& p : weights) p.tensor.clear_grad();
        Tensor(x).clear_grad(), Tensor(wide).clear_grad();
    };
    const auto through = [&](bool with_checkpoints) {
        Tensor y = x;
        for (const auto& layer : stack) {
            const auto apply = [&layer](const std::vector<Tensor>& in) { return layer(in[0]); };
            y = with_checkpoints ? checkpoint(apply, {y}) : apply({y});
        }
        differentiate(sum(square(y)));
    };
    struct Row {
        const char* name;
        std::function<void()> step;
    };
    const std::vector<Row> rows{
        {"12 layers", [&] { through(false); }},
        {"12 layers, checkpoints", [&] { through(true); }},
        {"12 reversible blocks, all kept",
         [&] { differentiate(sum(square(reversible_definition(blocks, wide)))); }},
        {"12 reversible blocks", [&] { differentiate(sum(square(reversible(blocks, wide)))); }}};
    fmt::print("{:<32} {:>12} {:>10}\n", "width 128, 4 x 256 tokens", "milliseconds", "MiB");
    for (const Row& row : rows)
        fmt::print("{:<32} {:>12.1f} {:>10.1f}\n", row.name, 1e3 * time_of(row.step),
                   memory_of(row.step) / (1 << 20));
    fmt::print("\n");
}

// A training step of a small GPT (2 layers), by width and by batch.
double gpt_step(int64_t width, int64_t batch) {
    Rng rng(1);
    constexpr int64_t length = 64;
    const LanguageModel model(
        {.vocabulary = 65,
         .stack = gpt({.width = width, .heads = 4, .layers = 2, .max_positions = length})},
        rng);
    const Indices ids(std::vector<int>(batch * length, 1), {batch, length});
    AdamW optimiser(parameters(model), {});
    return time_of([&] {
        backward(sequence_cross_entropy(model(ids), ids, -1));
        optimiser.step();
        optimiser.zero_grad();
    });
}

void gpt_by_size(const Drawer& draw) {
    draw("gpt_width", {.title = "A training step of a GPT with 2 layers, 8 x 64 tokens",
                       .x_label = "width",
                       .y_label = "milliseconds",
                       .series = {measured("step", {64, 128, 256, 512, 1024},
                                           [](int64_t d) { return 1e3 * gpt_step(d, 8); })},
                       .log_x = true,
                       .log_y = true});
    draw("gpt_batch",
         {.title = "A training step of a GPT with 2 layers of 128, per token",
          .x_label = "sequences in a batch",
          .y_label = "microseconds per token",
          .series = {measured("step", {1, 2, 4, 8, 16, 32, 64},
                              [](int64_t b) { return 1e6 * gpt_step(128, b) / (64. * b); })},
          .log_x = true});
}

// Square products on one thread and on more.
void gemm_by_threads(const Drawer& draw, int all_threads) {
    LinePlot plot{.title = "Square products",
                  .x_label = "rows and columns",
                  .y_label = "GFLOP/s",
                  .log_x = true};
    for (int count = 1; count <= all_threads; count *= 2) {
        set_threads(count);
        plot.series.push_back(measured(
            count == 1 ? "one thread" : fmt::format("{} threads", count),
            {32, 64, 128, 256, 512, 1024, 2048}, [](int64_t n) {
                Rng rng(1);
                const Tensor a = normal({n, n}, 0, 1, rng), b = normal({n, n}, 0, 1, rng);
                return 2e-9 * static_cast<double>(n * n * n) / time_of([&] { matmul(a, b); });
            }));
    }
    set_threads(all_threads);
    draw("gemm_threads", plot);
}

// Decoding with a cache: the time of one more token against the number of tokens before it.
void decoding_by_length(const Drawer& draw) {
    constexpr int64_t most = 2048, every = 64;
    constexpr int layers = 4;
    Rng rng(1);
    const LanguageModel model(
        {.vocabulary = 65,
         .stack = gpt({.width = 256, .heads = 4, .layers = layers, .max_positions = most})},
        rng);
    const NoGrad no_grad;
    Series whole{.name = "whole token"}, looking{.name = "attention alone"};
    Decodable writer = model.decodable(Indices({0}, {1, 1}));
    std::vector<double> times;
    for (int64_t position = 0; position < most - 1; ++position) {
        const double start = seconds();
        writer.step(Indices({1}));
        times.push_back(seconds() - start);
        if (static_cast<int64_t>(times.size()) < every) continue;
        std::nth_element(times.begin(), times.begin() + every / 2, times.end());
        whole.x.push_back(static_cast<double>(position));
        whole.y.push_back(1e6 * times[every / 2]);
        times.clear();

        // The time of attention in its layers, each with its own keys and values.
        std::vector<Tensor> keys, values;
        for (int layer = 0; layer < layers; ++layer)
            for (std::vector<Tensor>* all : {&keys, &values})
                all->push_back(normal({1, 4, position + 1, 64}, 0, 1, rng));
        const Tensor query = normal({1, 4, 1, 64}, 0, 1, rng);
        looking.x.push_back(static_cast<double>(position));
        looking.y.push_back(1e6 * time_of([&] {
                                for (int layer = 0; layer < layers; ++layer)
                                    scaled_dot_product_attention(query, keys[layer], values[layer]);
                            }));
    }
    draw("decoding", {.title = "One more token from a GPT with 4 layers of 256, batch 1",
                      .x_label = "tokens before it",
                      .y_label = "microseconds",
                      .series = {whole, looking}});
}

}  // namespace

void draw_scaling(const std::string& folder, int threads) {
    set_threads(threads);
    course::check_folder(folder);
    course::make_folder(folder);
    const Drawer draw{folder};
    attention_by_length(draw);
    long_attention(draw);
    checkpoints();
    gpt_by_size(draw);
    gemm_by_threads(draw, threads);
    decoding_by_length(draw);
}

}  // namespace heed::bench
