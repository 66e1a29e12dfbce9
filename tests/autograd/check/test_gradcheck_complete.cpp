// Nothing is left out of the gradient check. The headers of the three libraries are read, and each public
// function that hands a gradient on must be called by the cases, each overload once: functions that
// return tensors or structs of them, methods, and templates. A name is not enough; the code is searched,
// without comments and strings. And what is recorded under a name of its own must stand in the graph of
// the cases of that name.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "autograd/tensor/node.h"
#include "tests/autograd/check/public_functions.h"
#include "tests/autograd/elementwise_operations.h"
#include "tests/catch.h"
#include "tests/gradcheck/registry.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

// What has no case of its own, and why.
const std::map<std::string, std::string> exempt{
    {"Arrivals::take_newest", "what has arrived in a backward pass"},
    {"isnan", "a mask"},
    {"isinf", "a mask"},
    {"isfinite", "a mask"},
    {"equal_or_nan", "a mask"},
    {"logical_and", "a mask"},
    {"logical_or", "a mask"},
    {"logical_not", "a mask"},
    {"ScoreRules::pairs", "a mask, with the numbers of a bias"},
    {"any", "a mask"},
    {"all", "a mask"},
    {"mask_to_dtype", "a mask"},
    {"combine", "a mask"},
    {"MultiHead::mask_of_heads", "a mask"},
    {"MultiHead::contexts", "a step of MultiHead::attend and of SelfAttention"},
    {"AttentionCall::of_self", "how a layer is called"},
    {"AttentionCall::of_memory", "how a layer is called"},
    {"hook", "hands on the value itself; gradients through hooks: tests/nn/module/test_hooks.cpp"},
    {"Hooks::call", "as hook"},
    {"lsh_mask", "a mask"},
    {"grad", "the gradient itself; order 2 differentiates it"},
    {"Pass::differentiate", "the gradient itself; order 2 differentiates it"},
    {"new_gradient", "memory for the gradients of attention"},
    {"QueryGradients::sum", "the gradient of attention itself"},
    {"sum_of_sharing", "the gradient of attention itself"},
    {"parameter", "a leaf"},
    {"elementwise", "all operations of the list are made with it"},
    {"UnaryFormula", "all operations of the list are made with it"},
    {"BinaryFormula", "all operations of the list are made with it"},
    {"as_function", "every case with parameters is made with it"},
    {"AdditiveScore", "in the cases of AttentionScore"},
    {"AdditiveScore::prepare", "in the cases of AttentionScore"},
    {"ContentScore", "in the cases of AttentionScore"},
    {"ContentScore::prepare", "in the cases of AttentionScore"},
    {"DotScore", "in the cases of AttentionScore"},
    {"DotScore::prepare", "in the cases of AttentionScore"},
    {"GeneralScore", "in the cases of AttentionScore"},
    {"GeneralScore::prepare", "in the cases of AttentionScore"},
    {"LocationScore", "in the cases of AttentionScore"},
    {"LocationScore::prepare", "in the cases of AttentionScore"},
    {"ScaledDotScore", "in the cases of AttentionScore"},
    {"ScaledDotScore::prepare", "in the cases of AttentionScore"},
    {"AnyLayer", "in the case of Sequential"},
    {"leave_one_out", "baselines are constants"},
    {"optimal_baseline", "baselines are constants"},
    {"AverageOfWeights::averages", "constants"},
    {"AverageOfWeights::use", "no function of tensors"},
    {"straight_through",
     "on purpose not the gradient of its value; test_hard_wrong.cpp has the bias"},
    {"straight_through_sample", "on purpose not the gradient of its value"},
    {"straight_through_gumbel", "on purpose not the gradient of its value"},
    {"Safetensors::find", "a file"},
    {"to_pytorch", "a file"},
    {"from_pytorch", "a file"},
    {"conv2d_definition", "plain loops without a graph; test_convolution.cpp compares"},
    {"plain_attention", "numbers without a graph, for scaled_dot_product_attention"},
    {"plain_attention_backward", "numbers without a graph, for scaled_dot_product_attention"},
    {"tiled_attention", "numbers without a graph, for scaled_dot_product_attention"},
    {"tiled_attention_backward", "numbers without a graph, for scaled_dot_product_attention"},
    {"rectified", "inside the cells; relu"},
    {"contiguous_rows", "numbers without a graph, for fused kernels"},
    {"window_of", "slice, transpose and diagonal are made with it"},
    {"window_view", "slice, transpose and diagonal are made with it"},
    {"reserve", "for decoding; refuses what has a gradient"},
    {"cache_entry", "a place in a cache, no tensor"},
    {"expert_shares", "counts; constants"},
    {"sentence_vectors", "of a published encoder, without a graph"},
    {"scales", "constants"},
    {"scales_for_squares", "constants"},
    {"eps_of", "constants"},
    {"put_in_window", "slice, transpose and diagonal are made with it"},
};

// How tensors and graphs are made, and loops on plain memory: no operations. And what judges others.
const std::set<std::string> other_folders{"autograd/base",   "autograd/kernels", "autograd/tensor",
                                          "autograd/record", "autograd/check",   "attention/laws"};

std::string text_of(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

PublicFunctions public_functions() {
    PublicFunctions functions;
    for (const char* library : {"autograd", "nn", "attention"})
        for (const auto& entry :
             fs::recursive_directory_iterator(fs::path(HEED_SOURCE_DIR) / library)) {
            const fs::path folder = fs::relative(entry.path().parent_path(), HEED_SOURCE_DIR);
            if (entry.path().extension() == ".h" && !other_folders.count(folder.string()))
                functions.read(text_of(entry.path()));
        }
    return functions;
}

// The code of all cases.
std::string code_of_cases() {
    std::string code;
    for (const auto& entry : fs::directory_iterator(HEED_SOURCE_DIR "/tests/gradcheck")) {
        const std::string name = entry.path().filename().string();
        if (name.find("_cases.cpp") != std::string::npos || name == "transformer_shapes.h")
            code += code_of(text_of(entry.path()));
    }
    return code;
}

// How often each word of a code is named, called as a function, called as a method, or handed on to
// another function as an argument of its own.
struct Uses {
    std::map<std::string, int> named, called, method, handed_on;

    explicit Uses(const std::string& code) {
        const auto is_word = [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
        };
        char before = ' ';  // the last character that is no space
        for (std::size_t i = 0; i < code.size(); ++i) {
            if (!is_word(code[i])) {
                if (!std::isspace(static_cast<unsigned char>(code[i]))) before = code[i];
                continue;
            }
            const std::size_t first = i;
            while (i < code.size() && is_word(code[i])) ++i;
            const std::string word = code.substr(first, i - first);
            const std::size_t next = code.find_first_not_of(" \n", i);
            const char after = next == std::string::npos ? ' ' : code[next];
            const bool of_object = before == '.' || before == '>';
            ++named[word];
            if (after == '(') ++(of_object ? method : called)[word];
            if ((before == '(' || before == ',') && (after == ')' || after == ','))
                ++handed_on[word];
            before = code[--i];
        }
    }

    // Of `name`, "f", "Struct" or "Struct::method". A struct counts wherever it is named.
    int of(const std::string& name) const {
        const auto count = [](const std::map<std::string, int>& words, const std::string& word) {
            const auto found = words.find(word);
            return found == words.end() ? 0 : found->second;
        };
        const auto colons = name.find("::");
        if (colons != std::string::npos)
            return count(named, name.substr(0, colons)) ? count(method, name.substr(colons + 2))
                                                        : 0;
        if (std::isupper(static_cast<unsigned char>(name[0]))) return count(named, name);
        return count(called, name) + count(handed_on, name);
    }
};

// The operations in the list of formulas, which all have cases without being named.
std::set<std::string> listed_operations() {
    std::set<std::string> names;
    for (const ListedOperation& op : elementwise_operations()) names.insert(op.name);
    return names;
}

std::string first_word(const Case& one) {
    return one.name.substr(0, one.name.find_first_of(" :,"));
}

TEST_CASE("everything that hands a gradient on is called by a case of the gradient check",
          "[grad]") {
    const Uses uses(code_of_cases());
    const std::set<std::string> listed = listed_operations();
    std::set<std::string> words;
    for (const Case& one : all_cases()) words.insert(first_word(one));
    for (const auto& [name, overloads] : public_functions().overloads()) {
        if (exempt.count(name)) continue;
        if (listed.count(name)) {
            CHECK(words.count(name) == 1);
            continue;
        }
        const int found = uses.of(name);
        INFO("`" << name << "` has " << overloads << " overload(s) and is called " << found
                 << " time(s) in tests/gradcheck/*_cases.cpp: add a case, or a reason to `exempt`");
        CHECK(found >= overloads);
    }
}

TEST_CASE("every exemption is of something that exists, and has a reason", "[grad][unsanitized]") {
    const std::map<std::string, int> functions = public_functions().overloads();
    for (const auto& [name, reason] : exempt) {
        INFO(name);
        CHECK(functions.count(name) == 1);
        CHECK_FALSE(reason.empty());
    }
}

// The names of all recorded operations between y and its leaves.
std::set<std::string> operations_behind(const Tensor& y) {
    std::set<std::string> names;
    std::set<const Node*> seen;
    std::vector<const Node*> open;
    if (y.requires_grad()) open.push_back(y.body()->node);
    while (!open.empty()) {
        const Node* node = open.back();
        open.pop_back();
        if (!seen.insert(node).second) continue;
        names.insert(node->operation);
        for (uint32_t i = 0; i < node->input_count; ++i)
            if (node->inputs[i].node) open.push_back(node->inputs[i].node);
    }
    return names;
}

// Cases, by the beginning of their names, in which a public function computes by way of others.
const std::map<std::string, std::string> by_way_of_others{
    {"norm with p = 1", "the sum of |x|"},
    {"norm with p = inf", "the maximum of |x|"},
    {"linear with quantised weights",
     "the weights are constants, and the operation has their name"},
    {"scaled_dot_product_attention causal, padding, bias",
     "with a bias that wants a gradient it is its definition"},
};
bool goes_by_others(const std::string& name) {
    return std::any_of(by_way_of_others.begin(), by_way_of_others.end(),
                       [&](const auto& one) { return name.rfind(one.first, 0) == 0; });
}

TEST_CASE("a case checks the operation it is named after, not a stand-in", "[grad]") {
    std::map<std::string, std::set<std::string>> graphs;  // of each case
    std::set<std::string> recorded;                       // under a name of their own
    for (const Case& one : all_cases()) {
        std::vector<Tensor> leaves;
        for (const Tensor& x : one.inputs) leaves.push_back(detach(x).set_requires_grad());
        graphs[one.name] = operations_behind(one.f(leaves));
        recorded.merge(std::set<std::string>(graphs[one.name]));
    }
    CHECK(recorded.size() > 60);
    for (const Case& one : all_cases()) {
        if (!recorded.count(first_word(one)) || goes_by_others(one.name)) continue;
        INFO(one.name);
        CHECK(graphs[one.name].count(first_word(one)) == 1);
    }
}

TEST_CASE("the headers are read as they are meant", "[grad][unsanitized]") {
    const std::map<std::string, int> all = public_functions().overloads();
    for (const char* name : {"add",
                             "exp",
                             "leaky_relu",
                             "matmul",
                             "sum",
                             "stack",
                             "embedding",
                             "scatter_add",
                             "cross_entropy",
                             "clone",
                             "layer_norm",
                             "topk",
                             "sample_location",
                             "nadaraya_watson",
                             "checkpoint",
                             "recurrent_step",
                             "hard_attention",
                             "RecurrentCell::step",
                             "RelativePositions::rotate",
                             "Transformer::encode",
                             "TransformerDecoder",
                             "Recurrent",
                             "MultiHead::attend"})
        CHECK(all.count(name) == 1);
    CHECK(all.at("where") == 3);
    CHECK(all.at("split") == 2);
    for (const char* name : {"zeros", "uniform", "record", "attach", "argmax",
                             "RecurrentCell::input_size", "RecurrentDecoder::features", "one_hot"})
        CHECK(all.count(name) == 0);
    CHECK(all.size() > 280);

    PublicFunctions planted;
    planted.read(R"(
// Tensor comment(const Tensor& x);
struct Pair { Tensor first = {}; int n{3}; };
using Pairs = std::vector<Pair>;
struct Twice : Pair {};
namespace inner {
inline Pairs several(int n,
                     const Tensor& x) { return {}; }
}
namespace x_detail { Tensor hidden(const Tensor& x); }
template <class F>
Tensor with(F&& f, const Tensor& x) { return f(x); }
template <class T> auto guessed(const Tensor& x) -> T;
std::function<Tensor(int)> maker(const Tensor& x);
struct Layer {
    Twice held;
    Layer() = default;
    explicit Layer(const Tensor& x) : held{x} { f(x); }
    Twice operator()(const Options& o = {}) const;
    Tensor step(int i) const { if (i) { return x; } return y; }
    template <class G> Pair mapped(G&& g) const;
    int size() const;
  private:
    Tensor secret(const Tensor& x) const;
};
class Closed { Tensor secret(const Tensor& x); };
Tensor overloaded(const Tensor& x);
Tensor overloaded(const Tensor& x, std::pair<int, int> n = {1, 2});
)");
    CHECK(planted.overloads() == std::map<std::string, int>{{"several", 1},
                                                            {"with", 1},
                                                            {"guessed", 1},
                                                            {"Layer", 1},
                                                            {"Layer::step", 1},
                                                            {"Layer::mapped", 1},
                                                            {"overloaded", 2}});
    CHECK(code_of("a('\"'); b(\"x\\\"(\"); c(R\"t(\")\" // )t\"); d(1'000, '\\''); // e") ==
          "a(''); b(\"\"); c(\"\"); d(1'000, ''); \n");
    const Uses uses(
        code_of("add(\"several(x)\"); // with(x)\n y.step(3); Layer l; f(overloaded, other (x));"));
    CHECK(uses.of("several") == 0);
    CHECK(uses.of("with") == 0);
    CHECK(uses.of("overloaded") == 1);
    CHECK(uses.of("other") == 1);
    CHECK(uses.of("Layer") == 1);
    CHECK(uses.of("Layer::step") == 1);
    CHECK(uses.of("Other::step") == 0);
    CHECK(uses.of("step") == 0);
}

}  // namespace
}  // namespace heed
