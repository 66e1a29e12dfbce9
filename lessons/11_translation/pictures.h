// The example that the lesson works by hand (three annotations of width 2 and one state of the
// decoder), and the results, as tables and figures.
#pragma once

#include <vector>

#include "attention/scores/score.h"
#include "lessons/11_translation/models.h"
#include "lessons/course/course.h"

namespace heed::lesson11 {

// --- the example by hand ------------------------------------------------------------------------

struct SmallCase {
    AdditiveScore score;  // W and U leave every vector as it is, v = (3, 3)
    Tensor s;             // [2], the state of the decoder
    Tensor h;             // [3, 2], the annotations of 나는, 학생 and 이다
};
SmallCase small_case();

// Shows the scores, these weights and the context as a table.
void show_small_case(course::AtCall lesson, const SmallCase& small, const Tensor& weights);

// Shows the derivatives of the loss with respect to weights and scores, when all weights are 1/3
// and the derivative with respect to the context is (-1, -1). Returns the largest difference of the
// scores' derivatives from those in the text.
double show_small_gradient(course::AtCall lesson, const SmallCase& small);

// A decoder with a fixed context, and one with attention, at the step that writes "am".
std::vector<course::Diagram> architectures();

double bleu_of_the_example();   // of the one output in the text
double error_of_the_example();  // the alignment error rate of "word t belongs to word t"

// --- sentences of the corpus --------------------------------------------------------------------

// The first sentence and three longer ones.
std::vector<course::SentencePair> sentences_to_show(const course::TextSet& part);

std::vector<int> sentences_by_length(const course::TextSet& part);  // for each band of corpus.h

// --- results ------------------------------------------------------------------------------------

// Some sentences of the test set.
void show_sentences(course::AtCall lesson, const course::ParallelText& text);

// How far apart the two ends of a link are: the share of links by distance.
void show_distances(course::AtCall lesson, const course::TextSet& test);

// Sizes of the data, the vocabularies and the models.
void describe(course::AtCall lesson, const course::ParallelText& text, const Models& models);

// Exact match and BLEU of the two translators, and exact match by the length of the source.
struct ByLength {
    double attending_shortest, attending_longest, fixed_shortest, fixed_longest;
};
ByLength show_by_length(course::AtCall lesson, const course::Evaluation& attending,
                        const course::Evaluation& fixed, const course::TextSet& test);

// The attention weights of four sentences. Returns whether the first is translated as it should be.
bool show_weights(course::AtCall lesson, const Models& models, const course::ParallelText& text);

// The alignment error rate of attention, and of three rules that do not look at the words.
struct AlignmentErrors {
    double attention, best_rule;
};
AlignmentErrors show_alignment_errors(course::AtCall lesson, const course::Translator& model,
                                      const course::TextSet& test);

}  // namespace heed::lesson11
