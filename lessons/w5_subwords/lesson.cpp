//! # Which pieces should a text be cut into?
//!
//! Workshop; read it after lesson {embeddings}, or when you train on texts of your own.
//!
//! A translator was trained on "I see", "he sees" and "a tree". Now somebody writes "trees". This
//! word has no row in the table of embeddings. Lesson {embeddings} had one answer: all such words
//! share the row of the token "unknown", and what the sentence said at that position is lost. But
//! "tree" is known, and so is the "s" of "sees". Could the network not read "tree" and "s"?
//!
//! It could, if its tokens were pieces of words. But which pieces? Small ones leave nothing unknown
//! and make long sentences. So we first ask what length costs, then how many words are unknown, and
//! then let a text find its own pieces. At the end the same is done with two languages.

#include <algorithm>
#include <map>

#include "autograd/autograd.h"
#include "lessons/course/course.h"
#include "lessons/w5_subwords/data.h"
#include "lessons/w5_subwords/experiment.h"
#include "lessons/w5_subwords/pictures.h"

namespace heed::workshop5 {

using namespace course;

namespace {

//! ## What padding costs
//!
//! Sentences of different lengths are filled up with padding, so that they fit into one tensor. A
//! mask (lesson {embeddings}) keeps the results right, but the padding has been computed. A network
//! that does the same work at each position works $B T$ times for a batch of $B$ sentences whose
//! longest has $T$ words. In a random batch, one long sentence is enough to make all others as
//! long.
//!
//! Why not sort all sentences by length and cut the list into batches? That is bad for training:
//! the first batches would have only short sentences, the last ones only long ones, and always the
//! same ones together. *Bucketing* makes batches of sentences of similar length without sorting the
//! whole set. Shuffle all sentences, take a pool of, say, 50 batches, sort only inside the pool,
//! cut it into batches, and shuffle the batches. The library's function is `bucket_batches`.
void count_padding(Lesson& lesson, const std::vector<Sentence>& sentences) {
    lesson.heading("What padding costs");
    const Prediction guess =
        lesson.predict("Random batches of 32 sentences: what share of the entries is padding?",
                       within(0.05).from(0, 1));
    std::vector<int> lengths;
    for (const Sentence& sentence : sentences) lengths.push_back(static_cast<int>(sentence.size()));
    const BatchCost random = show_batch_costs(lesson, lengths);
    lesson.reveal(guess, 1 - random.words / random.entries);
}

//! {if all random-padding > 1.9 and bucket-padding < 1.05} Random batches compute
//! {random-padding:1} entries for each word, and buckets {bucket-padding:2}. Some networks compare
//! each position of a sentence with each other one: attention does (lesson {self_attention}). Their
//! work grows with the square of the length, so long rows of padding cost even more. The column
//! "pairs/word pair" counts it: how many pairs of positions are computed for each pair of real
//! words.
//!
//! ## Words that were never seen
//!
//! The table has a row for each word of the training text. How many other words are there? It
//! depends on how much text the vocabulary was made from, and on the language. In the corpus an
//! English verb has three forms (read, reads, read) and a Korean verb nine (읽는다, 읽었다, 읽고, 읽으면,
//! ...). In real Korean there are hundreds.
void count_unknown(Lesson& lesson, const std::vector<Language>& languages) {
    lesson.heading("Words that were never seen");
    const std::map<std::string, double> at_100 = show_unknown(lesson, languages);
    if (languages.size() < 2) return;
    lesson.claim("unknown-korean",
                 "finding: share of unknown Korean words, vocabulary from 100 sentences",
                 at_100.at("Korean"), at_least(0.02));
    lesson.claim("unknown-ratio", "finding: this share over that of English",
                 at_100.at("Korean") / at_100.at("English"), at_least(1.8));
}

//! {if all unknown-ratio > 2} From a hundred sentences, {unknown-korean:% 1} of the Korean words
//! are unknown, {unknown-ratio:1} times as many as of the English ones. Two other kinds of tokens
//! avoid the problem, or nearly.
//!
//! **Characters.** English has 26 letters. But Korean writes a syllable as one character, 읽 or 는,
//! and there are 11,172 possible syllables, so even a character can be unknown.
//!
//! **Bytes.** A computer stores text as bytes, numbers from 0 to 255. In the encoding UTF-8, a
//! letter of English takes one byte, and a Korean syllable takes three: 나 is the bytes EB 82 98. A
//! vocabulary of the 256 bytes can never meet an unknown token, in any language.
//!
//! The price is length. "I am a student" is 4 words but 14 bytes; its translation 나는 학생 이다 is 3
//! words, 8 characters (with the two blanks) and 20 bytes. The network has more positions to
//! compute, and each says less.
//!
//! ## Pieces of words
//!
//! Between bytes and words there is a middle. *Byte-pair encoding* (Sennrich et al. 2016) makes
//! tokens of the strings of bytes that are frequent in a text, and spells rare words with several
//! of them; such pieces are called *subwords*. It finds them by counting. Start with single bytes.
//! Find the pair of neighbouring tokens that occurs most often in the training text, and make it a
//! new token. Repeat. Each *merge* is one such step, which makes a new token of two; if several
//! pairs are equally frequent, we take the first one in alphabetical order.
//!
//! Let the text contain the words "see" three times, "sees" twice, "seen" once and "tree" twice. At
//! first each word is spelled with single letters. Here are all the pieces after each merge:
//!
//! | word | times | at first | after e + e | after s + ee | after r + ee |
//! | --- | --- | --- | --- | --- | --- |
//! | see | 3 | s e e | s ee | see | see |
//! | sees | 2 | s e e s | s ee s | see s | see s |
//! | seen | 1 | s e e n | s ee n | see n | see n |
//! | tree | 2 | t r e e | t r ee | t r ee | t ree |
//!
//! The pair "e e" occurs in all words, 8 times, and "s e" 6 times. All others are rarer. So the
//! first merge is "e" + "e" → "ee". Then the pair "s ee" occurs 6 times, so the second merge gives
//! "see". Then "r ee", "see s" and "t r" all occur twice, and the first one in alphabetical order
//! is "r ee". Merges never go across the end of a word.
//!
//! A new word is spelled by applying the merges in the order in which they were learned. "trees"
//! never occurred; with these three merges it becomes "t ree s", and "seed" becomes "see d". No
//! word is unknown, because in the worst case single bytes are left.
//!
//! ![Type a text of your own and add merges one by one. Which words become one piece first? (For readability these merges begin with characters and not with bytes, and a blank is shown as _.)](live:merges)
Pieces merged(const Pieces& word, const Merge& merge) {
    Pieces pieces;
    for (std::size_t i = 0; i < word.size(); ++i) {
        pieces.push_back(word[i]);
        if (i + 1 < word.size() && word[i] == merge.first && word[i + 1] == merge.second)
            pieces.back() += word[++i];
    }
    return pieces;
}

std::vector<Merge> learn_merges(const std::map<std::string, int64_t>& word_counts, int wanted) {
    std::vector<std::pair<Pieces, int64_t>> words;
    for (const auto& [word, times] : word_counts) words.emplace_back(bytes_of(word), times);
    std::vector<Merge> merges;
    while (std::ssize(merges) < wanted) {
        std::map<Merge, int64_t> pairs;  // in alphabetical order
        for (const auto& [pieces, times] : words)
            for (std::size_t i = 0; i + 1 < pieces.size(); ++i)
                pairs[{pieces[i], pieces[i + 1]}] += times;
        const auto best = std::max_element(pairs.begin(), pairs.end(),
                                           [](auto& a, auto& b) { return a.second < b.second; });
        if (best == pairs.end()) break;  // every word is a single piece
        merges.push_back(best->first);
        for (auto& [pieces, times] : words) pieces = merged(pieces, merges.back());
    }
    return merges;
}

Pieces pieces_of(const std::string& word, const std::vector<Merge>& merges) {
    Pieces pieces = bytes_of(word);
    for (const Merge& merge : merges) pieces = merged(pieces, merge);
    return pieces;
}

void learn_pieces(Lesson& lesson, const std::vector<Language>& languages) {
    lesson.heading("Pieces of words");
    const std::vector<Merge> few =
        learn_merges({{"see", 3}, {"sees", 2}, {"seen", 1}, {"tree", 2}}, 3);
    show_few_merges(lesson, few, [&](const std::string& word) { return pieces_of(word, few); });
    lesson.claim("merges-by-hand",
                 "identity: merges and spellings by hand that the program finds too, of five",
                 (few[0] == Merge{"e", "e"}) + (few[1] == Merge{"s", "ee"}) +
                     (few[2] == Merge{"r", "ee"}) + (pieces_of("seed", few) == Pieces{"see", "d"}) +
                     (pieces_of("trees", few) == Pieces{"t", "ree", "s"}),
                 equals(5));

    //! For the corpus, every word gets the blank in front of it as its first byte, written _ here.
    //! So the pieces of a sentence, put one after the other, are the sentence again. A byte that is
    //! only a part of a character is written as its hexadecimal number: `<EC>` is the first of the
    //! three bytes of many Korean syllables.
    int64_t wrong = 0;
    for (const Language& language : languages) {
        const std::vector<Merge> merges = learn_merges(language.training_words, 200);
        show_merges(lesson, language, merges,
                    [&](const std::string& word) { return pieces_of(word, merges); });
        for (const auto& [word, times] : language.test_words) {
            std::string again;
            for (const std::string& piece : pieces_of(word, merges)) again += piece;
            wrong += again != word;
        }
    }
    lesson.claim("spelled-back",
                 "identity: test words that are not the same again after spelling them",
                 static_cast<double>(wrong), equals(0));
}

//! Each merge costs one row more in the table and makes the sentences shorter. How many to make is
//! the only choice that byte-pair encoding leaves to us.
//!
//! ## English and Korean
//!
//! How many tokens does a sentence have, by the number of merges? For Korean we count three times:
//! with merges learned from Korean text, from English text, and from English text in which one
//! sentence in twenty-one is Korean. The last two are what happens to a language that is absent or
//! rare in the text from which a model's tokens were made.
std::vector<double> tokens_by_merges(const std::map<std::string, int64_t>& words, int64_t sentences,
                                     const std::vector<Merge>& merges,
                                     const std::vector<double>& steps) {
    std::vector<std::pair<Pieces, int64_t>> now;
    for (const auto& [word, times] : words) now.emplace_back(bytes_of(word), times);
    std::vector<double> tokens;
    for (std::size_t done = 0; const double step : steps) {
        for (; done < merges.size() && static_cast<double>(done) < step; ++done)
            for (auto& [pieces, times] : now) pieces = merged(pieces, merges[done]);
        int64_t sum = 0;
        for (const auto& [pieces, times] : now) sum += times * std::ssize(pieces);
        tokens.push_back(static_cast<double>(sum) / static_cast<double>(sentences));
    }
    return tokens;
}

void compare_languages(Lesson& lesson, const std::vector<Language>& languages, int most) {
    lesson.heading("English and Korean");
    const bool both = languages.size() == 2;
    const Prediction guess =
        both ? lesson.predict(
                   fmt::format(
                       "{0} merges, learned from English text: how many times as many tokens does "
                       "a Korean sentence have as with {0} merges learned from Korean text?",
                       most),
                   within_factor(1.3).from(0))
             : Prediction{};
    std::vector<double> steps;
    for (int merges = 0; merges <= most; merges += most / 20) steps.push_back(merges);
    LinePlot plot{.x_label = "merges", .y_label = "tokens a sentence"};
    std::map<std::string, int64_t> learned;  // how many merges there were to learn
    const auto measure = [&](const std::string& name, const Language& text,
                             const Language& source) {
        const std::vector<Merge> merges = learn_merges(source.training_words, most);
        learned[name] = std::ssize(merges);
        plot.series.push_back(
            {name, steps,
             tokens_by_merges(text.test_words, std::ssize(text.texts.test), merges, steps)});
    };
    for (const Language& language : languages) measure(language.name, language, language);
    if (both) {
        measure("Korean, a little Korean", languages[1], mixed(languages[0], languages[1], 20));
        measure("Korean, merges from English", languages[1], languages[0]);
    }
    show_languages(lesson, languages, plot, learned, guess);
}

}  // namespace

}  // namespace heed::workshop5

//! {if all korean-bytes > 1.3 and korean-tokens < 1.1} In bytes, a Korean sentence is
//! {korean-bytes:2} times as long as its English translation. With merges of its own it has as many
//! tokens. {if all korean-english-merges > 6} But with merges from English it has
//! {korean-english-merges:0} times as many. The English text contains no byte of a Korean syllable,
//! so no merge can join such bytes. {if all korean-mixed-merges < 2.4} A little Korean in the text
//! helps at once, because the most frequent Korean pairs are then more frequent than the rare
//! English ones: one sentence in twenty-one brings the factor down to {korean-mixed-merges:1}.
//!
//! For the speakers of a rare language this matters. The model needs more time for their sentences,
//! fewer of their words fit into the text that it can read at once, and where each token has a
//! price they pay more. Petrov et al. (2023) found up to fifteen times as many tokens in
//! vocabularies that are in use.
//!
//! ## What this does not show
//!
//! The cost of padding was counted in entries, not in seconds. We did not measure how well a
//! network translates with one kind of token or another. And the corpus has a small grammar, in
//! which far fewer words are unknown than in a real text.
//!
//! Sources: Gage, "A New Algorithm for Data Compression" (1994), and Sennrich, Haddow and Birch,
//! "Neural Machine Translation of Rare Words with Subword Units" (2016), byte-pair encoding;
//! Radford et al., "Language Models are Unsupervised Multitask Learners" (2019), byte-pair encoding
//! that starts from bytes, in GPT-2; Petrov, La Malfa, Torr and Bibi, "Language Model Tokenizers
//! Introduce Unfairness Between Languages" (2023), tokens by language.
//!
//! ## Summary
//!
//! 1. Padding is computed, although a mask keeps it out of the result. Batches of sentences of
//!    similar length keep its cost low.
//! 2. Words as tokens make short sentences, but words that did not occur in training are unknown.
//! 3. Bytes know every text and make long sentences.
//! 4. Byte-pair merges lie between them: frequent words become one token, rare ones several.
//! 5. Merges favour the language they were learned from.
//!
//! ## Try this next
//!
//! 1. In `languages_of`, add 100 Korean sentences to the English training text. How many tokens
//!    does a Korean sentence have then with these merges?
//! 2. `--data my.txt`: which words of your text become one token first?
//! 3. The library has the same algorithm with a heap of pairs, `nn/text/learn.h`. Lesson {translation}
//!    reads your sentence pairs with it: `--source-level piece --target-level piece`.
using namespace heed;
using namespace heed::workshop5;

int main(int argc, char** argv) {
    Lesson lesson({.workshop = 5,
                   .name = "subwords",
                   .title = "Which pieces should a text be cut into?",
                   .question = "Words, characters, bytes or pieces of words: what is unknown, how "
                               "long are the sentences, and what does length cost?",
                   .data = "a text, UTF-8, with blanks between the words; a line is a sentence",
                   .own_data = "English and Korean sentences from the grammar of the course",
                   .trains = false});
    int merges = 0;
    lesson.option("--merges", merges, "merges to learn, at least 20 (500; quick 200)");
    return lesson.run(argc, argv, [&] {
        if (merges == 0) merges = lesson.quick() ? 200 : 500;
        check(merges >= 20, "--merges: expected at least 20, got {}", merges);
        const std::vector<Language> languages = languages_of(lesson);
        count_padding(lesson, languages[0].texts.train);
        count_unknown(lesson, languages);
        learn_pieces(lesson, languages);
        compare_languages(lesson, languages, merges);
    });
}
