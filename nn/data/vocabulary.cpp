#include "nn/data/vocabulary.h"

#include <algorithm>
#include <map>

#include "autograd/base/error.h"
#include "autograd/base/input_file.h"
#include "autograd/base/settings.h"
#include "autograd/base/utf8.h"
#include "autograd/base/whole_file.h"

namespace heed {
namespace {

constexpr std::string_view white_space = " \t\n\r\v\f";
constexpr std::string_view first_line[] = {"heed vocabulary of words",
                                           "heed vocabulary of characters"};

std::string escape(std::string_view token) {
    std::string text;
    for (char c : token) {
        if (c == '\\')
            text += "\\\\";
        else if (c == '\n')
            text += "\\n";
        else if (c == '\r')
            text += "\\r";
        else
            text += c;
    }
    return text;
}

// The inverse of escape(). Returns false for what escape() does not produce: another escape sequence,
// a carriage return (from an editor on Windows, it would become a part of every token).
bool unescape(std::string_view line, std::string& token) {
    token.clear();
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\r') return false;
        if (line[i] != '\\') {
            token += line[i];
            continue;
        }
        if (++i == line.size()) return false;
        const std::size_t which = std::string_view("\\nr").find(line[i]);
        if (which == std::string_view::npos) return false;
        token += "\\\n\r"[which];
    }
    return true;
}

}  // namespace

Vocabulary::Vocabulary(TokenLevel level) : level_(level) {
    for (const char* special : {"<pad>", "<bos>", "<eos>", "<unk>"}) add(special);
}

bool Vocabulary::add(std::string token) {
    if (!ids_.try_emplace(token, size()).second) return false;
    tokens_.push_back(std::move(token));
    return true;
}

Vocabulary Vocabulary::build(const std::vector<std::string>& texts,
                             const VocabularyOptions& options) {
    check_positive("Vocabulary", {{"min_frequency", options.min_frequency}});
    check(options.max_size == 0 || options.max_size > specials,
          "Vocabulary: a max_size of {} leaves no room beside the {} special tokens",
          options.max_size, int{specials});
    Vocabulary vocabulary(options.level);
    std::map<std::string, int64_t> frequency;
    for (const std::string& text : texts)
        for (std::string& token : vocabulary.tokenize(text)) ++frequency[std::move(token)];

    std::vector<std::pair<std::string, int64_t>> sorted(frequency.begin(), frequency.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    for (const auto& [token, count] : sorted) {
        if (count < options.min_frequency) break;
        if (options.max_size > 0 && vocabulary.size() == options.max_size) break;
        vocabulary.add(token);
    }
    return vocabulary;
}

int Vocabulary::id(std::string_view token) const {
    const auto found = ids_.find(std::string(token));
    return found == ids_.end() ? unk : found->second;
}

bool Vocabulary::contains(std::string_view token) const {
    return ids_.count(std::string(token)) > 0;
}

const std::string& Vocabulary::token(int id) const {
    check(id >= 0 && id < size(), "Vocabulary: id {} is outside a vocabulary of {}", id, size());
    return tokens_[id];
}

std::vector<std::string> Vocabulary::tokenize(std::string_view text) const {
    if (level_ == TokenLevel::character) return utf8_characters(text);
    if (utf8_invalid_at(text) != text.npos) utf8_decode(text);  // throws and says where
    std::vector<std::string> words;
    for (std::size_t begin = 0;
         (begin = text.find_first_not_of(white_space, begin)) != text.npos;) {
        const std::size_t end = std::min(text.find_first_of(white_space, begin), text.size());
        words.emplace_back(text.substr(begin, end - begin));
        begin = end;
    }
    return words;
}

std::vector<int> Vocabulary::encode(std::string_view text) const {
    std::vector<int> ids;
    for (const std::string& token : tokenize(text)) {
        const int known = id(token);
        ids.push_back(known < specials ? unk : known);  // "<eos>" in a text is an ordinary word
    }
    return ids;
}

std::vector<int> Vocabulary::encode_sentence(std::string_view text) const {
    std::vector<int> ids = encode(text);
    ids.push_back(eos);
    return ids;
}

std::vector<std::string> Vocabulary::decode_tokens(const std::vector<int>& ids) const {
    std::vector<std::string> result;
    for (int id : ids) {
        if (id == eos) break;
        if (id != pad && id != bos) result.push_back(token(id));
    }
    return result;
}

std::string Vocabulary::decode(const std::vector<int>& ids) const {
    std::string text;
    for (const std::string& token : decode_tokens(ids)) {
        if (level_ == TokenLevel::word && !text.empty()) text += ' ';
        text += token;
    }
    return text;
}

std::string Vocabulary::to_text() const {
    std::string text(first_line[static_cast<int>(level_)]);
    text += '\n';
    for (int id = specials; id < size(); ++id) text += escape(tokens_[id]) + '\n';
    return text;
}

Vocabulary Vocabulary::parse(std::string_view text, const std::string& source) {
    check(text.empty() || text.back() == '\n',
          "{}: the last line has no line end; is the file incomplete?", source);
    Vocabulary vocabulary;
    int number = 0;
    for (std::size_t begin = 0, end; begin < text.size(); begin = end + 1) {
        end = text.find('\n', begin);
        const std::string_view line = text.substr(begin, end - begin);
        if (++number == 1) {
            const auto* found = std::find(std::begin(first_line), std::end(first_line), line);
            check(found != std::end(first_line), "{}:1: expected '{}' or '{}'", source,
                  first_line[0], first_line[1]);
            vocabulary = Vocabulary(static_cast<TokenLevel>(found - std::begin(first_line)));
            continue;
        }
        std::string token;
        check(utf8_invalid_at(line) == line.npos, "{}:{}: not valid UTF-8", source, number);
        check(
            unescape(line, token) && !token.empty(),
            "{}:{}: expected a token, with backslashes written as \\\\ and carriage returns as \\r",
            source, number);
        if (!vocabulary.add(token))
            fail("{}:{}: the token '{}' occurs twice", source, number, excerpt(line));
    }
    check(number > 0, "{}: is empty", source);
    return vocabulary;
}

void Vocabulary::save(const std::string& path) const { write_whole_file(path, to_text()); }

Vocabulary Vocabulary::load(const std::string& path) {
    return parse(read_file(path, uint64_t{32} << 20), path);
}

}  // namespace heed
