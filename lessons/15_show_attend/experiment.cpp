#include "lessons/15_show_attend/experiment.h"

#include <algorithm>
#include <cmath>

#include "attention/hard/hard.h"
#include "autograd/autograd.h"
#include "lessons/course/course.h"

namespace heed::lesson15 {

using namespace course;

Comparison compare_methods(AtCall lesson, const std::vector<Method>& methods, const Data& data,
                           int steps, int seeds) {
    const int every = std::min(25, steps);
    Comparison result;
    const Batch test = make_batch(data.test.images);
    Table table({"method", "accuracy", "at the sign", "in training", "in test"});
    LinePlot plot{.title = "Accuracy by patches read",
                  .x_label = "patches read in training",
                  .y_label = "accuracy",
                  .series = {},
                  .log_x = true,
                  .y_range = {0, 1}};
    course::ProgressLine line =
        lesson->progress("training", static_cast<std::int64_t>(methods.size()) * seeds);
    for (const Method& method : methods) {
        std::vector<double> right, at_sign;
        std::vector<std::vector<double>> curves;
        double read = 0;
        for (int i = 0; i < seeds; ++i) {
            const Trained one = train(method, data, steps, every, 100 * lesson->seed() + i);
            right.push_back(accuracy(one.model, test, method.reading));
            at_sign.push_back(found(one.model, data.test));
            curves.push_back(one.curve);
            read = one.patches_per_picture;
            if (i == 0) result.models.push_back(one.model);
            line.update(static_cast<std::int64_t>(result.right.size()) * seeds + i + 1);
        }
        std::vector<double> x;
        for (std::size_t i = 1; i <= curves[0].size(); ++i)
            x.push_back(static_cast<double>(i) * every * batch_size * read);
        plot.series.push_back(over_seeds(method.name, x, curves));
        const std::vector<double>& y = plot.series.back().y;
        const auto first = std::find_if(y.begin(), y.end(), [](double a) { return a >= 0.8; });
        result.read_to_80.push_back(first == y.end() ? INFINITY : x[first - y.begin()]);
        table.row(method.name, mean_and_spread(right),
                  method.reading == Reading::mean ? "" : mean_and_spread(at_sign), read,
                  method.reading == Reading::one ? 1 : patch_count);
        result.right.push_back(summarise(right).mean);
        result.found.push_back(summarise(at_sign).mean);
    }
    line.clear();
    lesson->table(
        table,
        fmt::format(
            "{} steps of 64 pictures, {}. At the sign: how often the sign has the "
            "largest weight. The last two: patches read of each picture, in training and in test.",
            steps, averaged_over(static_cast<std::size_t>(seeds))));
    lesson->show("curves", plot,
                 "Accuracy on validation pictures, by the number of patches read so far. Where "
                 "lines lie on each other, only one is visible.");
    return result;
}

std::vector<double> compare_noise(AtCall lesson, const std::vector<Method>& methods,
                                  const PatchClassifier& model, const Batch& batch) {
    Table table({"method", "variance of the gradient", "patches a picture"});
    std::vector<double> all;
    Rng rng(lesson->seed());
    for (const Method& method : methods) {
        if (method.reading == Reading::mean) {
            all.push_back(0);
            continue;
        }
        MovingAverage baseline;
        model.patches_read = 0;
        method.loss(model, batch, baseline, rng);
        const double read = static_cast<double>(model.patches_read);
        all.push_back(
            gradient_variance(model, method.loss, batch, lesson->quick() ? 100 : 400, rng));
        table.row(method.name, all.back(), read / static_cast<double>(batch.labels.count()));
    }
    lesson->table(table, "One batch of 64 pictures, after 50 steps of training.");
    return all;
}

std::vector<double> show_bounds(AtCall lesson, const Tensor& scores, const Tensor& log_p) {
    NoGrad no_grad;
    constexpr int64_t draws = 2048;
    const int64_t batch = scores.size(0);
    Rng rng(lesson->seed());
    const Shape many{draws, batch, patch_count};
    const CategoricalSample choice = sample_categorical(expand(unsqueeze(scores, 0), many), rng);
    const Tensor drawn = squeeze(
        gather(expand(unsqueeze(log_p, 0), many), 2, choice.indices.reshaped({draws, batch, 1})),
        2);  // ln p(y | s), [draws, B]
    const double exact = mean(marginal_log_likelihood(scores, log_p)).item();
    LinePlot plot{.title = "The bound on ln p(y)",
                  .x_label = "samples M",
                  .y_label = "nats",
                  .series = {{"ln p(y), exact"}, {"the bound"}},
                  .log_x = true};
    std::vector<double> gaps;
    for (int64_t samples : {1, 2, 4, 8, 16, 32}) {
        const Tensor groups = reshape(drawn, {samples, draws / samples, batch});
        gaps.push_back(exact - mean(bound_of(groups)).item());
        for (Series& line : plot.series) line.x.push_back(static_cast<double>(samples));
        plot.series[0].y.push_back(exact);
        plot.series[1].y.push_back(exact - gaps.back());
    }
    lesson->show("bound", plot, "The log-probability of the right answer and its bound.");
    return gaps;
}

}  // namespace heed::lesson15
