#include "nn/text/tokenizer.h"

#include <algorithm>

#include "autograd/base/error.h"

namespace heed {
namespace {

// The tokens that a text can have. The names of special ones are emptied, so that no text becomes them.
std::vector<std::string> plain_tokens(std::vector<std::string> tokens, const SpecialParts& special,
                                      const std::string& but = "") {
    for (const int id : special.special)
        if (id >= 0 && id < std::ssize(tokens) && tokens[static_cast<std::size_t>(id)] != but)
            tokens[static_cast<std::size_t>(id)].clear();
    return tokens;
}

std::vector<std::string> bytes_of_tokens(std::vector<std::string> tokens) {
    for (std::string& token : tokens) {
        std::string bytes;
        token = characters_as_bytes(token, bytes) ? bytes : "";
    }
    return tokens;
}

std::vector<BytePair> bytes_of_pairs(
    const std::vector<std::pair<std::string, std::string>>& pairs) {
    std::vector<BytePair> all;
    for (const auto& [left, right] : pairs) {
        BytePair pair;
        if (!characters_as_bytes(left, pair.left) || !characters_as_bytes(right, pair.right))
            fail("Tokenizer: pair {}, '{}' and '{}': expected characters that stand for bytes",
                 all.size() + 1, left, right);
        all.push_back(std::move(pair));
    }
    return all;
}

}  // namespace

Tokenizer::Tokenizer(WordPieceParts parts, SpecialParts special)
    : tokens_(std::move(parts.tokens)),
      kind_(Words{WordPieces(plain_tokens(tokens_, special, parts.unknown), parts.unknown,
                             parts.prefix, parts.longest_word),
                  parts.text}) {
    add_specials(special);
}

Tokenizer::Tokenizer(BytePairParts parts, SpecialParts special)
    : tokens_(std::move(parts.tokens)),
      kind_(Bytes{BytePairs(bytes_of_tokens(plain_tokens(tokens_, special)),
                            bytes_of_pairs(parts.pairs), parts.whole_words_first),
                  parts.splitting, parts.space_in_front}) {
    add_specials(special);
}

void Tokenizer::add_specials(const SpecialParts& special) {
    for (int id = 0; id < size(); ++id) ids_.emplace(tokens_[static_cast<std::size_t>(id)], id);
    special_.resize(tokens_.size());
    for (const std::vector<int>* each : {&special.special, &special.before, &special.behind})
        for (const int id : *each) token(id);  // checked
    for (const int id : special.special) {
        const std::string& name = token(id);
        check(!name.empty(), "Tokenizer: the special token {} has no name", id);
        special_[static_cast<std::size_t>(id)] = true;
        special_names_.push_back(name);
        begins_special_[static_cast<unsigned char>(name[0])] = true;
    }
    std::stable_sort(special_names_.begin(), special_names_.end(),
                     [](const auto& a, const auto& b) { return a.size() > b.size(); });
    before_ = special.before;
    behind_ = special.behind;
}

const std::string& Tokenizer::token(int id) const {
    check(id >= 0 && id < size(), "Tokenizer: the id {} is outside a vocabulary of {}", id, size());
    return tokens_[static_cast<std::size_t>(id)];
}

int Tokenizer::id(std::string_view token) const {
    const auto found = ids_.find(std::string(token));
    check(found != ids_.end(), "Tokenizer: there is no token '{}'", token);
    return found->second;
}

// The longest special token that the text begins with; empty: none.
std::string_view Tokenizer::special_at(std::string_view text) const {
    if (!begins_special_[static_cast<unsigned char>(text[0])]) return {};
    for (const std::string& name : special_names_)
        if (text.starts_with(name)) return name;
    return {};
}

void Tokenizer::encode_plain(std::string_view text, std::vector<int>& ids) const {
    if (text.empty()) return;
    if (const Words* words = std::get_if<Words>(&kind_)) {
        for (const std::string& word : bert_words(text, words->text))
            words->pieces.encode(word, ids);
        return;
    }
    const Bytes& bytes = std::get<Bytes>(kind_);
    std::string with_space;
    if (bytes.space_in_front && text[0] != ' ') {
        with_space = " ";
        with_space += text;
        text = with_space;
    }
    // Most words of a text come again; they are joined only once.
    struct Known {
        std::size_t begin, end;  // in ids
    };
    std::unordered_map<std::string_view, Known> known;
    for (const std::string_view piece : split_text(text, bytes.splitting)) {
        const auto [found, fresh] = known.try_emplace(piece, Known{ids.size(), 0});
        Known& word = found->second;
        if (fresh) {
            bytes.pairs.encode(piece, ids);
            word.end = ids.size();
        } else {
            for (std::size_t i = word.begin; i < word.end; ++i) ids.push_back(int{ids[i]});
        }
    }
}

std::vector<int> Tokenizer::encode(std::string_view text, const EncodeOptions& options) const {
    std::vector<int> ids;
    if (options.ends) ids = before_;
    std::size_t begin = 0;  // of what is not encoded yet
    for (std::size_t at = 0; options.specials_in_text && at < text.size();) {
        const std::string_view name = special_at(text.substr(at));
        if (name.empty()) {
            ++at;
            continue;
        }
        encode_plain(text.substr(begin, at - begin), ids);
        ids.push_back(id(name));
        begin = at += name.size();
    }
    encode_plain(text.substr(begin), ids);
    if (options.ends) ids.insert(ids.end(), behind_.begin(), behind_.end());
    return ids;
}

std::string Tokenizer::decode(const std::vector<int>& ids, bool with_specials) const {
    std::vector<std::string> kept;
    const bool of_bytes = std::holds_alternative<Bytes>(kind_);
    for (const int id : ids) {
        const std::string& name = token(id);
        if (is_special(id) && !with_specials) continue;
        std::string bytes;
        const bool decoded = of_bytes && !is_special(id) && characters_as_bytes(name, bytes);
        kept.push_back(decoded ? bytes : name);
    }
    if (!of_bytes) return std::get<Words>(kind_).pieces.decode(kept);
    std::string text;
    for (const std::string& each : kept) text += each;
    return text;
}

}  // namespace heed
