// The words of the Korean-English corpus, in all forms that the grammar uses. All forms are listed,
// so irregular verbs need no rules. Each noun says what can be done with it (a letter can be read,
// written and given), so that no sentence is nonsense.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "lessons/material/corpora/hangul.h"

namespace heed::course::grammar {

// What a noun is, what can be done with it, and which adjectives suit it.
using Traits = std::uint32_t;
enum Trait : Traits {
    // kinds
    person = 1 << 0,
    animal = 1 << 1,
    mass = 1 << 2,        // takes neither an article nor a plural: water
    occupation = 1 << 3,  // he is a doctor
    found = 1 << 4,       // there is a book in the room
    owned = 1 << 5,       // my book
    // verbs
    read = 1 << 6,
    written = 1 << 7,
    eaten = 1 << 8,
    drunk = 1 << 9,
    brewed = 1 << 10,  // drunk, but not by animals
    bought = 1 << 11,
    seen = 1 << 12,
    sung = 1 << 13,
    given = 1 << 14,
    // adjectives
    sized = 1 << 15,
    priced = 1 << 16,
    lovely = 1 << 17,
    aged = 1 << 18,
    sorrowful = 1 << 19,
    good = 1 << 20,
    // places, by what one does there
    quiet = 1 << 21,  // read, write, sleep
    open = 1 << 22,   // walk, run
    shop = 1 << 23,   // buy
    roomy = 1 << 24,  // animals can be here too
    place = quiet | open | shop | roomy,
};

// The form with this index, from a string of forms separated by spaces. Empty if there are fewer.
constexpr std::string_view word_at(std::string_view words, int index) {
    for (; index > 0; --index) {
        const auto space = words.find(' ');
        if (space == std::string_view::npos) return {};
        words.remove_prefix(space + 1);
    }
    return words.substr(0, words.find(' '));
}

struct Noun {
    std::string_view korean, english, plural;  // empty if the grammar does not use it
    Traits traits;
    std::string_view preposition = {};  // of a place: in a park, at a market, on an island
};

// The agreement of English verbs with the subject: I am, you are, he is, they are.
enum class Agreement { first, second, third, plural };

struct Pronoun {
    std::string_view korean;   // topic, subject, object, possessive: 나는 내가 나를 나의
    std::string_view english;  // subject, object, possessive: I me my
    Agreement agreement{};

    bool is_first_person() const { return english[0] == 'I' || english[0] == 'w'; }
};

// The forms of a Korean verb: 읽는다 읽었다 읽을 읽는 읽은 읽지 읽고 읽으면 읽어서.
enum class Form {
    present,
    past,
    prospective,     // before 것 이다 (will) and 때 (when)
    adnominal,       // before a noun: who reads
    adnominal_past,  // who read
    negated,         // before 않는다: does not read
    joined,          // reads and
    conditional,     // if ... reads
    causal,          // because ... reads
};

// Which adverbs suit a verb, and its other properties.
enum VerbFlag : std::uint32_t {
    quickly = 1 << 0,
    slowly = 1 << 1,
    quietly = 1 << 2,
    animals = 1 << 3,   // animals do it too
    motion = 1 << 4,    // has a goal: goes to school
    giving = 1 << 5,    // has a receiver
    together = 1 << 6,  // done in company: walks with a friend
    creates = 1 << 7,   // the object is just being made: it has no owner and no adjective
    consumes = 1 << 8,  // the object is used up: no relative clauses about it
};

struct Verb {
    std::string_view korean;   // the forms, in the order of Form
    std::string_view english;  // read reads read
    Traits object = 0;         // the object has one of these; 0: no object
    Traits animal_object = 0;  // the same when an animal does it
    Traits where = place;
    std::uint32_t flags = 0;

    std::string_view form(Form which) const { return word_at(korean, static_cast<int>(which)); }
};

struct Manner {
    std::string_view korean, english;
    VerbFlag verbs{};
};

struct Adjective {
    std::string_view korean;  // 큰 (집), (집 은) 크다, 컸다, 커서; or the first alone
    std::string_view english;
    Traits nouns;

    bool only_before_noun() const { return word_at(korean, 1).empty(); }
};

enum class Tense { present, past, future };

struct TimeWord {
    std::string_view korean, english;
    bool in_present = false, in_past = false, in_future = false;
    bool frequency = false;  // English puts it before the verb: I often read
};

// A verb of thinking or speaking, in the present and in the past only.
struct Opinion {
    std::string_view korean, english;  // 말한다 말했다, say says said
};

extern const std::span<const Noun> nouns;
extern const std::span<const Pronoun> pronouns;
extern const std::span<const Verb> verbs;
extern const std::span<const Adjective> adjectives;
extern const std::span<const TimeWord> times;
extern const std::span<const Opinion> opinions;
extern const std::span<const Manner> manners;

// The verb of negation, which takes the endings of the negated verb (읽지 않는다).
extern const Verb negation;
// 비 가 온다 "it rains", 눈 이 온다 "it snows": the verb is 오다, to come.
extern const Verb raining, snowing;

namespace particles {
inline constexpr Particle topic{"은", "는"}, subject{"이", "가"}, object{"을", "를"};
inline constexpr Particle company{"과", "와"};
inline constexpr Particle copula_past{"이었다", "였다"}, copula_quoted{"이라", "라"};
}  // namespace particles

}  // namespace heed::course::grammar
