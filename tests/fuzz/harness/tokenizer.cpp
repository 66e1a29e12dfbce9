// tokenizer.json. The texts of a file that is accepted have ids that exist, and no special ones; what is
// joined in byte-level BPE is what the definition joins, which looks for the earliest pair again and again.
#include "nn/text/tokenizer.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/fuzz/harness.h"

namespace {

using Pieces = std::vector<std::string>;

// The tokens of a word of letters, by the definition.
Pieces joined(const std::string& word, const nlohmann::json& model) {
    Pieces pieces;
    for (const char c : word)
        if (model["vocab"].contains(std::string(1, c))) pieces.emplace_back(1, c);
    for (;;) {
        std::size_t best = pieces.size(), order = 0;
        // Of a pair that is listed twice the last entry counts.
        for (std::size_t at = 0; at + 1 < pieces.size(); ++at)
            for (std::size_t i = model["merges"].size(); i-- > 0;) {
                const auto& merge = model["merges"][i];
                const bool same = merge.is_string()
                                      ? merge == pieces[at] + " " + pieces[at + 1]
                                      : merge == nlohmann::json{pieces[at], pieces[at + 1]};
                if (!same) continue;
                if (best == pieces.size() || i < order) best = at, order = i;
                break;
            }
        if (best == pieces.size()) return pieces;
        pieces[best] += pieces[best + 1];
        pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(best) + 1);
    }
}

}  // namespace

void heed::fuzz::tokenizer(std::string_view bytes) {
    std::vector<Tokenizer> read;
    if (!accepts([&] { read.push_back(parse_tokenizer_json(bytes, file)); })) return;
    const Tokenizer& t = read[0];
    const auto tree = nlohmann::json::parse(bytes);
    const auto& model = tree["model"];
    const bool of_bytes = model.contains("merges") && model.value("type", "BPE") == "BPE";
    for (const std::string text : {"here", "It's 12 人\n", "<|end|>[CLS]", "\xff\xc3"}) {
        const std::vector<int> ids = t.encode(text, {.ends = false});
        const std::string unknown = model.value("unk_token", "[UNK]");
        for (const int id : ids)
            if (t.is_special(id) && (of_bytes || t.token(id) != unknown))
                wrong("a special token in a text");
        t.decode(ids);
        t.encode(text, {.specials_in_text = true});
    }
    if (!of_bytes || model.value("ignore_merges", false)) return;
    const bool plain = tree.value("added_tokens", nlohmann::json::array()).empty() &&
                       !tree["pre_tokenizer"].value("add_prefix_space", true);
    if (!plain) return;
    for (const std::string word : {"here", "herehe", "eeeeeee"}) {
        Pieces found;
        for (const int id : t.encode(word, {.ends = false})) found.push_back(t.token(id));
        if (found != joined(word, model)) wrong("the joined pieces");
    }
}
