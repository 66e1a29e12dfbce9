// Lesson 09 with the reader's texts: training on valid files, errors for malformed ones.
#include <filesystem>
#include <string>

#include "lessons/material/read/text_data.h"
#include "tests/catch.h"
#include "tests/lessons/run.h"

using heed::course::read_file;

namespace {

Ended run_on(const std::string& path, const Scratch& scratch) {
    return run(HEED_LESSON_DIR "/lesson_09",
               "--quick --steps 200 --out '" + scratch.path + "/out' --data '" + path + "'",
               scratch);
}

// Questions whose second word determines the class.
std::string questions(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {
        const std::string number = std::to_string(i % 7);
        text += i % 3 == 0 ? "NUM:count How many " + number + " are there ?\n"
                           : "HUM:ind Who is called " + number + " ?\n";
    }
    return text;
}

}  // namespace

TEST_CASE("questions: training on one file, or on a folder of two", "[lesson][data]") {
    if (too_slow_here()) return;
    const Scratch scratch;
    const Ended one = run_on(scratch.file("x.label", questions(200)), scratch);
    INFO(one.err);
    CHECK(one.status == 0);

    scratch.file("train_5500.label", questions(200));
    scratch.file("TREC_10.label", questions(30));
    const Ended both = run_on(scratch.path, scratch);
    INFO(both.err);
    CHECK(both.status == 0);
    CHECK(std::filesystem::exists(scratch.path + "/out/report.html"));
}

TEST_CASE("questions: errors name the file and the line", "[lesson][data][errors]") {
    const Scratch scratch;
    const auto check_refused = [&](const std::string& path, const std::string& complaint) {
        const Ended ended = run_on(path, scratch);
        CHECK(ended.status == 2);
        CHECK(ended.err == "lesson 9: --data: " + scratch.path + "/" + complaint + "\n");
        CHECK(ended.out.find("✓") == std::string::npos);  // before anything is computed
        CHECK_FALSE(std::filesystem::exists(scratch.path + "/out/report.html"));
    };
    check_refused(scratch.file("x.label", questions(40) + "Who is it ?\n"),
                  "x.label: line 41: expected LABEL:detail, a blank, and the text, found 'Who' "
                  "without a colon");
    check_refused(scratch.file("short.label", questions(5)),
                  "short.label: expected at least 20 lines to learn from, found 5");
    scratch.file("train_5500.label", questions(60));
    scratch.file("TREC_10.label", questions(3) + "LOC:city Where is it ?\n");
    check_refused(scratch.path, "TREC_10.label: line 4: expected a label that occurs in " +
                                    scratch.path + "/train_5500.label, found 'LOC'");
    std::filesystem::remove(scratch.path + "/TREC_10.label");
    const Ended ended = run_on(scratch.path, scratch);
    CHECK(ended.status == 2);
    CHECK(ended.err.find("expected the folder of the TREC questions") != std::string::npos);
}
