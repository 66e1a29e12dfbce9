#include "lessons/heed/early.h"

#include <fmt/format.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <utility>

#include "autograd/base/edit_distance.h"
#include "autograd/base/error.h"
#include "lessons/course/lesson/options.h"
#include "lessons/course/lesson/out_folder.h"
#include "lessons/course/report/files.h"

namespace heed::course {
namespace {

namespace fs = std::filesystem;

// The names of options in a source: "--seed", alone between quotation marks. What else begins with two dashes is an
// option in a sentence, or C++.
void add_options_of(const std::string& source, std::set<std::string>& names) {
    for (std::size_t at = 0; (at = source.find("\"--", at)) != std::string::npos;) {
        std::size_t end = ++at + 2;
        while (end < source.size() &&
               (std::isalnum(static_cast<unsigned char>(source[end])) || source[end] == '-'))
            ++end;
        if (end > at + 2 && source[end] == '"') names.insert(source.substr(at, end - at));
    }
}

// The text after an option: "--out DIR" or "--out=DIR"; empty if it is not given.
std::string value_of(const Words& words, const std::string& option) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == option && i + 1 < words.size()) return words[i + 1];
        if (words[i].starts_with(option + "=")) return words[i].substr(option.size() + 1);
    }
    return "";
}

// The values of the options that all lessons have. Whether the lesson has data or a model only its program
// knows.
void check_values(const Words& words) {
    Options ignored;
    const About any{.data = "any", .data_is = DataIs::either, .saves_model = true};
    for (const Option& option : common_options(any, ignored)) {
        if (option.expects.empty()) continue;
        for (std::size_t i = 0; i < words.size(); ++i) {
            check(words[i] != option.name || i + 1 < words.size(), "{}: expected one {} after it",
                  option.name, option.expects);
            if (words[i] == option.name)
                option.take(words[i + 1]);
            else if (words[i].starts_with(option.name + "="))
                option.take(words[i].substr(option.name.size() + 1));
        }
    }
}

// The values of a lesson's own options, as far as its text says what they are: an option whose help names
// a number as what it is without, "steps of training (1200; quick 300)", takes a number.
void check_own_values(const Words& words, const std::string& source) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string name = words[i].substr(0, words[i].find('='));
        const std::size_t declared = source.find("option(\"" + name + "\",");
        if (!name.starts_with("--") || declared == std::string::npos) continue;
        const std::string help = source.substr(declared, source.find(");", declared) - declared);
        const std::size_t usual = help.find(" (");
        if (usual == std::string::npos ||
            !std::isdigit(static_cast<unsigned char>(help[usual + 2])))
            continue;
        const bool joined = name.size() < words[i].size();
        check(joined || i + 1 < words.size(), "{}: expected a number after it", name);
        const std::string value = joined ? words[i].substr(name.size() + 1) : words[i + 1];
        char* end = nullptr;
        std::strtod(value.c_str(), &end);
        check(!value.empty() && *end == '\0', "{}: expected a number, found '{}'", name, value);
    }
}

std::string in_small_letters(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

// The words before the first option choose by names whose parts stand in the sources, though not always together.
void check_filter(const Place& place, const Words& words, const Words& folders,
                  const char* message) {
    Words parts;
    for (const std::string& word : words) {
        if (word.starts_with('-')) break;
        std::string part;
        for (const char c : in_small_letters(word) + " ")
            if (std::isalpha(static_cast<unsigned char>(c)))
                part += c;
            else if (!part.empty())
                parts.push_back(std::exchange(part, ""));
    }
    std::error_code none;
    for (const std::string& folder : folders) {
        if (parts.empty()) return;
        for (const auto& entry :
             fs::recursive_directory_iterator(fs::path(place.root) / folder, none)) {
            if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
            const std::string source = in_small_letters(text_of(entry.path().string()));
            std::erase_if(parts, [&](const std::string& part) {
                return source.find(part) != std::string::npos;
            });
        }
    }
    if (!parts.empty()) fail("{}", fmt::format(fmt::runtime(message), parts[0]));
}

}  // namespace

void check_options(const Place& place, const Words& words, const std::vector<std::string>& sources,
                   const std::string& help) {
    std::set<std::string> known{"-h", "--help"};
    for (const std::string& source : sources)
        add_options_of(text_of(place.root + "/" + source), known);
    if (known.size() == 2) return;  // the sources are not here
    for (const std::string& word : words) {
        const std::string name = word.substr(0, word.find('='));
        const bool number = name.size() > 1 &&
                            (std::isdigit(static_cast<unsigned char>(name[1])) || name[1] == '.');
        const bool value = &word != words.data() && number;  // --noise -1
        if (!name.starts_with('-') || name == "-" || value || known.count(name) > 0) continue;
        if (const std::string other = meant(name, known); !other.empty())
            fail("{}: unknown option; did you mean {}?", name, other);
        fail("{}: unknown option; {} lists all options", name, help);
    }
}

void check_lesson(const Place& place, const ListedLesson& lesson, const Words& words) {
    std::vector<std::string> sources{"lessons/course/lesson/common_options.cpp",
                                     "lessons/heed/learn.cpp"};
    std::error_code none;
    for (const char* folder : {lesson.folder.c_str(), "material"})
        for (const auto& entry :
             fs::recursive_directory_iterator(fs::path(place.root) / "lessons" / folder, none))
            if (entry.path().extension() == ".cpp")
                sources.push_back(fs::relative(entry.path(), place.root).string());
    check_options(place, words, sources, "./heed learn " + lesson.number().typed() + " --help");

    check(words.empty() || words[0].starts_with('-'),
          "'{}': expected options only after the lesson; ./heed learn {} --help lists them",
          words.empty() ? "" : words[0].c_str(), lesson.number());
    for (const std::string& word : words)
        if (word == "--help" || word == "-h") return;
    check_values(words);
    check_own_values(words, text_of(place.root + "/lessons/" + lesson.folder + "/lesson.cpp"));
    if (!value_of(words, "--repeat").empty()) return;  // nothing is written there
    std::string out = value_of(words, "--out");
    if (out.empty()) out = value_of(words, "--resume");
    if (out.empty()) out = usual_out(lesson.number(), lesson.name());
    check_folder(out);
    if (is_written_by_another_run(out)) fail("{}", taken(out));
}

void check_gradcheck(const Place& place, const Words& words) {
    check_options(place, words, {"tests/gradcheck/main.cpp"}, "./heed gradcheck --help");
    check(words.empty() || words.back() != "--order", "--order: expected 1 or 2 after it");
    const std::string order = value_of(words, "--order");
    check(order.empty() || order == "1" || order == "2", "--order: expected 1 or 2, found '{}'",
          order);
    check_filter(place, words, {"tests/gradcheck", "autograd", "nn", "attention"},
                 "no gradient case has '{}' in its name; ./heed gradcheck --list lists them");
}

void check_bench(const Place& place, const Words& words) {
    check_options(place, words, {"bench/main.cpp"}, "./heed bench --help");
    check_filter(place, words, {"bench"},
                 "no workload has '{}' in its name; ./heed bench --list lists them");
}

}  // namespace heed::course
