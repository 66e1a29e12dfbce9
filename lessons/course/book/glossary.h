// The terms of the course. A lesson sets a term in italics where it defines it, and nowhere else; the
// sentence around it is the definition.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heed::course {

struct Term {
    std::string name;                 // "cross-entropy"
    std::string sentence;             // Markdown: the sentence that contains it
    std::string section;              // of the lesson; empty for the introduction
    std::string folder;               // of the lesson: 05_probabilities
    std::vector<std::string> also{};  // its other names
};

// What readers may look for under another name, by the name of a term in small letters, by "lesson/title of a section"
// or by "lesson.number" of an exercise: the lines of lessons/other_names.txt, which says how they are written.
using OtherNames = std::map<std::string, std::vector<std::string>>;
OtherNames other_names(const std::string& root);

// Those of this one; none if the file has none.
std::vector<std::string> names_of(const OtherNames& names, std::string_view what);

// The terms of one lesson, in their order. `source` is its lesson.cpp.
std::vector<Term> terms_in(std::string_view source, const std::string& folder);

// Those of all lessons below root/lessons, by name. A term that is defined twice occurs twice.
std::vector<Term> glossary_of(const std::string& root);

// Whether two names are the same term: "Softmax" and "softmax".
bool same_term(std::string_view a, std::string_view b);

// A term as it stands in the glossary, with a capital letter: "Softmax".
std::string shown_name(const Term& term);

// The id of its entry on the page.
std::string anchor_of_term(const Term& term);

// The body of the page.
std::string glossary_html(const std::vector<Term>& terms);

}  // namespace heed::course
