// Formulas: the part of LaTeX that the lessons use, as Unicode for the terminal and as MathML for
// pages. Both are written from the same tree.
//
//     formula_text(R"(\frac{q \cdot k}{\sqrt D})")    q·k/√D
//     formula_text(R"(h_{t-1} + W^\top x)")           hₜ₋₁ + Wᵀ x
//
// A command that is not in the tables of formula.cpp, or a brace without its partner, throws
// heed::Error with the formula, so that a reader never meets raw LaTeX; a test converts all formulas
// of all lessons. The distributions have programs for half of this: KaTeX, which needs Node, and
// blahtexml write MathML but no text, and pandoc turns only simple formulas into Unicode and leaves
// the others as LaTeX. Here one tree serves both, with no program beside heed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed::course {

// One line. Sub- and superscripts are used where Unicode has all of their letters, otherwise _ and ^.
// Parts that stand apart (\quad) are separated by four spaces.
std::string formula_text(std::string_view latex);

// The parts that stand apart, each as lines: a matrix is drawn row below row.
//
//     ⎛ 2  0 ⎞
// W = ⎝ 0  2 ⎠
std::vector<std::string> formula_blocks(std::string_view latex);

// A <math> element. A long formula becomes several, with <wbr/> between them, where a line may end:
// behind a relation inside a sentence, before it in a formula on lines of its own (`display`). The
// latter consists of <span class="part">, which begin behind commas and wide spaces, so that a narrow
// page breaks it there first; "part apart" has a wide space behind it.
std::string formula_mathml(std::string_view latex, bool display = false);

}  // namespace heed::course
