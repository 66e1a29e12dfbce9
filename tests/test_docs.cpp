// The pages say what is in the tree: every link leads somewhere, every path and command that they
// name exists, every test that docs/PROOF.md relies on is there, and README.md stays short.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/catch.h"

namespace {

namespace fs = std::filesystem;

const fs::path tree = HEED_SOURCE_DIR;
const std::set<std::string> top_folders{".ci",  "attention", "autograd", "bench", "cmake",
                                        "docs", "lessons",   "mpi",      "nn",    "tests"};

std::string text_of(const fs::path& path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

// All pages but the exercises' hints, which have tests of their own.
std::vector<fs::path> pages() {
    std::vector<fs::path> all;
    const auto add = [&](const fs::path& path) {
        if (path.extension() == ".md" && path.filename() != "hints.md") all.push_back(path);
    };
    for (const auto& entry : fs::directory_iterator(tree)) add(entry.path());
    for (const std::string& folder : top_folders)
        for (const auto& entry : fs::recursive_directory_iterator(tree / folder)) add(entry.path());
    return all;
}

// All that the first group of an expression finds in a text.
std::vector<std::string> found(const std::string& text, const std::string& expression) {
    const std::regex regex(expression);
    std::vector<std::string> all;
    for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match)
        all.push_back((*match)[1]);
    return all;
}

// A page in two parts: its code, which stands between ` and ` and in blocks, and the rest.
struct Parts {
    std::string code, prose;
    explicit Parts(const std::string& page) {
        bool block = false;
        std::istringstream lines(page);
        for (std::string line; std::getline(lines, line);) {
            if (line.starts_with("```")) {
                block = !block;
            } else if (block) {
                code += line + "\n";
            } else {
                for (const std::string& span : found(line, "`([^`]+)`")) code += span + "\n";
                prose += std::regex_replace(line, std::regex("`[^`]+`"), "") + "\n";
            }
        }
    }
};

// The commands that `./heed help` lists.
const std::set<std::string>& commands() {
    static const std::set<std::string> all = [] {
        const std::unique_ptr<FILE, int (*)(FILE*)> help(
            popen("'" HEED_SOURCE_DIR "/heed' help 2>&1 </dev/null", "r"), pclose);
        std::string text;
        for (int c; (c = std::fgetc(help.get())) != EOF;) text += static_cast<char>(c);
        const std::vector<std::string> names = found(text, "\\./heed ([a-z]+)");
        return std::set<std::string>(names.begin(), names.end());
    }();
    return all;
}

// What a page in this folder names that does not exist.
std::vector<std::string> faults_of(const std::string& page, const fs::path& folder) {
    std::vector<std::string> faults;
    const auto& [code, prose] = Parts(page);
    for (const std::string& link : found(prose, "\\]\\(([^)#\\s]+)(?:#[^)]*)?\\)"))
        if (!link.starts_with("http") && !fs::exists(folder / link))
            faults.push_back("a link to " + link);
    for (const std::string& path : found(code, "(?:^|[\\s'\"=])([.\\w]+/[\\w./-]*)")) {
        const std::string first = path.substr(0, path.find('/'));
        const bool pattern = path.find("NN_") != std::string::npos;  // lessons/NN_name/lesson.cpp
        if (top_folders.contains(first) && !pattern && !fs::exists(tree / path) &&
            !fs::exists(folder / path))
            faults.push_back("the path " + path);
    }
    for (const std::string& command : found(code, "\\./heed ([a-z]+)"))
        if (!commands().contains(command)) faults.push_back("the command ./heed " + command);
    const std::string presets = text_of(tree / "CMakePresets.json");
    for (const std::string& preset : found(code, "(?:HEED_PRESET=|--preset )(\\w+)"))
        if (presets.find("\"name\": \"" + preset + "\"") == std::string::npos)
            faults.push_back("the preset " + preset);
    return faults;
}

TEST_CASE("the pages name only what exists: links, paths, commands, presets", "[house]") {
    CHECK(commands().contains("learn"));
    int count = 0;
    for (const fs::path& page : pages()) {
        INFO(page.string());
        CHECK(faults_of(text_of(page), page.parent_path()) == std::vector<std::string>{});
        ++count;
    }
    CHECK(count >= 14);
}

TEST_CASE("what a page may not name", "[house]") {
    const auto faults = [](const std::string& page) { return faults_of(page, tree / "docs"); };
    CHECK(faults("[a](../README.md) [b](https://x.org/y) `nn/nn.h` `./heed test` `a/b` `*/x.h`\n"
                 "```sh\nHEED_PRESET=web ./heed learn 4\n```\n")
              .empty());
    CHECK(faults("[a](README.md)") == std::vector<std::string>{"a link to README.md"});
    CHECK(faults("`nn/none.h`") == std::vector<std::string>{"the path nn/none.h"});
    CHECK(faults("```sh\n./heed run lessons/none.cpp\n./heed teach\n```") ==
          std::vector<std::string>{"the path lessons/none.cpp", "the command ./heed teach"});
    CHECK(faults("`HEED_PRESET=none ./heed test`") == std::vector<std::string>{"the preset none"});
}

TEST_CASE("README.md is a screen and a half, and no laboratory", "[house]") {
    const std::string readme = text_of(tree / "README.md");
    CHECK(std::count(readme.begin(), readme.end(), '\n') <= 150);
}

// Lines such as "* `tests/test_docs.cpp`: the name of a test", which may go on in the next line.
std::vector<std::pair<std::string, std::string>> tests_named_in(std::string page) {
    page = std::regex_replace(page, std::regex("\n  +"), " ");
    const std::vector<std::string> files = found(page, "\n\\* `(tests/[^`]+)`: [^\n]+"),
                                   names = found(page, "\n\\* `tests/[^`]+`: ([^\n]+)");
    std::vector<std::pair<std::string, std::string>> all;
    for (std::size_t i = 0; i < files.size(); ++i) all.emplace_back(files[i], names[i]);
    return all;
}

bool has_test(std::string source, const std::string& name) {
    source = std::regex_replace(source, std::regex("\"\\s*\n\\s*\""), "");  // long names
    for (const std::string& one : found(source, "TEST_CASE\\(\\s*\"([^\"]*)\""))
        if (one == name) return true;
    return false;
}

TEST_CASE("every test that docs/PROOF.md names exists", "[house]") {
    const auto named = tests_named_in(text_of(tree / "docs/PROOF.md"));
    CHECK(named.size() >= 50);
    for (const auto& [file, name] : named) {
        INFO(file << ": " << name);
        CHECK(has_test(text_of(tree / file), name));
    }
    CHECK(tests_named_in("x\n* `tests/a.cpp`: one two\n  three\n* `b`: no\n") ==
          std::vector<std::pair<std::string, std::string>>{{"tests/a.cpp", "one two three"}});
    CHECK(has_test("TEST_CASE(\n    \"one two \"\n    \"three\", \"[x]\")", "one two three"));
    CHECK_FALSE(has_test("TEST_CASE(\"one two\")", "one"));
}

}  // namespace
