// How far apart two sequences are: the number of edits; and which name somebody meant who typed another one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heed {

// The smallest number of insertions, deletions and substitutions that turn a into b (Levenshtein
// 1966): strings, or vectors of anything that can be compared. The characters of a string are its
// bytes; metrics::edit_distance of nn/data/metrics.h takes code points.
template <class Sequence>
std::int64_t edits_between(const Sequence& a, const Sequence& b) {
    const std::size_t n = b.size();
    std::vector<std::int64_t> row(n + 1);  // distances from the first i elements of a to those of b
    for (std::size_t j = 0; j <= n; ++j) row[j] = static_cast<std::int64_t>(j);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::int64_t diagonal = row[0];  // the distance of i - 1 and j - 1 elements
        row[0] = static_cast<std::int64_t>(i);
        for (std::size_t j = 1; j <= n; ++j) {
            const std::int64_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min(substituted, std::min(row[j], row[j - 1]) + 1);
        }
    }
    return row[n];
}

// The name that somebody may have meant who typed another one: the nearest, if no more than every third of the typed
// letters is wrong; empty if there is none. The dashes of an option are no letters.
template <class Names>
std::string meant(const std::string& typed, const Names& names) {
    const auto dashes = std::min(typed.find_first_not_of('-'), typed.size());
    std::int64_t most = static_cast<std::int64_t>(typed.size() - dashes + 1) / 3;
    std::string nearest;
    for (const std::string& name : names)
        if (const std::int64_t edits = edits_between(typed, name); edits <= most) {
            nearest = name;
            most = edits - 1;
        }
    return nearest;
}

}  // namespace heed
