#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "autograd/base/input_file.h"
#include "nn/text/tokenizer.h"
#include "tests/catch.h"
#include "tests/error_of.h"
#include "tests/gguf_settings.h"

using namespace heed;
using Ids = std::vector<int>;
using Json = nlohmann::json;

namespace {

const std::vector<std::string> example_tokens{"<unk>", "<s>",   "</s>",   "he",    "▁he",
                                              "re",    "▁here", "▁",      "h",     "e",
                                              "r",     "人",    "<0xC3>", "<0xA9>"};
const std::vector<double> example_scores{0, 0, 0, -1, -2, -3, -4, -5, -6, -7, -8, -9, 0, 0};

Tokenizer example(SentencePieceParts parts = {}) {
    parts.tokens = example_tokens;
    parts.joins = joins_by_score(example_tokens, example_scores);
    return Tokenizer(std::move(parts), {.special = {0, 1, 2}, .before = {1}});
}

constexpr const char* pieces_json = R"({
    "added_tokens": [{"id": 0, "content": "<unk>"}, {"id": 1, "content": "<s>"}],
    "normalizer": {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"},
        {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]},
    "pre_tokenizer": null,
    "post_processor": {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "<s>"}}, {"Sequence": {"id": "A"}}]},
    "decoder": {"type": "Sequence", "decoders": [{"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
        {"type": "ByteFallback"}, {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]},
    "model": {"type": "BPE", "unk_token": "<unk>", "fuse_unk": true, "byte_fallback": true, "merges": ["h e", "▁ he"],
        "vocab": {"<unk>": 0, "<s>": 1, "▁": 2, "h": 3, "e": 4, "he": 5, "▁he": 6, "<0x0A>": 7}}})";

std::string edited(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}
Tokenizer read_pieces(const std::string& text) {
    return parse_tokenizer_json(text, "tokenizer.json");
}

// What is said about the file after an edit of it.
std::string refused_pieces(const std::string& from, const std::string& to) {
    return error_of([&] { read_pieces(edited(pieces_json, from, to)); });
}

struct InGguf {
    std::vector<std::string> tokens{"<unk>", "<s>", "</s>", "▁", "a", "b", "▁a", "ab"};
    std::vector<float> scores{0, 0, 0, -9, -8, -7, -1, -1};
    std::vector<std::int32_t> kinds{2, 3, 3, 1, 1, 1, 1, 1};
};

GgufWriter settings_of(const InGguf& in) {
    GgufWriter settings;
    settings.set("tokenizer.ggml.model", std::string("llama"));
    settings.set("tokenizer.ggml.tokens", in.tokens);
    settings.set("tokenizer.ggml.scores", in.scores);
    settings.set("tokenizer.ggml.token_type", in.kinds);
    return settings;
}
Tokenizer read_pieces(const GgufWriter& settings) {
    const std::string bytes = settings.head();
    return tokenizer_of(Gguf::parse(bytes, "x.gguf"));
}
std::string refused_pieces(const InGguf& in) {
    return error_of([&] { read_pieces(settings_of(in)); });
}

}  // namespace

TEST_CASE("random texts have the tokens that the package tokenizers gives them without words",
          "[parity][data]") {
    const Json kinds =
        Json::parse(read_file(std::string(HEED_SOURCE_DIR) + "/tests/parity/pieces.json"));
    REQUIRE(kinds.size() == 6);
    int given_back = 0;
    for (const Json& kind : kinds) {
        const Tokenizer tokenizer = parse_tokenizer_json(kind["tokenizer"].dump(), "pieces.json");
        REQUIRE(kind["cases"].size() == 60);
        for (const Json& one : kind["cases"]) {
            const auto text = one["text"].get<std::string>();
            INFO(kind["name"] << ": " << text);
            CHECK(tokenizer.encode(text, {.specials_in_text = true}) == one["specials"].get<Ids>());
            CHECK(tokenizer.encode(text) == one["plain"].get<Ids>());
            const std::string back = tokenizer.decode(tokenizer.encode(text));
            CHECK(back == one["back"].get<std::string>());
            given_back += back == text;
        }
    }
    CHECK(given_back > 200);  // the last two kinds have no tokens for bytes
}

TEST_CASE("the example of sentence_pieces.h", "[data]") {
    const Tokenizer t = example();
    CHECK(t.encode("he here") == Ids{1, 4, 6});
    CHECK(t.decode({1, 4, 6}) == "he here");
    CHECK(t.text_of(4) == " he");
    // The steps that it shows: what is joined if the vocabulary ends with the token.
    const std::vector<std::string> steps{"▁|he|▁|he|r|e", "▁he|▁he|r|e", "▁he|▁he|re", "▁he|▁here"};
    for (std::size_t step = 0; step < steps.size(); ++step) {
        std::vector<Join> joins = joins_by_score(example_tokens, example_scores);
        std::erase_if(joins, [&](const Join& j) { return j.joined > static_cast<int>(step) + 3; });
        const Tokenizer first(SentencePieceParts{.tokens = example_tokens, .joins = joins});
        std::string shown;
        for (const int id : first.encode("he here")) (shown += "|") += first.token(id);
        CHECK(shown == "|" + steps[step]);
    }
}

TEST_CASE("the example of joins.h, and its queue against the definition", "[data]") {
    const Joins joins({{0, 1, 0, 3}, {3, 2, 1, 4}});
    Ids ids{0, 1, 2, 0, 1};
    joins.apply(ids);
    CHECK(ids == Ids{4, 3});

    // Random joins of few tokens, many of them of equal order.
    std::uint32_t state = 1;
    const auto random = [&](std::uint32_t below) {
        state = state * 1664525u + 1013904223u;
        return static_cast<int>((state >> 16) % below);
    };
    for (int round = 0; round < 300; ++round) {
        std::vector<Join> all;
        for (int i = 0; i < 12; ++i) {
            const Join join{random(4), random(4 + static_cast<std::uint32_t>(i)), random(5), 4 + i};
            if (std::none_of(all.begin(), all.end(), [&](const Join& other) {
                    return other.left == join.left && other.right == join.right;
                }))
                all.push_back(join);
        }
        Ids text, plain;
        for (int i = 0; i < 40; ++i) text.push_back(random(4));
        plain = text;
        for (;;) {
            const Join* best = nullptr;
            std::size_t at = 0;
            for (std::size_t i = 0; i + 1 < plain.size(); ++i)
                for (const Join& join : all)
                    if (join.left == plain[i] && join.right == plain[i + 1] &&
                        (!best || join.order < best->order))
                        best = &join, at = i;
            if (!best) break;
            plain[at] = best->joined;
            plain.erase(plain.begin() + static_cast<std::ptrdiff_t>(at) + 1);
        }
        Joins(all).apply(text);
        CHECK(text == plain);
    }
}

TEST_CASE("a character that is no token becomes bytes, or the unknown token", "[data]") {
    const Tokenizer t = example();
    CHECK(t.encode("é人", {.ends = false}) == Ids{7, 12, 13, 11});
    CHECK(t.decode({12, 13, 11}) == "é人");
    CHECK(t.encode("\xC3h", {.ends = false}) == Ids{7, 12, 8});  // no UTF-8: each byte by itself
    CHECK(t.decode({12, 8}) == "\xC3h");
    // Of è one byte has no token. Unknown characters in a row are one.
    CHECK(t.encode("hèèe", {.ends = false}) == Ids{7, 8, 0, 9});
    CHECK(example({.options = {.fuse_unknown = false}}).encode("èx", {.ends = false}) ==
          Ids{7, 0, 0});
    CHECK(example({.options = {.bytes = false}}).encode("é", {.ends = false}) == Ids{7, 0});
    CHECK(example({.options = {.bytes = false}}).text_of(12) == "<0xC3>");
    CHECK(example({.options = {.unknown = ""}}).encode("hxe", {.ends = false}) == Ids{4});
    // The name of a byte, or of a special token, is text.
    CHECK(t.encode("<s>", {.ends = false}) == Ids{7, 0});
    CHECK(t.encode("<s>h", {.specials_in_text = true, .ends = false}) == Ids{1, 7, 8});
}

TEST_CASE("a space is put in front where the file says, and taken away again", "[data]") {
    const auto ids = [](SpaceInFront space, const char* text, int behind = -1) {
        return example({.space_in_front = space})
            .encode(text, {.specials_in_text = true, .ends = false, .behind = behind});
    };
    using enum SpaceInFront;
    CHECK(ids(always, "h") == Ids{7, 8});
    CHECK(ids(always, " h") == Ids{7, 7, 8});
    CHECK(ids(always, "h<s>h") == Ids{7, 8, 1, 7, 8});
    CHECK(ids(parts, " h<s>h") == Ids{7, 8, 1, 7, 8});
    CHECK(ids(parts, "▁h") == Ids{7, 8});
    CHECK(ids(text, "h<s>h") == Ids{7, 8, 1, 8});
    CHECK(ids(none, "h<s> h") == Ids{8, 1, 7, 8});
    CHECK(ids(always, "").empty());
    // What continues a text begins no part of it.
    CHECK(ids(always, "h", 8) == Ids{8});
    CHECK(ids(always, "h", 1) == Ids{7, 8});
    CHECK(ids(text, "h", 1) == Ids{8});
    CHECK(error_of([&] { ids(text, "h", 99); }) ==
          "Tokenizer: the id 99 is outside a vocabulary of 14");

    CHECK(example().decode({7, 7, 8, 7}) == " h ");
    CHECK(example({.space_removed = false}).decode({7, 8}) == " h");
    CHECK(example().decode({1, 7, 8}, true) == "<s> h");
    // A million characters without a space take n log n steps.
    std::string long_text;
    for (int i = 0; i < 500000; ++i) long_text += "he";
    CHECK(example().encode(long_text).size() == 500001);
}

TEST_CASE("tokenizer.json says what becomes of spaces", "[data]") {
    CHECK(read_pieces(pieces_json).encode("he he\n") == Ids{1, 6, 6, 7});
    CHECK(read_pieces(pieces_json).decode({1, 6, 6, 7}) == "he he\n");
    const auto with = [](const std::string& metaspace) {
        return read_pieces(
                   edited(edited(pieces_json, "\"pre_tokenizer\": null",
                                 R"("pre_tokenizer": {"type": "Metaspace", "replacement": "▁", )" +
                                     metaspace + ", \"split\": false}"),
                          "\"normalizer\"", "\"unused\""))
            .encode("he<s>he", {.specials_in_text = true, .ends = false});
    };
    CHECK(with(R"("prepend_scheme": "first")") == Ids{6, 1, 5});
    CHECK(with(R"("prepend_scheme": "always")") == Ids{6, 1, 6});
    CHECK(with(R"("prepend_scheme": "never")") == Ids{5, 1, 5});
    CHECK(with(R"("add_prefix_space": true)") == Ids{6, 1, 6});
    CHECK(with(R"("add_prefix_space": false)") == Ids{5, 1, 5});
}

TEST_CASE("what heed does not have of such a tokenizer.json is refused", "[data][errors]") {
    const auto begins = [](const std::string& error, const std::string& with) {
        INFO(error);
        CHECK(error.starts_with("tokenizer.json: " + with));
    };
    begins(refused_pieces("\"Prepend\"", "\"NFKC\""),
           "file: normalizer: expected a Prepend of ▁, or none,");
    begins(refused_pieces("\"prepend\": \"▁\"", "\"prepend\": \"_\""),
           "file: normalizer: expected");
    begins(refused_pieces("\"String\": \" \"", "\"String\": \"a\""), "file: normalizer: expected");
    begins(refused_pieces("\"normalizer\"", "\"unused\""), "file: normalizer: expected");
    begins(
        refused_pieces("\"pre_tokenizer\": null", "\"pre_tokenizer\": {\"type\": \"Whitespace\"}"),
        "file: pre_tokenizer: expected ByteLevel, or one Metaspace and no normalizer, found");
    begins(refused_pieces("ByteFallback", "Fuse"),
           "file: decoder: expected Replace, ByteFallback, Fuse");
    begins(refused_pieces("\"decoder\"", "\"unused\""), "file: decoder: expected Replace, ");
    begins(refused_pieces("\"start\": 1", "\"start\": 2"), "file: decoder: expected");
    begins(refused_pieces("\"byte_fallback\": true", "\"byte_fallback\": false"),
           "file: decoder: expected Replace, Fuse and perhaps Strip of one space, found");
    begins(refused_pieces("\"fuse_unk\"", "\"ignore_merges\""),
           "model: ignore_merges: expected false");
    begins(refused_pieces("\"unk_token\": \"<unk>\"", "\"unk_token\": \"none\""),
           "SentencePieces: the unknown token 'none' is not a token");
    begins(refused_pieces("\"h e\"", "\"h x\""),
           "SentencePieces: pair 1 is 'h' and 'x', but 'x' is not a token");
    begins(refused_pieces("\"BPE\"", "\"Unigram\""),
           "model: type: expected WordPiece or BPE, found");
    const auto metaspace = [](const std::string& options) {
        return error_of([&] {
            read_pieces(
                edited(edited(pieces_json, "\"pre_tokenizer\": null",
                              "\"pre_tokenizer\": {\"type\": \"Metaspace\", " + options + "}"),
                       "\"normalizer\"", "\"unused\""));
        });
    };
    begins(metaspace(R"("replacement": "▁")"), "pre_tokenizer: expected split false, found true");
    begins(metaspace(R"("replacement": "_")"), "pre_tokenizer: expected ByteLevel, or a Metaspace");
    begins(metaspace(R"("replacement": "▁", "split": false, "prepend_scheme": "last")"),
           "pre_tokenizer: prepend_scheme: expected first, always or never, found 'last'");
}

TEST_CASE("the scores of a GGUF file say what is joined first", "[data]") {
    const InGguf in;
    CHECK(read_pieces(settings_of(in)).encode("ab") ==
          Ids{1, 6, 5});  // ▁a and ab: the left of equals
    InGguf other = in;
    other.scores[7] = -0.5f;
    CHECK(read_pieces(settings_of(other)).encode("ab") == Ids{1, 3, 7});
    CHECK(read_pieces(settings_of(in)).decode({1, 6, 5}) == "ab");

    // The defaults are those of llama.cpp: <s> in front and nothing behind.
    GgufWriter plain = settings_of(in);
    plain.set("tokenizer.ggml.add_bos_token", 0u);
    plain.set("tokenizer.ggml.add_eos_token", 1u);
    plain.set("tokenizer.ggml.add_space_prefix", 0u);
    CHECK(read_pieces(plain).encode("ab a") == Ids{7, 6, 2});
    CHECK(read_pieces(plain).decode({6, 2}) == " a");
}

TEST_CASE("a GGUF file with broken sentence pieces is refused", "[data][errors]") {
    const InGguf good;
    InGguf in = good;
    in.scores.pop_back();
    CHECK(refused_pieces(in) == "x.gguf: tokenizer.ggml.scores: expected 8 values, found 7");
    in = good;
    in.scores[4] = std::numeric_limits<float>::quiet_NaN();
    CHECK(refused_pieces(in) ==
          "x.gguf: tokenizer.ggml: SentencePieces: the score of 'a' is not a number");
    in = good;
    in.kinds.pop_back();
    CHECK(refused_pieces(in) == "x.gguf: tokenizer.ggml.token_type: expected 8 values, found 7");
    in = good;
    in.tokens[7] = "a";
    CHECK(
        refused_pieces(in) ==
        "x.gguf: tokenizer.ggml: SentencePieces: expected each token once, found 'a' for the ids 4 and 7");
    in = good;
    in.tokens[7] = std::string(257, 'a');
    CHECK(refused_pieces(in).starts_with(
        "x.gguf: tokenizer.ggml: SentencePieces: expected tokens of at most 256 bytes, found 257 in 'aaa"));
    GgufWriter ids = settings_of(good);
    ids.set("tokenizer.ggml.unknown_token_id", 8u);
    CHECK(error_of([&] { read_pieces(ids); }) ==
          "x.gguf: tokenizer.ggml.unknown_token_id: expected an id below 8, found 8");
    CHECK(error_of([] {
              Tokenizer(SentencePieceParts{.tokens = {"<unk>"}}, {.special = {7}});
          }).find("7") != std::string::npos);
    CHECK(refused_pieces({.tokens = {}, .scores = {}, .kinds = {}})
              .starts_with("x.gguf: tokenizer.ggml.bos_token_id: expected an id below 0"));
}
