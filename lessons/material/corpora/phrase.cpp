#include "lessons/material/corpora/phrase.h"

#include <algorithm>

namespace heed::course::grammar {
namespace {

void append_words(std::string_view text, std::vector<std::string_view>& words) {
    while (!text.empty()) {
        const auto end = std::min(text.find(' '), text.size());
        words.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

}  // namespace

Phrase phrase(std::string_view source, std::string_view target) {
    Phrase result;
    append_words(source, result.source);
    append_words(target, result.target);
    for (int i = 0; i < result.source_end(); ++i)
        for (int j = 0; j < result.target_end(); ++j) result.links.push_back({i, j});
    return result;
}

Phrase in_order(std::initializer_list<const Phrase*> source,
                std::initializer_list<const Phrase*> target) {
    Phrase result;
    for (const Phrase* part : target)
        result.target.insert(result.target.end(), part->target.begin(), part->target.end());

    // The indices of a link are shifted by the number of words before its part, on each side.
    for (const Phrase* part : source) {
        const int source_offset = result.source_end();
        int target_offset = 0;
        for (const Phrase* before : target) {
            if (before == part) break;
            target_offset += before->target_end();
        }
        for (const PhraseLink& link : part->links)
            result.links.push_back(
                {link.source + source_offset, link.target + target_offset, link.sure});
        result.source.insert(result.source.end(), part->source.begin(), part->source.end());
    }
    return result;
}

Phrase with_word_before(std::string_view english, const Phrase& phrase) {
    Phrase result = phrase;
    result.target.insert(result.target.begin(), english);
    for (PhraseLink& link : result.links) ++link.target;
    result.links.push_back({result.source_end() - 1, 0});
    return result;
}

Phrase with_word_after(const Phrase& phrase, std::string_view english) {
    Phrase result = phrase;
    result.target.push_back(english);
    result.links.push_back({result.source_end() - 1, result.target_end() - 1});
    return result;
}

}  // namespace heed::course::grammar
