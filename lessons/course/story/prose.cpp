#include "lessons/course/story/prose.h"

#include <fmt/format.h>
#include <md4c.h>

#include <algorithm>
#include <cctype>
#include <exception>

#include "autograd/base/error.h"
#include "lessons/course/story/formula.h"
#include "lessons/course/story/highlight.h"
#include "lessons/course/terminal/markup.h"
#include "lessons/course/terminal/table.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

enum class Kind {
    document,
    paragraph,
    heading,
    list,
    item,
    quote,
    code_block,
    rule,
    table,
    row,
    cell,
    text,
    emphasis,
    strong,
    code,
    formula,
    display,
    link,
    live,  // a figure that the reader can change: ![what to try](live:name)
    line_break
};

// The address of the reader's own number beside another (contents/woven.h): a link that leads nowhere.
constexpr std::string_view own_number = "own:";

struct Node {
    Kind kind;
    // The text; the address of a link; the language of a code block; the name of a live figure.
    std::string text{};
    std::vector<Node> parts{};
    int number = 0;       // the first number of a list, 0 without numbers; level of a heading
    bool header = false;  // a cell of the header
    std::string before{}, behind{};  // a formula: what a line may not part from it, as in "(x),"
};

// --- Reading: md4c calls these functions, which build a tree.

struct Tree {
    Node root{Kind::document};
    std::vector<Node*> open{&root};
    std::exception_ptr error{};  // what one of the functions below threw

    void enter(Node node) {
        open.back()->parts.push_back(std::move(node));
        open.push_back(&open.back()->parts.back());
    }
};

int enter_block(MD_BLOCKTYPE type, void* detail, void* user) {
    Tree& tree = *static_cast<Tree*>(user);
    switch (type) {
        case MD_BLOCK_DOC:
            tree.open = {&tree.root, &tree.root};
            break;
        case MD_BLOCK_H:
            tree.enter({Kind::heading,
                        "",
                        {},
                        static_cast<int>(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level)});
            break;
        case MD_BLOCK_UL:
            tree.enter({Kind::list});
            break;
        case MD_BLOCK_OL:
            tree.enter({Kind::list,
                        "",
                        {},
                        static_cast<int>(static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start)});
            break;
        case MD_BLOCK_LI:
            tree.enter({Kind::item});
            break;
        case MD_BLOCK_QUOTE:
            tree.enter({Kind::quote});
            break;
        case MD_BLOCK_HR:
            tree.enter({Kind::rule});
            break;
        case MD_BLOCK_CODE: {
            const MD_ATTRIBUTE& language = static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->lang;
            tree.enter(
                {Kind::code_block, std::string(language.text ? language.text : "", language.size)});
            break;
        }
        case MD_BLOCK_TABLE:
            tree.enter({Kind::table});
            break;
        case MD_BLOCK_TR:
            tree.enter({Kind::row});
            break;
        case MD_BLOCK_TH:
        case MD_BLOCK_TD:
            tree.enter({Kind::cell, "", {}, 0, type == MD_BLOCK_TH});
            break;
        case MD_BLOCK_THEAD:
        case MD_BLOCK_TBODY:
            tree.open.push_back(tree.open.back());
            break;
        default:
            tree.enter({Kind::paragraph});
    }
    return 0;
}

int leave_block(MD_BLOCKTYPE, void*, void* user) {
    static_cast<Tree*>(user)->open.pop_back();
    return 0;
}

int enter_span(MD_SPANTYPE type, void* detail, void* user) {
    Tree& tree = *static_cast<Tree*>(user);
    switch (type) {
        case MD_SPAN_EM:
            tree.enter({Kind::emphasis});
            break;
        case MD_SPAN_STRONG:
            tree.enter({Kind::strong});
            break;
        case MD_SPAN_CODE:
            tree.enter({Kind::code});
            break;
        case MD_SPAN_LATEXMATH:
            tree.enter({Kind::formula});
            break;
        case MD_SPAN_LATEXMATH_DISPLAY:
            tree.enter({Kind::display});
            break;
        case MD_SPAN_A: {
            const MD_ATTRIBUTE& address = static_cast<MD_SPAN_A_DETAIL*>(detail)->href;
            tree.enter({Kind::link, std::string(address.text, address.size)});
            break;
        }
        case MD_SPAN_IMG: {
            const MD_ATTRIBUTE& source = static_cast<MD_SPAN_IMG_DETAIL*>(detail)->src;
            const std::string address(source.text, source.size);
            check(address.starts_with("live:"), "prose: there is no picture {}", address);
            tree.enter({Kind::live, address.substr(5)});
            break;
        }
        default:
            tree.enter({Kind::text});
    }
    return 0;
}

int leave_span(MD_SPANTYPE, void*, void* user) {
    static_cast<Tree*>(user)->open.pop_back();
    return 0;
}

int add_text(MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* user) {
    std::vector<Node>& parts = static_cast<Tree*>(user)->open.back()->parts;
    if (type == MD_TEXT_BR) {
        parts.push_back({Kind::line_break});
    } else {
        if (parts.empty() || parts.back().kind != Kind::text || !parts.back().parts.empty())
            parts.push_back({Kind::text});
        parts.back().text += type == MD_TEXT_SOFTBR ? "\n" : std::string(text, size);
    }
    return 0;
}

// The function as md4c calls it. md4c is C: an exception that passed through it would leave its memory
// behind. It is kept for parse_markdown() instead, and md4c, told by 1 to stop, returns it all.
template <auto function, class... Arguments>
int guarded(Arguments... arguments, void* user) {
    try {
        return function(arguments..., user);
    } catch (...) {
        static_cast<Tree*>(user)->error = std::current_exception();
        return 1;
    }
}

Node parse_markdown(std::string_view markdown) {
    Tree tree;
    MD_PARSER parser{};
    parser.flags = MD_FLAG_TABLES | MD_FLAG_LATEXMATHSPANS | MD_FLAG_NOHTML;
    parser.enter_block = guarded<enter_block, MD_BLOCKTYPE, void*>;
    parser.leave_block = guarded<leave_block, MD_BLOCKTYPE, void*>;
    parser.enter_span = guarded<enter_span, MD_SPANTYPE, void*>;
    parser.leave_span = guarded<leave_span, MD_SPANTYPE, void*>;
    parser.text = guarded<add_text, MD_TEXTTYPE, const MD_CHAR*, MD_SIZE>;
    const int failed =
        md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, &tree);
    if (tree.error) std::rethrow_exception(tree.error);
    check(failed == 0, "prose: Markdown that cannot be read: {}", markdown.substr(0, 60));
    return tree.root;
}

std::string plain(const Node& node) {
    std::string text = node.kind == Kind::text ? node.text : "";
    for (const Node& part : node.parts) text += plain(part);
    return text;
}

// Curly quotes in the texts below a node, but not in code and formulas. `before` is the character before
// it, because the second quote of "*old*" stands behind the emphasis, in another node.
void curl_quotes(Node& node, char& before) {
    if (node.kind == Kind::code_block) return;
    if (node.kind == Kind::code || node.kind == Kind::formula || node.kind == Kind::display) {
        before = 'x';
        return;
    }
    if (!node.text.empty() && node.kind == Kind::text) {
        const char last = node.text.back();
        node.text = with_curly_quotes(node.text, before);
        before = last;
    }
    const bool inside_a_line = node.kind == Kind::text || node.kind == Kind::emphasis ||
                               node.kind == Kind::strong || node.kind == Kind::link;
    if (!inside_a_line) before = ' ';
    for (Node& part : node.parts) curl_quotes(part, before);
}

// How many bytes of punctuation the text begins with, or of a short ending as in "k-th"; with `at_end`,
// how many bytes of opening marks it ends with.
std::size_t tied(std::string_view text, bool at_end) {
    constexpr std::string_view closing[] = {",", ".", ";", ":", "!", "?", ")",
                                            "]", "%", "-", "/", "’", "”"},
                               opening[] = {"(", "[", "“", "‘"};
    std::size_t size = 0;
    for (bool more = true; more;) {
        more = false;
        const auto take = [&](std::string_view mark) {
            const std::string_view rest =
                at_end ? text.substr(0, text.size() - size) : text.substr(size);
            if (at_end ? !rest.ends_with(mark) : !rest.starts_with(mark)) return;
            size += mark.size();
            more = true;
        };
        if (at_end)
            for (const std::string_view mark : opening) take(mark);
        else
            for (const std::string_view mark : closing) take(mark);
    }
    std::size_t letters = size;
    while (!at_end && letters < text.size() &&
           std::isalpha(static_cast<unsigned char>(text[letters])))
        ++letters;
    return letters - size <= 3 ? letters : size;
}

// A browser may end a line on either side of a formula, so each formula takes the marks beside it.
void tie_formulas(Node& node) {
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
        tie_formulas(node.parts[i]);
        if (node.parts[i].kind != Kind::formula) continue;
        Node& formula = node.parts[i];
        if (i > 0 && node.parts[i - 1].kind == Kind::text) {
            std::string& text = node.parts[i - 1].text;
            const std::size_t size = tied(text, true);
            formula.before = text.substr(text.size() - size);
            text.erase(text.size() - size);
        }
        if (i + 1 < node.parts.size() && node.parts[i + 1].kind == Kind::text) {
            std::string& text = node.parts[i + 1].text;
            const std::size_t size = tied(text, false);
            formula.behind = text.substr(0, size);
            text.erase(0, size);
        }
    }
}

std::string tied_formula(const Node& node) {
    std::string html = formula_mathml(plain(node));
    const auto tie = [](const std::string& inside) {
        return "<span class=\"tied\">" + inside + "</span>";
    };
    const std::string before = escape(node.before), behind = escape(node.behind);
    const std::size_t first = html.find("</math>") + 7, last = html.rfind("<math>");
    if (last < first)  // it is in one piece
        return before.empty() && behind.empty() ? html : tie(before + html + behind);
    if (!behind.empty()) html = html.substr(0, last) + tie(html.substr(last) + behind);
    if (!before.empty()) html = tie(before + html.substr(0, first)) + html.substr(first);
    return html;
}

// --- HTML.

std::string html(const Node& node, const FigureHtml& figure);

std::string inside(const Node& node, const FigureHtml& figure) {
    std::string out;
    for (const Node& part : node.parts) out += html(part, figure);
    return out;
}

std::string element(const char* name, const Node& node, const FigureHtml& figure) {
    return fmt::format("<{0}>{1}</{0}>", name, inside(node, figure));
}

std::string html(const Node& node, const FigureHtml& figure) {
    switch (node.kind) {
        case Kind::document:
            return inside(node, figure);
        case Kind::paragraph:
            if (node.parts.size() == 1 && node.parts[0].kind == Kind::live)
                return inside(node, figure);
            return element("p", node, figure) + "\n";
        case Kind::heading:
            return element("h3", node, figure) + "\n";
        case Kind::list:
            if (node.number > 1)
                return fmt::format("<ol start=\"{}\">\n{}</ol>\n", node.number,
                                   inside(node, figure));
            return fmt::format("<{0}>\n{1}</{0}>\n", node.number > 0 ? "ol" : "ul",
                               inside(node, figure));
        case Kind::item:
            return element("li", node, figure) + "\n";
        case Kind::quote:
            return element("blockquote", node, figure) + "\n";
        case Kind::rule:
            return "<hr>\n";
        case Kind::code_block:
            return fmt::format("<pre>{}</pre>\n",
                               node.text == "cpp" ? highlighted(plain(node)) : escape(plain(node)));
        case Kind::table:
            return fmt::format("<div class=\"sheet\"><table>\n{}</table></div>\n",
                               inside(node, figure));
        case Kind::row:
            return element("tr", node, figure) + "\n";
        case Kind::cell:
            return element(node.header && !node.parts.empty() ? "th" : "td", node, figure);
        case Kind::text:
            return with_tied_percents(escape(node.text)) + inside(node, figure);
        case Kind::emphasis:
            return element("em", node, figure);
        case Kind::strong:
            return element("strong", node, figure);
        case Kind::code:
            return fmt::format("<code>{}</code>", escape(plain(node)));
        case Kind::formula:
            return tied_formula(node);
        case Kind::display:
            return fmt::format("<span class=\"display\">{}</span>",
                               formula_mathml(plain(node), true));
        case Kind::link:
            if (node.text == own_number)
                return fmt::format("<small class=\"this-run\">{}</small>", inside(node, figure));
            return fmt::format("<a href=\"{}\">{}</a>", escape(node.text), inside(node, figure));
        case Kind::live:
            return figure(node.text, inside(node, figure));
        case Kind::line_break:
            return "<br>";
    }
    return "";
}

// --- The terminal.

// A formula is not broken at its spaces if it is short, nor is a number and its %: until the lines are
// wrapped, they are no-break spaces.
constexpr std::string_view fixed = "\u00A0";

std::string with_spaces(std::string text) {
    for (std::size_t at = 0; (at = text.find(fixed, at)) != std::string::npos;)
        text.replace(at, fixed.size(), " ");
    return text;
}

std::string kept_together(const std::string& text) {
    if (display_width(text) > 24) return text;
    std::string out;
    for (const char c : text) out += c == ' ' ? std::string(fixed) : std::string(1, c);
    return out;
}

std::string with_percent_kept(std::string text) {
    for (std::size_t at = 1; (at = text.find(" %", at)) != std::string::npos; ++at)
        if (text[at - 1] >= '0' && text[at - 1] <= '9') text.replace(at, 1, fixed);
    return text;
}

std::string words(const Node& node, const Screen& screen, Ink ink) {
    switch (node.kind) {
        case Kind::text: {
            std::string out = screen.paint(with_percent_kept(printable(node.text)), ink);
            for (const Node& part : node.parts) out += words(part, screen, ink);
            return out;
        }
        case Kind::code:
            return screen.paint(kept_together(printable(plain(node))), Ink::accent);
        case Kind::formula:
        case Kind::display:
            return screen.paint(kept_together(formula_text(plain(node))), Ink::italic);
        case Kind::line_break:
            return " ";
        case Kind::live: {
            std::string out = screen.paint(
                "In report.html and in the book, with a figure to change: ", Ink::faint);
            for (const Node& part : node.parts) out += words(part, screen, ink);
            return out;
        }
        default: {
            const Ink inner = node.kind == Kind::strong     ? Ink::strong
                              : node.kind == Kind::emphasis ? Ink::italic
                              : node.text == own_number     ? Ink::faint
                                                            : ink;
            std::string out;
            for (const Node& part : node.parts) out += words(part, screen, inner);
            return out;
        }
    }
}

// A formula on lines of its own. One that is too wide is broken where its parts stand apart.
std::string display_lines(const std::string& latex, const Screen& screen,
                          const std::string& indent) {
    const std::string text = formula_text(latex), deeper = indent + "    ";
    std::string lines;
    const int room = screen.measure() - static_cast<int>(deeper.size());
    if (latex.find("\\begin{pmatrix}") != std::string::npos) {
        std::vector<std::string> blocks = formula_blocks(latex);
        const bool fits = std::all_of(blocks.begin(), blocks.end(), [&](std::string_view block) {
            while (!block.empty()) {
                const std::string_view line = block.substr(0, block.find('\n'));
                if (display_width(line) > room) return false;
                block.remove_prefix(line.size() + 1);
            }
            return true;
        });
        if (fits) {
            std::string_view rest = lines = side_by_side(blocks, room);
            std::string out;
            for (; !rest.empty(); rest.remove_prefix(rest.find('\n') + 1))
                out += deeper + screen.paint(rest.substr(0, rest.find('\n')), Ink::italic) + "\n";
            return out;
        }
    }
    if (display_width(text) + static_cast<int>(deeper.size()) <= screen.measure()) {
        lines = deeper + screen.paint(text, Ink::italic) + "\n";
    } else {
        std::string_view rest = text;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find("    "), rest.size());
            lines += wrap(screen.paint(rest.substr(0, end), Ink::italic), screen.measure(), deeper);
            rest.remove_prefix(std::min(rest.find_first_not_of(' ', end), rest.size()));
        }
    }
    return lines;
}

// The parts of a paragraph: wrapped words, and formulas on lines of their own with empty lines around.
std::string paragraph(const Node& node, const Screen& screen, const std::string& indent) {
    std::string out, line;
    const auto end_words = [&] {
        if (line.find_first_not_of(" \n") != std::string::npos)
            out += (out.empty() ? "" : "\n") + with_spaces(wrap(line, screen.measure(), indent));
        line.clear();
    };
    for (const Node& part : node.parts) {
        if (part.kind == Kind::display) {
            end_words();
            out += (out.empty() ? "" : "\n") + display_lines(plain(part), screen, indent);
        } else {
            line += words(part, screen, Ink::plain);
        }
    }
    end_words();
    return out;
}

std::string table(const Node& node, const Screen& screen) {
    std::vector<std::vector<std::string>> rows;
    for (const Node& row : node.parts) {
        rows.emplace_back();
        for (const Node& cell : row.parts) {
            std::string text;
            for (const Node& part : cell.parts) text += words(part, screen, Ink::plain);
            rows.back().push_back(with_spaces(text));
        }
    }
    const std::vector<std::string> header = rows.at(0);
    rows.erase(rows.begin());
    return table_lines(header, rows, screen);
}

std::string indented(std::string_view lines, const std::string& indent) {
    std::string out;
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        out += indent + std::string(lines.substr(0, end)) + "\n";
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
    return out;
}

void add_blocks(const Node& node, const Screen& screen, const std::string& indent,
                std::vector<std::string>& blocks);

// The items of a list, one block each, with a number or a dot before the first line.
void add_items(const Node& list, const Screen& screen, const std::string& indent,
               std::vector<std::string>& blocks) {
    int number = list.number;
    for (const Node& item : list.parts) {
        const std::string mark = list.number > 0 ? fmt::format("{}. ", number++) : "- ";
        const std::string deeper = indent + std::string(mark.size(), ' ');
        std::vector<std::string> inner;
        if (!item.parts.empty() && item.parts[0].kind != Kind::paragraph &&
            item.parts[0].kind != Kind::list)
            inner.push_back(paragraph({Kind::paragraph, "", item.parts}, screen, deeper));
        else
            add_blocks(item, screen, deeper, inner);
        for (std::size_t i = 0; i < inner.size(); ++i) {
            if (i == 0 && inner[0].starts_with(deeper))
                inner[0].replace(indent.size(), mark.size(), mark);
            blocks.push_back(inner[i]);
        }
    }
}

void add_blocks(const Node& node, const Screen& screen, const std::string& indent,
                std::vector<std::string>& blocks) {
    for (const Node& part : node.parts) {
        switch (part.kind) {
            case Kind::list:
                add_items(part, screen, indent, blocks);
                break;
            case Kind::quote:
                add_blocks(part, screen, indent + "  ", blocks);
                break;
            case Kind::code_block:
                blocks.push_back(code_lines(indented(plain(part), indent + "    "), screen));
                break;
            case Kind::table:
                blocks.push_back(table(part, screen));
                break;
            case Kind::heading:
                blocks.push_back(
                    wrap(screen.paint(plain(part), Ink::strong), screen.measure(), indent));
                break;
            case Kind::rule:
                break;
            default:
                blocks.push_back(paragraph(part, screen, indent));
        }
    }
}

void collect(const Node& node, std::vector<std::string>& formulas) {
    if (node.kind == Kind::formula || node.kind == Kind::display) formulas.push_back(plain(node));
    for (const Node& part : node.parts) collect(part, formulas);
}

std::string plain_text(const Node& node) {
    if (node.kind == Kind::formula || node.kind == Kind::display) return formula_text(plain(node));
    std::string text = node.kind == Kind::text ? node.text : "";
    for (const Node& part : node.parts) text += plain_text(part);
    const bool in_line = node.kind == Kind::text || node.kind == Kind::emphasis ||
                         node.kind == Kind::strong || node.kind == Kind::link ||
                         node.kind == Kind::code;
    return in_line ? text : text + " ";
}

int count(const Node& node) {
    if (node.kind == Kind::formula || node.kind == Kind::display || node.kind == Kind::code ||
        node.kind == Kind::code_block)
        return 0;
    int words = 0;
    bool in_word = false;
    for (const char c : node.kind == Kind::text ? node.text : std::string()) {
        const bool letter =
            std::isalnum(static_cast<unsigned char>(c)) || c == '\'' || c == '-' || c < 0;
        words += letter && !in_word;
        in_word = letter;
    }
    for (const Node& part : node.parts) words += count(part);
    return words;
}

}  // namespace

std::string prose_html(std::string_view markdown, const FigureHtml& figure) {
    Node document = parse_markdown(markdown);
    char before = ' ';
    curl_quotes(document, before);
    tie_formulas(document);
    return html(document, figure);
}

std::vector<std::string> prose_blocks(std::string_view markdown, const Screen& screen) {
    std::vector<std::string> blocks;
    add_blocks(parse_markdown(markdown), screen, "", blocks);
    return blocks;
}

namespace {

// Where a line of code is cut so that its first part is no wider than this: behind the last blank, of which the code
// keeps every one (it may stand in a string), or inside of a long word.
std::size_t end_of_code_line(std::string_view code, int width) {
    std::size_t end = 0, blank = 0;
    for (std::size_t next = 0; end < code.size(); end = next) {
        next = end + 1;
        while (next < code.size() && (code[next] & 0xC0) == 0x80) ++next;
        if (end > 0 && display_width(code.substr(0, next)) > width) break;
        if (code[end] == ' ') blank = next;
    }
    return blank > 0 ? blank : end;
}

}  // namespace

std::string code_lines(std::string_view code, const Screen& screen) {
    std::string out;
    const int room = std::max(screen.width - 1, 20);
    while (!code.empty()) {
        const std::size_t end = std::min(code.find('\n'), code.size());
        const std::string line = printable(code.substr(0, end));
        code.remove_prefix(std::min(end + 1, code.size()));
        const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
        if (display_width(line) <= room) {
            out += line + "\n";
            continue;
        }
        // The first line begins where it did, the others a little further right; a mark ends what goes on.
        const std::string mark = screen.paint(" ↩", Ink::faint);
        std::string begin(std::min<std::size_t>(indent, room / 3), ' ');
        std::string_view rest = std::string_view(line).substr(indent);
        for (bool first = true; !rest.empty(); first = false) {
            const int width = room - static_cast<int>(begin.size());
            const std::size_t cut =
                display_width(rest) <= width ? rest.size() : end_of_code_line(rest, width - 2);
            out += begin + std::string(rest.substr(0, cut));
            rest.remove_prefix(cut);
            out += rest.empty() ? "\n" : mark + "\n";
            if (first) begin += "  ";
        }
    }
    return out;
}

std::vector<std::string> formulas_in(std::string_view markdown) {
    std::vector<std::string> formulas;
    collect(parse_markdown(markdown), formulas);
    return formulas;
}

std::string prose_text(std::string_view markdown) {
    std::string text;
    for (const char c : plain_text(parse_markdown(markdown)))
        if (c != ' ' && c != '\n')
            text += c;
        else if (!text.empty() && text.back() != ' ')
            text += ' ';
    if (text.ends_with(' ')) text.pop_back();
    return text;
}

int words_in(std::string_view markdown) { return count(parse_markdown(markdown)); }

}  // namespace heed::course
