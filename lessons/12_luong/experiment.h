// Trains all decoders of the lesson with the same data and number of steps, measures what their
// windows cost and miss, and computes the library's side of the numbers by hand.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lessons/12_luong/models.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson12 {

// What is compared, and the index of each.
inline const std::vector<Variant> seven_decoders{
    {"dot", ScoreKind::dot},
    {"general", ScoreKind::general},
    {"concat", ScoreKind::additive},
    {"location", ScoreKind::location},
    {"general, local-m", ScoreKind::general, SpanKind::local_m},
    {"general, local-p", ScoreKind::general, SpanKind::local_p},
    {"general, feeding", ScoreKind::general, SpanKind::global, true}};
enum { dot_score, general, concat_score, location, local_m, local_p, feeding };

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
Comparison compare_decoders(course::AtCall lesson, const std::vector<Variant>& variants,
                            const course::ParallelText& text, const Budget& budget, int seeds);

// The index of a short sentence whose alignment is far from monotone.
int non_monotone_sentence(const course::TextSet& part);

// How far a centre is from the true alignment, in words: the mean over all output words that have
// one. The centre is that of local-p, the middle of the source, or the diagonal.
struct CentreDistances {
    double predicted = 0, middle = 0, diagonal = 0;
    int words = 0;
};
CentreDistances centre_distances(const std::vector<WindowStep>& steps);

// The number of scores that each decoding step computed, by the length of the source.
struct Cost {
    std::string name;
    std::map<int, std::vector<double>> of_length{};

    void add(int keys, int scores) { of_length[keys].push_back(scores); }
    double share() const;  // as a share of the scores of global attention, `keys` for each step
};

// --- numbers by hand ----------------------------------------------------------------------------

// The library's local-p with R = 2 for seven words with equal scores, its centre at p.
Tensor library_weights_of_seven(double p);

// The relative error of the derivatives of a context of local-p with respect to U and v, against
// finite differences.
double error_of_the_gradient(std::uint64_t seed);

}  // namespace heed::lesson12
