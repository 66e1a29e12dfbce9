#include "lessons/course/exercise/judge.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <new>
#include <regex>
#include <set>
#include <sstream>

#include "autograd/base/error.h"
#include "autograd/base/input_file.h"
#include "autograd/base/pool.h"
#include "autograd/check/gradcheck.h"
#include "autograd/ops/ops.h"
#include "autograd/record/grad_mode.h"
#include "lessons/course/exercise/answer.h"
#include "lessons/course/exercise/journal.h"
#include "lessons/course/exercise/slips.h"

namespace heed::course {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::size_t after_blanks(const std::string& text, std::size_t at) {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
    return at;
}

// The word that ends before this place, blanks and the signs of references left out. Behind an operator it is empty: in
// `a > f(x)` and `a && f(x)`.
std::string word_before(const std::string& text, std::size_t at) {
    const auto is_blank = [&](std::size_t i) {
        return std::isspace(static_cast<unsigned char>(text[i])) != 0;
    };
    for (; at > 0 && (is_blank(at - 1) || text[at - 1] == '&' || text[at - 1] == '>'); --at)
        if (!is_blank(at - 1) && at > 1 && is_blank(at - 2)) return "";
    std::size_t first = at;
    while (first > 0 && is_word(text[first - 1])) --first;
    return text.substr(first, at - first);
}

// Where the text has this word, from a place on; npos if it has it no more.
std::size_t find_word(const std::string& text, const std::string& word, std::size_t from) {
    for (std::size_t at = from; (at = text.find(word, at)) != std::string::npos; ++at) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end])))
            return at;
    }
    return std::string::npos;
}

// Whether the word at this place is called by its owner: heed::softmax, x.softmax, p->softmax.
bool has_owner(const std::string& text, std::size_t at) {
    const std::string before = text.substr(at < 2 ? 0 : at - 2, std::min<std::size_t>(at, 2));
    return before.ends_with('.') || before == "->" || before == "::";
}

// Whether the word at this place is being declared: `Tensor softmax(const Tensor& x) {`, `const auto softmax = [...]`,
// a parameter or another variable of this name.
bool is_declared(const std::string& text, const std::string& name, std::size_t at) {
    if (has_owner(text, at)) return false;
    static const std::set<std::string> no_types{"return", "else", "case", "throw", "co_return",
                                                "new",    "do",   "and",  "or",    "not"};
    const std::string before = word_before(text, at);
    if (std::isupper(static_cast<unsigned char>(name[0])))
        return before == "struct" || before == "class" || before == "using";
    if (!before.empty()) return !no_types.contains(before);
    // One of several: `double x = 1, softmax = 2;`, `const auto [x, softmax] = both();`.
    static const std::regex of_list("^\\s*=[^=]"), bindings("auto\\s*&*\\s*\\[([^\\]]*,)?\\s*$");
    const std::size_t from = at < 80 ? 0 : at - 80;
    const std::string left = text.substr(from, at - from),
                      right = text.substr(at + name.size(), 80);
    const std::size_t last = left.find_last_not_of(" \t\n");
    return (last != std::string::npos && left[last] == ',' && std::regex_search(right, of_list)) ||
           std::regex_search(left, bindings);
}

// Whether the text uses the library's function or type of this name: `softmax(x)`, `MultiHead heads(8, 2, rng)`. A
// name that the reader has declared is the reader's, wherever it stands: it is better to miss a call than to refuse
// a file for a name.
bool uses(const std::string& text, const std::string& name) {
    std::vector<std::size_t> places;
    for (std::size_t at = 0; (at = find_word(text, name, at)) != std::string::npos; ++at)
        places.push_back(at);
    const bool type = std::isupper(static_cast<unsigned char>(name[0])),
               own = std::any_of(places.begin(), places.end(),
                                 [&](std::size_t at) { return is_declared(text, name, at); });
    return std::any_of(places.begin(), places.end(), [&](std::size_t at) {
        const std::size_t next = after_blanks(text, at + name.size());
        const bool called = next < text.size() && (text[next] == '(' || text[next] == '{'),
                   of_heed = text.substr(0, at).ends_with("heed::");
        return (type || called) && (!own || of_heed);
    });
}

std::string index_text(const Shape& shape, int64_t flat) {
    std::string text;
    for (int axis = shape.dim() - 1; axis >= 0; --axis) {
        const auto index = flat % shape[axis];
        text = fmt::format("{}{}{}", index, text.empty() ? "" : ", ", text);
        flat /= shape[axis];
    }
    return fmt::format("[{}]", text);
}

constexpr const char* no_tensor =
    "Your function has returned an empty tensor, as `Tensor y;` is one before something is assigned to it.";

std::string formula_line(const std::string& formula) {
    return formula.empty() ? "" : "\nThe formula: " + formula;
}

std::string mistake_line(const std::string& words) {
    return "\nA mistake that many make: " + words + ".";
}

// nan and 0 have no sign: the one that an operation leaves means nothing.
std::string shown(double number) {
    return std::isnan(number) ? "nan" : fmt::format("{:.6g}", number == 0 ? 0.0 : number);
}

// Both with as many digits as it takes to see that they differ.
std::pair<std::string, std::string> told_apart(double a, double b) {
    std::pair<std::string, std::string> both{shown(a), shown(b)};
    for (int digits = 7; a != b && both.first == both.second && digits <= 17; ++digits)
        both = {fmt::format("{:.{}g}", a, digits), fmt::format("{:.{}g}", b, digits)};
    return both;
}

constexpr const char* of_float =
    "\nThe numbers are right in about seven digits, which is as exact as a float is. This check wants those of a double. "
    "Is there a float in your file, a number such as 0.5f, float32, or a small step in place of a derivative?";

// What can be the cause of a NaN where a number is expected.
std::string cause_of_nan(double found, double expected) {
    if (!std::isnan(found) || std::isnan(expected)) return "";
    return "\nnan is the result of 0/0, of 0 times infinity, of infinity minus infinity, and of the root "
           "or the logarithm of a negative number. Which of them can occur here?";
}

// What one wrong derivative tells.
std::string slip_of_slope(double found, double right) {
    const double much = 1e-6 * std::abs(right);
    if (std::abs(found + right) <= much) return "\nIt has the opposite sign.";
    if (found == 0 && right != 0)
        return "\nNothing arrives at this input. Is it used by an operation on the tape?";
    for (int n = 2; n <= 8; ++n) {
        if (std::abs(found - n * right) <= much)
            return fmt::format("\nIt is {} times the right one.", n);
        if (std::abs(n * found - right) <= much)
            return fmt::format("\nIt is 1/{} of the right one.", n);
    }
    return "";
}

// What an exception says. The standard library's own words are "std::bad_alloc" and the like.
std::string in_words(const std::exception& error) {
    const std::string said = error.what();
    if (dynamic_cast<const std::bad_alloc*>(&error) && said.starts_with("std::"))
        return "there is not so much memory. Is a size negative, or much too large?";
    if (dynamic_cast<const std::length_error*>(&error))
        return "a vector or text cannot be so long. Is its size negative, or much too large?";
    if (dynamic_cast<const std::out_of_range*>(&error))
        return fmt::format("an index or a key is outside ({})", said);
    if (said.find("the tensor is not defined") != std::string::npos ||
        said.find("an input is not defined") != std::string::npos)
        return "a tensor has no numbers. Tensor() makes one without numbers, and std::vector<Tensor>(n) "
               "makes n of them; each needs a value.";
    return said;
}

// The name of the type that is being thrown: "int".
std::string thrown_type() {
    const std::type_info* type = abi::__cxa_current_exception_type();
    if (!type) return "an unknown type";
    int status = 0;
    char* name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
    const std::string text = status == 0 && name ? name : type->name();
    std::free(name);
    return text;
}

// "\nLine 12 of your file throws.", if no other line does. The text keeps the lines of the file.
std::string line_that_throws(const std::string& source) {
    static const std::regex a_throw("\\bthrow\\b");
    std::istringstream lines(source);
    int number = 0, found = 0, count = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (std::regex_search(line, a_throw)) found = number, ++count;
    }
    return count == 1 ? fmt::format("\nLine {} of your file throws.", found) : "";
}

// The function of the library that takes a tensor off the tape, if the text calls one of them.
std::string cuts_the_tape(const std::string& source) {
    for (const char* name : {"detach", "item", "to_vector", "NoGrad"})
        if (uses(source, name)) return name;
    return "";
}

// In small letters, without blanks at the ends.
std::string plain(const std::string& word) {
    const std::size_t first = word.find_first_not_of(" \t\n"),
                      last = word.find_last_not_of(" \t\n");
    std::string text = first == std::string::npos ? "" : word.substr(first, last - first + 1);
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

std::string known_mistake(const std::vector<WrongChoice>& mistakes, const std::string& found) {
    for (const WrongChoice& mistake : mistakes)
        if (plain(mistake.result) == plain(found)) return mistake_line(mistake.words);
    return "";
}

// The words that a choice takes, if `found` is none of them. Their order does not tell which is right.
std::string words_to_choose(const std::vector<WrongChoice>& mistakes, const std::string& expected,
                            const std::string& found) {
    std::set<std::string> words{expected};
    for (const WrongChoice& mistake : mistakes) words.insert(mistake.result);
    const std::set<std::string> of_a_curve{"falls", "flat", "rises", "valley"};
    if (of_a_curve.contains(expected)) words.insert(of_a_curve.begin(), of_a_curve.end());
    std::string list;
    for (const std::string& word : words) {
        if (plain(word) == plain(found)) return "";
        list += (list.empty() ? "" : ", ") + word;
    }
    return fmt::format("\nThe words to choose from: {}.", list);
}

// Whether the number is the other one with fewer digits after the point, such as 5 for 5.4. Nobody rounds a
// probability to 0 or 1.
bool is_rounded(double number, double other) {
    if (number == 0 || std::abs(number) == 1 || std::abs(number - other) > 0.1 * std::abs(other))
        return false;
    for (const double unit : {1.0, 0.1, 0.01})
        if (std::abs(std::round(other / unit) * unit - number) < 1e-9) return true;
    return false;
}

}  // namespace

void Judge::examine(const std::string& what, FunctionRef<std::string()> complaint) {
    if (!failed_.empty() || not_written_) return;
    journal::check_begins(what);
    std::string found;
    try {
        found = complaint();
    } catch (const NotWritten&) {
        not_written_ = true;
        return;
    } catch (const std::exception& error) {
        found = "It stopped with an error: " + in_words(error);
    } catch (const std::string& text) {
        found = fmt::format("It has thrown the text \"{}\", which nobody catches.", text);
    } catch (const char* text) {
        found = fmt::format("It has thrown the text \"{}\", which nobody catches.", text);
    } catch (...) {
        found = fmt::format("It has thrown an exception of the type {}, which nobody catches.{}",
                            thrown_type(), line_that_throws(source_));
    }
    // Before all else, because an input that has changed makes later results wrong for no reason that one sees.
    if (const std::string changed = changed_input(); !changed.empty()) found = changed;
    if (found.empty()) {
        held_.push_back(what);
    } else {
        failed_ = what;
        complaint_ = found;
    }
}

void Judge::given(const std::vector<Given>& inputs) {
    for (const Given& input : inputs)
        given_.push_back({input.name, input.tensor, copy_of(input.tensor)});
}

std::string Judge::changed_input() const {
    for (const Kept& input : given_) {
        const std::vector<double> before = input.before.to_vector(), now = input.tensor.to_vector();
        const int64_t at = first_difference(before, now, 0);
        if (at < 0) continue;
        return fmt::format(
            "Your function has changed {}, which must stay as it is: at index {} it was {}, and is {} after "
            "the call.\nA Tensor is a handle: `Tensor y = x;` gives the same numbers another name. "
            "copy_of(x) has numbers of its own.",
            input.name, index_text(input.before.shape(), at), shown(before[at]), shown(now[at]));
    }
    return "";
}

void Judge::own(const std::vector<std::string>& functions) {
    for (const std::string& name : functions)
        if (failed_.empty() && uses(source_, name)) {
            failed_ = "written by you";
            const bool type = std::isupper(static_cast<unsigned char>(name[0]));
            complaint_ = fmt::format(
                "Your file uses {}{} of the library, which does what you are asked to write. Use "
                "smaller operations.",
                name, type ? "" : "()");
        }
    if (failed_.empty() && source_.find("##") != std::string::npos) {
        failed_ = "written by you";
        complaint_ =
            "Your file makes names of pieces, with ##. Write them out: what is used must be seen.";
    }
}

void Judge::equal(const std::string& what, FunctionRef<Tensor()> found, const Tensor& expected,
                  const Comparison& comparison) {
    examine(what, [&]() -> std::string {
        const bool in_double = expected.dtype() == Dtype::float64;
        const double scale = scale_of(expected.to_vector()),
                     tolerance = comparison.tolerance.value_or(in_double ? 1e-9 : 1e-6) * scale,
                     loose = std::max(tolerance, 1e-6 * scale);  // for what people do instead
        for (const Mistake& mistake : comparison.mistakes)
            check(mistake.result.shape() != expected.shape() ||
                      !same(mistake.result, expected, loose),
                  "judge: the mistake '{}' is no mistake here", mistake.words);
        const Tensor returned = found();
        if (!returned.defined()) return std::string(no_tensor);
        const Tensor result = detach(returned);
        const std::vector<double> ours = result.to_vector(), theirs = expected.to_vector();
        const bool same_shape = result.shape() == expected.shape();
        const int64_t at = same_shape ? first_difference(ours, theirs, tolerance) : 0;
        if (at < 0 && in_double && result.dtype() != Dtype::float64)
            return fmt::format("The numbers are right, but the result is {}, and {} is expected.",
                               result.dtype(), expected.dtype());
        if (at < 0) return "";
        std::string known;
        for (const Mistake& mistake : comparison.mistakes)
            if (known.empty() && same(result, mistake.result, loose))
                known = mistake_line(mistake.words);
        if (known.empty()) known = slip_in(result, expected, loose);
        for (const Kept& input : given_)
            if (known.empty()) known = slip_with(input.name, input.before, result, expected, loose);
        if (!same_shape)
            return fmt::format("The shape is {}, expected is {}.{}{}", result.shape(),
                               expected.shape(), formula_line(comparison.formula), known);
        const auto within = [&](double share) {
            return first_difference(ours, theirs, share * scale) < 0;
        };
        const std::string where =
            expected.dim() == 0
                ? std::string("Expected")
                : fmt::format("At index {}: expected", index_text(expected.shape(), at));
        const auto [right, wrong] = told_apart(theirs[at], ours[at]);
        if (in_double && within(3e-7) && !within(1e-10))
            return fmt::format("{} {}, found {}.{}", where, right, wrong, of_float);
        return fmt::format("{} {}, found {}.{}{}{}", where, right, wrong,
                           cause_of_nan(ours[at], theirs[at]), formula_line(comparison.formula),
                           known);
    });
}

void Judge::number(const std::string& what, FunctionRef<double()> found, double expected,
                   const NumberComparison& comparison) {
    examine(what, [&]() -> std::string {
        const double result = found();
        const auto near = [&](double number, double other) {
            return same_number(number, other,
                               comparison.tolerance * std::max(std::abs(other), 1.0));
        };
        if (near(result, expected)) return "";
        // The right number is not told: the reader is to find it.
        std::string text =
            fmt::format("{} is not right.{}{}", shown(result), cause_of_nan(result, expected),
                        formula_line(comparison.formula));
        if (is_rounded(result, expected)) return text + "\nIf it is rounded, give more digits.";
        for (const WrongNumber& mistake : comparison.mistakes)
            if (near(result, mistake.result)) return text + mistake_line(mistake.words);
        if (expected > 0 && expected < 1 && near(result, 100 * expected))
            return text + "\nIf it is in percent: 25 % is the number 0.25.";
        return text;
    });
}

void Judge::equal(const std::string& what, FunctionRef<std::string()> found,
                  const std::string& expected, const std::vector<WrongChoice>& mistakes) {
    examine(what, [&]() -> std::string {
        const std::string result = found();
        if (result == expected) return "";
        return fmt::format("Expected \"{}\", found \"{}\".{}", expected, result,
                           known_mistake(mistakes, result));
    });
}

void Judge::choice(const std::string& what, FunctionRef<std::string()> found,
                   const std::string& expected, const std::vector<WrongChoice>& mistakes) {
    examine(what, [&]() -> std::string {
        const std::string result = found();
        if (plain(result) == plain(expected)) return "";
        return fmt::format("\"{}\" is not right.{}{}", result, known_mistake(mistakes, result),
                           words_to_choose(mistakes, expected, result));
    });
}

void Judge::refuses(const std::string& what, FunctionRef<void()> call, const std::string& why) {
    examine(what, [&]() -> std::string {
        try {
            call();
        } catch (const Error&) {
            return "";
        }
        return why;
    });
}

void Judge::gradient(const std::string& what, FunctionRef<Tensor(const std::vector<Tensor>&)> f,
                     const std::vector<Tensor>& inputs, const std::vector<Mistake>& mistakes) {
    const std::size_t before = given_.size();
    examine(what, [&]() -> std::string {
        std::vector<Tensor> leaves;
        for (const Tensor& input : inputs)
            leaves.push_back(to_dtype(detach(input), Dtype::float64));
        // Before the check, which speaks of itself and not of the reader's function.
        std::vector<Tensor> recorded;
        for (const Tensor& leaf : leaves) recorded.push_back(copy_of(leaf).set_requires_grad());
        for (std::size_t i = 0; i < leaves.size(); ++i)
            given_.push_back({fmt::format("input {}", i + 1), recorded[i], copy_of(leaves[i])});
        const Tensor y = f(recorded);
        if (!y.defined()) return std::string(no_tensor);
        if (y.dtype() != Dtype::float64)
            return fmt::format("The inputs are float64, and the result is {}.", y.dtype());
        const std::string cut = cuts_the_tape(source_);
        if (!y.requires_grad())
            return fmt::format(
                "The result has no gradient: no operation between the inputs and it is on the "
                "tape.{}",
                cut.empty()
                    ? ""
                    : fmt::format(" Your file uses {}, which takes a tensor off the tape.", cut));
        const GradcheckReport report = gradcheck(f, leaves);
        if (report.pass) return "";
        const auto [found, right] = told_apart(report.analytic, report.numeric);
        std::string text =
            fmt::format("The gradient of input {} at index {} is {}; finite differences give {}.",
                        report.input + 1,
                        report.index < 0 ? "(a random direction)"
                                         : index_text(leaves[report.input].shape(), report.index),
                        found, right);
        if (!report.hollow.empty())
            text = "The gradient of an input is 0 or nearly so, which proves nothing.";
        if (!cut.empty())
            text += fmt::format(
                "\nYour file uses {}, which takes a tensor off the tape: what is computed from "
                "it has no gradient there. Is that meant?",
                cut);
        text += slip_of_slope(report.analytic, report.numeric);
        for (const Mistake& mistake : mistakes) text += mistake_line(mistake.words);
        return text;
    });
    given_.resize(before);
}

void Judge::bytes(const std::string& what, FunctionRef<void()> call, double most,
                  const std::string& why) {
    examine(what, [&]() -> std::string {
        const std::size_t before = memory_use().in_use;
        reset_peak_memory();
        call();
        const auto needed = static_cast<double>(memory_use().peak - before);
        if (needed <= most) return "";
        return fmt::format("It needs {:.3g} MB at one time; {:.3g} MB are enough. {}", needed / 1e6,
                           most / 1e6, why);
    });
}

void Judge::holds(const std::string& what, FunctionRef<bool()> found, const std::string& why) {
    examine(what, [&]() -> std::string { return found() ? "" : why; });
}

Judge::Verdict Judge::verdict() const {
    if (not_written_) return Verdict::not_written;
    return failed_.empty() ? Verdict::solved : Verdict::not_yet;
}

std::string Judge::text() const {
    std::string text;
    if (not_written_ && held_.empty()) return "Not written yet.\n";
    for (const std::string& what : held_) text += fmt::format("✓ {}\n", what);
    if (not_written_) text += "The next part is not written yet.\n";
    if (!failed_.empty()) text += fmt::format("✗ {}\n{}\n", failed_, complaint_);
    return text;
}

int run_judge(void (*judge)(Judge&), const std::string& answer_file,
              const std::string& journal_file) {
    if (!journal_file.empty()) journal::open(journal_file);
    Judge judgement(without_comments(read_regular_file(answer_file)));
    judge(judgement);
    const Judge::Verdict verdict = judgement.verdict();
    journal::ends(verdict == Judge::Verdict::solved    ? "solved"
                  : verdict == Judge::Verdict::not_yet ? "not yet"
                                                       : "not written",
                  judgement.text());
    return verdict == Judge::Verdict::solved ? 0 : 1;
}

}  // namespace heed::course
