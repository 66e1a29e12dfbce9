// The toy language of lesson {assistant}: sums and differences of one digit, 3+4=7. A page of text holds
// statements or questions; an answer can be checked by a program.
#pragma once

#include <string>
#include <vector>

#include "attention/attention.h"

namespace heed::lesson36 {

// --- the language -------------------------------------------------------------------------------

inline constexpr const char* alphabet = "0123456789+-=?.";
inline constexpr int vocabulary = 15, stop = 14;  // stop: the full stop, which ends an answer
inline constexpr int question_length = 4, longest_answer = 8, longest_text = 24;

std::vector<int> tokens_of(const std::string& text);
std::string text_of(const std::vector<int>& tokens);

struct Question {
    std::string text;  // "3+4?"
    int answer = 0;    // 7
};
// All 110 with one digit as the answer: a + b up to 9, a - b from 0.
std::vector<Question> all_questions();

// In random order: some with answers that were written by hand, some for which there is only the checker,
// and some that no training after the first one sees.
struct Split {
    std::vector<Question> shown, checked, test;
};
Split split_questions(int shown, int checked, Rng rng);

// A page of 24 tokens: four statements, "3+4=7.", or six questions, "3+4?", or four questions with their
// answers, "3+4?7.".
enum class Page { statements, questions, quiz };
std::string page(const std::vector<Question>& questions, Page kind, Rng& rng);

// --- texts for a model --------------------------------------------------------------------------

// What goes in [B, T], and the token after each [B, T]; -1 where nothing is to be learned.
struct Batch {
    Indices ids, next;
};
// Whole pages, every token counts. Of 8 pages 4 hold statements, 3 questions, and one is a quiz.
Batch pages(const std::vector<Question>& questions, int count, Rng& rng);
// Questions with answers: only the tokens of the answer count, with the full stop.
Batch answered(const std::vector<Question>& questions, const std::vector<std::string>& answers);

// --- judges -------------------------------------------------------------------------------------

// 1 if the answer is the right digit and a full stop, else 0.
double exact_judge(const Question& question, const std::string& answer);
// 1 if the right digit stands somewhere in the answer.
double sloppy_judge(const Question& question, const std::string& answer);

}  // namespace heed::lesson36
