#include "lessons/course/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "lessons/course/contents/woven.h"
#include "lessons/course/live/figure_html.h"
#include "lessons/course/pages/pages.h"
#include "lessons/course/report/other_seeds.h"
#include "lessons/course/report/page.h"
#include "lessons/course/story/highlight.h"
#include "lessons/course/story/prose.h"
#include "lessons/course/terminal/markup.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

std::string mark(bool good) {
    return good ? R"(<span class="mark good">✓</span>)" : R"(<span class="mark bad">✗</span>)";
}

// 2025-11-20T09:13:05Z as 20 November 2025.
std::string long_date(const std::string& date) {
    constexpr const char* months[] = {"January",   "February", "March",    "April",
                                      "May",       "June",     "July",     "August",
                                      "September", "October",  "November", "December"};
    if (date.size() < 10) return date;
    const int month = std::clamp(std::atoi(date.substr(5, 2).c_str()), 1, 12);
    return fmt::format("{} {} {}", std::atoi(date.substr(8, 2).c_str()), months[month - 1],
                       date.substr(0, 4));
}

// A table of the questions, with the guess beside the result.
std::string predictions_html(const std::vector<Question>& questions) {
    std::string out =
        "<section class=\"predictions\">\n<h2 id=\"predictions\">Predictions</h2>\n<table>\n<thead>"
        "<tr><th>Question</th><th>Your guess</th><th>Result</th></tr>"
        "</thead>\n<tbody>\n";
    for (const Question& question : questions) {
        const std::string guess =
            question.answered
                ? fmt::format("{}<br><small>{} % sure</small>", with_powers(escape(question.guess)),
                              question.confidence)
                : "<small>no guess</small>";
        const std::string truth =
            !question.revealed
                ? "<small>not answered in this run</small>"
                : fmt::format("<strong>{}</strong> {}", with_powers(escape(question.truth)),
                              question.answered ? mark(question.right) : "");
        out += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                           markup_to_html(question.text), guess, truth);
    }
    return out + "</tbody>\n</table>\n</section>\n";
}

std::string claims_html(const Run& run, const std::vector<Claim>& claims) {
    const auto judged = std::count_if(claims.begin(), claims.end(), has_bar);
    const auto held = std::count_if(claims.begin(), claims.end(), [](const Claim& claim) {
        return has_bar(claim) && claim.holds;
    });
    const bool spread = std::any_of(claims.begin(), claims.end(),
                                    [](const Claim& claim) { return !claim.other_seeds.empty(); });
    const std::string origin = spread ? other_seeds_origin(run.lesson, run.quick) : "";
    std::string out = fmt::format(
        "<section class=\"ledger\">\n<h2 id=\"claims\">Claims and measurements</h2>\n"
        "<p>{} of {} claims hold.{}</p>\n<table>\n<thead><tr><td></td><th>Claim</th>"
        "<th class=\"n\">Measured</th><th>Expected</th></tr></thead>\n<tbody>\n",
        held, judged,
        origin.empty() ? ""
                       : fmt::format(" The {} of other seeds were made before: {}.",
                                     run.quick ? "quick runs" : "runs", escape(origin)));
    for (const Claim& claim : claims) {
        out += fmt::format("<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td><td>{}</td></tr>\n",
                           has_bar(claim) ? mark(claim.holds) : "", markup_to_html(claim.text),
                           with_powers(escape(measured_text(claim))),
                           with_powers(escape(claim.expected.words)));
    }
    return out + "</tbody>\n</table>\n</section>\n";
}

// How the measurement is spread over other seeds: a line with a tick for each, and the same in words.
std::string spread_html(const Claim& claim) {
    const std::string words = spread_in_words(claim);
    if (words.empty()) return "";
    return spread_svg(claim) + with_powers(escape(words));
}

std::string question_mark(std::size_t index) {
    return fmt::format("<!-- question {} -->\n", index);
}

std::string question_html(const Question& question) {
    std::string answer = "This run does not show it.";
    if (question.revealed) {
        answer = fmt::format("<strong>{}</strong>", with_powers(escape(question.truth)));
        if (question.answered)
            answer += fmt::format(" You said {}. {}", with_powers(escape(question.guess)),
                                  mark(question.right));
    }
    std::string choices;
    for (const std::string& choice : question.choices)
        choices += (choices.empty() ? " <small>" : ", ") + escape(choice);
    if (!choices.empty()) choices += "</small>";
    return fmt::format(
        "<details class=\"guess\">\n<summary><b>Guess.</b> {}{}</summary>\n<p>{}</p>\n</details>\n",
        markup_to_html(question.text), choices, answer);
}

std::string claim_html(const Claim& claim) {
    return fmt::format(
        "<div class=\"claim\">\n<p>{}{}</p>\n<p class=\"measured\"><strong>{}</strong> "
        "<span>{}{}</span></p>\n</div>\n",
        has_bar(claim) ? mark(claim.holds) : R"(<span class="mark">·</span>)",
        markup_to_html(claim.text), with_powers(escape(measured_text(claim))),
        has_bar(claim) ? "expected " + with_powers(escape(claim.expected.words)) : "",
        spread_html(claim));
}

std::string claims_in_a_row(const std::vector<Claim>& claims) {
    constexpr std::size_t few = 4;
    std::string rows;
    for (const Claim& claim : claims) rows += claim_html(claim);
    const bool all_hold = std::all_of(claims.begin(), claims.end(), [](const Claim& claim) {
        return claim.holds || !has_bar(claim);
    });
    if (claims.size() <= few || !all_hold) return rows;
    const auto judged = std::count_if(claims.begin(), claims.end(), has_bar);
    const auto only_measured = std::ssize(claims) - judged;
    std::string words;
    if (judged > 0)
        words = fmt::format("{}{}", mark(true),
                            judged == 1 ? "1 claim holds" : fmt::format("{} claims hold", judged));
    if (only_measured > 0)
        words += fmt::format(
            "{}{} measured", judged > 0 ? ", and " : "",
            only_measured == 1 ? "1 number was" : fmt::format("{} numbers were", only_measured));
    return fmt::format("<details class=\"claims\">\n<summary>{}</summary>\n{}</details>\n", words,
                       rows);
}

// A name for a number says nothing by itself.
bool only_constants(const std::string& code) {
    std::istringstream lines(code);
    for (std::string line; std::getline(lines, line);)
        if (!line.empty() && line[0] != ' ' && line[0] != '/' && !line.starts_with("constexpr "))
            return false;
    return true;
}

std::string folded_code(std::string code, bool open) {
    code.erase(code.find_last_not_of('\n') + 1);
    code += '\n';
    const auto lines = std::count(code.begin(), code.end(), '\n');
    return fmt::format(
        "<details class=\"code\"{}>\n<summary>The code, {} line{}</summary>\n"
        "<pre>{}</pre>\n</details>\n",
        open ? " open=\"\"" : "", lines, lines == 1 ? "" : "s", highlighted(code));
}

// The idea is shown at once, if it is not very long. What only runs it is folded until the reader asks for it.
std::string code_html(const std::string& code) {
    constexpr int few = 48;
    std::vector<std::string> groups;
    bool before = false;
    for (const std::string& declaration : declarations_in(code)) {
        const bool runs = only_runs(declaration);
        if (groups.empty() || runs != before) groups.emplace_back();
        groups.back() += declaration;
        before = runs;
    }
    std::string out;
    for (const std::string& group : groups)
        out += folded_code(group, !only_runs(group) && !only_constants(group) &&
                                      std::count(group.begin(), group.end(), '\n') <= few);
    return out;
}

}  // namespace

std::string passage_html(const Passage& passage) {
    std::string out;
    if (passage.first)
        out += fmt::format("<h2 id=\"{}\">{}</h2>\n", anchor_of(passage.section),
                           markup_to_html(passage.section));
    out += prose_html(passage.text);
    if (!passage.code.empty() && !passage.closing) out += code_html(passage.code);
    return out;
}

std::string anchor_of(std::string_view title) {
    std::string anchor;
    for (const char c : title) {
        const auto letter = static_cast<unsigned char>(c);
        if (std::isalnum(letter))
            anchor += static_cast<char>(std::tolower(letter));
        else if (!anchor.empty() && anchor.back() != '-')
            anchor += '-';
    }
    while (anchor.ends_with('-')) anchor.pop_back();
    return anchor;
}

void Report::add(std::string_view html) {
    claims_.clear();
    body_ += html;
}

// The comments tell ./heed book where the results of a run belong.
void Report::passage(const Passage& passage) {
    passages_.push_back(passage);
    add(fmt::format("<!-- passage {} -->\n{}<!-- results -->\n", passages_.size(),
                    passage_html(passage)));
}

void Report::heading(std::string_view text) {
    const char* level = passages_.empty() ? "h2" : "h3";
    add(fmt::format("<{0}>{1}</{0}>\n", level, markup_to_html(text)));
}

void Report::paragraph(std::string_view markup) {
    add(fmt::format("<p>{}</p>\n", markup_to_html(markup)));
}

void Report::listing(std::string_view text) { add(fmt::format("<pre>{}</pre>\n", escape(text))); }

void Report::table(const Table& table, std::string_view text) {
    add(fmt::format("<figure class=\"table\">\n<div class=\"panels\">{}</div>\n{}</figure>\n",
                    table.to_html(), caption("Table", ++tables_, text)));
}

void Report::figure(const std::vector<std::string>& svgs, std::string_view text) {
    std::string panels;
    for (const std::string& svg : svgs)
        panels += fmt::format("<div class=\"panel\">{}</div>\n", svg);
    add(fmt::format("<figure>\n<div class=\"panels\">\n{}</div>\n{}</figure>\n", panels,
                    caption("Figure", ++figures_, text)));
}

std::string Report::caption(const char* kind, int number, std::string_view text) const {
    return fmt::format("<figcaption><b>{} {}</b> {}</figcaption>\n", kind, number,
                       markup_to_html(text));
}

void Report::claim(const Claim& claim) {
    if (claims_.empty()) before_claims_ = body_.size();
    claims_.push_back(claim);
    body_.resize(before_claims_);
    body_ += claims_in_a_row(claims_);
}

void Report::question(std::size_t index) {
    if (placed_.insert(index).second) add(question_mark(index));
}

void Report::live(const std::string& figure) { add(figure); }

bool Report::has_live_figure() const { return course::has_live_figure(body_); }

std::string Report::html(const Run& run, const std::vector<Question>& questions,
                         const std::vector<Claim>& claims) const {
    std::string body = body_;
    for (std::size_t i = 0; i < questions.size(); ++i)
        if (const std::size_t at = body.find(question_mark(i)); at != std::string::npos)
            body.replace(at, question_mark(i).size(), question_html(questions[i]));
    Measured own;
    for (const Claim& claim : claims) own[claim.name] = claim.measured;
    for (const Passage& passage : passages_) {
        Passage now = passage;
        now.text = woven(passage.written, run.name, own, run.quick);
        if (now.text == passage.text) continue;
        const std::string before = passage_html(passage);
        body.replace(body.find(before), before.size(), passage_html(now));
    }
    const std::string main =
        fill(page_file("report.html"),
             {{"lesson", run.lesson.titled()},
              {"title", escape(run.title)},
              {"question", markup_to_html(run.question)},
              {"kind", run.quick ? "Quick" : "Full"},
              {"seed", std::to_string(run.seed)},
              {"seconds", fmt::format("{:.1f}", run.seconds)},
              {"threads", fmt::format("{} thread{}", run.threads, run.threads == 1 ? "" : "s")},
              {"data", escape(run.data)},
              {"date", escape(long_date(run.date))},
              {"body", body},
              {"note", run.note.empty() ? "" : fmt::format("<p class=\"note\">{}</p>\n", run.note)},
              {"predictions", questions.empty() ? "" : predictions_html(questions)},
              {"claims", claims.empty() ? "" : claims_html(run, claims)},
              {"command", escape(run.command)}});
    return page_html(fmt::format("{}. {}", run.lesson, run.title), main);
}

}  // namespace heed::course
