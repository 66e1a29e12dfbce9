// The files of tokenizers: tokenizer.json, vocab.txt, vocab.json with merges.txt, and GGUF.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "autograd/base/error.h"
#include "autograd/base/input_file.h"
#include "autograd/base/utf8.h"
#include "nn/text/tokenizer.h"

namespace heed {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t most_bytes_of_file = 64 << 20;
constexpr int deepest_json = 32;

// A file's value and where it stands, for messages: "tokenizer.json: model.type: expected ...".
class Field {
  public:
    Field(const std::string& file, std::string where, const Json& value)
        : file_(file), where_(std::move(where)), value_(&value) {}

    template <class... Args>
    [[noreturn]] void fail(fmt::format_string<Args...> text, Args&&... args) const {
        throw InputError(fmt::format("{}: {}: {}", file_, where_,
                                     fmt::format(text, std::forward<Args>(args)...)));
    }

    bool has(const char* name) const {
        return value_->is_object() && value_->contains(name) && !(*value_)[name].is_null();
    }
    Field operator[](const char* name) const {
        if (!has(name)) fail("expected '{}', found none", name);
        return {file_, where_ == "file" ? name : where_ + "." + name, (*value_)[name]};
    }
    std::string text() const {
        if (!value_->is_string()) fail("expected a text, found {}", shown());
        return value_->get<std::string>();
    }
    bool truth(const char* name, bool otherwise) const {
        if (!has(name)) return otherwise;
        const Field field = (*this)[name];
        if (!field.value_->is_boolean())
            field.fail("expected true or false, found {}", field.shown());
        return field.value_->get<bool>();
    }
    std::string text(const char* name, const std::string& otherwise) const {
        return has(name) ? (*this)[name].text() : otherwise;
    }
    std::int64_t whole() const {
        if (!value_->is_number_integer()) fail("expected a whole number, found {}", shown());
        return value_->is_number_unsigned() &&
                       value_->get<std::uint64_t>() > std::uint64_t{INT32_MAX}
                   ? std::int64_t{INT32_MAX}
                   : value_->get<std::int64_t>();
    }
    std::vector<Field> list() const {
        if (!value_->is_array()) fail("expected a list, found {}", shown());
        std::vector<Field> all;
        for (std::size_t i = 0; i < value_->size(); ++i)
            all.emplace_back(file_, fmt::format("{}[{}]", where_, i), (*value_)[i]);
        return all;
    }
    const Json& object() const {
        if (!value_->is_object()) fail("expected an object, found {}", shown());
        return *value_;
    }
    const Json& json() const { return *value_; }
    const std::string& file() const { return file_; }
    std::string shown() const {
        return excerpt(value_->dump(-1, ' ', false, Json::error_handler_t::replace));
    }

  private:
    const std::string& file_;
    std::string where_;
    const Json* value_;
};

Json parse_json(std::string_view text, const std::string& name) {
    const auto not_too_deep = [&](int depth, Json::parse_event_t, Json&) {
        if (depth > deepest_json)
            throw InputError(fmt::format("{}: expected at most {} levels of lists and objects",
                                         name, deepest_json));
        return true;
    };
    try {
        return Json::parse(text.begin(), text.end(), not_too_deep);
    } catch (const Json::parse_error& error) {
        throw InputError(
            fmt::format("{}: byte {}: expected JSON, found something else", name, error.byte));
    } catch (const Json::out_of_range&) {
        throw InputError(name + ": expected numbers below 1.8e308, found a larger one");
    }
}

// {"the": 0, ...} and the added tokens: each id from 0 on has a token.
std::vector<std::string> tokens_by_id(const Field& vocabulary, const std::vector<Field>& added) {
    std::vector<std::optional<std::string>> tokens(vocabulary.object().size() + added.size());
    std::size_t used = 0;
    const auto put = [&](const Field& field, const std::string& token, std::int64_t id) {
        if (id < 0 || id >= std::ssize(tokens))
            field.fail("'{}': expected an id below the number of tokens, {}, found {}",
                       excerpt(token), tokens.size(), id);
        auto& entry = tokens[static_cast<std::size_t>(id)];
        if (entry && *entry != token)
            field.fail("expected one token for an id, found '{}' and '{}' for {}", excerpt(*entry),
                       excerpt(token), id);
        entry = token;
        used = std::max(used, static_cast<std::size_t>(id) + 1);
    };
    for (const auto& [token, id] : vocabulary.object().items())
        put(vocabulary, token,
            Field(vocabulary.file(), "the id of '" + excerpt(token) + "'", id).whole());
    for (const Field& field : added) put(field, field["content"].text(), field["id"].whole());
    std::vector<std::string> all;
    for (std::size_t id = 0; id < used; ++id) {
        if (!tokens[id]) vocabulary.fail("expected a token for each id, found none for {}", id);
        all.push_back(*tokens[id]);
    }
    return all;
}

TokenPair pair_of(const Field& field) {
    if (field.json().is_array()) {
        const std::vector<Field> halves = field.list();
        if (halves.size() != 2) field.fail("expected two tokens, found {}", halves.size());
        return {halves[0].text(), halves[1].text()};
    }
    const std::string text = field.text();
    const std::size_t blank = text.find(' ');
    if (blank == std::string::npos || text.find(' ', blank + 1) != std::string::npos)
        field.fail("expected two tokens with a space between, found '{}'", excerpt(text));
    return {text.substr(0, blank), text.substr(blank + 1)};
}

// The steps of a part of the file that may be none, one or a sequence.
std::vector<Field> steps_of(const Field& file, const char* part, const char* list) {
    if (!file.has(part)) return {};
    const Field one = file[part];
    return one["type"].text() == "Sequence" ? one[list].list() : std::vector<Field>{one};
}

void read_pretokenizer(const Field& file, BytePairParts& parts) {
    bool bytes = false, cut = false, digits = false;
    for (const Field& step : steps_of(file, "pre_tokenizer", "pretokenizers")) {
        const std::string type = step["type"].text();
        if (bytes) step.fail("expected nothing after ByteLevel, found '{}'", excerpt(type));
        if (type == "Digits" && step.truth("individual_digits", false) && !cut && !digits) {
            digits = true;
        } else if (type == "Split" && !digits && !cut) {
            const Field pattern = step["pattern"];
            const auto known = splitting_of_regex(pattern.text("Regex", ""));
            if (!known)
                pattern.fail(
                    "expected the regular expression of GPT-2, Llama 3 or Qwen 2, found {}",
                    pattern.shown());
            if (step.text("behavior", "") != "Isolated" || step.truth("invert", false))
                step.fail("expected behavior Isolated, not inverted, found {}", step.shown());
            parts.splitting = *known;
            cut = true;
        } else if (type == "ByteLevel") {
            bytes = true;
            parts.space_in_front = step.truth("add_prefix_space", true);
            const bool own = step.truth("use_regex", true);
            if (own == cut)
                step.fail("expected one regular expression, found {}", own ? "two" : "none");
            if (parts.space_in_front && (cut || digits))
                step.fail("expected add_prefix_space false behind another step, found true");
            if (digits) parts.splitting = Splitting::smollm;
        } else {
            step.fail("expected Digits, Split and ByteLevel, found {}", step.shown());
        }
    }
}

bool is_of_bytes(const Field& file) {
    for (const Field& step : steps_of(file, "pre_tokenizer", "pretokenizers"))
        if (step["type"].text() == "ByteLevel") return true;
    return false;
}

std::vector<TokenPair> read_merges(const Field& model) {
    for (const char* option : {"continuing_subword_prefix", "end_of_word_suffix"})
        if (!model.text(option, "").empty())
            model.fail("{}: expected none, found {}", option, model[option].shown());
    std::vector<TokenPair> pairs;
    for (const Field& pair : model["merges"].list()) pairs.push_back(pair_of(pair));
    return pairs;
}

BytePairParts byte_pairs(const Field& file, std::vector<std::string> tokens) {
    const Field model = file["model"];
    if (!steps_of(file, "normalizer", "normalizers").empty())
        file.fail("normalizer: expected none for byte-level BPE, found {}",
                  file["normalizer"].shown());
    if (model.truth("byte_fallback", false))
        model.fail("byte_fallback: expected false for byte-level BPE, found true");
    BytePairParts parts{.tokens = std::move(tokens), .pairs = read_merges(model)};
    parts.whole_words_first = model.truth("ignore_merges", false);
    read_pretokenizer(file, parts);
    return parts;
}

constexpr std::string_view mark = SentencePieces::space;

// Whether the step is a Replace of `from` by `to`.
bool replaces(const Field& step, std::string_view from, std::string_view to) {
    return step["type"].text() == "Replace" && step["pattern"].text("String", "") == from &&
           step["content"].text() == to;
}

SpaceInFront space_of_metaspace(const Field& step) {
    if (step["type"].text() != "Metaspace" || step.text("replacement", "") != mark)
        step.fail("expected ByteLevel, or a Metaspace with {}, found {}", mark, step.shown());
    if (step.truth("split", true)) step.fail("expected split false, found true");
    const bool always = step.truth("add_prefix_space", true);
    const std::string scheme = step.text("prepend_scheme", always ? "always" : "never");
    if (scheme == "first") return SpaceInFront::text;
    if (scheme == "always") return SpaceInFront::parts;
    if (scheme != "never")
        step.fail("prepend_scheme: expected first, always or never, found '{}'", excerpt(scheme));
    return SpaceInFront::none;
}

// How spaces become ▁: by a Metaspace, or by the normalizer Replace with or without a Prepend before it.
SpaceInFront read_spaces(const Field& file) {
    const std::vector<Field> cut = steps_of(file, "pre_tokenizer", "pretokenizers"),
                             steps = steps_of(file, "normalizer", "normalizers");
    if (cut.size() == 1 && steps.empty()) return space_of_metaspace(cut[0]);
    if (!cut.empty())
        file.fail("pre_tokenizer: expected ByteLevel, or one Metaspace and no normalizer, found {}",
                  file["pre_tokenizer"].shown());
    const bool in_front = !steps.empty() && steps[0]["type"].text() == "Prepend" &&
                          steps[0]["prepend"].text() == mark;
    if (steps.size() != (in_front ? 2u : 1u) || !replaces(steps.back(), " ", mark))
        file.fail(
            "normalizer: expected a Prepend of {0}, or none, and a Replace of spaces by {0}, found {1}",
            mark, file.has("normalizer") ? file["normalizer"].shown() : "none");
    return in_front ? SpaceInFront::always : SpaceInFront::none;
}

// Whether decode() takes the space in front away. All else that the decoder does is checked.
bool read_decoder(const Field& file, bool bytes) {
    const std::vector<Field> steps = steps_of(file, "decoder", "decoders");
    std::size_t at = 0;
    const auto next_is = [&](auto&& wanted) { return at < steps.size() && wanted(steps[at++]); };
    const auto of_type = [](const char* type) {
        return [=](const Field& step) { return step["type"].text() == type; };
    };
    const bool known = next_is([](const Field& step) { return replaces(step, mark, " "); }) &&
                       (!bytes || next_is(of_type("ByteFallback"))) && next_is(of_type("Fuse"));
    const bool strips = known && next_is([](const Field& step) {
                            return step["type"].text() == "Strip" &&
                                   step["content"].text() == " " && step["start"].whole() == 1 &&
                                   step["stop"].whole() == 0;
                        });
    if (!known || steps.size() != (bytes ? 3u : 2u) + strips)
        file.fail("decoder: expected Replace, {}Fuse and perhaps Strip of one space, found {}",
                  bytes ? "ByteFallback, " : "",
                  file.has("decoder") ? file["decoder"].shown() : "none");
    return strips;
}

SentencePieceParts sentence_pieces(const Field& file, std::vector<std::string> tokens) {
    const Field model = file["model"];
    if (model.truth("ignore_merges", false))
        model.fail("ignore_merges: expected false, found true");
    SentencePieceParts parts{.tokens = std::move(tokens)};
    parts.space_in_front = read_spaces(file);
    parts.joins = joins_in_order(read_merges(model), TokenList(parts.tokens), "SentencePieces",
                                 [](std::string_view token) { return std::string(token); });
    parts.options.unknown = model.text("unk_token", "");
    parts.options.bytes = model.truth("byte_fallback", false);
    parts.options.fuse_unknown = model.truth("fuse_unk", false);
    parts.space_removed = read_decoder(file, parts.options.bytes);
    return parts;
}

void read_normalizer(const Field& file, BertText& text) {
    const std::vector<Field> steps = steps_of(file, "normalizer", "normalizers");
    if (steps.size() != 1 || steps[0]["type"].text() != "BertNormalizer")
        file.fail("normalizer: expected BertNormalizer");
    const Field& step = steps[0];
    text.clean = step.truth("clean_text", true);
    text.ideographs = step.truth("handle_chinese_chars", true);
    text.lower_case = step.truth("lowercase", true);
    text.strip_accents = step.truth("strip_accents", text.lower_case);
}

WordPieceParts word_pieces(const Field& file, std::vector<std::string> tokens) {
    const Field model = file["model"];
    WordPieceParts parts{.tokens = std::move(tokens)};
    read_normalizer(file, parts.text);
    const std::vector<Field> steps = steps_of(file, "pre_tokenizer", "pretokenizers");
    if (steps.size() != 1 || steps[0]["type"].text() != "BertPreTokenizer")
        file.fail("pre_tokenizer: expected BertPreTokenizer for WordPiece");
    parts.unknown = model.text("unk_token", "[UNK]");
    parts.prefix = model.text("continuing_subword_prefix", "##");
    if (model.has("max_input_chars_per_word"))
        parts.longest_word = static_cast<int>(
            std::clamp<std::int64_t>(model["max_input_chars_per_word"].whole(), 0, 1000000));
    return parts;
}

// Which tokens stand before and behind a text.
void read_ends(const Field& file, const std::vector<std::string>& tokens, SpecialParts& special) {
    const auto id_of = [&](const Field& field, const std::string& name) {
        const auto found = std::find(tokens.begin(), tokens.end(), name);
        if (found == tokens.end()) field.fail("expected a token, found '{}'", excerpt(name));
        return static_cast<int>(found - tokens.begin());
    };
    for (const Field& step : steps_of(file, "post_processor", "processors")) {
        const std::string type = step["type"].text();
        if (type == "ByteLevel") continue;  // offsets only
        if (type == "BertProcessing" || type == "RobertaProcessing") {
            const auto end_of = [&](const char* name) {
                const Field field = step[name];  // a token and its id
                if (field.list().empty()) field.fail("expected a token, found none");
                return id_of(step, field.list()[0].text());
            };
            special.before = {end_of("cls")};
            special.behind = {end_of("sep")};
            continue;
        }
        if (type != "TemplateProcessing")
            step.fail("expected TemplateProcessing, found '{}'", excerpt(type));
        bool text_came = false;
        for (const Field& each : step["single"].list()) {
            if (each.has("SpecialToken"))
                (text_came ? special.behind : special.before)
                    .push_back(id_of(each, each["SpecialToken"]["id"].text()));
            else if (each.has("Sequence") && !text_came)
                text_came = true;
            else
                each.fail("expected special tokens and one text, found {}", each.shown());
        }
        if (!text_came) step.fail("expected a text between the special tokens, found none");
    }
}

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.emplace_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

SpecialParts bert_specials(const std::vector<std::string>& tokens, const std::string& name) {
    SpecialParts special;
    for (const char* each : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}) {
        const auto found = std::find(tokens.begin(), tokens.end(), each);
        if (found == tokens.end())
            throw InputError(fmt::format("{}: expected the token {}, found none", name, each));
        special.special.push_back(static_cast<int>(found - tokens.begin()));
    }
    special.before = {special.special[2]};
    special.behind = {special.special[3]};
    return special;
}

void check_utf8(std::string_view bytes, const std::string& name) {
    if (const std::size_t at = utf8_invalid_at(bytes); at != std::string_view::npos)
        throw InputError(fmt::format("{}: byte {}: expected UTF-8, found 0x{:02X}", name, at,
                                     static_cast<unsigned char>(bytes[at])));
}

}  // namespace

Tokenizer parse_tokenizer_json(std::string_view json, const std::string& name) {
    const Json tree = parse_json(json, name);
    const Field file(name, "file", tree);
    const Field model = file["model"];
    const std::vector<Field> added =
        file.has("added_tokens") ? file["added_tokens"].list() : std::vector<Field>();
    std::vector<std::string> tokens = tokens_by_id(model["vocab"], added);
    SpecialParts special;
    for (const Field& token : added) {
        for (const char* option : {"single_word", "lstrip", "rstrip"})
            if (token.truth(option, false)) token.fail("expected {} false, found true", option);
        special.special.push_back(static_cast<int>(token["id"].whole()));
    }
    read_ends(file, tokens, special);

    const std::string type = model.text("type", model.has("merges") ? "BPE" : "WordPiece");
    if (type != "WordPiece" && type != "BPE")
        model.fail("type: expected WordPiece or BPE, found '{}'; other tokenizers are not known",
                   excerpt(type));
    return with_file_name(name, [&] {
        if (type == "WordPiece") return Tokenizer(word_pieces(file, std::move(tokens)), special);
        if (!is_of_bytes(file)) return Tokenizer(sentence_pieces(file, std::move(tokens)), special);
        return Tokenizer(byte_pairs(file, std::move(tokens)), special);
    });
}

Tokenizer parse_vocabulary_txt(std::string_view lines, const std::string& name,
                               const BertText& text) {
    check_utf8(lines, name);
    std::vector<std::string> tokens = lines_of(lines);
    const SpecialParts special = bert_specials(tokens, name);
    return with_file_name(name, [&] {
        return Tokenizer(WordPieceParts{std::move(tokens), text}, special);
    });
}

Tokenizer parse_vocabulary_json(std::string_view vocabulary, std::string_view merges,
                                const std::string& name, Splitting splitting) {
    const Json tree = parse_json(vocabulary, name);
    check_utf8(merges, name);
    BytePairParts parts{.tokens = tokens_by_id(Field(name, "vocabulary", tree), {}),
                        .splitting = splitting};
    const std::vector<std::string> lines = lines_of(merges);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].empty() || (i == 0 && lines[i].starts_with("#version"))) continue;
        const Json line = lines[i];
        parts.pairs.push_back(pair_of(Field(name, fmt::format("merges: line {}", i + 1), line)));
    }
    SpecialParts special;
    for (std::size_t id = 0; id < parts.tokens.size(); ++id)
        if (parts.tokens[id] == "<|endoftext|>") special.special.push_back(static_cast<int>(id));
    return with_file_name(name, [&] { return Tokenizer(std::move(parts), special); });
}

namespace {

std::string folder_file(const std::string& folder, const char* file) {
    return (std::filesystem::path(folder) / file).string();
}

std::string text_from(const std::string& path) { return read_file(path, most_bytes_of_file); }

// GGUF writes WordPiece the other way round: a piece that begins a word has ▁ in front, one inside has none.
std::vector<std::string> with_hashes(std::vector<std::string> tokens,
                                     const std::vector<std::int64_t>& kinds) {
    constexpr std::string_view begins = "▁";
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        std::string& token = tokens[i];
        if (token.starts_with(begins))
            token.erase(0, begins.size());
        else if (kinds[i] == 1)
            token.insert(0, "##");
    }
    return tokens;
}

// The settings "tokenizer.ggml...." of a GGUF file.
class GgufSettings {
  public:
    explicit GgufSettings(const Gguf& file)
        : file_(file),
          tokens_(file.texts(prefix + "tokens")),
          kinds_(file.wholes(prefix + "token_type")) {
        if (kinds_.size() != tokens_.size())
            fail("token_type", "expected {} values, found {}", tokens_.size(), kinds_.size());
    }

    template <class... Args>
    [[noreturn]] void fail(const std::string& name, fmt::format_string<Args...> text,
                           Args&&... args) const {
        throw InputError(fmt::format("{}: {}{}: {}", file_.path(), prefix, name,
                                     fmt::format(text, std::forward<Args>(args)...)));
    }
    const std::string& text(const char* name) const { return file_.text(prefix + name); }
    const Gguf& file() const { return file_; }
    const std::vector<std::string>& tokens() const { return tokens_; }
    const std::vector<std::int64_t>& kinds() const { return kinds_; }
    bool wanted(const char* name, bool otherwise) const {
        return file_.has(prefix + name) ? file_.whole(prefix + name) != 0 : otherwise;
    }
    // A token's id; an `otherwise` of -1: the file must have it.
    int id(const char* name, int otherwise = -1) const {
        const bool given = otherwise < 0 || file_.has(prefix + name);
        const std::int64_t id = given ? file_.whole(prefix + name) : otherwise;
        if (id < 0 || id >= std::ssize(tokens_))
            fail(name, "expected an id below {}, found {}", tokens_.size(), id);
        return static_cast<int>(id);
    }
    const std::string& token(int id) const { return tokens_[static_cast<std::size_t>(id)]; }

    inline static const std::string prefix = "tokenizer.ggml.";

  private:
    const Gguf& file_;
    const std::vector<std::string>& tokens_;
    const std::vector<std::int64_t>& kinds_;
};

// The tokens of these kinds.
SpecialParts specials_of(const GgufSettings& in, const std::vector<std::int64_t>& kinds) {
    SpecialParts special;
    for (std::size_t id = 0; id < in.kinds().size(); ++id)
        if (std::find(kinds.begin(), kinds.end(), in.kinds()[id]) != kinds.end())
            special.special.push_back(static_cast<int>(id));
    return special;
}
constexpr std::int64_t unknown_kind = 2, control = 3, user_defined = 4;

Tokenizer word_pieces(const GgufSettings& in) {
    SpecialParts special = specials_of(in, {control, user_defined});
    special.before = {in.id("cls_token_id")};
    special.behind = {in.id("seperator_token_id")};  // as the format spells it
    WordPieceParts parts{.tokens = with_hashes(in.tokens(), in.kinds())};
    parts.unknown = parts.tokens[static_cast<std::size_t>(in.id("unknown_token_id"))];
    return Tokenizer(std::move(parts), special);
}

Tokenizer byte_pairs(const GgufSettings& in) {
    SpecialParts special = specials_of(in, {control, user_defined});
    BytePairParts parts{.tokens = in.tokens()};
    const std::string& pre = in.text("pre");
    if (pre == "smollm")
        parts.splitting = Splitting::smollm;
    else if (pre == "llama-bpe")
        parts.splitting = Splitting::llama3, parts.whole_words_first = true;
    else if (pre == "qwen2")
        parts.splitting = Splitting::qwen2;
    else if (pre != "gpt-2")
        in.fail("pre", "expected gpt-2, smollm, llama-bpe or qwen2, found '{}'", excerpt(pre));
    parts.space_in_front = in.wanted("add_space_prefix", false);
    if (in.wanted("add_bos_token", false)) special.before = {in.id("bos_token_id")};
    if (in.wanted("add_eos_token", false)) special.behind = {in.id("eos_token_id")};
    const std::vector<std::string>& merges = in.file().texts(GgufSettings::prefix + "merges");
    parts.pairs.reserve(merges.size());
    for (std::size_t i = 0; i < merges.size(); ++i) {
        const std::size_t blank = merges[i].find(' ');
        if (blank == std::string::npos)
            in.fail(fmt::format("merges[{}]", i), "expected two tokens, found '{}'",
                    excerpt(merges[i]));
        parts.pairs.emplace_back(merges[i].substr(0, blank), merges[i].substr(blank + 1));
    }
    return Tokenizer(std::move(parts), special);
}

// What the file does not say is as llama.cpp has it.
Tokenizer sentence_pieces(const GgufSettings& in) {
    SpecialParts special = specials_of(in, {unknown_kind, control, user_defined});
    if (in.wanted("add_bos_token", true)) special.before = {in.id("bos_token_id", 1)};
    if (in.wanted("add_eos_token", false)) special.behind = {in.id("eos_token_id", 2)};
    SentencePieceParts parts{.tokens = in.tokens()};
    const std::vector<double>& scores = in.file().numbers(GgufSettings::prefix + "scores");
    if (scores.size() != parts.tokens.size())
        in.fail("scores", "expected {} values, found {}", parts.tokens.size(), scores.size());
    parts.joins = joins_by_score(parts.tokens, scores);
    parts.options.unknown = in.token(in.id("unknown_token_id", 0));
    if (!in.wanted("add_space_prefix", true)) {
        parts.space_in_front = SpaceInFront::none;
        parts.space_removed = false;
    }
    return Tokenizer(std::move(parts), special);
}

}  // namespace

Tokenizer tokenizer_of(const Gguf& file) {
    const GgufSettings in(file);
    const std::string& model = in.text("model");
    return with_file_name(file.path() + ": tokenizer.ggml", [&] {
        if (model == "bert") return word_pieces(in);
        if (model == "gpt2") return byte_pairs(in);
        if (model == "llama") return sentence_pieces(in);
        in.fail("model", "expected gpt2, llama or bert, found '{}'; other tokenizers are not known",
                excerpt(model));
    });
}

Tokenizer load_tokenizer(const std::string& path) {
    namespace fs = std::filesystem;
    if (fs::is_directory(path)) {
        for (const char* name : {"tokenizer.json", "vocab.txt", "vocab.json"})
            if (fs::exists(folder_file(path, name))) return load_tokenizer(folder_file(path, name));
        throw InputError(
            path + ": expected tokenizer.json, vocab.txt or vocab.json in this folder, found none");
    }
    if (path.ends_with(".gguf")) return tokenizer_of(Gguf::open(path));
    const std::string bytes = text_from(path);
    if (path.ends_with(".txt")) return parse_vocabulary_txt(bytes, path);
    if (fs::path(path).filename() == "vocab.json")
        return parse_vocabulary_json(
            bytes, text_from(folder_file(fs::path(path).parent_path().string(), "merges.txt")),
            path);
    return parse_tokenizer_json(bytes, path);
}

}  // namespace heed
