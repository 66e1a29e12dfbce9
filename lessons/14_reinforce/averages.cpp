#include "lessons/14_reinforce/averages.h"

#include <cmath>

#include "lessons/14_reinforce/estimators.h"
#include "lessons/course/course.h"
#include "lessons/course/lesson/checkpoints.h"

namespace heed::three_looks {

Averaged errors_of_means(const Estimator& estimator, const Exact& exact, Rng& rng, int batches) {
    constexpr int64_t least = 125, at_once = 16 * least;
    std::vector<double> means;  // [blocks, 20]
    Checkpoint checkpoint(course::next_checkpoint({rng, means}));
    for ([[maybe_unused]] int64_t batch : checkpoint.steps(batches)) {
        const Tensor x = repeated(at_once);
        const Tensor each = grad(estimator(x, rng), {x})[0] * static_cast<double>(at_once);
        const Tensor some = mean(reshape(each, {least, at_once / least, parameters}), 0);
        for (double number : some.to_vector()) means.push_back(number);
    }
    Averaged all;
    Tensor blocks = reshape(tensor(means, Dtype::float64), {-1, parameters});
    for (int64_t samples = least;; samples *= 2) {
        const Tensor square_off = sum(square(blocks - exact.gradient), -1);
        all.samples.push_back(static_cast<double>(samples));
        all.distance.push_back(std::sqrt((mean(square_off) / sum(square(exact.gradient))).item()));
        const int64_t pairs = blocks.size(0) / 2;
        if (pairs < 4) return all;
        blocks = mean(reshape(slice(blocks, 0, 0, 2 * pairs), {pairs, 2, parameters}), 1);
    }
}

std::vector<Averaged> show_averages(course::Lesson& lesson, const Exact& exact, Rng& rng,
                                    int batches) {
    const std::vector<NamedEstimator> estimators{
        {"no baseline", with_baseline(0)},
        {"the mean loss as baseline", with_baseline(exact.mean_loss())},
        {"straight-through", straight_through()},
        {"Gumbel-softmax, temperature 1", gumbel(1)}};
    course::LinePlot plot{.x_label = "samples averaged",
                          .y_label = "distance from the exact gradient, as a share of its length",
                          .log_x = true,
                          .log_y = true};
    std::vector<Averaged> all;
    for (const NamedEstimator& each : estimators) {
        all.push_back(errors_of_means(each.estimator, exact, rng, batches));
        plot.series.push_back({each.name, all.back().samples, all.back().distance});
    }
    lesson.show("averages", plot,
                "Averaging reduces the variance, but not the bias. The lines begin with 125 "
                "samples at the left edge. Where lines lie on each other, only one is visible.");
    return all;
}

}  // namespace heed::three_looks
