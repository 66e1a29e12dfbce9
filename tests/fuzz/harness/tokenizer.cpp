// tokenizer.json. The texts of a file that is accepted have ids that exist, and no special ones but the
// unknown token; what is joined in BPE is what the definition joins, which looks for the earliest pair
// again and again.
#include "nn/text/tokenizer.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/fuzz/harness.h"

namespace {

using Pieces = std::vector<std::string>;

// The tokens of a word of letters, by the definition. `pieces`: what stands before it.
Pieces joined(const std::string& word, const nlohmann::json& model, Pieces pieces = {}) {
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

// What the unknown token is called; empty: nothing, or the default.
std::string unknown_of(const nlohmann::json& model) {
    const auto found = model.find("unk_token");
    return found != model.end() && found->is_string() ? *found : "";
}

}  // namespace

void heed::fuzz::tokenizer(std::string_view bytes) {
    std::vector<Tokenizer> read;
    if (!accepts([&] { read.push_back(parse_tokenizer_json(bytes, file)); })) return;
    const Tokenizer& t = read[0];
    const auto tree = nlohmann::json::parse(bytes);
    const auto& model = tree["model"];
    const bool of_pairs = model.contains("merges") && model.value("type", "BPE") == "BPE";
    const std::string unknown =
        of_pairs || !unknown_of(model).empty() ? unknown_of(model) : "[UNK]";
    for (const std::string text : {"here", "It's 12 人\n", "<|end|>[CLS]", "\xff\xc3"}) {
        const std::vector<int> ids = t.encode(text, {.ends = false});
        for (const int id : ids)
            if (t.is_special(id) && t.token(id) != unknown) wrong("a special token in a text");
        t.decode(ids);
        t.encode(text, {.specials_in_text = true});
    }
    if (!of_pairs || model.value("ignore_merges", false)) return;

    // Words whose letters are tokens, in a vocabulary where they can become nothing else.
    const bool of_bytes = tree.dump().find("\"ByteLevel\"") != std::string::npos;
    const std::string space = of_bytes ? "Ġ" : "▁";
    const bool other = !tree.value("added_tokens", nlohmann::json::array()).empty() ||
                       (!unknown.empty() && unknown[0] != '<');
    for (const std::string& letter : {std::string("h"), std::string("e"), std::string("r"), space})
        if (other || (!of_bytes && !model["vocab"].contains(letter))) return;
    for (const std::string word : {"here", "herehe", "eeeeeee"}) {
        Pieces found;
        for (const int id : t.encode(word, {.ends = false})) found.emplace_back(t.token(id));
        if (found != joined(word, model) && found != joined(word, model, {space}))
            wrong("the joined pieces");
    }
}
