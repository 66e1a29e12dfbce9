// Lessons with files that somebody else made: without an end, from a pipe, in another encoding, with
// rare labels, tiny pictures, a model of NaN, and names that would write on the terminal.
#include <sys/stat.h>

#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

#include "lessons/course/contents/course_list.h"
#include "lessons/course/report/files.h"
#include "nn/saved/safetensors.h"
#include "tests/catch.h"
#include "tests/lessons/run.h"

using namespace heed;

namespace {

Ended run_lesson(const std::string& lesson, const std::string& options, const Scratch& scratch) {
    return run(HEED_LESSON_DIR "/lesson_" + lesson,
               "--quick --no-predict --threads 1 --out '" + scratch.path + "/out' " + options,
               scratch);
}

std::string refusal(const std::string& lesson, const std::string& options, const Scratch& scratch) {
    const Ended ended = run_lesson(lesson, options, scratch);
    CHECK(ended.status == 2);
    CHECK_FALSE(std::filesystem::exists(scratch.path + "/out/report.html"));
    return ended.err;
}

// The big-endian header of an IDX file.
std::string idx(const std::vector<unsigned>& sizes, const std::string& values) {
    std::string bytes{'\0', '\0', '\x08', static_cast<char>(sizes.size())};
    for (unsigned size : sizes)
        for (int shift : {24, 16, 8, 0}) bytes += static_cast<char>(size >> shift & 255);
    return bytes + values;
}

TEST_CASE("untrusted: a device or a pipe is refused by its option", "[lesson][data][errors]") {
    const auto lesson = GENERATE(as<std::string>{}, "09", "11", "23");
    const Scratch scratch;
    const std::string number = lesson[0] == '0' ? lesson.substr(1) : lesson;
    const std::string expected =
        "expected a file" + std::string(lesson == "09" ? " or a folder" : "");
    CHECK(refusal(lesson, "--data /dev/zero", scratch) ==
          "lesson " + number + ": --data: /dev/zero: " + expected + ", found a device\n");
    const std::string pipe = scratch.path + "/pipe";  // nobody writes into it
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    CHECK(refusal(lesson, "--data '" + pipe + "'", scratch) ==
          "lesson " + number + ": --data: " + pipe + ": " + expected +
              ", found a pipe; write what comes out of it to a file first\n");
}

TEST_CASE("untrusted: a file of the wrong kind is refused before anything is shown",
          "[lesson][data][errors]") {
    const auto lesson = GENERATE(as<std::string>{}, "06", "09", "11", "13", "16", "22", "23", "24",
                                 "25", "26", "27", "28", "29", "w5");
    const Scratch scratch;
    const std::string path = scratch.file("nonsense.txt", "nonsense of one line\n");
    const Ended ended = run_lesson(lesson, "--data '" + path + "'", scratch);
    INFO(lesson << ": " << ended.err);
    CHECK(ended.status == 2);
    CHECK(ended.err.find("--data: " + path) != std::string::npos);
    CHECK(ended.out.empty());
}

TEST_CASE(
    "untrusted: a file of --load that is broken or of another model is refused before anything "
    "is shown",
    "[lesson][data][errors]") {
    const Scratch scratch;
    const std::string nonsense = scratch.file("nonsense", "nonsense of one line\n"),
                      other = scratch.path + "/other";
    heed::Safetensors file;
    file.tensors.push_back({"w", heed::tensor({1, 2}, {2})});
    heed::save_safetensors(other, file);
    int loading = 0;
    for (const auto& lesson : course::course_lessons(HEED_SOURCE_DIR)) {
        const std::string source =
            read_file(HEED_SOURCE_DIR "/lessons/" + lesson.folder + "/lesson.cpp");
        if (source.find(".saves_model = true") == std::string::npos) continue;
        ++loading;
        for (const std::string& path : {nonsense, other}) {
            const Ended ended =
                run_lesson(lesson.number().file(), "--load '" + path + "'", scratch);
            INFO(lesson.folder << ": " << ended.err);
            CHECK(ended.status == 2);
            CHECK(ended.err.find("--load: " + path) != std::string::npos);
            CHECK(ended.out.empty());
        }
    }
    CHECK(loading >= 4);
}

TEST_CASE("untrusted: pairs that are all the same", "[lesson][data][errors]") {
    const Scratch scratch;
    std::string pairs;
    for (int i = 0; i < 3000; ++i) pairs += "the same\tas before\n";
    const std::string path = scratch.file("pairs.tsv", pairs);
    CHECK(refusal("11", "--data '" + path + "'", scratch) ==
          "lesson 11: --data: " + path +
              ": expected at least 3 different source sentences, because each belongs to one set "
              "only (training, validation or test), found 1 in 3000 pairs\n");
}

TEST_CASE("untrusted: a label that occurs once or twice, with any seed", "[lesson][data]") {
    const Scratch scratch;
    std::string lines = "ABBR:exp What is RARE ?\nLOC:x Where is RARE ?\nLOC:x Where is it ?\n";
    for (int i = 0; i < 60; ++i)
        lines += i % 2 ? "NUM:dist How far is it ?\n" : "HUM:ind Who wrote it ?\n";
    const std::string path = scratch.file("x.label", lines);
    for (int seed = 1; seed <= 6; ++seed) {
        INFO(seed);
        const Ended ended =
            run_lesson("09", fmt::format("--steps 20 --seed {} --data '{}'", seed, path), scratch);
        INFO(ended.err);
        CHECK(ended.status <= 1);
        CHECK(ended.out.find("4 labels") != std::string::npos);
    }
    const std::string one = scratch.file("one.label", lines.substr(0, 23) + "ABBR:exp a b\n");
    CHECK(refusal("09", "--data '" + one + "'", Scratch()).find("at least 20 lines") !=
          std::string::npos);
}

TEST_CASE("untrusted: pictures smaller than a glimpse", "[lesson][data][errors]") {
    const Scratch scratch;
    for (const char* set : {"train", "t10k"}) {
        scratch.file(std::string(set) + "-images-idx3-ubyte",
                     idx({2000, 1, 1}, std::string(2000, 'x')));
        scratch.file(std::string(set) + "-labels-idx1-ubyte", idx({2000}, std::string(2000, '\1')));
    }
    CHECK(
        refusal("16", "--data '" + scratch.path + "'", scratch) ==
        "lesson 16: --data: " + scratch.path +
            "/train-images-idx3-ubyte: byte 8: expected pictures of at least 8 x 8 pixels, found 1 "
            "x 1\n");
}

TEST_CASE("untrusted: a text in another encoding, under a name that is a command",
          "[lesson][data][errors]") {
    const Scratch scratch;
    const std::string path = scratch.file("a\x1B]0;b\a\u202Etxt", std::string(5000, '\xE9'));
    const std::string shown = scratch.path + "/a\\x1B]0;b\\x07\\u202Etxt";
    const std::string said = refusal("23", "--data '" + path + "'", scratch);
    CHECK(said == "lesson 23: --data: " + shown +
                      ": line 1: expected UTF-8 text, found byte 0xE9 at column 1; to convert it, "
                      "for example: iconv -f WINDOWS-1252 -t UTF-8 '" +
                      shown + "' > '" + shown + ".utf8'\n");
}

TEST_CASE("untrusted: a folder of results whose name is a command", "[lesson][errors]") {
    const Scratch scratch;
    const Ended ended =
        run(HEED_LESSON_DIR "/lesson_10",
            "--quick --no-predict --threads 1 --out '" + scratch.path + "/\x1B[2J\u202E'", scratch);
    CHECK(ended.status == 0);
    CHECK(ended.out.find('\x1B') == std::string::npos);
    CHECK(ended.out.find("\u202E") == std::string::npos);
}

// Links that lead in a circle refuse everybody, where a folder without permission lets root in.
TEST_CASE("untrusted: what the system says about the reader's folders is said by heed",
          "[lesson][errors]") {
    namespace fs = std::filesystem;
    const std::string broken = GENERATE(as<std::string>{}, "my", ".heed", "out", "lessons");
    const Scratch scratch;
    const fs::path home = scratch.path + "/home";
    fs::create_directories(home);
    if (broken != "lessons")
        fs::create_directory_symlink(HEED_SOURCE_DIR "/lessons", home / "lessons");
    fs::create_symlink(broken, home / broken);
    const std::string bin = HEED_LESSON_DIR "/";
    for (const std::string& command :
         {bin + "heed_exercise", bin + "heed_exercise 5.1", bin + "heed_exercise 5.1 --reset",
          bin + "heed_exercise 5.1 --hint", bin + "heed_exercise --mine tape",
          bin + "heed progress", bin + "lesson_00 --quick --no-predict"}) {
        const std::string said = scratch.path + "/said";
        const int status =
            std::system(("cd '" + home.string() + "' && HEED_HOME='" + home.string() + "' " +
                         command + " >'" + said + "' 2>&1 </dev/null")
                            .c_str());
        const std::string text = heed::read_file(said);
        INFO(broken << ": " << command << ": " << text);
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) <= 2);
        for (const char* raw :
             {"filesystem error", "symbolic link", "std::", "terminate", "basic_"})
            CHECK(text.find(raw) == std::string::npos);
    }
}

TEST_CASE("untrusted: errors of the system about files, in words", "[lesson][errors]") {
    namespace fs = std::filesystem;
    const auto said = [](const char* path, std::errc reason) {
        return course::words_of(fs::filesystem_error("status", path, std::make_error_code(reason)));
    };
    CHECK(said("/home/ada/my/05_1.h", std::errc::permission_denied) ==
          "/home/ada/my/05_1.h: you have no permission; ls -ld '/home/ada/my' says who has it");
    CHECK(said("my/05_1.h", std::errc::too_many_symbolic_link_levels) ==
          "my/05_1.h: its links lead in a circle");
    CHECK(said("/dev/null", std::errc::not_a_directory) ==
          "/dev/null: expected a folder, found a device");
    CHECK(said("/dev/null", std::errc::file_exists) ==
          "/dev/null: expected nothing or a folder, found a device");
    CHECK(said("", std::errc::no_such_file_or_directory) ==
          "the folder in which you stand is there no longer: go to another one with cd");
    CHECK(course::words_of(std::bad_alloc()) == "out of memory");
    CHECK(course::words_of(std::runtime_error("plain")) == "plain");
}

TEST_CASE("untrusted: a model that diverged is refused by file and tensor", "[lesson][errors]") {
    const Scratch scratch;
    const std::string path = scratch.path + "/m.safetensors";
    const Ended saved = run_lesson("23", "--steps 2 --save '" + path + "'", scratch);
    REQUIRE(std::filesystem::exists(path));
    Safetensors file = load_safetensors(path);
    for (const float bad : {std::nanf(""), 3e38f}) {
        Parameter& p = file.tensors.front();
        p.tensor = copy_of(p.tensor);
        p.tensor.edit<float>()[0] = bad;
        save_safetensors(path, file);
        std::filesystem::remove_all(scratch.path + "/out");
        const std::string said = refusal("23", "--load '" + path + "'", scratch);
        CHECK(said.starts_with("lesson 23: --load: " + path + ": '" + p.name + "': element [0"));
        CHECK(said.find(fmt::format("found {}", bad)) != std::string::npos);
    }
}

}  // namespace
