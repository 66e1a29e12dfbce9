// The figures of the lesson, and the claims about what they show.
#pragma once

#include "lessons/36_assistant/experiment.h"

namespace heed::lesson36 {

// Of statements that it completes rightly, and of questions: continued with a question, answered exactly.
void claim_predictor(course::AtCall lesson, double known, double asked, double answered);

// Shares of right answers: of samples to the ten questions, of samples to others, and of the most probable
// answers to others.
struct Shares {
    double shown = 0, test = 0, best = 0;
};
void show_ten(course::AtCall lesson, const Shares& read, const Shares& nothing);
void claim_ten(course::AtCall lesson, const Shares& read, const Shares& nothing, double asked);

// The stages of the lesson, and the kind of answer that a model gives to one question at each.
void show_path(course::AtCall lesson);

// W and the product B A of the trained model, with their sizes in proportion.
void show_adapter(course::AtCall lesson);

// Quality of each rank and of all weights, beside that of the kept seeds.
void show_ranks(course::AtCall lesson, const std::vector<RankResult>& results);
void claim_ranks(course::AtCall lesson, const std::vector<RankResult>& results);

void claim_noise(course::AtCall lesson, const std::vector<Noise>& noise);

// Noise of the gradient against the probability p of the right one of two answers, without a baseline and
// with p as the baseline, for rewards offset and offset + 1: the variance in closed form over the square
// of the gradient.
double noise_of_two(double p, double offset, double baseline);
// The same with rewards 0 and 1 in a group of S answers, of which each has the mean of the others as its
// baseline. Times S, so that it can be compared with the noise of one draw.
double noise_of_group(double p, int S);
course::LinePlot noise_plot(double offset, double baseline);

// The judge's reward and the share that is right while the careless judge trains; and all four trainings.
void show_fooled(course::AtCall lesson, const std::vector<Progress>& all);
void claim_judges(course::AtCall lesson, const std::vector<Progress>& all);

// By how much ln π of the two answers of a pair, and of all others, has changed, for each β; and the claims about DPO.
void show_pairs(course::AtCall lesson, const std::vector<Progress>& dpo);

}  // namespace heed::lesson36
