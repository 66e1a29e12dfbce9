// Byte-pair merges learned from a text that the reader types, one after the other.
#include "lessons/course/live/live.h"

#include <algorithm>
#include <map>

#include "autograd/base/error.h"
#include "autograd/base/utf8.h"
#include "lessons/course/figures/svg.h"

namespace heed::workshop5 {

using namespace course;

namespace {

using Pieces = std::vector<std::string>;

// A word has a blank in front of it, shown as _, so that the pieces one after the other are the text. For
// readability the pieces begin as characters and not as bytes.
std::vector<Pieces> words_of(const std::string& text) {
    std::vector<Pieces> words;
    std::string word;
    for (const char c : text + " ") {
        if (c != ' ' && c != '\n' && c != '\t' && c != '\r') {
            word += c;
        } else if (!word.empty()) {
            words.push_back(utf8_characters("_" + word));
            word.clear();
        }
    }
    return words;
}

Pieces joined(const Pieces& pieces, const std::pair<std::string, std::string>& merge) {
    Pieces out;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (i + 1 < pieces.size() && pieces[i] == merge.first && pieces[i + 1] == merge.second)
            out.push_back(pieces[i] + pieces[i + 1]), ++i;
        else
            out.push_back(pieces[i]);
    }
    return out;
}

Drawn draw(const Inputs& inputs) {
    const std::string& text = inputs.text("text");
    check(text.size() <= 4000, "the text has {} bytes; at most 4000 are merged here", text.size());
    std::vector<Pieces> words = words_of(text);
    check(!words.empty(), "expected a text of at least one word");
    const auto tokens = [&] {
        std::size_t all = 0;
        for (const Pieces& word : words) all += word.size();
        return static_cast<double>(all);
    };
    const double before = tokens();
    std::string last = "none";
    int times = 0, made = 0;
    for (; made < inputs.whole("merges"); ++made) {
        std::map<std::pair<std::string, std::string>, int> counts;
        for (const Pieces& word : words)
            for (std::size_t i = 0; i + 1 < word.size(); ++i) ++counts[{word[i], word[i + 1]}];
        // The most frequent pair; of equally frequent ones the first in alphabetical order.
        const auto best =
            std::max_element(counts.begin(), counts.end(),
                             [](const auto& a, const auto& b) { return a.second < b.second; });
        if (best == counts.end()) break;
        last = best->first.first + " + " + best->first.second;
        times = best->second;
        for (Pieces& word : words) word = joined(word, best->first);
    }

    Svg svg(640, 230, "The text in pieces");
    svg.text(10, 16, "The text in pieces", "start", "title");
    double x = 10, y = 30;
    int colour = 0;
    for (const Pieces& word : words) {
        for (const std::string& piece : word) {
            const double width = svg_text_width(piece) + 10;
            if (x + width > 630) x = 10, y += 28;
            if (y > 200) continue;  // there is no more room
            svg.add(
                R"(<g class="s{}"><rect class="kind" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="22" rx="3"/></g>)",
                colour, x, y, width);
            svg.text(x + width / 2, y + 16, piece, "middle");
            x += width + 2;
            colour = 1 - colour;
        }
        x += 4;
    }
    if (y > 200) svg.text(622, 225, "…", "end");
    return {.svgs = {svg.finish()},
            .numbers = {{"merges", double(made), 4},
                        {"tokens", tokens(), 5},
                        {"characters with the blanks", before, 5},
                        {"how often the last pair occurred", double(times), 4}},
            .text = "last merge: " + last};
}

const Registered figure(
    {.name = "merges",
     .controls = {slider("merges", "Merges", {0, 60, 1, 6}),
                  text_box("text", "Text",
                           "see sees seen tree see seen see tree sees seen trees seed "
                           "he sees the tree and she sees the trees",
                           true)},
     .draw = draw});

}  // namespace

}  // namespace heed::workshop5
