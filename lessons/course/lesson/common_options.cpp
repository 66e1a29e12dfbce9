// The options that all lessons have. ./heed reads them too, before it builds a lesson.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include "autograd/base/error.h"
#include "autograd/base/files.h"
#include "lessons/course/lesson/options.h"
#include "lessons/course/report/files.h"

namespace heed::course {
namespace {

namespace fs = std::filesystem;

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

}  // namespace

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
         fmt::format("the folder for the results (out/{}_{})", about.number.file(), about.name),
         "DIR",
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
        {"--no-text",
         "print only what is measured, without the text of the lesson, as into a file or a pipe",
         "", [&](const std::string&) { options.text = false; }},
        {"--with-text", "print the text of the lesson into a file or a pipe, too", "",
         [&](const std::string&) { options.text_everywhere = true; }},
    };
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
        fail("{}: {}: expected {}, found {}{}", option, text, expected, found,
             found == "a pipe" ? "; write what comes out of it to a file first" : "");
    return text;
}

std::string parse_choice(const std::string& option, const std::string& text,
                         const std::vector<std::string>& choices) {
    check(std::find(choices.begin(), choices.end(), text) != choices.end(),
          "{}: expected one of {}, found '{}'", option, fmt::join(choices, ", "), text);
    return text;
}

}  // namespace heed::course
