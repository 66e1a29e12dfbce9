#include "lessons/course/lesson/repeat.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "autograd/base/error.h"
#include "autograd/base/files.h"
#include "autograd/base/input_file.h"
#include "lessons/course/report/files.h"
#include "lessons/course/report/other_seeds.h"
#include "lessons/course/terminal/live_line.h"
#include "lessons/course/terminal/process.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// The words of the command line without the options that differ from seed to seed.
std::vector<std::string> words_of_all_seeds(int argc, char** argv) {
    std::vector<std::string> words{argv[0]};
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i], name = word.substr(0, word.find('='));
        if (name != "--repeat" && name != "--seed" && name != "--out" && name != "--keep")
            words.push_back(word);
        else if (word == name && name != "--keep")
            ++i;  // its value
    }
    words.push_back("--no-predict");
    return words;
}

// Runs a program with its output in a file and without records.
int run_program(const std::vector<std::string>& words, const std::string& log) {
    return wait_for(start(words, [write = writing_into(log)] {
        setenv("HEED_HOME", "", 1);
        write();
    }));
}

// The results of an earlier run, if this program made them with these options; null otherwise.
Json results_before(const std::string& folder, const std::string& options, const char* program) {
    std::error_code error;
    const std::string results = folder + "/results.json";
    if (!fs::exists(results, error) || !fs::exists(folder + "/options", error)) return {};
    const auto made = fs::last_write_time(results, error),
               built = fs::last_write_time(program, error);
    if (error || made < built || read_regular_file(folder + "/options") != options) return {};
    const Json json = Json::parse(read_regular_file(results), nullptr, false);
    return json.is_object() && json.contains("claims") && json.contains("measured") ? json : Json();
}

Json run_seed(const std::vector<std::string>& words, std::uint64_t seed,
              const std::string& folder) {
    std::string options;
    for (const std::string& word : words) options += word + "\n";
    if (Json before = results_before(folder, options, words[0].c_str()); !before.is_null())
        return before;

    make_folder(folder);
    std::error_code ignored;
    fs::remove(folder + "/results.json", ignored);
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--seed", std::to_string(seed), "--out", folder});
    const int status = run_program(all, folder + "/log");
    if (status != 0 && status != 1) {
        const std::string said = read_regular_file(folder + "/log");
        fail("--repeat: the run with seed {} ended with status {}: {}", seed, status,
             said.substr(said.find_last_of('\n', said.size() - 2) + 1));
    }
    write_file(folder + "/options", options);
    return Json::parse(read_regular_file(folder + "/results.json"));
}

// Adds the measurements of one run. All runs make the same claims in the same order.
void add(std::vector<Spread>& spreads, const Json& results, std::uint64_t seed) {
    Json claims = results["claims"];
    claims.insert(claims.end(), results["measured"].begin(), results["measured"].end());
    if (spreads.empty())
        for (const Json& claim : claims)
            spreads.push_back({claim["name"], claim["text"], claim.value("expected", ""), {}, 0});
    check(claims.size() == spreads.size(), "--repeat: seed {} made {} claims, the others made {}",
          seed, claims.size(), spreads.size());
    for (std::size_t i = 0; i < spreads.size(); ++i) {
        const Json& measured = claims[i]["measured"];
        spreads[i].measured.push_back(measured.is_number() ? measured.get<double>() : NAN);
        spreads[i].held += claims[i].value("holds", true);
    }
}

// The quantiles that are shown, and the name of each.
constexpr std::pair<const char*, double> shown_quantiles[] = {
    {"min", 0},    {"1 %", 0.01},  {"10 %", 0.1}, {"median", 0.5},
    {"90 %", 0.9}, {"99 %", 0.99}, {"max", 1}};

// The 1 % and 99 % quantiles of the normal distribution with the same mean and deviation.
std::pair<double, double> normal_fit(const std::vector<double>& x) {
    const double n = static_cast<double>(x.size());
    const double mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
    double squares = 0;
    for (double value : x) squares += (value - mean) * (value - mean);
    const double deviation = n > 1 ? std::sqrt(squares / (n - 1)) : 0;
    return {mean - 2.326 * deviation, mean + 2.326 * deviation};
}

Json as_json(const Spread& spread) {
    Json quantiles;
    for (const auto& [name, p] : shown_quantiles) quantiles[name] = quantile(spread.measured, p);
    const auto [low, high] = normal_fit(spread.measured);
    return {{"name", spread.name},
            {"text", spread.text},
            {"expected", spread.expected},
            {"held", spread.held},
            {"seeds", spread.measured.size()},
            {"quantiles", quantiles},
            {"normal 1 %", low},
            {"normal 99 %", high},
            {"measured", spread.measured}};
}

}  // namespace

double quantile(std::vector<double> numbers, double p) {
    if (numbers.empty()) return NAN;
    std::sort(numbers.begin(), numbers.end(),
              [](double a, double b) { return std::isnan(a) ? !std::isnan(b) : a < b; });
    const double at = p * static_cast<double>(numbers.size() - 1);
    const auto low = static_cast<std::size_t>(at);
    const double above = at - static_cast<double>(low);
    if (above == 0) return numbers[low];
    return numbers[low] + above * (numbers[low + 1] - numbers[low]);
}

std::string to_text(const Spread& spread, const Screen& screen) {
    const bool all = spread.held == static_cast<int>(spread.measured.size());
    std::string text = "· " + printable(spread.text);
    if (!spread.expected.empty())
        text = fmt::format("{} {} of {}: {} (expected {})",
                           screen.paint(all ? "✓" : "✗", all ? Ink::good : Ink::bad), spread.held,
                           spread.measured.size(), printable(spread.text), spread.expected);
    text = wrap(text, screen.width, "  ");
    std::string line;
    for (const auto& [name, p] : shown_quantiles)
        line += fmt::format("{} {}, ", name, number(quantile(spread.measured, p)));
    const auto [low, high] = normal_fit(spread.measured);
    line += fmt::format("normal {} to {}", number(low), number(high));
    return text + wrap(line, screen.width, "      ");
}

int run_repeatedly(const About& about, const Options& options, int argc, char** argv,
                   const Screen& screen) {
    check(
        !options.keep || !options.changes_the_experiment,
        "--keep: only of a run as the lesson itself makes it, without --data and its own options");
    check(options.save.empty() && options.load.empty(),
          "--repeat: trains a model for each seed, so --save and --load cannot be given");
    const std::vector<std::string> words = words_of_all_seeds(argc, argv);
    std::vector<Spread> spreads;
    std::vector<std::uint64_t> seeds;
    for (int i = 0; i < options.repeat; ++i) {
        seeds.push_back(options.seed + static_cast<std::uint64_t>(i));
        if (screen.live)
            draw_line(fmt::format("seed {}, {} of {}", seeds[i], i + 1, options.repeat));
        const std::string folder = fmt::format("{}/seeds/{}", options.out, seeds[i]);
        add(spreads, run_seed(words, seeds[i], folder), seeds[i]);
    }

    print_now(fmt::format("{}, {} {}: claims and their measurements\n\n", about.number.titled(),
                          seeds.size(), seeds.size() == 1 ? "seed" : "seeds"));
    Json claims = Json::array();
    int judged = 0, never_failed = 0;
    for (const Spread& spread : spreads) {
        print_now(to_text(spread, screen.now()));
        claims.push_back(as_json(spread));
        judged += !spread.expected.empty();
        never_failed += !spread.expected.empty() && spread.held == options.repeat;
    }
    const Json json = {{"lesson", about.number},
                       {"name", about.name},
                       {"quick", options.quick},
                       {"seeds", seeds},
                       {"claims", claims}};
    write_file(options.out + "/seeds.json", json.dump(2) + "\n");
    if (options.keep) {
        KeptSeeds measured;
        for (const Spread& spread : spreads) measured[spread.name] = spread.measured;
        keep_other_seeds(about.number, options.quick, options.seed, measured);
    }
    print_now(
        fmt::format("\n{} of {} claims hold with every seed. All numbers are in {}/seeds.json\n",
                    never_failed, judged, options.out));
    check_printed();
    return never_failed == judged ? 0 : 1;
}

}  // namespace heed::course
