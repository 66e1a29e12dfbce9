// ./heed gradcheck: proves the gradients of the whole library against finite differences. Each line has
// the largest relative error, and how large the gradient of the flattest input is, relative to the output.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>

#include "autograd/base/files.h"
#include "autograd/base/whole_file.h"
#include "lessons/course/terminal/command_line.h"
#include "lessons/course/terminal/screen.h"
#include "lessons/course/terminal/text.h"
#include "tests/gradcheck/accuracy.h"
#include "tests/gradcheck/registry.h"

namespace {

struct Options {
    std::string filter;
    int order = 1;
    bool list = false, small = false, ulp = false;
    std::string json;
};

// The columns of the window, which every line is made to fit.
int columns() { return heed::course::screen_of_stdout().limit(); }

// The table of accuracies: the largest error of each elementwise function, and where it is.
int print_accuracies(const std::string& filter) {
    using namespace heed;
    const std::vector<Accuracy> rows = measure_accuracy(filter);
    if (rows.empty()) {
        fmt::print(stderr, "gradcheck: --ulp: no elementwise function has '{}' in its name\n",
                   filter);
        return 2;
    }
    int missed = 0;
    const auto print_row = [](const char* mark, const std::string& name, const std::string& rest) {
        fmt::print("{}", course::list_line(fmt::format("{:<5}", mark), name, 46,
                                           course::pad(rest, 36), columns()));
    };
    print_row("", "largest error, in units in the last place",
              fmt::format(" {:<8} {:>9}  at", "", "ulp"));
    for (const Accuracy& row : rows) {
        const bool two = row.name.find('(') != std::string::npos;
        print_row(row.holds() ? "pass" : "FAIL", row.name,
                  fmt::format(" {:<8} {:>9.2f}  {:.9g}{}", name_of(row.dtype), row.error, row.at[0],
                              two ? fmt::format(", {:.9g}", row.at[1]) : std::string()));
        missed += !row.holds();
    }
    const char* const left_out =
        "float64 is left out: long double has no more digits on this machine\n";
    if (!reference_is_wider) fmt::print("{}", course::fitted(left_out, columns()));
    return missed == 0 ? 0 : 1;
}

int run(const Options& options) {
    using namespace heed;
    if (options.ulp) return print_accuracies(options.filter);
    // A file that cannot be written is found now and not after a minute of work.
    check(options.json.empty() || std::ofstream(file_to_write(options.json), std::ios::app),
          "--json: cannot write {}", options.json);
    auto records = nlohmann::json::array();
    int passed = 0, failed = 0;
    double worst = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (const Case& one : all_cases()) {
        if (one.name.find(options.filter) == std::string::npos) continue;
        if (options.small && is_large(one)) continue;
        if (options.list) {
            fmt::print("{}", course::list_line("", one.name, 0, "", columns()));
            continue;
        }
        const GradcheckReport report = check_case(one, options.order);
        for (const GradcheckOrder& order : report.orders) {
            const double smallest = *std::min_element(order.largest.begin(), order.largest.end());
            const std::string head =
                fmt::format("{} order {} ", order.pass ? "pass" : "FAIL", order.order);
            const std::string errors = fmt::format(" {:.1e} {:9.1e}", order.max_error, smallest);
            fmt::print("{}", course::list_line(head, one.name, 66, errors, columns()));
            ++(order.pass ? passed : failed);
            worst = std::max(worst, order.max_error);
            records.push_back({{"name", one.name},
                               {"order", order.order},
                               {"max_error", order.max_error},
                               {"tolerance", order.tolerance},
                               {"pass", order.pass}});
        }
        if (!report.pass) fmt::print("{}", course::fitted(fmt::format("{}\n", report), columns()));
    }
    if (options.list) return std::fflush(stdout) == 0 ? 0 : 2;
    if (passed + failed == 0) {
        fmt::print(stderr, "gradcheck: nothing in the list contains '{}'; see --list\n",
                   options.filter);
        return 2;
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    const std::string sum = fmt::format(
        "{}: {} passed, {} failed, largest relative error {:.1e}, {:.1f} s\n",
        options.order == 1 ? "order 1" : "orders 1 and 2", passed, failed, worst, seconds.count());
    fmt::print("{}", course::fitted(sum, columns()));
    if (!options.json.empty()) write_whole_file(options.json, records.dump(2) + "\n");
    if (std::fflush(stdout) != 0) {
        fmt::print(stderr, "gradcheck: the output cannot be written\n");
        return 2;
    }
    return failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    heed::course::check_environment();
    Options options;
    CLI::App app{"Checks every operation, layer and attention mechanism against finite differences",
                 "./heed gradcheck"};
    app.add_option("filter", options.filter, "only what has this in its name");
    app.add_option("--order", options.order,
                   "1: the gradient; 2: also the gradient of the gradient")
        ->check(CLI::IsMember({1, 2}));
    app.add_flag("--list", options.list, "say what there is, check nothing");
    app.add_flag("--small", options.small, "leave out the large shapes");
    app.add_flag("--ulp", options.ulp,
                 "instead: how exact each elementwise function and its slope are, over their whole "
                 "range");
    app.add_option("--json", options.json, "write the results to this file");
    try {
        app.parse(argc, argv);
        return run(options);
    } catch (const CLI::CallForHelp&) {
        fmt::print("{}", heed::course::fitted(app.help(), columns()));
        return std::fflush(stdout) == 0 ? 0 : 2;
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);
        heed::course::complain(
            "heed: " + heed::course::command_line_fault(error.what(), "./heed gradcheck") + "\n");
        return 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "gradcheck: {}\n", error.what());
        return 2;
    }
}
