#include "lessons/04_learning/experiment.h"

#include <algorithm>

namespace heed::lesson04 {

using namespace course;

namespace {

bool is_success(double accuracy) { return accuracy >= 0.95; }

}  // namespace

Comparison show_optimisers(AtCall lesson, const std::vector<double>& rates,
                           const std::vector<Contestant>& contestants) {
    const std::uint64_t first = 1000 * lesson->seed();
    LinePlot plot{
        .x_label = "learning rate", .y_label = "accuracy", .log_x = true, .y_range = {0.4, 1}};
    Table table({"rule", "best rate", "accuracy", "rates that reach 0.95"});
    Comparison result;
    const int tries = lesson->quick() ? 1 : 3, runs = lesson->quick() ? 2 : 5;
    ProgressLine progress = lesson->progress(
        "optimisers", static_cast<std::int64_t>(contestants.size() * rates.size()) * tries);
    int done = 0;
    for (const Contestant& contestant : contestants) {
        std::vector<std::vector<double>> tried(tries);
        for (int i = 0; i < tries; ++i)
            for (double rate : rates) {
                tried[i].push_back(contestant.train(rate, first + i).validation);
                progress.update(++done);
            }
        plot.series.push_back(over_seeds(contestant.name, rates, tried));
        const std::vector<double>& y = plot.series.back().y;
        const double best = rates[std::max_element(y.begin(), y.end()) - y.begin()];
        result.successes.push_back(std::count_if(y.begin(), y.end(), is_success));
        std::vector<double> reached;
        for (int i = 0; i < runs; ++i)
            reached.push_back(contestant.train(best, first + 100 + i).test);
        result.accuracy.push_back(summarise(reached).mean);
        table.row(contestant.name, best, mean_and_spread(reached),
                  fmt::format("{} of {}", result.successes.back(), rates.size()));
    }
    lesson->show("rates", plot,
                 "Accuracy on the validation points by learning rate, three optimisers.");
    lesson->table(table, fmt::format("Accuracy on the test points, each rule at its best rate: {}.",
                                     averaged_over(runs, "new seed")));
    return result;
}

std::vector<double> show_initial_weights(
    AtCall lesson, const std::vector<double>& noises,
    const std::function<double(double, std::uint64_t)>& train) {
    const int runs = lesson->quick() ? 2 : 5;
    std::vector<double> accuracy;
    Table table({"noise on the weights", "accuracy", "reached 0.95"});
    for (double noise : noises) {
        std::vector<double> reached;
        for (int i = 0; i < runs; ++i) reached.push_back(train(noise, 100 * lesson->seed() + i));
        accuracy.push_back(summarise(reached).mean);
        table.row(noise == 0 ? "none" : number(noise), mean_and_spread(reached),
                  fmt::format("{} of {}", std::count_if(reached.begin(), reached.end(), is_success),
                              runs));
    }
    lesson->table(table, "The same training, with and without noise on the initial weights.");
    return accuracy;
}

}  // namespace heed::lesson04
