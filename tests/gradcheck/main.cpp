// ./heed gradcheck: proves the gradients of the whole library against finite differences.
#include <CLI/CLI.hpp>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/gradcheck/registry.h"

namespace {

struct Options {
    std::string filter;
    int order = 1;
    bool list = false;
    std::string json;
};

int run(const Options& options) {
    using namespace heed;
    if (!options.json.empty() && !std::ofstream(options.json, std::ios::app)) {
        fmt::print(stderr, "gradcheck: --json: cannot write {}\n", options.json);
        return 2;  // now, and not after all the work
    }
    auto records = nlohmann::json::array();
    int passed = 0, failed = 0;
    double worst = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (const Case& one : all_cases()) {
        if (one.name.find(options.filter) == std::string::npos) continue;
        if (options.list) {
            fmt::print("{}\n", one.name);
            continue;
        }
        if (options.order > one.highest_order) continue;
        const GradcheckReport report = gradcheck(one.f, one.inputs, {.order = options.order});
        fmt::print("{} {:<66} {:.1e}\n", report.pass ? "pass" : "FAIL", one.name,
                   report.max_error);
        if (!report.pass) fmt::print("     {}\n", report);
        ++(report.pass ? passed : failed);
        worst = std::max(worst, report.max_error);
        records.push_back({{"name", one.name},
                           {"order", options.order},
                           {"max_error", report.max_error},
                           {"tolerance", report.tolerance},
                           {"pass", report.pass}});
    }
    if (options.list) return std::fflush(stdout) == 0 ? 0 : 2;
    if (passed + failed == 0) {
        fmt::print(stderr, "gradcheck: nothing in the list contains '{}'; see --list\n",
                   options.filter);
        return 2;
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    fmt::print("order {}: {} passed, {} failed, largest relative error {:.1e}, {:.1f} s\n",
               options.order, passed, failed, worst, seconds.count());
    if (!options.json.empty()) {
        std::ofstream file(options.json);
        file << records.dump(2) << "\n";
        if (!file) {
            fmt::print(stderr, "gradcheck: cannot write {}\n", options.json);
            return 2;
        }
    }
    if (std::fflush(stdout) != 0) {
        fmt::print(stderr, "gradcheck: the output cannot be written\n");
        return 2;
    }
    return failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app{"Checks every operation, layer and attention mechanism against finite differences",
                 "./heed gradcheck"};
    app.add_option("filter", options.filter, "only what has this in its name");
    app.add_option("--order", options.order, "1: the gradient; 2: the gradient of the gradient")
        ->check(CLI::IsMember({1, 2}));
    app.add_flag("--list", options.list, "say what there is, check nothing");
    app.add_option("--json", options.json, "write the results to this file");
    try {
        app.parse(argc, argv);
        return run(options);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "gradcheck: {}\n", error.what());
        return 2;
    }
}
