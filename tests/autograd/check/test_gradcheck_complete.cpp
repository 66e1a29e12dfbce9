// Nothing is left out of the gradient check: every public function that makes a Tensor of tensors, and
// every layer, must be the first word of some case's name. The headers themselves are read.
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "tests/catch.h"
#include "tests/gradcheck/registry.h"

namespace heed {
namespace {

// What has no gradient, or is the means by which gradients are made.
const std::set<std::string> without_gradient{
    "empty_like", "zeros_like", "ones_like", "full_like", "detach", "copy_of", "view_of",
    "uniform_like", "normal_like", "bernoulli_like",            // constants
    "isnan", "isinf", "isfinite", "logical_and", "logical_or", "logical_not", "mask_to_dtype", "any",
    "all",                                                      // masks
    "grad", "parameter",       // the gradient itself; a leaf
    "combine",                 // of masks, which are constants
    "AdditiveScore", "DotScore", "ScaledDotScore", "GeneralScore", "ContentScore",
    "LocationScore",           // all of them in the cases of AttentionScore
    "RecurrentEncoder",        // in those of EncoderDecoder
    "leave_one_out", "optimal_baseline",  // baselines are constants
    // Not the gradient of their value, on purpose; tests/attention/hard/test_hard_wrong.cpp has the bias.
    "straight_through", "straight_through_sample", "straight_through_gumbel",
};
// How operations are built, not operations.
const std::set<std::string> inner_headers{"elementwise.h", "node.h",    "operation.h",
                                          "map.h",         "rows.h",   "scaling.h",    "windows.h",
                                          "laws_detail.h", "cells.h", "record.h",  "gradcheck_model.h"};

std::string text_of(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

std::vector<std::string> matches(const std::string& text, const std::string& pattern) {
    std::vector<std::string> found;
    const std::regex regex(pattern);
    for (std::sregex_iterator i(text.begin(), text.end(), regex), end; i != end; ++i)
        found.push_back((*i)[1]);
    return found;
}

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// The public names of a header: functions from tensors to tensors (declared at the left margin, so not
// templates' bodies nor members), and structs that can be called with a tensor or with indices.
std::set<std::string> public_names(std::string text) {
    text = std::regex_replace(text, std::regex("\ntemplate <[^\n]*>\n[^\n]*"), "\n");
    std::set<std::string> names;
    for (const char* result : {"Tensor", "std::vector<Tensor>"})
        for (const std::string& name :
             matches(text, std::string("\n(?:inline )?") + result +
                               " (\\w+)\\([^)]*\\b(?:Tensor&|Tensor>&|Tensor)[^)]*\\)"))
            if (!ends_with(name, "_definition")) names.insert(name);
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

std::set<std::string> public_names_of(const std::string& folder) {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(HEED_SOURCE_DIR "/" + folder)) {
        const std::filesystem::path& path = entry.path();
        if (path.extension() != ".h" || inner_headers.count(path.filename().string())) continue;
        names.merge(public_names(text_of(path)));
    }
    return names;
}

TEST_CASE("everything that has a gradient is in the list of the gradient check", "[grad]") {
    std::set<std::string> checked;
    for (const Case& one : all_cases()) checked.insert(matches(one.name, "^(\\w+)").at(0));
    for (const char* folder : {"autograd", "nn", "attention"})
        for (const std::string& name : public_names_of(folder)) {
            INFO("`" << name << "` of " << folder
                     << "/ is in no case of tests/gradcheck: add one that begins with its name");
            CHECK((without_gradient.count(name) || checked.count(name)));
        }
}

TEST_CASE("the headers are read as they are meant", "[grad]") {
    const std::set<std::string> names = public_names_of("autograd");
    for (const char* name : {"add", "exp", "leaky_relu", "where", "matmul", "sum", "split", "stack",
                             "embedding", "scatter_add", "cross_entropy", "clone", "layer_norm"})
        CHECK(names.count(name) == 1);
    for (const char* name : {"zeros", "uniform", "record", "attach", "argmax", "softmax_definition"})
        CHECK(names.count(name) == 0);
    CHECK(names.size() > 60);
    CHECK(public_names("\nstruct Layer {\n    Tensor operator()(const Tensor& x) const;\n};\n") ==
          std::set<std::string>{"Layer"});
    CHECK(public_names("\nTensor f(int n,\n         const Tensor& x);\n") == std::set<std::string>{"f"});
}

}  // namespace
}  // namespace heed
