// The prose of a lesson, in Markdown with $formulas$, for the terminal and for pages. Markdown is read
// by the library md4c; formulas are converted by formula.h.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lessons/course/terminal/screen.h"

namespace heed::course {

// The blocks as HTML: paragraphs, lists, tables, code, quotations. Throws heed::Error for a formula
// that formula.h does not know.
std::string prose_html(std::string_view markdown);

// The same with another way to show a figure that the reader can change, "![about](live:name)".
using FigureHtml = std::function<std::string(const std::string& name, const std::string& about)>;
std::string prose_html(std::string_view markdown, const FigureHtml& figure);

// The blocks as lines for the terminal, wrapped to its width; one string a block, without the empty
// line between blocks.
std::vector<std::string> prose_blocks(std::string_view markdown, const Screen& screen);

// Code as lines for the terminal. A line that is too wide goes on below, further to the right.
std::string code_lines(std::string_view code, const Screen& screen);

// The formulas in their order, as LaTeX.
std::vector<std::string> formulas_in(std::string_view markdown);

// The words alone, on one line, with the formulas as Unicode: what a search looks through.
std::string prose_text(std::string_view markdown);

// The number of words, without formulas and code.
int words_in(std::string_view markdown);

}  // namespace heed::course
