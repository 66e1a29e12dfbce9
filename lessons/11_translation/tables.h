// The results of lesson 11 as tables and figures.
#pragma once

#include "lessons/11_translation/models.h"
#include "lessons/course/course.h"

// Some sentences of the test set.
void show_sentences(heed::course::Lesson& lesson, const heed::course::ParallelText& text);

// How far apart the two ends of a link are: the share of links by distance.
void show_distances(heed::course::Lesson& lesson, const heed::course::TextSet& test);

// Sizes of the data, the vocabularies and the models.
void describe(heed::course::Lesson& lesson, const heed::course::ParallelText& text,
              const Models& models);

// Exact match and BLEU of the two translators, and exact match by the length of the source.
struct ByLength {
    double attending_shortest, attending_longest, fixed_shortest, fixed_longest;
};
ByLength show_by_length(heed::course::Lesson& lesson, const heed::course::Evaluation& attending,
                        const heed::course::Evaluation& fixed, const heed::course::TextSet& test);

// The attention weights of four sentences. Returns whether the first is translated as it should be.
bool show_weights(heed::course::Lesson& lesson, const Models& models,
                  const heed::course::ParallelText& text);

// The alignment error rate of attention, and of three rules that do not look at the words.
struct AlignmentErrors {
    double attention, best_rule;
};
AlignmentErrors show_alignment_errors(heed::course::Lesson& lesson,
                                      const heed::course::Translator& model,
                                      const heed::course::TextSet& test);
