#include "lessons/course/report/predict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <istream>
#include <optional>
#include <ostream>
#include <string_view>

#include "autograd/base/error.h"
#include "lessons/course/report/files.h"
#include "lessons/course/terminal/markup.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// "0.95", "95 %" (meaning 0.95), "20,000", "1e-3", "40x".
std::optional<double> parse_guess(std::string text) {
    double divisor = 1;
    if (text.ends_with('%')) divisor = 100;
    if (text.ends_with('%') || text.ends_with('x')) text = trimmed(text.substr(0, text.size() - 1));
    for (std::size_t at = text.find(','); at != std::string::npos; at = text.find(',', at)) {
        const std::size_t group = text.find_first_not_of("0123456789", at + 1);
        if (std::min(group, text.size()) - at != 4)
            return std::nullopt;  // a comma only after thousands
        text.erase(at, 1);
    }
    if (text.empty() || text.find_first_not_of("0123456789.+-eE") != std::string::npos)
        return std::nullopt;
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (*end != '\0' || !std::isfinite(value)) return std::nullopt;
    return value / divisor;
}

// A choice by its letter or by its text.
std::optional<std::size_t> find_choice(const Question& question, const std::string& text) {
    const auto found = std::find(question.choices.begin(), question.choices.end(), text);
    if (found != question.choices.end())
        return static_cast<std::size_t>(found - question.choices.begin());
    if (text.size() != 1) return std::nullopt;
    const char letter =
        text[0] >= 'A' && text[0] <= 'Z' ? static_cast<char>(text[0] + 32) : text[0];
    const std::size_t index = static_cast<std::size_t>(letter - 'a');
    return letter >= 'a' && index < question.choices.size() ? std::optional(index) : std::nullopt;
}

// Asks until `accept` returns true, and says between two tries what is expected of what has been typed. Returns
// false if the input has ended.
template <class Expected, class Accept>
bool ask_until(std::istream& in, std::ostream& out, const std::string& prompt,
               const Expected& expected, const Screen& screen, const Accept& accept) {
    for (std::string line;;) {
        out << prompt << std::flush;
        if (!std::getline(in, line)) {
            out << "\n";
            return false;
        }
        const std::string typed = trimmed(line);
        if (accept(typed)) return true;
        out << wrap(expected(typed), screen.measure(), "  ");
    }
}

bool accept_guess(Question& question, const std::string& text) {
    if (text.empty()) return true;
    if (question.choices.empty()) {
        if (text.ends_with('%') && !question.close.is_share) return false;
        const std::optional<double> value = parse_guess(text);
        if (!value || *value < question.close.low || *value > question.close.high) return false;
        question.guessed_number = *value;
        question.guess = number(*value);
    } else {
        const std::optional<std::size_t> index = find_choice(question, text);
        if (!index) return false;
        question.guess = question.choices[*index];
    }
    question.answered = true;
    return true;
}

// "a number from 0 to 1, like 0.8 or 80%"
std::string range_in_words(const Closeness& close) {
    const char* const like = close.is_share ? ", like 0.8 or 80%" : "";
    if (std::isfinite(close.low) && std::isfinite(close.high))
        return fmt::format("a number from {} to {}{}", number(close.low), number(close.high), like);
    return fmt::format("a number{}{}", close.low == 0 ? " that is not negative" : "",
                       close.is_share ? like : ", like 0.8 or 20");
}

}  // namespace

Closeness Closeness::from(double least, double most) const {
    Closeness closeness = *this;
    closeness.low = least, closeness.high = most;
    closeness.is_share = least == 0 && most == 1;
    return closeness;
}

Closeness Closeness::share() const {
    Closeness closeness = *this;
    closeness.is_share = true;
    return closeness;
}

bool Closeness::right(double guess, double truth) const {
    if (std::fabs(guess - truth) <= amount * (1 + 1e-9)) return true;
    const double ratio = guess / truth;
    return factor > 1 && ratio <= factor && ratio >= 1 / factor;
}

Closeness within(double amount) {
    return {amount, 1, fmt::format("an answer within {} counts as right", number(amount))};
}

Closeness within_factor(double factor) {
    return {0, factor,
            fmt::format("an answer within a factor of {} counts as right", number(factor))};
}

std::string question_lines(const Question& question, const Screen& screen) {
    std::string lines = wrap(markup_to_screen(question.text, screen), screen.measure(), "  ");
    if (question.choices.empty()) {
        const std::string range =
            std::isfinite(question.close.low) ? range_in_words(question.close) + "; " : "";
        lines +=
            wrap(screen.paint(range + question.close.words, Ink::faint), screen.measure(), "  ");
    }
    for (std::size_t i = 0; i < question.choices.size(); ++i)
        lines += wrap(fmt::format("{}) {}", static_cast<char>('a' + i), question.choices[i]),
                      screen.measure(), "    ");
    return lines;
}

bool ask(Question& question, std::istream& in, std::ostream& out, const Screen& screen) {
    out << question_lines(question, screen);
    const bool numeric = question.choices.empty();
    const char last =
        static_cast<char>('a' + std::max<std::size_t>(question.choices.size(), 1) - 1);
    const auto expected = [&](const std::string& typed) {
        if (!numeric)
            return fmt::format("please type a letter from a to {}; Enter skips the question", last);
        const bool percent = typed.ends_with('%') && !question.close.is_share;
        return fmt::format("{}please type {}; Enter skips the question",
                           percent ? "the question does not ask for a share, so without %: " : "",
                           range_in_words(question.close));
    };
    if (!ask_until(in, out, screen.paint("  your guess: ", Ink::accent), expected, screen,
                   [&](const std::string& text) { return accept_guess(question, text); }))
        return false;
    if (!question.answered) return true;

    question.confidence =
        numeric ? 50 : static_cast<int>(100 / std::max<std::size_t>(1, question.choices.size()));
    const std::string prompt = screen.paint(
        fmt::format("  how sure are you, in percent [{}]: ", question.confidence), Ink::accent);
    const auto whole = [](const std::string&) {
        return "please type a whole number from 0 to 100";
    };
    return ask_until(in, out, prompt, whole, screen, [&](std::string text) {
        if (text.ends_with('%')) text = trimmed(text.substr(0, text.size() - 1));
        if (text.empty()) return true;
        const std::optional<double> value = parse_guess(text);
        if (!value || *value < 0 || *value > 100) return false;
        question.confidence = static_cast<int>(std::lround(*value));
        return true;
    });
}

void reveal(Question& question, double truth) {
    check(question.choices.empty(), "question '{}': its answer is one of {}, not a number",
          question.text, fmt::join(question.choices, ", "));
    question.revealed = true;
    question.truth = number(truth);
    question.right = question.answered && question.close.right(question.guessed_number, truth);
}

void reveal(Question& question, const std::string& truth) {
    const auto& choices = question.choices;
    check(std::find(choices.begin(), choices.end(), truth) != choices.end(),
          "question '{}': '{}' is not one of {}", question.text, truth, fmt::join(choices, ", "));
    question.revealed = true;
    question.truth = truth;
    question.right = question.answered && question.guess == truth;
}

std::string prediction_line(LessonNumber lesson, const Question& question,
                            const std::string& date) {
    return fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}", lesson.typed(), field(question.text),
                       field(question.guess), question.confidence, field(question.truth),
                       question.right ? 1 : 0, date);
}

}  // namespace heed::course
