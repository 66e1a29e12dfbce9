// Lessons 11 and 22 with the reader's sentence pairs: training on valid files, errors for malformed
// ones, a saved model loaded again.
#include <algorithm>
#include <filesystem>
#include <string>

#include "lessons/material/read/text_data.h"
#include "tests/catch.h"
#include "tests/lessons/run.h"

using heed::course::read_file;

namespace {

// Numbers in base 3, in one language with the first digit first, in the other with the last one.
std::string pairs(int count) {
    const char *from[] = {"none", "one", "two"}, *to[] = {"영", "일", "이"};
    std::string text;
    for (int i = 0; i < count; ++i) {
        std::string source, target;
        for (int rest = i + 3; rest > 0; rest /= 3) {
            source = from[rest % 3] + (source.empty() ? "" : " " + source);
            target += (target.empty() ? "" : " ") + std::string(to[rest % 3]);
        }
        text += source + "\t" + target + "\n";
    }
    return text;
}

Ended run_on(const std::string& lesson, const std::string& options, const Scratch& scratch) {
    std::string small = "--quick --no-predict --threads 1 ";
    small += lesson == "22" ? "--width 32 " : "--hidden 16 ";
    if (lesson == "22" && options.find("--load") == std::string::npos) small += "--steps 40 ";
    return run(HEED_LESSON_DIR "/lesson_" + lesson,
               small + "--out '" + scratch.path + "/out' " + options, scratch);
}

// Whether the output, with lines joined, contains the text.
bool said(const Ended& ended, const std::string& text) {
    std::string all = ended.out;
    std::replace(all.begin(), all.end(), '\n', ' ');
    return all.find(text) != std::string::npos;
}

std::string quoted(const std::string& option, const std::string& path) {
    return option + " '" + path + "' ";
}

}  // namespace

TEST_CASE("pairs: one file is split, three files are used as they are", "[lesson][data]") {
    if (too_slow_here()) return;
    const auto lesson = GENERATE(as<std::string>{}, "11", "22");
    const Scratch scratch;
    const std::string train = scratch.file("train.tsv", pairs(240)),
                      valid = scratch.file("valid.tsv", pairs(20)),
                      test = scratch.file("test.tsv", pairs(30)),
                      model = scratch.path + "/model.safetensors";
    const Ended one = run_on(lesson, quoted("--data", train), scratch);
    INFO(one.out << one.err);
    CHECK(one.status == 0);
    CHECK(said(one, "The source is read as words (3 of them known)"));
    CHECK(std::filesystem::exists(scratch.path + "/out/report.html"));

    const std::string three =
        quoted("--data", train) + quoted("--valid", valid) + quoted("--test", test) + "--swap ";
    const Ended kept =
        run_on(lesson, three + "--source-level char " + quoted("--save", model), scratch);
    INFO(kept.out << kept.err);
    CHECK(kept.status == 0);
    CHECK(said(kept, "240 pairs for training, 20 for validation, 30 for testing."));
    CHECK(said(kept, "read as characters (4 of them known)"));

    const Ended again =
        run_on(lesson, three + "--source-level char " + quoted("--load", model), scratch);
    INFO(again.out << again.err);
    CHECK(again.status == 0);
    const Ended other = run_on(lesson, three + quoted("--load", model), scratch);
    CHECK(other.status == 2);
    CHECK(other.err.find("--load") != std::string::npos);
}

TEST_CASE("pairs: errors name the file and the line", "[lesson][data][errors]") {
    const auto lesson = GENERATE(as<std::string>{}, "11", "22");
    const Scratch scratch;
    const std::string number = lesson == "11" ? "11" : "22",
                      good = quoted("--data", scratch.file("good.tsv", pairs(100)));
    const auto check_refused = [&](const std::string& options, const std::string& complaint) {
        const Ended ended = run_on(lesson, options, scratch);
        CHECK(ended.status == 2);
        CHECK(ended.err == "lesson " + number + ": " + complaint + "\n");
        CHECK_FALSE(std::filesystem::exists(scratch.path + "/out/report.html"));
    };
    const std::string broken = scratch.file("broken.tsv", pairs(40) + "one two\n");
    const std::string expected = ": line 41: expected source<TAB>target, found no tab";
    check_refused(quoted("--data", broken), "--data: " + broken + expected);
    check_refused(good + quoted("--valid", broken), "--valid: " + broken + expected);
    check_refused(good + quoted("--test", broken), "--test: " + broken + expected);
    const std::string few = scratch.file("few.tsv", "a\tb\n");
    check_refused(quoted("--data", few),
                  "--data: " + few +
                      ": expected at least 3 different source sentences, because each belongs to "
                      "one set only (training, validation or test), found 1 in 1 pairs");
    check_refused(
        "--swap",
        "--swap, --valid, --test, --source-level, --target-level and --pieces need --data");
}
