#include "lessons/material/corpora/grammar.h"

#include <algorithm>

namespace heed::course::grammar {

// --- Nouns: who, what and where ------------------------------------------------------------------

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

// With a subject, it is the object: "I meet us" and "we meet me" are left out.
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
Modifiers Grammar::pick_modifiers(const Noun& noun) {
    Modifiers modifiers;
    const auto percent = dice_.below(100);
    if (percent < 35) modifiers.determiner = Modifiers::the;
    if (percent >= 70 && (noun.traits & owned)) modifiers.determiner = Modifiers::pronoun;
    const bool anybodys = (noun.traits & owned) && !(noun.traits & occupation);
    if (percent >= 88 && anybodys && maybe(100)) modifiers.determiner = Modifiers::noun;
    modifiers.plural = !noun.plural.empty() && dice_.chance(20);
    modifiers.adjective = maybe(45);
    return modifiers;
}

// Korean: relative clause, determiner, adjective, noun.
// English: determiner, adjective, noun, relative clause.
NounPhrase Grammar::noun_phrase(const Noun& noun, const Modifiers& modifiers) {
    Phrase head = phrase(noun.korean, modifiers.plural ? noun.plural : noun.english);
    if (modifiers.plural && !modifiers.unmarked) {
        head.source.push_back("들");
        head.links.push_back({1, 0, false});
    }
    const Phrase adjective = modifiers.adjective ? pick_adjective(noun) : Phrase{};

    Phrase determiner;
    const bool needs_article = !modifiers.plural && !(noun.traits & mass);
    if (modifiers.determiner == Modifiers::article && needs_article) {
        const std::string_view next = (adjective.empty() ? head : adjective).target[0];
        const bool vowel = std::string_view("aeiou").find(next[0]) != std::string_view::npos;
        determiner.target.push_back(vowel ? "an" : "a");
    } else if (modifiers.determiner == Modifiers::the) {
        determiner = phrase("그", "the");
    } else if (modifiers.determiner == Modifiers::pronoun) {
        const Pronoun& owner =
            modifiers.owner ? *modifiers.owner : pronouns[dice_.below(pronouns.size())];
        determiner = phrase(word_at(owner.korean, 3), word_at(owner.english, 2));
    } else if (modifiers.determiner == Modifiers::noun) {
        Modifiers plain;
        plain.determiner = dice_.chance(60) ? Modifiers::the : Modifiers::article;
        const Phrase owner = noun_phrase(pick_noun(person), plain).words;
        const Phrase of = phrase("의", "'s");
        determiner = in_order({&owner, &of}, {&owner, &of});
    }

    NounPhrase result;
    result.words = in_order({&modifiers.relative, &determiner, &adjective, &head},
                            {&determiner, &adjective, &head, &modifiers.relative});
    result.head = determiner.target_end() + adjective.target_end();
    result.agreement = modifiers.plural ? Agreement::plural : Agreement::third;
    result.definite = modifiers.determiner >= Modifiers::the;
    result.relative = !modifiers.relative.empty();
    result.noun = &noun;
    // "a" has no Korean counterpart; a link to the noun is possible.
    if (modifiers.determiner == Modifiers::article && needs_article) {
        const int source = result.words.source_end() - head.source_end();
        result.words.links.push_back({source, 0, false});
    }
    return result;
}

// relative: the tense of the sentence, if the subject may have a relative clause.
NounPhrase Grammar::pick_subject(bool definite, const Tense* relative) {
    if (dice_.chance(40)) return pick_pronoun();
    const Noun& noun = pick_noun(dice_.chance(80) ? person : animal);
    Modifiers modifiers = pick_modifiers(noun);
    if (definite && modifiers.determiner == Modifiers::article)
        modifiers.determiner = Modifiers::the;
    if (relative && modifiers.determiner <= Modifiers::the && maybe(30)) {
        const auto agreement = modifiers.plural ? Agreement::plural : Agreement::third;
        modifiers.relative = relative_clause(noun, agreement, *relative);
    }
    return noun_phrase(noun, modifiers);
}

NounPhrase Grammar::pick_object(const Verb& verb, const Mode& mode, const NounPhrase& subject) {
    const Traits one_of = subject.is_animal() ? verb.animal_object : verb.object;
    if ((one_of & person) && dice_.chance(35)) return pick_pronoun(&subject);
    const Noun& noun = pick_noun(one_of);
    Modifiers modifiers = pick_modifiers(noun);
    if (verb.flags & creates) {
        modifiers.adjective = false;
        if (modifiers.determiner > Modifiers::the) modifiers.determiner = Modifiers::article;
        return noun_phrase(noun, modifiers);
    }
    // Only 그 and the indefinite go with a relative clause: 내가 산 그 책, not 내가 산 나의 책.
    if (mode.ending != Ending::adnominal && modifiers.determiner <= Modifiers::the && maybe(45)) {
        const auto agreement = modifiers.plural ? Agreement::plural : Agreement::third;
        modifiers.relative = relative_clause(noun, agreement, mode.tense);
        if (!modifiers.relative.empty()) modifiers.adjective = false;
    }
    return noun_phrase(noun, modifiers);
}

// 공원 에서 "in a park". Home and school go without an article: 집 에서 "at home".
Phrase Grammar::pick_place(Traits one_of, Traits doer) {
    const Noun& noun = pick_noun(one_of, doer & animal ? Traits{roomy} : Traits{0});
    Modifiers modifiers = pick_modifiers(noun);
    if (modifiers.determiner == Modifiers::article && !modifiers.adjective) {
        if (noun.english == "house") {
            const Phrase home = phrase("집", "home"), at = phrase("에서", "at");
            return in_order({&home, &at}, {&at, &home});
        }
        if (noun.english == "school") modifiers.determiner = Modifiers::bare;
    }
    return with_postposition(noun_phrase(noun, modifiers), "에서", noun.preposition);
}

// 학교 에 "to school", 집 에 "home".
Phrase Grammar::pick_goal(Traits doer) {
    const Noun& noun = pick_noun(place, doer & animal ? Traits{roomy} : Traits{0});
    Modifiers modifiers = pick_modifiers(noun);
    if (modifiers.determiner == Modifiers::article && !modifiers.adjective) {
        if (noun.english == "house") {
            Phrase home = phrase("집", "home");
            home.source.push_back("에");
            home.links.push_back({1, 0, false});
            return home;
        }
        if (noun.english == "school") modifiers.determiner = Modifiers::bare;
    }
    return with_postposition(noun_phrase(noun, modifiers), "에", "to");
}

// A noun with the form of the particle that its last syllable requires; pronouns have their own
// forms. The particle has no English counterpart; a link to the noun is possible.
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

// Korean has a word after the noun where English has a preposition: 공원 에서 "in a park".
Phrase with_postposition(const NounPhrase& noun, std::string_view korean,
                         std::string_view english) {
    const Phrase word = phrase(korean, english);
    return in_order({&noun.words, &word}, {&word, &noun.words});
}

// --- Verbs: conjugation in both languages, the verb phrase, relative clauses ---------------------

namespace {

// Korean marks the tense of a joined sentence once, on its last verb; English on every verb, with
// the present for what is still to come: I will sleep if it rains.
Tense english_tense(const Mode& mode) {
    const bool subordinate = mode.ending == Ending::conditional ||
                             mode.ending == Ending::temporal || mode.ending == Ending::causal;
    return subordinate && mode.tense == Tense::future ? Tense::present : mode.tense;
}

Form korean_form(const Mode& mode) {
    switch (mode.ending) {
        case Ending::joined:
            return Form::joined;
        case Ending::conditional:
            return Form::conditional;
        case Ending::temporal:
            return Form::prospective;
        case Ending::causal:
            return Form::causal;
        default:
            break;
    }
    if (mode.tense == Tense::future) return Form::prospective;
    if (mode.ending == Ending::adnominal)
        return mode.tense == Tense::past ? Form::adnominal_past : Form::adnominal;
    return mode.tense == Tense::past ? Form::past : Form::present;
}

// "I read" can be present or past, so the grammar avoids such forms.
bool tense_is_hidden(const Verb& verb, const Mode& mode, Agreement agreement) {
    return word_at(verb.english, 0) == word_at(verb.english, 2) && !mode.negated &&
           agreement != Agreement::third && english_tense(mode) != Tense::future;
}

}  // namespace

// 읽는다 "reads", 읽지 않았다 "did not read", 읽을 것 이다 "will read".
Phrase conjugated(const Verb& verb, const Mode& mode, Agreement agreement) {
    Phrase result;
    const Form form = korean_form(mode);
    if (mode.negated)
        result.source = {verb.form(Form::negated), negation.form(form)};
    else
        result.source = {verb.form(form)};
    const int last = result.source_end() - 1;  // the word that carries tense and negation

    // The future, 것 이다, is "will", which is linked to 것. With the other endings, the ending or
    // the last verb of the sentence expresses the future.
    const Tense tense = english_tense(mode);
    const bool whole_future = tense == Tense::future &&
                              (mode.ending == Ending::statement || mode.ending == Ending::quoted);
    if (whole_future) {
        result.source.push_back("것");
        result.source.push_back(mode.ending == Ending::quoted ? "이라" : "이다");
    }
    if (mode.ending == Ending::temporal) result.source.push_back("때");

    // The auxiliary, "not", and the verb itself.
    const bool third = agreement == Agreement::third;
    const auto add = [&](std::string_view english, int source, bool sure = true) {
        result.links.push_back({source, result.target_end(), sure});
        result.target.push_back(english);
    };
    if (tense == Tense::future) {
        add("will", whole_future ? last + 1 : last, mode.ending != Ending::joined);
        if (whole_future)
            for (const int source : {last, last + 2}) result.links.push_back({source, 0, false});
    } else if (mode.negated) {
        add(tense == Tense::past ? "did" : third ? "does" : "do", last);
    }
    if (mode.negated) add("not", last);
    const bool base = mode.negated || tense == Tense::future;
    add(word_at(verb.english, base ? 0 : tense == Tense::past ? 2 : third ? 1 : 0), 0);
    return result;
}

std::string_view form_of_be(Agreement agreement, Tense tense) {
    const bool many = agreement == Agreement::plural || agreement == Agreement::second;
    if (tense == Tense::past) return many ? "were" : "was";
    return many ? "are" : agreement == Agreement::first ? "am" : "is";
}

Mode Grammar::pick_mode(Tense tense, Ending ending) {
    return {tense, ending, dice_.chance(15), false};
}

// A verb that suits the subject, and the object if one is given; nullptr if there is none.
const Verb* Grammar::pick_verb(const NounPhrase& subject, const Mode& mode, Traits object) {
    return pick(verbs, [&](const Verb& verb) {
        if (subject.is_animal() && !(verb.flags & animals)) return false;
        if (tense_is_hidden(verb, mode, subject.agreement)) return false;
        if (mode.ending == Ending::causal && verb.form(Form::causal).empty()) return false;
        const Traits objects = subject.is_animal() ? verb.animal_object : verb.object;
        return !mode.gap || (!(verb.flags & consumes) && (objects & object));
    });
}

// Korean: place, company, receiver or goal, object, manner, verb.
// English: verb, object, receiver or goal, manner, company, place.
VerbPhrase Grammar::verb_phrase(const Verb& verb, const NounPhrase& subject, const Mode& mode) {
    VerbPhrase result;
    const Traits doer = subject.is_animal() ? animal : person;
    Phrase object, goal, manner, company, where;
    if (verb.object && !mode.gap) {
        const NounPhrase noun = pick_object(verb, mode, subject);
        result.closed = noun.relative;
        object = marked(noun, Case::object);
    }

    if (verb.flags & giving) {
        const Noun& receiver = pick_noun(person);
        goal = with_postposition(noun_phrase(receiver, pick_modifiers(receiver)), "에게", "to");
    }
    if (verb.flags & motion) goal = pick_goal(doer);
    // In English, what follows a relative clause could belong to the clause or to the sentence.
    if (!result.closed) {
        const Manner& how = manners[dice_.below(manners.size())];
        if ((verb.flags & how.verbs) && maybe(45)) manner = phrase(how.korean, how.english);
        if (doer == person && (verb.flags & together) && maybe(25)) {
            const Noun& friend_or_so = pick_noun(person);
            const NounPhrase with_whom = noun_phrase(friend_or_so, pick_modifiers(friend_or_so));
            company = with_postposition(
                with_whom, particles::company.after(with_whom.words.source.back()), "with");
            company.links.back().sure = false;  // 와 함께: 함께 is "with", 와 goes along
            company.source.push_back("함께");
            company.links.push_back({company.source_end() - 1, 0});
        }
        const bool bare = mode.ending == Ending::adnominal && !verb.object && dice_.chance(70);
        if (!(verb.flags & motion) && (bare || maybe(40))) where = pick_place(verb.where, doer);
    }

    const Phrase word = conjugated(verb, mode, subject.agreement);
    // "gave to the boy a book that ...": before a long object the receiver comes first.
    if (result.closed)
        result.words = in_order({&goal, &object, &manner, &word}, {&word, &goal, &object, &manner});
    else
        result.words = in_order({&where, &company, &goal, &object, &manner, &word},
                                {&word, &object, &goal, &manner, &company, &where});
    return result;
}

// Korean puts the clause before the noun. English puts it after the noun and starts it with a
// pronoun that Korean does not have. Empty if no verb fits.
//
//     책 을 읽는 (학생)     (a student) who reads a book    without a subject
//     내가 산 (책)          (a book) that I bought          without an object
Phrase Grammar::relative_clause(const Noun& head, Agreement agreement, Tense tense) {
    Mode mode = pick_mode(tense, Ending::adnominal);
    if (tense != Tense::past && dice_.chance(30)) mode.tense = Tense::past;
    if (tense == Tense::future && dice_.chance(50)) mode.tense = Tense::present;
    const bool alive = head.traits & (person | animal);
    Phrase pronoun, subject, verb_words;
    if (alive && dice_.chance(65)) {
        NounPhrase doer;
        doer.noun = &head;
        doer.agreement = agreement;
        const Verb* verb = pick_verb(doer, mode);
        if (!verb) return {};
        verb_words = verb_phrase(*verb, doer, mode).words;
        pronoun.target.push_back(head.traits & person ? "who" : "that");
    } else {
        mode.gap = true;
        const NounPhrase doer = pick_subject(false);
        const Verb* verb = pick_verb(doer, mode, head.traits);
        if (!verb) return {};
        subject = marked(doer, Case::subject);
        verb_words = verb_phrase(*verb, doer, mode).words;
        pronoun.target.push_back("that");
    }
    Phrase clause = in_order({&pronoun, &subject, &verb_words}, {&pronoun, &subject, &verb_words});
    if (clause.source_end() == 1 && mode.tense == Tense::past)
        return {};  // 잔, 산: too short to understand
    clause.links.push_back({clause.source_end() - 1, 0, false});
    return clause;
}

// 어제 "yesterday", 아침 에 "in the morning"; frequency: 자주 "often". Empty if none fits the
// tense.
Phrase Grammar::pick_time(Tense tense, bool frequency) {
    const TimeWord* found = pick(times, [&](const TimeWord& time) {
        const bool fits = tense == Tense::present ? time.in_present
                          : tense == Tense::past  ? time.in_past
                                                  : time.in_future;
        return fits && time.frequency == frequency;
    });
    if (!found) return {};
    const TimeWord& time = *found;
    Phrase result = phrase(time.korean, time.english);
    // 아침 is "morning" and 에 is "in"; "the" has no Korean counterpart.
    if (time.english == "in the morning") result.links = {{1, 0}, {0, 2}, {0, 1, false}};
    if (time.english == "at night") result.links = {{1, 0}, {0, 1}};
    return result;
}

// --- Clauses: with a verb, a noun or an adjective; there is something; it rains ------------------

namespace {

// 은/는 marks what is known. 이/가 marks what is new, and the subject of every subordinate clause.
Case case_of(const NounPhrase& subject, Ending ending) {
    const bool outer = ending == Ending::statement || ending == Ending::joined;
    return outer && subject.definite ? Case::topic : Case::subject;
}

bool takes_time(Ending ending) {
    return ending == Ending::statement || ending == Ending::quoted || ending == Ending::joined;
}

// A Korean predicate without a verb of its own in English: 크다 "is big", 아니다 "is not".
Phrase be(std::string_view korean, Agreement agreement, Tense tense,
          std::string_view english = {}) {
    Phrase result = phrase(korean, form_of_be(agreement, tense));
    if (!english.empty()) {
        result.target.push_back(english);
        result.links.push_back({0, 1});
    }
    return result;
}

}  // namespace

// 나는 어제 공원 에서 책 을 읽었다    I read a book in a park yesterday
// alone: it is the only clause, so that a time may come first in the Korean sentence.
Phrase Grammar::verb_clause(Tense tense, Ending ending, bool alone) {
    const Mode mode = pick_mode(tense, ending);
    const NounPhrase doer = pick_subject(false, &tense);
    const Verb* verb = pick_verb(doer, mode);
    if (!verb) {
        failed_ = true;
        return {};
    }
    const VerbPhrase rest = verb_phrase(*verb, doer, mode);
    const Case which = case_of(doer, ending);
    const Phrase subject = marked(doer, which);
    // After a relative clause it would be unclear to which verb the time belongs.
    const bool with_time = takes_time(ending) && !rest.closed;
    if (with_time && !mode.negated && maybe(15)) {
        const Phrase often = pick_time(tense, true);
        return in_order({&subject, &often, &rest.words}, {&subject, &often, &rest.words});
    }
    Phrase time;
    if (with_time && maybe(40)) time = pick_time(tense, false);
    if (alone && which == Case::subject && !doer.relative)
        return in_order({&time, &subject, &rest.words}, {&subject, &rest.words, &time});
    return in_order({&subject, &time, &rest.words}, {&subject, &rest.words, &time});
}

// 나는 학생 이다 "I am a student", 그는 의사 가 아니다 "he is not a doctor".
// After a subject of many the noun stays as it is in Korean: 우리는 학생 이다 "we are students".
Phrase Grammar::copula_clause(Tense tense, Ending ending) {
    const NounPhrase who = pick_pronoun();
    const Noun* noun = nullptr;
    Modifiers modifiers;
    modifiers.plural = modifiers.unmarked = who.agreement == Agreement::plural;
    if (dice_.chance(20)) {  // 너는 나의 친구 이다
        noun = &pick_noun(person, owned);
        modifiers.determiner = Modifiers::pronoun;
        modifiers.owner = &pronouns[dice_.below(pronouns.size())];
        const bool both_first =
            modifiers.owner->is_first_person() && who.pronoun->is_first_person();
        if (modifiers.owner == who.pronoun || both_first) failed_ = true;
    } else {
        noun = &pick_noun(occupation);
    }
    modifiers.adjective = maybe(50);
    const NounPhrase what = noun_phrase(*noun, modifiers);

    const Phrase subject = marked(who, case_of(who, ending));
    if (ending == Ending::statement && dice_.chance(20)) {
        const Phrase complement = marked(what, Case::subject);
        const Phrase is_not =
            be(tense == Tense::past ? "아니었다" : "아니다", who.agreement, tense, "not");
        return in_order({&subject, &complement, &is_not}, {&subject, &is_not, &complement});
    }
    const std::string_view last = what.words.source.back();
    const std::string_view copula = ending == Ending::joined ? "이고"
                                    : tense == Tense::past   ? particles::copula_past.after(last)
                                    : ending == Ending::quoted
                                        ? particles::copula_quoted.after(last)
                                        : "이다";
    const Phrase is = be(copula, who.agreement, tense);
    return in_order({&subject, &what.words, &is}, {&subject, &is, &what.words});
}

// 그 집 은 아주 컸다 "the house was very big". The subject is always definite.
Phrase Grammar::adjective_clause(Tense tense, Ending ending, Traits of) {
    const Adjective* found = pick(adjectives, [&](const Adjective& candidate) {
        return !candidate.only_before_noun() && (candidate.nouns & of);
    });
    if (!found) {
        failed_ = true;
        return {};
    }
    const Adjective& adjective = *found;
    NounPhrase who;
    if ((adjective.nouns & person) && dice_.chance(60)) {
        who = pick_pronoun();
    } else {
        const Noun& noun = pick_noun(adjective.nouns & of);
        Modifiers modifiers = pick_modifiers(noun);
        if (modifiers.determiner == Modifiers::article) modifiers.determiner = Modifiers::the;
        modifiers.adjective = false;
        who = noun_phrase(noun, modifiers);
    }
    const Tense shown = tense == Tense::past ? Tense::past : Tense::present;
    const int form = ending == Ending::causal ? 3 : shown == Tense::past ? 2 : 1;
    Phrase is = be(word_at(adjective.korean, form), who.agreement, shown, adjective.english);
    if (maybe(35)) {  // 아주 크다 "is very big"
        is.source.insert(is.source.begin(), "아주");
        is.target.insert(is.target.begin() + 1, "very");
        is.links = {{0, 1}, {1, 0}, {1, 2}};
    }
    const Phrase subject = marked(who, case_of(who, ending));
    return in_order({&subject, &is}, {&subject, &is});
}

// 그 방 에 책 이 있다     "there is a book in the room" (없다: "there is no book ...")
// 그 책 은 그 방 에 있다  "the book is in the room"
Phrase Grammar::existence_clause(Tense tense) {
    const Noun& noun = pick_noun(found | person);
    const Noun& site = pick_noun(place, noun.traits & animal ? Traits{roomy} : Traits{0});
    Modifiers modifiers = pick_modifiers(noun);
    Modifiers there = pick_modifiers(site);
    if (there.determiner == Modifiers::article) there.determiner = Modifiers::the;
    const Phrase where = with_postposition(noun_phrase(site, there), "에", site.preposition);
    const bool past = tense == Tense::past;

    const bool known = modifiers.determiner >= Modifiers::the;
    const bool none = !known && dice_.chance(35);
    if (none) modifiers.determiner = Modifiers::bare;
    const NounPhrase who = noun_phrase(noun, modifiers);
    const Phrase subject = marked(who, known ? Case::topic : Case::subject);
    if (known) {
        const Phrase is = be(past ? "있었다" : "있다", who.agreement, tense);
        return in_order({&subject, &where, &is}, {&subject, &is, &where});
    }
    Phrase is = none ? be(past ? "없었다" : "없다", who.agreement, tense, "no")
                     : be(past ? "있었다" : "있다", who.agreement, tense);
    is.target.insert(is.target.begin(), "there");  // without a counterpart in Korean
    for (PhraseLink& link : is.links) ++link.target;
    is.links.push_back({0, 0, false});
    return in_order({&where, &subject, &is}, {&is, &subject, &where});
}

// 어제 그 섬 에 비 가 왔다 "it rained on the island yesterday". 비 and 온다 together mean "rains";
// "it" has no counterpart.
Phrase Grammar::weather_clause(Tense tense, Ending ending, bool alone) {
    const bool rain = dice_.chance(60);
    const Phrase falls =
        conjugated(rain ? raining : snowing, pick_mode(tense, ending), Agreement::third);
    Phrase it;
    it.source = {rain ? "비" : "눈", rain ? "가" : "이"};
    it.target = {"it"};
    it.links = {{0, 0, false}};
    Phrase time, where;
    if (alone && maybe(80)) time = pick_time(tense, false);
    if (maybe(40)) {
        const Noun& site = pick_noun(open);
        where = with_postposition(noun_phrase(site, pick_modifiers(site)), "에", site.preposition);
    }
    Phrase result = in_order({&time, &where, &it, &falls}, {&it, &falls, &where, &time});
    result.links.push_back({time.source_end() + where.source_end(), falls.target_end()});
    return result;
}

// --- Sentences: how clauses are joined -----------------------------------------------------------

Phrase Grammar::statement(Tense tense) {
    const auto percent = dice_.below(100);
    if (percent < 8) return weather_clause(tense, Ending::statement, true);
    if (tense != Tense::future) {
        if (percent < 18) return copula_clause(tense, Ending::statement);
        if (percent < 30) return adjective_clause(tense, Ending::statement);
        if (percent < 48) return existence_clause(tense);
    }
    return verb_clause(tense, Ending::statement, true);
}

// The main clause beside a subordinate one. Its subject is a person: "if it rains he is sad", but
// not "if it rains the house is big".
Phrase Grammar::main_clause(Tense tense) {
    if (tense != Tense::future && dice_.chance(12))
        return adjective_clause(tense, Ending::statement, person);
    return verb_clause(tense, Ending::statement);
}

Phrase Grammar::quoted_clause(Tense tense) {
    const auto percent = dice_.below(100);
    if (percent < 12) return weather_clause(tense, Ending::quoted);
    if (tense != Tense::future) {
        if (percent < 25) return copula_clause(tense, Ending::quoted);
        if (percent < 40) return adjective_clause(tense, Ending::quoted);
    }
    return verb_clause(tense, Ending::quoted);
}

// 나는 책 을 읽고 너는 물 을 마셨다    I read a book and you drank water
Phrase Grammar::joined_clauses(Tense tense) {
    const bool copulas = tense != Tense::future && dice_.chance(10);
    const Phrase first = with_word_after(
        copulas ? copula_clause(tense, Ending::joined) : verb_clause(tense, Ending::joined), "and");
    const Phrase second =
        copulas ? copula_clause(tense, Ending::statement) : verb_clause(tense, Ending::statement);
    return in_order({&first, &second}, {&first, &second});
}

// 나는 책 을 읽고 너는 물 을 마시고 ... 그는 잤다    I read a book and you drank water and ... he slept
Phrase Grammar::chained_clauses(int clauses, Tense tense) {
    Phrase chain;
    for (int i = 1; i <= clauses; ++i) {
        const bool last = i == clauses;
        const std::vector<const void*> used = used_;
        Phrase clause;
        for (int tries = 0; tries < 50; ++tries) {  // most words are in use already
            failed_ = false;
            used_ = used;
            clause = verb_clause(tense, last ? Ending::statement : Ending::joined);
            if (!failed_) break;
        }
        if (failed_) return {};
        if (!last) clause = with_word_after(clause, "and");
        chain = in_order({&chain, &clause}, {&chain, &clause});
    }
    return chain;
}

// 나는 책 을 읽고 물 을 마셨다    I read a book and drank water
// Not in the future, where English uses one "will" for both verbs.
Phrase Grammar::one_subject_two_verbs(Tense tense) {
    const NounPhrase doer = pick_subject(false);
    Phrase parts[2];
    for (const Ending ending : {Ending::joined, Ending::statement}) {
        const Mode mode{tense, ending};
        const Verb* verb = pick_verb(doer, mode);
        if (!verb) {
            failed_ = true;
            return {};
        }
        const VerbPhrase part = verb_phrase(*verb, doer, mode);
        if (part.closed && ending == Ending::joined) failed_ = true;  // unclear who drinks
        parts[ending == Ending::statement] = part.words;
    }
    const Phrase subject = marked(doer, doer.definite ? Case::topic : Case::subject);
    const Phrase first = with_word_after(parts[0], "and");
    return in_order({&subject, &first, &parts[1]}, {&subject, &first, &parts[1]});
}

// 비 가 오면 "if it rains", 네가 집 에 갈 때 "when you go home", 그가 슬퍼서 "because he is sad".
Phrase Grammar::subordinate_clause(Tense tense) {
    static constexpr Ending endings[] = {Ending::conditional, Ending::temporal, Ending::causal};
    static constexpr std::string_view english[] = {"if", "when", "because"};
    // In the past, there is no condition.
    const auto which = tense == Tense::past ? 1 + dice_.below(2) : dice_.below(3);
    const Ending ending = endings[which];
    const auto percent = dice_.below(100);
    const Phrase clause = percent < 20 ? weather_clause(tense, ending)
                          : percent < 50 && ending == Ending::causal
                              ? adjective_clause(tense, ending)
                              : verb_clause(tense, ending);
    if (clause.empty()) return {};
    return with_word_before(english[which], clause);
}

// 나는 비 가 올 것 이라 고 생각한다    I think that it will rain
Phrase Grammar::opinion(int clauses) {
    const bool past = dice_.chance(40);
    static constexpr Tense tenses[] = {Tense::present, Tense::past, Tense::future};
    const Tense inner_tense = past ? Tense::past : tenses[dice_.below(3)];
    const NounPhrase thinker = pick_subject(true);
    if (thinker.is_animal()) failed_ = true;
    Phrase inner;
    if (clauses == 1) {
        inner = quoted_clause(inner_tense);
    } else {
        const Phrase reason = subordinate_clause(inner_tense);
        const Phrase claim = verb_clause(inner_tense, Ending::quoted);
        inner = in_order({&reason, &claim}, {&claim, &reason});
    }
    const Opinion& opinion = opinions[dice_.below(opinions.size())];
    const bool third = thinker.agreement == Agreement::third;
    const Phrase subject = marked(thinker, Case::topic), that = phrase("고", "that");
    const Phrase thinks =
        phrase(word_at(opinion.korean, past), word_at(opinion.english, past    ? 2
                                                                       : third ? 1
                                                                               : 0));
    return in_order({&subject, &inner, &that, &thinks}, {&subject, &thinks, &that, &inner});
}

Phrase Grammar::any_sentence(int clauses) {
    static constexpr Tense tenses[] = {Tense::present, Tense::past, Tense::future};
    const Tense tense = tenses[dice_.below(3)];
    if (clauses == 1) return statement(tense);
    if (clauses > 3) return chained_clauses(clauses, tense);

    const auto percent = dice_.below(100);
    if (percent < 35) return opinion(clauses - 1);
    const bool one_subject = tense != Tense::future && dice_.chance(30);
    const auto pair = [&] {
        return one_subject ? one_subject_two_verbs(tense) : joined_clauses(tense);
    };
    if (clauses == 2 && percent < 65) return pair();
    const Phrase side = subordinate_clause(tense);
    const Phrase main = clauses == 2 ? main_clause(tense) : pair();
    return in_order({&side, &main}, {&main, &side});
}

Phrase Grammar::sentence(Size size) {
    richness_ = size.richness;
    failed_ = false;
    used_.clear();
    const Phrase result = any_sentence(size.clauses);
    return failed_ ? Phrase{} : result;
}

Phrase Grammar::chain(Size size, Tense tense) {
    richness_ = size.richness;
    failed_ = false;
    used_.clear();
    const Phrase result = chained_clauses(size.clauses, tense);
    return failed_ ? Phrase{} : result;
}

}  // namespace heed::course::grammar
