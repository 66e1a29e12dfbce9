#include "lessons/08_bottleneck/pictures.h"

#include <algorithm>
#include <cmath>

#include "lessons/08_bottleneck/data.h"

namespace heed::lesson08 {

using namespace course;

Diagram architecture() {
    const auto box = [](const char* name, double column, double row,
                        std::vector<std::string> lines = {}, bool source = false) {
        return Diagram::Box{name, std::move(lines), column, row, source};
    };
    Diagram diagram;
    const char* const source[] = {"나는", "학생", "이다"};
    const char* const target[] = {"I", "am", "a", "student", "end"};
    for (int j = 0; j < 3; ++j) {  // boxes 2 j and 2 j + 1
        diagram.boxes.push_back(box(source[j], j, 2, {}, true));
        diagram.boxes.push_back(box(fmt::format("h{}", j + 1).c_str(), j, 1, {"encoder"}));
        diagram.arrows.push_back({2 * j, 2 * j + 1});
        if (j > 0) diagram.arrows.push_back({2 * j - 1, 2 * j + 1});
    }
    diagram.boxes.push_back(box("c", 3, 1));
    diagram.arrows.push_back({5, 6});
    for (int t = 0; t < 5; ++t) {  // boxes 7 + 2 t and 8 + 2 t
        diagram.boxes.push_back(box(fmt::format("s{}", t + 1).c_str(), 4 + t, 1, {"decoder"}));
        diagram.boxes.push_back(box(target[t], 4 + t, 0));
        diagram.arrows.push_back({t == 0 ? 6 : 5 + 2 * t, 7 + 2 * t});
        diagram.arrows.push_back({7 + 2 * t, 8 + 2 * t});
    }
    return diagram;
}

void show_sentences(AtCall lesson, const ParallelText& text) {
    int shown = 0;
    for (const SentencePair& pair : text.test.pairs) {
        if (clauses_of(pair) <= shown || shown == 3) continue;
        shown = clauses_of(pair);
        lesson->say("{} {}: {}. In English: {}.", shown, shown == 1 ? "clause" : "clauses",
                    joined(pair.source), joined(pair.target));
    }
}

void show_exact(AtCall lesson, const std::vector<Trained>& runs, const TextSet& test) {
    const int most = static_cast<int>(runs[0].by_seed[0].size());
    std::vector<double> clauses, words(most), sentences(most);
    for (const SentencePair& pair : test.pairs) {
        words[clauses_of(pair) - 1] += static_cast<double>(pair.source.size());
        sentences[clauses_of(pair) - 1] += 1;
    }
    std::vector<std::string> head{"clauses", "Korean words"};
    for (const Trained& run : runs) head.push_back(fmt::format("width {}", run.width));
    Table table(head);
    for (int n = 1; n <= most; ++n) {
        clauses.push_back(n);
        std::vector<std::string> cells{std::to_string(n),
                                       fmt::format("{:.1f}", words[n - 1] / sentences[n - 1])};
        for (const Trained& run : runs) {
            std::vector<double> shares;
            for (const std::vector<double>& exact : run.by_seed) shares.push_back(exact[n - 1]);
            cells.push_back(mean_and_spread(shares, 2));
        }
        table.add(cells);
    }
    std::vector<std::string> last{"half exact at", ""};
    for (const Trained& run : runs) last.push_back(mean_and_spread(run.halves, 1));
    table.add(last);
    LinePlot plot{.x_label = "clauses of the sentence",
                  .y_label = "exact match",
                  .y_range = {0, 1},
                  .x_range = {1, 5}};
    for (const Trained& run : runs)
        plot.series.push_back(over_seeds(fmt::format("width {}", run.width), clauses, run.by_seed));
    lesson->show(
        "by_clauses", plot,
        fmt::format(
            "Exact match by the number of clauses{}. A wider vector moves the fall to the right.",
            lesson->quick() ? fmt::format(", in a quick run up to {}", most) : ""));
    lesson->table(table,
                  fmt::format("Exact match: {}. Last row: the number of clauses at which half "
                              "of the sentences are exact, read off the straight lines between the "
                              "points (0 if even one clause is below half).",
                              averaged_over(runs[0].by_seed.size())));
}

void add_two_best(Table& table, const Tensor& p, int before, const Vocabulary& vocabulary) {
    const std::vector<double> share = p.to_vector();
    const auto first = std::max_element(share.begin(), share.end()) - share.begin();
    std::vector<double> others = share;
    others[first] = 0;
    const auto second = std::max_element(others.begin(), others.end()) - others.begin();
    const auto name = [&](std::ptrdiff_t word) -> std::string {
        if (word == Vocabulary::bos) return "(start)";
        if (word == Vocabulary::eos) return "(end)";
        return vocabulary.token(static_cast<int>(word));
    };
    table.row(name(before), name(first), fmt::format("{:.3f}", share[first]), name(second),
              fmt::format("{:.3f}", share[second]));
}

void show_clause_errors(AtCall lesson, const Trained& run, const ClauseErrors& errors) {
    HeatMap map{.row_axis = "clauses of the sentence",
                .column_axis = "clause",
                .value_name = "share wrong"};
    Table table({"clauses", "wrong words", "in the first clause", "q^n", "exact"});
    double high = 0;
    for (int n = 1; n <= errors.most; ++n) {
        map.row_labels.push_back(std::to_string(n));
        map.column_labels.push_back(std::to_string(n));
        for (int clause = 0; clause < errors.most; ++clause) {
            const double rate = errors.rate(n, clause);
            map.values.push_back(rate);
            if (!std::isnan(rate)) high = std::max(high, rate);
        }
        table.row(
            n, fmt::format("{:.4f}", errors.rate(n)), fmt::format("{:.4f}", errors.rate(n, 0)),
            fmt::format("{:.2f}", std::pow(run.exact(1), n)), fmt::format("{:.2f}", run.exact(n)));
    }
    map.high = high > 0 ? high : 1;
    lesson->show(
        "clause_errors", map,
        fmt::format("Width {}: the share of wrong words. The row is the number of clauses of "
                    "the sentence, the column is the clause in which the word stands. Read "
                    "the first column from the top: the same kind of clause, followed by "
                    "more and more others.",
                    run.width));
    lesson->table(table,
                  "The share of wrong words with teacher forcing; exact match if each clause were "
                  "right as often as one that stands alone; exact match as measured.");
}

void show_long_sentences(AtCall lesson, const std::vector<Trained>& runs, const TextSet& test) {
    const int most = static_cast<int>(runs[0].by_seed[0].size());
    for (int i = 0, shown = 0; i < test.size() && shown < 2; ++i) {
        if (clauses_of(test.pairs[i]) < most) continue;
        ++shown;
        lesson->say("**Sentence {}.** {}", shown, joined(test.pairs[i].source));
        lesson->say("**Translation.** {}", joined(test.pairs[i].target));
        for (const Trained& run : runs)
            lesson->say("**Width {}.** {}", run.width, joined(run.first.outputs[i]));
    }
}

}  // namespace heed::lesson08
