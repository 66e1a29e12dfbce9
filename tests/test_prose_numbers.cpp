// No text of a lesson has a result that somebody typed, or speaks of quick and full runs. The rules are those of
// tests/prose_numbers, which also prints the lines.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "tests/catch.h"
#include "tests/skipped.h"

namespace {

std::string printed(const std::string& command) {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    REQUIRE(pipe);
    std::string text;
    std::array<char, 512> bytes{};
    for (std::size_t n; (n = std::fread(bytes.data(), 1, bytes.size(), pipe.get())) > 0;)
        text.append(bytes.data(), n);
    return text;
}

}  // namespace

TEST_CASE("prose numbers: no result is typed, and no text speaks of quick and full runs",
          "[lesson][house]") {
    if (std::system("python3 --version >/dev/null 2>&1") != 0 && skipped("there is no python3"))
        return;
    CHECK(printed("python3 '" HEED_SOURCE_DIR "/tests/prose_numbers' --check") == "");
}

TEST_CASE("prose numbers: the rules find what they are for", "[house]") {
    if (std::system("python3 --version >/dev/null 2>&1") != 0 && skipped("there is no python3"))
        return;
    const std::string program = "python3 '" HEED_SOURCE_DIR "/tests/prose_numbers' --text ";
    const auto found = [&](const std::string& text) { return printed(program + "'" + text + "'"); };
    CHECK(found("It reaches 0.95 or 95 %, in 18 of 20 runs.") ==
          "1: typed: 0.95\n1: typed: 18 of 20 runs\n1: typed: 95 %\n");
    CHECK(found("A full\nrun, a quick run, `--quick` and seed 1.") ==
          "1: mode: full run\n2: mode: --quick\n2: mode: quick run\n2: mode: seed 1\n");
    CHECK(found("## A\n\nOn a terminal, 9 is dark.") == "3: mode: terminal\n");
    CHECK(
        found("Reached {exact:%}, section 3.2.1, $0.5$, `0.01`, 1/2, 1,024 and 16 of 20 words.") ==
        "");
    CHECK(found("{no results} Set it to 0.5.\n\nIt is 0.6.") == "3: typed: 0.6\n");
    CHECK(found("## A\n\n{no results}\n\nSet 0.5.\n\nAnd 0.6.\n\n## B\n\nIt is 0.7.") ==
          "11: typed: 0.7\n");
}

TEST_CASE("prose numbers: the path to the translator takes at most 17,000 words",
          "[lesson][house]") {
    if (std::system("python3 --version >/dev/null 2>&1") != 0 && skipped("there is no python3"))
        return;
    const std::string all = printed("python3 '" HEED_SOURCE_DIR "/tests/prose_numbers'"),
                      line = "From lesson 00 to the end of 11: ";
    REQUIRE(all.find(line) != std::string::npos);
    const int words = std::atoi(all.c_str() + all.find(line) + line.size());
    CHECK(words > 10'000);
    CHECK(words <= 17'000);
}
