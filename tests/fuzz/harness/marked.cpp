// Columns with marked words: the columns put together again are the file, and each marked word is in
// a span.
#include <sstream>

#include "lessons/material/read/marked_text.h"
#include "tests/fuzz/harness.h"

void heed::fuzz::marked(std::string_view bytes) {
    std::vector<course::MarkedText> read;
    if (!accepts([&] { read = course::parse_marked(bytes, file); })) return;
    std::istringstream lines(as_lines(bytes));
    for (const course::MarkedText& text : read) {
        std::string line, columns[5], words;
        std::getline(lines, line);
        std::istringstream whole(line);
        for (std::string& column : columns) std::getline(whole, column, '\t');
        for (const std::string& word : text.words) words += (words.empty() ? "" : " ") + word;
        if (columns[1] != text.label || columns[4] != words)
            wrong("the label and the words are not those of the file");
        std::vector<bool> marked(text.words.size());
        std::istringstream spans(columns[2]);
        std::size_t first = 0, end = 0;
        for (char sign = 0; spans >> first >> sign >> end; spans >> sign)
            for (std::size_t i = first; i < end; ++i) marked.at(i) = true;
        if (marked != text.marked) wrong("the marked words are not those of the file");
    }
}
