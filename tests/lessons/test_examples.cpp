// The examples of lessons/examples, as a reader runs them: each trains, and ends with what it reached.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>

#include "tests/catch.h"
#include "tests/lessons/run.h"

namespace {

namespace fs = std::filesystem;

// The number in the last line of what the example prints. Throws if it does not end with status 0.
double result_of(const std::string& name) {
    const Scratch scratch;
    const std::string out = scratch.path + "/out";
    const std::string command =
        std::string(HEED_LESSON_DIR) + "/example_" + name + " >'" + out + "'";
    REQUIRE(std::system(command.c_str()) == 0);
    std::ifstream file(out);
    std::string last;
    for (std::string line; std::getline(file, line);) last = line;
    INFO(last);
    std::smatch match;
    REQUIRE(std::regex_search(last, match, std::regex("([0-9.]+)$")));
    return std::stod(match[1]);
}

}  // namespace

TEST_CASE("examples: each trains in seconds and reaches what it is for", "[lesson]") {
    if (too_slow_here()) return;
    CHECK(result_of("convolutional_network") >= 0.9);
    CHECK(result_of("recurrent_tagger") >= 0.95);
    CHECK(result_of("variational_autoencoder") >= 0.85);
    CHECK(result_of("transformer_classifier") >= 0.95);
    CHECK(result_of("data_parallel") >= 0.95);
    CHECK(result_of("morse") >= 0.85);
}

TEST_CASE("examples: each is under 80 lines", "[lesson]") {
    int examples = 0;
    for (const auto& entry : fs::directory_iterator(HEED_SOURCE_DIR "/lessons/examples")) {
        if (entry.path().extension() != ".cpp") continue;
        std::ifstream file(entry.path());
        int lines = 0;
        for (std::string line; std::getline(file, line);) ++lines;
        INFO(entry.path().filename().string());
        CHECK(lines < 80);
        ++examples;
    }
    CHECK(examples == 8);
}
