// autograd/gradients.md shows every gradient rule of the engine on one page. The page is made from the
// source: from the rows of unary.cpp and binary.cpp, and from every call of record(), record_many()
// and record_fused() in the libraries, with the comment above its function. This test makes the page
// anew and compares. To write it: HEED_UPDATE=1 ./heed test '[rules]'
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "tests/autograd/elementwise_operations.h"
#include "tests/catch.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

const fs::path root = HEED_SOURCE_DIR;

Lines lines_of(const fs::path& path) {
    Lines lines;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

bool begins_with(const std::string& text, const std::string& start) {
    return text.compare(0, start.size(), start) == 0;
}

// The comment that ends above line `i`, without its slashes.
Lines comment_above(const Lines& lines, std::size_t i) {
    std::size_t first = i;
    while (first > 0 && begins_with(lines[first - 1], "//")) --first;
    Lines comment;
    for (; first < i; ++first)
        comment.push_back(lines[first].size() > 3 ? lines[first].substr(3) : "");
    return comment;
}

// --- formulas: the rows of unary.cpp and binary.cpp ---------------------------------------------

// Each with the comment above it, up to the function below it.
std::string formulas(const fs::path& source) {
    const Lines lines = lines_of(source);
    std::string page;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!begins_with(lines[i], "constexpr auto ") || comment_above(lines, i).empty()) continue;
        page += page.empty() ? "```cpp\n" : "\n";
        for (const std::string& line : comment_above(lines, i)) page += "// " + line + "\n";
        for (; !lines[i].empty() && !begins_with(lines[i], "Tensor "); ++i) page += lines[i] + "\n";
    }
    return page + "```\n";
}

// --- calls of record() --------------------------------------------------------------------------

// The text from line `i` on, up to the parenthesis that closes the first one opened after `column`.
std::string call_at(const Lines& lines, std::size_t i, std::size_t column) {
    std::string text;
    int depth = 0;
    for (; i < lines.size(); ++i, column = 0) {
        bool in_string = false;
        for (std::size_t k = column; k < lines[i].size(); ++k) {
            const char c = lines[i][k];
            text += c;
            if (c == '"') in_string = !in_string;
            if (in_string) continue;
            depth += (c == '(') - (c == ')');
            if (c == ')' && depth == 0) return text;
        }
        text += '\n';
    }
    return text;
}

// The function that line `i` lies in: the last line at the left margin that opens one.
std::size_t function_around(const Lines& lines, std::size_t i) {
    const std::regex opens(R"(^[A-Za-z][\w:<>&, ]* \**\w+\()");
    while (i > 0 && !std::regex_search(lines[i], opens)) --i;
    while (i > 0 && begins_with(lines[i - 1], "template")) --i;
    return i;
}

// The definition of a rule that the call names, `const auto NAME = ...;` further up in the function;
// empty if the rules stand in the call itself.
std::string named_rules(const Lines& lines, std::size_t function, std::size_t i,
                        const std::string& call) {
    std::string text;
    const std::regex definition(R"(^ +const auto (\w+) = *\[?)");
    for (std::size_t k = function; k < i; ++k) {
        std::smatch match;
        if (!std::regex_search(lines[k], match, definition) ||
            !std::regex_search(call, std::regex("\\b" + match[1].str() + "\\b")))
            continue;
        int depth = 0;
        for (std::size_t end = k; end < i; ++end) {
            text += lines[end] + "\n";
            for (const char c : lines[end])
                depth += (c == '(' || c == '{') - (c == ')' || c == '}');
            if (depth == 0 && !lines[end].empty() && lines[end].back() == ';') break;
        }
    }
    return text;
}

std::string records(const fs::path& file) {
    const Lines lines = lines_of(file);
    const std::regex call(R"(\brecord(_many|_fused|_view)?\()");
    std::string page;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        std::smatch match;
        if (begins_with(lines[i], "#") || begins_with(lines[i], "//") ||
            begins_with(lines[i], "Tensor record_view") ||
            !std::regex_search(lines[i], match, call))
            continue;
        const std::size_t function = function_around(lines, i);
        std::size_t head = function;  // the line with the name, below `template`
        while (begins_with(lines[head], "template") && head < i) ++head;
        const std::string text = call_at(lines, i, static_cast<std::size_t>(match.position()));
        page += page.empty() ? "```cpp\n" : "\n";
        for (const std::string& line : comment_above(lines, function)) page += "// " + line + "\n";
        page += lines[head] + (head < i ? " ...\n" : "\n");
        page += named_rules(lines, function, i, text) + std::string(4, ' ') + text + "\n";
    }
    return page.empty() ? page : page + "```\n";
}

std::string make_page() {
    std::string page =
        "# Every gradient rule of heed\n\n"
        "Let L be a number computed from y, and g = dL/dy. For each operation y = f(x, ...) this "
        "page\nshows the rule that turns g into dL/dx, as it stands in the source. It is made from "
        "the source\nby tests/autograd/record/test_rules_page.cpp; `./heed gradcheck` proves each "
        "rule.\n\n## autograd/ops/elementwise/unary.cpp\n\n"
        "A row holds the name, where the gradient is checked, the value, and the slope g dy/dx, from g "
        "and\nfrom what is `Saved`.\n\n";
    page += formulas(root / "autograd/ops/elementwise/unary.cpp");
    page += "\n## autograd/ops/elementwise/binary.cpp\n\n";
    page += formulas(root / "autograd/ops/elementwise/binary.cpp");
    std::vector<fs::path> files;
    for (const char* library : {"autograd/ops", "nn", "attention"})
        for (const auto& entry : fs::recursive_directory_iterator(root / library))
            if (entry.path().extension() == ".cpp") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
        const std::string calls = records(file);
        if (!calls.empty())
            page += "\n## " + fs::relative(file, root).generic_string() + "\n\n" + calls;
    }
    return page;
}

TEST_CASE("gradients.md shows every gradient rule, as it stands in the source",
          "[rules][unsanitized]") {
    const fs::path path = root / "autograd/gradients.md";
    const std::string made = make_page();
    if (std::getenv("HEED_UPDATE")) std::ofstream(path) << made;
    std::ostringstream kept;
    kept << std::ifstream(path).rdbuf();
    INFO(
        "autograd/gradients.md is not what the source says; HEED_UPDATE=1 ./heed test '[rules]' "
        "writes it anew");
    CHECK((kept.str() == made));

    for (const ListedOperation& op : elementwise_operations()) {
        INFO(op.name << " is missing from the page");
        CHECK(made.find(std::string(">(\"") + op.name + "\", ") != std::string::npos);
    }
    for (const char* call : {"record(\"matmul\"", "record(\"sum\"", "record_many(\"stack\"",
                             "record_fused(\"layer_norm\"", "record(name"}) {
        INFO(call);
        std::string text = made;
        text.erase(
            std::remove_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == ' '; }),
            text.end());
        CHECK(text.find(call) != std::string::npos);
    }
}

}  // namespace
}  // namespace heed
