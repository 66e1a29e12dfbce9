// Numbers in the text of a lesson. The text names a claim, and the reader sees what was measured, so nobody types
// a result:
//
//     written    It translates {exact-match:%} of the sentences, against {scores/exact-match:%} in lesson {scores}.
//     read       It translates 95 % of the sentences, against 91 % in lesson 10.
//
// In braces stand names of claims and numbers, with + - * / between spaces and ( ). A name is that of a claim of
// this lesson, or lesson-name/claim-name. Its value is the median of the full runs that are kept in spread.json.
// Behind a colon stands how it is written:
//
//     {exact-match}           0.951            three digits
//     {exact-match:2}         0.95             two digits after the point
//     {exact-match:%}         95 %             {exact-match:% 1} is 95.1 %
//     {exact-match:range}     0.912 to 0.968   the smallest and the largest seed; also "range 2", "range %"
//
// What a sentence says about numbers stands before it as a condition. A reader sees nothing of it, and a test holds
// it (faults_in):
//
//     {if with-attention > without-attention + 0.1}       of the medians
//     {if all with-attention > without-attention}         with each seed
//     {count with-attention > without-attention}          the same as words, "19 of 20": of the seeds
//
// Comparisons are < and >, and "and" stands between two of them. {no results} says that the decimals that come
// after it are no results of a run but settings, worked by hand or taken from a paper: in its paragraph, or, if it
// stands alone, to the end of the section. {full run} stands before a sentence about rows or figures that a quick
// run does not show; after a quick run a reader sees "(full run)" there. The same mark stands, by itself, before a sentence
// with a condition that does not hold with the numbers of the reader's quick run, and with a number or a condition
// that this run has not measured. It holds to the end of its paragraph, item or row, and stands there once. Formulas and code are left as they
// are, and \{ is a brace.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heed::course {

// What a reader of a quick run sees before the first sentence of a paragraph that only a full run shows. In
// brackets it stands as well before a sentence as inside one.
inline constexpr std::string_view full_run_mark = "*(full run)*";

// What a run has measured, by the names of its claims.
using Measured = std::map<std::string, double>;

// The Markdown with numbers instead of braces, and the numbers of lessons and exercises instead of their names
// (references.h). `lesson` is the name of the lesson whose text it is. Where the run beside the text has measured the
// number too, it stands beside that of the kept runs, "0.951 [(this run 0.943)](own:)", unless both look the same;
// after a quick one "(this quick run 0.943)". A claim that was never measured with many seeds is said to be so. `quick`: the results beside the text are those of
// a quick run. Throws heed::Error for braces that cannot be read.
std::string woven(std::string_view markdown, const std::string& lesson, const Measured& own = {},
                  bool quick = false);

// What is wrong with the braces of a text, each in a sentence: claims that were not measured, conditions that do
// not hold.
std::vector<std::string> faults_in(std::string_view markdown, const std::string& lesson);

// Whether the text ends with "et al." or the like, whose full stop ends no sentence: "Bahdanau et al. (2015)" goes on.
bool ends_with_abbreviation(std::string_view text);

// Whether the text has a number of a run.
bool has_woven_numbers(std::string_view markdown);

}  // namespace heed::course
