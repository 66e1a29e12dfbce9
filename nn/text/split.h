// How a text is cut before byte-level BPE looks for tokens: tokens never reach across a cut. The family
// of GPT-2 gives a regular expression, of which the matches are the pieces, from left to right.
//
//     split_text("It's 2024!  Really", Splitting::gpt2)
//         It | 's | ␣2024 | ! | ␣ | ␣Really
//
// Bytes that are no UTF-8 are neither letter nor number nor space.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace heed {

enum class Splitting {
    // 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
    gpt2,
    // Each digit by itself, what is between them as gpt2: SmolLM, StarCoder.
    smollm,
    // (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*
    // |\s*[\r\n]+|\s+(?!\S)|\s+
    llama3,
    // The same with \p{N} instead of \p{N}{1,3}.
    qwen2,
};

// The regular expression, as tokenizer.json writes it; smollm has none.
std::string_view regex_of(Splitting splitting);
std::optional<Splitting> splitting_of_regex(std::string_view regex);

// Joined, the pieces are the text.
std::vector<std::string_view> split_text(std::string_view text, Splitting splitting);

}  // namespace heed
