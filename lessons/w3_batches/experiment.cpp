#include "lessons/w3_batches/experiment.h"

#include <algorithm>

namespace heed::workshop3 {

using namespace course;

std::vector<double> show_batches(
    AtCall lesson, int points, int epochs, const std::vector<int>& sizes,
    const std::vector<double>& rates,
    const std::function<Reached(int, int, double, std::uint64_t)>& train) {
    const std::uint64_t first = 1000 * lesson->seed() + 300;
    const int runs = lesson->quick() ? 2 : 5;
    const auto at_best_rate = [&](int size, int steps) {
        double best = rates[0], most = -1;
        for (double rate : rates) {
            const double reached = train(size, steps, rate, first).validation;
            if (reached > most) most = reached, best = rate;
        }
        std::vector<double> reached;
        for (int i = 1; i <= runs; ++i) reached.push_back(train(size, steps, best, first + i).test);
        return std::pair{best, reached};
    };
    const auto steps_of = [&](int size) { return std::max(epochs * points / size, 1); };
    const int fewest = steps_of(sizes.front());
    Table table(
        {"points a step", "steps", "best rate", "accuracy", fmt::format("after {} steps", fewest)});
    std::vector<double> means;
    for (int size : sizes) {
        const auto [rate, reached] = at_best_rate(size, steps_of(size));
        means.push_back(summarise(reached).mean);
        table.row(size, steps_of(size), rate, mean_and_spread(reached),
                  mean_and_spread(at_best_rate(size, fewest).second));
    }
    lesson->table(
        table, fmt::format("Accuracy on the test points after {} epochs of Adam: {}. All rows use "
                           "each point equally often; in the last column, all take equally many "
                           "steps.",
                           epochs, averaged_over(runs, "seed")));
    return means;
}

std::size_t Course::best() const {
    return std::min_element(validation_loss.begin(), validation_loss.end()) -
           validation_loss.begin();
}

Overfitting show_overfitting(AtCall lesson,
                             const std::function<Course(double, std::uint64_t)>& train) {
    const int runs = lesson->quick() ? 3 : 5;
    std::vector<double> training, test[4], loss[4],
        steps;  // plain at the end, at its best; dropout
    std::vector<std::vector<double>> curves[4];
    for (int i = 0; i < runs; ++i) {
        const std::uint64_t seed = 1000 * lesson->seed() + 500 + i;
        int row = 0;
        for (const double dropped : {0.0, 0.5}) {
            const Course course = train(dropped, seed);
            curves[row].push_back(course.training_loss);
            curves[row + 1].push_back(course.validation_loss);
            for (const std::size_t at : {course.step.size() - 1, course.best()}) {
                test[row].push_back(course.test[at]);
                loss[row].push_back(course.test_loss[at]);
                ++row;
            }
            if (dropped == 0) training.push_back(course.training.back());
            steps = course.step;
        }
    }
    LinePlot plot{.x_label = "steps", .y_label = "loss"};
    const char* names[] = {"training", "validation", "training, dropout", "validation, dropout"};
    for (int i = 0; i < 4; ++i) plot.series.push_back(over_seeds(names[i], steps, curves[i]));
    lesson->show(
        "overfitting", plot,
        "The loss during training on 200 examples. On the training examples it falls to the "
        "end; on the validation examples it soon rises.");
    Table table({"training", "stopped", "test accuracy", "test loss"});
    const char* rows[][2] = {{"plain", "after the last step"},
                             {"plain", "at the smallest validation loss"},
                             {"dropout", "after the last step"},
                             {"dropout", "at the smallest validation loss"}};
    Overfitting found{.training = summarise(training).mean};
    for (int i = 0; i < 4; ++i) {
        table.row(rows[i][0], rows[i][1], mean_and_spread(test[i]), mean_and_spread(loss[i]));
        found.test[i] = summarise(test[i]).mean;
        found.loss[i] = summarise(loss[i]).mean;
    }
    lesson->table(table, fmt::format("In the end the plain network is right on {:.1f} % of its "
                                     "training examples. The numbers are {}.",
                                     100 * found.training, averaged_over(runs)));
    return found;
}

InitialWeights show_initial_weights(AtCall lesson, const std::vector<double>& noises,
                                    const std::function<double(double, std::uint64_t)>& train) {
    InitialWeights result;
    result.runs = lesson->quick() ? 2 : 5;
    Table table({"noise on the weights", "accuracy", "reached 0.95"});
    for (double noise : noises) {
        std::vector<double> reached;
        for (int i = 0; i < result.runs; ++i)
            reached.push_back(train(noise, 100 * lesson->seed() + i));
        result.accuracy.push_back(summarise(reached).mean);
        result.successes.push_back(
            std::count_if(reached.begin(), reached.end(), [](double a) { return a >= 0.95; }));
        table.row(noise == 0 ? "none" : number(noise), mean_and_spread(reached),
                  fmt::format("{} of {}", result.successes.back(), result.runs));
    }
    lesson->table(table, "The same training, with less and less noise on the initial weights.");
    return result;
}

}  // namespace heed::workshop3
