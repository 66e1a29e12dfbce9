// Predictions: before the run the reader guesses the result and says how sure they are. After the
// run the lesson shows the answer beside the guess. A surprising result is easier to remember.
//
//     const Prediction share = lesson.predict("What share of unseen sentences comes out exact?",
//                                             within(0.05).from(0, 1));
//     const Prediction best = lesson.predict("Which score wins?", {"additive", "dot", "neither"});
//     ...
//     lesson.reveal(share, accuracy);
//     lesson.reveal(best, "dot");
#pragma once

#include <cstddef>
#include <iosfwd>
#include <limits>
#include <string>
#include <vector>

#include "lessons/course/contents/lesson_number.h"
#include "lessons/course/terminal/screen.h"

namespace heed::course {

// How close a guessed number must be to count as right.
struct Closeness {
    double amount = 0;  // the difference is at most this
    double factor = 1;  // or the ratio is at most this, in either direction
    std::string words;
    double low = -std::numeric_limits<double>::infinity();  // no answer is outside of low to high
    double high = std::numeric_limits<double>::infinity();
    bool is_share = false;  // the answer is a share, or a difference of shares: 77% is 0.77

    // From 0 to 1 is a share; share() says so of another range. Elsewhere an answer with % is refused.
    Closeness from(double least, double most = std::numeric_limits<double>::infinity()) const;
    Closeness share() const;
    bool right(double guess, double truth) const;
};

Closeness within(double amount);
Closeness within_factor(double factor);

struct Question {
    std::string text;
    std::vector<std::string> choices;  // empty: the answer is a number
    Closeness close;

    bool answered = false;
    std::string guess;  // as shown: the text of the choice, or the number
    double guessed_number = 0;
    int confidence = 0;  // percent

    bool revealed = false;
    std::string truth;
    bool right = false;
};

// Identifies a question of a lesson.
struct Prediction {
    std::size_t index = 0;
};

// The lines of a question above the prompt.
std::string question_lines(const Question& question, const Screen& screen);

// Asks on the streams until the answer is understood and within its range. An empty answer skips the question. Returns
// false if the input has ended; then nothing more should be asked.
bool ask(Question& question, std::istream& in, std::ostream& out, const Screen& screen);

// Stores the true answer and whether the guess is right. Throws heed::Error if the answer is not
// one of the choices, or a number where choices are given.
void reveal(Question& question, double truth);
void reveal(Question& question, const std::string& truth);

// One line of predictions.tsv: lesson, question, guess, confidence, truth, right, date.
std::string prediction_line(LessonNumber lesson, const Question& question, const std::string& date);

}  // namespace heed::course
