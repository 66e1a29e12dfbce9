// The windows of local attention and the results of the comparison, as figures and tables.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lessons/12_luong/experiment.h"
#include "lessons/course/course.h"

namespace heed::lesson12 {

// --- windows ------------------------------------------------------------------------------------

// The source of the example: 나는 그 책 을 읽는다, "I read the book".
const std::vector<std::string>& example_words();

// A window of two words to each side that moves one word at a time, over "I read the book" in Korean, with equal
// weights inside. Outlined is the word that belongs to the output.
course::HeatMap moving_window();

// Which words are scored for "read": global attention, local-m, and local-p with its centre on the
// verb.
course::HeatMap scored_words();

// One step of Luong's decoder, without and with input feeding.
std::vector<course::Diagram> decoder_diagrams();

// The weight of word 5 of seven as the centre moves from 0 to 6, beside a Gaussian that is not cut
// off.
void show_edge(course::AtCall lesson, const std::function<double(double)>& weight);

// --- results ------------------------------------------------------------------------------------

// Shows the weights of the given variants on that sentence, with the true alignment outlined.
void show_maps(course::AtCall lesson, const Comparison& comparison, const std::vector<int>& which,
               const course::TextSet& part);

// Shows the centre of the window for each word of one sentence.
void show_centre(course::AtCall lesson, const std::vector<WindowStep>& steps,
                 const course::SentencePair& sentence);

void show_distances(course::AtCall lesson, const CentreDistances& distances);

// Shows the cost by the length of the source, beside that of global attention.
void show_cost(course::AtCall lesson, const std::vector<Cost>& costs);

}  // namespace heed::lesson12
