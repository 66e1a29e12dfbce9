// Nouns: who, what and where.
#include <algorithm>

#include "lessons/course/generated/grammar.h"

namespace heed::course {

bool Grammar::is_free(const void* word) const {
    return std::find(used_.begin(), used_.end(), word) == used_.end();
}

const Noun& Grammar::pick_noun(Traits one_of, Traits all_of) {
    const Noun* noun = pick(nouns, [&](const Noun& candidate) {
        return (candidate.traits & one_of) && (candidate.traits & all_of) == all_of;
    });
    failed_ |= !noun;
    return noun ? *noun : nouns.front();
}

// As the object of a subject: I never meet us, nor we me.
NounPhrase Grammar::pick_pronoun(const NounPhrase* subject) {
    const bool not_us = subject && subject->pronoun && subject->pronoun->is_first_person();
    const Pronoun* pronoun = pick(pronouns, [&](const Pronoun& candidate) {
        return !(not_us && candidate.is_first_person());
    });
    failed_ |= !pronoun;
    NounPhrase result;
    result.pronoun = pronoun ? pronoun : &pronouns.front();
    result.agreement = result.pronoun->agreement;
    result.definite = true;
    return result;
}

// 큰 "big", 아주 큰 "very big".
Phrase Grammar::pick_adjective(const Noun& noun) {
    const Adjective* adjective =
        pick(adjectives, [&](const Adjective& candidate) { return candidate.nouns & noun.traits; });
    if (!adjective) return {};
    const bool gradual = !adjective->only_before_noun();  // "very big", not "very new"
    const Phrase very = gradual && maybe(20) ? phrase("아주", "very") : Phrase{};
    const Phrase word = phrase(word_at(adjective->korean, 0), adjective->english);
    return in_order({&very, &word}, {&very, &word});
}

// A bare Korean noun is indefinite in English, 그 is "the": the article is a function of the
// Korean.
Dress Grammar::pick_dress(const Noun& noun) {
    Dress dress;
    const auto throw_of_100 = dice_.below(100);
    if (throw_of_100 < 35) dress.determiner = Dress::the;
    if (throw_of_100 >= 70 && (noun.traits & owned)) dress.determiner = Dress::pronoun;
    const bool anybodys = (noun.traits & owned) && !(noun.traits & occupation);
    if (throw_of_100 >= 88 && anybodys && maybe(100)) dress.determiner = Dress::noun;
    dress.plural = !noun.plural.empty() && dice_.chance(20);
    dress.adjective = maybe(45);
    return dress;
}

// Korean: relative clause, determiner, adjective, noun.
// English: determiner, adjective, noun, relative clause.
NounPhrase Grammar::dressed(const Noun& noun, const Dress& dress) {
    Phrase head = phrase(noun.korean, dress.plural ? noun.plural : noun.english);
    if (dress.plural && !dress.unmarked) {
        head.source.push_back("들");
        head.links.push_back({1, 0, false});
    }
    const Phrase adjective = dress.adjective ? pick_adjective(noun) : Phrase{};

    Phrase determiner;
    const bool needs_article = !dress.plural && !(noun.traits & mass);
    if (dress.determiner == Dress::article && needs_article) {
        const std::string_view next = (adjective.empty() ? head : adjective).target[0];
        const bool vowel = std::string_view("aeiou").find(next[0]) != std::string_view::npos;
        determiner.target.push_back(vowel ? "an" : "a");
    } else if (dress.determiner == Dress::the) {
        determiner = phrase("그", "the");
    } else if (dress.determiner == Dress::pronoun) {
        const Pronoun& owner = dress.owner ? *dress.owner : pronouns[dice_.below(pronouns.size())];
        determiner = phrase(word_at(owner.korean, 3), word_at(owner.english, 2));
    } else if (dress.determiner == Dress::noun) {
        Dress plain;
        plain.determiner = dice_.chance(60) ? Dress::the : Dress::article;
        const Phrase owner = dressed(pick_noun(person), plain).words;
        const Phrase of = phrase("의", "'s");
        determiner = in_order({&owner, &of}, {&owner, &of});
    }

    NounPhrase result;
    result.words = in_order({&dress.relative, &determiner, &adjective, &head},
                            {&determiner, &adjective, &head, &dress.relative});
    result.head = determiner.target_end() + adjective.target_end();
    result.agreement = dress.plural ? Agreement::plural : Agreement::third;
    result.definite = dress.determiner >= Dress::the;
    result.relative = !dress.relative.empty();
    result.noun = &noun;
    // "a" has no Korean counterpart; whoever reads 학생 as "a student" is not wrong.
    if (dress.determiner == Dress::article && needs_article) {
        const int source = result.words.source_end() - head.source_end();
        result.words.links.push_back({source, 0, false});
    }
    return result;
}

// relative: the tense of the sentence, where the subject may have a relative clause.
NounPhrase Grammar::pick_subject(bool definite, const Tense* relative) {
    if (dice_.chance(40)) return pick_pronoun();
    const Noun& noun = pick_noun(dice_.chance(80) ? person : animal);
    Dress dress = pick_dress(noun);
    if (definite && dress.determiner == Dress::article) dress.determiner = Dress::the;
    if (relative && dress.determiner <= Dress::the && maybe(30)) {
        const auto agreement = dress.plural ? Agreement::plural : Agreement::third;
        dress.relative = relative_clause(noun, agreement, *relative);
    }
    return dressed(noun, dress);
}

NounPhrase Grammar::pick_object(const Verb& verb, const Mode& mode, const NounPhrase& subject) {
    const Traits one_of = subject.is_animal() ? verb.animal_object : verb.object;
    if ((one_of & person) && dice_.chance(35)) return pick_pronoun(&subject);
    const Noun& noun = pick_noun(one_of);
    Dress dress = pick_dress(noun);
    if (verb.flags & creates) {
        dress.adjective = false;
        if (dress.determiner > Dress::the) dress.determiner = Dress::article;
        return dressed(noun, dress);
    }
    // Only 그 and the indefinite go with a relative clause: 내가 산 그 책, not 내가 산 나의 책.
    if (mode.ending != Ending::adnominal && dress.determiner <= Dress::the && maybe(45)) {
        const auto agreement = dress.plural ? Agreement::plural : Agreement::third;
        dress.relative = relative_clause(noun, agreement, mode.tense);
        if (!dress.relative.empty()) dress.adjective = false;
    }
    return dressed(noun, dress);
}

// 공원 에서 "in a park". Home and school go without an article: 집 에서 "at home".
Phrase Grammar::pick_place(Traits one_of, Traits doer) {
    const Noun& noun = pick_noun(one_of, doer & animal ? Traits{roomy} : Traits{0});
    Dress dress = pick_dress(noun);
    if (dress.determiner == Dress::article && !dress.adjective) {
        if (noun.english == "house") {
            const Phrase home = phrase("집", "home"), at = phrase("에서", "at");
            return in_order({&home, &at}, {&at, &home});
        }
        if (noun.english == "school") dress.determiner = Dress::bare;
    }
    return with_postposition(dressed(noun, dress), "에서", noun.preposition);
}

// 학교 에 "to school", 집 에 "home".
Phrase Grammar::pick_goal(Traits doer) {
    const Noun& noun = pick_noun(place, doer & animal ? Traits{roomy} : Traits{0});
    Dress dress = pick_dress(noun);
    if (dress.determiner == Dress::article && !dress.adjective) {
        if (noun.english == "house") {
            Phrase home = phrase("집", "home");
            home.source.push_back("에");
            home.links.push_back({1, 0, false});
            return home;
        }
        if (noun.english == "school") dress.determiner = Dress::bare;
    }
    return with_postposition(dressed(noun, dress), "에", "to");
}

// A noun with the particle that its last syllable asks for; pronouns have their own forms. The
// particle has no English word: at most it goes with the noun.
Phrase marked(const NounPhrase& noun, Case which) {
    if (const Pronoun* pronoun = noun.pronoun)
        return phrase(word_at(pronoun->korean, static_cast<int>(which)),
                      word_at(pronoun->english, which == Case::object));
    const Particle& particle = which == Case::topic     ? particles::topic
                               : which == Case::subject ? particles::subject
                                                        : particles::object;
    Phrase result = noun.words;
    result.source.push_back(particle.after(result.source.back()));
    result.links.push_back({result.source_end() - 1, noun.head, false});
    return result;
}

// Korean puts after the noun what English puts before it: 공원 에서 "in a park".
Phrase with_postposition(const NounPhrase& noun, std::string_view korean,
                         std::string_view english) {
    const Phrase word = phrase(korean, english);
    return in_order({&noun.words, &word}, {&word, &noun.words});
}

}  // namespace heed::course
