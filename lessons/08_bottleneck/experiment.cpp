#include "lessons/08_bottleneck/experiment.h"

#include <algorithm>
#include <cmath>

#include "lessons/08_bottleneck/data.h"
#include "lessons/course/figures/statistics.h"

namespace heed::lesson08 {

using namespace course;

std::vector<double> exact_by_clauses(const Evaluation& result, const TextSet& set, int most) {
    std::vector<double> exact(most), all(most);
    for (int i = 0; i < set.size(); ++i) {
        const int n = clauses_of(set.pairs[i]) - 1;
        exact[n] += result.right[i];
        all[n] += 1;
    }
    for (int n = 0; n < most; ++n) exact[n] /= all[n];
    return exact;
}

double half_clauses(const std::vector<double>& exact) {
    if (exact[0] < 0.5) return 0;
    for (std::size_t n = 1; n < exact.size(); ++n)
        if (exact[n] < 0.5)
            return static_cast<double>(n) + (exact[n - 1] - 0.5) / (exact[n - 1] - exact[n]);
    return static_cast<double>(exact.size());
}

ClauseErrors::ClauseErrors(int most_clauses)
    : most(most_clauses), wrong(most * most), all(most * most) {}

void ClauseErrors::add(const Translator& model, const TextSet& set) {
    const std::vector<std::vector<int>> predicted = predicted_tokens(model, set);
    for (int i = 0; i < set.size(); ++i) {
        const SentencePair& pair = set.pairs[i];
        const int n = clauses_of(pair) - 1;
        for (int t = 0; t < static_cast<int>(predicted[i].size()); ++t) {
            const int cell = n * most + clause_of_word(pair, t);
            all[cell] += 1;
            wrong[cell] += predicted[i][t] != set.target[i][t];
        }
    }
}

double ClauseErrors::rate(int clauses, int clause) const {
    const int cell = (clauses - 1) * most + clause;
    return all[cell] > 0 ? wrong[cell] / all[cell] : NAN;
}

double ClauseErrors::rate(int clauses) const {
    double bad = 0, words = 0;
    for (int clause = 0; clause < clauses; ++clause) {
        bad += wrong[(clauses - 1) * most + clause];
        words += all[(clauses - 1) * most + clause];
    }
    return bad / words;
}

double Trained::exact(int clauses) const {
    double total = 0;
    for (const std::vector<double>& exact : by_seed) total += exact[clauses - 1];
    return total / static_cast<double>(by_seed.size());
}

double Trained::half() const { return summarise(halves).mean; }

double Trained::largest_fall() const {
    double fall = 0;
    for (int clauses = 2; clauses <= static_cast<int>(by_seed[0].size()); ++clauses)
        fall = std::max(fall, exact(clauses - 1) - exact(clauses));
    return fall;
}

}  // namespace heed::lesson08
