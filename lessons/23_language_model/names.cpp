#include "lessons/23_language_model/names.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "autograd/ops/fused/softmax.h"
#include "autograd/record/grad_mode.h"
#include "lessons/23_language_model/counts.h"
#include "lessons/course/course.h"
#include "lessons/material/training/next_checkpoint.h"
#include "nn/layers/losses.h"
#include "nn/train/train.h"

namespace heed::lesson23 {

using namespace course;

namespace {

constexpr const char* nouns[] = {"cat",  "dog",    "student", "teacher",
                                 "book", "letter", "bird",    "house"};
constexpr const char* verbs[] = {"sees", "meets", "likes", "finds", "knows", "hears"};

// A line of four short sentences, and what its letters belong to.
void add_line(std::string& text, std::vector<LetterOf>& kinds, Rng& rng) {
    const std::string name = new_name(rng);
    const auto add = [&](const std::string& more, LetterOf kind = LetterOf::text) {
        text += more;
        kinds.insert(kinds.end(), more.size(), kind);
    };
    const auto any = [&](const auto& words) {
        return std::string(words[rng.below(std::ssize(words))]);
    };
    for (int i = 0; i < 4; ++i) {
        const auto add_name = [&] {
            add(name.substr(0, 1));
            add(name.substr(1), i == 0 ? LetterOf::new_name : LetterOf::returning_name);
        };
        if (rng.below(2)) {
            add_name();
            add(" " + any(verbs) + " the " + any(nouns));
        } else {
            add("the " + any(nouns) + " " + any(verbs) + " ");
            add_name();
        }
        add(i < 3 ? ". " : ".\n");
    }
}

void check_lines(const NamedText& text, int lines) {  // the last one may be cut short
    check(lines < std::ssize(text.beginnings) - 1, "the validation text has only {} whole lines",
          text.beginnings.size());
}

// The means over all letters of some lines; loss(i) is that of character i of the validation text.
NameLosses mean_losses(const NamedText& text, int lines, int context,
                       const std::function<double(std::size_t line, std::size_t at)>& loss) {
    double totals[3] = {}, counts[3] = {};
    NameLosses found;
    for (std::size_t line = 0; line < static_cast<std::size_t>(lines); ++line) {
        const std::size_t begin = text.beginnings[line],
                          end = std::min(begin + static_cast<std::size_t>(context),
                                         text.beginnings[line + 1]);
        for (std::size_t i = begin; i < end; ++i) {
            const double one = loss(line, i);
            const auto kind = static_cast<std::size_t>(text.valid[i]);
            totals[kind] += one, ++counts[kind];
            if (line == 0) found.line.push_back(one);
        }
    }
    found.text = totals[0] / counts[0];
    found.new_name = totals[1] / counts[1];
    found.returning_name = totals[2] / counts[2];
    return found;
}

}  // namespace

NamedText text_with_names(std::size_t length, Rng& rng) {
    std::string all;
    std::vector<LetterOf> kinds;
    while (all.size() < length) add_line(all, kinds, rng);
    NamedText text{characters_of(all, 0.9), {}, {}};
    const std::size_t border = text.characters.train.size();
    text.valid.assign(kinds.begin() + static_cast<std::ptrdiff_t>(border), kinds.end());
    for (std::size_t i = border; i + 1 < all.size(); ++i)
        if (all[i] == '\n') text.beginnings.push_back(i + 1 - border);
    return text;
}

NameLosses losses_of(const LanguageModel& model, const NamedText& text, int lines, int context) {
    const NoGrad no_grad;
    const std::vector<int>& valid = text.characters.valid;
    std::vector<int> in;
    check_lines(text, lines);
    for (int line = 0; line < lines; ++line) {  // the end of the line before is read first
        const auto begin = valid.begin() + static_cast<std::ptrdiff_t>(text.beginnings[line]) - 1;
        in.insert(in.end(), begin, begin + context);
    }
    const std::vector<double> log_p =
        log_softmax(model(Indices(std::move(in), {lines, context}))).to_vector();
    const auto different = static_cast<std::size_t>(text.characters.size());
    return mean_losses(text, lines, context, [&](std::size_t line, std::size_t at) {
        const std::size_t position =
            line * static_cast<std::size_t>(context) + at - text.beginnings[line];
        return -log_p[position * different + static_cast<std::size_t>(valid[at])];
    });
}

NameLosses losses_of_tables(const NamedText& text, int lines, int context) {
    constexpr int longest = 7;
    check_lines(text, lines);
    const Counts counts(text.characters.train, text.characters.size(), longest);
    NameLosses best;
    for (int n = 0; n <= longest; ++n) {
        const NameLosses with = mean_losses(text, lines, context, [&](std::size_t, std::size_t at) {
            return -std::log(counts.probability(text.characters.valid, at, n));
        });
        if (n == 0 || with.text < best.text) best.text = with.text, best.line = with.line;
        if (n == 0 || with.new_name < best.new_name) best.new_name = with.new_name;
        if (n == 0 || with.returning_name < best.returning_name)
            best.returning_name = with.returning_name;
    }
    return best;
}

NameCurve learn_names(AtCall lesson, const LanguageModel& model, const NamedText& text,
                      const Settings& s) {
    AdamW optimiser = optimiser_of(model);
    NameCurve curve;
    Rng rng(lesson->seed() + 3);
    ProgressLine line = lesson->progress("names", s.steps);
    const auto on_step = [&](const heed::TrainProgress& now) {
        line.update(now.step, now.mean_loss, now.step * s.batch * s.context);
        if (now.step % std::max(s.steps / 20, 1) != 0) return;
        const NameLosses found = losses_of(model, text, 50, s.context);
        curve.at.push_back(static_cast<double>(now.step));
        curve.new_name.push_back(found.new_name);
        curve.returning_name.push_back(found.returning_name);
    };
    const TrainOptions options{
        .steps = s.steps,
        .clip_norm = 1,
        .schedule = schedule_of(s),
        .on_step = on_step,
        .checkpoint = next_checkpoint({rng, curve.at, curve.new_name, curve.returning_name})};
    train(optimiser, options, [&](std::int64_t) {
        const Piece piece = random_pieces(text.characters.train, s.batch, s.context, rng);
        return StepResult{sequence_cross_entropy(model(piece.in), piece.out, -1), piece.in.count()};
    });
    line.clear();
    return curve;
}

}  // namespace heed::lesson23
