#include "lessons/course/contents/woven.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <sstream>
#include <utility>

#include "autograd/base/error.h"
#include "lessons/course/contents/kept_seeds.h"
#include "lessons/course/contents/references.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {

bool ends_with_abbreviation(std::string_view text) {
    for (const std::string_view word : {"al.", "cf.", "e.g.", "i.e.", "vs."})
        if (text.ends_with(word) &&
            (text.size() == word.size() ||
             std::string_view(" (\n").find(text[text.size() - word.size() - 1]) !=
                 std::string_view::npos))
            return true;
    return false;
}

namespace {

// --- Finding the braces.

struct Brace {
    std::size_t begin = 0, end = 0;  // in the text, with the braces
    std::string said;                // between them, in one line
};

// The end of what begins at `at` and is left as it is: code, a formula, an escaped character; `at` if nothing does.
std::size_t end_of_literal(std::string_view text, std::size_t at) {
    if (text[at] == '\\') return std::min(at + 2, text.size());
    if (text[at] != '`' && text[at] != '$') return at;
    std::size_t marks = 1;
    while (at + marks < text.size() && text[at + marks] == text[at]) ++marks;
    const std::string_view mark = text.substr(at, marks);
    const std::size_t end = text.find(mark, at + marks);
    return end == std::string_view::npos ? at + marks : end + marks;
}

// Whether a block of code begins with this line: an empty line is before it and four spaces at its beginning.
bool is_indented_code(std::string_view text, std::size_t line) {
    return text.substr(line).starts_with("    ") &&
           (line == 0 || text.substr(0, line).ends_with("\n\n"));
}

std::vector<Brace> braces_in(std::string_view text) {
    std::vector<Brace> all;
    bool in_code = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (at == 0 || text[at - 1] == '\n') {
            in_code =
                is_indented_code(text, at) || (in_code && text.substr(at).starts_with("    "));
            if (in_code) {
                at = std::min(text.find('\n', at), text.size());
                continue;
            }
        }
        if (const std::size_t end = end_of_literal(text, at); end > at) {
            at = end - 1;
            continue;
        }
        if (text[at] != '{') continue;
        const std::size_t end = text.find('}', at);
        check(end != std::string_view::npos, "{}: there is no }} to this {{", text.substr(at, 40));
        std::istringstream words{std::string(text.substr(at + 1, end - at - 1))};
        Brace brace{at, end + 1, ""};
        for (std::string word; words >> word;) brace.said += (brace.said.empty() ? "" : " ") + word;
        all.push_back(brace);
        at = end;
    }
    return all;
}

// --- Formulas of names and numbers.

// The value of a claim by its name, "exact-match" or "scores/exact-match".
using ValueOf = std::function<double(const std::string& name)>;

class Formula {
  public:
    Formula(std::string_view text, ValueOf value_of)
        : all_(text), value_of_(std::move(value_of)), rest_(all_) {
        skip_spaces();
    }

    double number() {
        const double value = sum();
        check(rest_.empty(), "{{{}}}: expected the end or + - * / between spaces, found '{}'", all_,
              rest_);
        return value;
    }

    // a > b, a > b > c, a > b and c < d. A comparison with NaN does not hold.
    bool condition() {
        bool holds = true;
        do {
            double left = sum();
            check(rest_.starts_with('<') || rest_.starts_with('>'),
                  "{{{}}}: expected < or >, found '{}'", all_, rest_);
            while (rest_.starts_with('<') || rest_.starts_with('>')) {
                const bool less = take("<") || !take(">");
                const double right = sum();
                holds = holds && (less ? left < right : left > right);
                left = right;
            }
        } while (take("and"));
        check(rest_.empty(), "{{{}}}: expected the end or 'and', found '{}'", all_, rest_);
        return holds;
    }

  private:
    double sum() {
        double value = product();
        while (true) {
            if (take("+"))
                value += product();
            else if (take("-"))
                value -= product();
            else
                return value;
        }
    }

    double product() {
        double value = factor();
        while (true) {
            if (take("*"))
                value *= factor();
            else if (take("/"))
                value /= factor();
            else
                return value;
        }
    }

    double factor() {
        if (take("-")) return -factor();
        if (take("(")) {
            const double value = sum();
            check(take(")"), "{{{}}}: expected ), found '{}'", all_, rest_);
            return value;
        }
        const auto in = [](const char* more) {
            return [more](unsigned char c) {
                return std::isdigit(c) || std::islower(c) || std::strchr(more, c);
            };
        };
        const auto word = [&](auto&& belongs) {
            const auto end = std::find_if_not(rest_.begin(), rest_.end(), belongs);
            const std::string found(rest_.begin(), end);
            rest_.remove_prefix(found.size());
            skip_spaces();
            return found;
        };
        check(!rest_.empty(), "{{{}}}: expected a name or a number at the end", all_);
        if (std::isdigit(static_cast<unsigned char>(rest_[0]))) {
            const std::string found = word(in("."));
            char* end = nullptr;
            const double value = std::strtod(found.c_str(), &end);
            check(*end == 0, "{{{}}}: expected a number, found '{}'", all_, found);
            return value;
        }
        const std::string name = word(in("-_/"));
        check(!name.empty() && std::islower(static_cast<unsigned char>(name[0])),
              "{{{}}}: expected the name of a claim, a number or (, found '{}'", all_,
              name.empty() ? rest_ : name);
        return value_of_(name);
    }

    bool take(std::string_view word) {
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        skip_spaces();
        return true;
    }

    void skip_spaces() {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
    }

    const std::string all_;
    const ValueOf value_of_;
    std::string_view rest_;  // what has not been read
};

// --- What a brace says.

struct Format {
    bool percent = false, range = false;
    int digits = -1;  // after the point; -1: three digits in all
};

Format format_of(const std::string& said, const Brace& brace) {
    Format format;
    std::istringstream words(said);
    for (std::string word; words >> word;) {
        if (word == "%")
            format.percent = true;
        else if (word == "range")
            format.range = true;
        else if (word.size() == 1 && std::isdigit(static_cast<unsigned char>(word[0])))
            format.digits = word[0] - '0';
        else
            fail("{{{}}}: expected %, range or a number of digits after the colon, found '{}'",
                 brace.said, word);
    }
    return format;
}

std::string in_words(double value, const Format& format) {
    if (format.percent) value *= 100;
    if (std::isfinite(value) && (format.percent || format.digits >= 0)) {
        const int digits = std::max(format.digits, 0);
        const double unit = std::pow(10, digits);
        value = std::round(value * unit) / unit + 0.0;  // and no minus before 0
        const std::string whole = number(std::trunc(value)),
                          all = fmt::format("{:.{}f}", std::abs(value), digits);
        return (value < 0 && whole[0] != '-' ? "-" : "") + whole +
               (digits > 0 ? all.substr(all.find('.')) : "") + (format.percent ? " %" : "");
    }
    return number(value, 3);
}

// The kept runs of all lessons that a text names.
class Kept {
  public:
    explicit Kept(std::string lesson) : lesson_(std::move(lesson)) {}

    // One number for each seed; empty if there are none.
    const std::vector<double>& seeds(const std::string& name) {
        const std::size_t slash = name.find('/');
        const std::string lesson = slash == std::string::npos ? lesson_ : name.substr(0, slash);
        auto found = lessons_.find(lesson);
        if (found == lessons_.end()) {
            const std::string path = kept_seeds_path(lesson);
            check(!path.empty() || slash == std::string::npos,
                  "{{{}}}: the course has no lesson of the name before the /", name);
            found = lessons_.emplace(lesson, kept_seeds(path, false)).first;
        }
        const std::string claim = slash == std::string::npos ? name : name.substr(slash + 1);
        const std::vector<double>& numbers = found->second[claim];
        if (numbers.empty()) missing_ = name;
        return numbers;
    }

    bool has_all() const { return missing_.empty(); }

    // The last claim that was asked for and is not kept, since the begin of a brace.
    const std::string& missing() const { return missing_; }
    void begin_brace() { missing_.clear(); }

  private:
    std::string lesson_, missing_;
    std::map<std::string, KeptSeeds> lessons_;
};

// A formula or a condition (1 or 0) with the numbers of each seed; empty if a claim was not measured.
std::vector<double> of_each_seed(const std::string& said, bool is_condition, const Brace& brace,
                                 Kept& kept) {
    const auto read = [&](const ValueOf& value_of) {
        Formula formula(said, value_of);
        return is_condition ? formula.condition() : formula.number();
    };
    std::size_t seeds = 0;
    read([&](const std::string& name) {
        const std::size_t size = kept.seeds(name).size();
        check(seeds == 0 || size == 0 || size == seeds,
              "{{{}}}: '{}' has {} seeds, and the claim before it {}", brace.said, name, size,
              seeds);
        seeds = std::max(seeds, size);
        return 0.0;
    });
    std::vector<double> values;
    for (std::size_t seed = 0; seed < seeds && kept.has_all(); ++seed)
        values.push_back(read([&](const std::string& name) { return kept.seeds(name)[seed]; }));
    return values;
}

const std::string no_results = "no results", full_run = "full run";

// Where the last sentence of the text begins, which may be its end: behind an empty line, a cell of a table, or the
// end of another sentence.
std::size_t begin_of_sentence(const std::string& text) {
    for (std::size_t at = text.size(); at > 0; --at) {
        const char last = text[at - 1];
        if (last == '|' || (last == '\n' && at > 1 && text[at - 2] == '\n')) return at;
        if (last != ' ' && last != '\n') continue;
        const std::size_t word = text.find_last_not_of(")\"*_ \n", at - 1);
        const bool ends = word != std::string::npos &&
                          std::string_view(".?!").find(text[word]) != std::string_view::npos &&
                          !ends_with_abbreviation(std::string_view(text).substr(0, word + 1));
        const bool item =
            word == at - 2 && text[word] == '-' && (word == 0 || text[word - 1] == '\n');
        if (ends || item) return at;
    }
    return 0;
}

// Where the last paragraph of the text begins, or the last item of a list or row of a table.
std::size_t begin_of_paragraph(const std::string& text) {
    for (std::size_t at = text.size(); at > 0; --at) {
        if (text[at - 1] != '\n') continue;
        const std::string_view line = std::string_view(text).substr(at);
        if (at > 1 && text[at - 2] == '\n') return at;
        const std::size_t number = line.find_first_not_of("0123456789");
        if (line.starts_with("- ") || line.starts_with("|") ||
            (number > 0 && number < line.size() && line.substr(number).starts_with(". ")))
            return at;
    }
    return 0;
}

// A mark holds to the end of the paragraph, so one is enough.
bool is_marked(const std::string& text) {
    return text.find(full_run_mark, begin_of_paragraph(text)) != std::string::npos;
}

// The rest of the text if it begins with the word; null otherwise.
const char* after(const std::string& text, std::string_view word) {
    return text.starts_with(word) ? text.c_str() + word.size() : nullptr;
}

bool is_number(const Brace& brace) {
    return brace.said != no_results && brace.said != full_run && !after(brace.said, "if ") &&
           !after(brace.said, "count ");
}

double of_medians(const std::string& formula, Kept& kept) {
    return Formula(formula, [&](const std::string& name) { return median(kept.seeds(name)); })
        .number();
}

// NaN if the run has not measured it.
double of_own_run(const std::string& formula, const Measured& own) {
    return Formula(formula,
                   [&](const std::string& name) {
                       const auto found = own.find(name);
                       return found == own.end() ? NAN : found->second;
                   })
        .number();
}

// What a number or a condition is computed from: without "if all", and without its format.
std::string formula_of(const Brace& brace) {
    for (const char* word : {"if all ", "if ", "count "})
        if (const char* rest = after(brace.said, word)) return rest;
    return brace.said.substr(0, brace.said.find(':'));
}

// Whether a run shows what the brace stands for: it has measured all claims of its lesson that are named, and if it
// is a condition, it holds.
bool is_shown(const Brace& brace, const Measured& own) {
    if (brace.said == full_run) return false;
    if (brace.said == no_results) return true;
    bool all_measured = true;
    const ValueOf value_of = [&](const std::string& name) {
        const auto found = own.find(name);
        const bool of_another_lesson = name.find('/') != std::string::npos;
        all_measured = all_measured && (of_another_lesson || found != own.end());
        return found == own.end() ? NAN : found->second;
    };
    Formula formula(formula_of(brace), value_of);
    if (is_number(brace)) {
        formula.number();
        return all_measured;
    }
    const bool holds = formula.condition();
    return all_measured && (holds || after(brace.said, "count "));
}

// What a reader sees in place of a brace.
std::string shown(const Brace& brace, Kept& kept, const Measured& own, bool quick) {
    kept.begin_brace();
    std::string text, own_run;
    if (const char* condition = after(brace.said, "count ")) {
        const std::vector<double> holds = of_each_seed(condition, true, brace, kept);
        text = fmt::format("{} of {}", std::count(holds.begin(), holds.end(), 1), holds.size());
    } else {
        const std::size_t colon = std::min(brace.said.find(':'), brace.said.size());
        const std::string formula = brace.said.substr(0, colon);
        check(std::any_of(formula.begin(), formula.end(),
                          [](unsigned char c) { return std::islower(c); }) ||
                  formula.empty(),
              "{{{}}}: names no claim; \\{{ is a brace of the text", brace.said);
        const Format format =
            format_of(brace.said.substr(std::min(colon + 1, brace.said.size())), brace);
        if (format.range) {
            std::vector<double> values = of_each_seed(formula, false, brace, kept);
            std::erase_if(values, [](double x) { return !std::isfinite(x); });
            if (!values.empty()) {
                const auto [low, high] = std::minmax_element(values.begin(), values.end());
                text = fmt::format("{} to {}", in_words(*low, format), in_words(*high, format));
            }
        } else {
            text = in_words(of_medians(formula, kept), format);
        }
        const double measured = of_own_run(formula, own);
        own_run = std::isfinite(measured) ? in_words(measured, format) : "";
    }
    if (!kept.has_all()) text = fmt::format("({}: not measured)", kept.missing());
    if (!own_run.empty() && own_run != text)
        text += fmt::format(" [({} {})](own:)", quick ? "this quick run" : "this run", own_run);
    return text;
}

}  // namespace

std::string woven(std::string_view markdown, const std::string& lesson, const Measured& own,
                  bool quick) {
    if (markdown.find('{') == std::string_view::npos) return std::string(markdown);
    const std::string text = with_numbers(markdown);
    Kept kept(lesson);
    std::string out;
    std::size_t at = 0;
    for (const Brace& brace : braces_in(text)) {
        out.append(text, at, brace.begin - at);
        at = brace.end;
        const bool silent =
            brace.said == no_results || brace.said == full_run || after(brace.said, "if ");
        if (quick && !is_marked(out) && !is_shown(brace, own))
            out.insert(silent ? out.size() : begin_of_sentence(out),
                       std::string(full_run_mark) + " ");
        if (!silent)
            out += shown(brace, kept, own, quick);
        else  // with the space or the line's end behind it
            at += at < text.size() && (text[at] == ' ' || text[at] == '\n');
    }
    return out.append(text, at, std::string::npos);
}

std::vector<std::string> faults_in(std::string_view markdown, const std::string& lesson) {
    std::vector<std::string> faults;
    Kept kept(lesson);
    const std::string text = with_numbers(markdown);
    for (const Brace& brace : braces_in(text)) {
        if (brace.said == no_results || brace.said == full_run) continue;
        kept.begin_brace();
        bool holds = true;
        try {
            if (const char* each = after(brace.said, "if all ")) {
                const std::vector<double> of = of_each_seed(each, true, brace, kept);
                holds = std::count(of.begin(), of.end(), 0) == 0;
            } else if (const char* condition = after(brace.said, "if ")) {
                const ValueOf value_of = [&](const std::string& name) {
                    return median(kept.seeds(name));
                };
                holds = Formula(condition, value_of).condition();
            } else {
                shown(brace, kept, {}, false);
            }
        } catch (const Error& error) {
            faults.push_back(error.what());
            continue;
        }
        if (!kept.has_all())
            faults.push_back(
                fmt::format("{{{}}}: there are no full runs of a claim '{}' in spread.json",
                            brace.said, kept.missing()));
        else if (!holds)
            faults.push_back(
                fmt::format("{{{}}}: this does not hold with the kept seeds", brace.said));
    }
    return faults;
}

bool has_woven_numbers(std::string_view markdown) {
    const std::string text = with_numbers(markdown);
    const std::vector<Brace> braces = braces_in(text);
    return std::any_of(braces.begin(), braces.end(), is_number);
}

}  // namespace heed::course
