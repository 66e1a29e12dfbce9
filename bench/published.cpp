#include "bench/published.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "attention/transformer/published.h"
#include "autograd/base/error.h"
#include "autograd/record/grad_mode.h"
#include "autograd/tensor/tensor.h"
#include "bench/worker.h"
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

struct Contender {
    std::string name;
    std::unique_ptr<Worker> worker;
    std::vector<double> seconds{};  // for each round
};

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
    std::string rule = fmt::format("|{:-<15}|{:-<8}|{:-<21}|", "", "", "");
    fmt::print("| {:<13} | {:>6} | {:<19} |", "", "heed", "of the machine");
    for (const std::string& other : o.against) {
        fmt::print(" {:>7} | {:<18} |", other, "times as fast");
        rule += fmt::format("{:-<9}|{:-<20}|", "", "");
    }
    fmt::print("\n{}\n", rule);
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
            for (int round = 0; round < o.rounds; ++round)
                for (std::size_t i = 0; i < all.size(); ++i) {
                    // Who begins changes from round to round.
                    Contender& next = all[(i + static_cast<std::size_t>(round)) % all.size()];
                    next.seconds.push_back(next.worker->go(o.seconds).median);
                    if (&next != &all[0]) continue;
                    limits.push_back(reads ? flops_now(o.threads).best : bytes_now(o.threads));
                    shares.push_back(units / next.seconds.back() *
                                     (reads ? cost.flops : cost.bytes) / limits.back());
                }
            for (Contender& each : all) each.worker->end();

            const double rate = units / median(all[0].seconds);
            const std::string share = fmt::format("{:.0f} % of {:.0f} {}", 100 * median(shares),
                                                  median(limits) / 1e9, reads ? "GFLOP/s" : "GB/s");
            fmt::print("| {:<13} | {:>6.1f} | {:<19} |", name, rate, share);
            for (const std::string& other : o.against) {
                const auto found = std::find_if(
                    all.begin(), all.end(), [&](const Contender& c) { return c.name == other; });
                if (found == all.end()) {
                    fmt::print(" {:>7} | {:<18} |", "", "");
                    continue;
                }
                std::vector<double> ratios;
                for (std::size_t i = 0; i < found->seconds.size(); ++i)
                    ratios.push_back(found->seconds[i] / all[0].seconds[i]);
                const auto [low, high] = std::minmax_element(ratios.begin(), ratios.end());
                fmt::print(" {:>7.1f} | {:<18} |", units / median(found->seconds),
                           fmt::format("{:.2f} ({:.2f} - {:.2f})", median(ratios), *low, *high));
            }
            fmt::print("\n");
            std::fflush(stdout);
        }
}

}  // namespace heed::bench
