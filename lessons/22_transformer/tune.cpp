// The search for the learning rates, the same for every model.
#include <algorithm>

#include "lessons/22_transformer/tables.h"

namespace heed::lesson22 {

using namespace heed::course;

void tune(Lesson& lesson, const ParallelText& text, Settings& s) {
    lesson.heading("The learning rates");
    std::vector<std::vector<double>> losses;
    for (std::size_t i = 0; i < std::size(ladder); ++i) {
        course::ProgressLine line = lesson.progress(name_of(ladder[i]), std::size(rates_tried));
        losses.emplace_back();
        for (double rate : rates_tried) {
            const Translator model = build_translator(ladder[i], text, s.size(), lesson.seed());
            train_translator(model, text, {.steps = s.steps, .lr = rate, .seed = lesson.seed()});
            losses.back().push_back(loss_of(model, text.valid));
            line.update(static_cast<std::int64_t>(losses.back().size()), losses.back().back());
        }
        const auto best = std::min_element(losses.back().begin(), losses.back().end());
        s.rates[i] = rates_tried[best - losses.back().begin()];
    }
    show_tuning(lesson, losses, s);
}

}  // namespace heed::lesson22
