// The house has floors: a library uses only those below it, and a folder of it only those before it
// in this list. So there is no circle, and a reader can start at the beginning.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "tests/catch.h"

namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

const Names libraries{"autograd", "nn", "attention", "lessons"};
const std::map<std::string, Names> folders{
    {"autograd", {"base", "kernels", "tensor", "record", "ops", "backward", "check"}},
    {"nn", {"module", "saved", "data", "layers", "recurrent", "optim", "train"}},
    {"attention",
     {"scores", "laws", "hard", "fused", "heads", "decoding", "recurrent", "transformer"}},
    {"lessons/course",
     {"terminal", "figures", "report", "lesson", "read", "generated", "translation"}}};

std::ptrdiff_t index_in(const Names& names, const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? -1 : found - names.begin();
}

// Why a file in `folder` of `house` may not include `header`; empty if it may.
std::string complaint(const std::string& house, const std::string& folder,
                      const std::string& header) {
    const std::string library = house.substr(0, house.find('/'));
    const std::string other = header.substr(0, header.find('/'));
    if (index_in(libraries, other) > index_in(libraries, library)) return "a library above";
    if (header.compare(0, house.size() + 1, house + "/") != 0) return "";
    const std::string rest = header.substr(house.size() + 1);
    const std::size_t slash = rest.find('/');
    if (slash == std::string::npos) return "the umbrella header";
    const Names& order = folders.at(house);
    const std::ptrdiff_t there = index_in(order, rest.substr(0, slash));
    if (there < 0) return "a folder that is not in the list";
    return there > index_in(order, folder) ? "a folder further on" : "";
}

TEST_CASE("each folder uses only those before it", "[house]") {
    const std::regex include("#include \"([^\"]+)\"");
    int files = 0;
    for (const auto& [house, order] : folders)
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(HEED_SOURCE_DIR) / house)) {
            const std::string extension = entry.path().extension().string();
            const std::string folder = entry.path().parent_path().filename().string();
            if (extension != ".h" && extension != ".cpp") continue;
            if (entry.path().parent_path() == fs::path(HEED_SOURCE_DIR) / house) continue;
            INFO(entry.path().string());
            CHECK(index_in(order, folder) >= 0);
            ++files;
            std::ifstream file(entry.path());
            std::smatch match;
            for (std::string line; std::getline(file, line);) {
                if (!std::regex_search(line, match, include)) continue;
                INFO(line);
                CHECK(complaint(house, folder, match[1]) == "");
            }
        }
    CHECK(files > 150);
}

TEST_CASE("an include that goes up is noticed", "[house]") {
    CHECK(complaint("autograd", "tensor", "autograd/base/shape.h") == "");
    CHECK(complaint("autograd", "tensor", "autograd/tensor/node.h") == "");
    CHECK(complaint("autograd", "tensor", "autograd/ops/unary.h") == "a folder further on");
    CHECK(complaint("autograd", "check", "nn/layers/layers.h") == "a library above");
    CHECK(complaint("nn", "layers", "autograd/ops/unary.h") == "");
    CHECK(complaint("nn", "layers", "nn/nn.h") == "the umbrella header");
    CHECK(complaint("nn", "layers", "nn/other/file.h") == "a folder that is not in the list");
}

}  // namespace
