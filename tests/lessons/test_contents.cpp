// ./heed without arguments: the lessons with their times and ticks, and the reader's predictions.
// It runs in a temporary tree with three lessons and records.
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "autograd/base/input_file.h"
#include "lessons/course/contents/course_list.h"
#include "lessons/course/terminal/text.h"
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

std::string in_small_letters(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

struct Home : Scratch {
    Home() {
        fs::create_directories(path + "/lessons");
        fs::create_directories(path + "/.heed");
        lesson("01_one", "One", 7);
        lesson("09_nine", "Nine is a title of more words than one", 89);
        lesson("10_ten", "Ten", 170);
        file("lessons/course.toml", list);
    }
    void lesson(const std::string& folder, const std::string& title, int seconds) {
        fs::create_directories(path + "/lessons/" + folder);
        file("lessons/" + folder + "/lesson.cpp", "//! # " + title + "\n//!\n//! Words.\n");
        list += "\n[[part.lesson]]\nfolder = \"" + folder +
                "\"\nseconds = " + std::to_string(seconds) + "\n";
    }
    std::string list = "[[part]]\ntitle = \"All\"\n";
    // The words of a command that shows this tree.
    std::vector<std::string> words(const std::vector<std::string>& arguments = {}) const {
        std::vector<std::string> all{"/usr/bin/env", "HEED_HOME=" + path, HEED_LESSON_DIR "/heed"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        return all;
    }
    // The line that contains this text.
    std::string line(const std::string& part) const {
        const std::string out =
            run("/usr/bin/env", "HEED_HOME='" + path + "' '" HEED_LESSON_DIR "/heed'", *this).out;
        for (const std::string& line : lines_of(out))
            if (line.find(part) != std::string::npos) return line;
        return out;
    }
};

}  // namespace

TEST_CASE("contents: the list of the course has every lesson, with a time of at most five minutes",
          "[lesson]") {
    std::set<std::string> listed, folders;
    for (const auto& part : heed::course::course_parts(HEED_SOURCE_DIR)) {
        CHECK_FALSE(part.title.empty());
        CHECK_FALSE(part.lessons.empty());
        for (const auto& lesson : part.lessons) {
            INFO(lesson.folder);
            CHECK(listed.insert(lesson.folder).second);
            CHECK(lesson.sentence.ends_with("."));
            CHECK(lesson.seconds >= 1);
            CHECK(lesson.seconds <= 300);
            CHECK_FALSE(heed::course::lesson_title(HEED_SOURCE_DIR, lesson).empty());
        }
    }
    for (const auto& entry : fs::directory_iterator(HEED_SOURCE_DIR "/lessons"))
        if (fs::exists(entry.path() / "lesson.cpp"))
            folders.insert(entry.path().filename().string());
    CHECK(listed == folders);
}

// HEED_UPDATE=1 writes it anew.
TEST_CASE("contents: the table of lessons/README.md is that of the list", "[lesson]") {
    const std::string path = HEED_SOURCE_DIR "/lessons/README.md",
                      begin = "<!-- course: begin -->\n", end = "<!-- course: end -->";
    std::string page = heed::read_file(path);
    const std::size_t from = page.find(begin) + begin.size(), to = page.find(end);
    REQUIRE(to != std::string::npos);
    const std::string table = heed::course::course_table(HEED_SOURCE_DIR);
    if (std::getenv("HEED_UPDATE") && page.substr(from, to - from) != table)
        std::ofstream(path) << page.replace(from, to - from, table);
    CHECK(page.substr(from, table.size()) == table);
    CHECK(page.substr(from + table.size()).rfind(end, 0) == 0);
}

TEST_CASE("contents: README.md names each part with its lessons", "[lesson]") {
    const std::string page = in_small_letters(heed::read_file(HEED_SOURCE_DIR "/README.md"));
    for (const auto& part : heed::course::course_parts(HEED_SOURCE_DIR)) {
        const std::string first = part.lessons.front().number().padded(),
                          last = part.lessons.back().number().padded();
        const std::string which = part.lessons.size() == 1   ? first
                                  : part.lessons.size() == 2 ? first + ", " + last
                                                             : first + " to " + last;
        const std::string expected = "**" + part.title + "** (" + which + ")";
        INFO(expected);
        CHECK(page.find(in_small_letters(expected)) != std::string::npos);
    }
}

TEST_CASE("contents: lessons/README.md names the lessons that take a reader's data", "[lesson]") {
    std::string page = heed::read_file(HEED_SOURCE_DIR "/lessons/README.md");
    std::replace(page.begin(), page.end(), '\n', ' ');
    const std::regex sentence("`--data`, which lessons ([0-9, to]+) and workshop W5 take");
    std::smatch found;
    REQUIRE(std::regex_search(page, found, sentence));
    const std::string list = found[1];
    std::set<int> said, taking;
    const std::regex item("(\\d+)( to (\\d+))?");
    for (std::sregex_iterator one(list.begin(), list.end(), item), end; one != end; ++one) {
        const int first = std::stoi((*one)[1]);
        for (int i = first; i <= ((*one)[3].matched ? std::stoi((*one)[3]) : first); ++i)
            said.insert(i);
    }
    for (const auto& lesson : heed::course::course_lessons(HEED_SOURCE_DIR)) {
        const std::string source =
            heed::read_file(HEED_SOURCE_DIR "/lessons/" + lesson.folder + "/lesson.cpp");
        if (!std::regex_search(source, std::regex("\n +\\.data = "))) continue;
        if (!lesson.number().workshop) taking.insert(lesson.number().number);
        if (lesson.number().workshop) CHECK(lesson.number().number == 5);
    }
    CHECK(said == taking);
}

TEST_CASE("contents: a damaged list is refused with its line", "[lesson][errors]") {
    const Scratch scratch;
    fs::create_directories(scratch.path + "/lessons");
    scratch.file("lessons/course.toml", "# a comment\n\n[[part]]\ntitel = \"A\"\n");
    CHECK_THROWS_WITH(heed::course::course_parts(scratch.path),
                      scratch.path +
                          "/lessons/course.toml: line 4: expected [[part]], "
                          "[[part.lesson]] or one of their keys");
}

TEST_CASE("contents: a record that is a pipe ends the command with one line", "[lesson][errors]") {
    const Home home;
    const std::string path = home.path + "/.heed/progress.tsv";
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    for (const char* command : {"", "progress"}) {
        const Ended ended = run(
            "/usr/bin/timeout",
            "60 /usr/bin/env HEED_HOME='" + home.path + "' '" HEED_LESSON_DIR "/heed' " + command,
            home);
        CHECK(ended.status == 2);
        CHECK(ended.out.empty());
        CHECK(ended.err == "heed: " + path + ": expected a file, found a pipe\n");
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
    for (const std::vector<std::string>& words : {home.words(), home.words({"help"})}) {
        const Window window = in_window(columns, words, std::vector<Typing>(9, {"q end", " "}));
        CHECK(window.status == 0);
        CHECK(window.text.find("Commands\n") != std::string::npos);
        for (const std::string& line : lines_on_screen(window.text)) {
            INFO(line);
            CHECK(display_width(line) <= columns);
            CHECK_FALSE(line.ends_with(" "));
        }
    }
}

TEST_CASE("contents: the output of ./heed progress fits the window", "[lesson]") {
    if (no_windows()) return;
    const int columns = GENERATE(40, 60, 100);
    const Home home;
    home.file(".heed/progress.tsv", "9\tnine\td\t125.4\t5\t5\tfull\n");
    const Window window = in_window(columns, home.words({"progress"}));
    CHECK(window.status == 0);
    CHECK(window.text.find("run in full") != std::string::npos);
    for (const std::string& line : lines_of(window.text)) {
        INFO(line);
        CHECK(display_width(line) <= columns);
    }
}

TEST_CASE("contents: where the window is low, the whole course fits on it", "[lesson]") {
    if (no_windows()) return;
    Home home;
    for (int i = 11; i <= 37; ++i)
        home.lesson(std::to_string(i) + "_lesson_" + std::to_string(i),
                    "A long title " + std::to_string(i), 9);
    home.file("lessons/course.toml", home.list);
    home.file(".heed/progress.tsv", "9\tnine\td\t125.4\t5\t5\tfull\n");
    const Window window = in_window(80, home.words());
    INFO(window.text);
    CHECK(std::count(window.text.begin(), window.text.end(), '\n') <= 23);
    CHECK(window.text.find("✓ 09 nine") != std::string::npos);
    CHECK(window.text.find("  37 lesson 37") != std::string::npos);
    CHECK(
        window.text.find("Next: ./heed learn 1 (1 min to read, about 7 s to compute). 1 of 30 ") !=
        std::string::npos);
}

TEST_CASE("contents: where the window is lower still, there is a line for each part", "[lesson]") {
    if (no_windows()) return;
    Home home;
    home.list += "\n[[part]]\ntitle = \"The rest of a long course\"\n";
    for (int i = 11; i <= 60; ++i)
        home.lesson(std::to_string(i) + "_lesson_" + std::to_string(i), "A long title", 9);
    home.file("lessons/course.toml", home.list);
    home.file(".heed/progress.tsv", "9\tnine\td\t125.4\t5\t5\tfull\n");
    for (const int columns : {40, 60, 80}) {
        const Window window = in_window(columns, home.words(), {}, 24);
        INFO(window.text);
        CHECK(std::count(window.text.begin(), window.text.end(), '\n') <= 23);
        CHECK(window.text.find("  01-10  All ") != std::string::npos);
        CHECK(window.text.find(" ·✓·\n") != std::string::npos);
        CHECK(window.text.find("Next: ./heed learn 1 ") != std::string::npos);
    }
}

TEST_CASE("contents: ./heed progress says what was run, guessed and written", "[lesson]") {
    const Home home;
    fs::create_directories(home.path + "/lessons/09_nine/exercises/1_first");
    fs::create_directories(home.path + "/lessons/09_nine/exercises/2_second, \"quoted\"");
    home.file(".heed/progress.tsv",
              "9\tnine\t2026-01-02T03:04:05Z\t12.5\t4\t5\tquick\n"
              "9\tnine\t2026-01-03T03:04:05Z\t125.4\t5\t5\tfull\ncut of");
    home.file(".heed/predictions.tsv",
              "9\tq\tg\t90\tt\t1\td\n9\tq\tg\t90\tt\t0\td\n9\tr\tg\t50\tt\t0\td\n");
    home.file(".heed/exercises.tsv",
              "09.1\tfirst\t2026-01-04T00:00:00Z\ttried\n09.1\tfirst\t2026-01-04T00:00:00Z\thint\n"
              "09.1\tfirst\t2026-01-05T00:00:00Z\tsolved\n");
    home.file(".heed/milestones.tsv", "tape\t2026-01-06T00:00:00Z\t1a2b3c4\t1000 of 1000 right\n");
    const auto output = [&](const std::string& option) {
        return run("/usr/bin/env",
                   "HEED_HOME='" + home.path + "' '" HEED_LESSON_DIR "/heed' progress " + option,
                   home);
    };
    const std::string text = output("").out;
    INFO(text);
    CHECK(text.find("  ✓ 09  Nine is a title") != std::string::npos);
    CHECK(text.find(
              "        runs: 1 full, 1 quick, the last on 2026-01-03 with 5 of 5 claims that\n") !=
          std::string::npos);
    CHECK(text.find("        hold, 1 of 2 guesses right, 1 of 2 exercises written, 1 hint\n") !=
          std::string::npos);
    CHECK(text.find("1 of 3 lessons run in full, 1 of 2 exercises written\n") != std::string::npos);
    CHECK(text.find("Ten") == std::string::npos);  // not begun
    CHECK(text.find("  ✓ your tape passes 1,000 random gradient checks") != std::string::npos);
    CHECK(
        output("--csv").out.find(
            "\n09,Nine is a title of more words than one,1,1,2026-01-03,5 of 5,125.4,2,1,1,2,1,1\n") !=
        std::string::npos);
    fs::create_directories(home.path + "/lessons/course/pages");
    home.file("lessons/course/pages/page.css", "main { color: red }\n");
    home.file("lessons/course/pages/book.css", "nav { color: blue }\n");
    CHECK(output("--html").out == home.path + "/out/progress.html\n");
    CHECK(heed::read_file(home.path + "/out/progress.html")
              .find("<style>\nmain { color: red }\nnav { color: blue }\n</style>") !=
          std::string::npos);
    CHECK(heed::read_file(home.path + "/out/progress.html").find("09 Nine is a title") !=
          std::string::npos);
    CHECK(heed::read_file(home.path + "/out/progress.html").find("1a2b3c4") != std::string::npos);
    const Ended wrong = output("--xml");
    CHECK(wrong.status == 2);
    CHECK(wrong.err == "heed: --xml: unknown option; ./heed progress --help lists them\n");
}
