// Lessons in a terminal: typing mistakes, a narrow window, Ctrl-C.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "lessons/course/contents/course_list.h"
#include "lessons/course/terminal/text.h"
#include "tests/catch.h"
#include "tests/course/on_screen.h"
#include "tests/course/scratch.h"
#include "tests/lessons/run.h"
#include "tests/lessons/terminal.h"

namespace fs = std::filesystem;
using heed::course::display_width;
using heed::course::without_colours;

namespace {

std::vector<std::string> lesson(const std::string& number, const Scratch& scratch,
                                bool with_text = false) {
    std::vector<std::string> words{"/usr/bin/env",
                                   "HEED_HOME=" + scratch.path,
                                   HEED_LESSON_DIR "/lesson_" + number,
                                   "--quick",
                                   "--threads",
                                   "1",
                                   "--out",
                                   scratch.path + "/out"};
    if (!with_text) words.push_back("--no-text");
    return words;
}

int count(const std::string& text, const std::string& part) {
    int found = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
        ++found;
    return found;
}

}  // namespace

TEST_CASE("terminal: without one a lesson says that its text is left out, or prints it",
          "[lesson]") {
    const Scratch scratch;
    const auto printed = [&](const std::string& options) {
        const Ended ended =
            run(HEED_LESSON_DIR "/lesson_02",
                "--quick --threads 1 --out '" + scratch.path + "/out' " + options, scratch);
        CHECK(ended.status == (options == "--with-text --no-text" ? 2 : 0));
        return ended.out;
    };
    const std::string left_out = "--with-text prints the text", text = "Think of the numbers";
    CHECK(count(printed(""), left_out) == 1);
    CHECK(count(printed(""), text) == 0);
    CHECK(count(printed("--no-text"), left_out) == 0);
    CHECK(count(printed("--with-text"), left_out) == 0);
    CHECK(count(printed("--with-text"), text) == 1);
    printed("--with-text --no-text");
}

TEST_CASE("terminal: a wrong answer is asked again, and the guess is shown beside the result",
          "[lesson]") {
    if (no_windows()) return;
    const Scratch scratch;
    const Window window = in_window(80, lesson("02", scratch),
                                    {{"your guess: ", "three\n"},
                                     {"your guess: ", "1e999\n"},
                                     {"your guess: ", "3\n"},
                                     {"how sure", "120\n"},
                                     {"how sure", "q\n"},
                                     {"how sure", "90 %\n"}});
    INFO(window.text);
    CHECK(window.status == 0);
    CHECK(count(window.text, "please type a number") == 2);
    CHECK(count(window.text, "please type a whole number from 0 to 100") == 2);
    CHECK(window.text.find("You said 3 (90 % sure)") != std::string::npos);
    CHECK(fs::exists(scratch.path + "/out/report.html"));
    CHECK(fs::exists(scratch.path + "/.heed/predictions.tsv"));
}

TEST_CASE("terminal: the end of input ends the questions but not the lesson", "[lesson]") {
    if (no_windows()) return;
    const Scratch scratch;
    const Window window = in_window(80, lesson("03", scratch), {{"your guess: ", "\x04"}});
    CHECK(window.status == 0);
    CHECK(count(window.text, "your guess: ") == 1);
    CHECK_FALSE(fs::exists(scratch.path + "/.heed/predictions.tsv"));
}

TEST_CASE("terminal: Ctrl-C at a question ends a run without any file", "[lesson]") {
    if (no_windows()) return;
    const Scratch scratch;
    const Window window = in_window(60, lesson("23", scratch), {{"your guess: ", "\x03"}});
    INFO(window.text);
    CHECK(window.status == 130);
    CHECK(window.text.ends_with("Stopped. No results were written.\n"));
    CHECK(window.text.find("\x1b[0m\nStopped.") != std::string::npos);  // with the colours reset
    CHECK(fs::is_empty(scratch.path));  // no results, no records, no incomplete files
}

TEST_CASE("terminal: messages break between words in a narrow window", "[lesson]") {
    if (no_windows()) return;
    const Scratch scratch;
    fs::create_directories(scratch.path + "/out");
    std::ofstream(scratch.path + "/out/results.json") << "{}";
    const Window stopped = in_window(40, lesson("23", scratch), {{"your guess: ", "\x03"}});
    CHECK(
        stopped.text.ends_with("Stopped. No results were written; those\n"
                               "of an earlier run are unchanged.\n"));
    std::vector<std::string> words = lesson("09", scratch);
    words.insert(words.end(), {"--steps", "many"});
    const Window refused = in_window(40, words);
    CHECK(refused.status == 2);
    const std::vector<std::string> lines = lines_on_screen(refused.text);
    CHECK(lines.size() > 1);
    for (const std::string& line : lines) CHECK(display_width(line) <= 40);
}

TEST_CASE("terminal: Ctrl-C in training saves, and says how to go on", "[lesson]") {
    if (no_windows()) return;
    const Scratch scratch;
    std::vector<std::string> words = lesson("23", scratch);
    words.push_back("--no-predict");
    const Window window = in_window(60, words, {{"  loss ", "\x03"}});
    INFO(window.text);
    CHECK(window.status == 130);
    CHECK(
        window.text.ends_with("Stopped. What was trained is saved; go on with\n  ./heed learn 23 "
                              "--resume " +
                              scratch.path + "/out\n"));
    CHECK(fs::exists(scratch.path + "/out/checkpoint/001/checkpoint.safetensors"));
    CHECK_FALSE(fs::exists(scratch.path + "/out/results.json"));
    CHECK_FALSE(fs::exists(scratch.path + "/.heed"));
}

TEST_CASE("terminal: the text is told section by section, with the code on demand", "[lesson]") {
    if (no_windows()) return;
    if (too_slow_here()) return;
    const Scratch scratch;
    std::vector<std::string> words = lesson("02", scratch, true);
    words.push_back("--no-predict");
    const Window window = in_window(80, words,
                                    {{"space: go on", " "},
                                     {"A machine with three knobs", ""},
                                     {"const auto score", ""},  // short, so it needs no key
                                     {"space: go on", " "},
                                     {"c: code", "c"},
                                     {"void draw_the_machine", ""},
                                     {"a: all", "a"}});
    INFO(window.text);
    CHECK(window.status == 0);
    for (const char* part : {"\\frac", "\\tanh", "$", "//!"})
        CHECK(window.text.find(part) == std::string::npos);
    std::size_t at = 0;
    for (const char* section : {"A machine with three knobs", "∂y/∂x = h + x w (1 − h²)",
                                "A tape in forty lines", "Three ways to the same gradient",
                                "Two rules of sums", "The gradient of a product of matrices",
                                "What does it cost?", "What this does not show", "Try this next"}) {
        INFO(section);
        const std::size_t found = window.text.find(section, at);
        CHECK(found != std::string::npos);
        at = std::min(found, window.text.size());
    }
}

TEST_CASE("terminal: Ctrl-C between two sections ends a run, and typing is seen again",
          "[lesson]") {
    if (no_windows()) return;
    const Scratch scratch;
    std::vector<std::string> words = lesson("02", scratch, true);
    std::string command;
    for (const std::string& word : words) command += "'" + word + "' ";
    const Window window =
        in_window(80, {"/bin/sh", "-c", "trap : INT; " + command + "; echo status $?; stty -a"},
                  {{"q: stop", "\x03"}});
    INFO(window.text);
    CHECK(window.text.find("status 130") != std::string::npos);
    CHECK(window.text.find(" icanon") != std::string::npos);
    CHECK(window.text.find("-icanon") == std::string::npos);
    CHECK(window.text.find(" -echo ") == std::string::npos);
}

TEST_CASE(
    "terminal: every line fits a window of 60 columns, and a dumb terminal gets no escape codes",
    "[lesson]") {
    if (no_windows()) return;
    if (too_slow_here()) return;
    const auto terminal = GENERATE(as<std::string>{}, "TERM=dumb", "TERM=xterm");
    const auto program = GENERATE(as<std::string>{}, "lesson_02", "lesson_02 --help",
                                  "heed_exercise", "heed_exercise --help", "heed_gradcheck tanh",
                                  "heed_gradcheck --list", "heed_gradcheck --help");
    INFO(terminal << " " << program);
    const Scratch scratch;
    std::vector<std::string> words{"/usr/bin/env", terminal};
    if (program == "lesson_02") {
        const std::vector<std::string> run = lesson("02", scratch, true);
        words.insert(words.end(), run.begin() + 1, run.end());
        words.push_back("--no-predict");
    } else {
        words.push_back("HEED_HOME=" HEED_SOURCE_DIR);  // where the exercises are
        std::istringstream in(HEED_LESSON_DIR "/" + program);
        for (std::string word; in >> word;) words.push_back(word);
    }
    std::vector<Typing> typings{{"a: all", "a"}};
    if (program == "heed_exercise") typings = std::vector<Typing>(20, {"q end", " "});
    const Window window = in_window(60, words, typings);
    CHECK(window.status == 0);
    CHECK(count(window.text, "\n") > 5);
    if (terminal == "TERM=dumb") CHECK(window.text.find('\x1b') == std::string::npos);
    for (const std::string& line : lines_on_screen(window.text)) {
        INFO(line);
        if (!line.starts_with("The report is ")) CHECK(display_width(line) <= 60);
    }
}

TEST_CASE("terminal: a lesson fits a narrow window", "[lesson]") {
    if (no_windows()) return;
    if (too_slow_here()) return;
    const auto number = GENERATE(as<std::string>{}, "02", "04", "14", "17");
    const Scratch scratch;
    std::vector<std::string> words = lesson(number, scratch, true);
    words.push_back("--no-predict");
    const Window window = in_window(40, words, {{"a all", "a"}});  // all, without waiting
    CHECK(window.status == 0);
    CHECK(count(window.text, "a all") == 1);
    CHECK(window.text.find("What this does not show") != std::string::npos);
    for (const std::string& line : lines_on_screen(window.text)) {
        INFO(line);
        if (!line.starts_with("The report is ")) CHECK(display_width(line) <= 40);
    }
}

namespace {

std::string shell_words(const std::vector<std::string>& words) {
    std::string command;
    for (const std::string& word : words) command += "'" + word + "' ";
    return command;
}

}  // namespace

TEST_CASE("terminal: the keys go back, forward, past a part, and stop", "[lesson]") {
    if (no_windows()) return;
    const Scratch scratch;
    std::vector<std::string> words = lesson("02", scratch, true);
    words.push_back("--no-predict");
    const Window window = in_window(80, words,
                                    {{"q: stop", " "},  // after the introduction
                                     {"A machine with three knobs", ""},
                                     {"part 1 of ", "b"},  // the introduction again
                                     {"part 1 of ", " "},  // forward to the part
                                     {"A machine with three knobs", ""},
                                     {"part 1 of ", "s"},
                                     {"of this part is skipped", ""},
                                     {"part 1 of ", " "},  // below the results of the part
                                     {"A tape in forty lines", ""},
                                     {"part 2 of ", "q"}});
    INFO(window.text);
    CHECK(window.status == 130);
    CHECK(window.text.find("No results were written") != std::string::npos);
    CHECK(count(window.text, "Think of the numbers as knobs") == 2);  // the introduction, twice
    CHECK(count(window.text, "A machine with three knobs") >= 2);
    CHECK(fs::is_empty(scratch.path));
}

TEST_CASE("terminal: what is typed while a lesson computes answers no question", "[lesson]") {
    if (no_windows()) return;
    const Scratch scratch;
    const std::string run = shell_words(lesson("02", scratch));
    // Typed before the first question, it is dropped: the question waits for the answer.
    const Window window =
        in_window(80, {"/bin/sh", "-c", "echo begins; sleep 0.5; " + run + "; stty -a"},
                  {{"begins", "7\n99\n"}, {"your guess: ", "3\n"}, {"how sure", "90\n"}});
    INFO(window.text);
    CHECK(window.text.find("You said 3 (90 % sure)") != std::string::npos);
    CHECK(window.text.find(" -echo ") == std::string::npos);  // typing is seen again
    CHECK(window.text.find("-icanon") == std::string::npos);
}

TEST_CASE("terminal: results longer than the window are shown a screen at a time", "[lesson]") {
    if (no_windows()) return;
    const Scratch scratch;
    std::vector<std::string> words = lesson("17", scratch, true);
    words.push_back("--no-predict");
    std::vector<Typing> spaces(400, Typing{"q: stop", " "});
    const Window window = in_window(100, words, spaces);
    CHECK(window.status == 0);
    std::istringstream lines(window.text);
    int since_pause = 0, longest = 0;
    for (std::string line; std::getline(lines, line);) {
        longest = std::max(longest, ++since_pause);
        if (line.find("q: stop") != std::string::npos) since_pause = 0;
    }
    CHECK(longest < 40 + 12);  // the closing sections are long, but nothing scrolls past unread
}

// The window is changed at a pause: what is printed after it has the new width, also what was to be printed next.
TEST_CASE("terminal: a lesson follows a window that is made narrower, and wider again",
          "[lesson]") {
    if (no_windows()) return;
    const auto number = GENERATE(as<std::string>{}, "00", "17");
    INFO(number);
    const Scratch scratch;
    std::vector<std::string> words = lesson(number, scratch, true);
    words.push_back("--no-predict");
    std::vector<Typing> typings{{"q: stop", " "}, {"q: stop", "", "", 50}};
    // The keys are drawn anew before one is pressed.
    for (int page = 0; page < 12; ++page) typings.push_back({"a all", " "});
    typings.push_back({"a all", "", "", 100});
    typings.push_back({"a: all", "a"});
    const Window window = in_window(100, words, typings);
    CHECK(window.status == 0);
    std::size_t narrow = window.text.find("q: stop");
    narrow = window.text.find("q: stop", narrow + 1);
    const std::size_t wide = window.text.find("a: all", narrow);
    REQUIRE(wide != std::string::npos);
    for (const std::string& line : lines_on_screen(
             window.text.substr(narrow + 7, window.text.rfind('\n', wide) - narrow - 7)))
        CHECK(on_screen::fault(line, 50) == "");
    int widest = 0;
    for (const std::string& line : lines_on_screen(window.text.substr(wide + 7))) {
        CHECK(on_screen::fault(line, 100) == "");
        widest = std::max(widest, display_width(line));
    }
    CHECK(widest > 50);
}

TEST_CASE("terminal: nothing scrolls out of a low window before it is read", "[lesson]") {
    if (no_windows()) return;
    const auto [columns, rows] =
        GENERATE(std::pair(100, 40), std::pair(100, 24), std::pair(40, 24));
    const Scratch scratch;
    std::vector<std::string> words = lesson("00", scratch, true);
    words.push_back("--no-predict");
    const std::string prompt = columns == 40 ? "a all" : "q: stop";
    const Window window = in_window(columns, words, std::vector<Typing>(400, {prompt, " "}), rows);
    CHECK(window.status == 0);
    std::istringstream lines(window.text);
    int since_pause = 0, pauses = 0;
    for (std::string line; std::getline(lines, line);) {
        ++since_pause;
        if (line.find(prompt) == std::string::npos) continue;
        INFO(columns << " x " << rows << ", before pause " << ++pauses);
        CHECK(since_pause <= rows);  // the title and the introduction, too
        since_pause = 0;
    }
    CHECK(pauses > 3);
}

TEST_CASE("terminal: a question waits until what stands above it is read", "[lesson]") {
    if (no_windows()) return;
    constexpr int rows = 24;
    const std::string number = GENERATE("10", "22");
    const Scratch scratch;
    const Window window =
        in_window(60, lesson(number, scratch, true),
                  std::vector<Typing>(400, {" stop", "\n", "your guess: "}), rows);
    CHECK(window.status == 0);
    std::istringstream lines(window.text);
    int since_pause = 0, questions = 0;
    for (std::string line; std::getline(lines, line);) {
        ++since_pause;
        const bool question = line.find("your guess: ") != std::string::npos;
        if (!question && line.find("q stop") == std::string::npos &&
            line.find("q: stop") == std::string::npos)
            continue;
        INFO("lesson " << number << ": " << line);
        CHECK(since_pause <= rows);
        since_pause = 0;
        questions += question;
    }
    CHECK(questions > 0);
}

TEST_CASE("terminal: q on the first screen loses nothing and says so little", "[lesson]") {
    if (no_windows()) return;
    const Scratch scratch;
    const Window window = in_window(80, lesson("02", scratch, true), {{"q: stop", "q"}});
    CHECK(window.status == 130);
    CHECK(window.text.ends_with("\nStopped.\n"));
}

TEST_CASE("terminal: a list that is longer than the window waits for a key", "[lesson]") {
    if (no_windows()) return;
    const std::vector<std::string> words{HEED_LESSON_DIR "/heed", "help"};
    const Window all = in_window(80, words, std::vector<Typing>(5, {"q end", " "}), 24);
    const Window part = in_window(80, words, {{"q end", "q"}}, 24);
    CHECK(all.status == 0);
    CHECK(part.status == 0);
    for (const char* text : {"Commands", "Exit status"})
        CHECK(all.text.find(text) != std::string::npos);
    CHECK(part.text.find("Commands") != std::string::npos);
    CHECK(part.text.find("Exit status") == std::string::npos);
}

TEST_CASE("terminal: every lesson shows nothing but letters, in windows of four widths",
          "[lesson]") {
    if (no_windows()) return;
    if (too_slow_here()) return;
    // Text, questions, tables, figures and results, in colour. Each lesson has one of the widths; the text has
    // them all in tests/course/test_screens.cpp.
    using heed::course::LessonNumber;
    std::vector<std::string> numbers;
    for (const auto& one : heed::course::course_lessons(HEED_SOURCE_DIR))
        numbers.push_back(one.number().file());
    const auto width_of = [](const std::string& number) {
        return std::vector<int>{40, 60, 80, 100}[LessonNumber::from(number).number % 4];
    };
    static std::vector<Window> windows;  // once: Catch begins anew for every section
    std::atomic<std::size_t> next = windows.size();
    windows.resize(numbers.size());
    const auto work = [&] {
        for (std::size_t i; (i = next++) < numbers.size();) {
            const Scratch scratch;
            const int width = width_of(numbers[i]);
            std::vector<Typing> typings{{width == 40 ? "a all" : "a: all", "a"}};
            for (int question = 0; question < 8; ++question)
                typings.push_back({"your guess: ", "\n"});
            windows[i] = in_window(width, lesson(numbers[i], scratch, true), typings);
        }
    };
    std::vector<std::thread> workers;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
        workers.emplace_back(work);
    for (std::thread& worker : workers) worker.join();
    CHECK(windows.size() >= 30);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        DYNAMIC_SECTION(numbers[i]) {
            CHECK(windows[i].status == 0);
            CHECK(windows[i].text.find("claims hold") != std::string::npos);
            CHECK(windows[i].text.find("did not answer this") == std::string::npos);
            for (const std::string& line : lines_on_screen(windows[i].text))
                if (!line.starts_with("The report is "))
                    CHECK(on_screen::fault(line, width_of(numbers[i])) == "");
        }
    }
}

// What a sentence announces stands on the same screen, and the code that is the idea needs no key.
TEST_CASE("terminal: a picture stands with its sentence, and short code is seen without a key",
          "[lesson]") {
    if (no_windows()) return;
    const auto number = GENERATE(as<std::string>{}, "00", "02", "17");
    INFO(number);
    const Scratch scratch;
    std::vector<std::string> words = lesson(number, scratch, true);
    words.push_back("--no-predict");
    const Window window = in_window(
        80, words, std::vector<Typing>(400, Typing{"space: go on", " "}), number == "00" ? 24 : 40);
    CHECK(window.status == 0);
    std::string last;  // before the keys
    int screens = 0;
    for (const std::string& line : lines_on_screen(window.text)) {
        if (line.find("space: go on") != std::string::npos) {
            INFO(last);
            CHECK_FALSE(last.ends_with(':'));
            ++screens;
        } else if (line.find_first_not_of(' ') != std::string::npos) {
            last = without_colours(line);
        }
    }
    CHECK(screens > 5);
    if (number != "00") return;
    const std::size_t sentence = window.text.find("The darker a square"),
                      picture = window.text.find("What a trained translator", sentence),
                      keys = window.text.find("space: go on", sentence);
    CHECK(picture < keys);
    for (const char* idea : {"Row attend(const Row& query", "const Row wish{0, 2};"})
        CHECK(window.text.find(idea) != std::string::npos);
    CHECK(window.text.find("void by_hand") == std::string::npos);  // it only runs and shows
}
