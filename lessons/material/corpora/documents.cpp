#include "lessons/material/corpora/documents.h"

#include <set>
#include <sstream>

#include "autograd/base/error.h"
#include "autograd/ops/elementwise/binary.h"

namespace heed::course {
namespace {

std::vector<std::string> words_in(const char* text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

const std::vector<std::string> topic_names{"weather", "kitchen", "music", "ships"};

Document document(const DocumentOptions& options, Rng& rng) {
    const auto length =
        static_cast<int>(options.shortest + rng.below(options.longest - options.shortest + 1));
    Document d{everyday_words(length, rng), std::vector<bool>(length), 0};
    d.topic = static_cast<int>(rng.below(static_cast<int64_t>(topic_names.size())));
    const std::vector<std::string>& topic = words_of_topic(d.topic);
    for (int i = 0; i < options.telling; ++i) {
        int64_t position;
        do position = rng.below(length);
        while (d.telling[position]);
        d.telling[position] = true;
        d.words[position] = topic[rng.below(static_cast<int64_t>(topic.size()))];
    }
    return d;
}

}  // namespace

const std::vector<std::string>& words_of_topic(int topic) {
    static const std::vector<std::vector<std::string>> topics{
        words_in("rain thunder cloud storm sunshine drizzle fog lightning forecast hail breeze "
                 "humidity frost sleet gale rainbow thaw barometer overcast downpour blizzard mist "
                 "icicle hurricane"),
        words_in("oven recipe flour saucepan garlic stew knead whisk spice simmer dough onion "
                 "skillet butter bake ladle broth parsley vinegar roast grill yeast colander "
                 "marinade"),
        words_in("violin melody chorus trumpet rhythm sonata orchestra piano tempo drummer chord "
                 "flute soprano concerto cello encore harmony banjo lyric duet waltz serenade "
                 "clarinet symphony"),
        words_in("anchor sail harbour captain mast rudder keel stern lighthouse sailor cargo ferry "
                 "tide dock buoy hull oar voyage schooner starboard compass galley mooring "
                 "helmsman")};
    return topics.at(static_cast<std::size_t>(topic));
}

const std::vector<std::string>& all_everyday_words() {
    static const std::vector<std::string> words = words_in(
        "the a and to of he she it they was in that had on for with his her at but as then when "
        "him said one so we there up out not again back after went old man woman came day down "
        "now into before over little long house all time other still some no would could "
        "people two their where how much about who because if never even found made left right "
        "away home looked took good last first next year week morning evening night today "
        "yesterday always often perhaps almost quite very rather too also just only once twice "
        "three four five ten door window street room table chair letter book paper ticket coat "
        "shoe hat bag box key lamp wall floor corner garden gate road town village city bridge "
        "train station shop market office school teacher doctor neighbour friend brother sister "
        "mother father uncle aunt child boy girl dog cat horse bird tree flower field hill stone "
        "money price work job question answer story news name word idea reason plan promise "
        "mistake secret joke trouble luck chance hope fear joy anger smile tear hand head eye "
        "face arm knee shoulder voice step walk run sit stand wait leave arrive open close bring "
        "carry give keep lose find buy sell pay ask tell speak listen read write think know "
        "believe remember forget learn begin stop try help meet visit call laugh cry sleep wake "
        "dream quick slow early late young new big small short tall thin thick heavy light clean "
        "dirty empty full strange usual quiet loud happy sad tired angry busy free rich poor "
        "clever foolish kind");
    return words;
}

// The k-th word is drawn with a probability proportional to 1 / (k + 10).
std::vector<std::string> everyday_words(int count, Rng& rng) {
    const std::vector<std::string>& all = all_everyday_words();
    const Tensor p = 1.0 / arange(10, 10 + std::ssize(all), 1, Dtype::float64);
    std::vector<std::string> words;
    for (int k : multinomial(p, count, rng, true)) words.push_back(all[k]);
    return words;
}

Documents telling_documents(std::uint64_t seed, const DocumentOptions& options) {
    check(options.telling >= 0 && options.telling <= options.shortest &&
              options.shortest <= options.longest,
          "telling_documents: {} telling words in documents of {} to {} words", options.telling,
          options.shortest, options.longest);
    Rng rng(seed);
    Documents documents{topic_names, {}, {}, {}};
    std::set<std::vector<std::string>> seen;
    for (const auto& [set, count] :
         {std::pair(&documents.train, options.train), std::pair(&documents.valid, options.valid),
          std::pair(&documents.test, options.test)})
        while (static_cast<int>(set->size()) < count) {
            Document d = document(options, rng);
            if (seen.insert(d.words).second) set->push_back(std::move(d));
        }
    return documents;
}

}  // namespace heed::course
