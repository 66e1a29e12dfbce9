// The tables and figures of a run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lessons/06_embeddings/data.h"
#include "lessons/06_embeddings/experiment.h"
#include "lessons/course/course.h"
#include "nn/data/vocabulary.h"

namespace heed::lesson06 {

// The rows of a matrix beside each other: (2, -1)  (0.5, 3)
std::string rows_on_a_line(const Tensor& matrix);

// The one-hot vector of a word, the table with its row outlined, and the row.
std::vector<course::HeatMap> lookup_maps();

// How far each kind of input gets, the answer for the number alone, and claims.
void show_inputs(course::AtCall lesson, const InputLosses& losses, int vocabulary,
                 course::Prediction guess);

// Three ways to look up rows: copied numbers, the product with one-hot vectors, and the gradient of the table
// for a gradient of the rows, by the product or by the library's lookup.
struct Lookup {
    std::function<std::vector<double>(const std::vector<double>& E, int64_t D, const Indices&)>
        copied;
    std::function<Tensor(const Tensor& E, const Indices& ids)> product;
    std::function<Tensor(const Tensor& E, const Indices& ids, const Tensor& g, bool by_product)>
        gradient;
};
// The rows and the gradient of an example, and claims for random ones.
void show_lookup(course::AtCall lesson, const Tensor& E, const Indices& text, const Tensor& g,
                 const Lookup& lookup);

// What a lookup costs and what the product with one-hot vectors costs.
void show_costs_of_lookup(course::AtCall lesson);

// The network that guesses a word from its neighbours, as boxes.
void show_guesser(course::AtCall lesson, int vocabulary, int width);

// The nearest words of some words, for vectors [known words, D].
void show_neighbours(course::AtCall lesson, const Vocabulary& vocabulary, const KnownWords& known,
                     const Tensor& vectors);

// The loss on the gaps of test sentences beside that of counting words, with a claim.
void show_gap_loss(course::AtCall lesson, double loss, double counted);

// How many nearest words are of the same class, before and after training, and of the same group: the answer
// and claims.
void show_agreement(course::AtCall lesson, const KnownWords& known, const Tensor& before,
                    const Tensor& after, course::Prediction guess);

// The same share after training on texts of different lengths, with a claim. `train` returns the vectors of
// the known words after training on some sentences with a seed.
void show_growth(
    course::AtCall lesson, const KnownWords& known, const std::vector<Sentence>& sentences,
    int runs,
    const std::function<Tensor(const std::vector<Sentence>& some, std::uint64_t seed)>& train);

// The vectors in the plane in which they are spread most, with claims on this plane.
void show_plane(course::AtCall lesson, const Vocabulary& vocabulary, const KnownWords& known,
                const Tensor& vectors);

// The errors without a mask and with it, with claims.
void show_masks(course::AtCall lesson, const MaskErrors& errors);

}  // namespace heed::lesson06
