#include "lessons/w5_subwords/pictures.h"

#include <algorithm>

#include "nn/data/batches.h"

namespace heed::workshop5 {

using namespace course;

// --- batches ------------------------------------------------------------------------------------

BatchCost show_batch_costs(AtCall lesson, const std::vector<int>& lengths) {
    struct Way {
        std::string name;
        int pool;
    };
    const std::vector<Way> ways{
        {"random", 0}, {"pools of 5", 5}, {"pools of 50", 50}, {"all sorted", 1 << 20}};
    const std::vector<double> sizes{1, 2, 4, 8, 16, 32, 64, 128, 256};
    LinePlot plot{
        .x_label = "sentences in a batch", .y_label = "entries for one word", .log_x = true};
    Table table(
        {"batches of 32", "words", "entries", "padding", "entries/word", "pairs/word pair"});
    BatchCost random, bucketed;
    for (const Way& way : ways) {
        Series series{way.name};
        for (const double size : sizes) {
            Rng rng(lesson->seed());
            const BatchCost cost =
                cost_of(bucket_batches(
                            lengths, {.batch_size = static_cast<int>(size), .pool = way.pool}, rng),
                        lengths);
            series.x.push_back(size);
            series.y.push_back(cost.entries / cost.words);
            if (size != 32) continue;
            table.row(way.name, cost.words, cost.entries,
                      fmt::format("{:.1f} %", 100 * (1 - cost.words / cost.entries)),
                      fmt::format("{:.2f}", cost.entries / cost.words),
                      fmt::format("{:.2f}", cost.pairs / cost.word_pairs));
            if (way.pool == 0) random = cost;
            if (way.pool == 50) bucketed = cost;
        }
        plot.series.push_back(series);
    }
    lesson->table(
        table,
        "All training sentences once, in random batches, sorted in pools of 5 or 50 batches, or "
        "all sorted. Entries are words and padding; pairs are pairs of positions of one "
        "sentence.");
    lesson->show(
        "padding", plot,
        "How many entries are computed for one word of the text, by the size of the batch. Where "
        "lines cover each other, the last one is seen.");
    lesson->claim("bucket-words",
                  "identity: words in the bucketed batches over words in the random ones",
                  bucketed.words / random.words, equals(1));
    if (!lesson->options().data.empty()) return random;
    lesson->claim("random-padding", "finding: entries for one word, random batches of 32",
                  random.entries / random.words, at_least(1.85));
    lesson->claim("bucket-padding", "finding: entries for one word, bucketed batches of 32",
                  bucketed.entries / bucketed.words, at_most(1.05));
    return random;
}

// --- pieces -------------------------------------------------------------------------------------

std::map<std::string, double> show_unknown(AtCall lesson, const std::vector<Language>& languages) {
    std::vector<double> sizes;
    for (const double size : {10., 30., 100., 300., 1000., 3000., 10'000.})
        if (size <= static_cast<double>(languages[0].texts.train.size())) sizes.push_back(size);
    LinePlot plot{.x_label = "sentences the vocabulary was made from",
                  .y_label = "share of unknown words",
                  .log_x = true};
    std::map<std::string, double> at_100;
    for (const Language& language : languages) {
        Series words{language.name + ", words", sizes},
            characters{language.name + ", characters", sizes};
        for (const double size : sizes) {
            const auto& train = language.texts.train;
            const Unknown unknown =
                mean_unknown_share(train, language.texts.test, static_cast<std::size_t>(size));
            words.y.push_back(unknown.words);
            characters.y.push_back(unknown.characters);
            if (size == 100) at_100[language.name] = unknown.words;
        }
        plot.series.push_back(words);
        plot.series.push_back(characters);
    }
    lesson->show(
        "unknown", plot,
        "The share of the words and of the characters of the test sentences that do not occur "
        "in the training sentences, by the number of training sentences; the mean of up to ten "
        "sets of that many sentences.");
    return at_100;
}

void show_few_merges(AtCall lesson, const std::vector<Merge>& merges,
                     const std::function<Pieces(const std::string&)>& spell) {
    std::string lines = "merges:";
    for (const Merge& merge : merges) lines += fmt::format("  {} + {}", merge.first, merge.second);
    for (const char* word : {"see", "sees", "tree", "seed", "trees"})
        lines += fmt::format("\n{:<6} {}", word, shown(spell(word)));
    lesson->listing(lines);
}

void show_merges(AtCall lesson, const Language& language, const std::vector<Merge>& merges,
                 const std::function<Pieces(const std::string&)>& spell) {
    std::string lines = "merges 1 to 5:";
    const auto list = [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < std::min(to, merges.size()); ++i)
            lines += fmt::format("  {}+{}", shown({merges[i].first}), shown({merges[i].second}));
    };
    list(0, 5);
    lines += fmt::format("\nthe last 4 of {}:", merges.size());
    list(merges.size() < 4 ? 0 : merges.size() - 4, merges.size());
    std::vector<std::string> words;
    if (language.name == "English") words = {"student", "walked", "talked", "unhappy", "readers"};
    if (language.name == "Korean") words = {"학생", "읽었다", "웃었다", "선생님"};
    if (words.empty())
        for (const auto& [word, times] : language.test_words)
            if (!language.training_words.contains(word) && words.size() < 6)
                words.push_back(word.substr(1));
    for (const std::string& word : words)
        lines += fmt::format("\n{}{}   {}", printable(word),
                             language.training_words.contains(' ' + word) ? "" : " (never seen)",
                             shown(spell(' ' + word)));
    lesson->say("{}:", language.name);
    lesson->listing(lines);
}

namespace {

void show_token_counts(AtCall lesson, const std::vector<Language>& languages,
                       const std::map<std::string, std::vector<double>>& tokens,
                       const std::map<std::string, int64_t>& merges) {
    Table table({"text", "tokens", "different", "a sentence", "unknown"});
    for (const Language& language : languages) {
        const TokenCounts counts = token_counts(language.texts.test);
        const Unknown unknown = unknown_share(language.texts.train, language.texts.test);
        const auto share = [](double value) { return fmt::format("{:.2f} %", 100 * value); };
        table.row(language.name, "words", unknown.word_kinds, fmt::format("{:.1f}", counts.words),
                  share(unknown.words));
        table.row(language.name, "characters", unknown.character_kinds + 1,
                  fmt::format("{:.1f}", counts.characters), share(unknown.characters));
        table.row(language.name, "bytes", 256, fmt::format("{:.1f}", counts.bytes), share(0));
        table.row(language.name, fmt::format("bytes and {} merges", merges.at(language.name)),
                  256 + merges.at(language.name),
                  fmt::format("{:.1f}", tokens.at(language.name).back()), share(0));
    }
    lesson->table(
        table,
        "How many different tokens there are, how many of them a test sentence has, and what "
        "share is unknown. A blank counts as a character and as a byte.");
}

}  // namespace

void show_languages(AtCall lesson, const std::vector<Language>& languages, const LinePlot& plot,
                    const std::map<std::string, int64_t>& learned, Prediction guess) {
    std::map<std::string, std::vector<double>> tokens;
    for (const Series& series : plot.series) tokens[series.name] = series.y;
    const bool both = languages.size() == 2;
    lesson->show("tokens_by_merges", plot,
                 fmt::format("Tokens of a test sentence by the number of merges. At 0 merges each "
                             "byte is a token.{}",
                             both ? " A little Korean: one sentence in twenty-one of the text from "
                                    "which the merges come."
                                  : ""));
    show_token_counts(lesson, languages, tokens, learned);
    if (!both) return;
    const double ratio = tokens["Korean, merges from English"].back() / tokens["Korean"].back();
    lesson->reveal(guess, ratio);
    lesson->claim(
        "korean-english-merges",
        "finding: tokens of a Korean sentence, merges from English over merges from Korean", ratio,
        at_least(lesson->quick() ? 3 : 5));
    lesson->claim("korean-mixed-merges",
                  "finding: the same with merges from English and a little Korean",
                  tokens["Korean, a little Korean"].back() / tokens["Korean"].back(),
                  at_most((lesson->quick() ? 0.85 : 0.5) * ratio));
    lesson->claim("korean-bytes",
                  "finding: bytes of a Korean sentence over those of its English translation",
                  tokens["Korean"].front() / tokens["English"].front(), at_least(1.25));
    lesson->claim("korean-tokens",
                  "finding: Korean tokens over English tokens, each with merges of its own",
                  tokens["Korean"].back() / tokens["English"].back(), between(0.9, 1.35));
}

}  // namespace heed::workshop5
