// Lines of source<TAB>target: joined again they are the file without its blank end.
#include "lessons/material/read/text_data.h"
#include "tests/fuzz/harness.h"

void heed::fuzz::pairs(std::string_view bytes) {
    std::vector<course::TextPair> read;
    if (!accepts([&] { read = course::parse_pairs(bytes, file); })) return;
    std::string again, given = as_lines(bytes);
    for (const course::TextPair& pair : read) again += pair.source + "\t" + pair.target + "\n";
    if (!given.ends_with('\n')) given += '\n';
    if (!given.starts_with(again)) wrong("the pairs are not those of the file");
    if (given.find_first_not_of(" \t\n\r", again.size()) != given.npos) wrong("lines are missing");
}
