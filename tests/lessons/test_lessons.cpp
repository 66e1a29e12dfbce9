// Every lesson as a reader runs it: in quick mode its claims hold and it writes its files; errors
// name the mistyped option. Lessons are found by their programs, so a new one needs no line here.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "lessons/course/contents/woven.h"
#include "lessons/course/report/other_seeds.h"
#include "lessons/course/report/report.h"
#include "lessons/course/story/source.h"
#include "lessons/course/terminal/text.h"
#include "lessons/material/read/text_data.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"
#include "tests/course/well_formed.h"
#include "tests/lessons/run.h"

using heed::course::LessonNumber;
using heed::course::read_file;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> lesson_programs() {
    std::vector<fs::path> programs;
    for (const auto& entry : fs::directory_iterator(HEED_LESSON_DIR)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with("lesson_") && name.find('.') == std::string::npos)
            programs.push_back(entry.path());
    }
    std::sort(programs.begin(), programs.end());
    return programs;
}

// The folders of the sources: 11_translation.
std::vector<std::string> lesson_folders() {
    std::vector<std::string> folders;
    for (const auto& entry : fs::directory_iterator(HEED_SOURCE_DIR "/lessons"))
        if (fs::exists(entry.path() / "lesson.cpp") && entry.path().filename() != "course")
            folders.push_back(entry.path().filename().string());
    std::sort(folders.begin(), folders.end());
    return folders;
}

// "scores" of "10_scores"
std::string name_of(const std::string& folder) { return folder.substr(folder.find('_') + 1); }

void check_results(const nlohmann::json& results, const std::string& folder) {
    const std::set<std::string> expected{"lesson", "name",    "seed",   "quick",
                                         "data",   "seconds", "claims", "measured"};
    std::set<std::string> keys;
    for (const auto& [key, value] : results.items()) keys.insert(key);
    CHECK(keys == expected);
    CHECK(results["lesson"].get<LessonNumber>() == LessonNumber::from(folder));
    CHECK(results["name"] == name_of(folder));
    CHECK(results["seed"] == 1);
    CHECK(results["quick"] == true);
    CHECK(results["data"].is_string());
    CHECK(results["seconds"].get<double>() >= 0);
    REQUIRE(results["claims"].is_array());
    CHECK_FALSE(results["claims"].empty());
    for (const auto& claim : results["claims"]) {
        INFO(claim.dump());
        CHECK(claim.size() == 5);
        CHECK_FALSE(claim["name"].get<std::string>().empty());
        CHECK_FALSE(claim["text"].get<std::string>().empty());
        CHECK(claim["measured"].is_number());
        CHECK_FALSE(claim["expected"].get<std::string>().empty());
        CHECK(claim["holds"] == true);
    }
}

// What was measured with other seeds belongs to a claim that the lesson still makes. After a change
// of its name: ./heed learn N --quick --repeat 20 --keep
void check_spread(const nlohmann::json& results, const std::string& folder) {
    const WithHome home(HEED_SOURCE_DIR);
    std::set<std::string> claims;
    for (const char* list : {"claims", "measured"})
        for (const auto& claim : results[list]) claims.insert(claim["name"]);
    for (const auto& [name, measured] :
         heed::course::other_seeds(LessonNumber::from(folder), true)) {
        INFO(name);
        CHECK(claims.count(name) == 1);
        CHECK(measured.size() >= 10);
    }
}

// A figure has at least one shape besides the background.
void check_figure(const std::string& name, const std::string& svg) {
    INFO(name);
    int elements = 0;
    CHECK(well_formed::fault(svg, &elements) == "");
    CHECK(elements >= 4);
    int drawn = 0;
    for (const char* shape : {"<path ", "<rect ", "<circle ", "<image ", "<line ", "<polyline "})
        drawn += well_formed::occurrences(svg, shape);
    CHECK(drawn >= 2);
    CHECK(well_formed::occurrences(svg, "=\"nan") == 0);
}

// The page needs no network: all that it loads is inside, as data: URLs.
void check_report(const std::string& page, int figures, std::size_t claims) {
    int elements = 0;
    CHECK(well_formed::fault(page, &elements) == "");
    CHECK(elements > 50);
    CHECK(well_formed::occurrences(page, "http") ==
          well_formed::occurrences(page, "http://www.w3.org/2000/svg"));
    for (const char* attribute : {"src=\"", "href=\""}) {
        const std::string inside = std::string(attribute) + "data:",
                          anchor = std::string(attribute) + "#";
        CHECK(well_formed::occurrences(page, attribute) ==
              well_formed::occurrences(page, inside) + well_formed::occurrences(page, anchor));
    }
    for (const char* loads : {"<link", "@import"})
        CHECK(well_formed::occurrences(page, loads) == 0);
    CHECK(well_formed::occurrences(page, "url(") == well_formed::occurrences(page, "url(data:"));
    std::string still = page;  // without the figures that the reader can change
    int live = 0;
    for (std::size_t at; (at = still.find("<figure class=\"live\"")) != std::string::npos; ++live)
        still.erase(at, still.find("</figure>", at) - at);
    CHECK(live >= 1);
    CHECK(well_formed::occurrences(still, "<svg ") == figures);
    CHECK(well_formed::occurrences(page, "class=\"claim\"") == static_cast<int>(claims));
}

// All sections of the lesson, in their order, and nothing twice; with the numbers of the run.
void check_text(const std::string& page, const std::string& folder, const nlohmann::json& results) {
    const std::string source = read_file(HEED_SOURCE_DIR "/lessons/" + folder + "/lesson.cpp");
    heed::course::Measured own;
    for (const char* list : {"claims", "measured"})
        for (const auto& claim : results[list])
            if (claim["measured"].is_number()) own[claim["name"]] = claim["measured"];
    std::size_t at = 0;
    int sections = 0;
    for (heed::course::Passage passage : heed::course::passages_of(source, name_of(folder))) {
        passage.text = heed::course::woven(passage.written, name_of(folder), own, true);
        const std::string html = heed::course::passage_html(passage);
        INFO(passage.section << ": " << passage.text.substr(0, 60));
        const std::size_t found = page.find(html, at);
        CHECK(found != std::string::npos);
        at = std::min(found, page.size());
        CHECK(well_formed::occurrences(page, html) == 1);
        sections += passage.first;
    }
    CHECK(sections >= 4);
}

}  // namespace

TEST_CASE("lessons: each folder has its program", "[lesson]") {
    std::vector<std::string> numbers, built;
    for (const std::string& folder : lesson_folders())
        numbers.push_back(LessonNumber::from(folder).file());
    for (const fs::path& program : lesson_programs())
        built.push_back(program.filename().string().substr(7));
    REQUIRE_FALSE(numbers.empty());
    std::sort(numbers.begin(), numbers.end());
    std::sort(built.begin(), built.end());
    CHECK(std::includes(built.begin(), built.end(), numbers.begin(), numbers.end()));
}

namespace {

const std::string short_run = "--quick --no-predict --threads 1 --out '";

struct QuickRun {
    std::string folder;  // the lesson's
    Scratch scratch;
    Ended ended{};
    bool saves = false;  // whether it has --save, which is then used
    std::string out() const { return scratch.path + "/out"; }
    std::string model() const { return scratch.path + "/model"; }
    fs::path program() const {
        return HEED_LESSON_DIR "/lesson_" + LessonNumber::from(folder).file();
    }
};

// All lessons, each once; as many run at the same time as there are processors.
const std::vector<QuickRun>& quick_runs() {
    static const std::vector<QuickRun> all = [] {
        const std::vector<std::string> folders = lesson_folders();
        std::vector<QuickRun> runs(folders.size());
        std::atomic<std::size_t> next = 0;
        const auto work = [&] {
            for (std::size_t i; (i = next++) < runs.size();) {
                runs[i].folder = folders[i];
                const Ended help = run(runs[i].program(), "--help", runs[i].scratch);
                runs[i].saves = help.out.find("save the trained model") != std::string::npos;
                std::string options = short_run + runs[i].out() + "'";
                if (runs[i].saves) options += " --save '" + runs[i].model() + "'";
                runs[i].ended = run(runs[i].program(), options, runs[i].scratch);
            }
        };
        std::vector<std::thread> workers;
        for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
            workers.emplace_back(work);
        for (std::thread& worker : workers) worker.join();
        return runs;
    }();
    return all;
}

}  // namespace

TEST_CASE("lessons: in quick mode all claims hold and all files are written", "[lesson]") {
    if (too_slow_here()) return;
    for (const QuickRun& quick : quick_runs()) {
        DYNAMIC_SECTION(quick.folder) {
            INFO(quick.ended.out << quick.ended.err);
            REQUIRE(quick.ended.status == 0);
            CHECK(quick.ended.err.empty());
            CHECK(quick.ended.out.find('\x1b') == std::string::npos);  // no terminal, no colours
            std::istringstream lines(quick.ended.out);
            for (std::string line; std::getline(lines, line);) {
                INFO(line);
                CHECK((heed::course::display_width(line) <= 80 || line.starts_with("The report")));
            }

            const auto results = nlohmann::json::parse(read_file(quick.out() + "/results.json"));
            check_results(results, quick.folder);
            check_spread(results, quick.folder);
            int figures = 0;
            for (const auto& entry : fs::directory_iterator(quick.out())) {
                if (entry.path().extension() != ".svg") continue;
                ++figures;
                check_figure(entry.path().filename().string(), read_file(entry.path().string()));
            }
            CHECK(figures > 0);
            const std::string page = read_file(quick.out() + "/report.html");
            check_report(page, figures, results["claims"].size() + results["measured"].size());
            check_text(page, quick.folder, results);
        }
    }
}

TEST_CASE("lessons: a saved model is loaded instead of trained, with the same measurements",
          "[lesson]") {
    if (too_slow_here()) return;
    int saving = 0;
    for (const QuickRun& quick : quick_runs()) {
        if (!quick.saves) continue;
        ++saving;
        DYNAMIC_SECTION(quick.folder) {
            REQUIRE(fs::exists(quick.model()));
            const Scratch scratch;
            const std::string out = scratch.path + "/out";
            const Ended ended =
                run(quick.program(), short_run + out + "' --load '" + quick.model() + "'", scratch);
            INFO(ended.out << ended.err);
            CHECK(ended.status == 0);
            CHECK(std::regex_search(ended.out, std::regex("no\\s+training")));
            const auto before = nlohmann::json::parse(read_file(quick.out() + "/results.json"));
            const auto after = nlohmann::json::parse(read_file(out + "/results.json"));
            if (quick.folder != "22_transformer")  // it compares many models and saves one
                CHECK(after["claims"].size() == before["claims"].size());
            CHECK(after["claims"].size() >= 3);
            for (const auto& claim : after["claims"]) {
                INFO(claim.dump());
                CHECK(std::count(before["claims"].begin(), before["claims"].end(), claim) == 1);
            }
        }
    }
    CHECK(saving >= 3);
}

TEST_CASE("lessons: --help lists the options", "[lesson]") {
    for (const fs::path& program : lesson_programs()) {
        const Scratch scratch;
        const Ended ended = run(program, "--help", scratch);
        INFO(program << ended.err);
        CHECK(ended.status == 0);
        for (const char* option :
             {"--quick", "--seed", "--threads", "--out", "--no-predict", "--no-text", "--help"})
            CHECK(ended.out.find(option) != std::string::npos);
    }
}

TEST_CASE("lessons: errors name the wrong option, and nothing is run", "[lesson][errors]") {
    const auto option =
        GENERATE(as<std::string>{}, "--no-such-option", "--seed abc", "--seed -1", "--threads 0x",
                 "--quick=yes", "--data /no/such/file", "--load /no/such/file", "--out");
    const std::string name = option.substr(0, option.find_first_of(" ="));
    for (const fs::path& program : lesson_programs()) {
        const Scratch scratch;
        const std::string out = name == "--out" ? "" : " --out '" + scratch.path + "/out'";
        const Ended ended = run(program, "--quick --no-predict" + out + " " + option, scratch);
        INFO(program << " " << option << ": " << ended.err);
        CHECK(ended.status == 2);
        CHECK(ended.err.find(name) != std::string::npos);
        CHECK(ended.err.ends_with("\n"));
        CHECK(ended.out.empty());
        CHECK_FALSE(fs::exists(scratch.path + "/out"));
    }
}

namespace {

// The options of a lesson that expect `kind` ("N", "X"), by its --help.
std::vector<std::string> options_expecting(const std::string& kind, const std::string& help) {
    std::vector<std::string> names;
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string name, expects;
        words >> name >> expects;
        if (name.starts_with("--") && expects == kind) names.push_back(name);
    }
    return names;
}

}  // namespace

TEST_CASE("lessons: a count below one is refused", "[lesson][errors]") {
    int tried = 0;
    for (const fs::path& program : lesson_programs()) {
        const Scratch scratch;
        const std::string help = run(program, "--help", scratch).out;
        const std::string quick = "--quick --no-predict --out '" + scratch.path + "/out' ";
        for (const std::string& name : options_expecting("N", help)) {
            for (const char* value : {"0", "-3"}) {
                if (name == "--seed") continue;  // 0 is a valid seed
                const Ended ended = run(program, quick + name + " " + value, scratch);
                INFO(program << " " << name << " " << value << ": " << ended.err);
                CHECK(ended.status == 2);
                CHECK(ended.err.find(name + ": expected a whole number") != std::string::npos);
                CHECK(ended.err.find('\n') == ended.err.size() - 1);
                CHECK(ended.out.empty());
                ++tried;
            }
        }
        for (const std::string& name : options_expecting("X", help)) {
            const Ended ended = run(program, quick + name + " -1", scratch);
            INFO(program << " " << name << ": " << ended.err);
            CHECK(ended.status == 2);
            CHECK(ended.err.find(name + ": expected") != std::string::npos);
            ++tried;
        }
        CHECK_FALSE(fs::exists(scratch.path + "/out"));
    }
    CHECK(tried > 40);
}

TEST_CASE("lessons: a run with a single training step does not fail", "[lesson]") {
    if (too_slow_here()) return;
    int tried = 0;
    for (const fs::path& program : lesson_programs()) {
        const Scratch scratch;
        const auto counts = options_expecting("N", run(program, "--help", scratch).out);
        if (std::find(counts.begin(), counts.end(), "--steps") == counts.end()) continue;
        const Ended ended = run(
            program, "--quick --no-predict --steps 1 --out '" + scratch.path + "/out'", scratch);
        INFO(program << ": " << ended.err);
        CHECK((ended.status == 0 || ended.status == 1));  // a claim may fail, the lesson may not
        CHECK(fs::exists(scratch.path + "/out/report.html"));
        ++tried;
    }
    CHECK(tried >= 12);
}

TEST_CASE("lessons: options that need more memory than the machine has are refused by name",
          "[lesson][errors]") {
    const auto [lesson, options, name] = GENERATE(table<std::string, std::string, std::string>(
        {{"w1", "--size 64000000", "--size"},
         {"23", "--width 4096 --layers 48 --context 4096", "--width"}}));
    const Scratch scratch;
    const Ended ended = run(HEED_LESSON_DIR "/lesson_" + lesson,
                            "--no-predict --out '" + scratch.path + "/out' " + options, scratch);
    INFO(ended.err);
    CHECK(ended.status == 2);
    CHECK(ended.err.find(name) != std::string::npos);
    CHECK(ended.err.find("of memory are needed, and this machine has") != std::string::npos);
}

TEST_CASE("lessons: --repeat runs each seed once and shows the spread of every claim", "[lesson]") {
    const Scratch scratch;
    const std::string out = scratch.path + "/out";
    const auto repeat = [&](const std::string& options) {
        return run(HEED_LESSON_DIR "/lesson_02",
                   "--quick --threads 1 --out '" + out + "' " + options, scratch);
    };
    const Ended two = repeat("--repeat 2 --seed 5");
    INFO(two.out << two.err);
    CHECK(two.status == 0);
    CHECK(two.out.find("2 of 2: ") != std::string::npos);
    auto json = nlohmann::json::parse(read_file(out + "/seeds.json"));
    CHECK(json["seeds"] == nlohmann::json::array({5, 6}));
    REQUIRE(json["claims"].size() > 3);
    const auto alone = nlohmann::json::parse(read_file(out + "/seeds/6/results.json"));
    CHECK(alone["seed"] == 6);
    for (std::size_t i = 0; i < json["claims"].size(); ++i) {
        CHECK(json["claims"][i]["measured"].size() == 2);
        CHECK(json["claims"][i]["measured"][1] == alone["claims"][i]["measured"]);
    }

    // A seed that was run is not run again; other options, or a damaged file, are.
    const auto made = fs::last_write_time(out + "/seeds/5/results.json");
    scratch.file("out/seeds/6/results.json", "{\"claims\": [");
    CHECK(repeat("--repeat 3 --seed 5").status == 0);
    CHECK(fs::last_write_time(out + "/seeds/5/results.json") == made);
    json = nlohmann::json::parse(read_file(out + "/seeds.json"));
    CHECK(json["seeds"] == nlohmann::json::array({5, 6, 7}));
    CHECK(json["claims"][0]["measured"].size() == 3);

    CHECK(repeat("--repeat 0").err.find("--repeat: expected a whole number") != std::string::npos);
}
