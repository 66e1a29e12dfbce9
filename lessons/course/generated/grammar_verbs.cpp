// Verbs: conjugation in both languages, the verb with all that belongs to it, relative clauses.
#include "lessons/course/generated/grammar.h"

namespace heed::course {
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

// I read, we read: present or past? English does not say, so the grammar keeps silent too.
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

    // The future, 것 이다, is "will"; 것 is the word to point at. Where the ending is another, the
    // future is told by the ending, or by the last verb of the sentence.
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

// A verb that the subject can do, and that can be done to the object if one is given; else nullptr.
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
    Phrase object, aim, manner, company, where;
    if (verb.object && !mode.gap) {
        const NounPhrase noun = pick_object(verb, mode, subject);
        result.closed = noun.relative;
        object = marked(noun, Case::object);
    }

    if (verb.flags & giving) {
        const Noun& receiver = pick_noun(person);
        aim = with_postposition(dressed(receiver, pick_dress(receiver)), "에게", "to");
    }
    if (verb.flags & motion) aim = pick_goal(doer);
    // English could not tell whether what follows a relative clause belongs to it.
    if (!result.closed) {
        const Manner& how = manners[dice_.below(manners.size())];
        if ((verb.flags & how.verbs) && maybe(45)) manner = phrase(how.korean, how.english);
        if (doer == person && (verb.flags & together) && maybe(25)) {
            const Noun& friend_or_so = pick_noun(person);
            const NounPhrase with_whom = dressed(friend_or_so, pick_dress(friend_or_so));
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
        result.words = in_order({&aim, &object, &manner, &word}, {&word, &aim, &object, &manner});
    else
        result.words = in_order({&where, &company, &aim, &object, &manner, &word},
                                {&word, &object, &aim, &manner, &company, &where});
    return result;
}

// Korean puts the clause before the noun, English after it, with a pronoun that Korean does not
// have: 책 을 읽는 (학생)   (a student) who reads a book     the subject is missing 내가 산 (책) (a
// book) that I bought           the object is missing Empty when no verb fits.
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
    if (clause.source_end() == 1 && mode.tense == Tense::past) return {};  // 잔, 산: too bare
    clause.links.push_back({clause.source_end() - 1, 0, false});
    return clause;
}

// 어제 "yesterday", 아침 에 "in the morning"; frequency: 자주 "often". None if none fits the tense.
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
    // 아침 is "morning" and 에 is "in", not each both; for "the" there is no Korean word.
    if (time.english == "in the morning") result.links = {{1, 0}, {0, 2}, {0, 1, false}};
    if (time.english == "at night") result.links = {{1, 0}, {0, 1}};
    return result;
}

}  // namespace heed::course
