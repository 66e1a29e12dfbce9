// Sentences whose length varies while their grammar does not: one to five main clauses in the past
// tense, joined by "and". Each clause can be translated without the others, and the clauses stand
// in the same order in both languages.
//
//     나는 책 을 읽고 그 개 는 잤다      I read a book and the dog slept
//
// Words and clauses are those of the course's grammar (corpus.h). On either side each sentence
// occurs once in the whole corpus, so no test sentence is in the training set.
#pragma once

#include <cstdint>

#include "lessons/material/translation/parallel_text.h"

namespace heed::lesson08 {

struct ChainOptions {
    int most = 5;                              // clauses
    int train = 2400, valid = 20, test = 200;  // sentences of each number of clauses
};
course::Corpus chains(std::uint64_t seed, const ChainOptions& options = {});

// The number of clauses of a pair, and the index of the clause to which word t of its English
// belongs. An "and" belongs to the clause before it.
int clauses_of(const course::SentencePair& pair);
int clause_of_word(const course::SentencePair& pair, int t);

}  // namespace heed::lesson08
