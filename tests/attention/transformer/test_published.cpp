#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "attention/attention.h"
#include "attention/transformer/published.h"
#include "autograd/base/input_file.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"
#include "tests/error_of.h"
#include "tests/gguf_settings.h"
#include "tests/published_file.h"
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

// The tokenizer of a GGUF file: the first letters, or 20 tokens of the kind of Llama 2.
void set_byte_pairs(GgufWriter& settings, std::size_t count) {
    std::vector<std::string> letters;
    for (char c = 'a'; letters.size() < count; ++c) letters.emplace_back(1, c);
    settings.set("tokenizer.ggml.model", std::string("gpt2"));
    settings.set("tokenizer.ggml.pre", std::string("gpt-2"));
    settings.set("tokenizer.ggml.eos_token_id", 1u);
    settings.set("tokenizer.ggml.tokens", letters);
    settings.set("tokenizer.ggml.token_type", std::vector<std::int32_t>(count, 1));
    settings.set("tokenizer.ggml.merges", std::vector<std::string>());
}
void set_sentence_pieces(GgufWriter& settings) {
    const std::vector<std::string> tokens{
        "<unk>", "<s>", "</s>", "<0x0A>", "<0xC3>", "<0xA9>", "he", "▁he", "re", "▁here",
        "▁",     "e",   "h",    "r",      "a",      "b",      "c",  "d",   "f",  "g"};
    std::vector<float> scores(20);
    std::vector<std::int32_t> kinds{2, 3, 3, 6, 6, 6};
    kinds.resize(20, 1);
    for (std::size_t i = 6; i < 20; ++i) scores[i] = 6.0f - static_cast<float>(i);
    settings.set("tokenizer.ggml.model", std::string("llama"));
    settings.set("tokenizer.ggml.eos_token_id", 2u);
    settings.set("tokenizer.ggml.tokens", tokens);
    settings.set("tokenizer.ggml.scores", scores);
    settings.set("tokenizer.ggml.token_type", kinds);
}

// The model of families/llama, llama3 or qwen2 as llama.cpp writes it to a GGUF file: with other names, and for
// the first two with the rows of queries and keys in the order for neighbouring pairs. The tensors that are
// named are in Q8_0.
std::string as_gguf(const std::string& family, const std::vector<std::string>& in_blocks,
                    bool sentence_pieces = false, std::size_t letters = 20) {
    const std::string architecture = family == "qwen2" ? "qwen2" : "llama";
    GgufWriter settings;
    settings.set("general.architecture", architecture);
    const auto of_family = [&](const std::string& name, const auto& value) {
        settings.set(architecture + "." + name, value);
    };
    for (const auto& [name, value] :
         {std::pair("embedding_length", 32u), std::pair("attention.head_count", 4u),
          std::pair("attention.head_count_kv", 2u), std::pair("block_count", 2u),
          std::pair("feed_forward_length", 48u), std::pair("context_length", 64u)})
        of_family(name, value);
    of_family("attention.layer_norm_rms_epsilon", 1e-5f);
    if (family == "llama3") of_family("rope.freq_base", 100.0f);
    if (sentence_pieces)
        set_sentence_pieces(settings);
    else
        set_byte_pairs(settings, letters);

    const std::pair<const char*, const char*> names[] = {
        {"model.layers.", "blk."},        {"model.embed_tokens", "token_embd"},
        {"model.norm", "output_norm"},    {"lm_head", "output"},
        {"self_attn.q_proj", "attn_q"},   {"self_attn.k_proj", "attn_k"},
        {"self_attn.v_proj", "attn_v"},   {"self_attn.o_proj", "attn_output"},
        {"input_layernorm", "attn_norm"}, {"post_attention_layernorm", "ffn_norm"},
        {"mlp.up_proj", "ffn_up"},        {"mlp.gate_proj", "ffn_gate"},
        {"mlp.down_proj", "ffn_down"}};
    const fs::path single = families / family / "model.safetensors";
    Safetensors model =
        fs::exists(single)
            ? load_safetensors(single.string())
            : load_safetensors_index((families / family / "model.safetensors.index.json").string());
    if (family == "llama3") {  // what the frequencies are divided by, and no parameter
        const std::vector<double> plain = rotary_frequencies(8, 100),
                                  slow = llama3_frequencies(8, 100, {4, 0.3, 1.5, 12});
        std::vector<double> divisors;
        for (std::size_t i = 0; i < plain.size(); ++i) divisors.push_back(plain[i] / slow[i]);
        model.tensors.push_back({"rope_freqs.weight", tensor(divisors, {4})});
    }
    std::string index, data;
    for (auto [name, x] : model.tensors) {
        for (const auto& [from, to] : names)
            if (const std::size_t at = name.find(from); at != std::string::npos)
                name.replace(at, std::string_view(from).size(), to);
        for (const auto& [part, heads] : {std::pair(".attn_q.", 4), std::pair(".attn_k.", 2)})
            if (family != "qwen2" && name.find(part) != std::string::npos)
                // a head's first half and its second, by turns
                x = reshape(transpose(reshape(x, {heads, 2, 4, 32}), 1, 2), x.shape());
        const bool blocks = std::find(in_blocks.begin(), in_blocks.end(), name) != in_blocks.end();
        put_text(index, name);
        put(index, std::uint32_t(x.dim()));
        for (int axis = x.dim() - 1; axis >= 0; --axis) put(index, std::uint64_t(x.size(axis)));
        put(index, std::uint32_t{blocks ? 8u : 0u});
        put(index, std::uint64_t{data.size()});
        if (blocks) {
            const QuantisedMatrix w = quantise(x, BlockFormat::q8_0);
            data.append(reinterpret_cast<const char*>(w.data()), std::size_t(w.bytes()));
        } else {
            for (const double each : x.to_vector()) put(data, float(each));
        }
        data.resize((data.size() + 31) / 32 * 32);
    }
    std::string file = settings.head(model.tensors.size()) + index;
    file.resize((file.size() + 31) / 32 * 32);
    return file + data;
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
    for (const std::string family : {"llama", "llama3", "qwen2", "gpt2", "bert"}) {
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

TEST_CASE("a GGUF file of the Llama family gives the model of the same weights in a folder",
          "[parity]") {
    const Safetensors expected =
        load_safetensors((families / "llama/expected.safetensors").string());
    const std::vector<double> numbers = expected.find("ids")->to_vector();
    const Indices ids(std::vector<int>(numbers.begin(), numbers.end()), {1, std::ssize(numbers)});
    const NoGrad no_grad;
    const Scratch scratch;
    const PublishedLanguageModel floats =
        load_language_model(scratch.file("floats.gguf", as_gguf("llama", {})));
    CHECK(floats.description == "floats: Llama, 2 layers of width 32, 4 heads, 20 tokens");
    CHECK(floats.end == 1);
    CHECK(floats.max_positions == 64);
    CHECK(floats.tokenizer.encode("cab") == std::vector<int>{2, 0, 1});
    CHECK(difference_from_reference(floats.model(ids), *expected.find("y")) < 1e-5);

    // Blocks stay as they are in the file, and compute what their weights do.
    const PublishedLanguageModel blocks = load_language_model(scratch.file(
        "blocks.gguf", as_gguf("llama", {"token_embd.weight", "blk.1.attn_q.weight"})));
    LanguageModel rounded = floats.model;
    const auto round = [](Tensor& w) { w = dequantise(quantise(w, BlockFormat::q8_0)); };
    int quantised = 0;
    for_each_layer<Linear>(rounded, [&](const std::string& name, Linear& layer) {
        if (name == "decoder.layers.1.attention.query") round(layer.weight), ++quantised;
    });
    REQUIRE(quantised == 1);
    round(rounded.embedding.weight);
    CHECK(blocks.model.embedding.quantised.defined());
    CHECK_FALSE(blocks.model.embedding.weight.defined());
    CHECK(difference_from_reference(blocks.model(ids), rounded(ids)) < 1e-5);
    CHECK(difference_from_reference(blocks.model(ids), floats.model(ids)) > 1e-4);
}

TEST_CASE("a GGUF file with the tokens of Llama 2: a text goes there and back", "[data]") {
    const Scratch scratch;
    const PublishedLanguageModel llama =
        load_language_model(scratch.file("llama.gguf", as_gguf("llama", {}, true)));
    CHECK(llama.end == 2);
    const std::vector<int> ids = llama.tokenizer.encode("he here\né");
    CHECK(ids == std::vector<int>{1, 7, 9, 3, 4, 5});  // <s> ▁he ▁here and three bytes
    CHECK(llama.tokenizer.decode(ids) == "he here\né");
    const NoGrad no_grad;
    CHECK(llama.model(Indices(std::vector<int>(ids), {1, 6})).shape() == Shape{1, 6, 20});
}

TEST_CASE("GGUF files of Qwen2, and of a Llama for longer texts", "[parity]") {
    const Scratch scratch;
    const NoGrad no_grad;
    for (const std::string family : {"qwen2", "llama3"}) {
        INFO(family);
        const Safetensors expected =
            load_safetensors((families / family / "expected.safetensors").string());
        const std::vector<double> numbers = expected.find("ids")->to_vector();
        const Indices ids(std::vector<int>(numbers.begin(), numbers.end()),
                          {1, std::ssize(numbers)});
        const PublishedLanguageModel model =
            load_language_model(scratch.file(family + ".gguf", as_gguf(family, {})));
        CHECK(difference_from_reference(model.model(ids), *expected.find("y")) < 1e-5);
        CHECK(model.model.stack.layers[0].attention.multi_head.query.bias.defined() ==
              (family == "qwen2"));
    }
    std::string text = as_gguf("llama3", {});
    // The last of the four divisors, 4, becomes 0.
    const float four = 4, none = 0;
    const std::size_t at = text.rfind(std::string(reinterpret_cast<const char*>(&four), 4));
    REQUIRE(at != std::string::npos);
    text.replace(at, 4, reinterpret_cast<const char*>(&none), 4);
    const std::string file = scratch.file("broken.gguf", text);
    CHECK(error_of([&] { load_language_model(file); }) ==
          file + ": 'rope_freqs.weight': expected 4 numbers above 0, found 0");
    // The tokenizer of another model has more tokens, or fewer.
    for (const std::size_t letters : {19, 21}) {
        const std::string other = scratch.file("other.gguf", as_gguf("llama", {}, false, letters));
        CHECK(
            error_of([&] { load_language_model(other); }) ==
            fmt::format(
                "{}: tokenizer.ggml.tokens: expected as many as 'token_embd.weight' has rows, 20, "
                "found {}",
                other, letters));
    }
    // The end of a text has to be a token.
    text = as_gguf("llama", {});
    const std::string_view end_key = "tokenizer.ggml.eos_token_id";
    const std::uint32_t no_token = 20;
    text.replace(text.find(end_key) + end_key.size() + 4, 4,
                 reinterpret_cast<const char*>(&no_token), 4);
    const std::string endless = scratch.file("endless.gguf", text);
    CHECK(error_of([&] { load_language_model(endless); }) ==
          endless + ": tokenizer.ggml.eos_token_id: expected an id below 20, found 20");
    // Heads that do not divide what they share.
    const auto with = [&](const std::string& key, std::uint32_t value) {
        std::string edited = as_gguf("llama", {});
        edited.replace(edited.find(key + '\4') + key.size() + 4, 4,
                       reinterpret_cast<const char*>(&value), 4);
        const std::string path = scratch.file("heads.gguf", edited);
        const std::string error = error_of([&] { load_language_model(path); });
        REQUIRE(error.starts_with(path + ": llama."));
        return error.substr(path.size() + 2);
    };
    CHECK(
        with("llama.attention.head_count_kv", 3) ==
        "llama.attention.head_count_kv: expected a divisor of llama.attention.head_count, which is 4, "
        "found 3");
    CHECK(
        with("llama.attention.head_count", 5) ==
        "llama.attention.head_count: expected a divisor of llama.embedding_length, which is 32, found 5");
    CHECK(with("llama.attention.head_count", 32) ==
          "llama.attention.head_count: expected heads of an even width, found 32 heads in "
          "llama.embedding_length, which is 32");
    // A number of the settings that cannot be is refused by its key.
    for (const float wrong : {0.f, -100.f, std::numeric_limits<float>::quiet_NaN()}) {
        text = as_gguf("llama3", {});
        const std::string_view key = "rope.freq_base";
        text.replace(text.find(key) + key.size() + 4, 4, reinterpret_cast<const char*>(&wrong), 4);
        CHECK(error_of([&] {
                  load_language_model(scratch.file("base.gguf", text));
              }).find("base.gguf: llama.rope.freq_base: expected a number above 0, found ") !=
              std::string::npos);
    }
}

TEST_CASE("a published model says what it is, and what it cannot be", "[data][errors]") {
    const PublishedLanguageModel llama = load_language_model((families / "llama").string());
    CHECK(llama.description == "llama: Llama, 2 layers of width 32, 4 heads, 20 tokens");
    CHECK(llama.end == 1);
    CHECK(llama.max_positions == 64);
    CHECK(error_of([] { load_language_model(families.string()); })
              .ends_with(
                  "a folder with config.json and safetensors; found a folder without config.json"));
    CHECK(error_of([] {
              load_encoder((families / "llama").string());
          }).ends_with("expected an encoder such as BERT, found a language model"));
    CHECK(error_of([] {
              load_language_model((families / "bert").string());
          }).find("expected a language model, found an encoder") != std::string::npos);
    CHECK(refused("llama", "\"silu\"", "\"relu\"") ==
          "config.json: hidden_act: expected silu, found 'relu'");
    CHECK(refused("llama", "\"llama\"", "\"mamba\"") ==
          "config.json: model_type: expected bert, gpt2, llama, mistral or qwen2, found 'mamba'; "
          "other families are not known");
    // So many layers would fill the memory before one of them is read.
    CHECK(refused("gpt2", "\"n_layer\": 2", "\"n_layer\": 1025") ==
          "config.json: n_layer: expected a whole number from 1 to 1024, found 1025");
    CHECK(refused("llama", "\"model_type\": \"llama\"",
                  "\"sliding_window\": 4096, \"model_type\": \"mistral\"") ==
          "config.json: sliding_window: expected null: no window, found 4096");
    CHECK(refused("qwen2", "\"use_sliding_window\": false", "\"use_sliding_window\": true") ==
          "config.json: use_sliding_window: expected false, found true");
    CHECK(refused("llama3", "\"rope_type\": \"llama3\"", "\"rope_type\": \"yarn\"")
              .starts_with(
                  "config.json: rope_parameters: expected none, or angles of type default or "
                  "llama3, found "));
    CHECK(refused("llama3", "\"factor\": 4.0", "\"factor\": \"four\"") ==
          "config.json: rope_parameters: factor: expected a number above 0, found \"four\"");
    CHECK(refused("llama3", "\"factor\": 4.0", "\"factor\": 0") ==
          "config.json: rope_parameters: factor: expected a number above 0, found 0");
    CHECK(refused("llama", "\"hidden_size\": 32", "\"hidden_size\": 31") ==
          "config.json: head_dim: expected the width divided by the heads, found 8");
    CHECK(refused("gpt2", "\"n_embd\": 24", "\"n_embd\": 25") ==
          "config.json: n_head: expected a divisor of n_embd, which is 25, found 3");
    CHECK(
        refused("bert", "\"hidden_size\": 24", "\"hidden_size\": 25") ==
        "config.json: num_attention_heads: expected a divisor of hidden_size, which is 25, found 3");
    CHECK(
        refused("llama", "\"num_key_value_heads\": 2", "\"num_key_value_heads\": 3") ==
        "config.json: num_key_value_heads: expected a divisor of num_attention_heads, which is 4, found 3");
    CHECK(refused("llama", "\"vocab_size\": 20", "\"vocab_size\": 19") ==
          "config.json: vocab_size: expected at least the 20 tokens of the tokenizer, found 19");
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
    CHECK(max(abs(sum(both * both, 1) - 1.0)).item() < 1e-5);
    CHECK(slice(both, 0, 1, 2).to_vector() == one.to_vector());
    // The direction is that of the mean over the tokens [CLS] c [SEP].
    const Tensor y = bert.model(Indices({2, 7, 3}, {1, 3}), {.mode = Mode::evaluation()}).output;
    const Tensor mean_of_tokens = mean(y, {1});
    CHECK(sum(one * mean_of_tokens).item() ==
          Approx(std::sqrt(sum(mean_of_tokens * mean_of_tokens).item())));
    // 40 words for 32 positions: the first 30, with [CLS] before and [SEP] behind.
    const auto words = [](int count) {
        std::string text;
        for (int i = 0; i < count; ++i) text += "a ";
        return text;
    };
    CHECK(sentence_vectors(bert, {words(40)}).to_vector() ==
          sentence_vectors(bert, {words(30)}).to_vector());
    CHECK_THROWS_WITH(sentence_vectors(bert, {}), "sentence_vectors: expected at least one text");
}

TEST_CASE("a generator that leaves tensors unset draws nothing") {
    Rng unset = Rng::leaving_unset();
    CHECK(uniform({2, 3}, 0, 1, unset).shape() == Shape{2, 3});
    const LanguageModel model({.vocabulary = 5}, unset);
    CHECK(model.embedding.weight.shape() == Shape{5, 64});
}

TEST_CASE("SmolLM2 continues a text as the package transformers does", "[parity]") {
    const std::string file = published_file("SmolLM2-135M-Instruct.Q4_1.gguf");
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
    const std::string file = published_file("all_minilm_l6_v2/model.safetensors");
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
