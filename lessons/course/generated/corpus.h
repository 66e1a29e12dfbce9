// A Korean-English corpus written for this course: pairs of sentences grown by one small grammar in
// both languages at once, so that the true alignment of their words is known.
//
//     Corpus corpus = korean_english(1);
//     corpus.test[0].source      나는 학생 이다
//     corpus.test[0].target      I am a student
//     corpus.test[0].alignment   (0, 0) (1, 3) (2, 1)
//
// What is in it. 24,000 distinct pairs of 2 to 26 words: 21,000 to train, 1,000 to choose by, 2,000
// to test; 287 Korean and 179 English words. People, animals and things in the present, past and
// future; negation, adjectives, possession, place, time, company, giving, "there is", the weather;
// relative clauses; if, when, because; reported clauses; sentences joined by "and". Each sentence,
// on either side, occurs once in the whole corpus: none of test or valid stands in train. The pair
// above is always the first of test.
//
// Korean words. Particles are written on the noun in Korean; here those of nouns (은/는 이/가 을/를
// 의 에 에서 에게 와/과 들) and of reported clauses (고) stand apart, or every noun would be ten
// words. So does the copula 이다, also in the future: 읽을 것 이다. Pronouns keep the particle that
// has grown onto them (나는, 내가, 나의); verbs and adjectives keep their endings (읽는다, 읽었다).
// In English the 's stands apart. There are no full stops, and no capitals but "I".
//
// One Korean sentence has one English sentence, and the reverse. A bare noun is "a", 그 is "the";
// no pronoun is dropped. The last verb gives the tense of all clauses before it, as Korean has it:
// 나는 책 을 읽고 그는 물 을 마셨다, I read a book and he drank water.
//
// Alignments are sure where one word translates the other, in whole or in part (않는다: does, not).
// No sure link have the Korean particles of subject, topic and object, the plural 들, and in
// English "a", the "it" that rains, "there" in "there is", "who" and "that" of relative clauses,
// and "will" where 것 이다 stands in another clause. What a reader might still link them to is
// listed as possible.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heed::course {

using Alignment = std::vector<std::pair<int, int>>;  // (index in source, index in target), sorted

struct SentencePair {
    std::vector<std::string> source, target;
    Alignment alignment;  // gold, the sure links
    Alignment possible;   // may be linked, need not be: neither right nor wrong
};

struct Corpus {
    std::vector<SentencePair> train, valid, test;
};

struct CorpusOptions {
    int pairs = 24000;  // of which:
    int valid = 1000;
    int test = 2000;
    int shortest = 2, longest = 26;  // words on the Korean side; the English never exceeds 26
};

// The same corpus for the same seed on every machine. Throws heed::Error when the options
// contradict each other or ask for more sentences than the grammar finds in these lengths.
Corpus korean_english(std::uint64_t seed, const CorpusOptions& options = {});

// English to Korean: both sides exchanged, and the alignments with them.
SentencePair swapped(const SentencePair& pair);
Corpus swapped(const Corpus& corpus);

// Bands of sentence length, for measuring by length.
struct LengthBand {
    int from, to;  // both included
    std::string_view name;
};
inline constexpr std::array<LengthBand, 5> length_bands{
    {{2, 5, "2-5"}, {6, 10, "6-10"}, {11, 15, "11-15"}, {16, 20, "16-20"}, {21, 26, "21-26"}}};

// The band a length belongs to, as an index; what is shorter or longer falls into the first or
// last.
int length_band(int length);

// How wrong the links A are, where S must be found and P may be (S is counted as part of P):
//
//     AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|)
//
// 0 is perfect, 1 hopeless; 0 when there is nothing to find and nothing was said. Without
// `possible`, P = S. Over many sentences, sum the counts, not the rates: use the struct. Och and
// Ney, "A systematic comparison of various statistical alignment models" (2003), section 5.2.
double alignment_error_rate(const Alignment& links, const Alignment& sure,
                            const Alignment& possible = {});

struct AlignmentError {
    long found_sure = 0, found_possible = 0, links = 0, sure = 0;

    void add(const Alignment& links, const Alignment& sure, const Alignment& possible = {});
    double rate() const;
};

}  // namespace heed::course
