// A function says its shapes twice: to the compiler, in the Shapes at its head, and to the reader, beside
// the tensor in the public header. The two agree: for each "B Q D" of a Shapes, [B, Q, D] stands in the
// header of the same name, or in another one of the same folder.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/catch.h"

namespace {

namespace fs = std::filesystem;

std::string contents_of(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

// The text between the bracket at `begin` and the one that closes it.
std::string inside(const std::string& text, std::size_t begin, char open, char close) {
    int depth = 0;
    for (std::size_t i = begin; i < text.size(); ++i) {
        depth += (text[i] == open) - (text[i] == close);
        if (depth == 0) return text.substr(begin + 1, i - begin - 1);
    }
    return "";
}

// "B Q D" of all tensors in the lists of a file's Shapes. A list is {{"query", q, "B Q D"}, ...}.
std::vector<std::string> patterns_in(const std::string& source) {
    std::vector<std::string> patterns;
    const std::regex begin("const Shapes \\w+\\("), input("\\{\\s*\"[^\"]*\",([^{}]*)\\}"),
        literal("\"([^\"]*)\"");
    for (std::sregex_iterator use(source.begin(), source.end(), begin), end; use != end; ++use) {
        const std::size_t list = source.find('{', static_cast<std::size_t>(use->position()));
        const std::string inputs = inside(source, list, '{', '}');
        for (std::sregex_iterator i(inputs.begin(), inputs.end(), input); i != end; ++i) {
            const std::string rest = (*i)[1];
            for (std::sregex_iterator p(rest.begin(), rest.end(), literal); p != end; ++p)
                patterns.push_back((*p)[1]);
        }
    }
    return patterns;
}

// "? B ?Q" is [B, Q], and [B].
std::vector<std::string> brackets_of(const std::string& pattern) {
    std::string all, less;
    bool may_miss = false;
    std::istringstream words(pattern);
    for (std::string word; words >> word;) {
        if (word == "?") continue;
        const bool maybe = word[0] == '?';
        may_miss |= maybe;
        if (maybe) word.erase(0, 1);
        all += (all.empty() ? "" : ", ") + word;
        if (!maybe) less += (less.empty() ? "" : ", ") + word;
    }
    std::vector<std::string> brackets{"[" + all + "]"};
    if (may_miss) brackets.push_back("[" + less + "]");
    return brackets;
}

// A header's text, with comments of several lines on one.
std::string said_in(const fs::path& header) {
    return std::regex_replace(contents_of(header), std::regex("\\n\\s*// ?"), " ");
}

TEST_CASE("the shapes of each function stand in its header", "[house]") {
    CHECK((patterns_in("const Shapes in(\"f\", {{\"x\", x, \"B ?Q\"}}, {{\"D\", w(\"f\")}});") ==
           std::vector<std::string>{"B ?Q"}));
    CHECK((brackets_of("? B ... ?Q") == std::vector<std::string>{"[B, ..., Q]", "[B, ...]"}));

    int count = 0;
    for (const std::string library : {"nn", "attention"})
        for (const auto& entry :
             fs::recursive_directory_iterator(fs::path(HEED_SOURCE_DIR) / library)) {
            const fs::path source = entry.path();
            if (source.extension() != ".cpp" && source.extension() != ".h") continue;
            const std::vector<std::string> patterns = patterns_in(contents_of(source));
            if (patterns.empty()) continue;
            std::string said;
            for (const auto& header : fs::directory_iterator(source.parent_path()))
                if (header.path().extension() == ".h") said += said_in(header.path());
            for (const std::string& pattern : patterns)
                for (const std::string& brackets : brackets_of(pattern)) {
                    INFO(source.string() << ": \"" << pattern
                                         << "\" of a Shapes, but no header here says " << brackets);
                    CHECK(said.find(brackets) != std::string::npos);
                    ++count;
                }
        }
    CHECK(count > 100);
}

}  // namespace
