// Predictions: before the run the reader says what will happen and how sure they are; after it the
// guess stands beside the truth. Being surprised is how one remembers.
//
//     const Prediction share = lesson.predict("What share of unseen sentences comes out exact?",
//                                             within(0.05));
//     const Prediction best = lesson.predict("Which score wins?", {"additive", "dot", "neither"});
//     ...
//     lesson.reveal(share, accuracy);
//     lesson.reveal(best, "dot");
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include "lessons/course/terminal/screen.h"

namespace heed::course {

// How near a guessed number must be to count as right.
struct Closeness {
    double amount = 0;  // at most so far away
    double factor = 1;  // or at most so many times too large or too small
    std::string words;

    bool right(double guess, double truth) const;
};

Closeness within(double amount);
Closeness within_factor(double factor);

struct Question {
    std::string text;
    std::vector<std::string> choices;  // empty: the answer is a number
    Closeness close;

    bool answered = false;
    std::string guess;  // as shown: the choice's own words, or the number
    double guessed_number = 0;
    int confidence = 0;  // percent

    bool revealed = false;
    std::string truth;
    bool right = false;
};

// Names a question of a lesson.
struct Prediction {
    std::size_t index;
};

// Asks on the streams until there is an answer that makes sense. An empty one skips the question;
// returns false when the input has ended, and then nothing more should be asked.
bool ask(Question& question, std::istream& in, std::ostream& out, const Screen& screen);

// Puts the truth beside the guess. Throws heed::Error when a choice is none of the question's.
void settle(Question& question, double truth);
void settle(Question& question, const std::string& truth);

// One line of predictions.tsv: lesson, question, guess, confidence, truth, right, date.
std::string prediction_line(int lesson, const Question& question, const std::string& date);

}  // namespace heed::course
