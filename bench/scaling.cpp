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

// Attention forward and backward, in tiles and by its definition: time and memory.
void attention_by_length(const Drawer& draw) {
    const auto step = [](int64_t length, bool tiled) {
        Rng rng(1);
        std::vector<Tensor> x;
        for (int i = 0; i < 3; ++i)
            x.push_back(normal({1, 4, length, 64}, 0, 1, rng).set_requires_grad());
        const Tensor g = ones({1, 4, length, 64});
        return [=] {
            const Tensor y = tiled ? scaled_dot_product_attention(x[0], x[1], x[2])
                                   : scaled_dot_product_definition(x[0], x[1], x[2]).context;
            grad(y, x, false, g);
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
    gpt_by_size(draw);
    gemm_by_threads(draw, threads);
    decoding_by_length(draw);
}

}  // namespace heed::bench
