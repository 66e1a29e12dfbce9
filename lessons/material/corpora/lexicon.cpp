#include "lessons/material/corpora/lexicon.h"

namespace heed::course::grammar {
namespace {

constexpr Traits any_place = place;

constexpr Noun noun_table[] = {
    {"학생", "student", "students", person | occupation | owned},
    {"교사", "teacher", "teachers", person | occupation | owned},
    {"의사", "doctor", "doctors", person | occupation | owned},
    {"친구", "friend", "friends", person | owned},
    {"아이", "child", "children", person | owned},
    {"소년", "boy", "boys", person},
    {"소녀", "girl", "girls", person},
    {"시인", "poet", "poets", person | occupation},
    {"화가", "artist", "artists", person | occupation},
    {"가수", "singer", "singers", person | occupation},
    {"농부", "farmer", "farmers", person | occupation},
    {"군인", "soldier", "soldiers", person | occupation},

    {"개", "dog", "", animal | found | owned | seen | sized},
    {"고양이", "cat", "", animal | found | owned | seen | sized},
    {"말", "horse", "", animal | found | owned | seen | sized | priced},

    {"책", "book", "", read | written | bought | given | owned | found | priced | aged | good},
    {"편지", "letter", "", read | written | given | owned | found | aged},
    {"신문", "newspaper", "", read | bought | given | found | aged},
    {"시", "poem", "", read | written | owned | lovely | sorrowful | good},
    {"노래", "song", "", sung | owned | lovely | sorrowful | aged | good},

    {"사과", "apple", "", eaten | bought | given | owned | found | sized},
    {"감자", "potato", "", eaten | bought | given | owned | found | sized},
    {"빵", "bread", "", mass | eaten | bought | given | found | good},
    {"밥", "rice", "", mass | eaten},
    {"물", "water", "", mass | drunk | bought | given},
    {"우유", "milk", "", mass | drunk | bought | given},
    {"커피", "coffee", "", mass | brewed | bought | given | priced | good},

    {"꽃", "flower", "", bought | seen | given | found | sized | lovely},
    {"그림", "picture", "", bought | seen | given | owned | found | sized | priced | lovely | aged},
    {"의자", "chair", "", bought | owned | found | sized | priced | aged | good},
    {"우산", "umbrella", "", bought | given | owned | found | sized | priced | aged},
    {"자전거", "bicycle", "", bought | seen | given | owned | found | priced | aged | good},

    {"학교", "school", "", owned | seen | sized | aged | good | quiet, "at"},
    {"공원", "park", "", seen | sized | lovely | open | roomy, "in"},
    {"도서관", "library", "", seen | sized | aged | quiet, "in"},
    {"시장", "market", "", sized | aged | shop | roomy, "at"},
    {"집", "house", "", bought | owned | sized | priced | lovely | aged | quiet | roomy, "in"},
    {"방", "room", "", owned | sized | lovely | quiet, "in"},
    {"섬", "island", "", seen | sized | lovely | open | roomy, "on"},
    {"도시", "city", "", seen | sized | lovely | aged | open | shop | roomy, "in"},
};

constexpr Pronoun pronoun_table[] = {
    {"나는 내가 나를 나의", "I me my", Agreement::first},
    {"너는 네가 너를 너의", "you you your", Agreement::second},
    {"그는 그가 그를 그의", "he him his", Agreement::third},
    {"그녀는 그녀가 그녀를 그녀의", "she her her", Agreement::third},
    {"우리는 우리가 우리를 우리의", "we us our", Agreement::plural},
    {"그들은 그들이 그들을 그들의", "they them their", Agreement::plural},
};

constexpr Manner manner_table[] = {
    {"빨리", "quickly", quickly}, {"천천히", "slowly", slowly}, {"조용히", "quietly", quietly}};

// present, past, prospective, adnominal, adnominal past, negated, joined, conditional, causal.
// 걷다 has no causal form here, because 걸어서 means "on foot".
constexpr Verb verb_table[] = {
    {"읽는다 읽었다 읽을 읽는 읽은 읽지 읽고 읽으면 읽어서", "read reads read", read, 0,
     quiet | open, slowly | quietly},
    {"쓴다 썼다 쓸 쓰는 쓴 쓰지 쓰고 쓰면 써서", "write writes wrote", written, 0, quiet,
     slowly | quietly | creates},
    {"먹는다 먹었다 먹을 먹는 먹은 먹지 먹고 먹으면 먹어서", "eat eats ate", eaten, eaten,
     any_place, quickly | slowly | animals | together | consumes},
    {"마신다 마셨다 마실 마시는 마신 마시지 마시고 마시면 마셔서", "drink drinks drank",
     drunk | brewed, drunk, any_place, quickly | slowly | animals | together | consumes},
    {"산다 샀다 살 사는 산 사지 사고 사면 사서", "buy buys bought", bought, 0, shop},
    {"본다 보았다 볼 보는 본 보지 보고 보면 보아서", "see sees saw", seen | person, animal | person,
     open | shop, animals},
    {"만난다 만났다 만날 만나는 만난 만나지 만나고 만나면 만나서", "meet meets met", person},
    {"돕는다 도왔다 도울 돕는 도운 돕지 돕고 도우면 도와서", "help helps helped", person},
    {"부른다 불렀다 부를 부르는 부른 부르지 부르고 부르면 불러서", "sing sings sang", sung, 0,
     any_place, slowly | quietly | together},
    {"준다 주었다 줄 주는 준 주지 주고 주면 주어서", "give gives gave", given, 0, any_place,
     giving},
    {"잔다 잤다 잘 자는 잔 자지 자고 자면 자서", "sleep sleeps slept", 0, 0, quiet | open,
     quietly | animals},
    {"걷는다 걸었다 걸을 걷는 걸은 걷지 걷고 걸으면", "walk walks walked", 0, 0, open | shop,
     quickly | slowly | quietly | animals | together},
    {"운다 울었다 울 우는 운 울지 울고 울면 울어서", "cry cries cried", 0, 0, any_place, quietly},
    {"간다 갔다 갈 가는 간 가지 가고 가면 가서", "go goes went", 0, 0, any_place,
     quickly | slowly | quietly | animals | motion | together},
    {"온다 왔다 올 오는 온 오지 오고 오면 와서", "come comes came", 0, 0, any_place,
     quickly | slowly | quietly | animals | motion | together},
};

constexpr Adjective adjective_table[] = {
    {"큰 크다 컸다 커서", "big", sized},
    {"작은 작다 작았다 작아서", "small", sized},
    {"비싼 비싸다 비쌌다 비싸서", "expensive", priced},
    {"아름다운 아름답다 아름다웠다 아름다워서", "beautiful", lovely},
    {"행복한 행복하다 행복했다 행복해서", "happy", person},
    {"슬픈 슬프다 슬펐다 슬퍼서", "sad", person | sorrowful},
    {"친절한 친절하다 친절했다 친절해서", "kind", person},
    {"좋은", "good", good | occupation},
    {"새", "new", aged},
    {"오래된", "old", aged},
};

constexpr TimeWord time_table[] = {
    {"어제", "yesterday", false, true, false},       {"오늘", "today", false, true, true},
    {"내일", "tomorrow", false, false, true},        {"매일", "every day", true, false, false},
    {"아침 에", "in the morning", true, true, true}, {"밤 에", "at night", true, true, true},
    {"자주", "often", true, true, false, true},      {"항상", "always", true, false, false, true},
};

constexpr Opinion opinion_table[] = {
    {"생각한다 생각했다", "think thinks thought"},
    {"말한다 말했다", "say says said"},
    {"믿는다 믿었다", "believe believes believed"},
};

}  // namespace

const std::span<const Noun> nouns = noun_table;
const std::span<const Pronoun> pronouns = pronoun_table;
const std::span<const Verb> verbs = verb_table;
const std::span<const Adjective> adjectives = adjective_table;
const std::span<const TimeWord> times = time_table;
const std::span<const Opinion> opinions = opinion_table;
const std::span<const Manner> manners = manner_table;

const Verb negation = {"않는다 않았다 않을 않는 않은 - 않고 않으면 않아서", ""};
const Verb raining = {"온다 왔다 올 오는 온 오지 오고 오면 와서", "rain rains rained"};
const Verb snowing = {"온다 왔다 올 오는 온 오지 오고 오면 와서", "snow snows snowed"};

}  // namespace heed::course::grammar
