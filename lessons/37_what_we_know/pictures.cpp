#include "lessons/37_what_we_know/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lessons/course/course.h"
#include "lessons/course/story/formula.h"

namespace heed::lesson37 {

using namespace course;

namespace {

// "finding: accuracy of Adam" as a cell.
std::string statement_of(const MeasuredClaim& claim) {
    const std::string& text = claim.written.text;
    return text.substr(text.starts_with("finding: ") ? 9 : 0);
}

// "at $\\tau = 0.1$" as "at τ = 0.1".
std::string without_formulas(std::string_view sentence) {
    std::string text;
    for (bool formula = false; !sentence.empty(); formula = !formula) {
        const std::string_view piece = sentence.substr(0, sentence.find('$'));
        text += formula ? formula_text(piece) : std::string(piece);
        sentence.remove_prefix(std::min(piece.size() + 1, sentence.size()));
    }
    return text;
}

// The sentences whose share of seeds is nearest to a half, at most one of each lesson, in the order of the course.
std::vector<Statement> most_divided(const std::vector<Statement>& all, std::size_t most) {
    const auto unity = [](const Statement& s) {
        return std::abs(static_cast<double>(s.holds) / s.seeds - 0.5);
    };
    std::vector<Statement> best;  // of each lesson
    for (const Statement& one : all)
        if (best.empty() || best.back().lesson != one.lesson)
            best.push_back(one);
        else if (unity(one) < unity(best.back()))
            best.back() = one;
    while (best.size() > most)
        best.erase(std::max_element(
            best.begin(), best.end(),
            [&](const Statement& a, const Statement& b) { return unity(a) < unity(b); }));
    return best;
}

}  // namespace

const std::vector<Need>& needs() {
    static const std::vector<Need> all{
        {"From numbers to gradients", "Attention in ten minutes", "numbers that must be learned"},
        {"Memory before attention", "From numbers to gradients", "networks that learn"},
        {"Soft attention", "Memory before attention", "one vector, too small for a sentence"},
        {"Hard attention", "Soft attention", "a mean, where one choice would do"},
        {"Queries, keys, values", "Soft attention", "a query, keys, and weights that are learned"},
        {"The Transformer", "Queries, keys, values", "self-attention, heads, positions"},
        {"Attention everywhere", "The Transformer", "a block for all kinds of tokens"},
        {"The price of length", "The Transformer", "a cost that grows with the square"},
        {"Attention today", "The Transformer", "a GPT"}};
    return all;
}

Diagram road(const Course& course) {
    Diagram diagram{.title = "The road", .flow = Diagram::Flow::up};
    std::map<std::string, int> box;  // of each part
    const auto continues = [](const std::string& part) {
        return std::any_of(needs().begin(), needs().end(),
                           [&](const Need& need) { return need.from == part; });
    };
    std::map<std::string, int> branches;  // that leave a part and go no further
    const double side[] = {1, -1, 0};
    for (const PartOfCourse& part : course.parts) {
        if (part.workshops || part.lessons == 0) continue;
        const int here = static_cast<int>(diagram.boxes.size());
        Diagram::Box at{
            .name = part.title,
            .lines = {fmt::format("{} lesson{}", part.lessons, part.lessons == 1 ? "" : "s")}};
        const auto need = std::find_if(needs().begin(), needs().end(),
                                       [&](const Need& one) { return one.part == part.title; });
        if (need != needs().end() && box.contains(need->from)) {
            const int from = box[need->from];
            at.row = diagram.boxes[from].row + 1;
            if (!continues(part.title)) at.column = side[branches[need->from]++ % 3];
            at.lines.push_back("begins with " + need->what);
            diagram.arrows.push_back({from, here});
        }
        box[part.title] = here;
        diagram.boxes.push_back(at);
    }
    return diagram;
}

void show_parts(AtCall lesson, const Course& course) {
    Table table({"part", "lessons", "claims", "runs kept", "exercises"});
    const auto row = [&](const PartOfCourse& part) {
        table.row(part.title, part.lessons, part.claims, part.runs, part.exercises);
    };
    for (const PartOfCourse& part : course.parts)
        if (part.lessons > 0) row(part);
    const PartOfCourse all = course.all();
    row(all);
    lesson->table(table,
                  "What the course keeps. A run is one seed of one lesson, in full or quick. This "
                  "lesson is not counted.");
    lesson->measured("lessons", "lessons and workshops before this one", all.lessons);
    lesson->measured("claims", "claims with kept seeds", all.claims);
    lesson->measured("runs", "runs that are kept", all.runs);
    lesson->measured("exercises", "exercises before this lesson", all.exercises);
    lesson->measured(
        "varying", "claims whose number depends on the seed",
        static_cast<double>(std::count_if(course.claims.begin(), course.claims.end(),
                                          [](const MeasuredClaim& c) { return c.varies(); })));
}

int show_statements(AtCall lesson, const Course& course) {
    std::vector<Statement> all;
    for (const Statement& statement : course.statements)
        if (statement.holds < statement.seeds && stands_alone(statement.sentence))
            all.push_back(statement);
    const std::vector<Statement> shown = most_divided(all, 8);
    Table table({"lesson", "what its text says"});
    for (const Statement& statement : shown)
        table.row(course.titles.at(statement.lesson), without_formulas(statement.sentence));
    lesson->table(
        table,
        fmt::format("Of {} sentences that say that something holds with some of the seeds and "
                    "not with all: the {} on which the seeds agree least, one a lesson.",
                    all.size(), shown.size()));
    return static_cast<int>(all.size());
}

int show_open_signs(AtCall lesson, const Course& course) {
    Table table({"lesson", "difference", "above 0", "below 0"});
    int rows = 0;
    for (const MeasuredClaim& claim : course.claims) {
        const auto& bar = claim.written.bar;
        if (!bar || !std::isfinite(bar->low) || !std::isfinite(bar->high)) continue;
        const auto above = std::count_if(claim.seeds.begin(), claim.seeds.end(),
                                         [](double x) { return x > 0; }),
                   below = std::count_if(claim.seeds.begin(), claim.seeds.end(),
                                         [](double x) { return x < 0; });
        if (above == 0 || below == 0 || !claim.varies() || !stands_alone(statement_of(claim)))
            continue;
        table.row(course.titles.at(claim.lesson), statement_of(claim), above, below);
        ++rows;
    }
    lesson->table(table, "Differences that are above 0 with some seeds and below it with others.");
    return rows;
}

void show_risks(AtCall lesson, std::vector<Risk> risks) {
    std::stable_sort(risks.begin(), risks.end(),
                     [](const Risk& a, const Risk& b) { return a.normal > b.normal; });
    risks.resize(std::min<std::size_t>(risks.size(), 6));
    Table table({"lesson and claim", "bar", "bell curve", "taken"});
    for (const Risk& risk : risks)
        table.row(risk.claim->lesson + "/" + risk.claim->written.name,
                  risk.claim->written.bar->words, number(risk.normal, 2), number(risk.luck, 2));
    lesson->table(table, "The six claims that are most likely to fail, and how likely that is.");
}

void show_bars(AtCall lesson, const Judged& worst, const Judged& normal) {
    Table table({"bar set from ten seeds", "beyond it, of the same ten", "of the other ten"});
    const auto percent = [](double share) { return fmt::format("{:.1f} %", 100 * share); };
    table.row("at the worst of them", percent(worst.same), percent(worst.others));
    table.row("where a bell curve has 1 %", percent(normal.same), percent(normal.others));
    lesson->table(table, "All claims that vary, their twenty seeds divided at random.");
}

void show_best(AtCall lesson, const std::vector<Best>& found) {
    LinePlot plot{.title = "The more useless ideas, the more often the best one keeps its bar",
                  .x_label = "ideas that are tried",
                  .y_label = "share of the worlds",
                  .y_range = {0, 1}};
    plot.series = {{.name = "on the seeds that chose it"},
                   {.name = "by the formula"},
                   {.name = "on twenty new seeds"}};
    for (const Best& best : found) {
        const double y[] = {best.same, best.formula, best.again};
        for (int line : {0, 1, 2}) {
            plot.series[line].x.push_back(best.ideas);
            plot.series[line].y.push_back(y[line]);
        }
    }
    lesson->show(
        "best", plot,
        "The share of the worlds in which the best idea keeps its bar: ahead with at least 15 of "
        "20 seeds.");
}

}  // namespace heed::lesson37
