// report.html: the run as a page that can be printed. One file that contains its style sheet,
// figures and script (page.h); it needs no network.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lessons/course/report/claims.h"
#include "lessons/course/report/predict.h"
#include "lessons/course/report/results.h"
#include "lessons/course/story/source.h"
#include "lessons/course/terminal/table.h"

namespace heed::course {

// The HTML of a passage: its title if it is the first of its section, the text, and the code, folded
// if it is long. A page may link to the title by its anchor.
std::string passage_html(const Passage& passage);
std::string anchor_of(std::string_view title);

// Collects the text and figures of a lesson in their order.
class Report {
  public:
    // Text of the lesson, and the code below it. html() adds the numbers of this run.
    void passage(const Passage& passage);
    void heading(std::string_view text);
    void paragraph(std::string_view markup);
    void listing(std::string_view text);  // preformatted, in a monospaced font
    void table(const Table& table, std::string_view caption);
    void figure(const std::vector<std::string>& svgs, std::string_view caption);
    // More than a few claims in a row are folded, unless one of them does not hold: they stand between
    // a table and what the text says of it.
    void claim(const Claim& claim);
    // Question number `index` of html() stands here, folded above its answer. It stands once: a second
    // call adds nothing.
    void question(std::size_t index);
    void live(const std::string& figure);  // from figure_html
    bool has_live_figure() const;

    // The finished page.
    std::string html(const Run& run, const std::vector<Question>& questions,
                     const std::vector<Claim>& claims) const;

  private:
    void add(std::string_view html);
    std::string caption(const char* kind, int number, std::string_view text) const;

    std::string body_;
    std::vector<Claim> claims_;      // the last ones, with nothing behind them yet
    std::size_t before_claims_ = 0;  // where they begin in the body
    std::vector<Passage> passages_;  // that are in it
    std::set<std::size_t> placed_;   // questions
    int tables_ = 0, figures_ = 0;
};

}  // namespace heed::course
