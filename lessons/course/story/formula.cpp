#include "lessons/course/story/formula.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <vector>

#include "autograd/base/error.h"
#include "autograd/base/utf8.h"
#include "lessons/course/terminal/markup.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

enum class TermKind {
    row,       // its parts, one after the other
    letter,    // a variable
    function,  // a name of several letters: tanh, softmax
    number,
    symbol,    // anything else that acts like a letter: ∂, ∇, ℓ, |, …
    relation,  // =, ≈, ∈, →
    plus,      // + and −, with spaces around them unless they are a sign
    times,     // ·, ×, /
    open,      // ( and [
    close,
    comma,  // , and ;
    big,    // ∑, ∏, ∫
    text,
    space,     // text holds the spaces
    fraction,  // parts: above, below
    root,
    scripts,  // parts: base, below, above; an empty row where there is none
    accent,   // parts: base; text is the combining mark
    matrix,   // parts: rows, whose parts are the cells
};

struct Term {
    TermKind kind = TermKind::row;
    std::string text{};
    std::vector<Term> parts{};
    bool spaced = false;  // the author wrote a space before it
    int size = 0;         // of a delimiter: 0 as it is, 1 \big, 2 \Big
    bool small = false;   // \tfrac
    bool infix = false;   // at an end of a piece, and still between two things

    bool empty() const { return kind == TermKind::row && parts.empty(); }
};

// --- The tables.

const std::map<std::string, std::string, std::less<>>& letters() {
    static const std::map<std::string, std::string, std::less<>> table = {
        {"alpha", "α"}, {"beta", "β"},      {"gamma", "γ"}, {"delta", "δ"},  {"epsilon", "ε"},
        {"zeta", "ζ"},  {"eta", "η"},       {"theta", "θ"}, {"kappa", "κ"},  {"lambda", "λ"},
        {"mu", "μ"},    {"nu", "ν"},        {"xi", "ξ"},    {"pi", "π"},     {"rho", "ρ"},
        {"sigma", "σ"}, {"tau", "τ"},       {"phi", "ϕ"},   {"varphi", "φ"}, {"chi", "χ"},
        {"psi", "ψ"},   {"omega", "ω"},     {"ell", "ℓ"},   {"Gamma", "Γ"},  {"Delta", "Δ"},
        {"Theta", "Θ"}, {"Lambda", "Λ"},    {"Sigma", "Σ"}, {"Phi", "Φ"},    {"Psi", "Ψ"},
        {"Omega", "Ω"}, {"varepsilon", "ε"}};
    return table;
}

struct Sign {
    TermKind kind;
    const char* text;
};

const std::map<std::string, Sign, std::less<>>& signs() {
    static const std::map<std::string, Sign, std::less<>> table = {
        {"cdot", {TermKind::times, "·"}},      {"times", {TermKind::times, "×"}},
        {"odot", {TermKind::times, "⊙"}},      {"pm", {TermKind::plus, "±"}},
        {"le", {TermKind::relation, "≤"}},     {"ge", {TermKind::relation, "≥"}},
        {"ne", {TermKind::relation, "≠"}},     {"approx", {TermKind::relation, "≈"}},
        {"sim", {TermKind::relation, "∼"}},    {"equiv", {TermKind::relation, "≡"}},
        {"propto", {TermKind::relation, "∝"}}, {"in", {TermKind::relation, "∈"}},
        {"ll", {TermKind::relation, "≪"}},     {"gg", {TermKind::relation, "≫"}},
        {"to", {TermKind::relation, "→"}},     {"leftarrow", {TermKind::relation, "←"}},
        {"mapsto", {TermKind::relation, "↦"}}, {"mid", {TermKind::relation, "|"}},
        {"partial", {TermKind::symbol, "∂"}},  {"nabla", {TermKind::symbol, "∇"}},
        {"infty", {TermKind::symbol, "∞"}},    {"top", {TermKind::symbol, "⊤"}},
        {"dots", {TermKind::symbol, "…"}},     {"ldots", {TermKind::symbol, "…"}},
        {"cdots", {TermKind::symbol, "⋯"}},    {"sum", {TermKind::big, "∑"}},
        {"prod", {TermKind::big, "∏"}},        {"int", {TermKind::big, "∫"}},
        {"{", {TermKind::open, "{"}},          {"}", {TermKind::close, "}"}},
        {"lfloor", {TermKind::open, "⌊"}},     {"rfloor", {TermKind::close, "⌋"}},
        {"lceil", {TermKind::open, "⌈"}},      {"rceil", {TermKind::close, "⌉"}},
        {"|", {TermKind::symbol, "‖"}},        {"%", {TermKind::symbol, "%"}},
        {"&", {TermKind::symbol, "&"}},        {"_", {TermKind::symbol, "_"}},
        {",", {TermKind::space, " "}},         {";", {TermKind::space, " "}},
        {":", {TermKind::space, " "}},         {" ", {TermKind::space, " "}},
        {"quad", {TermKind::space, "    "}},   {"qquad", {TermKind::space, "    "}}};
    return table;
}

constexpr const char* functions[] = {"ln",   "log", "exp", "sin", "cos", "tan",
                                     "tanh", "max", "min", "arg", "det", "lim"};

const std::map<std::string, const char*, std::less<>>& accents() {
    static const std::map<std::string, const char*, std::less<>> table = {{"tilde", "\u0303"},
                                                                          {"hat", "\u0302"},
                                                                          {"bar", "\u0304"},
                                                                          {"dot", "\u0307"},
                                                                          {"vec", "\u20D7"}};
    return table;
}

struct Script {
    const char *plain, *below, *above;  // null where Unicode has none
};

constexpr Script script_letters[] = {
    {"0", "₀", "⁰"},     {"1", "₁", "¹"},     {"2", "₂", "²"},     {"3", "₃", "³"},
    {"4", "₄", "⁴"},     {"5", "₅", "⁵"},     {"6", "₆", "⁶"},     {"7", "₇", "⁷"},
    {"8", "₈", "⁸"},     {"9", "₉", "⁹"},     {"+", "₊", "⁺"},     {"−", "₋", "⁻"},
    {"=", "₌", "⁼"},     {"(", "₍", "⁽"},     {")", "₎", "⁾"},     {"a", "ₐ", "ᵃ"},
    {"b", nullptr, "ᵇ"}, {"c", nullptr, "ᶜ"}, {"d", nullptr, "ᵈ"}, {"e", "ₑ", "ᵉ"},
    {"f", nullptr, "ᶠ"}, {"g", nullptr, "ᵍ"}, {"h", "ₕ", "ʰ"},     {"i", "ᵢ", "ⁱ"},
    {"j", "ⱼ", "ʲ"},     {"k", "ₖ", "ᵏ"},     {"l", "ₗ", "ˡ"},     {"m", "ₘ", "ᵐ"},
    {"n", "ₙ", "ⁿ"},     {"o", "ₒ", "ᵒ"},     {"p", "ₚ", "ᵖ"},     {"r", "ᵣ", "ʳ"},
    {"s", "ₛ", "ˢ"},     {"t", "ₜ", "ᵗ"},     {"u", "ᵤ", "ᵘ"},     {"v", "ᵥ", "ᵛ"},
    {"w", nullptr, "ʷ"}, {"x", "ₓ", "ˣ"},     {"y", nullptr, "ʸ"}, {"z", nullptr, "ᶻ"},
    {"B", nullptr, "ᴮ"}, {"D", nullptr, "ᴰ"}, {"H", nullptr, "ᴴ"}, {"K", nullptr, "ᴷ"},
    {"L", nullptr, "ᴸ"}, {"M", nullptr, "ᴹ"}, {"N", nullptr, "ᴺ"}, {"T", nullptr, "ᵀ"},
    {"β", "ᵦ", "ᵝ"},     {"ρ", "ᵨ", nullptr}, {"φ", "ᵩ", "ᵠ"},     {"χ", "ᵪ", "ᵡ"},
    {"⊤", nullptr, "ᵀ"}, {"∗", nullptr, "*"}, {"′", nullptr, "′"}, {"/", nullptr, nullptr}};

// --- Reading.

class Reading {
  public:
    explicit Reading(std::string_view latex) : all_(latex), rest_(latex) {}

    Term formula() {
        Term row = parts();
        if (!rest_.empty()) stop("{} without its partner", rest_.substr(0, 1));
        return row;
    }

  private:
    template <class... Args>
    [[noreturn]] void stop(fmt::format_string<Args...> why, Args&&... args) const {
        fail("formula '{}': {}", all_, fmt::format(why, std::forward<Args>(args)...));
    }

    bool skip_spaces() {
        const std::size_t before = rest_.size();
        rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n"), rest_.size()));
        return rest_.size() != before;
    }

    bool take(std::string_view text) {
        if (!rest_.starts_with(text)) return false;
        rest_.remove_prefix(text.size());
        return true;
    }

    // Parts up to a closing brace, the end of a cell, or the end.
    Term parts() {
        Term row;
        bool spaced = false;  // a space after a command only ends its name
        bool command = false;
        while (true) {
            const bool space = skip_spaces();
            spaced = space && (!command || row.parts.back().kind == TermKind::scripts);
            if (rest_.empty() || rest_[0] == '}' || rest_[0] == '&' || rest_.starts_with("\\\\") ||
                rest_.starts_with("\\end") || rest_.starts_with("\\right"))
                return row;
            const std::size_t before = rest_.size();
            const std::string_view source = rest_;
            Term node = with_scripts(atom());
            node.spaced = spaced;
            const std::string_view read = source.substr(0, before - rest_.size());
            const std::size_t name =
                read.find_last_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
            command = name != std::string_view::npos && read[name] == '\\';
            row.parts.push_back(std::move(node));
        }
    }

    Term with_scripts(Term base) {
        Term below, above;
        while (true) {
            skip_before_script();
            if (take("'")) {
                while (take("'")) above.parts.push_back({TermKind::symbol, "′"});
                above.parts.push_back({TermKind::symbol, "′"});
            } else if (!rest_.empty() && (rest_[0] == '_' || rest_[0] == '^')) {
                Term& script = rest_[0] == '_' ? below : above;
                const std::string_view mark = rest_.substr(0, 1);
                if (!script.empty() && script.parts.back().text != "′")
                    stop("two {} in a row", mark);
                rest_.remove_prefix(1);
                script.parts.push_back(argument());
            } else {
                break;
            }
        }
        if (below.empty() && above.empty()) return base;
        return {TermKind::scripts, "", {std::move(base), std::move(below), std::move(above)}};
    }

    // "x ^2" is a script too, but a space is kept where none follows.
    void skip_before_script() {
        const std::size_t next = rest_.find_first_not_of(" \n");
        if (next != std::string_view::npos && (rest_[next] == '_' || rest_[next] == '^'))
            rest_.remove_prefix(next);
    }

    // What follows a command or a script mark: one token, or a group in braces.
    Term argument() {
        skip_spaces();
        if (rest_.empty() || rest_[0] == '}') stop("something is missing at the end");
        if (std::isdigit(static_cast<unsigned char>(rest_[0]))) {  // \frac12 is one half
            Term digit{TermKind::number, std::string(rest_.substr(0, 1))};
            rest_.remove_prefix(1);
            return digit;
        }
        return atom();
    }

    std::string words() {  // the text in braces, as it is; or one letter
        skip_spaces();
        if (!take("{")) {
            if (rest_.empty()) stop("something is missing at the end");
            const std::string letter(rest_.substr(0, 1));
            rest_.remove_prefix(1);
            return letter;
        }
        const std::size_t end = rest_.find('}');
        if (end == std::string_view::npos) stop("{{ without its partner");
        const std::string text(rest_.substr(0, end));
        if (text.find_first_of("\\{$") != std::string::npos) stop("a command inside of text");
        rest_.remove_prefix(end + 1);
        return text;
    }

    Term atom() {
        if (take("{")) {
            Term row = parts();
            if (!take("}")) stop("{{ without its partner");
            if (row.parts.size() == 1) return row.parts[0];
            return row;
        }
        if (take("\\")) return command();
        const char c = rest_[0];
        if (std::isdigit(static_cast<unsigned char>(c))) return number();
        const Utf8Point point = utf8_first(rest_);
        if (point.bytes <= 0) stop("not UTF-8");
        const std::string text(rest_.substr(0, static_cast<std::size_t>(point.bytes)));
        rest_.remove_prefix(text.size());
        if (std::isalpha(static_cast<unsigned char>(c)) || point.value > 0x7F)
            return {TermKind::letter, text};
        switch (c) {
            case '(':
            case '[':
                return {TermKind::open, text};
            case ')':
            case ']':
                return {TermKind::close, text};
            case '+':
                return {TermKind::plus, text};
            case '-':
                return {TermKind::plus, "−"};
            case '/':
                return {TermKind::times, text};
            case '*':
                return {TermKind::symbol, "∗"};
            case '=':
            case '<':
            case '>':
            case ':':
                return {TermKind::relation, text};
            case ',':
            case ';':
            case '.':
                return {TermKind::comma, text};
            case '|':
            case '!':
            case '?':
                return {TermKind::symbol, text};
            default:
                stop("the character {} is not allowed", text);
        }
    }

    // Digits with a point, or with commas between thousands: 0.5, 1,000, 655{,}360.
    Term number() {
        std::string digits;
        const auto is_digit = [&](std::size_t at) {
            return at < rest_.size() && std::isdigit(static_cast<unsigned char>(rest_[at]));
        };
        while (
            is_digit(0) || (rest_.starts_with('.') && is_digit(1)) ||
            (rest_.starts_with(',') && is_digit(1) && is_digit(2) && is_digit(3) && !is_digit(4)) ||
            (rest_.starts_with("{,}") && is_digit(3))) {
            if (take("{,}")) digits += ',';
            digits += rest_[0];
            rest_.remove_prefix(1);
        }
        return {TermKind::number, digits};
    }

    Term command() {
        std::size_t length = 0;
        while (length < rest_.size() && std::isalpha(static_cast<unsigned char>(rest_[length])))
            ++length;
        if (length == 0) length = std::min<std::size_t>(1, rest_.size());
        const std::string name(rest_.substr(0, length));
        rest_.remove_prefix(length);

        if (const auto found = letters().find(name); found != letters().end())
            return {TermKind::letter, found->second};
        if (const auto found = signs().find(name); found != signs().end())
            return {found->second.kind, found->second.text};
        if (std::find(std::begin(functions), std::end(functions), name) != std::end(functions))
            return {TermKind::function, name};
        if (name == "operatorname" || name == "mathrm") return {TermKind::function, words()};
        if (name == "text") return {TermKind::text, words()};
        if (name == "mathcal") return {TermKind::letter, script_capital(words())};
        if (name == "frac" || name == "tfrac") {
            Term above = argument();
            Term below = argument();
            Term node{TermKind::fraction, "", {std::move(above), std::move(below)}};
            node.small = name == "tfrac";
            return node;
        }
        if (name == "sqrt") return {TermKind::root, "", {argument()}};
        if (const auto found = accents().find(name); found != accents().end())
            return {TermKind::accent, found->second, {argument()}};
        if (name == "big" || name == "Big" || name == "left") {
            skip_spaces();
            Term delimiter = rest_.empty() ? Term{} : atom();
            if (name == "left") return between(std::move(delimiter));
            delimiter.size = name == "big" ? 1 : 2;
            return delimiter;
        }
        if (name == "begin") return matrix();
        stop("the command \\{} is not known", name);
    }

    // \left( ... \right), which grow with what is between them.
    Term between(Term open) {
        Term row = parts();
        if (!take("\\right")) stop("\\left without \\right");
        skip_spaces();
        if (rest_.empty()) stop("\\right without its bracket");
        open.size = 1;
        row.parts.insert(row.parts.begin(), std::move(open));
        row.parts.push_back(atom());
        row.parts.back().size = 1;
        return row;
    }

    Term matrix() {
        const std::string name = words();
        if (name != "pmatrix") stop("\\begin{{{}}} is not known", name);
        Term matrix{TermKind::matrix, "", {Term{}}};
        while (true) {
            matrix.parts.back().parts.push_back(parts());
            if (take("&")) continue;
            if (take("\\\\")) {
                matrix.parts.emplace_back();
                continue;
            }
            if (!take("\\end")) stop("\\begin without \\end");
            if (words() != name) stop("\\end of something else");
            return matrix;
        }
    }

    std::string script_capital(const std::string& letter) const {
        static const std::map<std::string, std::string> table = {
            {"N", "𝒩"}, {"L", "ℒ"}, {"O", "𝒪"}, {"F", "ℱ"}, {"R", "ℛ"}};
        const auto found = table.find(letter);
        if (found == table.end()) stop("\\mathcal {} is not known", letter);
        return found->second;
    }

    std::string_view all_, rest_;
};

Term parse_formula(std::string_view latex) { return Reading(latex).formula(); }

// --- What both ways of writing need to know.

// The kind that decides about spaces: a script counts as its base.
TermKind kind_of(const Term& node) {
    return node.kind == TermKind::scripts || node.kind == TermKind::accent ? kind_of(node.parts[0])
                                                                           : node.kind;
}

// Something that can be multiplied by what stands beside it.
bool is_factor(TermKind kind) {
    return kind != TermKind::relation && kind != TermKind::plus && kind != TermKind::times &&
           kind != TermKind::comma && kind != TermKind::space && kind != TermKind::close &&
           kind != TermKind::open;
}

// + or - is a sign at the beginning and after what cannot be added to.
bool is_sign(const Term& row, std::size_t at) {
    if (row.parts[at].infix) return false;
    if (at == 0) return true;
    const TermKind before = kind_of(row.parts[at - 1]);
    return before == TermKind::relation || before == TermKind::plus || before == TermKind::times ||
           before == TermKind::open || before == TermKind::comma || before == TermKind::space;
}

// --- Writing Unicode.

std::string in_unicode(const Term& node);

// The letters of a script, or an empty text if one of them has none.
std::string raised(std::string_view text, bool above) {
    std::string out;
    while (!text.empty()) {
        const auto* found =
            std::find_if(std::begin(script_letters), std::end(script_letters),
                         [&](const Script& script) { return text.starts_with(script.plain); });
        if (found == std::end(script_letters)) return "";
        const char* letter = above ? found->above : found->below;
        if (!letter) return "";
        out += letter;
        text.remove_prefix(std::string_view(found->plain).size());
    }
    return out;
}

bool one_letter_or_word(std::string_view text) {
    if (text.empty() || utf8_first(text).bytes == static_cast<int>(text.size())) return true;
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return std::isalnum(static_cast<unsigned char>(c)); });
}

std::string script(const Term& node, bool above) {
    std::string text = in_unicode(node);
    std::erase(text, ' ');
    if (text.empty()) return "";
    const std::string small = raised(text, above);
    if (!small.empty()) return small;
    const char* mark = above ? "^" : "_";
    return one_letter_or_word(text) ? mark + text : fmt::format("{}({})", mark, text);
}

// Whether the row is a function with its argument, p(a) or ∇p(a): the bracket that opens after the name is
// closed by the last one.
bool is_application(const Term& row) {
    std::size_t at = 0;
    if (at < row.parts.size() && kind_of(row.parts[at]) == TermKind::symbol) ++at;
    if (at + 2 >= row.parts.size() || !is_factor(kind_of(row.parts[at])) ||
        kind_of(row.parts[at]) == TermKind::fraction || row.parts[at + 1].spaced)
        return false;
    int depth = 0;
    for (++at; at < row.parts.size(); ++at) {
        const TermKind kind = kind_of(row.parts[at]);
        depth += kind == TermKind::open;
        depth -= kind == TermKind::close;
        if (depth == 0) return at + 1 == row.parts.size() && kind == TermKind::close;
    }
    return false;
}

// Whether a part of a fraction needs no brackets: one thing, ∂ or ∇ of one thing, or p(a); above the line
// also a product.
bool stands_alone(const Term& node, bool above) {
    if (node.kind == TermKind::fraction || node.kind == TermKind::text) return false;
    if (node.kind != TermKind::row) return true;
    if (node.parts.size() <= 1) return node.parts.empty() || stands_alone(node.parts[0], above);
    const bool derivative = node.parts.size() == 2 && kind_of(node.parts[0]) == TermKind::symbol &&
                            is_factor(kind_of(node.parts[1]));
    const bool product = std::all_of(node.parts.begin(), node.parts.end(), [](const Term& part) {
        const TermKind kind = kind_of(part);
        return kind == TermKind::letter || kind == TermKind::number || kind == TermKind::symbol ||
               kind == TermKind::times;
    });
    return derivative || is_application(node) || (above && product);
}

std::string bracketed(const Term& node, bool above) {
    const std::string text = in_unicode(node);
    return stands_alone(node, above) ? text : "(" + text + ")";
}

std::string row_in_unicode(const Term& row) {
    std::string out;
    const auto space = [&] {
        if (!out.empty() && out.back() != ' ') out += ' ';
    };
    for (std::size_t i = 0; i < row.parts.size(); ++i) {
        const Term& node = row.parts[i];
        const TermKind kind = kind_of(node),
                       before = i > 0 ? kind_of(row.parts[i - 1]) : TermKind::space,
                       after =
                           i + 1 < row.parts.size() ? kind_of(row.parts[i + 1]) : TermKind::space;
        const bool sign = kind == TermKind::plus && is_sign(row, i);
        const bool multiplied =
            is_factor(before) || before == TermKind::close;  // by what is before
        std::string text = in_unicode(node);
        if (kind == TermKind::relation || (kind == TermKind::plus && !sign)) {
            space();
            out += text + ' ';
        } else if (kind == TermKind::space) {
            if (text.size() > 1) {
                out.erase(out.find_last_not_of(' ') + 1);
                out += out.empty() ? "" : text;
            } else {
                space();
            }
        } else if (kind == TermKind::comma) {
            out.erase(out.find_last_not_of(' ') + 1);
            out += text;
            if (i + 1 < row.parts.size() && row.parts[i + 1].spaced) out += ' ';
        } else if (kind == TermKind::big || kind == TermKind::function) {
            if (multiplied) space();
            out += text;
            if (after != TermKind::open && after != TermKind::space && after != TermKind::close &&
                after != TermKind::comma)
                space();
        } else {
            const bool factor = is_factor(kind) || kind == TermKind::open;
            if (factor && node.spaced && multiplied && before != TermKind::big &&
                before != TermKind::function)
                space();
            if (kind == TermKind::fraction &&
                (multiplied || is_factor(after) || before == TermKind::times ||
                 after == TermKind::times || after == TermKind::open) &&
                before != TermKind::big && before != TermKind::function)
                text = "(" + text + ")";
            out += text;
        }
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out;
}

std::string in_unicode(const Term& node) {
    switch (node.kind) {
        case TermKind::row:
            return row_in_unicode(node);
        case TermKind::fraction:
            return bracketed(node.parts[0], true) + "/" + bracketed(node.parts[1], false);
        case TermKind::root: {
            const Term& inside = node.parts[0];
            const std::string text = in_unicode(inside);
            const bool one = inside.kind == TermKind::letter || inside.kind == TermKind::number;
            return one ? "√" + text : "√(" + text + ")";
        }
        case TermKind::scripts: {
            const Term& base = node.parts[0];
            std::string text = in_unicode(base);
            if (base.kind == TermKind::row || base.kind == TermKind::fraction)
                text = "(" + text + ")";
            return text + script(node.parts[1], false) + script(node.parts[2], true);
        }
        case TermKind::accent:
            return in_unicode(node.parts[0]) + node.text;
        case TermKind::matrix: {
            std::string out;
            for (const Term& row : node.parts) {
                out += out.empty() ? "(" : ";  ";
                for (std::size_t i = 0; i < row.parts.size(); ++i)
                    out += (i > 0 ? "  " : "") + in_unicode(row.parts[i]);
            }
            return out + ")";
        }
        default:
            return node.text;
    }
}

// --- Writing MathML.

std::string in_mathml(const Term& node, bool display);

std::string tag(const char* name, const std::string& inside) {
    return fmt::format("<{0}>{1}</{0}>", name, inside);
}

// A part that must be one element.
std::string element(const Term& node, bool display) {
    if (node.kind == TermKind::row && node.parts.size() == 1)
        return element(node.parts[0], display);
    const std::string inside = in_mathml(node, display);
    return node.kind == TermKind::row ? tag("mrow", inside) : inside;
}

std::string row_in_mathml(const Term& row, bool display) {
    constexpr const char* thin = R"(<mspace width="0.167em"/>)";
    std::string out;
    for (std::size_t i = 0; i < row.parts.size(); ++i) {
        const Term& node = row.parts[i];
        const TermKind kind = kind_of(node),
                       before = i > 0 ? kind_of(row.parts[i - 1]) : TermKind::space,
                       after =
                           i + 1 < row.parts.size() ? kind_of(row.parts[i + 1]) : TermKind::space;
        const bool function = kind == TermKind::function;
        if (function && (is_factor(before) || before == TermKind::close) && before != TermKind::big)
            out += thin;
        if (node.kind == TermKind::plus && is_sign(row, i))
            out += fmt::format(R"(<mo form="prefix" lspace="0" rspace="0">{}</mo>)", node.text);
        else if (node.infix)
            out += fmt::format(R"(<mo form="infix">{}</mo>)", escape(node.text));
        else
            out += in_mathml(node, display);
        if (function && is_factor(after)) out += thin;
    }
    return out;
}

std::string delimiter(const Term& node) {
    const std::string text = escape(node.text);
    if (node.size == 0)
        return fmt::format(R"(<mo stretchy="false" lspace="0" rspace="0">{}</mo>)", text);
    const char* size = node.size == 1 ? "1.2em" : "1.8em";
    return fmt::format(
        R"(<mo stretchy="true" symmetric="true" minsize="{0}" maxsize="{0}" lspace="0" )"
        R"(rspace="0">{1}</mo>)",
        size, text);
}

std::string scripts_in_mathml(const Term& node, bool display) {
    const Term &base = node.parts[0], &below = node.parts[1], &above = node.parts[2];
    const bool limits = base.kind == TermKind::big || (display && base.kind == TermKind::function &&
                                                       (base.text == "max" || base.text == "min"));
    const char* name = below.empty()   ? (limits ? "mover" : "msup")
                       : above.empty() ? (limits ? "munder" : "msub")
                                       : (limits ? "munderover" : "msubsup");
    // Browsers let a bracket grow as the base of a script only inside of a row.
    const bool bracket = base.kind == TermKind::open || base.kind == TermKind::close;
    std::string inside = bracket ? tag("mrow", delimiter(base)) : element(base, display);
    if (!below.empty()) inside += element(below, false);
    if (!above.empty()) inside += element(above, false);
    return tag(name, inside);
}

// Browsers leave out spaces at the ends of a text.
std::string text_in_mathml(const std::string& text) {
    constexpr const char* space = R"(<mspace width="0.25em"/>)";
    const std::size_t first = text.find_first_not_of(' '), end = text.find_last_not_of(' ') + 1;
    if (first == std::string::npos) return space;
    const std::string inside = tag("mtext", text.substr(first, end - first));
    if (first == 0 && end == text.size()) return inside;
    return tag("mrow", (first > 0 ? space : "") + inside + (end < text.size() ? space : ""));
}

bool is_flat(const Term& node) {
    if (node.kind == TermKind::row)
        return std::all_of(node.parts.begin(), node.parts.end(), is_flat);
    return node.kind == TermKind::letter || node.kind == TermKind::number ||
           node.kind == TermKind::plus || node.kind == TermKind::times;
}

// The sign is one letter high at least. Above a small letter it would hang below the line, so what is
// under it takes the height of a large one.
std::string root_in_mathml(const Term& under, bool display) {
    const std::string inside = in_mathml(under, display);
    return tag("msqrt", is_flat(under)
                            ? R"(<mpadded height="0.8em" depth="0.1em">)" + inside + "</mpadded>"
                            : inside);
}

std::string in_mathml(const Term& node, bool display) {
    const std::string text = escape(node.text);
    switch (node.kind) {
        case TermKind::row:
            return row_in_mathml(node, display);
        case TermKind::letter:
            return tag("mi", text);
        case TermKind::function:
            return text.size() == 1 ? fmt::format(R"(<mi mathvariant="normal">{}</mi>)", text)
                                    : tag("mi", text);
        case TermKind::number:
            return tag("mn", text);
        case TermKind::symbol:
            if (node.text == "|" || node.text == "‖") return delimiter(node);
            if (node.text == "′" || node.text == "⊤" || node.text == "∗" || node.text == "!")
                return tag("mo", text);
            return tag("mi", text);
        case TermKind::relation:
            if (node.text == "|" || node.text == ":")
                return fmt::format(
                    R"(<mo stretchy="false" lspace="0.278em" rspace="0.278em">{}</mo>)", text);
            return tag("mo", text);
        case TermKind::plus:
        case TermKind::big:
            return tag("mo", text);
        case TermKind::times:
            return node.text == "/"   ? R"(<mo lspace="0" rspace="0">/</mo>)"
                   : node.text == "·" ? "<mo>⋅</mo>"
                                      : tag("mo", text);
        case TermKind::open:
        case TermKind::close:
            return delimiter(node);
        case TermKind::comma:
            return fmt::format(R"(<mo separator="true" lspace="0" rspace="0.25em">{}</mo>)", text);
        case TermKind::text:
            return text_in_mathml(text);
        case TermKind::space:
            return node.text.size() > 1 ? R"(<mspace width="2em"/>)" : R"(<mspace width="0.2em"/>)";
        case TermKind::fraction: {
            const std::string parts = element(node.parts[0], false) + element(node.parts[1], false);
            if (node.small && display)
                return R"(<mstyle displaystyle="false">)" + tag("mfrac", parts) + "</mstyle>";
            return tag("mfrac", parts);
        }
        case TermKind::root:
            return root_in_mathml(node.parts[0], display);
        case TermKind::scripts:
            return scripts_in_mathml(node, display);
        case TermKind::accent: {
            const char* mark = node.text == "\u0303"   ? "~"
                               : node.text == "\u0302" ? "^"
                               : node.text == "\u0304" ? "¯"
                               : node.text == "\u0307" ? "˙"
                                                       : "→";
            return fmt::format(R"(<mover accent="true">{}<mo stretchy="false">{}</mo></mover>)",
                               element(node.parts[0], display), mark);
        }
        case TermKind::matrix: {
            std::string rows;
            for (const Term& row : node.parts) {
                std::string cells;
                for (const Term& cell : row.parts) cells += tag("mtd", in_mathml(cell, false));
                rows += tag("mtr", cells);
            }
            return "<mrow><mo>(</mo>" + tag("mtable", rows) + "<mo>)</mo></mrow>";
        }
    }
    return "";
}

// --- Long formulas. Browsers do not break lines inside <math>, so a long formula becomes several.

bool is_relation(const Term& row, std::size_t at) {
    const Term& node = row.parts[at];
    return node.kind == TermKind::relation && node.text != "|" && node.text != ":" && at > 0;
}

bool is_sum(const Term& row, std::size_t at) {
    return row.parts[at].kind == TermKind::plus && at > 0 && !is_sign(row, at);
}

bool is_wide_space(const Term& node) {
    return node.kind == TermKind::space && node.text.size() > 1;
}

bool ends_part(const Term& row, std::size_t at) {
    return is_wide_space(row.parts[at]) ||
           (row.parts[at].kind == TermKind::comma && at + 1 < row.parts.size() &&
            row.parts[at + 1].spaced && !is_wide_space(row.parts[at + 1]));
}

// A row cut where `cut` says so, outside of all brackets, before the part or behind it.
std::vector<Term> pieces_of(const Term& row, bool (*cut)(const Term&, std::size_t), bool behind) {
    std::vector<Term> pieces{Term{}};
    int brackets = 0;
    for (std::size_t i = 0; i < row.parts.size(); ++i) {
        const Term& node = row.parts[i];
        brackets += (kind_of(node) == TermKind::open) - (kind_of(node) == TermKind::close);
        const bool here = brackets == 0 && i + 1 < row.parts.size() && cut(row, i);
        if (here && !behind) pieces.emplace_back();
        pieces.back().parts.push_back(node);
        if (here && (node.kind == TermKind::relation || node.kind == TermKind::plus))
            pieces.back().parts.back().infix = true;
        if (here && behind) pieces.emplace_back();
    }
    return pieces;
}

int letters_in(const Term& row) {
    const std::string text = in_unicode(row);
    return static_cast<int>(std::count_if(text.begin(), text.end(),
                                          [](char c) { return c != ' ' && (c & 0xC0) != 0x80; }));
}

// The row in pieces between which a line may end: at relations if it has more letters than `enough`,
// and where a piece is then still longer, at + and -.
std::string in_pieces(const Term& row, int enough, bool display) {
    std::vector<Term> pieces;
    if (letters_in(row) <= enough) {
        pieces = {row};
    } else {
        for (Term& piece : pieces_of(row, &is_relation, !display)) {
            if (letters_in(piece) <= enough) {
                pieces.push_back(std::move(piece));
                continue;
            }
            for (Term& smaller : pieces_of(piece, &is_sum, !display))
                pieces.push_back(std::move(smaller));
        }
    }
    std::string out;
    for (const Term& piece : pieces)
        out += fmt::format("{}<math{}>{}</math>", out.empty() ? "" : "<wbr/>",
                           display ? R"( displaystyle="true")" : "",
                           tag("mrow", row_in_mathml(piece, display)));
    return out;
}

}  // namespace

std::string formula_text(std::string_view latex) { return in_unicode(parse_formula(latex)); }

namespace {

void collect_matrices(const Term& node, std::vector<const Term*>& matrices) {
    if (node.kind == TermKind::matrix) return matrices.push_back(&node);
    for (const Term& part : node.parts) collect_matrices(part, matrices);
}

// The rows of a matrix between tall brackets.
std::vector<std::string> rows_of(const Term& matrix) {
    std::vector<int> widths;
    for (const Term& row : matrix.parts)
        for (std::size_t j = 0; j < row.parts.size(); ++j) {
            if (j == widths.size()) widths.push_back(0);
            widths[j] = std::max(widths[j], display_width(in_unicode(row.parts[j])));
        }
    std::vector<std::string> lines;
    const std::size_t count = matrix.parts.size();
    for (std::size_t i = 0; i < count; ++i) {
        const bool first = i == 0, last = i + 1 == count;
        std::string line = count == 1 ? "(" : first ? "⎛" : last ? "⎝" : "⎜";
        for (std::size_t j = 0; j < widths.size(); ++j) {
            const auto& cells = matrix.parts[i].parts;
            line += (j > 0 ? "  " : "") +
                    pad(j < cells.size() ? in_unicode(cells[j]) : "", widths[j], Align::right);
        }
        lines.push_back(line + (count == 1 ? ")" : first ? "⎞" : last ? "⎠" : "⎟"));
    }
    return lines;
}

}  // namespace

std::vector<std::string> formula_blocks(std::string_view latex) {
    const Term node = parse_formula(latex);
    std::vector<const Term*> matrices;
    collect_matrices(node, matrices);
    std::vector<std::string> blocks;
    std::size_t next = 0;  // the matrix that comes next in the text
    const std::string text = in_unicode(node);
    std::string_view rest = text;
    while (!rest.empty()) {
        // A part of the formula, with the matrices in it.
        std::string_view part = rest.substr(0, rest.find("    "));
        rest.remove_prefix(std::min(rest.find_first_not_of(' ', part.size()), rest.size()));
        std::vector<std::vector<std::string>> pieces;
        std::size_t height = 1;
        while (next < matrices.size()) {
            const std::string in_line = in_unicode(*matrices[next]);
            const std::size_t at = part.find(in_line);
            if (at == std::string_view::npos) break;
            pieces.push_back({std::string(part.substr(0, at))});
            pieces.push_back(rows_of(*matrices[next++]));
            height = std::max(height, pieces.back().size());
            part.remove_prefix(at + in_line.size());
        }
        pieces.push_back({std::string(part)});

        std::vector<std::string> lines(height);
        for (const auto& piece : pieces) {
            const std::size_t above = (height - piece.size()) / 2;
            const int width = display_width(piece[0]);
            for (std::size_t i = 0; i < height; ++i)
                lines[i] +=
                    i >= above && i < above + piece.size() ? piece[i - above] : pad("", width);
        }
        std::string block;
        for (std::string& line : lines) block += line.erase(line.find_last_not_of(' ') + 1) + "\n";
        blocks.push_back(block);
    }
    return blocks;
}

std::string formula_mathml(std::string_view latex, bool display) {
    const Term row = parse_formula(latex);
    constexpr int enough_in_text = 30, enough_displayed = 22;
    if (!display) return in_pieces(row, enough_in_text, false);
    std::string out;
    for (Term& part : pieces_of(row, &ends_part, true)) {
        const bool apart = !part.empty() && is_wide_space(part.parts.back());
        if (apart) part.parts.pop_back();
        if (part.empty()) continue;
        out += fmt::format("<span class=\"part{}\">{}</span>", apart ? " apart" : "",
                           in_pieces(part, enough_displayed, true));
    }
    return out;
}

}  // namespace heed::course
