#include <cstdlib>
#include <nlohmann/json.hpp>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "autograd/base/input_file.h"
#include "nn/text/learn.h"
#include "nn/text/token_list.h"
#include "nn/text/tokenizer.h"
#include "nn/text/unicode.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"
#include "tests/error_of.h"

using namespace heed;
using Ids = std::vector<int>;
using Json = nlohmann::json;

namespace {

constexpr const char* bert_json = R"({
    "added_tokens": [{"id": 1, "content": "[UNK]", "special": true}, {"id": 2, "content": "[CLS]", "special": true}],
    "normalizer": {"type": "BertNormalizer", "lowercase": true},
    "pre_tokenizer": {"type": "BertPreTokenizer"},
    "post_processor": {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "[CLS]"}}, {"Sequence": {"id": "A"}}]},
    "model": {"type": "WordPiece", "vocab": {"un": 0, "[UNK]": 1, "[CLS]": 2, "##aff": 3, "##able": 4, "naive": 5, ",": 6,
              "[": 7, "]": 8, "cls": 9, "人": 10}}})";

constexpr const char* bytes_json = R"({
    "added_tokens": [{"id": 6, "content": "<|end|>", "special": true}],
    "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false},
    "model": {"type": "BPE", "vocab": {"h": 0, "e": 1, "r": 2, "he": 3, "re": 4, "here": 5, "Ġ": 7, "<": 8, "|": 9, "n": 10,
              "d": 11, ">": 12}, "merges": ["h e", ["r", "e"], "he re"]}})";

Tokenizer read(const char* json) { return parse_tokenizer_json(json, "tokenizer.json"); }

// What is said about the file after an edit of it.
std::string refused(std::string json, const std::string& from, const std::string& to) {
    const std::size_t at = json.find(from);
    REQUIRE(at != std::string::npos);
    json.replace(at, from.size(), to);
    return error_of([&] { parse_tokenizer_json(json, "tokenizer.json"); });
}

std::vector<std::string> pieces(const char* text, Splitting splitting) {
    std::vector<std::string> all;
    for (const std::string_view piece : split_text(text, splitting)) all.emplace_back(piece);
    return all;
}

}  // namespace

TEST_CASE("random texts of all scripts have the tokens of the package tokenizers",
          "[parity][data]") {
    const Json kinds =
        Json::parse(read_file(std::string(HEED_SOURCE_DIR) + "/tests/parity/texts.json"));
    REQUIRE(kinds.size() == 5);
    for (const Json& kind : kinds) {
        const Tokenizer tokenizer = parse_tokenizer_json(kind["tokenizer"].dump(), "texts.json");
        REQUIRE(kind["cases"].size() == 60);
        for (const Json& one : kind["cases"]) {
            const auto text = one["text"].get<std::string>();
            INFO(kind["name"] << ": " << text);
            CHECK(tokenizer.encode(text, {.specials_in_text = true}) == one["specials"].get<Ids>());
            CHECK(tokenizer.encode(text) == one["plain"].get<Ids>());
            if (kind["name"] != "word pieces")
                CHECK(tokenizer.decode(tokenizer.encode(text)) == text);
        }
    }
}

TEST_CASE("WordPiece takes the longest pieces, and the names of special tokens are text",
          "[data]") {
    const Tokenizer t = read(bert_json);
    CHECK(t.encode("Unaffable, naïve") == Ids{2, 0, 3, 4, 6, 5});
    CHECK(t.encode("UNAFFABLE\n人x人", {.ends = false}) == Ids{0, 3, 4, 10, 1, 10});
    CHECK(t.encode("[CLS]", {.ends = false}) == Ids{7, 9, 8});
    CHECK(t.encode("[CLS]", {.specials_in_text = true, .ends = false}) == Ids{2});
    CHECK(t.encode("naive" + std::string(96, 'x'), {.ends = false}) == Ids{1});
    CHECK(t.decode({2, 0, 3, 4, 6, 5}) == "unaffable , naive");
    CHECK(t.decode({2, 5}, true) == "[CLS] naive");
    CHECK(t.encode("\xff naive", {.ends = false}) == Ids{5});  // no UTF-8: U+FFFD, which is removed
    CHECK(error_of([&] { t.token(11); }) == "Tokenizer: the id 11 is outside a vocabulary of 11");
    CHECK(error_of([&] { t.id("no"); }) == "Tokenizer: there is no token 'no'");
}

TEST_CASE("byte pairs are joined in the order in which they were learned", "[data]") {
    const Tokenizer t = read(bytes_json);
    CHECK(t.encode("here") == Ids{5});
    CHECK(t.encode("ere") == Ids{1, 4});
    CHECK(t.encode("here here") == Ids{5, 7, 5});
    CHECK(t.encode("hx\xff"
                   "e") == Ids{0, 1});  // bytes without a token are left out
    CHECK(t.encode("<|end|>") == Ids{8, 9, 1, 10, 11, 9, 12});
    CHECK(t.encode("he<|end|>", {.specials_in_text = true}) == Ids{3, 6});
    CHECK(t.decode({5, 7, 3, 6}) == "here he");
    CHECK(t.decode({3, 6}, true) == "he<|end|>");
    // A very long word takes n log n and not n² steps.
    CHECK(t.encode(std::string(200000, 'h')).size() == 200000);
}

TEST_CASE("a text is cut where the expression of the model says", "[data]") {
    using Words = std::vector<std::string>;
    CHECK(pieces("It's 2024!  Really\n", Splitting::gpt2) ==
          Words{"It", "'s", " 2024", "!", " ", " Really", "\n"});
    CHECK(pieces("It's 2024!", Splitting::smollm) ==
          Words{"It", "'s", " ", "2", "0", "2", "4", "!"});
    CHECK(pieces("IT'S 2024!\n x", Splitting::llama3) ==
          Words{"IT", "'S", " ", "202", "4", "!\n", " x"});
    CHECK(pieces("'LL 12  \n y", Splitting::qwen2) == Words{"'LL", " ", "1", "2", "  \n", " y"});
    CHECK(pieces("", Splitting::gpt2).empty());
    CHECK(splitting_of_regex(regex_of(Splitting::llama3)) == Splitting::llama3);
    CHECK(!splitting_of_regex(".*"));
}

TEST_CASE("letters are taken apart and put into small ones as Unicode says", "[data]") {
    CHECK(unicode::decomposed(U"é한ệ") == U"e\u0301\u1112\u1161\u11ABe\u0323\u0302");
    CHECK(unicode::decomposed(U"a\u0301\u0323\u0316") == U"a\u0323\u0316\u0301");
    CHECK(unicode::lower_case(U"ÀΣİZ") == U"àσi\u0307z");
    CHECK(unicode::is(U'é', unicode::letter));
    CHECK_FALSE(unicode::is(U'1', unicode::letter));
    CHECK(unicode::is(U'½', unicode::number));
    CHECK(unicode::is(U'\u3000', unicode::space));
    CHECK(unicode::classes(0x110000) == 0);
}

TEST_CASE("bytes are written as visible characters", "[data]") {
    CHECK(bytes_as_characters(" a\n\xff") == "ĠaĊÿ");
    for (int byte = 0; byte < 256; ++byte) {
        std::string back;
        CHECK(characters_as_bytes(bytes_as_characters(std::string(1, static_cast<char>(byte))),
                                  back));
        CHECK(back == std::string(1, static_cast<char>(byte)));
    }
    std::string none;
    CHECK_FALSE(characters_as_bytes("人", none));
}

TEST_CASE("a list of tokens finds each by its name, of equal ones the first", "[data]") {
    const TokenList few({"the", "", "of", "the"});
    CHECK(few.size() == 4);
    CHECK(few[3] == "the");
    CHECK(few[1].empty());
    CHECK(few.find("the") == 0);
    CHECK(few.find("") == 1);
    CHECK(few.find("th") == -1);
    CHECK(TokenList().size() == 0);
    CHECK(TokenList().find("the") == -1);
    std::vector<std::string> numbers;
    for (int i = 0; i < 1000; ++i) numbers.push_back(std::to_string(7 * i));
    TokenList list(numbers);
    const TokenList copy = list;
    list = TokenList();
    for (int i = 0; i < 1000; ++i) {
        CHECK(copy.find(numbers[static_cast<std::size_t>(i)]) == i);
        CHECK(copy.find(std::to_string(7 * i + 1)) == -1);
    }
}

// Bytes from malloc() that are in use; 0 where the system does not say.
std::size_t bytes_in_use() {
#if defined(__GLIBC__)
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

TEST_CASE("a tokenizer takes less than a hundred bytes for each token", "[data][unsanitized]") {
    constexpr int count = 30000;
    BytePairParts parts{.tokens = {"a", "b"}};
    // Tokens of 2 letters, then of 3, and so on: each is a pair with one letter.
    for (std::size_t i = 0; std::ssize(parts.tokens) < count; ++i)
        for (const char* letter : {"a", "b"}) {
            parts.pairs.emplace_back(parts.tokens[i], letter);
            parts.tokens.push_back(parts.tokens[i] + letter);
        }
    const std::size_t before = bytes_in_use();
    const Tokenizer tokenizer(parts);
    CHECK(bytes_in_use() - before < 100 * count);
    CHECK(tokenizer.encode("abb").size() == 1);
}

TEST_CASE("vocab.txt, and vocab.json with merges.txt", "[data]") {
    const Tokenizer words =
        parse_vocabulary_txt("[PAD]\r\n[UNK]\r\n[CLS]\n[SEP]\n[MASK]\nhe\n##re\n", "vocab.txt");
    CHECK(words.encode("Here") == Ids{2, 5, 6, 3});
    const Tokenizer bytes = parse_vocabulary_json(
        R"({"h": 0, "e": 1, "he": 2, "<|endoftext|>": 3})", "#version: 0.2\nh e\n", "vocab.json");
    CHECK(bytes.encode("hehh") == Ids{2, 0, 0});
    CHECK(bytes.is_special(3));
    CHECK(error_of([] { parse_vocabulary_txt("he\n", "vocab.txt"); }) ==
          "vocab.txt: expected the token [PAD], found none");
    CHECK(error_of([] { parse_vocabulary_json(R"({"h": 0})", "h\n", "vocab.json"); }) ==
          "vocab.json: merges: line 1: expected two tokens with a space between, found 'h'");
    CHECK(error_of([] { parse_vocabulary_json(R"({"h": 0, "e": 1})", "h e\n", "vocab.json"); }) ==
          "vocab.json: BytePairs: pair 1 is 'h' and 'e', but 'he' is not a token");
}

TEST_CASE("a tokenizer that heed does not have is refused by what it asks for", "[data][errors]") {
    CHECK(refused(bert_json, "{", "") ==
          "tokenizer.json: byte 20: expected JSON, found something else");
    CHECK(error_of([] { parse_tokenizer_json("[1e999]", "tokenizer.json"); }) ==
          "tokenizer.json: expected numbers below 1.8e308, found a larger one");
    CHECK(
        refused(bert_json, "WordPiece", "Unigram") ==
        "tokenizer.json: model: type: expected WordPiece or BPE, found 'Unigram'; other tokenizers "
        "are not known");
    CHECK(refused(bert_json, "BertNormalizer", "NFKC") ==
          "tokenizer.json: file: normalizer: expected BertNormalizer");
    CHECK(refused(bert_json, "\"lowercase\": true", "\"lowercase\": 1") ==
          "tokenizer.json: normalizer.lowercase: expected true or false, found 1");
    CHECK(
        refused(bert_json, "\"cls\": 9", "\"cls\": 999") ==
        "tokenizer.json: model.vocab: 'cls': expected an id below the number of tokens, 13, found 999");
    CHECK(refused(bert_json, "\"cls\": 9", "\"cls\": 8") ==
          "tokenizer.json: model.vocab: expected one token for an id, found ']' and 'cls' for 8");
    CHECK(refused(bytes_json, "\"h e\"", "\"h x\"") ==
          "tokenizer.json: BytePairs: pair 1 is 'h' and 'x', but 'x' is not a token");
    CHECK(refused(bytes_json, "\"h e\"", "7") ==
          "tokenizer.json: model.merges[0]: expected a text, found 7");
    CHECK(
        refused(bytes_json, "ByteLevel", "Metaspace")
            .starts_with(
                "tokenizer.json: pre_tokenizer: expected ByteLevel, or a Metaspace with ▁, found"));
    CHECK(refused(bytes_json, R"({"type": "ByteLevel", "add_prefix_space": false})",
                  R"([{"type": "Whitespace"}, {"type": "ByteLevel"}])")
              .starts_with("tokenizer.json: pre_tokenizer: expected 'type', found none"));
    CHECK(
        refused(
            bytes_json, R"({"type": "ByteLevel", "add_prefix_space": false})",
            R"({"type": "Sequence", "pretokenizers": [{"type": "Whitespace"}, {"type": "ByteLevel"}]})")
            .starts_with("tokenizer.json: pre_tokenizer.pretokenizers[0]: expected Digits, Split "
                         "and ByteLevel, found"));
    CHECK(refused(bytes_json, "\"special\": true", "\"lstrip\": true") ==
          "tokenizer.json: added_tokens[0]: expected lstrip false, found true");
}

TEST_CASE("byte pairs are learned: the most frequent first, and of equals the smaller ids",
          "[data]") {
    // "see" three times, "sees" twice, "seen", "tree" twice: e e, then s ee, t r and so on.
    const LearnedTokenizer learned = learn_byte_pairs(
        {"see", "see", "see", "sees", "sees", "seen", "tree", "tree"}, {.size = 259});
    using Pairs = std::vector<std::pair<std::string, std::string>>;
    CHECK(learned.parts.pairs == Pairs{{"e", "e"}, {"s", "ee"}, {"r", "ee"}});
    CHECK(learned.parts.tokens.size() == 259);
    const Tokenizer tokenizer(learned.parts, learned.special);
    CHECK(tokenizer.decode(tokenizer.encode("seeds 나는\n")) == "seeds 나는\n");
    CHECK(tokenizer.encode("see").size() == 1);

    // Words keep to themselves, and what occurs once is not joined.
    CHECK(learn_byte_pairs({"a b a b", "xy"}, {.size = 300}).parts.pairs == Pairs{{"Ġ", "b"}});
    CHECK(learn_byte_pairs({"xy"}, {.size = 300, .least = 1}).parts.pairs == Pairs{{"x", "y"}});
    CHECK(learn_byte_pairs({}, {.size = 300}).parts.tokens.size() == 256);
    // Of "aaaa" the pairs from the left are joined, then these two.
    CHECK(learn_byte_pairs({"aaaa", "aaaa"}, {.size = 300}).parts.pairs ==
          Pairs{{"a", "a"}, {"aa", "aa"}});
    CHECK(error_of([] { learn_byte_pairs({}, {.size = 256, .specials = {"<end>"}}); }) ==
          "learn_byte_pairs: a size of 256; 257 bytes and special tokens come first");
    CHECK(error_of([] { learn_byte_pairs({}, {.least = 0}); }) ==
          "learn_byte_pairs: least is 0; expected a positive number");
}

TEST_CASE("the package tokenizers learns the same from the same texts", "[parity][data]") {
    const Json cases =
        Json::parse(read_file(std::string(HEED_SOURCE_DIR) + "/tests/parity/learned.json"));
    REQUIRE(cases.size() == 4);
    const std::map<std::string, Splitting> splittings{{"gpt2", Splitting::gpt2},
                                                      {"smollm", Splitting::smollm},
                                                      {"llama3", Splitting::llama3},
                                                      {"qwen2", Splitting::qwen2}};
    const Scratch scratch;
    for (const Json& one : cases) {
        INFO(one["splitting"]);
        const LearnedTokenizer learned =
            learn_byte_pairs(one["texts"].get<std::vector<std::string>>(),
                             {.size = one["size"].get<int>(),
                              .splitting = splittings.at(one["splitting"].get<std::string>()),
                              .specials = {"<|end|>", "<|begin|>"},
                              .least = 1});
        CHECK(learned.parts.pairs ==
              one["pairs"].get<std::vector<std::pair<std::string, std::string>>>());
        CHECK(learned.parts.tokens == one["tokens"].get<std::vector<std::string>>());

        // What is saved is read again, with the same splitting and special tokens.
        const std::string file = scratch.path + "/tokenizer.json";
        save_tokenizer(learned, file);
        const Tokenizer saved = load_tokenizer(file), made(learned.parts, learned.special);
        for (const std::string text : {"It's 2024!  나는 <|end|>\r\n x²", ""})
            for (const bool specials : {false, true})
                CHECK(saved.encode(text, {.specials_in_text = specials}) ==
                      made.encode(text, {.specials_in_text = specials}));
    }
}
