// The style sheets, scripts and templates of pages, and the font for Hangul. They are files of this
// folder, which the build makes a part of the program (cmake/embed.cmake).
//
//     fill(page_file("book.html"), {{"title", "Scores"}, {"running", "Lesson 10"}, ...})
//
//     page.html    what every page has: a report and a page of the book
//     page.css     its style sheet, and page.js, its script
//     report.html  the inside of report.html
//     book.html    the inside of a page of the book, book.css, and book.js: search, list of sections
//     epub.css     the style sheet of the ePub
//     svg.css      the colours and fonts of drawings
//     live.css     the figures that the reader can change, and live.js
//     hangul.woff2 the font of Korean words, with its syllables in hangul.txt
//     math.woff2   the font of formulas, with its characters in math.txt
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace heed::course {

// The bytes of the files, by name.
using PageFiles = std::map<std::string_view, std::string_view>;
const PageFiles& page_files();

// The bytes of one. Throws heed::Error if there is none of that name.
std::string_view page_file(std::string_view name);

// The template with the value of each name in place of {{name}}. A value is HTML already: escape()
// makes it of a text. Throws heed::Error for a name without a value, and for a value that the
// template does not use.
std::string fill(std::string_view page, const std::map<std::string_view, std::string>& values);

}  // namespace heed::course
