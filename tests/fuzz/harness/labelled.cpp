// Lines of LABEL:detail and words: the words with single blanks between them are the file with its
// blanks joined. Latin-1 is converted first.
#include "autograd/base/utf8.h"
#include "lessons/material/read/labelled_text.h"
#include "tests/fuzz/harness.h"

namespace {

// Runs of blanks and tabs as one blank, none at the end of a line, no empty lines at the end.
std::string squeezed(std::string_view text) {
    std::string out;
    for (char c : text) {
        if (c == '\t') c = ' ';
        if (c == '\n')
            while (out.ends_with(' ')) out.pop_back();
        if (c != ' ' || !out.ends_with(' ')) out += c;
    }
    while (out.ends_with(' ') || out.ends_with('\n') || out.ends_with('\r')) out.pop_back();
    return out + "\n";
}

}  // namespace

void heed::fuzz::labelled(std::string_view bytes) {
    std::vector<course::LabelledText> read;
    if (!accepts([&] { read = course::parse_labelled(bytes, file); })) return;
    std::string again;
    for (const course::LabelledText& text : read) {
        again += text.label + ":" + text.detail;
        for (const std::string& word : text.words) again += " " + word;
        again += "\n";
    }
    std::string given = as_lines(bytes);
    if (utf8_invalid_at(given) != given.npos) {
        std::u32string points;
        for (const char c : given) points += static_cast<unsigned char>(c);
        given = utf8_encode(points);
    }
    if (again != squeezed(given)) wrong("the words are not those of the file");
}
