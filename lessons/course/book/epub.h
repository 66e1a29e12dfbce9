// The course as an ePub 3 file (W3C, EPUB 3.2): the text of the lessons with the results of runs as on
// the pages, their exercises, and the glossary. Formulas are MathML, drawings SVG. The source of the
// libraries is left out.
#pragma once

#include <string>

#include "lessons/course/book/book.h"

namespace heed::course {

// Writes it to this path. Throws heed::Error if that cannot be done.
void write_epub(const BookFolders& folders, const std::string& path);

// A body of HTML as XHTML: elements without content are closed, formulas and drawings say what they are,
// and links lead to the chapters of the ePub.
std::string as_xhtml(std::string body);

}  // namespace heed::course
