#include "lessons/course/lesson/options.h"

// CLI11 includes <regex>, for which GCC 12 warns wrongly under sanitizers (GCC bug 105562).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "autograd/base/edit_distance.h"
#include "autograd/base/error.h"
#include "autograd/base/files.h"
#include "lessons/course/report/files.h"

namespace heed::course {
namespace {

namespace fs = std::filesystem;

std::string unknown(const std::string& word, const std::vector<Option>& options) {
    if (!word.starts_with("-"))
        return fmt::format("'{}': expected options only; --help lists them", word);
    const std::string name = word.substr(0, word.find('='));
    for (const Option& option : options) {
        if (edits_between(name, option.name) <= 2)
            return fmt::format("{}: unknown option; did you mean {}?", name, option.name);
    }
    return fmt::format("{}: unknown option; --help lists all options", name);
}

// A model is saved at the end of a long run, so that it can be saved is checked before the run.
std::string parse_new_file(const std::string& option, const std::string& text) {
    check(!text.empty() && !fs::is_directory(text), "{}: expected the name of a file, found '{}'",
          option, text);
    const fs::path parent = fs::path(text).parent_path();
    const std::string folder = parent.empty() ? "." : parent.string();
    check(fs::is_directory(folder), "{}: there is no folder {}", option, folder);
    if (access(folder.c_str(), W_OK) != 0)
        fail("{}: cannot write to {}: {}", option, folder, reason_of_system(errno));
    file_to_write(text);
    return text;
}

std::vector<Option> common_options(const About& about, Options& options) {
    const auto needs_model = [&about](const char* name) {
        check(about.saves_model, "{}: lesson {} saves no model", name, about.number);
    };
    const std::string none = "(none in this lesson)";
    return {
        {"--quick", "a short run of a few seconds, with weaker claims", "",
         [&](const std::string&) { options.quick = true; }},
        {"--seed", "the seed of all random numbers (1)", "N",
         [&](const std::string& text) {
             constexpr auto largest = std::numeric_limits<std::int64_t>::max();
             options.seed = static_cast<std::uint64_t>(parse_whole("--seed", text, 0, largest));
         }},
        {"--threads", "the number of threads (one per processor core)", "N",
         [&](const std::string& text) {
             options.threads = static_cast<int>(parse_whole("--threads", text, 1, 1024));
         }},
        {"--data", about.data.empty() ? none : about.data, "PATH",
         [&](const std::string& text) {
             check(!about.data.empty(), "--data: lesson {} generates its data and reads no file",
                   about.number);
             options.data = parse_existing("--data", text, about.data_is);
         }},
        {"--out",
         fmt::format("the folder for the results (out/{:02}_{})", about.number, about.name), "DIR",
         [&](const std::string& text) {
             check(!text.empty(), "--out: expected a folder, found nothing");
             options.out = text;
         }},
        {"--save", about.saves_model ? "save the trained model to this file" : none, "FILE",
         [&, needs_model](const std::string& text) {
             needs_model("--save");
             options.save = parse_new_file("--save", text);
         }},
        {"--load", about.saves_model ? "load a trained model instead of training one" : none,
         "FILE",
         [&, needs_model](const std::string& text) {
             needs_model("--load");
             options.load = parse_existing("--load", text);
         }},
        {"--repeat", "run with N seeds, from --seed on, and show the spread of each claim", "N",
         [&](const std::string& text) {
             options.repeat = static_cast<int>(parse_whole("--repeat", text, 1, 100'000));
         }},
        {"--keep", "with --repeat: write the spread into the lesson's folder", "",
         [&](const std::string&) { options.keep = true; }},
        {"--resume", about.trains ? "go on with a run that was stopped; DIR is its --out" : none,
         "DIR",
         [&](const std::string& text) {
             check(about.trains,
                   "--resume: lesson {} trains nothing, so there is nothing to go on with; run it "
                   "again without --resume",
                   about.number);
             check(fs::is_directory(text),
                   "--resume: there is no folder '{}'; a run makes it at its first training, and "
                   "one that was stopped before starts again with its options and --out",
                   text);
             options.resume = text;
         }},
        {"--no-predict", "ask no questions before the run", "",
         [&](const std::string&) { options.predict = false; }},
        {"--no-text", "print only what is measured, without the text of the lesson", "",
         [&](const std::string&) { options.text = false; }},
    };
}

// Options that change no result, so a run that is resumed may have others.
bool is_free(const std::string& name) {
    for (const char* free : {"--threads", "--out", "--resume", "--no-predict", "--no-text"})
        if (name == free) return true;
    return false;
}

std::string shown(const std::string& name, const std::string& value) {
    return value.empty() ? name : name + " " + value;
}

// Compares the run with the one that was stopped, and adds its options. The first difference is
// refused.
void go_on(const std::vector<Option>& all, Options& options) {
    const RunRecord stopped = RunRecord::load(options.resume);
    RunRecord& now = options.record;
    check(stopped.lesson == now.lesson, "--resume: {} is a run of lesson {}, this is lesson {}",
          options.resume, stopped.lesson, now.lesson);
    check(stopped.program == now.program,
          "--resume: the program of this lesson has changed since the run in {} was stopped, and "
          "with another program the results would be others; run it without --resume",
          options.resume);
    const auto value_in = [](const RunRecord& record, const std::string& name) {
        for (const auto& [other, value] : record.options)
            if (other == name) return shown(name, value);
        return "no " + name;
    };
    for (const auto& [name, value] : now.options) {
        const std::string before = value_in(stopped, name);
        if (name != "--save" && before != shown(name, value))
            fail("--resume: the run in {} was started with {}, now there is {}", options.resume,
                 before, shown(name, value));
    }
    for (const auto& [name, value] : stopped.options) {
        if (value_in(now, name) != "no " + name) continue;
        for (const Option& option : all)
            if (option.name == name) option.take(value);
        now.options.emplace_back(name, value);
        if (stopped.files.count(name)) now.files[name] = fingerprint(value);
    }
    for (const auto& [name, contents] : stopped.files)
        check(now.files[name] == contents,
              "--resume: the file of {} has changed since the run in {} was stopped", name,
              options.resume);
    now.answers = stopped.answers;
}

// Whether the folder has the results.json of a run of this lesson.
bool has_results(const About& about, const std::string& folder) {
    std::ifstream file(folder + "/results.json", std::ios::binary);
    const auto json = nlohmann::json::parse(file, nullptr, false);
    return json.is_object() && json.contains("lesson") && json["lesson"] == about.number;
}

// The folder of --resume has no stopped run. Without results of this lesson it is refused, so that no
// results are written between other files. An empty folder is refused too, because nobody knows the
// options of the run that was stopped.
void start_anew(const About& about, const std::string& folder) {
    if (has_results(about, folder)) return;
    bool empty = true;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        empty = empty && entry.path().filename() == "checkpoint";
    check(!empty,
          "--resume: there is nothing to go on with in {}, because a run saves nothing before its "
          "first training; start it again with its options and with --out {} instead of --resume",
          folder, folder);
    fail(
        "--resume: {} is not the --out folder of a run of lesson {}: expected checkpoint/run.json "
        "or the lesson's results.json in it",
        folder, about.number);
}

// What identifies the run: lesson, program, options and files.
void identify(const About& about, const std::vector<Option>& all,
              const std::vector<std::pair<std::string, std::string>>& given, Options& options) {
    RunRecord& record = options.record;
    record = {};
    record.lesson = about.number;
    record.program = fingerprint_of_program();
    for (const auto& [name, value] : given) {
        if (is_free(name)) continue;
        record.options.emplace_back(name, value);
        for (const Option& option : all)
            if (option.name == name && (option.expects == "PATH" || option.expects == "FILE") &&
                name != "--save")
                record.files[name] = fingerprint(value);
    }
    if (options.resume.empty()) return;
    for (const auto& [name, value] : given)
        check(name != "--out" || value == options.resume,
              "--out: cannot be used with --resume, which writes to {}", options.resume);
    options.out = options.resume;
    if (RunRecord::exists(options.resume))
        go_on(all, options);
    else
        start_anew(about, options.resume);
}

}  // namespace

std::string read_options(int argc, const char* const* argv, const About& about,
                         const std::vector<Option>& extra, Options& options) {
    options.out = usual_out(about.number, about.name);
    std::vector<Option> all = common_options(about, options);
    all.insert(all.begin(), extra.begin(), extra.end());

    CLI::App app(fmt::format("Lesson {}: {}.\n{}", about.number, about.title, about.question),
                 fmt::format("./heed learn {}", about.number));
    app.footer(
        "Exit status: 0 if all claims hold, 1 if one does not, 2 for wrong options or input.");
    std::vector<std::pair<std::string, std::string>> taken;
    for (const Option& option : all) {
        const auto take = [&option, &taken](const std::string& text) {
            option.take(text);
            taken.emplace_back(option.name, text);
        };
        if (option.expects.empty()) {
            app.add_flag_callback(
                option.name, [take] { take(""); }, option.help);
        } else {
            app.add_option_function<std::string>(option.name, take, option.help)
                ->type_name(option.expects);
        }
    }

    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i], name = word.substr(0, word.find('='));
        for (const Option& option : all) {
            check(!option.expects.empty() || option.name != name || word == name,
                  "{}: this option takes no value; found '{}'", name, word);
        }
    }
    try {
        app.allow_extras();
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        return app.help();
    } catch (const CLI::ArgumentMismatch& error) {
        const std::string text = error.what(), name = text.substr(0, text.find_first_of(": "));
        for (const Option& option : all) {
            if (option.name == name && !option.expects.empty())
                fail("{}: expected one {} after it, and the option only once", name,
                     option.expects);
        }
        fail("{}", text);
    } catch (const CLI::ParseError& error) {
        fail("{}", error.what());
    }
    if (!app.remaining().empty()) fail("{}", unknown(app.remaining().front(), all));
    for (const char* name : {"--steps", "--epochs"}) {
        const CLI::Option* given = app.get_option_no_throw(name);
        check(options.load.empty() || !given || given->count() == 0,
              "{}: has no effect with --load, because nothing is trained then", name);
    }
    identify(about, all, taken, options);
    const auto& given = options.record.options;
    options.changes_the_experiment =
        std::any_of(given.begin(), given.end(), [](const auto& option) {
            for (const char* same : {"--quick", "--seed", "--repeat", "--keep", "--save"})
                if (option.first == same) return false;
            return true;
        });
    return "";
}

std::int64_t parse_whole(const std::string& option, const std::string& text, std::int64_t low,
                         std::int64_t high) {
    errno = 0;
    char* end = nullptr;
    const long long value = std::strtoll(text.c_str(), &end, 10);
    const bool whole = !text.empty() && !std::isspace(static_cast<unsigned char>(text[0])) &&
                       *end == '\0' && errno == 0;
    const bool open = high >= std::numeric_limits<int>::max();
    const std::string range =
        open ? fmt::format("of {} or more", low) : fmt::format("from {} to {}", low, high);
    const bool too_large = errno == ERANGE && value > 0 && *end == '\0';
    check(!(open && too_large), "{}: expected a whole number of at most {}, found '{}'", option,
          high, text);
    check(whole && low <= value && value <= high, "{}: expected a whole number {}, found '{}'",
          option, range, text);
    return value;
}

double parse_number(const std::string& option, const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    check(!text.empty() && *end == '\0' && std::isfinite(value),
          "{}: expected a number, found '{}'", option, text);
    return value;
}

std::string parse_existing(const std::string& option, const std::string& text, DataIs is) {
    const char* expected = is == DataIs::file     ? "a file"
                           : is == DataIs::folder ? "a folder"
                                                  : "a file or a folder";
    check(!text.empty(), "{}: expected the name of {}, found nothing", option, expected);
    if (access(text.c_str(), R_OK) != 0)
        fail("{}: {}: cannot be read: {}", option, text, reason_of_system(errno));
    const std::string found = kind_of_file(text);
    if (std::string_view(expected).find(found) == std::string_view::npos)
        fail("{}: {}: expected {}, found {}", option, text, expected, found);
    return text;
}

std::string parse_choice(const std::string& option, const std::string& text,
                         const std::vector<std::string>& choices) {
    check(std::find(choices.begin(), choices.end(), text) != choices.end(),
          "{}: expected one of {}, found '{}'", option, fmt::join(choices, ", "), text);
    return text;
}

}  // namespace heed::course
