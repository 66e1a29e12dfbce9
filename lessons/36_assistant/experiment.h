// The trainings of the lesson: a predictor, examples of answers with and without adapters, rewards with
// three baselines, and preferences.
#pragma once

#include <functional>
#include <utility>

#include "lessons/36_assistant/data.h"
#include "lessons/course/course.h"

namespace heed::lesson36 {

using Judge = std::function<double(const Question&, const std::string&)>;

// --- a predictor --------------------------------------------------------------------------------

LanguageModel new_model(Rng& rng);
void train_predictor(LanguageModel& model, int steps, Rng rng);

// Of each question, one answer of at most longest_answer tokens: the most probable one, or a sample.
std::vector<std::string> answers_of(const LanguageModel& model,
                                    const std::vector<Question>& questions, Rng* rng = nullptr);
// Share of statements "3+4=" that it completes rightly; of sampled answers that are exact, four to each
// question; of most probable answers that are; and of sampled continuations of a question that are again a
// question.
double share_known(const LanguageModel& model, const std::vector<Question>& questions);
double share_exact(const LanguageModel& model, const std::vector<Question>& questions, Rng rng);
double share_best(const LanguageModel& model, const std::vector<Question>& questions);
double share_asked(const LanguageModel& model, const std::vector<Question>& questions, Rng rng);

// --- examples -----------------------------------------------------------------------------------

// A training on questions with their answers, which stands in lesson.cpp.
using TrainOnExamples = std::function<void(
    LanguageModel& model, const std::vector<Question>& questions, int steps, double lr)>;

// Ten answers with all weights (rank 0) and with adapters of queries and values, the mean over several
// draws of the questions.
struct RankResult {
    int64_t rank = 0, trained = 0;
    double shown = 0, test = 0;  // of the samples
    double best = 0;             // of the most probable answers to the test questions
};
std::vector<RankResult> try_ranks(const LanguageModel& base, int shown, int draws, uint64_t seed,
                                  const TrainOnExamples& train);

// --- rewards ------------------------------------------------------------------------------------

inline constexpr int group = 8, group_questions = 16;  // S answers to each of G questions

// A batch of sampled answers, S to each of G questions, and their rewards [S, G].
struct Samples {
    std::vector<Question> questions;  // S G of them: question g is at g, G + g, 2 G + g, ...
    std::vector<std::string> answers;
    Tensor reward;
};
Samples sample_answers(const LanguageModel& model, const std::vector<Question>& questions, int each,
                       const Judge& judge, Rng& rng);
// ln p of each answer, [S G].
Tensor log_prob_of(const LanguageModel& model, const std::vector<Question>& questions,
                   const std::vector<std::string>& answers);

// The same for a batch, [S, G].
Tensor log_prob_of(const LanguageModel& model, const Samples& samples);

// A copy with new adapters of rank 4 at all layers but the head.
LanguageModel for_rewards(const LanguageModel& model, Rng& rng);

// `count` of the questions, drawn with repetition.
std::vector<Question> drawn(const std::vector<Question>& all, int count, Rng& rng);

struct Pairs {
    std::vector<Question> questions;
    std::vector<std::string> chosen, rejected;
};

// What a training went through: each 20 steps the share of exact answers to the test questions, among samples
// and among the most probable ones, the samples' mean reward by the judge of the training, and the KL to the
// start.
struct Progress {
    std::vector<double> steps, exact, best, reward, kl;
    // Of DPO: mean change of ln π for the two answers of a pair, and for all other answers together.
    double better = 0, worse = 0, others = 0;
    std::vector<std::string> at_start, examples;  // some test questions with their answers
};
// Follows a training, always with the same random numbers.
struct Watch {
    const LanguageModel& start;
    const Split& split;
    Judge judge;
    Rng rng;
    Progress progress;

    Watch(const LanguageModel& at_start, const Split& of, Judge by, Rng with)
        : start(at_start), split(of), judge(std::move(by)), rng(std::move(with)) {}
    void note(int step, const LanguageModel& model);
    void note_pairs(const LanguageModel& model, const Pairs& pairs);
};

// Noise of the gradient of one batch with each baseline: E|g - E g|² / |E g|². Of the parameters that are
// trained.
struct Noise {
    std::string name;
    double noise = 0;
};
std::vector<Noise> gradient_noise(const LanguageModel& model,
                                  const std::vector<Question>& questions, int batches, Rng rng);

// --- preferences --------------------------------------------------------------------------------

// From S answers to a question each time: a right and a wrong one, as long as there are both.
Pairs preference_pairs(const LanguageModel& model, const std::vector<Question>& questions,
                       int batches, const Judge& judge, Rng rng);
// As many pairs as make up a batch, drawn with repetition.
Pairs drawn_pairs(const Pairs& all, Rng& rng);
// ln p of the better and of the worse answers; at the start no graph is recorded.
std::pair<Tensor, Tensor> log_probs_of(const LanguageModel& model, const Pairs& pairs);
std::pair<Tensor, Tensor> log_probs_at_start(const LanguageModel& start, const Pairs& pairs);

// The KL to the start of a model that gives only right answers: the mean of -ln p of these at the start.
double kl_of_right_answers(const LanguageModel& start, const std::vector<Question>& questions);

// --- shown by the lesson ------------------------------------------------------------------------

LanguageModel trained_predictor(course::AtCall lesson, int steps, Rng& rng);
void show_continuations(course::AtCall lesson, const LanguageModel& base);
void show_noise(course::AtCall lesson, const std::vector<Noise>& noise);
// Trainings by rewards and by pairs, which stand in lesson.cpp.
using TrainOnRewards = std::function<Progress(LanguageModel& model, const Split& split,
                                              const Judge& judge, int steps, double beta, Rng rng)>;
using TrainOnPairs = std::function<Progress(LanguageModel& model, const Pairs& pairs,
                                            const Split& split, int steps, double beta, Rng rng)>;
// The strict judge, the same with KL, the careless one, the same with KL.
std::vector<Progress> train_by_judges(course::AtCall lesson, const LanguageModel& start,
                                      const Split& split, int steps, double kl,
                                      const TrainOnRewards& train);
// DPO with β = 0.1 and β = 1, in a table below REINFORCE.
std::vector<Progress> train_by_pairs(course::AtCall lesson, const LanguageModel& start,
                                     const Split& split, int steps, const Progress& reinforce,
                                     const TrainOnPairs& train);

}  // namespace heed::lesson36
