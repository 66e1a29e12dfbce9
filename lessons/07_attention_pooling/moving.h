// What moves the context of a trained classifier, and what does not: padding, one more word, and
// ten thousand more.
#pragma once

#include <vector>

#include "lessons/07_attention_pooling/setting.h"
#include "lessons/course/lesson/lesson.h"

// Sets of so many everyday words, all in one padded batch, and each alone: the largest difference
// between the two contexts of a set.
double padding_gap(const Classifier& model, const Setting& setting, const std::vector<int>& sizes,
                   heed::Rng& rng);

// How far one more word moves the context, as a share of its length: the mean over test documents.
// An everyday word, or one that tells of another topic.
double moved_by_one_word(const Classifier& model, const Setting& setting, bool telling,
                         heed::Rng& rng);

// What becomes of the first `count` test documents as ever more irrelevant words are appended, for
// each number of words. Shows the table and the curves.
struct Appended {
    std::vector<double> weight;           // of the telling word
    std::vector<double> attention, mean;  // accuracy
};
Appended append_words(heed::course::Lesson& lesson, const Classifier& attention,
                      const Classifier& mean_pool, const Setting& setting, int count,
                      const std::vector<int>& numbers, heed::Rng& rng);
