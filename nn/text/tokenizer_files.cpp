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

std::pair<std::string, std::string> pair_of(const Field& field) {
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
    if (!bytes)
        file.fail("pre_tokenizer: expected ByteLevel, found none; only byte-level BPE is known");
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
    if (type == "WordPiece") {
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
        return with_file_name(name, [&] { return Tokenizer(std::move(parts), special); });
    }
    if (type != "BPE")
        model.fail("type: expected WordPiece or BPE, found '{}'; other tokenizers are not known",
                   excerpt(type));
    if (!steps_of(file, "normalizer", "normalizers").empty())
        file.fail("normalizer: expected none for BPE, found {}", file["normalizer"].shown());
    for (const char* option : {"continuing_subword_prefix", "end_of_word_suffix"})
        if (!model.text(option, "").empty())
            model.fail("{}: expected none, found {}", option, model[option].shown());
    if (model.truth("byte_fallback", false))
        model.fail("byte_fallback: expected false, found true");
    BytePairParts parts{.tokens = std::move(tokens)};
    for (const Field& pair : model["merges"].list()) parts.pairs.push_back(pair_of(pair));
    parts.whole_words_first = model.truth("ignore_merges", false);
    read_pretokenizer(file, parts);
    return with_file_name(name, [&] { return Tokenizer(std::move(parts), special); });
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

}  // namespace

Tokenizer tokenizer_of(const Gguf& file) {
    const std::string prefix = "tokenizer.ggml.";
    const std::string& model = file.text(prefix + "model");
    const std::vector<std::string>& tokens = file.texts(prefix + "tokens");
    const std::vector<std::int64_t>& kinds = file.wholes(prefix + "token_type");
    if (kinds.size() != tokens.size())
        throw InputError(fmt::format("{}: {}token_type: expected {} values, found {}", file.path(),
                                     prefix, tokens.size(), kinds.size()));
    constexpr std::int64_t control = 3, user_defined = 4;
    SpecialParts special;
    for (std::size_t id = 0; id < kinds.size(); ++id)
        if (kinds[id] == control || kinds[id] == user_defined)
            special.special.push_back(static_cast<int>(id));
    const auto id_at = [&](const char* name) {
        const std::int64_t id = file.whole(prefix + name);
        if (id < 0 || id >= std::ssize(tokens))
            throw InputError(fmt::format("{}: {}{}: expected an id below {}, found {}", file.path(),
                                         prefix, name, tokens.size(), id));
        return static_cast<int>(id);
    };
    const auto wanted = [&](const char* name) {
        return file.has(prefix + name) && file.whole(prefix + name) != 0;
    };
    if (model == "bert") {
        special.before = {id_at("cls_token_id")};
        special.behind = {id_at("seperator_token_id")};  // as the format spells it
        WordPieceParts parts{.tokens = with_hashes(tokens, kinds)};
        parts.unknown = parts.tokens[static_cast<std::size_t>(id_at("unknown_token_id"))];
        return with_file_name(file.path(), [&] { return Tokenizer(std::move(parts), special); });
    }
    if (model != "gpt2")
        throw InputError(
            fmt::format("{}: {}model: expected gpt2 or bert, found '{}'; other "
                        "tokenizers are not known",
                        file.path(), prefix, excerpt(model)));
    BytePairParts parts{.tokens = tokens};
    const std::string& pre = file.text(prefix + "pre");
    if (pre == "smollm")
        parts.splitting = Splitting::smollm;
    else if (pre == "llama-bpe")
        parts.splitting = Splitting::llama3, parts.whole_words_first = true;
    else if (pre == "qwen2")
        parts.splitting = Splitting::qwen2;
    else if (pre != "gpt-2")
        throw InputError(
            fmt::format("{}: {}pre: expected gpt-2, smollm, llama-bpe or qwen2, found '{}'",
                        file.path(), prefix, excerpt(pre)));
    parts.space_in_front = wanted("add_space_prefix");
    if (wanted("add_bos_token")) special.before = {id_at("bos_token_id")};
    if (wanted("add_eos_token")) special.behind = {id_at("eos_token_id")};
    const std::vector<std::string>& merges = file.texts(prefix + "merges");
    for (std::size_t i = 0; i < merges.size(); ++i) {
        const std::size_t blank = merges[i].find(' ');
        if (blank == std::string::npos)
            throw InputError(fmt::format("{}: {}merges[{}]: expected two tokens, found '{}'",
                                         file.path(), prefix, i, excerpt(merges[i])));
        parts.pairs.emplace_back(merges[i].substr(0, blank), merges[i].substr(blank + 1));
    }
    return with_file_name(file.path(), [&] { return Tokenizer(std::move(parts), special); });
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
