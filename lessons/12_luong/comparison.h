// Trains all decoders of the lesson with the same data and number of steps, and draws the results.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lessons/12_luong/models.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson12 {

struct Comparison {
    std::vector<Variant> variants;
    std::vector<EncoderDecoder> models;                       // of the first seed
    std::vector<std::vector<double>> exact, alignment_error;  // of each variant, by seed

    double gain(int variant, int over) const;  // difference of the mean share of exact translations
    double error(int variant) const;           // mean alignment error
    // Whether the difference of exact translations, paired by seed, is more than twice its standard
    // error.
    bool is_clear(int variant, int over) const;
};

// Trains every variant with each of `seeds` seeds. Shows the table and the bars.
Comparison compare_decoders(course::Lesson& lesson, const std::vector<Variant>& variants,
                            const course::ParallelText& text, const Budget& budget, int seeds);

// The index of a short sentence whose alignment is far from monotone.
int non_monotone_sentence(const course::TextSet& part);

// Shows the weights of the given variants on that sentence, with the true alignment outlined.
void show_maps(course::Lesson& lesson, const Comparison& comparison, const std::vector<int>& which,
               const course::TextSet& part);

// Shows the centre of the window for each word of one sentence.
void show_centre(course::Lesson& lesson, const std::vector<WindowStep>& steps,
                 const course::SentencePair& sentence);

// How far a centre is from the true alignment, in words: the mean over all output words that have
// one. The centre is that of local-p, the middle of the source, or the diagonal.
struct CentreDistances {
    double predicted = 0, middle = 0, diagonal = 0;
    int words = 0;
};
CentreDistances centre_distances(const std::vector<WindowStep>& steps);
void show_distances(course::Lesson& lesson, const CentreDistances& distances);

// The number of scores that each decoding step computed, by the length of the source.
struct Cost {
    std::string name;
    std::map<int, std::vector<double>> of_length{};

    void add(int keys, int scores) { of_length[keys].push_back(scores); }
    double share() const;  // as a share of the scores of global attention, `keys` for each step
};
// Shows the cost by the length of the source, beside that of global attention.
void show_cost(course::Lesson& lesson, const std::vector<Cost>& costs);

}  // namespace heed::lesson12
