#include "lessons/w4_calibration/pictures.h"

#include <string>

namespace heed::workshop4 {

using namespace course;

namespace {

void add_point(Series& series, double x, double y) {
    series.x.push_back(x);
    series.y.push_back(y);
}

Series reliability(const std::string& name, const Sureness& sure) {
    Series line{.name = name};
    for (const Bin& bin : bins_of(sure, 10)) {
        if (bin.forecasts < 20) continue;  // too few for a share
        line.x.push_back(bin.confidence / bin.forecasts);
        line.y.push_back(bin.right / bin.forecasts);
    }
    return line;
}

}  // namespace

Curves::Curves() {
    sure = {.x_label = "training steps", .y_label = "share of days", .y_range = {0.3, 1}};
    sure.series = {{"confidence, test days"}, {"accuracy, test days"}};
    losses = {.x_label = "training steps", .y_label = "loss, in nats"};
    losses.series = {{"training days"}, {"test days"}, {"the true probabilities, test days"}};
}

void Curves::add(int step, const Sureness& fresh, double loss, double loss_in_training,
                 double loss_of_truth) {
    add_point(sure.series[0], step, fresh.mean_confidence());
    add_point(sure.series[1], step, fresh.accuracy());
    add_point(losses.series[0], step, loss_in_training);
    add_point(losses.series[1], step, loss);
    add_point(losses.series[2], step, loss_of_truth);
}

void Curves::show(AtCall lesson) const {
    lesson->show("confidence", sure, "Confidence and accuracy on new days during training.");
    lesson->show("losses", losses,
                 "The loss during training. Below the loss of the true "
                 "probabilities, a network has learned days by heart.");
}

void show_remedies(AtCall lesson, const Findings& found, const Unlearned& unlearned,
                   const Training& how, int climates) {
    Table table({"forecaster", "accuracy", "confidence", "ECE", "loss", "KL"});
    const auto row = [&](const char* name, const Record& r) {
        table.row(name, fmt::format("{:.3f}", summarise(r.accuracy).mean),
                  fmt::format("{:.3f}", summarise(r.confidence).mean), mean_and_spread(r.error),
                  fmt::format("{:.3f}", summarise(r.loss).mean),
                  fmt::format("{:.3f}", summarise(r.kl).mean));
    };
    row("always 50, 30, 20 %", unlearned.always);
    row("network", found.plain);
    row("label smoothing", found.smoothed);
    row("temperature", found.cooled);
    row("both", found.both);
    row("true probabilities", unlearned.truth);
    lesson->table(table, fmt::format("Forecasts for test days after training on {} days: {}.",
                                     how.days, averaged_over(climates, "climate")));
    lesson->say("The chosen temperature is {} for the network, and {} after label smoothing.",
                mean_and_spread(found.temperature, 2),
                mean_and_spread(found.temperature_smoothed, 2));

    LinePlot plot{.title = "Reliability diagram",
                  .x_label = "confidence",
                  .y_label = "share that was right",
                  .y_range = {0.2, 1}};
    plot.series = {{"calibrated", {0.35, 1}, {0.35, 1}},
                   reliability("network", found.plain.all),
                   reliability("label smoothing", found.smoothed.all),
                   reliability("temperature", found.cooled.all)};
    lesson->show(
        "reliability", plot,
        "Each point is a bin: its mean confidence, and the share of its forecasts that were "
        "right. Below the line of the calibrated forecaster a network is too sure.");
}

void show_days(AtCall lesson, const std::map<int, Findings>& found, int climates) {
    LinePlot plot{.x_label = "training days", .y_label = "ECE", .log_x = true};
    Table table({"days", "network", "smoothing", "temperature", "τ"});
    LinePlot excess{
        .x_label = "training days", .y_label = "confidence minus accuracy", .log_x = true};
    plot.series = {{"network"}, {"label smoothing"}, {"temperature"}};
    excess.series = plot.series;
    for (const auto& [days, f] : found) {
        const Record* records[] = {&f.plain, &f.smoothed, &f.cooled};
        for (int i : {0, 1, 2}) {
            const Summary s = summarise(records[i]->error);
            Series& line = plot.series[i];
            line.x.push_back(days), line.y.push_back(s.mean);
            line.low.push_back(s.mean - s.deviation), line.high.push_back(s.mean + s.deviation);
            add_point(excess.series[i], days, records[i]->excess());
        }
        table.row(number(days), mean_and_spread(f.plain.error), mean_and_spread(f.smoothed.error),
                  mean_and_spread(f.cooled.error), mean_and_spread(f.temperature, 2));
    }
    lesson->show("days", plot,
                 fmt::format("The mean expected calibration error over {} climates, by the number "
                             "of training days. The table below has the standard deviations.",
                             climates));
    lesson->show("excess", excess,
                 "Mean confidence minus accuracy: above 0 a network is too sure, below 0 it is not "
                 "sure enough.");
    lesson->table(table,
                  "ECE by the number of training days, and the temperature τ that was chosen for "
                  "the network without smoothing.");
}

}  // namespace heed::workshop4
