// Formulas: the part of LaTeX that the lessons use, as Unicode for the terminal and as MathML for
// pages. Both are written from the same tree.
//
//     formula_text(R"(\frac{q \cdot k}{\sqrt D})")    q·k/√D
//     formula_text(R"(h_{t-1} + W^\top x)")           hₜ₋₁ + Wᵀ x
//
// A command that is not in the tables of formula.cpp, or a brace without its partner, throws
// heed::Error with the formula, so that a reader never meets raw LaTeX; a test converts all formulas
// of all lessons. There is no library for this in the distributions: blahtexml, the only small
// program, is Debian's alone and has not changed since 2010; pandoc is 150 MB.
#pragma once

#include <string>
#include <string_view>

namespace heed::course {

// One line. Sub- and superscripts are used where Unicode has all of their letters, otherwise _ and ^.
// Parts that stand apart (\quad) are separated by four spaces.
std::string formula_text(std::string_view latex);

// A <math> element; `display` for a formula on a line of its own. A long formula inside a sentence
// becomes several elements, with <wbr/> between them, where a line may end.
std::string formula_mathml(std::string_view latex, bool display = false);

}  // namespace heed::course
