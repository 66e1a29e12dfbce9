#include "lessons/course/book/glossary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "autograd/base/error.h"
#include "lessons/course/book/chapters.h"
#include "lessons/course/contents/woven.h"
#include "lessons/course/report/report.h"
#include "lessons/course/story/prose.h"
#include "lessons/course/story/source.h"
#include "lessons/course/terminal/markup.h"

namespace heed::course {
namespace {

std::string folded(std::string_view name) {
    std::string lower;
    for (const char c : name) {
        const auto letter = static_cast<unsigned char>(c);
        lower += letter < 128 ? static_cast<char>(std::tolower(letter)) : c;
    }
    return lower;
}

// The paragraphs and list items of a Markdown text, each on one line, without their marks. Code,
// tables and quotations define nothing.
std::vector<std::string> paragraphs_in(std::string_view markdown) {
    std::vector<std::string> paragraphs{""};
    std::istringstream lines{std::string(markdown)};
    bool fenced = false;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t start = line.find_first_not_of(' ');
        const bool fence = start != std::string::npos && line.compare(start, 3, "```") == 0;
        if (fence) fenced = !fenced;
        if (start == std::string::npos || fence || fenced || start >= 4 || line[start] == '|' ||
            line[start] == '>') {
            paragraphs.emplace_back();
            continue;
        }
        std::size_t text = start;
        while (text < line.size() && std::isdigit(static_cast<unsigned char>(line[text]))) ++text;
        const bool numbered = text > start && line.compare(text, 2, ". ") == 0;
        const bool item = line.compare(start, 2, "* ") == 0 || line.compare(start, 2, "- ") == 0;
        if (numbered || item) paragraphs.emplace_back();
        text = numbered || item ? line.find(' ', start) + 1 : start;
        paragraphs.back() += (paragraphs.back().empty() ? "" : " ") + line.substr(text);
    }
    return paragraphs;
}

// For each byte: whether it stands in a formula or in code, where stars and full stops mean nothing.
std::vector<bool> shielded(const std::string& text) {
    std::vector<bool> inside(text.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '$' && text[at] != '`') continue;
        if (at > 0 && text[at - 1] == '\\') continue;
        const std::string mark(text.compare(at, 2, "$$") == 0 ? 2 : 1, text[at]);
        const std::size_t end = text.find(mark, at + mark.size());
        if (end == std::string::npos) break;
        std::fill(inside.begin() + static_cast<std::ptrdiff_t>(at),
                  inside.begin() + static_cast<std::ptrdiff_t>(end + mark.size()), true);
        at = end + mark.size() - 1;
    }
    return inside;
}

// Whether a sentence begins here: behind a full stop and a blank.
bool sentence_begins(const std::string& text, const std::vector<bool>& inside, std::size_t at) {
    if (at == 0) return true;
    if (at < 2 || text[at - 1] != ' ' || inside[at - 1]) return false;
    std::size_t stop = at - 2;
    while (stop > 0 && std::string_view("*)\"").find(text[stop]) != std::string_view::npos) --stop;
    if (std::string_view(".?!").find(text[stop]) == std::string_view::npos) return false;
    return !ends_with_abbreviation(std::string_view(text).substr(0, stop + 1));
}

std::string sentence_around(const std::string& text, const std::vector<bool>& inside,
                            std::size_t at) {
    std::size_t begin = at, end = at + 1;
    while (!sentence_begins(text, inside, begin)) --begin;
    while (end < text.size() && !sentence_begins(text, inside, end)) ++end;
    std::string sentence = text.substr(begin, end - begin);
    sentence.erase(sentence.find_last_not_of(' ') + 1);
    return sentence;
}

// Whether the sentence only makes sense behind the one before it: "This is called overflow."
bool refers_back(std::string_view sentence) {
    for (const char* start : {"This ", "These ", "That ", "Such ", "It ", "Its ", "They ", "So ",
                              "Then ", "There ", "Here ", "The last ", "The result "})
        if (sentence.starts_with(start)) return true;
    return false;
}

std::string last_sentence(const std::string& text) {
    return text.empty() ? "" : sentence_around(text, shielded(text), text.size() - 1);
}

// The sentence around the term; before it the one it refers to, and behind it the formula that it
// announces with a colon.
std::string definition(const std::vector<std::string>& paragraphs, std::size_t which,
                       const std::vector<bool>& inside, std::size_t at) {
    const std::string& text = paragraphs[which];
    std::string sentence = sentence_around(text, inside, at);
    const std::size_t begin = text.find(sentence);
    const bool ends_paragraph = begin + sentence.size() >= text.find_last_not_of(' ') + 1;
    std::size_t other = which;
    if (refers_back(sentence)) {
        while (begin == 0 && other > 0 && (other == which || paragraphs[other].empty())) --other;
        const std::string before = other == which
                                       ? last_sentence(text.substr(0, begin > 0 ? begin - 1 : 0))
                                       : last_sentence(paragraphs[other]);
        if (before.starts_with("$$"))
            sentence = before + "\n\n" + sentence;
        else if (!before.empty())
            sentence = before + " " + sentence;
    }
    if (sentence.ends_with(':') && ends_paragraph) {
        std::size_t next = which + 1;
        while (next < paragraphs.size() && paragraphs[next].empty()) ++next;
        if (next < paragraphs.size() && paragraphs[next].starts_with("$$"))
            sentence += "\n\n" + paragraphs[next];
    }
    // A remark in brackets loses them.
    if (sentence.starts_with('(') && sentence.find(')') + 1 >= sentence.size())
        sentence =
            sentence.substr(1, sentence.ends_with(')') ? sentence.size() - 2 : std::string::npos);
    return sentence;
}

}  // namespace

OtherNames other_names(const std::string& root) {
    OtherNames names;
    std::istringstream lines(contents(root + "/lessons/other_names.txt"));
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line[0] == '#') continue;
        const std::size_t equals = line.find(" = ");
        check(equals != std::string::npos, "lessons/other_names.txt: expected ' = ' in '{}'", line);
        std::vector<std::string>& here = names[folded(line.substr(0, equals))];
        check(here.empty(), "lessons/other_names.txt: '{}' stands there twice", line);
        for (std::size_t at = equals + 3; at < line.size();) {
            const std::size_t end = std::min(line.find(", ", at), line.size());
            here.push_back(line.substr(at, end - at));
            at = end + 2;
        }
    }
    return names;
}

std::vector<std::string> names_of(const OtherNames& names, std::string_view what) {
    const auto found = names.find(folded(what));
    return found == names.end() ? std::vector<std::string>() : found->second;
}

bool same_term(std::string_view a, std::string_view b) { return folded(a) == folded(b); }

std::vector<Term> terms_in(std::string_view source, const std::string& folder) {
    std::vector<Term> terms;
    for (const Passage& passage : passages_of(source, folder.substr(folder.find('_') + 1))) {
        const std::vector<std::string> paragraphs = paragraphs_in(passage.text);
        for (std::size_t which = 0; which < paragraphs.size(); ++which) {
            const std::string& text = paragraphs[which];
            const std::vector<bool> inside = shielded(text);
            const auto star = [&](std::size_t i) {
                return i < text.size() && text[i] == '*' && !inside[i];
            };
            for (std::size_t at = 0; at < text.size(); ++at) {
                if (!star(at)) continue;
                std::size_t marks = 1;
                while (star(at + marks)) ++marks;
                const bool opens = at + 1 < text.size() && text[at + 1] != ' ';
                if (marks != 1 || !opens) {
                    at += marks - 1;
                    continue;
                }
                std::size_t end = at + 1;
                while (end < text.size() && !star(end)) ++end;
                if (end == text.size()) break;
                terms.push_back({text.substr(at + 1, end - at - 1),
                                 definition(paragraphs, which, inside, at), passage.section,
                                 folder});
                at = end;
            }
        }
    }
    return terms;
}

std::vector<Term> glossary_of(const std::string& root) {
    std::vector<Term> terms;
    for (const LessonPage& lesson : lessons_in(root)) {
        const std::vector<Term> more = terms_in(lesson.source, lesson.folder);
        terms.insert(terms.end(), more.begin(), more.end());
    }
    const OtherNames names = other_names(root);
    for (Term& term : terms) term.also = names_of(names, term.name);
    std::stable_sort(terms.begin(), terms.end(),
                     [](const Term& a, const Term& b) { return folded(a.name) < folded(b.name); });
    return terms;
}

std::string shown_name(const Term& term) {
    std::string name = term.name;
    name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    return name;
}

std::string anchor_of_term(const Term& term) { return "term-" + anchor_of(term.name); }

std::string glossary_html(const std::vector<Term>& terms) {
    // Letters to jump to: each begins a section.
    std::string letters, body;
    char letter = 0;
    for (const Term& term : terms) {
        const char first = shown_name(term)[0];
        if (first != letter) {
            letter = first;
            letters += fmt::format("<a href=\"#letter-{0}\">{0}</a> ", letter);
            body += fmt::format("{0}<h2 id=\"letter-{1}\">{1}</h2>\n<dl>\n",
                                body.empty() ? "" : "</dl>\n", letter);
        }
        const std::string also =
            term.also.empty() ? "" : escape(fmt::format(", also {}", fmt::join(term.also, ", ")));
        body += fmt::format("<dt id=\"{}\"><strong>{}</strong>{}</dt>\n", anchor_of_term(term),
                            escape(shown_name(term)), also);
        // "Activation" and "activation function" in one sentence: it stands once, below the second.
        const bool again = &term != &terms.back() && (&term)[1].sentence == term.sentence &&
                           folded((&term)[1].name).starts_with(folded(term.name));
        if (again) {
            body += fmt::format("<dd>See <a href=\"#{}\">{}</a>.</dd>\n",
                                anchor_of_term((&term)[1]), escape(shown_name((&term)[1])));
            continue;
        }
        const std::string target =
            term.folder + ".html" + (term.section.empty() ? "" : "#" + anchor_of(term.section));
        body += fmt::format("<dd>{}<p class=\"where\"><a href=\"{}\">{}{}</a></p></dd>\n",
                            prose_html(term.sentence), escape(target),
                            LessonNumber::from(term.folder).titled(),
                            term.section.empty() ? "" : ": " + markup_to_html(term.section));
    }
    return fmt::format(
        "<p>Each term with the sentence that defines it. The link leads to the section.</p>\n"
        "<p class=\"letters\">{}</p>\n{}{}",
        letters, body, body.empty() ? "" : "</dl>\n");
}

}  // namespace heed::course
