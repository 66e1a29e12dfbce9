#include "lessons/06_embeddings/data.h"

#include <algorithm>
#include <set>

#include "lessons/material/corpora/lexicon.h"

namespace heed::lesson06 {

std::map<std::string, int> classes_of_words() {
    namespace grammar = course::grammar;
    std::map<std::string, std::set<int>> found;
    const auto add = [&](std::string_view word, std::string_view name) {
        const auto is = [&](const WordClass& one) { return one.name == name; };
        const auto* const at = std::find_if(word_classes.begin(), word_classes.end(), is);
        if (!word.empty() && word.find(' ') == word.npos)
            found[std::string(word)].insert(static_cast<int>(at - word_classes.begin()));
    };
    for (const grammar::Noun& noun : grammar::nouns) {
        const bool person = noun.traits & grammar::person;
        const grammar::Traits food = grammar::eaten | grammar::drunk | grammar::brewed;
        add(noun.english, person                          ? "person"
                          : noun.traits & grammar::animal ? "animal"
                          : noun.traits & grammar::place  ? "place"
                          : noun.traits & food            ? "food or drink"
                                                          : "thing");
        add(noun.plural, "people");
    }
    constexpr std::string_view verb_forms[] = {"verb", "verb with -s", "verb in the past"};
    constexpr std::string_view pronoun_forms[] = {"subject pronoun", "object pronoun",
                                                  "possessive pronoun"};
    for (int form = 0; form < 3; ++form) {
        for (const grammar::Verb& verb : grammar::verbs)
            add(grammar::word_at(verb.english, form), verb_forms[form]);
        for (const grammar::Opinion& verb : grammar::opinions)
            add(grammar::word_at(verb.english, form), verb_forms[form]);
        for (const grammar::Pronoun& pronoun : grammar::pronouns)
            add(grammar::word_at(pronoun.english, form), pronoun_forms[form]);
    }
    for (const grammar::Adjective& adjective : grammar::adjectives)
        add(adjective.english, "adjective");
    for (const grammar::Manner& manner : grammar::manners) add(manner.english, "adverb");

    std::map<std::string, int> classes;
    for (const auto& [word, all] : found)
        if (all.size() == 1) classes[word] = *all.begin();
    return classes;
}

}  // namespace heed::lesson06
