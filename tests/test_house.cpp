// The house has floors: a library uses only those below it, and a folder of it only those before it
// in this list. So there is no circle, and a reader can start at the beginning. And the tests have
// rules of their own: none passes without checking, none shares a file with another run.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "lessons/course/contents/course_list.h"
#include "lessons/course/terminal/command_line.h"
#include "tests/autograd/check/public_functions.h"
#include "tests/catch.h"
#include "tests/lessons/training_lessons.h"

namespace {

namespace fs = std::filesystem;
using namespace heed;
using Names = std::vector<std::string>;

const Names libraries{"autograd", "nn", "attention", "mpi", "lessons"};
const std::map<std::string, Names> folders{
    {"autograd", {"base", "kernels", "tensor", "record", "ops", "backward", "check"}},
    {"autograd/ops", {"support", "elementwise", "shape", "reduce", "index", "product", "fused"}},
    {"nn", {"module", "saved", "text", "data", "layers", "recurrent", "optim", "train"}},
    {"attention",
     {"scores", "laws", "hard", "fused", "heads", "decoding", "recurrent", "transformer",
      "modalities", "graph", "efficient", "states"}},
    {"lessons/course",
     {"terminal", "contents", "pages", "figures", "live", "story", "report", "lesson", "exercise",
      "book"}},
    {"lessons/material", {"training", "read", "sound", "corpora", "translation", "chat"}}};

std::ptrdiff_t index_in(const Names& names, const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? -1 : found - names.begin();
}

// Why a file in `folder` of `house` may not include `header`; empty if it may.
std::string complaint(const std::string& house, const std::string& folder,
                      const std::string& header) {
    const std::string library = house.substr(0, house.find('/'));
    const std::string other = header.substr(0, header.find('/'));
    if (index_in(libraries, other) > index_in(libraries, library)) return "a library above";
    if (house == "lessons/course" && header.rfind("lessons/material/", 0) == 0)
        return "what a lesson is about, which its machinery does not know";
    if (house == "lessons/course" && (other == "nn" || other == "attention"))
        return "models, which the machinery of the lessons does not know";
    if (header.compare(0, house.size() + 1, house + "/") != 0) return "";
    const std::string rest = header.substr(house.size() + 1);
    const std::size_t slash = rest.find('/');
    if (slash == std::string::npos) return "the umbrella header";
    const Names& order = folders.at(house);
    const std::ptrdiff_t there = index_in(order, rest.substr(0, slash));
    if (there < 0) return "a folder that is not in the list";
    return there > index_in(order, folder) ? "a folder further on" : "";
}

TEST_CASE("each folder uses only those before it", "[house]") {
    const std::regex include("#include \"([^\"]+)\"");
    for (const auto& [house, order] : folders) {
        std::set<std::string> seen;
        for (const auto& entry :
             fs::recursive_directory_iterator(fs::path(HEED_SOURCE_DIR) / house)) {
            const std::string extension = entry.path().extension().string();
            if (extension != ".h" && extension != ".cpp") continue;
            const fs::path room =
                fs::relative(entry.path().parent_path(), fs::path(HEED_SOURCE_DIR) / house);
            const std::string folder = room.begin()->string();
            if (folder == ".") continue;
            if (entry.path().filename() == "write.h") continue;  // for the reader's answers alone
            INFO(entry.path().string());
            CHECK(index_in(order, folder) >= 0);
            seen.insert(folder);
            std::ifstream file(entry.path());
            std::smatch match;
            for (std::string line; std::getline(file, line);) {
                if (!std::regex_search(line, match, include)) continue;
                INFO(line);
                CHECK(complaint(house, folder, match[1]) == "");
            }
        }
        CHECK(seen.size() == order.size());
    }
}

// The three libraries use the standard library and fmt; only mpi/ uses MPI, if there is one.
TEST_CASE("MPI is used in its own folder only", "[house]") {
    const std::regex foreign("#include [<\"](mpi\\.h|mpi/[^\"]*)[>\"]");
    for (const char* library : {"autograd", "nn", "attention"})
        for (const auto& entry :
             fs::recursive_directory_iterator(fs::path(HEED_SOURCE_DIR) / library)) {
            if (!entry.is_regular_file()) continue;
            std::ifstream file(entry.path());
            for (std::string line; std::getline(file, line);) {
                INFO(entry.path().string() << ": " << line);
                CHECK_FALSE(std::regex_search(line, foreign));
            }
        }
    CHECK(std::regex_search(std::string("#include <mpi.h>"), foreign));
}

TEST_CASE("an include that goes up is noticed", "[house]") {
    CHECK(complaint("autograd", "tensor", "autograd/base/shape.h") == "");
    CHECK(complaint("autograd", "tensor", "autograd/tensor/node.h") == "");
    CHECK(complaint("autograd", "tensor", "autograd/ops/elementwise/unary.h") ==
          "a folder further on");
    CHECK(complaint("autograd/ops", "reduce", "autograd/ops/index/sort.h") ==
          "a folder further on");
    CHECK(complaint("autograd/ops", "index", "autograd/ops/reduce/reductions.h") == "");
    CHECK(complaint("autograd/ops", "fused", "autograd/record/record.h") == "");
    CHECK(complaint("autograd", "check", "nn/layers/layers.h") == "a library above");
    CHECK(complaint("nn", "layers", "autograd/ops/elementwise/unary.h") == "");
    CHECK(complaint("nn", "train", "mpi/mpi_ranks.h") == "a library above");
    CHECK(complaint("lessons/course", "book", "lessons/material/read/sound.h") ==
          "what a lesson is about, which its machinery does not know");
    CHECK(complaint("lessons/course", "lesson", "nn/train/checkpoint.h") ==
          "models, which the machinery of the lessons does not know");
    CHECK(complaint("lessons/course", "lesson", "autograd/base/error.h") == "");
    CHECK(complaint("nn", "layers", "nn/nn.h") == "the umbrella header");
    CHECK(complaint("nn", "layers", "nn/other/file.h") == "a folder that is not in the list");
}

// The highest library that a file of the lessons needs for linking: by its includes, and by those of the
// lessons' headers that it includes. Sources of lessons/material are linked together with all three.
std::string needed_by(const fs::path& file, std::set<std::string>& seen) {
    const std::regex include("#include \"((\\w+)/[^\"]+)\"");
    std::string needed = "autograd";
    std::ifstream lines(file);
    std::smatch match;
    for (std::string line; std::getline(lines, line);) {
        if (!std::regex_search(line, match, include) || !seen.insert(match[1]).second) continue;
        const fs::path header = fs::path(HEED_SOURCE_DIR) / match[1].str();
        std::string other = match[2];
        if (other == "lessons") {
            const bool linked = match[1].str().rfind("lessons/material/", 0) == 0 &&
                                fs::exists(fs::path(header).replace_extension(".cpp"));
            other = linked ? "attention" : needed_by(header, seen);
        }
        if (other == "mpi") other = "nn";
        if (index_in(libraries, other) > index_in(libraries, needed)) needed = other;
    }
    return needed;
}

TEST_CASE("course.toml says which library a lesson needs: the highest that its sources include",
          "[house]") {
    std::set<std::string> all;
    for (const auto& lesson : heed::course::course_lessons(HEED_SOURCE_DIR)) {
        std::string needed = "autograd";
        std::set<std::string> seen;
        for (const auto& file :
             fs::directory_iterator(fs::path(HEED_SOURCE_DIR) / "lessons" / lesson.folder)) {
            if (!file.is_regular_file()) continue;
            const std::string one = needed_by(file.path(), seen);
            if (index_in(libraries, one) > index_in(libraries, needed)) needed = one;
        }
        INFO(lesson.folder);
        CHECK(lesson.needs == needed);
        all.insert(needed);
    }
    CHECK(all.size() == 3);  // each of them is what some lesson needs
}

// What is wrong with a line of a test; empty if nothing. tests/main.cpp sees to the rest: a test that
// checks nothing fails, and each run has its own current and temporary folder.
std::string fault_of_test(const std::string& line) {
    static const std::regex skips("(sanitized|getenv|system\\().*\\breturn;"),
        shared("\"/tmp|\"/var/tmp|tmpnam|HEED_BUILD_DIR\\) */"),
        margin("Approx\\([^()]*1e-[0-9]+[^()]*\\)\\.margin|WithinAbs\\( *[0-9.]*e-"),
        reduced("sanitized *\\?"), clock("(seconds|elapsed|duration)[^;]* < [0-9.]+\\);");
    if (std::regex_search(line, skips) && line.find("skipped(") == std::string::npos)
        return "a test that returns is counted as passed: say skipped(reason), tests/skipped.h";
    if (std::regex_search(line, shared))
        return "a fixed name that two runs share: use the current folder, which is each run's own";
    if (std::regex_search(line, margin)) return "an absolute margin for a small number";
    if (std::regex_search(line, reduced)) return "a test that is smaller under the sanitizers";
    if (std::regex_search(line, clock))
        return "an upper bound on time, which a busy machine breaks";
    return "";
}

TEST_CASE(
    "no test is skipped in silence, reduced, bounded in time, or shares a file with another run",
    "[house]") {
    int files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(HEED_SOURCE_DIR "/tests")) {
        const std::string extension = entry.path().extension().string();
        if ((extension != ".cpp" && extension != ".h") ||
            entry.path().filename() == "test_house.cpp")
            continue;
        ++files;
        std::ifstream file(entry.path());
        int number = 0;
        for (std::string line; std::getline(file, line);) {
            INFO(entry.path().string() << ":" << ++number << ": " << line);
            CHECK(fault_of_test(line) == "");
        }
    }
    CHECK(files > 100);
}

TEST_CASE("what the rules for tests refuse", "[house]") {
    for (const char* line :
         {"    if (sanitized) return;", "    if (sanitized) return;  // slow there",
          "    if (!getenv(\"X\")) return;", "    const int n = sanitized ? 10 : 1000;",
          "    const auto folder = \"/tmp/heed_test\";", "    CHECK(report.seconds < 1);",
          "    CHECK(y == Approx(1e-9).margin(1e-6));"})
        CHECK(fault_of_test(line) != "");
    for (const char* line :
         {"    if (sanitized && skipped(\"no block waits there\")) return;",
          "    CHECK(y == Approx(1e-9).epsilon(1e-6));", "    CHECK(report.seconds >= 0.05);",
          "    if (found == names.end()) return;"})
        CHECK(fault_of_test(line) == "");
}

TEST_CASE("no claim of a lesson judges the speed of the reader's machine", "[house]") {
    const std::regex judged(
        "claim\\(\\s*\"[^\"]*\",\\s*\"[^\"]*(seconds|speed|faster|slower|time of|GFLOP|times as)");
    std::set<std::string> claiming;  // the lessons that make a claim
    for (const auto& entry : fs::recursive_directory_iterator(HEED_SOURCE_DIR "/lessons")) {
        if (entry.path().extension() != ".cpp") continue;
        std::stringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        const std::string source = text.str();
        INFO(entry.path().string());
        std::smatch match;
        CHECK_FALSE(std::regex_search(source, match, judged));
        const std::string folder = entry.path().parent_path().filename().string();
        if (source.find(".claim(") != std::string::npos ||
            source.find("->claim(") != std::string::npos)
            claiming.insert(folder);
    }
    for (const auto& lesson : heed::course::course_lessons(HEED_SOURCE_DIR))
        CHECK(claiming.count(lesson.folder) == 1);
    CHECK(std::regex_search(std::string("claim(\n    \"cache\", \"seconds without the cache\", x"),
                            judged));
}

// A lesson is a library with a namespace of its own. Its folder explains itself: these are the names of
// its files, and a few files more, each with one idea of its lesson.
const Names lesson_files{"lesson", "live", "experiment", "model", "models", "pictures", "data"};
const std::map<std::string, Names> more_files{{"w2_second_order", {"planted_bugs"}},
                                              {"05_probabilities", {"tape"}},
                                              {"22_transformer", {"deep_stack"}},
                                              {"23_language_model", {"counts", "names"}},
                                              {"26_graphs", {"cora"}},
                                              {"28_two_modalities", {"digits"}}};

// "lesson10" of "10_scores", "workshop3" of "w3_batches".
std::string space_of(const std::string& folder) {
    const auto number = heed::course::LessonNumber::from(folder);
    return number.workshop ? "workshop" + number.file().substr(1) : "lesson" + number.file();
}

// What is wrong with a file of a lesson; empty if nothing.
std::string fault_of_lesson_file(const std::string& folder, const fs::path& file,
                                 const std::string& text) {
    const std::string stem = file.stem().string();
    const auto more = more_files.find(folder);
    const bool figure = stem == "live" || stem.rfind("live_", 0) == 0;
    if (!figure && index_in(lesson_files, stem) < 0 &&
        (more == more_files.end() || index_in(more->second, stem) < 0))
        return "a name that is not in the list";
    if (text.find("\nnamespace heed::" + space_of(folder) + " {\n") == std::string::npos)
        return "not in the namespace of the lesson";
    if (file.extension() == ".cpp" && stem != "lesson" && !figure &&
        text.rfind("#include \"lessons/" + folder + "/" + stem + ".h\"\n", 0) != 0)
        return "no header of its own name";
    return "";
}

TEST_CASE("the files of a lesson have the names of the list and the namespace of the lesson",
          "[house]") {
    std::size_t more = 0;
    for (const auto& folder : fs::directory_iterator(HEED_SOURCE_DIR "/lessons")) {
        if (!fs::exists(folder.path() / "lesson.cpp")) continue;
        for (const auto& file : fs::directory_iterator(folder)) {
            const std::string extension = file.path().extension().string();
            if (extension != ".h" && extension != ".cpp") continue;
            std::stringstream text;
            text << std::ifstream(file.path()).rdbuf();
            INFO(file.path().string());
            CHECK(fault_of_lesson_file(folder.path().filename().string(), file.path(),
                                       text.str()) == "");
            more += extension == ".h" && index_in(lesson_files, file.path().stem().string()) < 0;
        }
    }
    std::size_t listed = 0;
    for (const auto& [folder, names] : more_files) listed += names.size();
    CHECK(more == listed);
}

// What GCC on Linux takes and another compiler or machine does not, or does differently; empty if nothing.
std::string fault_elsewhere(const std::string& source) {
    static const std::regex both("\\brng\\)+\\s*[-+*/]\\s[^;]*\\brng\\)"), comment("//[^\n]*"),
        smaller("std::(min|max)\\([^;]*std::ssize");
    const std::string code = std::regex_replace(source, comment, "");
    // C++ does not say which side of an operator is evaluated first, and GCC and Clang differ.
    if (std::regex_search(code, both))
        return "random numbers drawn on both sides of an operator, which are others in a page";
    // std::ssize() is a long here and int64_t a long long in a page, or the other way round.
    if (std::regex_search(code, smaller)) return "std::min or max of std::ssize without <int64_t>";
    return "";
}

TEST_CASE("what compiles and computes here does so in a page, too", "[house]") {
    int files = 0;
    for (const char* room : {"autograd", "nn", "attention", "lessons", "tests"})
        for (const auto& file :
             fs::recursive_directory_iterator(fs::path(HEED_SOURCE_DIR) / room)) {
            const std::string extension = file.path().extension().string();
            if (extension != ".h" && extension != ".cpp") continue;
            std::stringstream text;
            text << std::ifstream(file.path()).rdbuf();
            INFO(file.path().string());
            CHECK(fault_elsewhere(text.str()) == "");
            ++files;
        }
    CHECK(files > 500);
    CHECK(fault_elsewhere("x = normal({2}, 0, 1, r"
                          "ng) + normal({3}, 0, 1, r"
                          "ng);") != "");
    CHECK(fault_elsewhere("n = std::min(count, std::s"
                          "size(all) / 2);") != "");
    CHECK(fault_elsewhere("n = std::min<int64_t>(count, std::ssize(all) / 2);") == "");
}

// The browser's build compiles each of these files by itself.
TEST_CASE("a live figure includes what it draws with, and its plots keep their legend", "[house]") {
    const std::regex draws("\\b(LinePlot|BarChart|HeatMap|Diagram|ShadedText|Arrows|to_svg)\\b"),
        includes("#include \"lessons/(course/figures/|course/course.h|\\w+/pictures.h)");
    const auto fault = [&](const std::string& source) {
        return std::regex_search(source, draws) && !std::regex_search(source, includes);
    };
    for (const auto& lesson : heed::course::course_lessons(HEED_SOURCE_DIR))
        for (const auto& file :
             fs::directory_iterator(HEED_SOURCE_DIR "/lessons/" + lesson.folder)) {
            if (file.path().filename().string().rfind("live", 0) != 0) continue;
            std::stringstream text;
            text << std::ifstream(file.path()).rdbuf();
            INFO(file.path().string());
            CHECK_FALSE(fault(text.str()));
            // Names at the ends of lines come and go as the lines move, and the page would jump.
            const auto count = [&](const std::string& word) {
                const std::string source = text.str();
                const std::regex each(word);
                return std::distance(std::sregex_iterator(source.begin(), source.end(), each),
                                     std::sregex_iterator());
            };
            CHECK(count("\\bLinePlot \\w") <= count("names_at_ends = false"));
        }
    CHECK(fault("#include \"lessons/course/live/live.h\"\nLinePlot plot;\n"));
}

TEST_CASE("what the rules for lessons refuse", "[house]") {
    const std::string folder = "05_probabilities", open = "\nnamespace heed::lesson05 {\n";
    const std::string own = "#include \"lessons/05_probabilities/data.h\"\n";
    CHECK(fault_of_lesson_file(folder, "data.cpp", own + open) == "");
    CHECK(fault_of_lesson_file(folder, "data.h", open) == "");
    CHECK(fault_of_lesson_file(folder, "tape.h", open) == "");
    CHECK(fault_of_lesson_file(folder, "lesson.cpp", open) == "");
    CHECK(fault_of_lesson_file(folder, "weather.h", open) == "a name that is not in the list");
    CHECK(fault_of_lesson_file(folder, "data.h", "\nnamespace heed::lesson06 {\n") ==
          "not in the namespace of the lesson");
    CHECK(fault_of_lesson_file(folder, "model.cpp", own + open) == "no header of its own name");
}

TEST_CASE("what the browser's build compiles does without std::ranges", "[house]") {
    // Its standard library, that of Clang 14, has no algorithms there.
    for (const char* folder : {"autograd", "nn", "attention", "lessons"})
        for (const auto& entry :
             fs::recursive_directory_iterator(std::string(HEED_SOURCE_DIR "/") + folder)) {
            const std::string kind = entry.path().extension().string();
            if (kind != ".cpp" && kind != ".h") continue;
            INFO(entry.path().string());
            CHECK(heed::read_file(entry.path().string()).find("std::ranges::") ==
                  std::string::npos);
        }
}

TEST_CASE("no source of the lessons or the tests includes another source", "[house]") {
    const std::regex source("^ *#include [\"<][^\">]*\\.cpp[\">]");
    for (const char* folder : {"/lessons", "/tests"})
        for (const auto& entry :
             fs::recursive_directory_iterator(HEED_SOURCE_DIR + std::string(folder))) {
            const std::string extension = entry.path().extension().string();
            if (extension != ".h" && extension != ".cpp") continue;
            std::ifstream file(entry.path());
            int number = 0;
            for (std::string line; std::getline(file, line);) {
                INFO(entry.path().string() << ":" << ++number << ": " << line);
                CHECK_FALSE(std::regex_search(line, source));
            }
        }
    CHECK(std::regex_search(std::string("#include \"lessons/05_probabilities/data.cpp\""), source));
}

TEST_CASE("a lesson that reads the reader's data says so, and the other way round", "[house]") {
    int reading = 0;
    for (const auto& folder : fs::directory_iterator(HEED_SOURCE_DIR "/lessons")) {
        if (!fs::exists(folder.path() / "lesson.cpp")) continue;
        bool reads = false, says = false;  // --data is refused without the second
        for (const auto& entry : fs::directory_iterator(folder)) {
            if (entry.path().extension() != ".cpp") continue;
            std::stringstream text;
            text << std::ifstream(entry.path()).rdbuf();
            reads |= text.str().find("options().data") != std::string::npos;
            says |= text.str().find(".data = \"") != std::string::npos;
        }
        INFO(folder.path().string());
        CHECK(reads == says);
        reading += reads;
    }
    CHECK(reading > 10);
}

TEST_CASE("a lesson saves what it trains, or refuses --resume", "[house]") {
    int training = 0;
    for (const LessonSources& lesson : sources_of_lessons()) {
        INFO("lesson " << lesson.number);
        CHECK(lesson.trains == lesson.saves);
        training += lesson.trains;
    }
    CHECK(training > 20);
}

TEST_CASE("what another file of a lesson shows comes after the text above its call", "[house]") {
    // Its functions take the lesson as AtCall (lessons/course/lesson/lesson.h), which has an arrow and no dot.
    static const std::regex shown(
        "(^|[^\"\\w])lesson\\.(show|keep|table|listing|say|heading|claim|measured|reveal|predict)\\(");
    int files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(HEED_SOURCE_DIR "/lessons")) {
        const fs::path& path = entry.path();
        const std::string folder = path.parent_path().filename().string(),
                          kind = path.extension().string();
        if ((kind != ".cpp" && kind != ".h") || path.filename() == "lesson.cpp" ||
            !std::regex_match(folder, std::regex("(\\d\\d|w\\d+)_.*")))
            continue;
        ++files;
        std::ifstream source(path);
        for (std::string line; std::getline(source, line);) {
            INFO(path.string() << ": " << line);
            CHECK((line.find("//") != std::string::npos || !std::regex_search(line, shown)));
        }
    }
    CHECK(files > 100);
    CHECK(std::regex_search(std::string("    lesson.show(\"first_word\", plot,"), shown));
}

TEST_CASE("each run of the tests has a folder of its own, for files of any name", "[house]") {
    CHECK(fs::current_path() == fs::temp_directory_path());
    CHECK(fs::current_path().filename().string().rfind("heed_tests_", 0) == 0);
}

// The headers below these folders, read.
PublicFunctions headers_of(const Names& roots, std::set<std::string>& enums,
                           const std::set<std::string>& left_out = {}) {
    PublicFunctions all;
    for (const std::string& root : roots)
        for (const auto& entry :
             fs::recursive_directory_iterator(fs::path(HEED_SOURCE_DIR) / root)) {
            if (entry.path().extension() != ".h" || left_out.count(entry.path().filename()))
                continue;
            std::stringstream text;
            text << std::ifstream(entry.path()).rdbuf();
            all.read(text.str());
            const std::string code = code_of(text.str());
            static const std::regex of_enum("\\benum (?:class |struct )?(\\w+)");
            for (std::sregex_iterator i(code.begin(), code.end(), of_enum), end; i != end; ++i)
                enums.insert((*i)[1]);
        }
    return all;
}

// The first name in a declaration of a member that begins with whatever was in memory; empty if
// there is none. Types of the standard library and of heed begin as their constructors say.
std::string uninitialised(const std::string& declaration, const std::set<std::string>& enums) {
    static const std::regex form(
        "^ *(?:mutable |const )*((?:std::)?\\w+)(?: const)?( ?\\*+ ?(?:const )?| )(.*)$"),
        number(
            "(?:std::)?(?:bool|char|short|int|long|unsigned|float|double|u?int\\d+_t|s?size_t|"
            "ptrdiff_t)");
    std::smatch match;
    if (declaration.find('(') != std::string::npos || !std::regex_match(declaration, match, form))
        return "";
    const bool pointer = match[2].str().find('*') != std::string::npos;
    if (!pointer && !std::regex_match(match[1].str(), number) && !enums.count(match[1])) return "";
    std::stringstream names(match[3]);
    for (std::string name; std::getline(names, name, ',');)
        if (name.find_first_of("={") == std::string::npos) return name;
    return "";
}

TEST_CASE("every number, flag and pointer in a struct of a header has a first value", "[house]") {
    std::set<std::string> enums;
    const PublicFunctions headers =
        headers_of({"autograd", "nn", "attention", "mpi", "lessons/course"}, enums);
    int checked = 0;
    for (const auto& [name, members] : headers.members()) {
        std::stringstream declarations(members);
        for (std::string declaration; std::getline(declarations, declaration, ';'); ++checked) {
            INFO(name << ": " << declaration);
            CHECK(uninitialised(declaration, enums) == "");
        }
    }
    CHECK(checked > 1000);
}

TEST_CASE("what counts as a member without a first value", "[house]") {
    const std::set<std::string> enums{"Kind"};
    for (const char* bad :
         {" double eps", "int64_t a = 0, b", "const Node* node", "T *x", "Kind kind",
          "std::size_t n", "bool flag", "mutable int n", "const char* name"})
        CHECK(uninitialised(bad, enums) != "");
    for (const char* good :
         {"double eps = 1e-5", "int64_t a = 0, b = 0", "Node* node = nullptr", "Kind kind {}",
          "Tensor x", "std::string name", "std::vector<int> list",
          "std::function<void(int64_t step)> f", "Rng& rng"})
        CHECK(uninitialised(good, enums) == "");
}

// Integer and Flag of autograd/base/arguments.h. In kernels and in what they share plain numbers will do.
TEST_CASE("functions take axes, counts and flags that nothing else converts to", "[house]") {
    std::set<std::string> enums;
    const PublicFunctions headers =
        headers_of({"autograd/tensor", "autograd/ops", "nn/layers", "attention/scores",
                    "attention/heads", "attention/hard"},
                   enums, {"rows.h", "scaling.h", "storage.h", "node.h", "shapes.h"});
    static const std::regex plain(
        "(^|[,(]) *(const )?(int|int64_t|std::size_t|bool)( \\w+)?( =[^,]*)?[,)]");
    int checked = 0;
    for (const auto& f : headers.signatures()) {
        if (f.name.rfind("fail_", 0) == 0) continue;
        INFO(f.owner << " " << f.name << "(" << f.parameters);
        CHECK_FALSE(std::regex_search(f.parameters, plain));
        ++checked;
    }
    CHECK(checked > 200);
}

// What the programs of the course read without being told its name: the reader's answers and records, results of
// earlier runs. These files read what is the house's own, or what the build and the system have written.
TEST_CASE("what lies in a reader's folders is read by read_regular_file", "[house]") {
    const std::set<std::string> of_the_house{"lessons/course/book/chapters.cpp",
                                             "lessons/course/story/source.cpp",
                                             "lessons/course/report/files.cpp",
                                             "lessons/course/report/other_seeds.cpp",
                                             "lessons/course/lesson/memory.cpp",
                                             "lessons/course/lesson/checkpoints.cpp",
                                             "lessons/course/contents/course_list.cpp",
                                             "lessons/course/contents/kept_seeds.cpp",
                                             "lessons/heed/tests.cpp",
                                             "lessons/heed/builder.cpp",
                                             "lessons/heed/book.cpp"};
    const std::regex reads("\\bifstream\\b|\\bread_file\\(|\\bfopen\\(");
    std::set<std::string> reading;
    for (const char* folder : {"course", "exercise", "heed", "mine", "experiments", "book", "chat"})
        for (const auto& entry :
             fs::recursive_directory_iterator(fs::path(HEED_SOURCE_DIR) / "lessons" / folder)) {
            const std::string extension = entry.path().extension().string();
            if (extension != ".h" && extension != ".cpp") continue;
            std::stringstream text;
            text << std::ifstream(entry.path()).rdbuf();
            if (std::regex_search(code_of(text.str()), reads))
                reading.insert(fs::relative(entry.path(), HEED_SOURCE_DIR).string());
        }
    CHECK(reading == of_the_house);
}

// A window may be changed while a program runs: who keeps its screen asks for its size each time.
TEST_CASE("the size of a kept screen is not used", "[house]") {
    const std::regex kept("\\bscreen_\\.(width|height|measure|limit)|\\bscreen_[,)]");
    int files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(HEED_SOURCE_DIR "/lessons")) {
        const std::string extension = entry.path().extension().string();
        if (extension != ".h" && extension != ".cpp") continue;
        std::stringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        INFO(entry.path().string());
        CHECK_FALSE(std::regex_search(code_of(text.str()), kept));
        ++files;
    }
    CHECK(files > 300);
}

TEST_CASE("an option with decimals is checked by number_between(), which refuses nan", "[house]") {
    const std::regex range("CLI::Range\\([^)]*[.e][^)]*\\)");
    for (const char* root : {"lessons", "bench", "tests/gradcheck"})
        for (const auto& entry :
             fs::recursive_directory_iterator(fs::path(HEED_SOURCE_DIR) / root)) {
            if (entry.path().extension() != ".cpp") continue;
            std::stringstream text;
            text << std::ifstream(entry.path()).rdbuf();
            INFO(entry.path().string());
            CHECK_FALSE(std::regex_search(code_of(text.str()), range));
        }
    const auto one = heed::course::number_between(0, 1);
    for (const char* wrong : {"nan", "inf", "-1", "1.01", "x", ""}) CHECK(one(wrong) != "");
    CHECK(one("0.5") == "");
    CHECK(heed::course::command_line_fault("--top-p: " + one("nan"), "./heed chat") ==
          "--top-p: expected a number from 0 to 1, found 'nan'");
}

// The writers of files, in all that is not a test.
TEST_CASE("no file is written without a look at what has its name", "[house]") {
    const std::regex writes(
        "\\bofstream\\b|\\brename\\(|O_CREAT|copy_file\\(|\\bfopen\\([^;]*\"[wa]");
    int writers = 0;
    for (const char* root :
         {"autograd", "nn", "attention", "mpi", "lessons", "bench", "tests/gradcheck"})
        for (const auto& entry :
             fs::recursive_directory_iterator(fs::path(HEED_SOURCE_DIR) / root)) {
            const std::string extension = entry.path().extension().string();
            if (extension != ".h" && extension != ".cpp") continue;
            std::stringstream text;
            text << std::ifstream(entry.path()).rdbuf();
            const std::string code = code_of(text.str());
            if (!std::regex_search(code, writes)) continue;
            INFO(entry.path().string());
            CHECK((code.find("file_to_write(") != std::string::npos ||
                   code.find("kind_of_file(") != std::string::npos));
            ++writers;
        }
    CHECK(writers >= 6);
}

}  // namespace
