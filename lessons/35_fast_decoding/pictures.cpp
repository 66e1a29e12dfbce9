#include "lessons/35_fast_decoding/pictures.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heed::lesson35 {

using namespace course;

void show_roofline(AtCall lesson, const SecondsOfPass& seconds) {
    const double weights = 7e9, memory = 100e9, operations = 1000e9;
    LinePlot plot{.title = "More tokens in a pass are free, until the processor is busy",
                  .x_label = "tokens in one pass",
                  .y_label = "tokens a second, by the formula",
                  .log_x = true,
                  .log_y = true,
                  .y_range = {5, 100},
                  .x_range = {1, 100}};
    // Two slopes, and the ceiling that they have in common, with gaps between them.
    Series limits{.name = "ceiling: processor busy"};
    const auto point = [&](double bytes, double n) {
        limits.x.push_back(n);
        limits.y.push_back(n / seconds(weights, bytes, n, memory, operations));
    };
    const auto meet = [&](double bytes) { return bytes * operations / (2 * memory); };
    for (const double bytes : {2.0, 0.5}) {
        point(bytes, 1), point(bytes, meet(bytes));
        limits.x.push_back(NAN), limits.y.push_back(NAN);
    }
    point(0.5, meet(0.5)), point(0.5, 100);
    const auto one_token = [&](const std::string& name, double bytes) {
        return Series{
            .name = name, .x = {1}, .y = {1 / seconds(weights, bytes, 1, memory, operations)}};
    };
    plot.series = {limits, one_token("2 bytes a weight", 2), one_token("half a byte", 0.5)};
    lesson->show(
        "roofline", plot,
        "The machine of the example: 7 billion weights, 100 GB a second, 1,000 billion "
        "operations a second. Along the slopes the processor waits. Both axes are logarithmic.");
}

namespace {

// Tokens a second of the floats, and the two limits.
LinePlot throughput_of(const Timed& timed, const SecondsOfPass& seconds) {
    const auto limit = [&](double n) {
        return n / seconds(timed.weights, 4, n, timed.memory, timed.operations);
    };
    Series measured{.name = "measured", .x = timed.tokens}, limits{.name = "limit", .dashed = true};
    for (std::size_t j = 0; j < timed.tokens.size(); ++j)
        measured.y.push_back(timed.tokens[j] / timed.seconds[0][j]);
    const double last = timed.tokens.back(), meet = 2 * timed.operations / timed.memory;
    limits.x =
        meet > 1 && meet < last ? std::vector<double>{1, meet, last} : std::vector<double>{1, last};
    for (const double n : limits.x) limits.y.push_back(limit(n));
    const double most = std::max(limits.y.back(), measured.y.back()),
                 least = std::min(limits.y.front(), measured.y.front());
    return {.title = "Your machine, floats: a batch multiplies the throughput",
            .x_label = "tokens in one pass",
            .y_label = "tokens a second",
            .series = {measured, limits},
            .log_x = true,
            .log_y = true,
            .y_range = {0.8 * least, 1.25 * most},
            .x_range = {1, last}};
}

}  // namespace

void show_machine(AtCall lesson, const Timed& timed, const SecondsOfPass& seconds) {
    BarChart bars{.title = "Your machine, one token: smaller weights, faster passes",
                  .value_label = "times as fast as floats",
                  .sets = {{.name = "measured"}, {.name = "by their bytes"}}};
    const std::vector<std::string> names{"32 bits", "8 bits", "4 bits"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        bars.labels.push_back(fmt::format("{}, {:.0f} MB", names[i], timed.megabytes[i]));
        const double measured = timed.seconds[0][0] / timed.seconds[i][0],
                     by_bytes = timed.megabytes[0] / timed.megabytes[i];
        bars.sets[0].values.push_back(std::round(10 * measured) / 10);
        bars.sets[1].values.push_back(std::round(10 * by_bytes) / 10);
    }
    lesson->show("one_token", bars,
                 "The seconds of a pass with floats over those with fewer bits.");
    lesson->show(
        "machine", throughput_of(timed, seconds),
        fmt::format("The limit has {:.0f} GB a second from memory, measured by a sum over 128 MB, "
                    "and {:.0f} billion operations a second, measured by a product of matrices. "
                    "Both axes are logarithmic.",
                    1e-9 * timed.memory, 1e-9 * timed.operations));
}

void show_rounded(AtCall lesson, const Rounded& errors) {
    const HeatMap map{
        .title = "One large weight spoils its row, or only its group",
        .values = {errors.plain.eight, errors.plain.four, errors.plain_groups.eight,
                   errors.plain_groups.four, errors.spoiled.eight, errors.spoiled.four,
                   errors.spoiled_groups.eight, errors.spoiled_groups.four},
        .row_labels = {"no large weight, one step", "no large weight, groups",
                       "a large weight, one step", "a large weight, groups"},
        .column_labels = {"8 bits", "4 bits"},
        .gold = {{2, 0}, {3, 1}},  // the two of the question
        .value_name = "error"};
    lesson->show(
        "rounded", map,
        "Error of the small weights over their own size, root mean square. At 1, nothing is left "
        "of them. Outlined: the two that we asked about.");
}

void claim_rounded(AtCall lesson, const Rounded& errors) {
    const double row = errors.spoiled.eight, groups = errors.spoiled_groups.four;
    lesson->claim("step-formula", "identity: error over s / √12, 8 bits, one step",
                  row / (200.0 / 127 / std::sqrt(12.0)), between(0.93, 1.07));
    lesson->claim("row-eight", "finding: a large weight, one step, 8 bits: error", row,
                  between(0.4, 0.5));
    lesson->claim("row-four", "finding: a large weight, one step, 4 bits: error",
                  errors.spoiled.four, between(0.97, 1.03));
    lesson->claim("groups-four", "finding: a large weight, groups, 4 bits: error", groups,
                  at_most(0.25));
}

void show_losses(AtCall lesson, double floats, double eight, double four, double one_step) {
    const double all = floats, of_eight = eight - all, of_four = four - all,
                 of_one = one_step - all;
    Table table({"weights", "bits a weight", "loss", "more than floats"});
    table.row("floats", 32, all, 0);
    table.row("8 bits, groups of 32", 8.5, all + of_eight, of_eight);
    table.row("4 bits, groups of 32", 4.5, all + of_four, of_four);
    table.row("4 bits, one step a matrix", 4, all + of_one, of_one);
    lesson->table(table, "The same model, with its weights rounded after training.");
    lesson->measured("loss-floats", "loss of the model with floats", all);
    lesson->claim("lost-eight", "finding: 8 bits: change of the loss", std::abs(of_eight),
                  at_most(0.002));
    lesson->claim("lost-four", "finding: 4 bits in groups: growth of the loss", of_four,
                  between(lesson->quick() ? 0.0001 : 0.0005, 0.2));
    lesson->claim("lost-one-step", "finding: 4 bits, one step a matrix: growth of the loss", of_one,
                  at_least(lesson->quick() ? 0.0005 : 0.02));
}

namespace {

// A character as it can be seen.
std::string seen(const lesson23::Characters& text, int token) {
    const std::string& name = text.names[static_cast<std::size_t>(token)];
    return name == " " ? "␣" : name == "\n" ? "⏎" : name;
}

std::string in_one_line(const lesson23::Characters& text, const std::vector<int>& tokens) {
    std::string line;
    for (const int token : tokens) line += seen(text, token);
    return line;
}

}  // namespace

void show_two(AtCall lesson, const lesson23::Characters& text, const Place& at) {
    std::vector<int> order(at.p.size());
    std::iota(order.begin(), order.end(), 0);
    const auto mass = [&](int i) {
        return std::max(at.p[static_cast<std::size_t>(i)], at.q[static_cast<std::size_t>(i)]);
    };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return mass(a) > mass(b); });
    order.resize(std::min<std::size_t>(order.size(), 5));
    HeatMap map{.title = "What is refused is as much as what is missing",
                .column_labels = {"kept", "refused", "missing"},
                .row_axis = "next character",
                .value_name = "probability"};
    double rest_p = 1, rest_q = 1, all_kept = 0, rest_kept = 0;
    const auto add = [&](const std::string& name, double p, double q, double kept) {
        map.row_labels.push_back(name);
        for (const double part : {kept, q - kept, p - kept})
            map.values.push_back(std::max(0.0, std::round(100 * part) / 100));
    };
    for (std::size_t i = 0; i < at.p.size(); ++i) all_kept += std::min(at.p[i], at.q[i]);
    rest_kept = all_kept;
    for (const int token : order) {
        const double p = at.p[static_cast<std::size_t>(token)],
                     q = at.q[static_cast<std::size_t>(token)], kept = std::min(p, q);
        add(seen(text, token), p, q, kept);
        rest_p -= p, rest_q -= q, rest_kept -= kept;
    }
    add("all others", rest_p, rest_q, rest_kept);
    add("sum", 1, 1, all_kept);
    const int sum = map.height() - 1;
    map.gold = {{sum, 1}, {sum, 2}};
    lesson->show(
        "two", map,
        fmt::format(
            "The next character after \"{}\" (␣ is a space, ⏎ a new line): the five to which "
            "one of the models gives most. Kept is min(p, q), refused the rest of the draft's q, missing "
            "the rest of the target's p. Outlined: the two sums that are equal.",
            in_one_line(text, at.prompt)));
}

void show_rules(AtCall lesson, int samples, double naive, double right, double pairs) {
    Table table({"rule", "deviations from the target"});
    table.row("accept if p is at least 0.1", naive);
    table.row("accept with probability p / q", right);
    table.row("the library, pairs of characters", pairs);
    lesson->table(
        table,
        fmt::format(
            "How far the counts are from the target's probabilities, in standard "
            "deviations of chance. Each rule sampled {} characters. Of the library's texts we "
            "count the first two, against p(a) p(b | a).",
            samples));
    const char* const naive_text = "finding: accept if p is at least 0.1: deviations";
    if (lesson->quick())  // after little training few characters have a p of 0.1
        lesson->measured("naive-rule", naive_text, naive);
    else
        lesson->claim("naive-rule", naive_text, naive, at_least(20));
    lesson->claim("right-rule", "identity: accept with probability p / q: deviations", right,
                  at_most(7));
    lesson->claim("pairs-of-characters",
                  "identity: the library, pairs of characters against p(a) p(b | a): deviations",
                  pairs, at_most(7));
}

void show_passes(AtCall lesson, const lesson23::Characters& text, const std::vector<int>& prompt,
                 const std::vector<Pass>& passes) {
    ShadedText strip{.high = 1, .value_name = "accepted"};
    std::size_t characters = 0;
    for (const Pass& pass : passes) {
        ShadedText::Row row{.name = fmt::format("pass {}", strip.rows.size() + 1)};
        for (int i = 0; i < std::ssize(pass.guesses); ++i) {
            const std::string guess = seen(text, pass.guesses[static_cast<std::size_t>(i)]);
            row.words.push_back(i < pass.accepted    ? guess
                                : i == pass.accepted ? guess + " → " + seen(text, pass.own)
                                                     : "(" + guess + ")");
            row.weights.push_back(i < pass.accepted ? 1 : 0);
        }
        if (pass.accepted == std::ssize(pass.guesses)) {
            row.words.push_back("+ " + seen(text, pass.own));
            row.weights.push_back(0);
        }
        characters += static_cast<std::size_t>(pass.accepted) + 1;
        strip.rows.push_back(row);
    }
    strip.title = fmt::format("{} passes write {} characters", passes.size(), characters);
    lesson->show(
        "passes", strip,
        fmt::format("Behind the prompt \"{}\", four guesses in each pass. Shaded: accepted. "
                    "x → y: the guess x is refused, and the target writes y. In brackets: thrown "
                    "away. + y: all were accepted, and the target adds y.",
                    in_one_line(text, prompt)));
}

void show_tokens(AtCall lesson, const std::vector<double>& lengths,
                 const std::vector<double>& counted_tokens, const std::vector<double>& formula) {
    constexpr double c = 0.1;  // the time of a draft step over that of a pass
    std::vector<double> faster;
    for (std::size_t i = 0; i < lengths.size(); ++i)
        faster.push_back(formula[i] / (lengths[i] * c + 1));
    const auto best = std::max_element(faster.begin(), faster.end()) - faster.begin();
    const double most = std::max(formula.back(), counted_tokens.back());
    lesson->show(
        "tokens",
        {LinePlot{.title = "A longer draft gives more tokens a pass ...",
                  .x_label = "tokens drafted for each pass",
                  .y_label = "tokens a pass of the target",
                  .series = {{.name = "counted", .x = lengths, .y = counted_tokens},
                             {.name = "formula", .x = lengths, .y = formula, .dashed = true}},
                  .y_range = {1, std::ceil(2 * most) / 2},
                  .x_range = {1, lengths.back()}},
         LinePlot{.title = fmt::format("... but a draft of {} is the fastest",
                                       lengths[static_cast<std::size_t>(best)]),
                  .x_label = "tokens drafted for each pass",
                  .y_label = "times as fast if a guess costs 1/10 pass",
                  .series = {{.name = "formula", .x = lengths, .y = faster, .dashed = true}},
                  .y_range = {1, std::ceil(2 * most) / 2},
                  .x_range = {1, lengths.back()}}},
        "Without a draft, a pass gives 1 token. The formula has the mean share of accepted tokens. "
        "Dashed: by a formula, not measured.");
}

void claim_accepted(AtCall lesson, const Drafting& four, const Drafting& greedy,
                    double over_formula, double eight_over_formula) {
    lesson->measured("expected-share", "mean of 1 - total variation, drafts of four",
                     four.expected);
    lesson->measured("accepted-share", "share of the judged tokens accepted", four.accepted);
    lesson->claim("share-predicted",
                  "identity: accepted share minus 1 - total variation, in standard deviations",
                  std::abs(four.accepted - four.expected) / (0.5 / std::sqrt(four.judged)),
                  at_most(4));
    lesson->claim("tokens-a-pass", "finding: tokens a pass, drafts of four", four.tokens_a_pass,
                  at_least(lesson->quick() ? 1.3 : 2.3));
    lesson->claim("tokens-over-formula", "finding: tokens a pass over the formula", over_formula,
                  between(0.8, 1.2));
    lesson->measured("eight-over-formula", "the same with drafts of eight", eight_over_formula);
    lesson->measured("greedy-share", "share accepted with greedy decoding", greedy.accepted);
}

}  // namespace heed::lesson35
