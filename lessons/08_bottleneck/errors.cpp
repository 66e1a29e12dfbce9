#include "lessons/08_bottleneck/errors.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "autograd/autograd.h"

using namespace heed;
using namespace heed::course;

double middle_of_band(std::size_t band) {
    return 0.5 * (length_bands.at(band).from + length_bands.at(band).to);
}

std::vector<double> length_middles() {
    std::vector<double> middles;
    for (std::size_t band = 0; band < length_bands.size(); ++band)
        middles.push_back(middle_of_band(band));
    return middles;
}

double half_length(const std::vector<double>& exact) {
    double x = 0, y = 1;  // the previous point
    for (std::size_t band = 0; band < exact.size(); ++band) {
        if (std::isnan(exact[band])) continue;
        const double next = middle_of_band(band);
        if (exact[band] < 0.5) return x == 0 ? 0 : x + (next - x) * (y - 0.5) / (y - exact[band]);
        x = next;
        y = exact[band];
    }
    return std::numeric_limits<double>::infinity();
}

double WordErrors::rate(std::size_t band) const {
    double bad = 0, count = 0;
    for (int tenth = 0; tenth < tenths; ++tenth) {
        bad += wrong[band * tenths + tenth];
        count += all[band * tenths + tenth];
    }
    return bad / count;
}

double WordErrors::rate(std::size_t band, int tenth) const {
    const std::size_t cell = band * tenths + tenth;
    return all[cell] > 0 ? wrong[cell] / all[cell] : NAN;
}

double WordErrors::words_a_sentence(std::size_t band) const {
    double words = 0;
    for (int tenth = 0; tenth < tenths; ++tenth) words += all[band * tenths + tenth];
    return words / sentences[band];
}

namespace {

void add_errors(const Translator& model, const TextSet& part, WordErrors& errors) {
    const NoGrad no_grad;
    constexpr int together = 50;
    for (int first = 0; first < part.size(); first += together) {
        const int last = std::min(first + together, part.size());
        const std::vector<std::vector<int>> source(part.source.begin() + first,
                                                   part.source.begin() + last),
            target(part.target.begin() + first, part.target.begin() + last);
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
            const std::size_t band = length_band(static_cast<int>(source[i].size()));
            const int words = static_cast<int>(target[i].size());
            errors.sentences[band] += 1;
            for (int t = 0; t < words; ++t) {
                const std::size_t cell = band * WordErrors::tenths + t * WordErrors::tenths / words;
                errors.all[cell] += 1;
                errors.wrong[cell] += best.at({static_cast<int64_t>(i), t}) != target[i][t];
            }
        }
    }
}

}  // namespace

WordErrors word_errors(const std::vector<Translator>& models, const TextSet& part) {
    WordErrors errors;
    errors.wrong.resize(length_bands.size() * WordErrors::tenths);
    errors.all.resize(errors.wrong.size());
    errors.sentences.resize(length_bands.size());
    for (const Translator& model : models) add_errors(model, part, errors);
    return errors;
}
