#include "lessons/25_images/experiment.h"

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"
#include "lessons/course/lesson/options.h"

namespace heed::lesson25 {

using namespace course;

std::vector<int> parse_sizes(const std::string& text) {
    std::vector<int> sizes;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t to = std::min(text.find(',', from), text.size());
        const auto size =
            static_cast<int>(parse_whole("--sizes", text.substr(from, to - from), 10, 10'000'000));
        check(sizes.empty() || size > sizes.back(),
              "--sizes: expected rising numbers such as 100,1000,10000, got '{}'", text);
        sizes.push_back(size);
        from = to + 1;
    }
    return sizes;
}

int64_t Settings::steps_for(int pictures) const {
    const double doublings = std::log10(pictures / 100.0);
    return std::max<int64_t>(1, std::llround(static_cast<double>(steps) * std::exp2(doublings)));
}

Accuracies train_seeds(Lesson& lesson, Kind kind, const Images& pictures, const Images& test,
                       const Settings& settings, int shift, PatchNetwork* first) {
    Budget budget = settings.budget(kind, pictures.size());
    budget.shift = shift;
    ProgressLine line = lesson.progress(
        fmt::format("{}, {} pictures", name_of(kind), number(pictures.size())), settings.seeds);
    Accuracies reached;
    for (int seed = 0; seed < settings.seeds; ++seed) {
        Rng rng(1000 * lesson.seed() + static_cast<std::uint64_t>(seed));
        const Network network = make(kind, rng);
        train(network, pictures, budget, rng);
        reached.push_back(accuracy(network, test));
        if (first && seed == 0) *first = std::get<PatchNetwork>(network);
        line.update(seed + 1, 1 - reached.back());
    }
    return reached;
}

Comparison compare_sizes(AtCall lesson, const Images& pictures, const Images& test,
                         const Settings& settings) {
    Table counts({"network", "parameters"});
    LinePlot plot{.title = "Test error by number of training pictures",
                  .x_label = "training pictures",
                  .y_label = "test error",
                  .log_x = true,
                  .log_y = true};
    std::vector<std::string> header{"training pictures", "steps"};
    std::vector<std::vector<std::string>> rows;
    for (const int size : settings.sizes)
        rows.push_back({number(size), number(static_cast<double>(settings.steps_for(size)))});

    Comparison comparison;
    for (const Kind kind : kinds) {
        header.emplace_back(name_of(kind));
        Rng any(1);
        counts.row(name_of(kind), parameter_count_of(make(kind, any)));
        std::vector<std::vector<double>> errors(static_cast<std::size_t>(settings.seeds));
        std::vector<Accuracies> of_sizes;
        for (std::size_t s = 0; s < settings.sizes.size(); ++s) {
            const bool kept = kind == Kind::vit && s + 1 == settings.sizes.size();
            of_sizes.push_back(train_seeds(lesson, kind, range(pictures, 0, settings.sizes[s]),
                                           test, settings, 0, kept ? &comparison.vit : nullptr));
            rows[s].push_back(mean_and_spread(of_sizes.back()));
            for (std::size_t seed = 0; seed < errors.size(); ++seed)
                errors[seed].push_back(1 - of_sizes.back()[seed]);
        }
        comparison.of.push_back(std::move(of_sizes));
        plot.series.push_back(
            over_seeds(name_of(kind),
                       std::vector<double>(settings.sizes.begin(), settings.sizes.end()), errors));
    }
    Table table(header);
    for (const auto& row : rows) table.add(row);
    lesson->table(counts, "The three networks.");
    lesson->table(table, fmt::format("Accuracy on {} test pictures, {}.", number(test.size()),
                                     averaged_over(static_cast<std::size_t>(settings.seeds))));
    lesson->show("errors", plot,
                 "The share of test pictures that each network gets wrong. Both axes are "
                 "logarithmic.");
    return comparison;
}

void tune(AtCall lesson, const Images& pictures, const Images& valid, const Settings& settings) {
    struct Tried {
        std::string name;
        Kind kind;
        double positions;  // their initial standard deviation
    };
    const std::vector<Tried> all{{"ViT, positions 0.02", Kind::vit, 0.02},
                                 {"ViT, positions 0.5", Kind::vit, 0.5},
                                 {name_of(Kind::convolutional), Kind::convolutional, 0},
                                 {name_of(Kind::dense), Kind::dense, 0}};
    std::vector<std::string> header{"learning rate"};
    for (const Tried& tried : all) header.push_back(tried.name);
    Table results(header);
    for (const double lr : {0.001, 0.002, 0.004, 0.008, 0.016, 0.032}) {
        std::vector<std::string> row{fmt::format("{}", lr)};
        for (const Tried& tried : all) {
            Rng rng(1000 * lesson->seed());
            Network network = make(tried.kind, rng);
            if (tried.positions > 0)
                std::get<PatchNetwork>(network).draw_positions(tried.positions, rng);
            Budget budget = settings.budget(tried.kind, pictures.size());
            budget.lr = lr;
            train(network, pictures, budget, rng);
            row.push_back(number(accuracy(network, valid), 3));
        }
        results.add(row);
    }
    lesson->table(results,
                  fmt::format("Accuracy on {} validation pictures after {} steps with {} training "
                              "pictures and weight decay {}, one seed.",
                              number(valid.size()), settings.steps_for(pictures.size()),
                              number(pictures.size()), settings.weight_decay));
}

// --- the learned positions ----------------------------------------------------------------------

Tensor cosines_of_positions(const PatchNetwork& network) {
    const NoGrad no_grad;
    const Tensor& table = network.vit.positions.table;  // the first row is of the class token
    const Tensor of_patches = slice(table, 0, table.size(0) - grid * grid, table.size(0));
    const Tensor centred = of_patches - mean(of_patches, 0, true);
    const Tensor unit = centred / norm(centred, 2, -1, true);
    return matmul(unit, transpose(unit));
}

double correlation_with_distance(const Tensor& cosines) {
    std::vector<double> x, y;
    for (int i = 0; i < grid * grid; ++i)
        for (int j = 0; j < i; ++j) {
            x.push_back(std::hypot(i / grid - j / grid, i % grid - j % grid));
            y.push_back(cosines.at({i, j}));
        }
    const double mean_x = summarise(x).mean, mean_y = summarise(y).mean;
    double xy = 0, xx = 0, yy = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        xy += (x[k] - mean_x) * (y[k] - mean_y);
        xx += (x[k] - mean_x) * (x[k] - mean_x);
        yy += (y[k] - mean_y) * (y[k] - mean_y);
    }
    return xy / std::sqrt(std::max(xx * yy, 1e-300));
}

}  // namespace heed::lesson25
