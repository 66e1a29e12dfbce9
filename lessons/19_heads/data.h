// Who helped whom, with whom, for whom? The sentences of the lesson. Each name has its grammatical
// role attached, as Korean nouns have particles, so the order of the words does not matter:
//
//     helped  Finn-whom  Ada-who  Mia-for  Jon-with
//     who: Ada  whom: Finn  with: Jon  for: Mia
//
// There are 24 names, 4 roles and one verb. A sentence has the verb and one name for each role, in
// random order; its names differ. Every sentence is sampled anew from 24 x 23 x 22 x 21 = 255,024
// choices of names, in 24 orders each.
#pragma once

#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "autograd/tensor/indices.h"
#include "autograd/tensor/random.h"

namespace heed::lesson19 {

inline constexpr int names = 24, roles = 4, words = 1 + roles;
inline constexpr std::array<const char*, roles> role_names{"who", "whom", "with", "for"};
inline constexpr std::array<const char*, names> name_list{
    "Ada", "Ben", "Cleo", "Dan", "Eve",  "Finn", "Gus", "Hal", "Ida", "Jon", "Kay", "Leo",
    "Mia", "Ned", "Oda",  "Pam", "Quin", "Rae",  "Sam", "Tom", "Uma", "Vic", "Wes", "Zoe"};

struct Sentences {
    Indices name;    // [B, 5]; the verb (index 24) comes first
    Indices role;    // [B, 5], 4 at the verb
    Indices answer;  // [B, relations]: the names in the first roles of who, whom, with, for
    std::string word(int64_t sentence, int64_t index) const {  // "Ada-who"
        if (index == 0) return "helped";
        return std::string(name_list[name.at({sentence, index})]) + "-" +
               role_names[role.at({sentence, index})];
    }
};

inline Sentences draw_sentences(int64_t count, int relations, Rng& rng) {
    std::vector<int> name, role, answer, order(roles), all(names);
    std::iota(order.begin(), order.end(), 0);
    std::iota(all.begin(), all.end(), 0);
    for (int64_t b = 0; b < count; ++b) {
        rng.shuffle(order);
        rng.shuffle(all);  // the first four names get the roles
        name.push_back(names);
        role.push_back(roles);
        for (int p : order) {
            name.push_back(all[p]);
            role.push_back(p);
        }
        answer.insert(answer.end(), all.begin(), all.begin() + relations);
    }
    return {Indices(name, {count, words}), Indices(role, {count, words}),
            Indices(answer, {count, relations})};
}

}  // namespace heed::lesson19
