// The workloads of the benchmarks, in tiny sizes: they run, and PyTorch computes the same. And the
// instructions of small operations stay below ceilings.
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "attention/transformer/published.h"
#include "autograd/autograd.h"
#include "bench/against.h"
#include "bench/agreement.h"
#include "bench/others.h"
#include "bench/profile.h"
#include "bench/published.h"
#include "bench/workload.h"
#include "nn/saved/safetensors.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"
#include "tests/skipped.h"

namespace heed::bench {
namespace {

using Catch::Matchers::ContainsSubstring;

const std::vector<Workload>& tiny_workloads() {
    static const std::vector<Workload> all = all_workloads("", Scale::tiny);
    return all;
}

double largest(const Tensor& x) { return max(abs(x)).item(); }

TEST_CASE("every workload of the benchmarks runs, in tiny sizes", "[bench]") {
    const std::vector<Workload> full = all_workloads();
    REQUIRE(full.size() == tiny_workloads().size());
    for (std::size_t i = 0; i < full.size(); ++i) {
        const Workload& w = tiny_workloads()[i];
        INFO(w.name);
        CHECK(w.name == full[i].name);
        CHECK(w.kind == full[i].kind);
        const Prepared ready = w.prepare();
        double output = 0;
        for (const auto& [name, tensor] : ready.results()) {
            INFO(name);
            CHECK(all_finite(tensor));
            if (!name.starts_with("gradient") && !name.starts_with("change"))
                output = std::max(output, largest(tensor));
        }
        CHECK(output > 0);
        for (int step = 0; step < 2; ++step) ready.step();
        if (!ready.step_in_parts) continue;
        std::vector<std::string> parts;
        ready.step_in_parts([&](const char* part) { parts.push_back(part); });
        CHECK(parts == std::vector<std::string>{"", "optimiser"});
    }
}

TEST_CASE("a published model is measured: it reads a text, and writes the most probable tokens",
          "[bench]") {
    const std::string folder = HEED_SOURCE_DIR "/tests/parity/families/llama";
    const std::vector<Workload> all = published_workloads(folder);
    std::vector<std::string> names;
    for (const Workload& w : all) names.push_back(w.name);
    CHECK(names == std::vector<std::string>{"read_file", "read_8_bits", "read_float32",
                                            "write_file", "write_8_bits", "write_float32"});
    all[0].prepare().step();

    const LanguageModel model = load_language_model(folder).model;
    std::vector<int> before;
    for (int i = 0; i < 16; ++i) before.push_back((100 + 37 * i % 1000) % 20);
    const std::vector<int> right =
        greedy_decode(model.decodable(Indices(before, {1, 16})), {.end = -1, .max_length = 32})[0]
            .tokens;
    for (const std::size_t i : {3u, 5u}) {
        INFO(all[i].name);
        const Prepared ready = all[i].prepare();
        ready.step();  // each step begins anew
        const std::vector<double> written = ready.results()[0].tensor.to_vector();
        CHECK(std::vector<int>(written.begin(), written.end()) == right);
    }
}

TEST_CASE("PyTorch computes the same as every workload, in tiny sizes", "[bench]") {
    std::string python;
    try {
        python = python_with_pytorch();
    } catch (const Error&) {
        if (skipped("no PyTorch; HEED_PYTHON names a Python that has it")) return;
    }
    const Scratch folder;
    for (const Workload& w : tiny_workloads()) {
        INFO(w.name);
        const std::string ours = folder.path + "/heed", theirs = folder.path + "/pytorch";
        pytorch_worker(w, python, 1, false, theirs);
        save_safetensors(ours, {w.prepare().results(), {}});
        CHECK_NOTHROW(check_agreement(w.name, ours, theirs));
    }
}

// One test a program, so that each is skipped by itself.
void check_twins(const std::string& program) {
    std::string python;
    try {
        python = python_that_has({program});
    } catch (const Error&) {
        if (skipped("no package " + program + "; HEED_PYTHON names a Python that has it")) return;
    }
    const Scratch folder;
    const std::string ours = folder.path + "/heed", theirs = folder.path + "/theirs";
    for (const Workload& w : tiny_workloads()) {
        if (!has_twin(program, w)) continue;
        INFO(w.name);
        python_worker(program, w, python, 1, {"--results", theirs});
        save_safetensors(ours, {w.prepare().results(), {}});
        CHECK_NOTHROW(check_agreement(w.name, ours, theirs, program));
    }
}
TEST_CASE("numpy computes the same products, in tiny sizes", "[bench]") { check_twins("numpy"); }
TEST_CASE("JAX computes the same as the workloads of which it has twins, in tiny sizes",
          "[bench]") {
    check_twins("jax");
}

TEST_CASE("a workload with an option that JAX's twin has not is not compared with it", "[bench]") {
    const auto named = [](const std::string& name) {
        for (const Workload& w : tiny_workloads())
            if (w.name == name) return w;
        FAIL(name);
        return Workload();
    };
    for (const char* name : {"gemm_64", "attention_512", "attention_plain_512", "mlp", "gpt_small"})
        CHECK(has_twin("jax", named(name)));
    for (const char* name :
         {"attention_dropout_512", "attention_rotary_512", "attention_padding_512",
          "gpt_large_rotary_dropout", "cnn", "decoding"})
        CHECK_FALSE(has_twin("jax", named(name)));
    CHECK(has_twin("numpy", named("gemm_64")));
    CHECK_FALSE(has_twin("numpy", named("mlp")));
}

TEST_CASE("agreement with PyTorch is refused for wrong results", "[bench]") {
    const Scratch folder;
    const auto agree = [&](const std::vector<Parameter>& a, const std::vector<Parameter>& b) {
        save_safetensors(folder.path + "/a", {a, {}});
        save_safetensors(folder.path + "/b", {b, {}});
        check_agreement("work", folder.path + "/a", folder.path + "/b");
    };
    const Tensor small = tensor({1e-6, -2e-6}), zero = zeros({2}), g = tensor({3.0, 4.0});
    const std::vector<Parameter> right{{"output", small}, {"gradient of w", g}, {"change of w", g}};
    CHECK_NOTHROW(agree(right, right));
    // zeros instead of small numbers; one gradient or change a little off; a result too few; a shape
    for (const std::vector<Parameter>& wrong :
         {std::vector<Parameter>{{"output", zero}, {"gradient of w", g}, {"change of w", g}},
          {{"output", small}, {"gradient of w", g * 1.001}, {"change of w", g}},
          {{"output", small}, {"gradient of w", g}, {"change of w", g * 1.01}},
          {{"output", small}, {"gradient of w", g}},
          {{"output", reshape(small, {2, 1})}, {"gradient of w", g}, {"change of w", g}}}) {
        CHECK_THROWS_AS(agree(wrong, right), Error);
        CHECK_THROWS_AS(agree(right, wrong), Error);
    }
}

TEST_CASE("a workload that does not train has no profile", "[bench]") {
    for (const Workload& w : tiny_workloads())
        if (w.name == "gemm_64")
            CHECK_THROWS_WITH(print_profile(w, 1),
                              ContainsSubstring("gemm_64 has no training step"));
}

TEST_CASE("the JSON of a comparison has the medians and the ratios of each round", "[bench]") {
    Result result{tiny_workloads().front(), {{2, 1, 4}, {}}, {{4, 6, 4}, {}}, {{2, 3, 2}, {}}};
    result.workload.units = 1;
    result.workload.flops = 10;
    result.peaks = {10, 50, 2};
    result.pytorch_threads = 1;
    result.repeated = 2;
    const Scratch folder;
    write_json(folder.path + "/results.json", {result}, {{}, 2, "2.13"});
    std::ifstream file(folder.path + "/results.json");
    const nlohmann::json entry = nlohmann::json::parse(file).at(0);
    CHECK(entry.at("name") == result.workload.name);
    CHECK(entry.at("heed") == 2);
    CHECK(entry.at("pytorch") == 4);
    CHECK(entry.at("ratios") == nlohmann::json{2, 6, 1});
    CHECK(entry.at("ratio") == 2);
    CHECK(entry.at("lowest") == 1);
    CHECK(entry.at("highest") == 6);
    CHECK(entry.at("pytorch_threads") == 1);
    CHECK(entry.at("pytorch_compiled") == 2);
    CHECK(entry.at("compiled_ratio") == 1);
    CHECK(entry.at("repeated_rounds") == 2);
    CHECK(entry.at("share_of_peak") == 0.5);  // of 0.5, 0.2 and 1.25
}

TEST_CASE("the machine is at full speed from four fifths of its peak", "[bench]") {
    CHECK(at_full_speed({100, 80}, {100, 50, 1}));
    CHECK_FALSE(at_full_speed({100, 79}, {100, 50, 1}));  // two threads on one core reach 50
    CHECK(at_full_speed({1, 1}, {}));
}

// Counted on an AMD EPYC (Zen 4). 15 % above is too much.
TEST_CASE("small operations stay below their ceilings of instructions", "[bench]") {
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ == 12 && defined(__AVX512F__) && \
    defined(NDEBUG)
    const std::map<std::string, std::array<long, 2>> counted{
        {"x + w, one element", {807, 1581}},    {"x * w, one element", {895, 2270}},
        {"tanh(x), one element", {819, 1542}},  {"reshape", {213, 416}},
        {"softmax, 16 elements", {1174, 2372}}, {"linear, 16 to 16", {2048, 7480}}};
    const std::string program = HEED_LESSON_DIR "/heed_instructions";
    const std::unique_ptr<FILE, int (*)(FILE*)> output(
        popen((program + " 2>/dev/null").c_str(), "r"), pclose);
    REQUIRE(output);
    std::size_t lines = 0;
    char line[200];
    for (; std::fgets(line, sizeof line, output.get()); ++lines) {
        const std::string text = line;
        const std::size_t tab = text.find('\t'), second = text.find('\t', tab + 1);
        const auto& [recorded, both] = counted.at(text.substr(0, tab));
        INFO(text);
        const long now = std::stol(text.substr(tab + 1)),
                   now_both = std::stol(text.substr(second + 1));
        CHECK(now > 0);
        CHECK(now_both > now);
        CHECK(static_cast<double>(now) <= 1.15 * static_cast<double>(recorded));
        CHECK(static_cast<double>(now_both) <= 1.15 * static_cast<double>(both));
    }
    if (lines == 0 && skipped("this system does not allow to single-step another process")) return;
    CHECK(lines == counted.size());
#else
    if (skipped("the ceilings are those of a release by GCC 12 with AVX-512")) return;
#endif
}

}  // namespace
}  // namespace heed::bench
