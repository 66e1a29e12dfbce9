// messages.md, the table of all misuses and what heed says of them, is made by running the calls of
// this folder. This test makes it anew and compares. To write it: HEED_UPDATE=1 ./heed test
// '[messages]'
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "tests/catch.h"
#include "tests/messages/messages.h"

namespace heed::messages {
namespace {

namespace fs = std::filesystem;
const fs::path root = HEED_SOURCE_DIR;

std::vector<Chapter> all_chapters() {
    std::vector<Chapter> all;
    for (const auto& some : {tensor_chapters(), operation_chapters(), derivative_chapters(),
                             nn_chapters(), attention_chapters()})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

// What the call says; empty if it says nothing. Anything but an Error is a mistake of heed's.
std::string message_of(const Row& row) {
    try {
        row.run();
    } catch (const Error& error) {
        return error.what();
    } catch (const std::exception& other) {
        FAIL_CHECK(row.call << " throws something else than Error: " << other.what());
        return "(no Error)";
    }
    return "";
}

// The text without line breaks and runs of blanks, which formatting brings.
std::string on_one_line(std::string text) {
    return std::regex_replace(text, std::regex("\\s+"), " ");
}

std::string indented(const std::string& text) {
    return "    " + std::regex_replace(text, std::regex("\n"), "\n    ");
}

std::string make_page() {
    std::string page =
        "# Every message of heed\n\n"
        "Calls that heed refuses, as they are written in a program, and what it says of each. The\n"
        "page is made by running them: tests/messages/test_messages.cpp. A message says which "
        "call\nis wrong, the rule, what was given, and the likely fix where it is known.\n";
    for (const Chapter& chapter : all_chapters()) {
        page += "\n## " + chapter.title + "\n\n";
        if (!chapter.setting.empty()) page += "```cpp\n" + chapter.setting + "\n```\n\n";
        for (const Row& row : chapter.rows)
            page += "`" + on_one_line(row.call) + "`\n\n" + indented(message_of(row)) + "\n\n";
    }
    return page;
}

TEST_CASE("messages.md holds what heed says of each misuse", "[messages]") {
    const fs::path path = root / "tests/messages/messages.md";
    const std::string made = make_page();
    if (std::getenv("HEED_UPDATE")) std::ofstream(path) << made;
    std::ostringstream kept;
    kept << std::ifstream(path).rdbuf();
    std::istringstream old_lines(kept.str()), new_lines(made);
    std::string call;
    for (std::string a, b; std::getline(new_lines, b);) {
        std::getline(old_lines, a);
        if (b.rfind("`", 0) == 0) call = b;
        INFO(
            "messages.md is not what heed says; HEED_UPDATE=1 ./heed test '[messages]' writes it "
            "anew. The first difference, at "
            << call << ":\n"
            << a << "\n"
            << b);
        REQUIRE(a == b);
    }
    CHECK((kept.str() == made));
}

// "LeakyRelu", the layer, and "leaky_relu", its function, are the same name.
std::string plain(const std::string& text) {
    std::string letters;
    for (const char c : text)
        if (std::isalnum(static_cast<unsigned char>(c)))
            letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return letters;
}

// Whether the first word is the name.
bool begins_with_name(const std::string& message, const std::string& name) {
    return plain(message.substr(0, message.find_first_of(", "))) == plain(name);
}

// A message that names an inner function sends its reader to the wrong line.
TEST_CASE("each misuse throws, and its message begins with the user's call", "[messages]") {
    CHECK(begins_with_name("leaky_relu: text", "LeakyRelu"));
    CHECK(begins_with_name("Sequential, layer 2: text", "Sequential"));
    CHECK_FALSE(begins_with_name("MultiHeadPooling: text", "MultiHead"));
    CHECK_FALSE(begins_with_name("linear: text", "MultiHead"));
    int rows = 0;
    for (const Chapter& chapter : all_chapters())
        for (const Row& row : chapter.rows) {
            const std::string message = message_of(row);
            INFO(row.call << "\nsays: " << message);
            CHECK_FALSE(message.empty());
            CHECK(begins_with_name(message, row.name));
            ++rows;
        }
    CHECK(rows > 1050);
}

// --- nothing is left out ------------------------------------------------------------------------

// Public functions that refuse nothing, each with the reason.
const std::set<std::string> exempt{
    // takes any tensor, defined or not
    "to_string",
    "is_unshared",
    "name_of",
    // how operations are made, not called by programs
    "column",
    "one_after_another",
    "view_of",
    "check_same_dtype",
    "check_defined",
    "fail_not_defined",
    "at_index",
    "check_range",
    "scalar_for",
    "put_in_window",
    "window_of",
    "expand_windows",
    "record",
    "needs_record",
    // comparisons and conversions of integers take all integers
    "less",
    "greater",
    "to_tensor",
    // call a layer, or a function of the user's, which does the refusing
    "hook",
    "with_weights",
    // parts of formulas, and of saving a state
    "normal_cdf",
    "normal_pdf",
    "sigmoid_slope",
    "asin_slope",
    "sigmoid_both",
    "note_replaced_buffer",
    "includes",
    // for the rule of a product
    "add_product",
    // inside of a cell; a cell gives its own name, such as gru
    "rectified",
    "RecurrentCell",
    // only marks
    "mark_as_parameter",
    "is_parameter",
    "mark_as_trained",
    "mark_as_buffer",
    "is_buffer",
    "other_parameters",
};

std::string text_of(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return std::regex_replace(text.str(), std::regex("//[^\n]*"), "");
}

// Functions declared at the left margin that take a Tensor or Indices, and structs that can be called
// with one.
std::set<std::string> public_names(const std::string& text) {
    std::set<std::string> names;
    const std::regex declaration("\n(?:inline )?[A-Za-z][\\w:<>, ]*[&*]? [&*]?(\\w+)\\(");
    for (std::sregex_iterator i(text.begin(), text.end(), declaration), end; i != end; ++i) {
        std::size_t at = static_cast<std::size_t>(i->position() + i->length());
        const std::size_t begin = at;
        for (int depth = 1; at < text.size() && depth > 0; ++at)
            depth += (text[at] == '(') - (text[at] == ')');
        const std::string parameters = text.substr(begin, at - begin);
        if (std::regex_search(parameters, std::regex("\\b(Tensor|Indices)\\b")))
            names.insert((*i)[1]);
    }
    std::istringstream lines(text);
    std::string line, inside;
    for (std::smatch match; std::getline(lines, line);) {
        if (std::regex_search(line, match, std::regex("^struct (\\w+).*\\{"))) inside = match[1];
        if (line == "};") inside.clear();
        if (!inside.empty() &&
            std::regex_search(line, std::regex("operator\\(\\)\\(const (Tensor|Indices)&")))
            names.insert(inside);
    }
    return names;
}

// Headers of kernels and of what only heed itself uses.
bool is_inner(const fs::path& path) {
    static const std::set<std::string> files{"storage.h",
                                             "node.h",
                                             "operation.h",
                                             "record.h",
                                             "finite.h",
                                             "map.h",
                                             "rows.h",
                                             "windows.h",
                                             "pass.h",
                                             "arrivals.h",
                                             "scaling.h",
                                             "shapes.h",
                                             "elementwise.h",
                                             "laws_detail.h",
                                             "laws.h",
                                             "recompute.h",
                                             "recurrence_kernels.h",
                                             "tiles.h",
                                             "tiled_attention.h",
                                             "plain_attention.h",
                                             "gradcheck_model.h",
                                             "key_mask.h"};
    return files.count(path.filename().string()) > 0 || path.parent_path().filename() == "kernels";
}

TEST_CASE("every public function that takes tensors has a row in the table",
          "[messages][unsanitized]") {
    std::set<std::string> with_row;
    for (const Chapter& chapter : all_chapters())
        for (const Row& row : chapter.rows) {
            with_row.insert(row.name);
            with_row.insert(first_word(row.call));
        }
    int found = 0;
    for (const char* library : {"autograd", "nn", "attention"})
        for (const auto& entry : fs::recursive_directory_iterator(root / library)) {
            if (entry.path().extension() != ".h" || is_inner(entry.path())) continue;
            for (const std::string& name : public_names(text_of(entry.path()))) {
                INFO("no call in tests/messages misuses " << name << " of "
                                                          << entry.path().string());
                CHECK((with_row.count(name) || exempt.count(name)));
                ++found;
            }
        }
    CHECK(found > 250);
    CHECK(public_names("\nTensor f(int n,\n         const Tensor& x = {});\nint g();\n") ==
          std::set<std::string>{"f"});
    CHECK(public_names("\nstruct Layer {\n    Tensor operator()(const Tensor& x) const;\n};\n") ==
          std::set<std::string>{"Layer"});
}

}  // namespace
}  // namespace heed::messages
