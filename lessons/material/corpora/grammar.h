// The grammar of the Korean-English corpus: it generates random sentences in both languages at
// once.
//
//     Grammar grammar{{seed}};
//     Phrase sentence = grammar.sentence(size);   // empty if it found no fitting words: try again
//
// Read phrase.h first (two orders, one alignment). grammar.cpp has the rules: nouns, verbs,
// clauses, sentences. They implement what corpus.h says about the Korean.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "lessons/material/corpora/dice.h"
#include "lessons/material/corpora/lexicon.h"
#include "lessons/material/corpora/phrase.h"

namespace heed::course::grammar {

enum class Case { topic, subject, object };  // 은/는, 이/가, 을/를

// What follows a clause, and so decides the form of its verb.
enum class Ending { statement, quoted, joined, conditional, temporal, causal, adnominal };

struct NounPhrase {
    Phrase words;  // without its particle; empty for a pronoun
    int head = 0;  // index of the noun in words.target
    Agreement agreement = Agreement::third;
    bool definite = false;
    bool relative = false;  // ends, in English, with a relative clause
    const Noun* noun = nullptr;
    const Pronoun* pronoun = nullptr;

    bool is_animal() const { return noun && (noun->traits & animal); }
};

// What is added to a noun: 그 아주 큰 집 / the very big house.
struct Modifiers {
    enum Determiner { bare, article, the, pronoun, noun } determiner = article;
    bool plural = false;
    bool unmarked = false;  // plural in English only: 우리는 학생 이다, we are students
    bool adjective = false;
    const Pronoun* owner = nullptr;  // with determiner pronoun; nullptr: a random one
    Phrase relative = {};
};

struct Mode {
    Tense tense{};  // of the whole sentence; of a relative clause, its own
    Ending ending = Ending::statement;
    bool negated = false;
    bool gap = false;  // the clause has no object, because its noun is the object
};

struct VerbPhrase {
    Phrase words;
    bool closed = false;  // ends, in English, with a relative clause: nothing else may follow
};

// The wanted size of a sentence: the number of clauses, and a factor in per cent for the probability
// of adjectives, places, times and relative clauses. Sentences of four or more clauses are main
// clauses joined by "and".
struct Size {
    int clauses = 0, richness = 0;
};

class Grammar {
  public:
    explicit Grammar(Dice dice) : dice_(dice) {}

    Phrase sentence(Size size);

    // Main clauses joined by "and", from one clause on, all in the same tense. The verb of each
    // clause says what it needs, so each can be translated without the others.
    Phrase chain(Size size, Tense tense);

  private:
    // nouns
    bool maybe(int percent) { return dice_.chance(percent * richness_ / 100); }
    bool is_free(const void* word) const;
    template <class Word, class Fits>
    const Word* pick(std::span<const Word> words, Fits fits);
    const Noun& pick_noun(Traits one_of, Traits all_of = 0);
    NounPhrase pick_pronoun(const NounPhrase* subject = nullptr);
    Phrase pick_adjective(const Noun& noun);
    Modifiers pick_modifiers(const Noun& noun);
    NounPhrase noun_phrase(const Noun& noun, const Modifiers& modifiers);
    NounPhrase pick_subject(bool definite, const Tense* relative = nullptr);
    NounPhrase pick_object(const Verb& verb, const Mode& mode, const NounPhrase& subject);
    Phrase pick_place(Traits one_of, Traits doer);
    Phrase pick_goal(Traits doer);

    // verbs
    const Verb* pick_verb(const NounPhrase& subject, const Mode& mode, Traits object = 0);
    VerbPhrase verb_phrase(const Verb& verb, const NounPhrase& subject, const Mode& mode);
    Phrase relative_clause(const Noun& head, Agreement agreement, Tense tense);
    Phrase pick_time(Tense tense, bool frequency);
    Mode pick_mode(Tense tense, Ending ending);

    // clauses
    Phrase verb_clause(Tense tense, Ending ending, bool alone = false);
    Phrase copula_clause(Tense tense, Ending ending);
    Phrase adjective_clause(Tense tense, Ending ending, Traits of = ~Traits{0});
    Phrase existence_clause(Tense tense);
    Phrase weather_clause(Tense tense, Ending ending, bool alone = false);

    // sentences
    Phrase statement(Tense tense);
    Phrase main_clause(Tense tense);
    Phrase quoted_clause(Tense tense);
    Phrase joined_clauses(Tense tense);
    Phrase chained_clauses(int clauses, Tense tense);
    Phrase one_subject_two_verbs(Tense tense);
    Phrase subordinate_clause(Tense tense);
    Phrase opinion(int clauses);
    Phrase any_sentence(int clauses);

    Dice dice_;
    int richness_ = 0;
    bool failed_ = false;            // no fitting word was left
    std::vector<const void*> used_;  // the words of the sentence; none is used twice
};

// A random word that fits and is not yet in the sentence; nullptr if there is none.
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

// Forms that several rules need.
Phrase marked(const NounPhrase& noun, Case which);
Phrase with_postposition(const NounPhrase& noun, std::string_view korean, std::string_view english);
Phrase conjugated(const Verb& verb, const Mode& mode, Agreement agreement);
std::string_view form_of_be(Agreement agreement, Tense tense);

}  // namespace heed::course::grammar
