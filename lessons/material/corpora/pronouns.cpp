#include "lessons/material/corpora/pronouns.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "autograd/base/error.h"

namespace heed::course {
namespace {

constexpr int nouns = 12, adjectives = 8, verbs = 6;  // of each kind
constexpr int places_at = nouns, animal_adjectives_at = 2 * nouns,
              place_adjectives_at = animal_adjectives_at + adjectives,
              verbs_at = place_adjectives_at + adjectives, passives_at = verbs_at + verbs,
              others_at = passives_at + verbs;
enum Other { the = others_at, did_not, was_not, by, because, it, was, too };

PronounSentence make(int animal, int place, int adjective, int verb, bool passive) {
    const int x = animal, y = places_at + place;
    PronounSentence s;
    if (passive)
        s.words = {the, y, was_not, passives_at + verb, by, the, x};
    else
        s.words = {the, x, did_not, verbs_at + verb, the, y};
    s.animal = passive ? 6 : 1;
    s.place = passive ? 1 : 5;
    for (int word : {int(because), int(it), int(was), int(too), animal_adjectives_at + adjective})
        s.words.push_back(word);
    s.it = static_cast<int>(s.words.size()) - 4;
    s.means_animal = adjective < adjectives;
    return s;
}

}  // namespace

const std::vector<std::string>& pronoun_words() {
    static const std::vector<std::string> words{
        "animal",  "dog",     "cat",      "horse",   "cow",     "fox",    "goose",   "rabbit",
        "goat",    "donkey",  "squirrel", "sheep",   "street",  "road",   "path",    "bridge",
        "field",   "river",   "valley",   "stream",  "lane",    "track",  "meadow",  "slope",
        "tired",   "hungry",  "scared",   "sleepy",  "thirsty", "shy",    "nervous", "young",
        "wide",    "steep",   "narrow",   "crowded", "flooded", "icy",    "bumpy",   "rocky",
        "cross",   "leave",   "reach",    "enter",   "follow",  "visit",  "crossed", "left",
        "reached", "entered", "followed", "visited", "the",     "didn't", "wasn't",  "by",
        "because", "it",      "was",      "too"};
    return words;
}

PronounSentences pronoun_sentences(Rng& rng) {
    // The adjectives of each noun that are held out, numbered as in make().
    std::vector<std::vector<int>> held_out(2 * nouns);
    for (int noun = 0; noun < 2 * nouns; ++noun) {
        const int first = noun < nouns ? 0 : adjectives;
        std::vector<int> suiting(adjectives);
        std::iota(suiting.begin(), suiting.end(), first);
        rng.shuffle(suiting);
        if (noun % nouns == 0)
            std::swap(suiting[0], *std::find(suiting.begin(), suiting.end(), first));
        held_out[noun] = {suiting[0], suiting[1]};
    }

    PronounSentences all;
    for (int animal = 0; animal < nouns; ++animal)
        for (int place = 0; place < nouns; ++place)
            for (int verb = 0; verb < verbs; ++verb)
                for (bool passive : {false, true}) {
                    const std::vector<int>&of_animal = held_out[animal],
                          &of_place = held_out[places_at + place];
                    for (int a = 0; a < 2 * adjectives; ++a) {
                        const std::vector<int>& tested = a < adjectives ? of_animal : of_place;
                        const bool test = std::count(tested.begin(), tested.end(), a) > 0;
                        (test ? all.test : all.train)
                            .push_back(make(animal, place, a, verb, passive));
                    }
                    all.twins.emplace_back(make(animal, place, of_animal[0], verb, passive),
                                           make(animal, place, of_place[0], verb, passive));
                }
    rng.shuffle(all.train);
    rng.shuffle(all.test);
    return all;
}

std::string text_of(const PronounSentence& sentence) {
    std::string text;
    for (int word : sentence.words) text += (text.empty() ? "" : " ") + pronoun_words()[word];
    return text;
}

}  // namespace heed::course
