// The examples in the comments of attention/*.h are compiled and run: here those of soft attention,
// beside this file those of hard attention and of models. The test case "the example of soft.h"
// contains the lines of the example in soft.h; the first test below compares them.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "attention/attention.h"
#include "attention/laws/laws_detail.h"
#include "tests/attention/random.h"
#include "tests/catch.h"

using namespace heed;
namespace fs = std::filesystem;

namespace {

std::string text_of(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

// Code without white space and comments.
std::string squeezed(std::string line) {
    line.resize(std::min(line.size(), line.find("//")));
    line.erase(std::remove_if(line.begin(), line.end(), [](unsigned char c) { return c <= ' '; }),
               line.end());
    return line;
}

// The examples of a header: consecutive comment lines indented by five, if one of them ends with a
// semicolon. (Formulas and tables are indented too, but have none.)
std::vector<std::string> examples_in(const std::string& header) {
    std::vector<std::string> all;
    std::string example;
    bool is_code = false;
    std::istringstream lines(header + "\n#pragma");
    for (std::string line; std::getline(lines, line);) {
        const bool indented = line.rfind("//     ", 0) == 0;
        if (indented) {
            const std::string code = squeezed(line.substr(2));
            is_code = is_code || (!code.empty() && code.back() == ';');
            example += code;
        } else {
            if (is_code) all.push_back(example);
            example.clear();
            is_code = false;
        }
    }
    return all;
}

// The code of the test case "the example of `name`" in a source file.
std::string test_of(const std::string& name, const std::string& source) {
    const std::size_t begin = source.find("TEST_CASE(\"the example of " + name + "\"");
    if (begin == std::string::npos) return "";
    std::istringstream lines(source.substr(begin, source.find("TEST_CASE", begin + 1) - begin));
    std::string code;
    for (std::string line; std::getline(lines, line);) code += squeezed(line);
    return code;
}

// What is wrong with the examples of a header; empty if nothing is.
std::string complaint(const std::string& name, const std::string& header,
                      const std::string& source) {
    const std::vector<std::string> examples = examples_in(header);
    if (examples.empty()) return "has no example in its comments";
    const std::string test = test_of(name, source);
    if (test.empty()) return "has no test case \"the example of " + name + "\"";
    for (const std::string& example : examples)
        if (test.find(example) == std::string::npos)
            return "has an example that its test case has not: " + example;
    return "";
}

}  // namespace

TEST_CASE("every header of attention/ is in the reading order, and its example is run",
          "[attention]") {
    const fs::path root = HEED_SOURCE_DIR;
    std::string source;
    for (const char* file :
         {"test_examples.cpp", "test_examples_models.cpp", "hard/test_examples_hard.cpp",
          "efficient/test_examples_efficient.cpp", "states/test_examples_states.cpp"})
        source += text_of(root / "tests/attention" / file);
    // What computes scaled_dot_product_attention(), whose header shows how to call it; and checks.
    const std::set<std::string> kernel{"plain_attention.h", "tiled_attention.h", "tiles.h",
                                       "running_softmax.h", "key_mask.h",        "efficient.h"};
    const std::string order = text_of(root / "attention/attention.h") +
                              text_of(root / "attention/hard/hard.h") +
                              text_of(root / "attention/efficient/efficient.h");
    int headers = 0;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / "attention")) {
        if (entry.path().extension() != ".h") continue;
        ++headers;
        const std::string name = entry.path().filename().string();
        INFO(name);
        CHECK((name == "attention.h" || order.find(" " + name) != std::string::npos));
        if (kernel.count(name)) continue;
        CHECK(complaint(name, text_of(entry.path()), source) == "");
    }
    CHECK(headers >= 33);

    // A difference is noticed, except in white space and comments.
    const std::string test = "TEST_CASE(\"the example of a.h\") {\n  f(x,\n    y);  // two\n}\n";
    CHECK(complaint("a.h", "//     f(x, y);    // both\n", test) == "");
    CHECK(complaint("a.h", "//     f(x, z);\n", test) ==
          "has an example that its test case has not: f(x,z);");
    CHECK(complaint("a.h", "//     f(x, y);\n//     g(x);\n", test) != "");
    CHECK(complaint("b.h", "//     f(x, y);\n", test) == "has no test case \"the example of b.h\"");
    CHECK(complaint("a.h", "// y = f(x):\n//     y   x²\n", test) ==
          "has no example in its comments");
}

namespace {

const Tensor query = random({2, 3, 64}, 1), value = random({2, 5, 8}, 3);
Tensor keys_of(int64_t width) { return random({2, 5, width}, 2); }

}  // namespace

TEST_CASE("the example of attention.h", "[attention]") {
    const Tensor key = keys_of(64);
    const Tensor scores = matmul(query, transpose(key));
    const Tensor weights = softmax(scores / std::sqrt(key.size(-1)));
    const Tensor context = matmul(weights, value);
    CHECK(context.shape() == Shape{2, 3, 8});
}

TEST_CASE("the example of score.h", "[attention]") {
    const Tensor key = keys_of(128);
    Rng rng(1);
    AttentionScore score(ScoreKind::additive, {.query = 64, .key = 128, .hidden = 32}, rng);
    Tensor prepared = score.prepare(key);
    Tensor scores = score(query, prepared);
    CHECK(prepared.shape() == Shape{2, 5, 32});
    CHECK(scores.shape() == Shape{2, 3, 5});
}

TEST_CASE("the example of additive_scores.h", "[attention]") {
    Rng rng(1);
    const Linear w(64, 32, rng), u(64, 32, rng);
    const Tensor q = random({2, 3, 64}), k = random({2, 5, 64}), v = random({32});
    Tensor scores = additive_scores(w(q), u(k), v);
    CHECK(scores.shape() == Shape{2, 3, 5});
}

TEST_CASE("the example of mask.h", "[attention]") {
    const Tensor scores = random({2, 5, 5});
    Tensor mask = combine({padding_mask({3, 5}, 5), causal_mask(5)});
    Tensor weights = masked_softmax(scores, mask);
    CHECK(mask.shape() == Shape{2, 5, 5});
    CHECK(weights.at({0, 4, 3}) == 0);
    CHECK(weights.at({1, 4, 3}) > 0);
}

TEST_CASE("the example of pairs.h", "[attention]") {
    const Tensor key = keys_of(64), mask = padding_mask({3, 5}, 5);
    Tensor scores = scores_of_pairs(query, key, mask);
    Tensor weights = attention_weights(scores, mask);
    Tensor context = context_of_pairs(weights, value, mask);
    CHECK(context.shape() == Shape{2, 3, 8});
    CHECK(weights.at({0, 0, 4}) == 0);
}

TEST_CASE("the example of soft.h", "[attention]") {
    const Tensor key = keys_of(64);
    Tensor scores = matmul(query, transpose(key));
    auto [context, weights] = soft_attention(scores, value, padding_mask({3, 5}, 5));
    CHECK(context.shape() == Shape{2, 3, 8});
    CHECK(weights.at({0, 0, 4}) == 0);
}

TEST_CASE("the example of laws.h", "[attention][laws]") {
    auto mine = [](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
        return soft_attention(matmul(q, transpose(k)) / std::sqrt(q.size(-1)), v, mask);
    };
    for (const laws::Verdict& verdict : laws::check_all(mine))
        if (!verdict.holds) fmt::print("{}\n", verdict);
    for (const laws::Verdict& verdict : laws::check_all(mine)) CHECK(verdict.holds);
}

TEST_CASE("the example of laws_detail.h", "[attention][laws]") {
    const laws::Sizes sizes;
    const auto law = [&](const AttentionFunction& f) {
        const laws::Verdict verdict = laws::judge("the context is no larger than its values", [&] {
            const laws::Inputs x(sizes);
            const Tensor context = f(x.query, x.key, x.value, laws::padding(sizes)).context;
            const double largest = max(abs(context)).item();
            if (largest > max(abs(x.value)).item()) laws::violated("the context has a {}", largest);
        });
        return verdict;
    };
    const auto times = [](double factor) {
        return [=](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
            auto [context, weights] = soft_attention(matmul(q, transpose(k)), v, mask);
            return AttentionOutput{context * factor, weights};
        };
    };
    CHECK(law(times(1)).holds);
    CHECK_THAT(law(times(100)).message, Catch::Matchers::StartsWith("the context has a "));
}

TEST_CASE("the example of span.h", "[attention]") {
    Rng rng(1);
    const Tensor scores = random({2, 3, 5}), mask = padding_mask({5, 4}, 5);
    AttentionSpan span(SpanKind::local_p, {.half_window = 2, .query = 64}, rng);
    Tensor weights = span.weights(scores, query, mask);
    CHECK(weights.shape() == Shape{2, 3, 5});
    CHECK(weights.at({1, 0, 4}) == 0);
}

TEST_CASE("the example of mechanism.h", "[attention]") {
    Rng rng(1);
    const Tensor states = random({2, 5, 128});
    const Indices lengths{5, 3};
    Attention attention{AttentionScore(ScoreKind::general, {.query = 64, .key = 128}, rng), {}};
    PreparedKeys keys = attention.prepare(states, states, padding_mask(lengths, states.size(1)));
    auto [context, weights] = attention(query, keys);
    CHECK(context.shape() == Shape{2, 3, 128});
    CHECK(weights.at({1, 2, 3}) == 0);
}

TEST_CASE("the example of scaled_dot_product.h", "[attention]") {
    const Tensor q = random({2, 4, 3, 16}, 1), k = random({2, 4, 3, 16}, 2),
                 v = random({2, 4, 3, 8}, 3);
    Tensor context = scaled_dot_product_attention(q, k, v, {.causal = true});
    CHECK(context.shape() == Shape{2, 4, 3, 8});
}

TEST_CASE("the example of multi_head.h", "[attention]") {
    Rng rng(1);
    const Tensor x = query, source = keys_of(64), padding = padding_mask({5, 2}, 5);
    MultiHead attention({.width = 64, .heads = 4}, rng);
    Tensor y = attention(x, x, x, {.causal = true});
    Tensor z = attention(x, source, source, {.mask = padding});
    auto [same, weights] = with_weights(attention, x, source, source, {.mask = padding});
    CHECK(y.shape() == x.shape());
    CHECK(max(abs(z - same)).item() < 1e-5);
    CHECK(weights.shape() == Shape{2, 4, 3, 5});
    MultiHead grouped({.width = 64, .heads = 8, .key_value_heads = 2}, rng);
    CHECK(grouped.key.weight.shape() == Shape{16, 64});
    CHECK(grouped(x, x, x).shape() == x.shape());
}

TEST_CASE("the example of attention_call.h", "[attention]") {
    Rng rng(1);
    const Tensor x = query, source = keys_of(64), mask = padding_mask({5, 2}, 5);
    const Indices lengths{3, 2};
    const int64_t T = 3;
    const MultiHead attention({.width = 64, .heads = 4}, rng);
    const TransformerEncoder encoder({.width = 64, .heads = 4, .layers = 2}, rng);
    {
        Tensor y = attention(x, x, x, {.mask = padding_mask(lengths, T)});
        Tensor z = encoder(x, {.causal = true, .mode = Mode::training(rng)});
        CHECK(y.shape() == x.shape());
        CHECK(z.shape() == x.shape());
    }
    std::vector<Tensor> weights;
    Tensor y = encoder(x, {.weights = &weights});
    auto [z, w] = with_weights(attention, x, source, source, {.mask = mask});
    CHECK(weights[1].shape() == Shape{2, 4, 3, 3});
    CHECK(w.shape() == Shape{2, 4, 3, 5});
}

TEST_CASE("the example of pooling.h", "[attention]") {
    Rng rng(1);
    const Tensor words = random({2, 5, 32});
    const Indices lengths{5, 3};
    const int64_t longest = 5;
    AttentionPooling pool({.width = 32}, rng);
    auto [z, weights] = pool(words, {}, padding_mask(lengths, longest));
    CHECK(z.shape() == Shape{2, 1, 32});
    CHECK(weights.shape() == Shape{2, 1, 5});
}

TEST_CASE("the example of sparse_graph.h", "[attention]") {
    SparseGraph graph(3, {1, 2}, {0, 0}, {.both_directions = true, .self_loops = true});
    CHECK(graph.target() == Indices({0, 0, 0, 1, 1, 2, 2}));
    CHECK(graph.source() == Indices({0, 1, 2, 0, 1, 0, 2}));
}

TEST_CASE("the example of graph_convolution.h", "[attention]") {
    Rng rng(1);
    const Tensor x = normal({3, 1433}, 0, 1, rng);
    SparseGraph graph(3, {1, 2}, {0, 0}, {.both_directions = true, .self_loops = true});
    GraphConvolution layer(1433, 16, rng);
    Tensor h = relu(layer(x, graph));
    CHECK(h.shape() == Shape{3, 16});
}

TEST_CASE("the example of graph_attention.h", "[attention]") {
    Rng rng(1);
    const Tensor x = normal({3, 1433}, 0, 1, rng);
    SparseGraph graph(3, {1, 2}, {0, 0}, {.both_directions = true, .self_loops = true});
    GraphAttention layer({.width = 1433, .head_width = 8, .heads = 8}, rng);
    Tensor h = elu(layer(x, graph).context);
    CHECK(h.shape() == Shape{3, 64});
}
