// The tables of README.md and docs/SPEED.md are those that `./heed bench --markdown` writes.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "autograd/base/error.h"
#include "bench/markdown.h"
#include "bench/results.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"

namespace heed::bench {
namespace {

using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

// A row as --json writes it, with `more` of its fields.
std::string row(const std::string& name, const std::string& more) {
    return "{\"name\": \"" + name +
           "\", \"processor\": \"P, family 1, model 2\", \"registers\": 256, \"threads\": 2, "
           "\"peak\": 5e11, \"compiler\": \"GCC 12\", \"pytorch_version\": \"2.13\", \"date\": "
           "\"2026-01-02\", \"commit\": \"abc1234\", " +
           more + "}";
}

std::string contents(const std::string& path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

std::string block(const std::string& name, const std::string& inside) {
    return "<!-- bench " + name + ": begin -->\n" + inside + "<!-- bench " + name + ": end -->";
}

TEST_CASE("the tables of a page of speeds, from the files of results", "[bench]") {
    const Scratch folder;
    fs::create_directories(folder.path + "/builds");
    fs::create_directories(folder.path + "/busy");
    folder.file("Maker_One.json",
                "[" +
                    row("mlp",
                        "\"heed\": 2e-6, \"pytorch\": 84e-6, \"ratio\": 42.4, \"lowest\": 40, "
                        "\"highest\": 45, \"pytorch_threads\": 1, \"to_reach\": 20") +
                    "," +
                    row("gpt_small",
                        "\"heed\": null, \"ratio\": 1.5, \"share_of_peak\": 0.625, "
                        "\"to_reach\": 1.7, \"remark\": \"once.\"") +
                    "]");
    folder.file("Maker_Two.json", "[" + row("mlp", "\"ratio\": 3") + "]");
    folder.file("busy/Maker_One.json", "[" + row("mlp", "\"heed_busy\": [1e-6, 2e-6, 5e-6]") + "]");

    const std::string about =
        "P, family 1, model 2; 256 bits a register, 2 threads, GCC 12, PyTorch 2.13. Measured on "
        "2026-01-02, commit abc1234. The peak in registers was 500 GFLOP/s.\n\n";
    const std::string page = with_tables(
        "a\n" + block("processors", "old\n") + "\nb\n" + block("busy", "") + "\nc\n", folder.path);
    CHECK(page ==
          "a\n" +
              block("processors",
                    "### Maker One\n\n" + about +
                        "| workload | heed | PyTorch | times as fast | lowest, highest | goal | "
                        "share of the peak |\n| --- | --- | --- | --- | --- | --- | --- |\n"
                        "| `mlp` | 2.00 us | 84.00 us (1) | 42 | 40, 45 | 20 |  |\n"
                        "| `gpt_small` |  |  | 1.50 |  | 1.7 | 62 % |\n\n"
                        "Below their goals: `gpt_small`.\n\n* `gpt_small`: once.\n\n"
                        "### Maker Two\n\n" +
                        about +
                        "| workload | times as fast |\n| --- | --- |\n| `mlp` | 3.00 |\n\n"
                        "Below their goals: none.\n") +
              "\nb\n" +
              block("busy", "### Maker One\n\n" + about +
                                "| step | heed alone, 1, 4 busy | times as long |\n| --- | --- | "
                                "--- |\n| `mlp` | 1.00 us, 2.00 us, 5.00 us | 2.00, 5.00 |\n") +
              "\nc\n");
    CHECK(with_tables(page, folder.path) == page);  // nothing new was measured
    CHECK_THAT(with_tables(block("summary", ""), folder.path),
               ContainsSubstring("| workload | Maker One | Maker Two |") &&
                   ContainsSubstring("| `mlp` | 42 | 3.00 |") &&
                   ContainsSubstring("| `gpt_small` | 1.50 |  |"));

    CHECK_THROWS_WITH(with_tables("<!-- bench summary: begin -->\n", folder.path),
                      ContainsSubstring("not complete"));
    CHECK_THROWS_WITH(with_tables(block("sumary", ""), folder.path),
                      ContainsSubstring("no table 'sumary'"));
    folder.file("Maker_Two.json", "[{\"name\": \"mlp\"}]");
    CHECK_THROWS_WITH(with_tables(block("processors", ""), folder.path),
                      ContainsSubstring("Maker_Two.json: not what ./heed bench --json writes"));
}

TEST_CASE("the rows of --json are what the tables are made of", "[bench]") {
    const Scratch folder;
    fs::create_directories(folder.path + "/busy");
    Result result{all_workloads("mlp", Scale::tiny).front(), {{2, 1, 4}, {}}, {{4, 6, 4}, {}}, {}};
    result.remark = "a remark.";
    const Setting setting{{5e11, 3e11, 1e10}, 2, "2.13"};
    write_json(folder.path + "/Here.json", {result}, setting);
    write_json(folder.path + "/busy/Here.json", std::vector<BusyResult>{{"mlp", {1, 2, 5}, {}}},
               setting);
    CHECK_THAT(with_tables(block("processors", "") + block("busy", ""), folder.path),
               ContainsSubstring("| `mlp` | 2.00 s | 4.00 s | 2.00 | 1.00, 6.00 | 20 |") &&
                   ContainsSubstring("* `mlp`: a remark.") && ContainsSubstring("PyTorch 2.13.") &&
                   ContainsSubstring("| `mlp` | 1.00 s, 2.00 s, 5.00 s | 2.00, 5.00 |"));
}

TEST_CASE("the speeds in README.md and docs/SPEED.md are those of bench/results", "[bench]") {
    for (const char* page : {"/README.md", "/docs/SPEED.md"}) {
        INFO(page << " is old: run ./heed bench --markdown");
        const std::string text = contents(HEED_SOURCE_DIR + std::string(page));
        CHECK(text.find("<!-- bench ") != std::string::npos);
        CHECK(with_tables(text, HEED_SOURCE_DIR "/bench/results") == text);
    }
}

}  // namespace
}  // namespace heed::bench
