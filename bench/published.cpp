#include "bench/published.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "attention/transformer/published.h"
#include "autograd/base/error.h"
#include "autograd/base/parallel.h"
#include "autograd/record/grad_mode.h"
#include "autograd/tensor/random.h"
#include "autograd/tensor/tensor.h"
#include "bench/race.h"
#include "nn/layers/quantise.h"

namespace heed::bench {
namespace {

namespace fs = std::filesystem;

constexpr int read_tokens = 512, written_before = 16, written = 32;

const char* const precisions[] = {"file", "8_bits", "float32"};

// The model of the file in a precision.
LanguageModel model_in(const std::string& file, const std::string& precision) {
    LanguageModel model = load_language_model(file).model;
    if (precision == "file") return model;
    const auto to_floats = [](auto& layer) {
        if (!layer.quantised.defined()) return;
        layer.weight = dequantise(layer.quantised);
        layer.quantised = {};
    };
    for_each_layer<Linear>(model, [&](const std::string&, Linear& layer) { to_floats(layer); });
    for_each_layer<Embedding>(model,
                              [&](const std::string&, Embedding& layer) { to_floats(layer); });
    if (precision == "8_bits") quantise(model, {.bits = 8});
    return model;
}

// The same text for all programs: token i is 100 + 37 i modulo 1000, within a vocabulary of any size.
Indices text(int count, const LanguageModel& model) {
    const auto tokens = static_cast<int>(model.head.out_features());
    std::vector<int> ids;
    for (int i = 0; i < count; ++i) ids.push_back((100 + 37 * i % 1000) % tokens);
    return Indices(std::move(ids), {1, count});
}

int most_probable(const Tensor& log_probabilities) { return argmax(log_probabilities, 1)[0]; }

Prepared prepare(const std::string& file, const std::string& precision, bool reads) {
    const auto model = std::make_shared<LanguageModel>(model_in(file, precision));
    if (reads)
        return {{}, {}, [model] {
                    const NoGrad no_grad;
                    Decodable all = model->decodable(text(read_tokens, *model));
                    all.step(all.first());
                }};
    const Decodable begun = model->decodable(text(written_before, *model));
    const auto write = [model, begun] {
        const NoGrad no_grad;
        Decodable sequence = begun;
        Indices token = sequence.first();
        std::vector<double> tokens;
        for (int i = 0; i < written; ++i) {
            token = Indices({most_probable(sequence.step(token).log_probabilities)});
            tokens.push_back(token[0]);
        }
        return tokens;
    };
    return {{},
            [write] {
                return std::vector<Parameter>{{"tokens", tensor(write(), {written})}};
            },
            [write] { write(); }};
}

// Multiply-adds and bytes of weights of one token: those of all Linear layers.
struct Cost {
    double flops = 0, bytes = 0;
};
Cost cost_of(const std::string& file, const std::string& precision) {
    LanguageModel model = model_in(file, precision);
    Cost cost;
    for_each_layer<Linear>(model, [&](const std::string&, Linear& layer) {
        if (layer.defined())
            cost.flops += 2.0 * static_cast<double>(layer.in_features() * layer.out_features());
    });
    cost.bytes = static_cast<double>(bytes_of_linear_weights(model));
    return cost;
}

std::string name_of(const std::string& precision, bool reads) {
    return (reads ? "read_" : "write_") + precision;
}

// A folder that is removed at the end, for the files of llama.cpp.
struct Folder {
    std::string path =
        (fs::temp_directory_path() / fmt::format("heed_bench_{}", getpid())).string();
    Folder() { fs::create_directories(path); }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
    Folder(const Folder&) = delete;
};

// Products of one token with weights that lie in the cache. A format that gets less there than memory gives
// is not held up by memory: unpacking the weights takes the time.
void print_from_cache(const PublishedOptions& o) {
    constexpr int64_t in = 512;
    const int64_t out = 512 * o.threads;
    set_threads(o.threads);
    Rng rng(1);
    const Tensor x = normal({1, in}, 0, 1, rng), weight = normal({out, in}, 0, 0.02, rng);
    fmt::print(
        "\nOne token times [{}, {}], whose weights lie in the cache; medians of {} rounds.\n\n",
        out, in, o.rounds);
    fmt::print("| {:<7} | GB/s of weights | of the bandwidth of memory |\n", "");
    fmt::print("|{:-<9}|{:-<17}|{:-<28}|\n", "", "", "");
    const auto row = [&](const std::string& name, int64_t bytes, const auto& product) {
        const NoGrad no_grad;
        std::vector<double> rates, shares;
        for (int round = 0; round < o.rounds; ++round) {
            rates.push_back(static_cast<double>(bytes) / run_for(product, o.seconds).median);
            shares.push_back(rates.back() / bytes_now(o.threads));
        }
        fmt::print("| {:<7} | {:>15.1f} | {:>24.0f} % |\n", name, median(rates) / 1e9,
                   100 * median(shares));
    };
    for (const BlockFormat format : {BlockFormat::q4_1, BlockFormat::q8_0}) {
        const QuantisedMatrix w = quantise(weight, format);
        row(name_of(format), w.bytes(), [&] { linear(x, w); });
    }
    row("float32", 4 * weight.numel(), [&] { linear(x, weight); });
}

}  // namespace

std::vector<Workload> published_workloads(const std::string& file) {
    std::vector<Workload> all;
    for (const bool reads : {true, false})
        for (const std::string precision : precisions)
            all.push_back({.name = name_of(precision, reads),
                           .kind = "",
                           .sizes = {},
                           .unit = "token",
                           .units = reads ? double{read_tokens} : double{written},
                           .prepare = [=] { return prepare(file, precision, reads); }});
    return all;
}

void compare_published(const PublishedOptions& o) {
    const Folder folder;
    const std::string threads = std::to_string(o.threads);
    fmt::print(
        "Tokens a second, medians of {} rounds; then how many times as fast heed is (lowest and "
        "highest round).\n\n",
        o.rounds);
    fmt::print("| {:<13} | {:>6} | {:<19} |{}\n", "", "heed", "of the machine",
               heads_of(o.against));
    fmt::print("|{:-<15}|{:-<8}|{:-<21}|{}\n", "", "", "", rules_of(o.against));
    for (const bool reads : {true, false})
        for (const std::string precision : precisions) {
            const std::string name = name_of(precision, reads);
            if (name.find(o.filter) == std::string::npos) continue;
            std::vector<Contender> all;
            all.push_back({"heed", std::make_unique<Worker>(std::vector<std::string>{
                                       o.own_program, "--model", o.file, "--serve", name,
                                       "--threads", threads})});
            for (const std::string& other : o.against) {
                if (other == "pytorch" && precision != "float32") continue;
                all.push_back(
                    {other,
                     std::make_unique<Worker>(std::vector<std::string>{
                         o.python, fmt::format(HEED_SOURCE_DIR "/bench/published/{}.py", other),
                         o.file, precision, reads ? "read" : "write", threads, folder.path})});
            }
            const double units = reads ? read_tokens : written;
            const Cost cost = cost_of(o.file, precision);
            // The machine gives more at one time than at another, so each round has its own limit.
            std::vector<double> limits, shares;
            race(all, o.rounds, o.seconds, [&] {
                limits.push_back(reads ? flops_now(o.threads).best : bytes_now(o.threads));
                shares.push_back(units / all[0].seconds.back() * (reads ? cost.flops : cost.bytes) /
                                 limits.back());
            });

            const double rate = units / median(all[0].seconds);
            const std::string share = fmt::format("{:.0f} % of {:.0f} {}", 100 * median(shares),
                                                  median(limits) / 1e9, reads ? "GFLOP/s" : "GB/s");
            fmt::print("| {:<13} | {:>6.1f} | {:<19} |{}\n", name, rate, share,
                       cells_of(all, o.against,
                                [&](double t) { return fmt::format("{:.1f}", units / t); }));
            std::fflush(stdout);
        }
    print_from_cache(o);
}

}  // namespace heed::bench
