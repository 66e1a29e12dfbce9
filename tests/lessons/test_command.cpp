// The command ./heed where something goes wrong: Ctrl-C while packages are installed, two at once, a
// wrong compiler, a full disk, a tree that cannot be written to, a terminal that shows no colours.
// The script runs in a copy of its own with small programs in place of the real ones.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "lessons/course/contents/course_list.h"
#include "lessons/course/exercise/exercise.h"
#include "lessons/course/terminal/text.h"
#include "lessons/material/read/text_data.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"
#include "tests/lessons/run.h"
#include "tests/lessons/terminal.h"
#include "tests/skipped.h"

namespace fs = std::filesystem;
using heed::course::read_file;

namespace {

// A copy of the script with a configured build folder. The programs in `tools` are found before
// those of the system.
struct Copy : Scratch {
    Copy() {
        fs::copy(HEED_SOURCE_DIR "/heed", path);
        fs::create_directories(path + "/cmake");
        fs::copy(HEED_SOURCE_DIR "/cmake/install_missing.sh", path + "/cmake");
        fs::create_directories(path + "/build/release/bin");
        fs::create_directories(path + "/build/release/run");
        fs::create_directories(path + "/lessons/01_one");
        fs::create_directories(path + "/tools");
        file("lessons/01_one/lesson.cpp", "//! # One\n");
        file("lessons/course.toml",
             "[[part]]\n[[part.lesson]]\nfolder = \"01_one\"\nseconds = 1\n");
        fs::copy(HEED_LESSON_DIR "/heed", path + "/build/release/bin");
        file("build/release/run/compile.rsp", "");
        file("build/release/run/heed.h.gch", "");
        file("build/release/libheed_all.a", "");
        tool("cmake", "exit 0");
        // Writes a program slowly, as a linker does: another process must never see half of it.
        tool("c++",
             "cat >/dev/null & case \"$*\" in *'-E -P'*) echo good; exit 0 ;; esac\n"
             "while [ $# -gt 1 ]; do [ \"$1\" != -o ] || program=$2\n"
             "[ \"$1\" != -MF ] || echo 'heed: ' >\"$2\"; shift; done\n"
             "echo compiled >>\"$(dirname \"$0\")/log\"\n"
             "printf '#!/bin/sh\\n' >\"$program\"; sleep 0.3\n"
             "echo 'echo it ran' >>\"$program\"; chmod +x \"$program\"");
        file("build/release/heed.ready",
             path + "\n" + path + "/tools/cmake\n" + path + "/tools/c++\n1\n");
        program("build/release/bin/lesson_01", "echo the lesson ran");
    }
    void program(const std::string& name, const std::string& script) const {
        file(name, "#!/bin/sh\n" + script + "\n");
        fs::permissions(path + "/" + name, fs::perms::owner_all | fs::perms::group_read |
                                               fs::perms::group_exec | fs::perms::others_read |
                                               fs::perms::others_exec);
    }
    void tool(const std::string& name, const std::string& script) const {
        program("tools/" + name, script);
    }
    std::string log() const {
        return fs::exists(path + "/tools/log") ? read_file(path + "/tools/log") : "";
    }
    // The words of a command that runs ./heed with these tools, and variables such as "TERM=dumb".
    std::vector<std::string> words(const std::vector<std::string>& arguments,
                                   const std::vector<std::string>& variables = {}) const {
        std::vector<std::string> all{"/usr/bin/env", "PATH=" + path + "/tools:/usr/bin:/bin"};
        all.insert(all.end(), variables.begin(), variables.end());
        all.push_back(path + "/heed");
        all.insert(all.end(), arguments.begin(), arguments.end());
        return all;
    }
    Ended heed(const std::string& arguments, const std::string& variables = "") const {
        return run("/usr/bin/env",
                   "PATH='" + path + "/tools:/usr/bin:/bin' " + variables + " '" + path +
                       "/heed' " + arguments,
                   *this);
    }
    // Makes packages missing, and puts a package manager in place that takes a second.
    void need_packages() const {
        fs::remove(path + "/build/release/heed.ready");
        tool("id", "echo 0");
        tool("c++", "cat >/dev/null; echo good; echo fmt");
        tool("dpkg", "echo \"dpkg $*\" >>\"$(dirname \"$0\")/log\"");
        tool("apt-get",
             "echo \"apt-get $*\" >>\"$(dirname \"$0\")/log\"; sleep 1\n"
             "echo done >>\"$(dirname \"$0\")/log\"");
    }
};

}  // namespace

TEST_CASE(
    "command: Ctrl-C does not reach the package manager, and an installation is finished first",
    "[lesson]") {
    if (no_windows()) return;
    const Copy copy;
    copy.need_packages();
    const Window window = in_window(80, copy.words({"learn", "1"}), {{"installing", "\x03"}});
    INFO(window.text << copy.log());
    CHECK(window.status == 2);
    CHECK(window.text.find("stopping as soon as the installation is complete") !=
          std::string::npos);
    CHECK(window.text.find("stopped, as you asked") != std::string::npos);
    // What an earlier installation left half-done is finished before anything else.
    const std::string log = copy.log();
    CHECK(log.starts_with("dpkg --configure -a\napt-get "));
    CHECK(std::count(log.begin(), log.end(), '\n') == 5);  // both calls came to their end
    CHECK(log.ends_with("libfmt-dev\ndone\n"));
}

TEST_CASE("command: a wrong compiler is refused before anything is installed", "[lesson][errors]") {
    const Copy copy;
    copy.need_packages();
    for (const char* wrong : {"/no/such/compiler", "true"}) {
        const Ended ended = copy.heed("learn 1", "CXX=" + std::string(wrong));
        INFO(ended.err);
        CHECK(ended.status == 2);
        CHECK(ended.err.find("CXX=" + std::string(wrong)) != std::string::npos);
        CHECK(copy.log().empty());
    }
}

TEST_CASE("command: a second ./heed says that it waits and for what", "[lesson]") {
    if (no_windows()) return;
    const Copy copy;
    const std::string lock = copy.path + "/build/release/heed.lock";
    const auto hold = [&] {
        copy.file("build/release/heed.lock", "building lesson_11\n");
        REQUIRE(std::system(("flock '" + lock + "' sleep 1 & sleep 0.2").c_str()) == 0);
    };
    hold();
    const Ended ended = copy.heed("learn 1");
    CHECK(ended.err == "heed: waiting for another ./heed, which is building lesson_11\n");
    CHECK(ended.out == "the lesson ran\n");
    hold();
    const Window window = in_window(50, copy.words({"learn", "1"}, {"TERM=dumb"}));
    CHECK(window.text ==
          "heed: waiting for another ./heed, which is\nbuilding lesson_11\nthe lesson ran\n");
    CHECK(copy.heed("learn 1").err.empty());

    // What needs no build does not wait.
    hold();
    const Ended home = copy.heed("");
    CHECK(home.err.empty());
    CHECK(home.out.find("./heed learn") != std::string::npos);
    REQUIRE(std::system(("flock -n '" + lock + "' true").c_str()) != 0);  // it is still held
}

TEST_CASE("command: exercises are listed and shown without a build", "[lesson]") {
    const Copy copy;
    copy.tool("cmake", "case \"$*\" in *heed_command*) ;; *) exit 1 ;; esac");
    const std::string folder = "lessons/01_one/exercises/1_double/";
    fs::create_directories(copy.path + "/" + folder);
    copy.file(folder + "task.h",
              "//! # Twice\n//!\n//! Return it twice.\n//!\n//! Level 1 of 3, about 5 minutes.\n");
    copy.file(folder + "solution.h", "the solution\n");
    copy.file(folder + "judge.cpp", "");
    copy.file(folder + "hints.md", "## 1\n\nAdd.\n\n## 2\n\nTwice.\n\n## 3\n\nx + x.\n");
    copy.file(folder + "wrong.txt", "");
    const auto says = [&](const std::string& words, const std::string& expected, int status = 0) {
        const Ended ended = copy.heed(words);
        INFO(words << ": " << ended.out << ended.err);
        CHECK(ended.status == status);
        CHECK((ended.out + ended.err).find(expected) != std::string::npos);
    };
    says("exercise", "Twice");
    says("exercise --help", "--watch");
    says("exercise --wach", "--wach: unknown option", 2);
    says("exercise 7.7", "there is no exercise 7.7", 2);
    says("exercise 1.1", "Return it twice.");
    CHECK(fs::exists(copy.path + "/my/01_1_double.h"));
    says("exercise 1.1", "as it was given to you", 1);
    says("exercise 1.1 --hint", "Hint 1 of 3");
    says("exercise 1.1 --solution", "the solution");
    copy.file("my/01_1_double.h", "// mine\n");
    says("exercise 1.1", "", 2);  // this needs the judge
}

TEST_CASE("command: three ./heed run at once do not disturb each other", "[lesson]") {
    const Copy copy;
    const std::string source = copy.file("mine.cpp", "");
    std::vector<std::thread> threads;
    std::vector<std::string> said(3);
    for (int i = 0; i < 3; ++i)
        threads.emplace_back([&, i] {
            const std::string out = copy.path + "/out" + std::to_string(i);
            const std::string command = "PATH='" + copy.path + "/tools:/usr/bin:/bin' '" +
                                        copy.path + "/heed' run '" + source + "' >'" + out +
                                        "' 2>/dev/null </dev/null";
            const int status = std::system(command.c_str());
            said[i] = std::to_string(status) + " " + read_file(out);
        });
    for (std::thread& thread : threads) thread.join();
    for (const std::string& one : said) CHECK(one == "0 it ran\n");
    CHECK(copy.log() == "compiled\n");  // once: the others found it
    int left = 0;
    for (const auto& entry : fs::directory_iterator(copy.path + "/build/release/run"))
        left += entry.path().filename().string().starts_with("mine");
    CHECK(left == 2);  // the program, and the list of what it depends on
}

TEST_CASE("command: the book has its runs before heed is compiled for browsers", "[lesson]") {
    const Copy copy;
    const std::string note = " >>'" + copy.path + "/tools/log'";
    copy.program("build/release/bin/heed_book", "echo pages" + note);
    copy.program("build/release/bin/lesson_01", "echo run" + note);
    copy.tool("cmake", "case \"$*\" in *heed_web*) echo browsers" + note + " ;; esac");
    fs::create_directories(copy.path + "/build/web");
    fs::copy(copy.path + "/build/release/heed.ready", copy.path + "/build/web");
    const auto book = [&](const std::string& options) {
        fs::remove(copy.path + "/tools/log");
        const Ended ended = run("/usr/bin/env",
                                "-C '" + copy.path + "' PATH='" + copy.path +
                                    "/tools:/usr/bin:/bin' ./heed book" + options,
                                copy);
        INFO(ended.err);
        CHECK(ended.status == 0);
        return copy.log();
    };
    CHECK(book("") == "pages\nrun\npages\nbrowsers\n");
    CHECK(book(" --no-web") == "pages\nrun\npages\n");
    CHECK(book(" --no-run") == "pages\nbrowsers\n");
    CHECK(book(" --epub") == "run\npages\n");  // one file, which needs no browser
    CHECK(book(" --pdf --no-run") == "pages\n");
    fs::create_directories(copy.path + "/out/01_one");
    copy.file("out/01_one/report.html", "");  // the reader has run it
    CHECK(book("") == "pages\nbrowsers\n");
    copy.file("out/01_one/results.json", "{\"quick\": true}");
    CHECK(book(" --full --no-web") == "pages\nrun\npages\n");
    copy.file("out/01_one/results.json", "{\"quick\": false}");
    CHECK(book(" --full --no-web") == "pages\n");
}

TEST_CASE("command: what cannot be written is not passed over in silence", "[lesson][errors]") {
    if (!fs::exists("/dev/full") && skipped("there is no /dev/full")) return;
    const Copy copy;
    const auto status_of = [](const std::string& command) {
        const int status = std::system(command.c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    };
    CHECK(status_of("'" + copy.path + "/heed' help >/dev/full 2>/dev/null") != 0);
    const std::string said = copy.path + "/said";
    for (const char* words : {"help", "", "progress", "exercise"}) {
        INFO(words);
        CHECK(status_of("'" + copy.path + "/heed' " + words + " >/dev/full 2>'" + said + "'") == 2);
        CHECK(read_file(said) == "heed: the output cannot be written: the disk is full\n");
    }
    const std::string lesson = HEED_LESSON_DIR "/lesson_02 --quick --out '" + copy.path + "/out'",
                      err = copy.path + "/err";
    CHECK(status_of("HEED_HOME= " + lesson + " >/dev/full 2>'" + err + "' </dev/null") == 2);
    CHECK(read_file(err) == "lesson 2: the output cannot be written: the disk is full\n");
    // Files may only be so large: the first one that is larger is said, and no signal ends the program.
    for (const int blocks : {0, 16, 200}) {
        INFO(blocks);
        CHECK(status_of("{ (ulimit -f " + std::to_string(blocks) + "; HEED_HOME= " + lesson +
                        " 2>&1 >/dev/null </dev/null; echo status $?) | cat; } >'" + err + "'") ==
              0);
        const std::string text = read_file(err);
        CHECK(text.find("it would be larger than a file may be (see ulimit -f)\nstatus 2\n") !=
              std::string::npos);
        CHECK(std::count(text.begin(), text.end(), '\n') == 2);
    }
    for (const char* words : {"learn 1", "progress", "run mine.cpp"}) {
        INFO(words);
        CHECK(status_of("cd '" + copy.path +
                        "' && { (PATH=\"$PWD/tools:/usr/bin:/bin\"; ulimit -f 0; ./heed " + words +
                        " 2>&1 </dev/null; echo status $?) | cat; } >'" + err + "'") == 0);
        CHECK(
            read_file(err).starts_with("heed: cannot write to " + copy.path + "/build/release: "));
        CHECK(read_file(err).ends_with("\nstatus 2\n"));
    }
    CHECK(status_of(HEED_LESSON_DIR "/lesson_02 --help >/dev/full 2>/dev/null") == 2);
    CHECK(status_of(HEED_LESSON_DIR "/heed_gradcheck exp >/dev/full 2>/dev/null") == 2);
    // A file that cannot be written is found before the work.
    const std::string out = copy.path + "/checked";
    CHECK(status_of(HEED_LESSON_DIR "/heed_gradcheck exp --json /no/such/folder/x.json >'" + out +
                    "' 2>'" + err + "'") == 2);
    CHECK(read_file(out).empty());
    CHECK(read_file(err) == "gradcheck: --json: cannot write /no/such/folder/x.json\n");
}

// As a user who may not write: root may write everywhere, so it becomes nobody.
TEST_CASE("command: a built tree that is read-only runs its lessons", "[lesson]") {
    const Copy copy;
    const bool root = getuid() == 0;
    if (root && std::system("command -v setpriv >/dev/null") != 0 && skipped("there is no setpriv"))
        return;
    const std::string user = root ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : "";
    for (fs::path folder = copy.path; root && folder != folder.parent_path();
         folder = folder.parent_path())
        (void)std::system(("chmod o+rx '" + folder.string() + "' 2>/dev/null").c_str());
    REQUIRE(std::system(("chmod -R a-w,a+rX '" + copy.path + "/build'").c_str()) == 0);
    const auto heed = [&](const std::string& words) {
        return run("/usr/bin/env", user + "'" + copy.path + "/heed' " + words, copy);
    };
    fs::create_directory(copy.path + "/free");
    fs::permissions(copy.path + "/free", fs::perms::all);
    const Ended ended = heed("learn 1 --out '" + copy.path + "/free/out'");
    INFO(ended.err);
    CHECK(ended.status == 0);
    CHECK(ended.out == "the lesson ran\n");
    copy.file("mine.cpp", "");
    const Ended other = heed("run '" + copy.path + "/mine.cpp'");
    CHECK(other.status == 2);
    CHECK(other.err.find("cannot write to " + copy.path + "/build/release/run") !=
          std::string::npos);
    REQUIRE(std::system(("chmod -R u+w '" + copy.path + "/build'").c_str()) == 0);
}

TEST_CASE("command: no escape codes with TERM=dumb, and the status line fits the window",
          "[lesson]") {
    if (no_windows()) return;
    const Copy copy;
    const std::string name = std::string(90, 'x') + ".cpp";
    copy.file(name, "");
    const Window dumb = in_window(60, copy.words({"run", copy.path + "/" + name}, {"TERM=dumb"}));
    CHECK(dumb.status == 0);
    CHECK(dumb.text == "it ran\n");
    for (const fs::path& file :
         std::vector<fs::path>(fs::directory_iterator(copy.path + "/build/release/run"), {}))
        if (file.filename().string().starts_with(name.substr(0, 9)))
            fs::remove(file);  // compile it again
    copy.file(name, "// newer");
    fs::last_write_time(copy.path + "/" + name,
                        fs::file_time_type::clock::now() + std::chrono::hours(1));
    const Window window =
        in_window(60, copy.words({"run", copy.path + "/" + name}, {"TERM=xterm"}));
    CHECK(window.status == 0);
    CHECK(window.text.find("compiling") != std::string::npos);
    std::string text = window.text;
    for (std::size_t at; (at = text.find("\x1b[K")) != std::string::npos;)
        text.replace(at, 3, "\n");
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        CHECK(heed::course::display_width(line) < 60);
}

TEST_CASE("command: a wrong option of the tests is status 2", "[lesson][errors]") {
    const Scratch scratch;
    CHECK(run(HEED_LESSON_DIR "/heed_tests", "--bogus", scratch).status == 2);
}

TEST_CASE("command: what is wrong with a command is said before anything is built",
          "[lesson][errors]") {
    const Copy copy;
    fs::create_directories(copy.path + "/lessons/course/lesson");
    copy.file("lessons/course/lesson/common_options.cpp",
              R"("--quick" "--out" "--data" "--seed" "--threads" "--repeat" "--save" "--load")");
    copy.file("lessons/01_one/lesson.cpp",
              "//! # One\nlesson.option(\"--noise\", noise, \"of the numbers (0.5)\");\n"
              "while (end > 0) fmt::print(\"--set or --sad\", --end);\n");
    fs::create_directories(copy.path + "/bench");
    copy.file("bench/main.cpp", "\"--against\"\n");
    copy.file("bench/kernels.cpp", "\"softmax\"\n");
    fs::create_directories(copy.path + "/tests/gradcheck");
    copy.file("tests/gradcheck/main.cpp", "\"--order\"\n");
    copy.file("tests/gradcheck/some_cases.cpp", "\"layer norm, float32\"\n");
    copy.tool("cmake", "echo \"$*\" >>\"$(dirname \"$0\")/log\"");
    const auto refused = [&](const std::string& words, const std::string& variables = "") {
        const Ended ended = copy.heed(words, variables);
        INFO(words << ": " << ended.out << ended.err);
        CHECK(ended.status == 2);
        CHECK(copy.log().find("lesson_01") == std::string::npos);
        CHECK(copy.log().find("heed_gradcheck") == std::string::npos);
        CHECK(copy.log().find("heed_bench") == std::string::npos);
        return ended.err;
    };
    CHECK(refused("learn -1") == "heed: there is no lesson '-1'; ./heed lists all lessons\n");
    CHECK(refused("learn ''") == "heed: there is no lesson ''; ./heed lists all lessons\n");
    CHECK(refused("learn onee") == "heed: there is no lesson 'onee'; did you mean one?\n");
    CHECK(refused("lern 1") == "heed: there is no command lern; did you mean ./heed learn?\n");
    CHECK(
        refused("learn 1.1") ==
        "heed: there is neither a lesson nor an exercise '1.1'; ./heed lists all lessons, and ./heed "
        "exercise all exercises\n");
    CHECK(refused("learn 1 --qiuck") == "heed: --qiuck: unknown option; did you mean --quick?\n");
    // The nearest option is meant, and only what is declared is one.
    CHECK(refused("learn 1 --sed 3") == "heed: --sed: unknown option; did you mean --seed?\n");
    CHECK(refused("learn 1 --end 3") ==
          "heed: --end: unknown option; ./heed learn 1 --help lists all options\n");
    CHECK(refused("bench zzz") ==
          "heed: no workload has 'zzz' in its name; ./heed bench --list lists them\n");
    CHECK(refused("new exercise 99_x/foo") ==
          "heed: new: there is no lesson '99_x'; ./heed lists all lessons\n");
    CHECK(refused("new exercise 01_one").starts_with("heed: new: expected LESSON/NAME"));
    CHECK(refused("run '" + copy.path + "/lessons'").find("expected a file, found a folder\n") !=
          std::string::npos);
    CHECK(refused("learn 1 --data /no/such") ==
          "heed: --data: /no/such: cannot be read: there is no such file or folder\n");
    const std::string pipe = copy.path + "/pipe";
    REQUIRE(std::system(("mkfifo '" + pipe + "'").c_str()) == 0);
    CHECK(refused("learn 1 --data '" + pipe + "'") ==
          "heed: --data: " + pipe +
              ": expected a file or a folder, found a pipe; write what comes out of it to a file "
              "first\n");
    CHECK(refused("learn 1 --seed x") ==
          "heed: --seed: expected a whole number of 0 or more, found 'x'\n");
    CHECK(refused("learn 1 --threads=-1") ==
          "heed: --threads: expected a whole number from 1 to 1024, found '-1'\n");
    CHECK(refused("learn 1 --repeat abc") ==
          "heed: --repeat: expected a whole number from 1 to 100000, found 'abc'\n");
    CHECK(refused("learn 1 --noise loud") == "heed: --noise: expected a number, found 'loud'\n");
    CHECK(refused("learn 1 --noise") == "heed: --noise: expected a number after it\n");
    CHECK(refused("learn 1 --quick --seed") == "heed: --seed: expected one N after it\n");
    CHECK(refused("learn 1 --save /no/such/model") ==
          "heed: --save: there is no folder /no/such\n");
    CHECK(refused("learn 1 --load '" + copy.path + "'").find("expected a file, found a folder") !=
          std::string::npos);
    CHECK(refused("learn 1 --out /dev/null").find("expected a folder, found a file") !=
          std::string::npos);
    CHECK(refused("learn 1 2") ==
          "heed: '2': expected options only after the lesson; ./heed learn 1 --help lists them\n");
    CHECK(refused("learn 1 -- --quick") ==
          "heed: --: unknown option; ./heed learn 1 --help lists all options\n");
    CHECK(refused("learn 1 --out '" + copy.path + "/" + std::string(300, 'x') + "'")
              .find("cannot be made: its name is too long") != std::string::npos);
    fs::create_symlink("circle", copy.path + "/circle");
    CHECK(refused("learn 1 --out '" + copy.path + "/circle/x'")
              .find("cannot be made: its links lead in a circle") != std::string::npos);
    if (fs::is_directory("/proc/1"))
        CHECK(refused("learn 1 --out /proc/x").find("/proc/x") != std::string::npos);
    CHECK(refused("gradcheck --order") == "heed: --order: expected 1 or 2 after it\n");
    CHECK(refused("gradcheck --order x") == "heed: --order: expected 1 or 2, found 'x'\n");
    CHECK(refused("book 7") == "heed: there is no lesson '7'; ./heed lists all lessons\n");
    CHECK(refused("book --out") == "heed: --out: expected a folder after it\n");
    CHECK(refused("gradcheck --ordr 2") == "heed: --ordr: unknown option; did you mean --order?\n");
    CHECK(
        refused("gradcheck nonsense") ==
        "heed: no gradient case has 'nonsense' in its name; ./heed gradcheck --list lists them\n");

    // Another run has the folder.
    fs::create_directories(copy.path + "/taken");
    const std::string hold = "flock '" + copy.path + "/taken' sleep 2 & sleep 0.2";
    REQUIRE(std::system(hold.c_str()) == 0);
    CHECK(refused("learn 1 --out '" + copy.path + "/taken'")
              .find("another run of this lesson is writing here") != std::string::npos);

    // What is right goes on, with a word about variables that are not.
    const Ended ended =
        copy.heed("learn 1 --noise -1 --quick", "OMP_NUM_THREADS=abc HEED_MEMORY=abc");
    CHECK(ended.out == "the lesson ran\n");
    CHECK(
        ended.err ==
        "heed: OMP_NUM_THREADS=abc: expected a number of threads from 1 to 1024; it is not used\n"
        "heed: HEED_MEMORY=abc: expected 1, which reports the memory that was used; it is not used\n");
    CHECK(copy.log().find("lesson_01") != std::string::npos);
}

TEST_CASE(
    "command: a preset that is not there leaves no folder, and a moved clone says why it builds",
    "[lesson][errors]") {
    const Copy copy;
    copy.file("CMakePresets.json", "{\"name\": \"release\"}\n");
    const Ended bogus = copy.heed("learn 1", "HEED_PRESET=bogus");
    CHECK(bogus.status == 2);
    CHECK(bogus.err ==
          "heed: HEED_PRESET=bogus: there is no such preset; CMakePresets.json has them all\n");
    CHECK_FALSE(fs::exists(copy.path + "/build/bogus"));
    copy.file("build/release/heed.ready",
              "/elsewhere\n" + copy.path + "/tools/cmake\n" + copy.path + "/tools/c++\n1\n");
    CHECK(copy.heed("learn 1").err.find("build/release was made in /elsewhere; here, in " +
                                        copy.path) != std::string::npos);
}

TEST_CASE("command: a build folder keeps its build tool, as long as it is there", "[lesson]") {
    const Copy copy;
    copy.tool("ninja", "exit 0");
    copy.tool("make", "exit 0");
    copy.tool("c++", "cat >/dev/null; echo good");
    copy.tool("cmake",
              "echo \"$*\" >>\"$(dirname \"$0\")/log\"\n"
              "[ \"$1\" != -S ] || printf '%s\\n%s\\n%s\\n1\\n' \"$2\" \"$0\" \"$(dirname "
              "\"$0\")/c++\" >\"$2/build/release/heed.ready\"");
    const auto generator = [&](const std::string& before) {
        fs::remove(copy.path + "/tools/log");
        fs::remove(copy.path + "/build/release/heed.ready");
        copy.file("build/release/CMakeCache.txt", before);
        copy.heed("learn 1", "HEED_NO_INSTALL=1");
        const std::string log = copy.log();
        const std::size_t at = log.find(" -G ");
        return at == std::string::npos ? log : log.substr(at + 4, log.find(" -D", at) - at - 4);
    };
    CHECK(generator("") == "Ninja");
    CHECK(generator("CMAKE_GENERATOR:INTERNAL=Unix Makefiles\n") == "Unix Makefiles");
    CHECK(generator("CMAKE_GENERATOR:INTERNAL=Ninja\n") == "Ninja");
}

TEST_CASE("command: what the script misses is said", "[lesson][errors]") {
    const Copy copy;
    const auto says = [&](const std::string& variables, const std::string& text) {
        const Ended ended = copy.heed("", variables);
        INFO(ended.err);
        CHECK(ended.status == 2);
        CHECK(ended.err.find(text) != std::string::npos);
    };
    says("PATH=/nonexistent", "does PATH lead to the system's programs?");
    // As on a disk that is mounted with noexec.
    fs::permissions(copy.path + "/build/release/bin/heed", fs::perms::owner_read);
    says("", "cannot be executed");
    // The script alone.
    fs::remove(copy.path + "/cmake/install_missing.sh");
    says("", "make a link to it, not a copy");
}

TEST_CASE("command: a file of any name is compiled as C++", "[lesson]") {
    const Copy copy;
    copy.tool("c++",
              "cat >/dev/null & case \"$*\" in *'-E -P'*) echo good; exit 0 ;; esac\n"
              "echo \"$*\" >>\"$(dirname \"$0\")/log\"; exit 1");
    const std::string there =
        "cd '" + copy.path + "' && PATH=\"$PWD/tools:/usr/bin:/bin\" ./heed run ";
    copy.file("-x.cpp", "");
    (void)!std::system((there + "-x.cpp 2>/dev/null").c_str());
    CHECK(copy.log().find(" -x c++ ./-x.cpp -x none ") != std::string::npos);
    CHECK(copy.log().find("-include " + copy.path + "/build/release/run/assert.h") !=
          std::string::npos);
}

// The program of the reader's file, as ./heed run makes it.
std::string compiled(const Copy& copy, const std::string& source) {
    copy.file("mine.cpp", source);
    const std::string compile =
        "cd '" HEED_BUILD_DIR "' && '" HEED_CXX
        "' @run/compile.rsp -include run/assert.h -include '" HEED_SOURCE_DIR
        "/lessons/heed/uncaught.h' -x c++ '" +
        copy.path + "/mine.cpp' -x none -o '" + copy.path + "/mine' @run/link.rsp";
    REQUIRE(std::system(compile.c_str()) == 0);
    return copy.path + "/mine";
}

TEST_CASE("command: assert() works in the reader's file", "[lesson]") {
    const Copy copy;
    const std::string program =
        compiled(copy, "#include <cassert>\nint main() { assert(1 + 1 == 3); }\n");
    const Ended ended = run(program, "", Scratch());
    CHECK(ended.status != 0);
    CHECK(ended.err.find("1 + 1 == 3") != std::string::npos);
}

TEST_CASE("command: what the reader's program throws and nothing catches is one line",
          "[lesson][errors]") {
    const Copy copy;
    const std::string program = compiled(
        copy,
        "#include <cstdio>\n#include <stdexcept>\n#include <thread>\n#include \"autograd/base/error.h\"\n"
        "int main(int count, char**) {\n    std::printf(\"printed before\");\n"
        "    if (count == 2) throw std::runtime_error(\"a \\x1b[31mred\\x1b[0m\\a\\nline\");\n"
        "    if (count == 3) throw 5;\n"
        "    if (count == 4) heed::fail(\"mine: expected more\");\n"
        "    std::thread thread([] {});\n}\n");
    const std::string catches = "error: expected a catch for each exception, found none for ",
                      mend = "; catch it in main(), or mend what throws it\n";
    const std::pair<const char*, std::string> said[] = {
        {"x", catches + "this std::runtime_error: a \\x1B[31mred\\x1B[0m\\x07\\nline" + mend},
        {"x x", catches + "a thrown int" + mend},
        {"x x x", "error: mine: expected more\n"},
        {"",
         "error: expected the program to end by itself, found a call of std::terminate(); is there "
         "a std::thread that is never joined, or a throw; outside of a catch?\n"}};
    for (const auto& [words, expected] : said) {
        const Ended ended = run(program, words, copy);
        CHECK(ended.status == 1);
        CHECK(ended.out == "printed before");
        CHECK(ended.err == expected);
    }
}

TEST_CASE("command: what the linker misses in the reader's file is said in one line",
          "[lesson][errors]") {
    const Copy copy;
    copy.file("mine.cpp", "");
    const auto says = [&](const std::string& linker, const std::string& expected) {
        copy.file("tools/said", "mine.cpp:1: warning: of the compiler\n" + linker);
        copy.tool("c++",
                  "cat >/dev/null & case \"$*\" in *'-E -P'*) echo good; exit 0 ;; esac\n"
                  "cat \"$(dirname \"$0\")/said\" >&2; exit 1");
        const Ended ended = copy.heed("run '" + copy.path + "/mine.cpp'");
        CHECK(ended.status == 1);
        CHECK(ended.err == "mine.cpp:1: warning: of the compiler\n" + expected);
    };
    const std::string file = "heed: " + copy.path + "/mine.cpp: expected a definition of ";
    const std::string no_main =
        file + "main(), found none; a program begins there: int main() { ... }\n";
    const std::string gnu = "/usr/bin/ld: x.o: in function `f':\n";
    says(
        "/usr/bin/ld: /lib/Scrt1.o: in function `_start':\n(.text+0x17): undefined reference to `main'\n"
        "collect2: error: ld returned 1 exit status\n",
        no_main);
    says("ld.lld: error: undefined symbol: main\n>>> referenced by crt1.o\n", no_main);
    says(gnu +
             "x.cpp:(.text+0x6): undefined reference to `f(int)'\n"
             "x.cpp:(.text+0x9): undefined reference to `f(int)'\n"
             "x.cpp:(.text+0x12): undefined reference to `g::h()'\n",
         file + "f(int), g::h(), found none; write it, or leave out what calls it\n");
    const std::string others = gnu + "x.cpp:(.text+0x6): multiple definition of `f'\n",
                      own = "mine.cpp:2: error: undefined reference to `main'\n";
    says(others, others);
    const std::string full = "x.s: No space left on device\n";
    copy.file("tools/said", full);
    const Ended ended = copy.heed("run '" + copy.path + "/mine.cpp'");
    CHECK(ended.status == 2);
    CHECK(ended.err == "heed: the compiler cannot write a file: the disk is full\n");
    says(own, own);  // which the linker has not said

    copy.file("mine.cpp", std::string("int main() {}\0\1", 15));
    const Ended no_text = copy.heed("run '" + copy.path + "/mine.cpp'");
    CHECK(no_text.status == 2);
    CHECK(no_text.err ==
          "heed: " + copy.path +
              "/mine.cpp: expected C++ source, found a file that is no text: it contains "
              "bytes that are 0\n");
}

TEST_CASE("command: the shares of the tests hold each test once", "[lesson]") {
    const Scratch scratch;
    const auto passed = [&](const std::string& share) {
        const std::string counts = scratch.path + "/counts";
        const std::string command = share + " HEED_COUNTS='" + counts +
                                    "' '" HEED_LESSON_DIR "/heed_tests' '[shapes]' >'" +
                                    scratch.path + "/log'";
        REQUIRE(std::system(command.c_str()) == 0);
        return std::stoi(read_file(counts));
    };
    const int all = passed("");
    CHECK(all > 5);  // some have commas and quotation marks in their names
    const int shares = all + 2;
    int sum = 0, most = 0;
    for (int i = 0; i < shares; ++i) {
        const int some = passed("HEED_SHARE=" + std::to_string(i) + "/" + std::to_string(shares));
        sum += some;
        most = std::max(most, some);
    }
    CHECK(sum == all);
    CHECK(most < all);
}

TEST_CASE("command: new makes a lesson and a workshop, each with a complete exercise", "[lesson]") {
    using namespace heed::course;
    const Copy copy;
    fs::create_directories(copy.path + "/lessons/heed");
    fs::copy(HEED_SOURCE_DIR "/lessons/heed/skeleton", copy.path + "/lessons/heed/skeleton",
             fs::copy_options::recursive);
    copy.file("lessons/README.md", "<!-- course: begin -->\n| | lesson |\n<!-- course: end -->\n");
    // What is listed is what has changed.
    const auto contents = [&] {
        std::map<std::string, std::string> all;
        for (const auto& entry : fs::recursive_directory_iterator(copy.path + "/lessons"))
            if (entry.is_regular_file())
                all[fs::relative(entry.path(), copy.path).string()] = read_file(entry.path());
        return all;
    };
    copy.file("lessons/course.toml",
              "[[part]]\ntitle = \"Path\"\n\n[[part.lesson]]\nfolder = \"01_one\"\n"
              "sentence = \"One.\"\nseconds = 1\n\n[[part]]\ntitle = \"Workshops\"\n");
    for (const char* words :
         {"workshop caches", "lesson circuits", "workshop batches", "figure circuits/sharpness"}) {
        const auto before = contents();
        const Ended made = copy.heed(std::string("new ") + words);
        INFO(words << made.err);
        CHECK(made.status == 0);
        std::set<std::string> changed, listed;
        for (const auto& [name, text] : contents())
            if (const auto old = before.find(name); old == before.end() || old->second != text)
                changed.insert(name);
        std::istringstream lines(made.out);
        for (std::string line; std::getline(lines, line);)
            listed.insert(line.substr(0, line.find(':')));
        CHECK(listed == changed);
    }
    CHECK(read_file(copy.path + "/lessons/README.md").find("\n2 lessons, ") != std::string::npos);
    CHECK(read_file(copy.path + "/lessons/README.md").find(" and 2 workshops ") !=
          std::string::npos);
    const std::vector<CoursePart> parts = course_parts(copy.path);
    REQUIRE(parts.size() == 2);
    CHECK_FALSE(parts[0].workshops());
    REQUIRE(parts[0].lessons.size() == 2);
    CHECK(parts[0].lessons[1].folder == "02_circuits");
    CHECK(parts[1].workshops());
    REQUIRE(parts[1].lessons.size() == 2);
    CHECK(parts[1].lessons[1].folder == "w2_batches");
    CHECK(parts[1].lessons[1].program() == "lesson_w2");
    CHECK(lesson_after(course_lessons(copy.path), 1)->name() == "circuits");
    CHECK(lesson_after(course_lessons(copy.path), 2) == nullptr);  // workshops are beside the path
    for (const char* wanted : {"W2", "w2", "batches", "w2_batches"})
        CHECK(find_lesson(course_lessons(copy.path), wanted)->name() == "batches");

    std::vector<std::string> ids;
    for (const Exercise& exercise : exercises(copy.path)) ids.push_back(exercise.id());
    CHECK(ids == std::vector<std::string>{"02.1", "W1.1", "W2.1"});
    CHECK(exercises(copy.path)[1].file_name() == "w1_1_mean.h");
}
