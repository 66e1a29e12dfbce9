// Is the number of ones odd? Asked of a language model that answers at once, and of one that writes down
// the answer for every beginning of the row first:
//
//     nothing    1 0 1 1 =           odd
//     dots       1 0 1 1 = . . .     odd
//     steps      1 0 1 1 = 1 1 0 1        and the last step is the answer
//
// With dots the model has as many positions to compute in as with steps, but nothing is written there.
#pragma once

#include "attention/transformer/language_model.h"

namespace heed::lesson21 {

enum class Writing { nothing, dots, steps };
inline constexpr Writing all_writings[] = {Writing::nothing, Writing::dots, Writing::steps};
const char* name_of(Writing writing);

inline constexpr int64_t row_length = 16;  // bits

// What a model reads and what it should say next, [B, L]; next is -1 where it is not asked.
struct WrittenRows {
    Indices read, next;
    std::vector<int> odd;  // [B], the answer
};
WrittenRows written_rows(int64_t batch, Writing writing, Rng& rng);

// Trains a Transformer of two layers on new rows in every step.
LanguageModel train_writer(Writing writing, int steps, Rng& rng);
inline constexpr int64_t written_tests = 200;  // rows
// The share of new rows whose answer is right. The model reads the steps that it has written itself.
double answers_right(const LanguageModel& model, Writing writing, Rng& rng);

}  // namespace heed::lesson21
