// Lessons with data of the reader: small files that are right must be read and trained on. What is
// wrong with files is in test_untrusted.cpp and in the tests of the readers; pairs of sentences are
// in test_pairs.cpp.
#include <filesystem>
#include <map>
#include <string>

#include "tests/catch.h"
#include "tests/lessons/run.h"

using namespace heed;

namespace {

void check_runs(const std::string& lesson, const std::string& options, const Scratch& scratch) {
    INFO("lesson " << lesson << " " << options);
    const Ended ended = run(HEED_LESSON_DIR "/lesson_" + lesson,
                            "--quick --no-predict --threads 1 --out '" + scratch.path + "/out" +
                                lesson + "' " + options,
                            scratch);
    INFO(ended.err);
    CHECK(ended.status <= 1);  // so few data may break a claim
    CHECK(std::filesystem::exists(scratch.path + "/out" + lesson + "/report.html"));
}

// A text of eight words; each label has words of its own.
std::string words_of(int label, int i) {
    const char* const own[] = {"rain snow", "oven spoon"};
    const char* const shared[] = {"the old man went", "so we saw it again"};
    return fmt::format("{} {} and {}", shared[i % 2], own[label], shared[(i / 2) % 2]);
}

}  // namespace

TEST_CASE("own data: labelled lines", "[lesson][data]") {
    if (too_slow_here()) return;
    const Scratch scratch;
    std::string lines;
    for (int i = 0; i < 80; ++i)
        lines += fmt::format("{}:x {}\n", i % 2 ? "COOK" : "WEATHER", words_of(i % 2, i / 2));
    const std::string path = scratch.file("texts.label", lines);
    check_runs("09", "--steps 10 --data '" + path + "'", scratch);
    check_runs("24", "--steps 10 --data '" + path + "'", scratch);
    check_runs("29", "--data '" + path + "'", scratch);
}

TEST_CASE("own data: texts with marked words", "[lesson][data]") {
    if (too_slow_here()) return;
    const Scratch scratch;
    for (const auto& [name, count] : {std::pair("train", 40), {"val", 8}, {"test", 8}}) {
        std::string lines;
        for (int i = 0; i < count; ++i)
            lines += fmt::format("t{}\t{}\t4-6\t0\t{}\n", i, i % 2 ? "COOK" : "WEATHER",
                                 words_of(i % 2, i / 2));
        scratch.file(std::string(name) + ".tsv", lines);
    }
    check_runs("13", "--steps 5 --data '" + scratch.path + "'", scratch);
    check_runs("29", "--data '" + scratch.path + "'", scratch);
}

TEST_CASE("own data: a graph", "[lesson][data]") {
    if (too_slow_here()) return;
    const Scratch scratch;
    std::string nodes, edges;
    for (int i = 0; i < 30; ++i) {
        nodes += fmt::format("{}\t{}\t{}\n", i, i % 2, i % 2 + 2 * (i % 3));
        if (i >= 2) edges += fmt::format("{}\t{}\n", i - 2, i);
    }
    scratch.file("nodes.tsv", nodes);
    scratch.file("edges.tsv", edges);
    scratch.file("classes.tsv", "0\teven\n1\todd\n");
    scratch.file("train.txt", "0\n1\n2\n3\n");
    scratch.file("val.txt", "4\n5\n6\n7\n");
    scratch.file("test.txt", "20\n21\n22\n23\n");
    check_runs("26", "--data '" + scratch.path + "'", scratch);
}
