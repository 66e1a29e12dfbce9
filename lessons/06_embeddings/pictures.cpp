#include "lessons/06_embeddings/pictures.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "nn/nn.h"

namespace heed::lesson06 {

using namespace course;

// --- the lookup ---------------------------------------------------------------------------------

namespace {

double median_microseconds(const std::function<void()>& run) {
    std::vector<double> times;
    for (int i = 0; i < 9; ++i) {
        const auto start = std::chrono::steady_clock::now();
        run();
        times.push_back(
            std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
                .count());
    }
    std::nth_element(times.begin(), times.begin() + 4, times.end());
    return times[4];
}

}  // namespace

std::string rows_on_a_line(const Tensor& matrix) {
    std::string line;
    for (int64_t row = 0; row < matrix.size(0); ++row) {
        std::string cells;
        for (int64_t column = 0; column < matrix.size(1); ++column)
            cells += fmt::format("{}{:.3g}", column > 0 ? ", " : "", matrix.at({row, column}));
        line += fmt::format("{}({})", row > 0 ? "  " : "", cells);
    }
    return line;
}

void show_costs_of_lookup(Lesson& lesson) {
    struct Size {
        const char* name;
        int64_t vocabulary, width;
    };
    Table table({"one word", "V", "D", "product", "lookup", "product, us", "lookup, us"});
    Rng rng(lesson.seed());
    for (const Size& size : {Size{"this lesson", 183, 16}, Size{"GPT-2", 50'257, 768}}) {
        std::string product = "not run", lookup = "not run";
        if (!lesson.quick() || size.vocabulary < 1000) {
            const NoGrad quiet;
            const Tensor E = normal({size.vocabulary, size.width}, 0, 1, rng);
            const Indices word{static_cast<int>(rng.below(size.vocabulary))};
            const Tensor x = one_hot(word, size.vocabulary);
            product = number(median_microseconds([&] { matmul(x, E); }), 2);
            lookup = number(median_microseconds([&] { embedding(E, word); }), 2);
        }
        table.row(size.name, size.vocabulary, size.width,
                  number(static_cast<double>(size.vocabulary * size.width), 12),
                  number(static_cast<double>(size.width), 12), product, lookup);
    }
    lesson.table(
        table,
        "The vector of one word: multiply-adds of the product, numbers that the lookup copies, "
        "and microseconds on your machine, which are not judged.");
}

// --- vectors ------------------------------------------------------------------------------------

Diagram diagram_of_guesser(int vocabulary, int width) {
    Diagram diagram;
    const char* const words[] = {"the", "student", "a", "book"};
    for (int i = 0; i < 4; ++i) {
        diagram.boxes.push_back({.name = words[i], .lines = {}, .row = 1.0 * i, .source = true});
        diagram.arrows.push_back({i, 4});
    }
    diagram.boxes.push_back(
        {.name = "table E",
         .lines = {fmt::format("{} rows of {}", vocabulary, width), "4 lookups"},
         .column = 1,
         .row = 1.5});
    diagram.boxes.push_back(
        {.name = "mean", .lines = {fmt::format("h: {} numbers", width)}, .column = 2, .row = 1.5});
    diagram.boxes.push_back({.name = "scores",
                             .lines = {"u · h + b", fmt::format("{} numbers", vocabulary)},
                             .column = 3,
                             .row = 1.5});
    diagram.boxes.push_back(
        {.name = "softmax", .lines = {"probabilities"}, .column = 4, .row = 1.5});
    for (int i = 4; i < 7; ++i) diagram.arrows.push_back({i, i + 1});
    return diagram;
}

void show_neighbours(Lesson& lesson, const Vocabulary& vocabulary, const KnownWords& known,
                     const Tensor& vectors) {
    const std::vector<std::vector<int>> found = nearest(vectors, 3);
    const std::vector<double> similar = cosines(vectors).to_vector();
    std::vector<std::string> wanted{"student", "teachers", "dog", "book",   "coffee", "park",
                                    "writes",  "walked",   "big", "slowly", "she",    "them"};
    if (!lesson.options().data.empty()) {
        wanted.clear();
        for (std::size_t i = 0; i < known.ids.size(); i += 12)
            wanted.push_back(vocabulary.token(known.ids[i]));
    }
    Table table({"word", "nearest", "second", "third"});
    for (const std::string& word : wanted) {
        const auto at = std::find(known.ids.begin(), known.ids.end(), vocabulary.id(word));
        if (at == known.ids.end()) continue;
        const auto row = static_cast<std::size_t>(at - known.ids.begin());
        std::vector<std::string> cells{word};
        for (const int other : found[row])
            cells.push_back(fmt::format(
                "{} {:.2f}", vocabulary.token(known.ids[static_cast<std::size_t>(other)]),
                similar[row * known.ids.size() + static_cast<std::size_t>(other)]));
        cells.resize(4);
        table.add(cells);
    }
    lesson.table(table, "Some words and the words with the most similar vectors, with the cosine.");
}

double show_agreement_by_group(Lesson& lesson, const KnownWords& known, const Tensor& vectors) {
    const std::vector<std::vector<int>> found = nearest(vectors, 1);
    std::array<int, word_groups.size()> words{}, same_class{}, same_group{};
    const auto group = [&](std::size_t i) {
        return word_classes.at(static_cast<std::size_t>(known.classes[i])).group;
    };
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto other = static_cast<std::size_t>(found[i].at(0));
        ++words[group(i)];
        same_class[group(i)] += known.classes[i] == known.classes[other];
        same_group[group(i)] += group(i) == group(other);
    }
    Table table({"group", "words", "nearest: same class", "nearest: same group"});
    for (std::size_t g = 0; g < words.size(); ++g)
        table.row(word_groups[g], words[g], same_class[g], same_group[g]);
    lesson.table(table,
                 "The fourteen classes in six groups: for how many words of a group the nearest "
                 "word is of the same class, and of the same group.");
    return std::accumulate(same_group.begin(), same_group.end(), 0.0) /
           static_cast<double>(found.size());
}

ScatterPlot plot_of_words(const Vocabulary& vocabulary, const KnownWords& known,
                          const std::vector<double>& x, const std::vector<double>& y) {
    const bool classes =
        std::any_of(known.classes.begin(), known.classes.end(), [](int one) { return one != 0; });
    ScatterPlot plot;
    for (const std::string_view name : word_groups)
        plot.groups.push_back({.name = std::string(name), .x = {}, .y = {}, .names = {}});
    if (!classes) {
        plot.groups.resize(1);
        plot.groups[0].name = "the most frequent words";
    }
    for (std::size_t i = 0; i < known.ids.size(); ++i) {
        const std::size_t one =
            classes ? word_classes.at(static_cast<std::size_t>(known.classes[i])).group : 0;
        ScatterPlot::Group& group = plot.groups[one];
        group.x.push_back(x[i]);
        group.y.push_back(y[i]);
        group.names.push_back(vocabulary.token(known.ids[i]));
    }
    return plot;
}

// --- batches ------------------------------------------------------------------------------------

BatchCost show_batch_costs(Lesson& lesson, const std::vector<int>& lengths) {
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
            Rng rng(lesson.seed());
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
    lesson.table(
        table,
        "All training sentences once, in random batches, sorted in pools of 5 or 50 batches, or "
        "all sorted. Entries are words and padding; pairs are pairs of positions of one "
        "sentence.");
    lesson.show(
        "padding", plot,
        "How many entries are computed for one word of the text, by the size of the batch. Where "
        "lines cover each other, the last one is seen.");
    lesson.claim("bucket-words",
                 "identity: words in the bucketed batches over words in the random ones",
                 bucketed.words / random.words, equals(1));
    if (!lesson.options().data.empty()) return random;
    lesson.claim("random-padding", "finding: entries for one word, random batches of 32",
                 random.entries / random.words, at_least(1.85));
    lesson.claim("bucket-padding", "finding: entries for one word, bucketed batches of 32",
                 bucketed.entries / bucketed.words, at_most(1.05));
    return random;
}

// --- pieces -------------------------------------------------------------------------------------

void show_merges(Lesson& lesson, const Language& language, const std::vector<Merge>& merges,
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
    lesson.say("{}:", language.name);
    lesson.listing(lines);
}

void show_token_counts(Lesson& lesson, const std::vector<Language>& languages,
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
    lesson.table(
        table,
        "How many different tokens there are, how many of them a test sentence has, and what "
        "share is unknown. A blank counts as a character and as a byte.");
}

}  // namespace heed::lesson06
