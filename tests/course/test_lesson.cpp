// A whole run of a lesson: exit status, results, report, the reader's records, Ctrl-C.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include "lessons/course/course.h"
#include "lessons/course/report/files.h"
#include "lessons/course/terminal/live_line.h"
#include "lessons/material/read/text_data.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"
#include "tests/course/trial.h"
#include "tests/course/well_formed.h"

using namespace heed::course;

namespace {

void everything(Lesson& lesson) {
    const Prediction share = lesson.predict("What *share*?", within(0.1));
    const Prediction which = lesson.predict("Which <one>?", {"a", "b"});
    lesson.heading("A & B");
    lesson.say("Seed {} says **{}** in `code`, 나는 <학생>.", lesson.seed(), 0.5);
    lesson.listing("1 < 2\n");
    Table table({"name", "n"});
    table.row("a&b", 1);
    lesson.table(table, "A table.");
    auto map = attention_map({"I"}, {"나는", "<end>"}, {0.9, 0.1});
    lesson.show("map", map, "A map with <tokens>.");
    lesson.keep("maps", std::vector<HeatMap>{map, map}, "Kept for the report.");
    LinePlot plot;
    plot.series = {{"s", {1, 2}, {3, 4}, {}, {}}};
    lesson.show("plot", plot, "A plot.");
    lesson.reveal(share, 0.9);
    lesson.reveal(which, "b");
    lesson.claim("exact", "exact & good", 0.97, at_least(0.95));
}

}  // namespace

TEST_CASE("lesson: a run writes results, a report and figures", "[lesson]") {
    const Scratch scratch;
    Captured captured(scratch.path);
    Lesson lesson(about());
    const std::string out = scratch.path + "/deep/out";
    const int status = run(lesson, {"--quick", "--seed", "7", "--out", out, "--no-predict"},
                           [&] { everything(lesson); });
    const std::string text = captured.out();
    CHECK(status == 0);
    CHECK(captured.err().empty());

    const auto json = nlohmann::json::parse(read_file(out + "/results.json"));
    CHECK(json["lesson"] == 98);
    CHECK(json["seed"] == 7);
    CHECK(json["quick"] == true);
    CHECK(json["data"] == "three numbers");
    CHECK(json["claims"].size() == 1);

    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(out))
        files.push_back(entry.path().filename().string());
    std::sort(files.begin(), files.end());
    CHECK(files == std::vector<std::string>{"map.svg", "maps-1.svg", "maps-2.svg", "plot.svg",
                                            "report.html", "results.json"});
    for (const std::string& file : files) {
        if (file.ends_with(".svg")) CHECK(well_formed::fault(read_file(out + "/" + file)).empty());
    }

    const std::string page = read_file(out + "/report.html");
    int elements = 0;
    CHECK(well_formed::fault(page, &elements) == "");
    CHECK(elements > 60);
    CHECK(well_formed::occurrences(page, "<svg ") == 4);
    CHECK(well_formed::occurrences(page, "<h2>A &amp; B</h2>") == 1);
    CHECK(page.find("나는 &lt;학생&gt;.") != std::string::npos);
    CHECK(page.find("<em>share</em>") != std::string::npos);
    CHECK(page.find("1 of 1 claims hold") != std::string::npos);
    // Nothing is loaded: the only URLs are the name of the XML namespace of SVG.
    CHECK(well_formed::occurrences(page, "http") ==
          well_formed::occurrences(page, "http://www.w3.org/2000/svg"));
    // The page has Hangul, so it has the font for it.
    CHECK(well_formed::occurrences(page, "url(") == 1);
    CHECK(page.find("src: url(data:font/woff2;base64,d09GMg") != std::string::npos);

    // The output is not a terminal: no colours, no questions, no redrawn line.
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find('\r') == std::string::npos);
    CHECK(text.find("your guess") == std::string::npos);
    CHECK(text.find("A map with <tokens>.") != std::string::npos);
    CHECK(text.find("Kept for the report.") == std::string::npos);
    CHECK(text.find("✓ exact & good: 0.97 (expected at least 0.95)") != std::string::npos);
}

TEST_CASE("lesson: the exit status says whether every claim holds", "[lesson]") {
    const Scratch scratch;
    Captured captured(scratch.path);
    const auto status = [&](double measured) {
        Lesson lesson(about());
        return run(lesson, {"--out", scratch.path + "/out"}, [&] {
            lesson.claim("first", "first", 1, is_true());
            lesson.claim("second", "second", measured, at_least(0.5));
            lesson.claim("third", "third", 1, is_true());
        });
    };
    CHECK(status(0.5) == 0);
    CHECK(status(0.4) == 1);
    CHECK(status(NAN) == 1);
    CHECK(captured.out().find("2 of 3 claims hold") != std::string::npos);
}

TEST_CASE("lesson: after an error there is a message and no file", "[lesson][errors]") {
    const Scratch scratch;
    Captured captured(scratch.path);
    const std::string data = scratch.file("d.tsv", "a\tb\nc\n");
    Lesson lesson(about());
    const int status = run(lesson, {"--data", data, "--out", scratch.path + "/out"}, [&] {
        lesson.show("map", attention_map({"q"}, {"k"}, {1}), "");
        read_pairs(lesson.options().data);
    });
    CHECK(status == 2);
    CHECK(captured.err() ==
          "lesson 98: --data: " + data + ": line 2: expected source<TAB>target, found no tab\n");
    CHECK_FALSE(std::filesystem::exists(scratch.path + "/out"));
}

TEST_CASE("lesson: the name of a figure must be a file name, and unique", "[lesson][errors]") {
    const Scratch scratch;
    Captured captured(scratch.path);
    const auto map = attention_map({"q"}, {"k"}, {1});
    for (const char* name : {"", "../x", "A b", "x.svg"}) {
        Lesson lesson(about());
        CHECK(run(lesson, {"--out", scratch.path}, [&] { lesson.show(name, map, ""); }) == 2);
    }
    Lesson lesson(about());
    CHECK(run(lesson, {"--out", scratch.path}, [&] {
              lesson.show("x", map, "");
              lesson.show("x", map, "");
          }) == 2);
}

TEST_CASE("lesson: Ctrl-C ends at once, with status 130 and no files", "[lesson]") {
    const Scratch scratch;
    const pid_t child = fork();
    if (child == 0) {
        Captured captured(scratch.path);
        Lesson lesson(about());
        run(lesson, {"--out", scratch.path + "/out"}, [&] {
            lesson.show("map", attention_map({"q"}, {"k"}, {1}), "");
            std::raise(SIGINT);
        });
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 130);
    CHECK_FALSE(std::filesystem::exists(scratch.path + "/out"));
    CHECK(read_file(scratch.path + "/stderr").find("Stopped.") != std::string::npos);
}

TEST_CASE("lesson: every end says where to go on", "[lesson]") {
    const Scratch scratch;
    const WithHome home(scratch.path);
    std::filesystem::create_directories(scratch.path + "/.heed");
    const std::string workshops =
        "[[part]]\ntitle = \"Workshops\"\n"
        "[[part.lesson]]\nfolder = \"w97_first\"\nseconds = 1\n"
        "[[part.lesson]]\nfolder = \"w98_second\"\nseconds = 1\n";
    std::filesystem::create_directories(scratch.path + "/lessons/w97_first");
    scratch.file("lessons/course.toml",
                 "[[part]]\ntitle = \"All\"\n[[part.lesson]]\nfolder = \"01_one\"\nseconds = 1\n"
                 "[[part.lesson]]\nfolder = \"02_two\"\nseconds = 1\n" +
                     workshops);
    const auto next = [&](LessonNumber number, const std::string& done) {
        std::string records, names;
        for (const auto& [letter, line] :
             {std::pair{'1', "1\tone"}, {'2', "2\ttwo"}, {'a', "W97\tfirst"}, {'b', "W98\tsecond"}})
            if (done.find(letter) != std::string::npos)
                records += std::string(line) + "\td\t1.0\t2\t2\tfull\n";
        scratch.file(".heed/progress.tsv", records);
        for (const ListedLesson& lesson : next_after(number))
            names += (names.empty() ? "" : " ") + lesson.name();
        return names;
    };
    const LessonNumber w1 = LessonNumber::of_workshop(97), w2 = LessonNumber::of_workshop(98);
    CHECK(next(1, "") == "two");  // the path goes on, whatever was done
    CHECK(next(1, "12ab") == "two");
    CHECK(next(2, "") == "one first");
    CHECK(next(2, "12") == "first");
    CHECK(next(w1, "") == "one second");
    CHECK(next(w1, "1") == "two second");
    CHECK(next(w2, "12") == "first");  // from the last workshop to those that were left out
    CHECK(next(w2, "12ab").empty());
    const auto end_of_run = [&] {
        Captured captured(scratch.path);
        Lesson lesson(
            {.number = 0, .workshop = 97, .name = "first", .title = "First", .question = "Why?"});
        run(lesson, {"--quick", "--out", scratch.path + "/out"}, [&] {});
        return captured.out();
    };
    CHECK(end_of_run().ends_with("All lessons and workshops are done. Next: ./heed progress\n"));
    next(w1, "1");
    CHECK(end_of_run().ends_with(
        "Next: ./heed learn 2 (two)\nOr a workshop: ./heed learn W98 (second)\n"));
}

TEST_CASE("lesson: each run is recorded, and the next lesson is named", "[lesson]") {
    const Scratch scratch;
    Captured captured(scratch.path);
    std::filesystem::create_directories(scratch.path + "/lessons/99_after");
    scratch.file("lessons/course.toml",
                 "[[part]]\n[[part.lesson]]\nfolder = \"98_trial\"\nseconds = 1\n"
                 "[[part.lesson]]\nfolder = \"99_after\"\nseconds = 1\n");
    const auto once = [&] {
        Lesson lesson(about());
        return run(lesson, {"--quick", "--out", scratch.path + "/out"}, [&] {
            lesson.claim("held", "held", 1, is_true());
            lesson.claim("not-held", "not held", 0, is_true());
        });
    };
    const char* before = std::getenv("HEED_HOME");
    const std::string kept = before ? before : "";
    setenv("HEED_HOME", scratch.path.c_str(), 1);
    once();
    once();
    before ? setenv("HEED_HOME", kept.c_str(), 1) : unsetenv("HEED_HOME");
    CHECK(captured.out().find("Next: ./heed learn 99 (after)") != std::string::npos);

    const auto lines = read_lines(scratch.path + "/.heed/progress.tsv");
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].starts_with("98\ttrial\t2"));
    CHECK(lines[0].ends_with("\t1\t2\tquick"));
    CHECK(std::count(lines[0].begin(), lines[0].end(), '\t') == 6);
    CHECK_FALSE(std::filesystem::exists(scratch.path + "/.heed/predictions.tsv"));
}

TEST_CASE("elapsed time: the line shows the time, and the expected time if it is known",
          "[lesson]") {
    const Screen screen{.width = 19};
    CHECK(ElapsedTime(screen, 45).line(12.3) == "12 s of about 45 s");
    CHECK(ElapsedTime(screen, 120).line(119.7) == "1:59 min of about…");
    CHECK(ElapsedTime(Screen{}, 9).line(13) == "13 s, longer than the usual 9 s");
    CHECK(ElapsedTime(screen, 0).line(3) == "3 s");
}

TEST_CASE("elapsed time: drawn if nothing is printed, removed by output, never over another line",
          "[lesson]") {
    const Scratch scratch;
    const std::string path = scratch.path + "/screen";
    std::fflush(stdout);
    const int screen = dup(STDOUT_FILENO), file = open(path.c_str(), O_CREAT | O_WRONLY, 0600);
    dup2(file, STDOUT_FILENO);
    {
        ElapsedTime elapsed(Screen{.live = true}, 0);
        for (int i = 0; i < 600 && std::filesystem::file_size(path) == 0; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        print_now("said\n");
        elapsed.pause();
        std::this_thread::sleep_for(std::chrono::milliseconds(1800));
        print_now("asked\n");
        elapsed.resume();
        draw_line("step 1");
        std::this_thread::sleep_for(std::chrono::milliseconds(1800));
        print_now("done\n");
    }
    dup2(screen, STDOUT_FILENO);
    close(screen), close(file);
    const std::string text = read_file(path);
    INFO(text);
    // On a busy machine the line is drawn a second time, or with another number.
    const std::regex expected("(\r\x1b\\[K[0-9]+ s)+\r\x1b\\[Ksaid\nasked\nstep 1\r\x1b\\[Kdone\n");
    CHECK(std::regex_match(text, expected));
}

TEST_CASE("progress: the line fits the window and counts down", "[lesson]") {
    Screen screen;
    const ProgressLine progress(screen, "additive", 4000);
    CHECK(progress.line(1000, 0.731, 15300, 10) ==
          "additive  1,000 of 4,000  loss 0.731  1,530 tokens/s  0:30 left");
    CHECK(progress.line(0, NAN, 0, 0) == "additive  0 of 4,000");
    screen.width = 60;  // the rate gives way to the time
    CHECK(progress.line(1000, 0.731, 15300, 10) ==
          "additive  1,000 of 4,000  loss 0.731  1,530 tokens/s  0:30 left");
    CHECK(ProgressLine(screen, "additive", 4000).line(1000, 0.731, 15300, 10) ==
          "additive  1,000 of 4,000  loss 0.731  0:30 left");
    screen.width = 30;
    CHECK(display_width(ProgressLine(screen, "학습", 4000).line(1000, 0.731, 15300, 10)) < 30);
}
