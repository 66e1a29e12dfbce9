#include "attention/decoding/beam.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "autograd/base/user_call.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/grad_mode.h"

namespace heed {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}

double length_penalty(Integer length, double alpha) {
    return std::pow((5.0 + static_cast<double>(length)) / 6.0, alpha);
}

double ranking_score(const Hypothesis& hypothesis, double alpha) {
    const int64_t length = static_cast<int64_t>(hypothesis.tokens.size()) + hypothesis.finished;
    return hypothesis.log_probability / length_penalty(length, alpha);
}

namespace {

// A hypothesis in progress. trace[t] is the row of the batch it was in at step t; its attention
// weights are collected from there at the end.
struct Draft {
    Hypothesis hypothesis;
    std::vector<int> trace;
};

struct Sentence {
    std::vector<Draft> unfinished;  // at most `beam`; the j-th is row sentence * beam + j
    std::vector<Draft> finished;    // the best `beam`, best first
    bool done = false;
};

struct Extension {
    double log_probability;
    int draft, token;
    // The more probable first; among equals, the one found first.
    bool operator<(const Extension& other) const { return log_probability > other.log_probability; }
};

// The best `count` one-token extensions of a sentence's unfinished hypotheses, best first, without those
// of probability 0.
std::vector<Extension> best_extensions(const Sentence& sentence, const double* logs,
                                       int64_t vocabulary, std::size_t count) {
    std::vector<Extension> best;
    for (std::size_t j = 0; j < sentence.unfinished.size(); ++j) {
        const double before = sentence.unfinished[j].hypothesis.log_probability;
        for (int64_t token = 0; token < vocabulary; ++token) {
            const Extension candidate{before + logs[j * vocabulary + token], static_cast<int>(j),
                                      static_cast<int>(token)};
            if (candidate.log_probability == -infinity) continue;
            if (best.size() == count && !(candidate < best.back())) continue;
            if (best.size() == count) best.pop_back();
            best.insert(std::upper_bound(best.begin(), best.end(), candidate), candidate);
        }
    }
    return best;
}

void keep_best(std::vector<Draft>& drafts, std::size_t count, double alpha) {
    std::stable_sort(drafts.begin(), drafts.end(), [alpha](const Draft& a, const Draft& b) {
        return ranking_score(a.hypothesis, alpha) > ranking_score(b.hypothesis, alpha);
    });
    if (drafts.size() > count) drafts.resize(count);
}

// Whether no unfinished hypothesis can still become one of the finished ones. A log-probability can
// only fall, so the best ranking score it can reach is the present one divided by the largest
// penalty of any length still possible.
bool cannot_improve(const Sentence& sentence, const BeamOptions& beam, int64_t max_length) {
    if (sentence.unfinished.empty()) return true;
    if (sentence.finished.size() < static_cast<std::size_t>(beam.beam)) return false;
    double best = -infinity;
    int64_t length = 0;
    for (const Draft& draft : sentence.unfinished) {
        best = std::max(best, draft.hypothesis.log_probability);
        length = static_cast<int64_t>(draft.hypothesis.tokens.size());
    }
    const double largest = std::max(length_penalty(length + 1, beam.length_penalty),
                                    length_penalty(max_length + 1, beam.length_penalty));
    return ranking_score(sentence.finished.back().hypothesis, beam.length_penalty) >=
           best / largest;
}

// One step of one sentence, whose rows begin at first_row. Sets rows[i], the row that row i
// continues, and tokens[i], the token it is fed next.
void advance(Sentence& sentence, const double* logs, int64_t vocabulary, const BeamOptions& beam,
             const DecodeOptions& options, int first_row, std::vector<int>& rows,
             std::vector<int>& tokens) {
    std::vector<Draft> survivors;
    const int length = static_cast<int>(sentence.unfinished[0].hypothesis.tokens.size());
    const bool full = length >= options.max_length;  // only the end token may follow
    for (const Extension& e : best_extensions(sentence, logs, vocabulary, beam.beam)) {
        if (e.token != options.end && full) continue;
        Draft draft = sentence.unfinished[e.draft];
        draft.hypothesis.log_probability = e.log_probability;
        draft.trace.push_back(first_row + e.draft);
        if (e.token == options.end) {
            draft.hypothesis.finished = true;
            sentence.finished.push_back(std::move(draft));
        } else {
            draft.hypothesis.tokens.push_back(e.token);
            rows[first_row + survivors.size()] = first_row + e.draft;
            tokens[first_row + survivors.size()] = e.token;
            survivors.push_back(std::move(draft));
        }
    }
    keep_best(sentence.finished, beam.beam, beam.length_penalty);
    if (!full && survivors.empty() && sentence.finished.empty()) {  // nothing is possible
        for (Draft& draft : sentence.unfinished) draft.hypothesis.log_probability = -infinity;
        sentence.unfinished.resize(1);
        sentence.done = true;
        return;
    }
    if (!full) sentence.unfinished = std::move(survivors);
    const bool last_step = full || (options.end < 0 && length + 1 == options.max_length);
    sentence.done = last_step || cannot_improve(sentence, beam, options.max_length);
}

// The hypotheses of a sentence: the finished ones, then those that were cut off.
std::vector<Hypothesis> results(Sentence& sentence, const BeamOptions& beam,
                                const std::vector<Tensor>& weights) {
    keep_best(sentence.unfinished, beam.beam - sentence.finished.size(), beam.length_penalty);
    sentence.finished.insert(sentence.finished.end(), sentence.unfinished.begin(),
                             sentence.unfinished.end());
    std::vector<Hypothesis> all;
    for (Draft& draft : sentence.finished) {
        std::vector<Tensor> of_steps;
        for (std::size_t t = 0; t < draft.trace.size() && t < weights.size(); ++t)
            of_steps.push_back(select(weights[t], 0, draft.trace[t]));
        if (!of_steps.empty()) draft.hypothesis.weights = stack(of_steps);
        all.push_back(std::move(draft.hypothesis));
    }
    return all;
}

}  // namespace

std::vector<std::vector<Hypothesis>> beam_search_n_best(Decodable model, const BeamOptions& beam,
                                                        const DecodeOptions& options) {
    const UserCall named("beam_search_n_best");
    check(model.defined(), "there is no model to decode");
    check(beam.beam >= 1 && options.max_length >= 1,
          "beam is {} and max_length {}, both must be at least 1", beam.beam, options.max_length);
    const NoGrad no_grad;
    const int sentences = static_cast<int>(model.rows()), rows = sentences * beam.beam;

    // Every sentence gets `beam` rows and keeps them.
    std::vector<int> from(rows), last(rows, options.start);
    for (int row = 0; row < rows; ++row) from[row] = row / beam.beam;
    model.select_rows(from);
    if (model.first().count() > 0) last = model.first().values();
    std::vector<Sentence> all(sentences);
    for (Sentence& sentence : all) sentence.unfinished.resize(1);

    std::vector<Tensor> weights;  // of every step: [N, K]
    const auto busy = [&] {
        return std::any_of(all.begin(), all.end(), [](const Sentence& s) { return !s.done; });
    };
    while (busy()) {
        const DecodingStep step = model.step(Indices(last));
        const std::vector<double> logs = step.log_probabilities.to_vector();
        const int64_t vocabulary = step.log_probabilities.size(1);
        if (step.weights.defined()) weights.push_back(step.weights);

        for (int row = 0; row < rows; ++row) from[row] = row;
        for (int s = 0; s < sentences; ++s)
            if (!all[s].done)
                advance(all[s], logs.data() + s * beam.beam * vocabulary, vocabulary, beam, options,
                        s * beam.beam, from, last);
        model.select_rows(from);
    }

    std::vector<std::vector<Hypothesis>> hypotheses;
    for (Sentence& sentence : all) hypotheses.push_back(results(sentence, beam, weights));
    return hypotheses;
}

std::vector<Hypothesis> beam_search(Decodable model, const BeamOptions& beam,
                                    const DecodeOptions& options) {
    const UserCall named("beam_search");
    std::vector<Hypothesis> best;
    for (std::vector<Hypothesis>& of_row : beam_search_n_best(std::move(model), beam, options))
        best.push_back(std::move(of_row.at(0)));
    return best;
}

}  // namespace heed
