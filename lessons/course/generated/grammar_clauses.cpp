// Clauses: somebody does something, is something, is somehow; there is something; it rains.
#include "lessons/course/generated/grammar.h"

namespace heed::course {
namespace {

// 은/는 marks what is known, 이/가 what is new, and the subject of every clause inside another one.
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
// alone: no other clause stands beside it, so that a time may open the Korean sentence.
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
    // Beside a relative clause nobody could tell whose time it is.
    const bool timely = takes_time(ending) && !rest.closed;
    if (timely && !mode.negated && maybe(15)) {
        const Phrase often = pick_time(tense, true);
        return in_order({&subject, &often, &rest.words}, {&subject, &often, &rest.words});
    }
    Phrase time;
    if (timely && maybe(40)) time = pick_time(tense, false);
    if (alone && which == Case::subject && !doer.relative)
        return in_order({&time, &subject, &rest.words}, {&subject, &rest.words, &time});
    return in_order({&subject, &time, &rest.words}, {&subject, &rest.words, &time});
}

// 나는 학생 이다 "I am a student", 그는 의사 가 아니다 "he is not a doctor".
// After a subject of many the noun stays as it is in Korean: 우리는 학생 이다 "we are students".
Phrase Grammar::copula_clause(Tense tense, Ending ending) {
    const NounPhrase who = pick_pronoun();
    const Noun* noun = nullptr;
    Dress dress;
    dress.plural = dress.unmarked = who.agreement == Agreement::plural;
    if (dice_.chance(20)) {  // 너는 나의 친구 이다
        noun = &pick_noun(person, owned);
        dress.determiner = Dress::pronoun;
        dress.owner = &pronouns[dice_.below(pronouns.size())];
        const bool both_first = dress.owner->is_first_person() && who.pronoun->is_first_person();
        if (dress.owner == who.pronoun || both_first) failed_ = true;
    } else {
        noun = &pick_noun(occupation);
    }
    dress.adjective = maybe(50);
    const NounPhrase what = dressed(*noun, dress);

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

// 그 집 은 아주 컸다 "the house was very big". The subject is always somebody or something known.
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
        Dress dress = pick_dress(noun);
        if (dress.determiner == Dress::article) dress.determiner = Dress::the;
        dress.adjective = false;
        who = dressed(noun, dress);
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
    Dress dress = pick_dress(noun);
    Dress there = pick_dress(site);
    if (there.determiner == Dress::article) there.determiner = Dress::the;
    const Phrase where = with_postposition(dressed(site, there), "에", site.preposition);
    const bool past = tense == Tense::past;

    const bool known = dress.determiner >= Dress::the;
    const bool none = !known && dice_.chance(35);
    if (none) dress.determiner = Dress::bare;
    const NounPhrase who = dressed(noun, dress);
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

// 어제 그 섬 에 비 가 왔다 "it rained on the island yesterday". 비 and 온다 together say "rains";
// "it" is nobody.
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
        where = with_postposition(dressed(site, pick_dress(site)), "에", site.preposition);
    }
    Phrase result = in_order({&time, &where, &it, &falls}, {&it, &falls, &where, &time});
    result.links.push_back({time.source_end() + where.source_end(), falls.target_end()});
    return result;
}

}  // namespace heed::course
