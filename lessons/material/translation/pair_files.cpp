#include "lessons/material/translation/pair_files.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "autograd/base/utf8.h"
#include "lessons/course/terminal/text.h"
#include "nn/saved/safetensors.h"
#include "nn/text/byte_pairs.h"

namespace heed::course {
namespace {

// The unit asked for; none for "auto".
std::optional<Unit> unit_of(const std::string& asked) {
    if (asked == "auto") return std::nullopt;
    return asked == "char" ? Unit::character : asked == "piece" ? Unit::piece : Unit::word;
}

// A token in a figure. A blank is shown as ␣; a piece that is no whole characters stays as it is in files.
std::string label_of(const std::string& token) {
    if (token == " ") return "␣";
    std::string bytes;
    if (!characters_as_bytes(token, bytes) || utf8_invalid_at(bytes) != std::string_view::npos)
        return printable(token);
    if (bytes.starts_with(' ')) bytes.replace(0, 1, "␣");
    return printable(bytes);
}

}  // namespace

void add_options(Lesson& lesson, PairFiles& files) {
    const std::vector<std::string> levels{"auto", "word", "char", "piece"};
    lesson.option("--swap", files.swap, "exchange source and target of --data");
    lesson.input_file("--valid", files.valid, "pairs for validation, instead of a split of --data");
    lesson.input_file("--test", files.test, "pairs for testing, instead of a split of --data");
    lesson.option("--source-level", files.source_level, levels,
                  "tokens of the source of --data (auto: char if too many words are rare)");
    lesson.option("--target-level", files.target_level, levels, "tokens of the target of --data");
    lesson.option("--pieces", files.pieces,
                  "how many pieces there are on a side of --data with the level piece");
}

void check_options(const PairFiles& files, const Lesson& lesson) {
    const PairFiles none;
    check(!lesson.options().data.empty() ||
              (!files.swap && files.valid.empty() && files.test.empty() &&
               files.source_level == none.source_level && files.target_level == none.target_level &&
               files.pieces == none.pieces),
          "--swap, --valid, --test, --source-level, --target-level and --pieces need --data");
    check(files.pieces >= 256 && files.pieces <= 1 << 20,
          "--pieces {}: expected 256, as many as there are bytes, to 2^20", files.pieces);
}

ParallelText read_own_pairs(Lesson& lesson, const PairFiles& files) {
    ParallelText text = from_files({.train = lesson.options().data,
                                    .valid = files.valid,
                                    .test = files.test,
                                    .swap = files.swap,
                                    .source_unit = unit_of(files.source_level),
                                    .target_unit = unit_of(files.target_level),
                                    .pieces = files.pieces,
                                    .seed = lesson.seed()});
    const auto name = [](Unit unit) {
        return unit == Unit::word ? "words" : unit == Unit::piece ? "pieces" : "characters";
    };
    const auto count = [](int n) { return number(n, 9); };
    lesson.say(
        "{} pairs for training, {} for validation, {} for testing. The source is read "
        "as {} ({} of them known), the target is written as {} ({}). Pairs of more than {} "
        "tokens are left out of the training set.",
        count(text.train.size()), count(text.valid.size()), count(text.test.size()),
        name(text.source_unit), count(text.source.size() - Vocabulary::specials),
        name(text.target_unit), count(text.target.size() - Vocabulary::specials),
        TextFiles{}.longest);
    return text;
}

metrics::Bleu word_bleu(const ParallelText& text, const Evaluation& result, const TextSet& set) {
    if (text.target_unit == Unit::word) return result.bleu;
    const Vocabulary words(TokenLevel::word);
    const auto as_words = [&](const std::vector<std::string>& tokens) {
        return words.tokenize(line_of(tokens, text.target_unit));
    };
    metrics::Bleu bleu;
    for (int i = 0; i < set.size(); ++i)
        bleu.add(as_words(result.outputs[i]), as_words(set.pairs[i].target));
    return bleu;
}

std::vector<int> drawn_at_random(const TextSet& set, int count, std::uint64_t seed) {
    std::vector<int> all(set.size());
    std::iota(all.begin(), all.end(), 0);
    Rng rng(seed);
    rng.shuffle(all);
    all.resize(std::min(all.size(), static_cast<std::size_t>(count)));
    return all;
}

std::string line_of(const std::vector<std::string>& tokens, Unit unit) {
    if (unit == Unit::word) return printable(joined(tokens));
    std::string all;
    for (const std::string& token : tokens) all += token;
    std::string bytes;
    return printable(unit == Unit::piece && characters_as_bytes(all, bytes) ? bytes : all);
}

HeatMap alignment_map(const Shown& shown) {
    const auto labels = [](std::vector<std::string> tokens) {
        for (std::string& token : tokens) token = label_of(token);
        return tokens;
    };
    HeatMap map = attention_map(labels(shown.output), labels(shown.source), shown.weights);
    map.row_axis = "output";
    map.column_axis = "source";
    return map;
}

std::map<std::string, std::string> vocabularies(const ParallelText& text) {
    return {{"source_vocabulary", text.source.to_text()},
            {"target_vocabulary", text.target.to_text()}};
}

void check_vocabularies(const std::string& path, const ParallelText& text) {
    const std::map<std::string, std::string> saved = load_safetensors(path).metadata;
    for (const auto& [name, value] : vocabularies(text)) {
        const auto found = saved.find(name);
        check(found != saved.end() && found->second == value,
              "--load: {} was trained with another {}; use the same --data, --seed and levels",
              path, name);
    }
}

}  // namespace heed::course
