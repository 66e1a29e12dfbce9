// How many words does one vector hold? Words are added up in a vector of D numbers, each with the signs of
// its place, and read out again. Nothing is learned here.
#include "lessons/course/live/live.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "attention/attention.h"
#include "lessons/course/figures/figures.h"
#include "lessons/material/corpora/corpus.h"

namespace heed::lesson08 {

using namespace course;

namespace {

const std::vector<int> widths{32, 64, 128, 256};
constexpr int most_words = 32, sentences = 20;

const std::vector<std::string>& vocabulary() {
    static const std::vector<std::string> words = [] {
        std::set<std::string> all;
        for (const SentencePair& pair :
             korean_english(1, {.pairs = 300, .valid = 1, .test = 1}).train)
            all.insert(pair.target.begin(), pair.target.end());
        return std::vector<std::string>(all.begin(), all.end());
    }();
    return words;
}

struct Read {
    std::vector<int> stored, found;  // of all sentences, one after the other
};

// Stores sentences of T words, each in one vector, and reads every word of them out again.
Read store_and_read(int width, int words, std::uint64_t seed) {
    const auto size = static_cast<std::int64_t>(vocabulary().size());
    Rng rng(seed);
    const Tensor table = normal({size, width}, 0, 1 / std::sqrt(double(width)), rng);  // [V, D]
    const Tensor signs =
        slice(2 * bernoulli({most_words, width}, 0.5, rng) - 1, 0, 0, words);  // [T, D]
    Read read;
    for (int i = 0; i < sentences * words; ++i)
        read.stored.push_back(static_cast<int>(rng.below(size)));
    const Tensor embedded = table[Indices(read.stored, {sentences, words})];  // [N, T, D]
    const Tensor vector = sum(embedded * signs, 1);                           // [N, D]
    const Tensor asked = unsqueeze(vector, 1) * signs;                        // [N, T, D]
    read.found = argmax(matmul(asked, transpose(table)), -1).values();
    return read;
}

double share_right(const Read& read) {
    double right = 0;
    for (std::size_t i = 0; i < read.stored.size(); ++i) right += read.stored[i] == read.found[i];
    return right / static_cast<double>(read.stored.size());
}

Drawn draw(const Inputs& inputs) {
    const NoGrad no_grad;
    const int width = widths[static_cast<std::size_t>(inputs.chosen("width"))];
    const int words = inputs.whole("words");
    const auto seed = static_cast<std::uint64_t>(inputs.whole("seed"));
    LinePlot plot{.title = "Words that are read out right",
                  .x_label = "words in the vector",
                  .y_label = "share",
                  .y_range = {0, 1},
                  .x_range = {0, most_words},
                  .names_at_ends = false};
    for (const int d : widths) {
        Series series{.name = "D = " + std::to_string(d)};
        for (const int t : {1, 2, 4, 6, 8, 12, 16, 24, 32}) {
            series.x.push_back(t);
            series.y.push_back(share_right(store_and_read(d, t, seed)));
        }
        plot.series.push_back(series);
    }
    plot.series.push_back({.name = "yours", .x = {double(words), double(words)}, .y = {0, 0}});
    const Read read = store_and_read(width, words, seed);
    const auto count = static_cast<std::size_t>(words);
    double whole = 0;
    for (std::size_t first = 0; first < read.stored.size(); first += count)
        whole += std::equal(read.stored.begin() + static_cast<std::ptrdiff_t>(first),
                            read.stored.begin() + static_cast<std::ptrdiff_t>(first + count),
                            read.found.begin() + static_cast<std::ptrdiff_t>(first));
    std::string stored, found;
    for (std::size_t i = 0; i < std::min<std::size_t>(count, 8); ++i) {
        stored += vocabulary()[static_cast<std::size_t>(read.stored[i])] + " ";
        found += vocabulary()[static_cast<std::size_t>(read.found[i])] + " ";
    }
    const double right = share_right(read);
    plot.series.back().y[1] = right;
    return {.svgs = {to_svg(plot)},
            .numbers = {{"words right", right},
                        {"sentences without an error", whole / sentences},
                        {"share of words to the power of their number", std::pow(right, words)}},
            .text = "stored     " + stored + "\nread out   " + found};
}

const Registered figure(
    {.name = "one_vector",
     .controls = {slider("words", "Words in the sentence", {1, most_words, 1, 8}),
                  choice("width", "Numbers in the vector", {"32", "64", "128", "256"}, 2),
                  slider("seed", "Other random words", {1, 20, 1, 1})},
     .draw = draw});

}  // namespace

}  // namespace heed::lesson08
