// Pronoun sentences: sizes, splits without overlap, and the meaning of "it", checked from the
// words.
#include <set>

#include "lessons/material/corpora/pronouns.h"
#include "tests/catch.h"

using namespace heed;
using namespace heed::course;

namespace {

const std::set<std::string> of_animals{"tired",   "hungry", "scared",  "sleepy",
                                       "thirsty", "shy",    "nervous", "young"};
const std::set<std::string> of_places{"wide",    "steep", "narrow", "crowded",
                                      "flooded", "icy",   "bumpy",  "rocky"};

std::string word(const PronounSentence& s, int position) {
    return pronoun_words()[s.words[position]];
}
std::string adjective(const PronounSentence& s) {
    return word(s, static_cast<int>(s.words.size()) - 1);
}

}  // namespace

TEST_CASE("pronouns: sizes, no sentence twice, no test pair in training", "[data][lesson]") {
    Rng rng(1);
    const PronounSentences data = pronoun_sentences(rng);
    CHECK(data.train.size() == 20736);
    CHECK(data.test.size() == 6912);
    CHECK(data.twins.size() == 1728);

    std::set<std::string> texts, words;
    std::set<std::pair<std::string, std::string>> trained;
    for (const PronounSentence& s : data.train) {
        texts.insert(text_of(s));
        trained.emplace(word(s, s.referent()), adjective(s));
        for (int id : s.words) words.insert(pronoun_words()[id]);
    }
    CHECK(words.size() == pronoun_words().size());  // each word of the test set occurs in training
    CHECK(trained.size() == 24 * 6);
    std::set<std::string> tested;
    for (const PronounSentence& s : data.test) {
        CHECK(trained.count({word(s, s.referent()), adjective(s)}) == 0);
        tested.insert(text_of(s));
        texts.insert(text_of(s));
    }
    CHECK(texts.size() == 27648);
    CHECK(tested.count("the animal didn't cross the street because it was too tired") == 1);
    CHECK(tested.count("the animal didn't cross the street because it was too wide") == 1);

    for (const auto& [animal, place] : data.twins) {
        CHECK(tested.count(text_of(animal)) == 1);
        CHECK(tested.count(text_of(place)) == 1);
        CHECK(animal.means_animal);
        CHECK_FALSE(place.means_animal);
        CHECK(std::vector<int>(animal.words.begin(), animal.words.end() - 1) ==
              std::vector<int>(place.words.begin(), place.words.end() - 1));
    }
    CHECK(text_of(data.twins[0].first) ==
          "the animal didn't cross the street because it was too tired");
    CHECK(adjective(data.twins[0].second) == "wide");
}

TEST_CASE("pronouns: it means the noun that the adjective suits, in either order",
          "[data][lesson]") {
    Rng rng(2);
    const PronounSentences data = pronoun_sentences(rng);
    int animals_first = 0;
    for (const PronounSentence& s : data.test) {
        REQUIRE(static_cast<int>(s.words.size()) <= longest_pronoun_sentence);
        CHECK(word(s, s.it) == "it");
        CHECK(s.words[s.animal] < 12);
        CHECK((s.words[s.place] >= 12 && s.words[s.place] < pronoun_nouns));
        CHECK(of_animals.count(adjective(s)) == s.means_animal);
        CHECK(of_places.count(adjective(s)) == !s.means_animal);
        animals_first += s.animal < s.place;
    }
    CHECK(animals_first == 3456);  // half

    Rng again(2), other(3);
    CHECK(text_of(pronoun_sentences(again).test[5]) == text_of(data.test[5]));
    CHECK(text_of(pronoun_sentences(other).test[5]) != text_of(data.test[5]));
}
