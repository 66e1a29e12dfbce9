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
                  .log_y = true};
    const auto line = [&](const std::string& name, double bytes, std::vector<double> tokens) {
        Series series{.name = name, .x = std::move(tokens)};
        for (const double n : series.x)
            series.y.push_back(n / seconds(weights, bytes, n, memory, operations));
        plot.series.push_back(series);
    };
    // Each slope ends where it meets the ceiling, which both have in common.
    const auto meet = [&](double bytes) { return bytes * operations / (2 * memory); };
    line("2 bytes a weight: the processor waits", 2, {1, meet(2)});
    line("half a byte: it waits", 0.5, {1, meet(0.5)});
    line("it is busy", 0.5, {meet(0.5), 100});
    lesson->show("roofline", plot,
                 "The machine of the example: 7 billion weights, 100 GB a second, 1,000 billion "
                 "operations a second. Both axes are logarithmic.");
}

namespace {

// What was measured as crosses, and the limits as a dashed line, in one series, so that both have one colour.
Series measured_and_limits(const std::string& name, const Timed& timed, std::size_t bits,
                           const SecondsOfPass& seconds) {
    Series series{.name = name};
    const auto point = [&](double x, double y) { series.x.push_back(x), series.y.push_back(y); };
    const auto lift = [&] { point(NAN, NAN); };
    const double last = timed.tokens.back(), bytes = 1e6 * timed.megabytes[bits] / timed.weights;
    const auto limit = [&](double n) {
        return n / seconds(timed.weights, bytes, n, timed.memory, timed.operations);
    };
    constexpr double dash = 1.05;
    for (double n = 1; n * dash < last; n *= dash * dash)
        point(n, limit(n)), point(n * dash, limit(n * dash)), lift();
    for (std::size_t j = 0; j < timed.tokens.size(); ++j) {
        const double n = timed.tokens[j], y = n / timed.seconds[bits][j];
        point(n, y / 1.13), point(n, y * 1.13), lift();
        point(n / 1.06, y), point(n * 1.06, y), lift();
    }
    return series;
}

}  // namespace

void show_machine(AtCall lesson, const Timed& timed, const SecondsOfPass& seconds) {
    double slowest = INFINITY, fastest = 0;
    for (const std::vector<double>& seconds_of : timed.seconds)
        for (std::size_t j = 0; j < timed.tokens.size(); ++j) {
            slowest = std::min(slowest, timed.tokens[j] / seconds_of[j]);
            fastest = std::max(fastest, timed.tokens[j] / seconds_of[j]);
        }
    const double ceiling = timed.operations / (2 * timed.weights);
    LinePlot plot{.title = "Your machine: what was measured (+), and the limits (dashed)",
                  .x_label = "tokens in one pass",
                  .y_label = "tokens a second",
                  .log_x = true,
                  .log_y = true,
                  .y_range = {0.6 * slowest, 1.6 * std::max(fastest, ceiling)},
                  .x_range = {0.9, 1.1 * timed.tokens.back()}};
    const std::vector<std::string> names{"32 bits", "8 bits", "4 bits"};
    for (std::size_t i = 0; i < names.size(); ++i)
        plot.series.push_back(measured_and_limits(names[i], timed, i, seconds));
    const auto faster = [&](std::size_t i) { return timed.seconds[0][0] / timed.seconds[i][0]; };
    lesson->show(
        "machine", plot,
        fmt::format(
            "A model whose weights take {:.1f}, {:.1f} and {:.1f} MB. The limits: {:.0f} GB a "
            "second from memory, {:.0f} billion operations a second, measured by a sum over 128 "
            "MB and a product of matrices. For one token, 8 bits are {:.1f} times as fast as "
            "floats, and 4 bits {:.1f} times; by their bytes it would be {:.1f} and {:.1f} times. "
            "Both axes are logarithmic.",
            timed.megabytes[0], timed.megabytes[1], timed.megabytes[2], 1e-9 * timed.memory,
            1e-9 * timed.operations, faster(1), faster(2), timed.megabytes[0] / timed.megabytes[1],
            timed.megabytes[0] / timed.megabytes[2]));
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
    BarChart chart{
        .title = "Where the draft is ahead of the target, a part of its guesses is refused",
        .value_label = "probability",
        .sets = {{.name = "target p"}, {.name = "draft q"}, {.name = "kept: min(p, q)"}}};
    double others_p = 1, others_q = 1, others_kept = 0;
    const auto add = [&](const std::string& name, double p, double q, double kept) {
        chart.labels.push_back(name);
        chart.sets[0].values.push_back(p);
        chart.sets[1].values.push_back(q);
        chart.sets[2].values.push_back(kept);
    };
    for (std::size_t i = 0; i < at.p.size(); ++i) others_kept += std::min(at.p[i], at.q[i]);
    for (const int token : order) {
        const double p = at.p[static_cast<std::size_t>(token)],
                     q = at.q[static_cast<std::size_t>(token)];
        add(p < q ? fmt::format("{}: kept in {:.0f} %", seen(text, token), 100 * p / q)
                  : fmt::format("{}: always kept", seen(text, token)),
            p, q, std::min(p, q));
        others_p -= p, others_q -= q, others_kept -= std::min(p, q);
    }
    add("all others, summed", others_p, others_q, others_kept);
    lesson->show(
        "two", chart,
        fmt::format(
            "The next character after \"{}\" (␣ is a space, ⏎ a new line): the five to which "
            "one of the models gives most. The rest of a longer q is refused. The rest of a "
            "longer p is still missing. All others are a sum over many characters, of which "
            "some have the longer p and some the longer q.",
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
    const double most = std::max(formula.back(), counted_tokens.back());
    lesson->show(
        "tokens",
        LinePlot{.title = "A longer draft gives more tokens a pass, but each guess adds less",
                 .x_label = "tokens drafted for each pass",
                 .y_label = "tokens a pass of the target, or times as fast",
                 .series = {{.name = "tokens, counted", .x = lengths, .y = counted_tokens},
                            {.name = "tokens, formula", .x = lengths, .y = formula, .dashed = true},
                            {.name = "times as fast", .x = lengths, .y = faster}},
                 .y_range = {1, std::ceil(2 * most) / 2},
                 .x_range = {1, lengths.back()}},
        "Without a draft, a pass gives 1 token. The formula has the mean share of accepted tokens. "
        "\"Times as fast\" is the formula if a draft step takes a tenth of the time of a pass.");
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
