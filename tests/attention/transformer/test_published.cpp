#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "attention/attention.h"
#include "attention/transformer/published.h"
#include "autograd/base/input_file.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"
#include "tests/error_of.h"
#include "tests/skipped.h"

using namespace heed;
namespace fs = std::filesystem;

namespace {

const fs::path families = fs::path(HEED_SOURCE_DIR) / "tests/parity/families";

// The largest difference, in units of the spread of what is expected.
double difference_from_reference(const Tensor& found, const Tensor& expected) {
    REQUIRE(found.shape() == expected.shape());
    const std::vector<double> x = found.to_vector(), y = expected.to_vector();
    double largest = 0, square = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        largest = std::max(largest, std::abs(x[i] - y[i]));
        square += y[i] * y[i];
    }
    return largest / std::sqrt(square / static_cast<double>(y.size()));
}

// A file of the folder that HEED_MODELS names, or of one in it; empty: there is none.
std::string model_file(const std::string& name_ends) {
    const char* folder = std::getenv("HEED_MODELS");
    if (folder && fs::is_directory(folder))
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.path().string().ends_with(name_ends)) return entry.path().string();
    return "";
}

// What is said about a family's folder after an edit of its config.json, without the folder's name.
std::string refused(const std::string& family, const std::string& from, const std::string& to) {
    const Scratch scratch;
    const fs::path folder = fs::path(scratch.path) / "model";
    fs::copy(families / family, folder, fs::copy_options::recursive);
    std::string config = read_file((folder / "config.json").string());
    const std::size_t at = config.find(from);
    REQUIRE(at != std::string::npos);
    std::ofstream(folder / "config.json") << config.replace(at, from.size(), to);
    const std::string error = error_of([&] { load_published(folder.string()); });
    REQUIRE(error.starts_with(folder.string() + "/"));
    return error.substr(folder.string().size() + 1);
}

}  // namespace

TEST_CASE("each family of published models computes what the package transformers does",
          "[parity]") {
    for (const std::string family : {"llama", "gpt2", "bert"}) {
        INFO(family);
        const Published published = load_published((families / family).string());
        const Safetensors expected =
            load_safetensors((families / family / "expected.safetensors").string());
        std::vector<int> ids;
        for (const double id : expected.find("ids")->to_vector())
            ids.push_back(static_cast<int>(id));
        const Indices tokens(std::vector<int>(ids), {1, std::ssize(ids)});
        const NoGrad no_grad;
        const auto* encoder = std::get_if<PublishedEncoder>(&published);
        const Tensor y = encoder ? encoder->model(tokens, {.mode = Mode::evaluation()}).output
                                 : std::get<PublishedLanguageModel>(published).model(tokens);
        CHECK(difference_from_reference(y, *expected.find("y")) < 1e-5);
    }
}

TEST_CASE("a published model says what it is, and what it cannot be", "[data][errors]") {
    const PublishedLanguageModel llama = load_language_model((families / "llama").string());
    CHECK(llama.description == "llama: Llama, 2 layers of width 32, 4 heads, 20 tokens");
    CHECK(llama.end == 1);
    CHECK(llama.max_positions == 64);
    CHECK(error_of([] {
              load_encoder((families / "llama").string());
          }).ends_with("expected an encoder such as BERT, found a language model"));
    CHECK(error_of([] {
              load_language_model((families / "bert").string());
          }).find("expected a language model, found an encoder") != std::string::npos);
    CHECK(refused("llama", "\"silu\"", "\"relu\"") ==
          "config.json: hidden_act: expected silu, found 'relu'");
    CHECK(
        refused("llama", "\"llama\"", "\"mamba\"") ==
        "config.json: model_type: expected bert, gpt2 or llama, found 'mamba'; other families are not "
        "known");
    CHECK(refused("llama", "\"hidden_size\": 32", "\"hidden_size\": 31") ==
          "config.json: head_dim: expected the width divided by the heads, found 8");
    CHECK(
        refused("gpt2", "\"n_embd\": 24", "\"n_embd\": 25") ==
        "config.json: LanguageModel: MultiHead: a width of 25 cannot be divided among 3 heads; the heads must divide the "
        "width");
    CHECK(
        refused("gpt2", "\"n_layer\": 2", "\"n_layer\": 1") ==
        "model.safetensors: has the tensor 'h.1.attn.c_attn.bias', which heed's model of this family does "
        "not; the model would answer something else without it");
    CHECK(refused("gpt2", "\"n_layer\": 2", "\"n_layer\": 3") ==
          "model.safetensors: expected the tensor 'h.2.attn.c_attn.weight', found none");
    CHECK(refused("gpt2", "\"n_inner\": null", "\"n_inner\": 7") ==
          "model.safetensors: 'h.0.mlp.c_fc.weight': expected shape [24, 7], found [24, 96]");
    CHECK(refused("bert", "\"hidden_size\": 24", "\"hidden_size\": \"24\"") ==
          "config.json: hidden_size: expected a whole number, found \"24\"");
}

TEST_CASE("sentence vectors have length 1 and do not depend on their neighbours") {
    const PublishedEncoder bert = load_encoder((families / "bert").string());
    const Tensor both = sentence_vectors(bert, {"a b", "c"}), one = sentence_vectors(bert, {"c"});
    CHECK(both.shape() == Shape{2, 24});
    CHECK(std::abs(sum(both * both).item() - 2) < 1e-5);
    CHECK(slice(both, 0, 1, 2).to_vector() == one.to_vector());
    // 40 words for 32 positions: cut, and the last token is [SEP].
    std::string words;
    for (int i = 0; i < 40; ++i) words += "a ";
    CHECK(sentence_vectors(bert, {words}).shape() == Shape{1, 24});
    CHECK_THROWS_WITH(sentence_vectors(bert, {}), "sentence_vectors: expected at least one text");
}

TEST_CASE("a table of embeddings in blocks gives the rows of the same table as floats") {
    Rng rng(1);
    const QuantisedMatrix w = quantise(normal({5, 64}, 0, 1, rng), BlockFormat::q4_1);
    const Indices ids({4, 0, 4, 2}, {2, 2});
    CHECK(embedding(w, ids).to_vector() == embedding(dequantise(w), ids).to_vector());
    CHECK_THROWS_WITH(embedding(w, Indices({5})),
                      "embedding: the index 5 is outside a table of 5 rows");
    Embedding layer(5, 64, rng);
    layer.quantised = w;
    layer.weight = Tensor();
    CHECK(layer(ids).to_vector() == embedding(w, ids).to_vector());
}

TEST_CASE("a generator that leaves tensors unset draws nothing") {
    Rng unset = Rng::leaving_unset();
    CHECK(uniform({2, 3}, 0, 1, unset).shape() == Shape{2, 3});
    const LanguageModel model({.vocabulary = 5}, unset);
    CHECK(model.embedding.weight.shape() == Shape{5, 64});
}

TEST_CASE("SmolLM2 continues a text as the package transformers does", "[parity]") {
    const std::string file = model_file("SmolLM2-135M-Instruct.Q4_1.gguf");
    if (file.empty() && skipped("HEED_MODELS names no folder with SmolLM2-135M-Instruct.Q4_1.gguf"))
        return;
    const PublishedLanguageModel smol = load_language_model(file);
    CHECK(smol.tokenizer.encode("The capital of France is") ==
          std::vector<int>{504, 3575, 282, 4649, 314});
    const std::vector<int> ids = smol.tokenizer.encode("The capital of France is");
    const Hypothesis text =
        greedy_decode(smol.model.decodable(Indices(std::vector<int>(ids), {1, std::ssize(ids)})),
                      {.end = -1, .max_length = 8})[0];
    CHECK(smol.tokenizer.decode(text.tokens) == " Paris.\n\nThe answer is:");
}

TEST_CASE("MiniLM finds the nearest of some sentences", "[parity]") {
    const std::string file = model_file("all_minilm_l6_v2/model.safetensors");
    if (file.empty() &&
        skipped("HEED_MODELS names no folder with all_minilm_l6_v2/model.safetensors"))
        return;
    const PublishedEncoder mini = load_encoder(fs::path(file).parent_path().string());
    const Tensor x =
        sentence_vectors(mini, {"A dog runs over the meadow.", "A puppy plays in the grass.",
                                "The bank raises its rates."});
    const Tensor near = matmul(x, transpose(x));
    CHECK(near.at({0, 1}) > near.at({0, 2}) + 0.3);
}
