#include "lessons/material/corpora/short_texts.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>

#include "autograd/base/error.h"
#include "lessons/material/corpora/dice.h"

namespace heed::course {
namespace {

constexpr int topic_count = 4;

std::vector<std::string> words_in(const char* text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

using Kinds = std::array<std::vector<std::string>, 4>;  // persons, verbs, things, places

// The topics, and last the neutral words.
const std::array<Kinds, topic_count + 1>& lists() {
    static const std::array<Kinds, topic_count + 1> all{
        {{words_in("cooks bakers waiters grocers brewers"),
          words_in("baked fried stirred tasted roasted"),
          words_in("onions pies sauces stews cakes soups noodles pancakes"),
          words_in("kitchens bakeries")},
         {words_in("singers drummers pianists conductors violinists"),
          words_in("played sang tuned rehearsed hummed"),
          words_in("songs violins waltzes flutes trumpets drums operas cellos"),
          words_in("theatres studios")},
         {words_in("captains sailors pirates helmsmen fishermen"),
          words_in("steered anchored hoisted rowed moored"),
          words_in("anchors sails rudders boats nets masts ferries rafts"),
          words_in("harbours docks")},
         {words_in("farmers shepherds gardeners riders beekeepers"),
          words_in("planted harvested watered milked ploughed"),
          words_in("cows apples goats horses pumpkins tractors meadows carrots"),
          words_in("barns orchards")},
         {words_in("men women boys girls teachers neighbours"),
          words_in("found bought wanted liked sold carried"),
          words_in("boxes chairs letters books lamps keys coats clocks"),
          words_in("gardens markets schools streets")}}};
    return all;
}

const std::vector<std::string> adjectives = words_in("old new small big"),
                               times = words_in("yesterday today again later");

// One text after another. The choices are drawn from two generators, so that a mixed text has the
// form, the neutral words and the topic of the one that is not mixed.
class Author {
  public:
    Author(std::uint64_t seed, bool mixed) : dice_{seed}, words_{seed + 1}, mixed_(mixed) {}

    ShortText text(int topic) {
        do {
            text_ = {{}, {}, topic};
            counts_ = {};
            sentence(), sentence(), sentence();
        } while (!is_clear());
        return std::move(text_);
    }

  private:
    // Judged by the topics that were drawn, before they are mixed.
    bool is_clear() const {
        for (int other = 0; other < topic_count; ++other)
            if (other != text_.topic && counts_[other] >= counts_[text_.topic]) return false;
        return true;
    }

    void add(const std::string& word, bool telling = false) {
        text_.words.push_back(word);
        text_.telling.push_back(telling);
    }
    void add(const char* words) {
        for (const std::string& word : words_in(words)) add(word);
    }
    const std::string& any_of(const std::vector<std::string>& list) {
        return list[dice_.below(list.size())];
    }

    void gap(WordKind kind) {
        const int fate = static_cast<int>(dice_.below(10));
        int topic = -1;
        if (fate < 7) topic = text_.topic;
        if (fate == 7)
            topic =
                static_cast<int>((text_.topic + 1 + dice_.below(topic_count - 1)) % topic_count);
        if (topic >= 0) ++counts_[topic];
        const auto& list = short_text_words(topic, kind);
        const std::size_t number = dice_.below(list.size());  // topics have lists of equal lengths
        if (topic >= 0 && mixed_) topic = static_cast<int>(words_.below(topic_count));
        add(short_text_words(topic, kind)[number], topic == text_.topic);
    }
    void person() {
        if (dice_.chance(20)) add(any_of(adjectives));
        gap(WordKind::person);
    }
    void thing() { gap(WordKind::thing); }
    void place() { add("in"), gap(WordKind::place); }

    void sentence() {
        switch (dice_.below(6)) {
            case 0:
                person(), gap(WordKind::verb), thing();
                break;
            case 1:
                person(), gap(WordKind::verb), thing(), place();
                break;
            case 2:
                place(), add(","), person(), gap(WordKind::verb), thing();
                break;
            case 3:
                person(), gap(WordKind::verb), thing(), add("and"), thing();
                break;
            case 4:
                person(), add("and"), person(), gap(WordKind::verb), thing();
                break;
            default:
                thing(), add("that"), person(), gap(WordKind::verb), add("were");
                add(any_of(adjectives));
        }
        add(".");
    }

    Dice dice_, words_;
    bool mixed_;
    ShortText text_;
    std::array<int, topic_count> counts_{};
};

}  // namespace

const std::vector<std::string>& short_text_words(int topic, WordKind kind) {
    check(topic >= -1 && topic < topic_count, "short_text_words: topic {}; expected -1 to {}",
          topic, topic_count - 1);
    return lists()[topic < 0 ? topic_count : topic][static_cast<int>(kind)];
}

int topic_of_word(const std::string& word) {
    static const std::map<std::string, int> topics = [] {
        std::map<std::string, int> all;
        for (int topic = 0; topic < topic_count; ++topic)
            for (const auto& list : lists()[topic])
                for (const std::string& each : list) all[each] = topic;
        return all;
    }();
    const auto found = topics.find(word);
    return found == topics.end() ? -1 : found->second;
}

ShortTexts short_texts(std::uint64_t seed, const ShortTextOptions& options) {
    ShortTexts texts{{"cooking", "music", "ships", "farming"}, {}, {}, {}, {}};
    std::set<std::vector<std::string>> seen;
    // The labelled sets come first and do not depend on `mixed`.
    Author author(seed, false), unlabelled(seed + 0x5851F42D, options.mixed);
    Dice topics{seed + 2};
    const auto fill = [&](std::vector<ShortText>& set, int count, Author& from, auto topic) {
        while (static_cast<int>(set.size()) < count) {
            ShortText text = from.text(topic(static_cast<int>(set.size())));
            if (seen.insert(text.words).second) set.push_back(std::move(text));
        }
    };
    const auto random = [&](int) { return static_cast<int>(topics.below(topic_count)); };
    fill(texts.train, options.train, author, [](int i) { return i % topic_count; });
    fill(texts.valid, options.valid, author, random);
    fill(texts.test, options.test, author, random);
    fill(texts.unlabelled, options.unlabelled, unlabelled, random);
    return texts;
}

}  // namespace heed::course
