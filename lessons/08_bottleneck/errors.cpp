#include "lessons/08_bottleneck/errors.h"

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"
#include "lessons/08_bottleneck/chains.h"

using namespace heed;
using namespace heed::course;

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
    const NoGrad no_grad;
    constexpr int together = 50;
    for (int first = 0; first < set.size(); first += together) {
        const int last = std::min(first + together, set.size());
        const std::vector<std::vector<int>> source(set.source.begin() + first,
                                                   set.source.begin() + last),
            target(set.target.begin() + first, set.target.begin() + last);
        std::vector<std::vector<int>> before = target;  // starts with bos, without the eos
        for (std::vector<int>& ids : before) {
            ids.insert(ids.begin(), Vocabulary::bos);
            ids.pop_back();
        }
        const Tensor logits =
            model.forward(pad_sequences(source), pad_sequences(before).ids, Mode::evaluation())
                .logits;
        const Indices best = argmax(logits, -1);  // [B, T]
        for (std::size_t i = 0; i < target.size(); ++i) {
            const SentencePair& pair = set.pairs[first + i];
            const int n = clauses_of(pair) - 1;
            for (int t = 0; t < static_cast<int>(target[i].size()); ++t) {
                const int cell = n * most + clause_of_word(pair, t);
                all[cell] += 1;
                wrong[cell] += best.at({static_cast<int64_t>(i), t}) != target[i][t];
            }
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
