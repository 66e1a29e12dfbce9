#include "lessons/06_embeddings/pictures.h"

#include <algorithm>
#include <chrono>
#include <cmath>
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

std::vector<HeatMap> lookup_maps() {
    const auto map = [](const char* title, std::vector<double> values,
                        std::vector<std::string> columns) {
        HeatMap all{.title = title, .values = std::move(values)};
        all.column_labels = std::move(columns);
        all.high = 3;
        all.value_name = "number";
        return all;
    };
    HeatMap word = map("x", {0, 1, 0}, {"학생"}),
            table = map("table E", {3, 0, 2, 1, 0, 2}, {"0", "1"}),
            row = map("x E", {2, 1}, {"0", "1"});
    word.row_labels = {"0", "1", "2"};
    word.gold = {{1, 0}};
    table.row_labels = {"0 나는", "1 학생", "2 이다"};
    table.gold = {{1, 0}, {1, 1}};
    row.row_labels = {"학생"};
    row.gold = {{0, 0}, {0, 1}};
    return {word, table, row};
}

void show_inputs(AtCall lesson, const InputLosses& losses, int vocabulary, Prediction guess) {
    Table table({"input", "loss on the test sentences", "share of the way"});
    const auto add = [&](const char* input, double loss, int digits) {
        table.row(input, loss, number(losses.share_of_way(loss), digits));
    };
    add("none: counts of words", losses.counted.words, 1);
    add("number, straight line", losses.line, 3);
    add("number, hidden layer of 64", losses.hidden, 3);
    add("one-hot vector", losses.one_hot, 3);
    add("word: counts of pairs", losses.counted.pairs, 1);
    lesson->table(table,
                  fmt::format("Predicting the next word from the last one, out of {} words; four "
                              "of them are markers, such as the end of a sentence. The loss "
                              "is in nats a word.",
                              vocabulary));
    lesson->reveal(guess, losses.share_of_way(losses.line));
    if (!lesson->options().data.empty()) return;
    lesson->claim("number-line", "finding: share of the way with a number and a straight line",
                  losses.share_of_way(losses.line), at_most(0.2));
    lesson->claim("number-hidden", "finding: share of the way with a number and a hidden layer",
                  losses.share_of_way(losses.hidden), at_most(0.35));
    lesson->claim("one-hot", "finding: share of the way with a one-hot vector",
                  losses.share_of_way(losses.one_hot), at_least(lesson->quick() ? 0.85 : 0.95));
}

void show_lookup(AtCall lesson, const Tensor& E, const Indices& text, const Tensor& g,
                 const Lookup& lookup) {
    lesson->listing(fmt::format(
        "rows of the words 1, 2, 1:        {}\n"
        "gradient of rows 0, 1, 2:         {}",
        rows_on_a_line(embedding(E, text)), rows_on_a_line(lookup.gradient(E, text, g, false))));

    const RandomText random = random_text(lesson->seed());
    const Tensor rows = embedding(random.table, random.ids);
    const std::vector<double> by_hand =
        lookup.copied(random.table.to_vector(), rows.size(1), random.ids);
    const Tensor copied = tensor(by_hand, rows.shape(), Dtype::float64);
    lesson->claim(
        "lookup-product",
        "identity: rows copied, and rows by the product, against the library's, largest difference",
        std::max(max(abs(copied - rows)).item(),
                 max(abs(lookup.product(random.table, random.ids) - rows)).item()),
        at_most(0));
    const Tensor by_lookup = lookup.gradient(random.table, random.ids, random.covector, false),
                 by_product = lookup.gradient(random.table, random.ids, random.covector, true);
    lesson->claim(
        "table-gradient",
        "identity: gradient of the table by lookup against that by the product, largest difference",
        max(abs(by_lookup - by_product)).item(), at_most(1e-12));
    lesson->claim("absent-rows",
                  "identity: largest gradient in the rows of words that do not occur",
                  largest_in_other_rows(by_lookup, random.ids), at_most(0));
}

void show_costs_of_lookup(AtCall lesson) {
    struct Size {
        const char* name;
        int64_t vocabulary, width;
    };
    Table table({"one word", "V", "D", "product", "lookup", "product, µs", "lookup, µs"});
    Rng rng(lesson->seed());
    for (const Size& size : {Size{"this lesson", 183, 16}, Size{"GPT-2", 50'257, 768}}) {
        std::string product = "not run", lookup = "not run";
        if (!lesson->quick() || size.vocabulary < 1000) {
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
    lesson->table(
        table,
        "The vector of one word: multiply-adds of the product, numbers that the lookup copies, "
        "and microseconds on your machine, which are not judged.");
}

// --- vectors ------------------------------------------------------------------------------------

void show_guesser(AtCall lesson, int vocabulary, int width) {
    Diagram diagram;
    const char* const words[] = {"beginning", "I", "a", "student"};
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
    lesson->show("network", diagram,
                 "The network that guesses a word from four neighbours. The same table is used for "
                 "all four.");
}

namespace {

const std::vector<std::string> examples{"student", "teachers", "dog", "book",   "coffee", "park",
                                        "writes",  "walked",   "big", "slowly", "she",    "them"};

}  // namespace

void show_neighbours(AtCall lesson, const Vocabulary& vocabulary, const KnownWords& known,
                     const Tensor& vectors) {
    const std::vector<std::vector<int>> found = nearest(vectors, 3);
    const std::vector<double> similar = cosines(vectors).to_vector();
    std::vector<std::string> wanted = examples;
    if (!lesson->options().data.empty()) {
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
    lesson->table(table,
                  "Some words and the words with the most similar vectors, with the cosine.");
}

void show_gap_loss(AtCall lesson, double loss, double counted) {
    lesson->say(
        "Loss on the gaps of the test sentences: {:.3f}; without looking at the neighbours it "
        "is {:.3f}.",
        loss, counted);
    if (!lesson->options().data.empty()) return;
    lesson->claim("gap-loss",
                  "finding: loss on the gaps of test sentences over that of counting words",
                  loss / counted, at_most(lesson->quick() ? 0.65 : 0.55));
}

namespace {

// Returns the share of all words whose nearest word is of the same group.
double show_groups(AtCall lesson, const KnownWords& known, const Tensor& vectors) {
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
    lesson->table(table,
                  "The fourteen classes in six groups: for how many words of a group the nearest "
                  "word is of the same class, and of the same group.");
    return std::accumulate(same_group.begin(), same_group.end(), 0.0) /
           static_cast<double>(found.size());
}

}  // namespace

void show_agreement(AtCall lesson, const KnownWords& known, const Tensor& before,
                    const Tensor& after, Prediction guess) {
    const double untrained = agreement(before, known.classes),
                 trained = agreement(after, known.classes),
                 chance = chance_agreement(known.classes);
    lesson->say(
        "The nearest word is of the same class for {:.1f} % of {} words; before training it was "
        "{:.1f} %, and chance is {:.1f} %.",
        100 * trained, known.ids.size(), 100 * untrained, 100 * chance);
    const double same_group = show_groups(lesson, known, after);
    if (!lesson->quick())
        lesson->claim("nearest-group",
                      "finding: share of words whose nearest word is of the same group, of six",
                      same_group, at_least(0.9));
    lesson->claim(
        "nearest-before",
        "finding: share of words whose nearest word is of the same class, before training, "
        "minus chance",
        untrained - chance, between(-0.1, 0.1));
    lesson->reveal(guess, trained);
    lesson->claim("nearest-class",
                  "finding: share of words whose nearest word is of the same class, after training",
                  trained, at_least(lesson->quick() ? 0.5 : 0.7));
}

void show_growth(AtCall lesson, const KnownWords& known, const std::vector<Sentence>& sentences,
                 int runs,
                 const std::function<Tensor(const std::vector<Sentence>&, std::uint64_t)>& train) {
    std::vector<double> sizes;
    for (const double size : {30., 100., 300., 1000., 3000., 10'000.})
        if (size <= static_cast<double>(sentences.size()) && (!lesson->quick() || size <= 1000))
            sizes.push_back(size);
    std::vector<std::vector<double>> found;
    for (int run = 0; run < runs; ++run) {
        found.emplace_back();
        for (const double size : sizes) {
            const std::vector<Sentence> some(sentences.begin(),
                                             sentences.begin() + static_cast<int>(size));
            found.back().push_back(
                agreement(train(some, lesson->seed() + 1000 * static_cast<std::uint64_t>(run + 1)),
                          known.classes));
        }
    }
    const Series measured = over_seeds("trained", sizes, found);
    const Series drawn{"chance", sizes,
                       std::vector<double>(sizes.size(), chance_agreement(known.classes))};
    lesson->show("agreement",
                 LinePlot{.x_label = "sentences of training text",
                          .y_label = "nearest word of the same class",
                          .series = {measured, drawn},
                          .log_x = true,
                          .y_range = {0, 1}},
                 fmt::format("The share of words whose nearest word is of the same class; {}. A "
                             "word that does not occur in the text keeps its random vector.",
                             averaged_over(found.size())));
    lesson->claim("nearest-growth",
                  "finding: this share with the longest text minus that with 30 sentences",
                  measured.y.back() - measured.y.front(), at_least(lesson->quick() ? 0.3 : 0.5));
}

namespace {

ScatterPlot plot_of_words(const Vocabulary& vocabulary, const KnownWords& known,
                          const std::vector<double>& x, const std::vector<double>& y) {
    const bool classes =
        std::any_of(known.classes.begin(), known.classes.end(), [](int one) { return one != 0; });
    ScatterPlot plot;
    for (const std::string_view name : word_groups)
        plot.groups.push_back({.name = std::string(name), .x = {}, .y = {}, .names = {}});
    plot.shown = examples;
    plot.shown.insert(plot.shown.end(), {"boy", "soldiers", "write", "wrote"});
    if (!classes) {
        plot.groups.resize(1);
        plot.groups[0].name = "the most frequent words";
        plot.shown.clear();
    }
    for (std::size_t i = 0; i < known.ids.size(); ++i) {
        const std::size_t one =
            classes ? word_classes.at(static_cast<std::size_t>(known.classes[i])).group : 0;
        ScatterPlot::Group& group = plot.groups[one];
        group.x.push_back(x[i]);
        group.y.push_back(y[i]);
        group.names.push_back(vocabulary.token(known.ids[i]));
        if (classes && word_classes.at(static_cast<std::size_t>(known.classes[i])).name == "people")
            plot.ringed.push_back(group.names.back());
    }
    return plot;
}

}  // namespace

void show_plane(AtCall lesson, const Vocabulary& vocabulary, const KnownWords& known,
                const Tensor& vectors) {
    const Tensor exact = to_dtype(vectors, Dtype::float64);
    const Tensor x = exact - mean(exact, 0, true);
    Rng rng(lesson->seed());
    const Components plane = principal_components(x, 2, rng);
    const Tensor &first = plane.directions[0], &second = plane.directions[1];
    const Tensor across = matmul(x, unsqueeze(first, 1)), up = matmul(x, unsqueeze(second, 1));
    lesson->show("vectors", plot_of_words(vocabulary, known, across.to_vector(), up.to_vector()),
                 fmt::format("The vectors of {} words in the plane of largest variance. It shows "
                             "{:.0f} % of their variance. A colour is a group of words, and the "
                             "plurals have a ring. The words of the table above have their "
                             "names, the others when you point at them.",
                             known.ids.size(),
                             100 * (plane.variances[0] + plane.variances[1]) / plane.total));
    const double variance = sum(square(across)).item() / static_cast<double>(x.size(0) - 1);
    lesson->claim("pca-direction", "identity: cosine of the angle between the two directions",
                  std::abs(sum(first * second).item()), at_most(1e-6));
    lesson->claim("pca-variance",
                  "identity: variance of the projected points over the factor found, minus 1",
                  std::abs(variance / plane.variances[0] - 1), at_most(1e-6));
}

// --- masks --------------------------------------------------------------------------------------

void show_masks(AtCall lesson, const MaskErrors& errors) {
    Table table({"batch", "means", "gradient", "gradient of the padding row"});
    const auto add = [&](const char* name, const MaskError& error) {
        table.row(name, number(error.means, 3), number(error.gradient, 3),
                  number(error.padding_row, 3));
    };
    add("without a mask", errors.without);
    add("with a mask", errors.with);
    lesson->table(
        table,
        "Means and gradients of 32 sentences in one batch, compared with each sentence alone: "
        "the length of the difference over the length of the right result. The padding row "
        "is that of the padding token, and its largest gradient should be 0.");
    if (lesson->options().data.empty())
        lesson->claim("padding-changes",
                      "finding: change of the sentences' means by padding, without a mask",
                      errors.without.means, at_least(0.5));
    lesson->claim("padding-masked", "identity: the same with a mask", errors.with.means,
                  at_most(1e-12));
    lesson->claim("padding-gradient", "identity: change of the gradient, with a mask",
                  errors.with.gradient, at_most(1e-12));
}

}  // namespace heed::lesson06
