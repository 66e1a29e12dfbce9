// The figures and tables of this lesson, and its small cases that are computed by hand.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lessons/23_language_model/experiment.h"
#include "lessons/23_language_model/model.h"
#include "lessons/23_language_model/names.h"
#include "lessons/course/course.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson23 {

// The beginning of a text as it grows. The last character of each row is shaded by the probability that it has after
// the three before it, counted in the whole text.
course::ShadedText staircase(const std::string& text, std::size_t rows);

// --- by hand ------------------------------------------------------------------------------------

// The probabilities of "o", of a space and of "n" after some contexts in "to be or not to be".
void show_small_table(course::AtCall lesson,
                      const std::vector<std::pair<std::string, std::vector<double>>>& after);

// p(c | h) in a text with so many different characters.
using NextProbability =
    std::function<double(const std::string& text, const std::string& h, char c, int different)>;
// The largest difference to the probabilities of counts.h, over all characters of the text and
// contexts of 0 to 3.
double difference_from_counts(const std::string& text, const NextProbability& by_hand);

// At each position, what the model sees and what it should predict.
void show_predictions(course::AtCall lesson, const std::string& text);

// The whole model, and one of its blocks.
std::vector<course::Diagram> gpt_diagrams();

// The distribution that is sampled from, for logits, a temperature, k and p.
using Sampling = std::function<std::vector<double>(const std::vector<double>& logits,
                                                   double temperature, int k, double p)>;
// The examples of the text. Returns the largest difference to the library's distributions.
double show_sampling(course::AtCall lesson, const Sampling& by_hand);

// --- results ------------------------------------------------------------------------------------

void show_losses(course::AtCall lesson, const ValidationLosses& found, const Characters& text);
void show_training(course::AtCall lesson, const Curve& curve, double best_table);
// The first line of the validation text by its words, for the table and for the model.
void show_names(course::AtCall lesson, const NamedText& text, const NameLosses& table,
                const NameLosses& gpt, const NameCurve& curve);
void show_heads(course::AtCall lesson, const LanguageModel& model, const Characters& text,
                const Settings& settings);
void show_cost(course::AtCall lesson, const Cost& with, const Cost& without, int generated);

void show_temperatures(course::AtCall lesson, const TemperatureResults& found);

}  // namespace heed::lesson23
