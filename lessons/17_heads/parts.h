// Who helped whom, with whom, for whom? Sentences whose words say themselves what part they play,
// as Korean nouns do by their particles, so that their order does not matter:
//
//     helped  Finn-whom  Ada-who  Mia-for  Jon-with
//     who: Ada  whom: Finn  with: Jon  for: Mia
//
// 24 names, 4 parts, a verb. A sentence has the verb and one name for each part, in random order;
// its names differ. Every sentence is drawn afresh, out of 24 23 22 21 = 255,024, and 24 orders of
// each.
#pragma once

#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "autograd/ops/random.h"
#include "autograd/tensor/indices.h"

namespace heed::lesson17 {

inline constexpr int names = 24, parts = 4, words = 1 + parts;
inline constexpr std::array<const char*, parts> part_names{"who", "whom", "with", "for"};
inline constexpr std::array<const char*, names> name_list{
    "Ada", "Ben", "Cleo", "Dan", "Eve",  "Finn", "Gus", "Hal", "Ida", "Jon", "Kay", "Leo",
    "Mia", "Ned", "Oda",  "Pam", "Quin", "Rae",  "Sam", "Tom", "Uma", "Vic", "Wes", "Zoe"};

struct Sentences {
    Indices name;    // [B, 5], the verb (number 24) first
    Indices part;    // [B, 5], 4 at the verb
    Indices answer;  // [B, relations]: who, whom, with, for, the first of these
    std::string word(int64_t sentence, int64_t place) const {  // "Ada-who"
        if (place == 0) return "helped";
        return std::string(name_list[name.at({sentence, place})]) + "-" +
               part_names[part.at({sentence, place})];
    }
};

inline Sentences draw_sentences(int64_t count, int relations, Rng& rng) {
    std::vector<int> name, part, answer, order(parts), all(names);
    std::iota(order.begin(), order.end(), 0);
    std::iota(all.begin(), all.end(), 0);
    for (int64_t b = 0; b < count; ++b) {
        rng.shuffle(order);
        rng.shuffle(all);  // the first names of it play the parts
        name.push_back(names);
        part.push_back(parts);
        for (int p : order) {
            name.push_back(all[p]);
            part.push_back(p);
        }
        answer.insert(answer.end(), all.begin(), all.begin() + relations);
    }
    return {Indices(name, {count, words}), Indices(part, {count, words}),
            Indices(answer, {count, relations})};
}

}  // namespace heed::lesson17
