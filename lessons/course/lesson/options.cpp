#include "lessons/course/lesson/options.h"

// CLI11 includes <regex>, for which GCC 12 warns wrongly under sanitizers (GCC bug 105562).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "autograd/base/edit_distance.h"
#include "autograd/base/error.h"
#include "autograd/base/input_file.h"
#include "lessons/course/report/files.h"

namespace heed::course {
namespace {

namespace fs = std::filesystem;

std::string unknown(const std::string& word, const std::vector<Option>& options) {
    if (!word.starts_with("-"))
        return fmt::format("'{}': expected options only; --help lists them", word);
    const std::string name = word.substr(0, word.find('='));
    std::vector<std::string> names;
    for (const Option& option : options) names.push_back(option.name);
    if (const std::string other = meant(name, names); !other.empty())
        return fmt::format("{}: unknown option; did you mean {}?", name, other);
    return fmt::format("{}: unknown option; --help lists all options", name);
}

// Options that change no result, so a run that is resumed may have others.
bool is_free(const std::string& name) {
    for (const char* free :
         {"--threads", "--out", "--resume", "--no-predict", "--no-text", "--with-text"})
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
    const std::string path = folder + "/results.json";
    if (!fs::exists(path)) return false;
    const auto json = nlohmann::json::parse(read_regular_file(path), nullptr, false);
    return json.is_object() && json.contains("lesson") &&
           json["lesson"] == nlohmann::json(about.number);
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

    CLI::App app(fmt::format("{}: {}{}\n{}", about.number.titled(), about.title,
                             about.title.ends_with('?') || about.title.ends_with('!') ? "" : ".",
                             about.question),
                 "./heed learn " + about.number.typed());
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
            if (option.name != name || option.expects.empty()) continue;
            const auto times = std::count_if(argv + 1, argv + argc, [&](const char* word) {
                return std::string(word) == name || std::string(word).starts_with(name + "=");
            });
            if (times > 1) fail("{}: expected the option once, found it {} times", name, times);
            fail("{}: expected one {} after it", name, option.expects);
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
    check(options.text || !options.text_everywhere,
          "--with-text and --no-text: expected one of them");
    check(!options.keep || options.repeat > 0,
          "--keep: only with --repeat N, because it keeps the spread over N seeds");
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

}  // namespace heed::course
