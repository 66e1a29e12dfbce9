#include "lessons/21_why_attention/lengths.h"

#include <algorithm>

#include "autograd/autograd.h"
#include "nn/data/vocabulary.h"

namespace heed::lesson21 {

using namespace course;

std::vector<double> words_right(const Translator& model, const TextSet& set) {
    const NoGrad no_grad;
    std::array<double, bands.size()> right{}, all{};
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
            const int length = static_cast<int>(source[i].size());
            const auto band = std::find_if(bands.begin(), bands.end(), [&](const LengthBand& b) {
                return b.from <= length && length <= b.to;
            });
            if (band == bands.end()) continue;
            for (std::size_t t = 0; t < target[i].size(); ++t) {
                all[band - bands.begin()] += 1;
                right[band - bands.begin()] +=
                    best.at({static_cast<int64_t>(i), static_cast<int64_t>(t)}) == target[i][t];
            }
        }
    }
    std::vector<double> shares;
    for (std::size_t band = 0; band < bands.size(); ++band)
        shares.push_back(right[band] / all[band]);  // 0 / 0 is NaN
    return shares;
}

std::vector<Trained> train_by_length(Lesson& lesson, const ParallelText& text, int steps,
                                     int seeds) {
    std::vector<Trained> all;
    for (const LadderModel kind : compared) {
        Trained one{.name = name_of(kind)};
        for (int run = 0; run < seeds; ++run) {
            const std::uint64_t seed = 1000 * lesson.seed() + run;
            const Translator model = build_translator(kind, text, {}, seed);
            one.parameters = parameters_of(model);
            course::ProgressLine line =
                lesson.progress(fmt::format("{}, {}", one.name, run + 1), steps);
            const TrainReport report = train_translator(
                model, text,
                {.steps = steps, .batch_size = 16, .lr = rate_of(kind, false), .seed = seed},
                [&](const heed::TrainProgress& p) { line.update(p.step, p.mean_loss); });
            line.clear();
            one.seconds.push_back(report.last.seconds);
            one.right.push_back(words_right(model, text.test));
        }
        all.push_back(std::move(one));
    }
    return all;
}

}  // namespace heed::lesson21
