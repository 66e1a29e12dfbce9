// Error messages for wrong shapes name the operation, the shapes and what was expected. There is a
// row for every public function and layer of attention/; the test reads the headers, so that none is
// missing.
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <set>
#include <sstream>

#include "tests/attention/shape_errors.h"
#include "tests/catch.h"

using namespace heed;
using namespace heed::shape_errors;

namespace {

std::string message_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing was refused";
}

// Functions without shapes that could be wrong, or tested elsewhere (test_pytorch.cpp).
const std::set<std::string> nothing_to_refuse{"name_of",
                                              "to_string",
                                              "score_kinds",
                                              "position_kinds",
                                              "synthesizer_kinds",
                                              "gpt",
                                              "parameter_count",
                                              "encoder_parameter_count",
                                              "decoder_parameter_count",
                                              "initialise_vaswani",
                                              "initialise_gpt2",
                                              "length_penalty",
                                              "ranking_score",
                                              "gumbel_noise",
                                              "ResidualConnection",
                                              "to_pytorch",
                                              "from_pytorch",
                                              "pytorch_names",
                                              "load_pytorch",
                                              "save_pytorch",
                                              "named_parameters"};

// Functions declared at the left margin, and structs that can be called with a tensor or indices.
std::set<std::string> public_names() {
    std::set<std::string> names;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(HEED_SOURCE_DIR "/attention")) {
        const std::string file = entry.path().filename().string();
        if (entry.path().extension() != ".h" || file.rfind("laws", 0) == 0) continue;
        // The kernels: scaled_dot_product_attention() checks shapes for them.
        if (file.rfind("tile", 0) == 0 || file.rfind("plain", 0) == 0 ||
            file.rfind("running", 0) == 0 || file == "shapes.h")
            continue;
        std::ifstream text(entry.path());
        std::string line, inside;
        const std::regex function("^[A-Za-z][\\w:<>, ]*[&*]? (\\w+)\\("), layer("^struct (\\w+)"),
            call("operator\\(\\)\\(const (Tensor|Indices)&");
        for (std::smatch match; std::getline(text, line);) {
            if (std::regex_search(line, match, layer))
                inside = match[1];
            else if (std::regex_search(line, match, function))
                names.insert(match[1]);
            if (std::regex_search(line, call)) names.insert(inside);
        }
    }
    return names;
}

}  // namespace

TEST_CASE("every function of attention/ says which shapes do not fit", "[attention][errors]") {
    std::set<std::string> tested = nothing_to_refuse;
    for (const auto& rows : {soft_rows(), hard_rows(), model_rows(), efficient_rows()})
        for (const Row& row : rows) {
            INFO(row.name);
            CHECK_THAT(message_of(row.call), Catch::Matchers::ContainsSubstring(row.message));
            tested.insert(row.name);
        }
    const std::set<std::string> names = public_names();
    CHECK(names.size() > 80);
    for (const std::string& name : names) {
        INFO("no row in this file for " << name);
        CHECK(tested.count(name) == 1);
    }
}
