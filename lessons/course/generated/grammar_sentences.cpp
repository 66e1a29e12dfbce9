// Sentences: how clauses are joined. Korean puts the reason, the condition and the reported clause
// first and the main verb last; English the other way round.
#include "lessons/course/generated/grammar.h"

namespace heed::course {

Phrase Grammar::statement(Tense tense) {
    const auto throw_of_100 = dice_.below(100);
    if (throw_of_100 < 8) return weather_clause(tense, Ending::statement, true);
    if (tense != Tense::future) {
        if (throw_of_100 < 18) return copula_clause(tense, Ending::statement);
        if (throw_of_100 < 30) return adjective_clause(tense, Ending::statement);
        if (throw_of_100 < 48) return existence_clause(tense);
    }
    return verb_clause(tense, Ending::statement, true);
}

// The main clause beside a subordinate one. If it rains somebody may be sad, but no house is big.
Phrase Grammar::main_clause(Tense tense) {
    if (tense != Tense::future && dice_.chance(12))
        return adjective_clause(tense, Ending::statement, person);
    return verb_clause(tense, Ending::statement);
}

Phrase Grammar::quoted_clause(Tense tense) {
    const auto throw_of_100 = dice_.below(100);
    if (throw_of_100 < 12) return weather_clause(tense, Ending::quoted);
    if (tense != Tense::future) {
        if (throw_of_100 < 25) return copula_clause(tense, Ending::quoted);
        if (throw_of_100 < 40) return adjective_clause(tense, Ending::quoted);
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

// 나는 책 을 읽고 물 을 마셨다    I read a book and drank water
// Not in the future, where one "will" would serve both verbs.
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
        if (part.closed && ending == Ending::joined) failed_ = true;  // who reads ... and drinks?
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
    // What has happened is no condition.
    const auto which = tense == Tense::past ? 1 + dice_.below(2) : dice_.below(3);
    const Ending ending = endings[which];
    const auto throw_of_100 = dice_.below(100);
    const Phrase clause = throw_of_100 < 20 ? weather_clause(tense, ending)
                          : throw_of_100 < 50 && ending == Ending::causal
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

    const auto throw_of_100 = dice_.below(100);
    if (throw_of_100 < 35) return opinion(clauses - 1);
    const bool one_subject = tense != Tense::future && dice_.chance(30);
    const auto pair = [&] {
        return one_subject ? one_subject_two_verbs(tense) : joined_clauses(tense);
    };
    if (clauses == 2 && throw_of_100 < 65) return pair();
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

}  // namespace heed::course
