// All decoders of the lesson on one text and one budget, and what is drawn of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lessons/10_luong/models.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson10 {

struct Race {
    std::vector<Variant> variants;
    std::vector<EncoderDecoder> models;                       // of the first beginning
    std::vector<std::vector<double>> exact, alignment_error;  // of each variant, by beginning

    double gain(int variant, int over) const;  // in exact translations, the mean
    double error(int variant) const;           // of the alignment, the mean
    // More than twice the standard error of the paired differences of exact translations.
    bool is_clear(int variant, int over) const;
};

// Trains every variant from as many beginnings. Shows the table and the bars.
Race race(course::Lesson& lesson, const std::vector<Variant>& variants,
          const course::ParallelText& text, const Budget& budget, int beginnings);

// A sentence of the part some way from monotone and short enough to print.
int telling_sentence(const course::TextSet& part);

// The weights of those variants on it, the true alignment outlined.
void show_maps(course::Lesson& lesson, const Race& race, const std::vector<int>& which,
               const course::TextSet& part);

// The centre over one sentence.
void show_centre(course::Lesson& lesson, const std::vector<Look>& looks,
                 const course::SentencePair& sentence);

// The scores that the steps of a decoder took, by the number of words of the source.
struct Cost {
    std::string name;
    std::map<int, std::vector<double>> of_length{};

    void add(int keys, int scores) { of_length[keys].push_back(scores); }
    double most() const;   // of a step
    double share() const;  // of all that global attention takes, which is `keys` a step
};
// By the length of the source, beside global attention.
void show_cost(course::Lesson& lesson, const std::vector<Cost>& costs);

}  // namespace heed::lesson10
