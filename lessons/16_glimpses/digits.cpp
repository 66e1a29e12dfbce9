// The lesson on handwritten digits (MNIST), with the published settings where the time allows.
#include <algorithm>

#include "autograd/autograd.h"
#include "lessons/16_glimpses/report.h"
#include "lessons/course/course.h"
#include "lessons/material/read/idx.h"

namespace heed::lesson16 {

using namespace course;

namespace {

double error(const Lesson& lesson, const GlimpseModel& model, const Images& images,
             LocationRule rule) {
    return 100 * (1 - accuracy(model, images, rule, lesson.seed()));
}

// Trains the model; shows the curve and the table of errors.
void train_on(Lesson& lesson, const Images& images, const Images& valid, const GlimpseModel& model,
              const Method& method, int epochs, Rng& rng) {
    Table table({"epoch", "loss", "error, %", "error at mean locations, %"});
    LinePlot plot{.title = "Error by epoch",
                  .x_label = "epoch",
                  .y_label = "error, %",
                  .series = {{"sampled locations"}, {"mean locations"}},
                  .log_y = true};
    course::ProgressLine line = lesson.progress("digits", epochs);
    std::vector<double> losses, sampled, at_means;
    const auto on_epoch = [&](int epoch, double loss) {
        losses.push_back(loss);
        sampled.push_back(error(lesson, model, valid, LocationRule::learned));
        at_means.push_back(error(lesson, model, valid, LocationRule::mean));
        line.update(epoch, loss);
    };
    train(model, method, images, {.epochs = epochs, .batch = 128}, rng, on_epoch,
          {losses, sampled, at_means});
    line.clear();
    for (int epoch = 1; epoch <= epochs; ++epoch) {
        const std::size_t i = static_cast<std::size_t>(epoch) - 1;
        if (epoch <= 5 || epoch % 5 == 0 || epoch == epochs)
            table.row(epoch, losses[i], sampled[i], at_means[i]);
        for (course::Series& series : plot.series) series.x.push_back(epoch);
    }
    plot.series[0].y = sampled;
    plot.series[1].y = at_means;
    lesson.show("errors", plot, "The error on the validation digits.");
    lesson.table(table, "One sample of the locations for each digit.");
}

}  // namespace

void run_on_digits(Lesson& lesson, const Settings& settings, const Method& method) {
    const std::string& folder = lesson.options().data;
    const auto digits =
        [&](const std::string& part) {  // pixels scaled about as in the published settings
            const NoGrad no_grad;
            Images images = read_digits(folder, part, static_cast<int>(GlimpseOptions{}.size));
            images.pixels = images.pixels * 3;
            return images;
        };
    const Images all = digits("train"), test = digits("t10k");
    check(all.size() >= 1000, "{}: expected at least 1,000 training digits, found {}", folder,
          all.size());
    const int kept = all.size() / 10;
    const Images train_part =
        range(all, 0, lesson.quick() ? std::min(6000, all.size() - kept) : all.size() - kept);
    const Images valid = range(all, all.size() - kept, all.size());
    const Options& options = lesson.options();
    Rng rng(lesson.seed());
    GlimpseModel model(model_options(settings, 256), rng);
    if (options.load.empty()) {
        lesson.say(
            "{} training, {} validation and {} test digits. The settings are those of the public "
            "program: states of 256, batches of 128, {} glimpses of 8 x 8 pixels. There are three "
            "differences: a learning rate of 0.001 that falls along a cosine instead of 0.0003, {} "
            "epoch{} instead of about 160, and pixels from 0 to 3, where the program subtracts "
            "0.1307 and divides by 0.3081.",
            number(train_part.size()), number(valid.size()), number(test.size()), settings.glimpses,
            settings.epochs, settings.epochs == 1 ? "" : "s");
        train_on(lesson, train_part, valid, model, method, settings.epochs, rng);
    } else {
        load_model(model, options.load);
        lesson.say("The model was loaded from `{}`: no training. {} test digits.", options.load,
                   number(test.size()));
    }
    if (!options.save.empty()) save_model(model, options.save);

    const double drawn = error(lesson, model, test, LocationRule::learned),
                 proposed = error(lesson, model, test, LocationRule::mean);
    lesson.say(
        "The test error is {:.2f} % with sampled locations and {:.2f} % with mean locations. "
        "Published errors with six glimpses: 1.12 % (proceedings), 1.29 % (preprint), 1.21 % (the "
        "public program).",
        drawn, proposed);
    const auto name = [](int label) { return fmt::format("{}", label); };
    lesson.keep("paths", paths(model, test, LocationRule::mean, 6, name),
                "Six glimpses in their order. Above each picture its label and the answer.");
    lesson.claim("test error with one sample of the locations, %", drawn,
                 at_most(lesson.quick() ? 70 : 2.3));
}

}  // namespace heed::lesson16
