#include "nn/text/tokenizer.h"

#include <algorithm>
#include <unordered_map>

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

std::vector<TokenPair> bytes_of_pairs(std::vector<TokenPair> pairs) {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        TokenPair bytes;
        if (!characters_as_bytes(pairs[i].first, bytes.first) ||
            !characters_as_bytes(pairs[i].second, bytes.second))
            fail("Tokenizer: pair {}, '{}' and '{}': expected characters that stand for bytes",
                 i + 1, pairs[i].first, pairs[i].second);
        pairs[i] = std::move(bytes);
    }
    return pairs;
}

}  // namespace

Tokenizer::Tokenizer(WordPieceParts parts, SpecialParts special)
    : tokens_(parts.tokens),
      kind_(Words{WordPieces(plain_tokens(std::move(parts.tokens), special, parts.unknown),
                             parts.unknown, parts.prefix, parts.longest_word),
                  parts.text}) {
    add_specials(special);
}

Tokenizer::Tokenizer(BytePairParts parts, SpecialParts special)
    : tokens_(parts.tokens),
      space_in_front_(parts.space_in_front ? SpaceInFront::parts : SpaceInFront::none),
      kind_(Bytes{BytePairs(bytes_of_tokens(plain_tokens(std::move(parts.tokens), special)),
                            bytes_of_pairs(std::move(parts.pairs)), parts.whole_words_first),
                  parts.splitting}) {
    add_specials(special);
}

Tokenizer::Tokenizer(SentencePieceParts parts, SpecialParts special)
    : tokens_(parts.tokens),
      space_in_front_(parts.space_in_front),
      kind_(Pieces{
          SentencePieces(parts.tokens, std::move(parts.joins), special.special, parts.options),
          parts.space_removed}) {
    add_specials(special);
}

void Tokenizer::add_specials(const SpecialParts& special) {
    special_.resize(static_cast<std::size_t>(size()));
    for (const std::vector<int>* each : {&special.special, &special.before, &special.behind})
        for (const int id : *each) token(id);  // checked
    for (const int id : special.special) {
        const std::string_view name = token(id);
        check(!name.empty(), "Tokenizer: the special token {} has no name", id);
        special_[static_cast<std::size_t>(id)] = true;
        special_names_.emplace_back(name);
        begins_special_[static_cast<unsigned char>(name[0])] = true;
    }
    std::stable_sort(special_names_.begin(), special_names_.end(),
                     [](const auto& a, const auto& b) { return a.size() > b.size(); });
    before_ = special.before;
    behind_ = special.behind;
}

std::string_view Tokenizer::token(int id) const {
    check(id >= 0 && id < size(), "Tokenizer: the id {} is outside a vocabulary of {}", id, size());
    return tokens_[id];
}

bool Tokenizer::is_special(int id) const {
    token(id);  // checked
    return special_[static_cast<std::size_t>(id)];
}

int Tokenizer::id(std::string_view token) const {
    const int found = tokens_.find(token);
    check(found >= 0, "Tokenizer: there is no token '{}'", token);
    return found;
}

// The longest special token that the text begins with; empty: none.
std::string_view Tokenizer::special_at(std::string_view text) const {
    if (!begins_special_[static_cast<unsigned char>(text[0])]) return {};
    for (const std::string& name : special_names_)
        if (text.starts_with(name)) return name;
    return {};
}

// Whether what comes behind this token, -1: behind none, is encoded with a space in front.
bool Tokenizer::gets_space(std::string_view text, int behind) const {
    const bool begins_part = behind < 0 || is_special(behind),
               has_space = text.starts_with(' ') || (std::holds_alternative<Pieces>(kind_) &&
                                                     text.starts_with(SentencePieces::space));
    switch (space_in_front_) {
        case SpaceInFront::none:
            break;
        case SpaceInFront::text:
            return behind < 0 && !has_space;
        case SpaceInFront::parts:
            return begins_part && !has_space;
        case SpaceInFront::always:
            return begins_part;
    }
    return false;
}

void Tokenizer::encode_plain(std::string_view text, int behind, std::vector<int>& ids) const {
    if (text.empty()) return;
    const bool space = gets_space(text, behind);
    if (const Words* words = std::get_if<Words>(&kind_)) {
        for (const std::string& word : bert_words(text, words->text))
            words->pieces.encode(word, ids);
    } else if (const Pieces* pieces = std::get_if<Pieces>(&kind_)) {
        pieces->pieces.encode(text, space, ids);
    } else {
        std::string with_space(space, ' ');
        if (space) with_space += text;
        std::get<Bytes>(kind_).encode(space ? std::string_view(with_space) : text, ids);
    }
}

void Tokenizer::Bytes::encode(std::string_view text, std::vector<int>& ids) const {
    // Most words of a text come again; they are joined only once.
    struct Known {
        std::size_t begin, end;  // in ids
    };
    std::unordered_map<std::string_view, Known> known;
    for (const std::string_view piece : split_text(text, splitting)) {
        const auto [found, fresh] = known.try_emplace(piece, Known{ids.size(), 0});
        Known& word = found->second;
        if (fresh) {
            pairs.encode(piece, ids);
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
    int behind = options.behind;
    if (behind != -1) token(behind);  // checked
    for (std::size_t at = 0; options.specials_in_text && at < text.size();) {
        const std::string_view name = special_at(text.substr(at));
        if (name.empty()) {
            ++at;
            continue;
        }
        encode_plain(text.substr(begin, at - begin), behind, ids);
        behind = id(name);
        ids.push_back(behind);
        begin = at += name.size();
    }
    encode_plain(text.substr(begin), behind, ids);
    if (options.ends) ids.insert(ids.end(), behind_.begin(), behind_.end());
    return ids;
}

std::string Tokenizer::text_of(int id) const {
    const std::string_view name = token(id);
    if (is_special(id)) return std::string(name);
    if (const Pieces* pieces = std::get_if<Pieces>(&kind_)) return pieces->pieces.as_text(name);
    std::string bytes;
    const bool decoded = std::holds_alternative<Bytes>(kind_) && characters_as_bytes(name, bytes);
    return decoded ? bytes : std::string(name);
}

std::string Tokenizer::decode(const std::vector<int>& ids, bool with_specials) const {
    std::vector<std::string> kept;
    for (const int id : ids)
        if (token(id); with_specials || !is_special(id)) kept.push_back(text_of(id));
    if (const Words* words = std::get_if<Words>(&kind_)) return words->pieces.decode(kept);
    std::string text;
    for (const std::string& each : kept) text += each;
    const Pieces* pieces = std::get_if<Pieces>(&kind_);
    if (pieces && pieces->space_removed && text.starts_with(' ')) text.erase(0, 1);
    return text;
}

}  // namespace heed
