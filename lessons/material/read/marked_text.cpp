#include "lessons/material/read/marked_text.h"

#include <algorithm>
#include <set>

#include "lessons/material/read/columns.h"

namespace heed::course {
namespace {

constexpr int most_words = 5000;
constexpr auto expected = "name<TAB>LABEL<TAB>marked words<TAB>sentences<TAB>text";

MarkedText parse(const Line& line, const std::vector<std::string_view>& columns) {
    MarkedText text{std::string(columns[1]), {}, {}};
    const bool capitals = std::all_of(text.label.begin(), text.label.end(),
                                      [](char c) { return c >= 'A' && c <= 'Z'; });
    check_line(!text.label.empty() && capitals, line.file, line.number,
               "expected a label in capital letters, found '{}'", excerpt(text.label));
    for_each_part(columns[4], ' ', [&](std::string_view word) {
        check_line(!word.empty(), line.file, line.number,
                   "expected words with single blanks between them, found two blanks, or one at "
                   "an end");
        text.words.emplace_back(word);
    });
    check_line(!text.words.empty(), line.file, line.number, "expected a text, found none");
    check_line(text.words.size() <= most_words, line.file, line.number,
               "expected a text of at most {} words, found {}", most_words, text.words.size());

    const int count = static_cast<int>(text.words.size());
    text.marked.resize(text.words.size());
    int free = 0;  // the first word that no span has reached
    for_each_part(columns[2], ',', [&](std::string_view span) {
        check_line(free < count, line.file, line.number,
                   "expected no span after the last word, found '{}'", excerpt(span));
        const std::string_view shown = span;
        const int first = whole(take(span, '-'), free, count - 1,
                                "the first word of a span, in rising order,", line);
        check_line(!span.empty(), line.file, line.number, "expected a span such as 3-5, found '{}'",
                   excerpt(shown));
        free = whole(span, first + 1, count, "the end of a span,", line);
        std::fill(text.marked.begin() + first, text.marked.begin() + free, true);
    });
    int sentence = 0;
    for_each_part(columns[3], ',', [&](std::string_view start) {
        sentence = 1 + whole(start, sentence, count - 1,
                             "the first word of a sentence, in rising order,", line);
    });
    return text;
}

}  // namespace

std::vector<MarkedText> parse_marked(std::string_view bytes, const std::string& name) {
    std::vector<MarkedText> texts;
    for_each_row(bytes, name, 5, 5, expected, [&](const Line& line, const auto& columns) {
        texts.push_back(parse(line, columns));
    });
    if (texts.empty())
        throw InputError(fmt::format("{}: expected lines of {}, found none", name, expected));
    return texts;
}

std::vector<MarkedText> read_marked(const std::string& path) {
    return parse_marked(read_file(path, most_text), path);
}

MarkedSets read_marked_sets(const std::string& folder) {
    const std::string train = folder + "/train.tsv";
    MarkedSets sets{{}, read_marked(train), {}, {}};
    std::set<std::string> labels;
    for (const MarkedText& text : sets.train) labels.insert(text.label);
    if (labels.size() < 2)
        throw InputError(
            fmt::format("{}: expected at least two labels, found only {}", train, *labels.begin()));
    sets.labels.assign(labels.begin(), labels.end());
    for (const auto& [name, set] : {std::pair("val.tsv", &sets.valid), {"test.tsv", &sets.test}}) {
        const std::string path = folder + "/" + name;
        *set = read_marked(path);
        for (std::size_t i = 0; i < set->size(); ++i)
            check_line(labels.count((*set)[i].label) > 0, path, i + 1,
                       "expected a label that occurs in {}, found '{}'", train,
                       excerpt((*set)[i].label));
    }
    return sets;
}

}  // namespace heed::course
