// The grammar of the Korean-English corpus: it grows one random sentence in both languages at once.
//
//     Grammar grammar{{seed}};
//     Phrase sentence = grammar.sentence(size);   // empty when the dice led nowhere: throw again
//
// Read phrase.h first (two orders, one alignment), then grammar_nouns.cpp, grammar_verbs.cpp,
// grammar_clauses.cpp and grammar_sentences.cpp. What corpus.h says about the Korean is decided
// here.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "lessons/course/generated/dice.h"
#include "lessons/course/generated/lexicon.h"
#include "lessons/course/generated/phrase.h"

namespace heed::course {

enum class Case { topic, subject, object };  // 은/는, 이/가, 을/를

// What follows a clause, and so decides the form of its verb.
enum class Ending { statement, quoted, joined, conditional, temporal, causal, adnominal };

struct NounPhrase {
    Phrase words;  // without its particle; empty for a pronoun
    int head = 0;  // place of the noun in words.target
    Agreement agreement = Agreement::third;
    bool definite = false;
    bool relative = false;  // ends, in English, with a relative clause
    const Noun* noun = nullptr;
    const Pronoun* pronoun = nullptr;

    bool is_animal() const { return noun && (noun->traits & animal); }
};

// How a noun is dressed: 그 아주 큰 집 / the very big house.
struct Dress {
    enum Determiner { bare, article, the, pronoun, noun } determiner = article;
    bool plural = false;
    bool unmarked = false;  // plural in English only: 우리는 학생 이다, we are students
    bool adjective = false;
    const Pronoun* owner = nullptr;  // with determiner pronoun; nullptr: anybody
    Phrase relative = {};
};

struct Mode {
    Tense tense;  // of the whole sentence; of a relative clause, its own
    Ending ending = Ending::statement;
    bool negated = false;
    bool gap = false;  // the object is missing, for it is the noun that the clause belongs to
};

struct VerbPhrase {
    Phrase words;
    bool closed = false;  // ends, in English, with a relative clause: nothing may follow
};

// How long a sentence is wanted: its clauses (1 to 3) and, in per cent, its readiness for
// adjectives, places, times, relative clauses.
struct Size {
    int clauses, richness;
};

class Grammar {
  public:
    explicit Grammar(Dice dice) : dice_(dice) {}

    Phrase sentence(Size size);

  private:
    // grammar_nouns.cpp
    bool maybe(int percent) { return dice_.chance(percent * richness_ / 100); }
    bool is_free(const void* word) const;
    template <class Word, class Fits>
    const Word* pick(std::span<const Word> words, Fits fits);
    const Noun& pick_noun(Traits one_of, Traits all_of = 0);
    NounPhrase pick_pronoun(const NounPhrase* subject = nullptr);
    Phrase pick_adjective(const Noun& noun);
    Dress pick_dress(const Noun& noun);
    NounPhrase dressed(const Noun& noun, const Dress& dress);
    NounPhrase pick_subject(bool definite, const Tense* relative = nullptr);
    NounPhrase pick_object(const Verb& verb, const Mode& mode, const NounPhrase& subject);
    Phrase pick_place(Traits one_of, Traits doer);
    Phrase pick_goal(Traits doer);

    // grammar_verbs.cpp
    const Verb* pick_verb(const NounPhrase& subject, const Mode& mode, Traits object = 0);
    VerbPhrase verb_phrase(const Verb& verb, const NounPhrase& subject, const Mode& mode);
    Phrase relative_clause(const Noun& head, Agreement agreement, Tense tense);
    Phrase pick_time(Tense tense, bool frequency);
    Mode pick_mode(Tense tense, Ending ending);

    // grammar_clauses.cpp
    Phrase verb_clause(Tense tense, Ending ending, bool alone = false);
    Phrase copula_clause(Tense tense, Ending ending);
    Phrase adjective_clause(Tense tense, Ending ending, Traits of = ~Traits{0});
    Phrase existence_clause(Tense tense);
    Phrase weather_clause(Tense tense, Ending ending, bool alone = false);

    // grammar_sentences.cpp
    Phrase statement(Tense tense);
    Phrase main_clause(Tense tense);
    Phrase quoted_clause(Tense tense);
    Phrase joined_clauses(Tense tense);
    Phrase one_subject_two_verbs(Tense tense);
    Phrase subordinate_clause(Tense tense);
    Phrase opinion(int clauses);
    Phrase any_sentence(int clauses);

    Dice dice_;
    int richness_ = 0;
    bool failed_ = false;            // no word was left that fits
    std::vector<const void*> used_;  // each word of the lexicon stands in a sentence once
};

// One of the words that fit and stand nowhere else in the sentence; nullptr when there is none.
template <class Word, class Fits>
const Word* Grammar::pick(std::span<const Word> words, Fits fits) {
    const auto may = [&](const Word& word) { return fits(word) && is_free(&word); };
    const auto count = static_cast<std::size_t>(std::count_if(words.begin(), words.end(), may));
    if (count == 0) return nullptr;
    auto left = dice_.below(count);
    for (const Word& word : words)
        if (may(word) && left-- == 0) {
            used_.push_back(&word);
            return &word;
        }
    return nullptr;
}

// Forms and words that several rules need.
Phrase marked(const NounPhrase& noun, Case which);
Phrase with_postposition(const NounPhrase& noun, std::string_view korean, std::string_view english);
Phrase conjugated(const Verb& verb, const Mode& mode, Agreement agreement);
std::string_view form_of_be(Agreement agreement, Tense tense);

}  // namespace heed::course
