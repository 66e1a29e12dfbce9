// ./heed without arguments: the lessons with their times and ticks, and the reader's predictions.
// The script runs in a temporary copy with three lessons and records.
#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "lessons/course/terminal/text.h"
#include "lessons/material/read/text_data.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"
#include "tests/lessons/run.h"
#include "tests/lessons/terminal.h"

namespace fs = std::filesystem;
using heed::course::display_width;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

struct Home : Scratch {
    Home() {
        fs::copy(HEED_SOURCE_DIR "/heed", path);
        fs::create_directories(path + "/lessons");
        fs::create_directories(path + "/.heed");
        for (const char* script : {"contents.awk", "calibration.awk"})
            fs::copy(HEED_SOURCE_DIR "/lessons/" + std::string(script), path + "/lessons");
        lesson("01_one", "One");
        lesson("09_nine", "Nine is a title of more words than one");
        lesson("10_ten", "Ten");
        file("lessons/times", "# seconds\n01_one 7\n09_nine 89\n10_ten 170\n");
    }
    void lesson(const std::string& folder, const std::string& title) const {
        fs::create_directories(path + "/lessons/" + folder);
        file("lessons/" + folder + "/lesson.cpp", "//! # " + title + "\n//!\n//! Words.\n");
    }
    // The line that contains this text.
    std::string line(const std::string& part) const {
        const std::string out = run(path + "/heed", "", *this).out;
        for (const std::string& line : lines_of(out))
            if (line.find(part) != std::string::npos) return line;
        return out;
    }
};

}  // namespace

TEST_CASE("contents: each lesson has a time, of at most five minutes", "[lesson]") {
    std::map<std::string, int> seconds;
    for (const std::string& line : heed::course::read_lines(HEED_SOURCE_DIR "/lessons/times")) {
        if (line.starts_with("#")) continue;
        std::istringstream in(line);
        std::string folder;
        int value = 0;
        REQUIRE(in >> folder >> value);
        CHECK(seconds.emplace(folder, value).second);
        CHECK(value >= 1);
        CHECK(value <= 300);
    }
    std::set<std::string> timed, folders;
    for (const auto& [folder, value] : seconds) timed.insert(folder);
    for (const auto& entry : fs::directory_iterator(HEED_SOURCE_DIR "/lessons"))
        if (fs::exists(entry.path() / "lesson.cpp") && entry.path().filename() != "course")
            folders.insert(entry.path().filename().string());
    CHECK(timed == folders);

    const std::string shown = run(HEED_SOURCE_DIR "/heed", "", Scratch()).out;
    for (const std::string& folder : folders) {
        const std::size_t at = shown.find(" " + folder.substr(0, 2) + "  ");
        REQUIRE(at != std::string::npos);
        const std::string line = shown.substr(at, shown.find('\n', at) - at);
        INFO(line);
        // The reader may have written exercises already.
        CHECK(std::regex_search(line, std::regex("( s| min| quick mode)(, [0-9]+ written)?$")));
    }
}

TEST_CASE("contents: the time of the reader's own run replaces the expected one", "[lesson]") {
    const Home home;
    const std::string nine = "  Nine is a title of more words than one   ";
    const std::string ten = "10  Ten                                      ";
    CHECK(home.line("Nine") == "    09" + nine + "about 89 s");
    CHECK(home.line("Ten") == "    " + ten + "about 3 min");

    const auto progress = [&](const std::string& lines) { home.file(".heed/progress.tsv", lines); };
    progress("9\tnine\td\t125.4\t4\t5\tfull\n10\tten\td\t2.6\t5\t5\tquick\n");
    CHECK(home.line("Nine") == "    09" + nine + "about 89 s");     // one claim did not hold
    CHECK(home.line("Ten") == "    " + ten + "3 s in quick mode");  // a quick run is no tick
    for (const char* damaged : {"10\tten\td\tinf\t5\t5\tfull\n", "10\tten\td\tnan\t5\t5\tfull\n",
                                "10\tten\td\t1e999\t5\t5\tfull\n", "10\tten\td\t-4\t5\t5\tfull\n",
                                "10\tten\td\t4\tx\tx\tfull\n", "10\tten\td\t4\t5\t5\tfu"}) {
        progress(damaged);
        CHECK(home.line("Ten") == "    " + ten + "about 3 min");
    }
    progress(
        "9\tnine\td\t125.4\t5\t5\tfull\n9\tnine\td\t60\t0\t5\tfull\n"
        "9\tnine\td\t4\t5\t5\tquick\n");
    CHECK(home.line("Nine") == "  ✓ 09" + nine + "2 min 5 s");
    progress("7\tnine\td\t125.4\t5\t5\tfull\n");  // when this lesson had another number
    CHECK(home.line("Nine") == "  ✓ 09" + nine + "2 min 5 s");
}

TEST_CASE("contents: only the first answer to each question counts", "[lesson]") {
    const Home home;
    CHECK(home.line("predictions:").find("Your predictions") == std::string::npos);
    const auto line_after = [&](int count, int right, int confidence) {
        std::string lines;
        for (int i = 0; i < count; ++i) {
            const std::string start = "1\tquestion " + std::to_string(i) + "\tguess\t";
            const std::string end = i < right ? "\ttruth\t1\td\n" : "\ttruth\t0\td\n";
            lines += start + std::to_string(confidence) + end;
            lines += start + "100\ttruth\t1\td\n";  // the second time the answer is known
        }
        home.file(".heed/predictions.tsv", lines);
        return home.line("Your predictions");
    };
    CHECK(line_after(1, 0, 90) == "Your predictions: 1 made, 0 % right; you were 90 % sure");
    CHECK(line_after(10, 8, 80) == "Your predictions: 10 made, 80 % right; you were 80 % sure");
    CHECK(line_after(10, 5, 80) ==
          "Your predictions: 10 made, 50 % right; you were 80 % sure: too sure");
    home.file(".heed/predictions.tsv", "1\tq\tg\tnan\tt\t1\td\n1\tr\tg\t1e999\tt\t1\td\n");
    CHECK(home.line("predictions:").find("Your predictions") == std::string::npos);
    CHECK(line_after(10, 9, 50) ==
          "Your predictions: 10 made, 90 % right; you were 50 % sure: not sure enough");
}

TEST_CASE("contents: the output of ./heed and ./heed help fits the window", "[lesson]") {
    if (no_windows()) return;
    const int columns = GENERATE(40, 60, 80, 100);
    const Home home;
    home.file(".heed/progress.tsv", "9\tnine\td\t125.4\t5\t5\tfull\n");
    home.file(".heed/predictions.tsv", "1\tq\tg\t90\tt\t0\td\n");
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{home.path + "/heed"},
          std::vector<std::string>{home.path + "/heed", "help"}}) {
        const Window window = in_window(columns, words);
        CHECK(window.status == 0);
        CHECK(window.text.find("Commands\n") != std::string::npos);
        for (const std::string& line : lines_of(window.text)) {
            INFO(line);
            CHECK(display_width(line) <= columns);
            CHECK_FALSE(line.ends_with(" "));
        }
    }
}
