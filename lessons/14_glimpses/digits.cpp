// The lesson on handwritten digits: MNIST, by the published recipe where the time allows.
#include <algorithm>

#include "autograd/autograd.h"
#include "lessons/14_glimpses/report.h"
#include "lessons/course/course.h"
#include "lessons/course/read/idx.h"

namespace heed::lesson14 {

using namespace course;

namespace {

double error(const Lesson& lesson, const Eye& eye, const Images& images, Looking looking) {
    return 100 * (1 - accuracy(eye, images, looking, lesson.seed()));
}

// By the recipe, with its curve and its table.
void train_on(Lesson& lesson, const Images& images, const Images& valid, const Eye& eye,
              const Way& way, int epochs, Rng& rng) {
    Table table({"epoch", "loss", "error, %", "error at proposed places, %"});
    LinePlot plot{.title = "Error by epoch",
                  .x_label = "epoch",
                  .y_label = "error, %",
                  .series = {{"drawn places"}, {"proposed places"}},
                  .log_y = true};
    course::ProgressLine line = lesson.progress("digits", epochs);
    train(eye, way, images, {.epochs = epochs, .batch = 128}, rng, [&](int epoch, double loss) {
        const std::vector<double> errors{error(lesson, eye, valid, Looking::learned),
                                         error(lesson, eye, valid, Looking::steady)};
        if (epoch <= 5 || epoch % 5 == 0 || epoch == epochs)
            table.row(epoch, loss, errors[0], errors[1]);
        for (std::size_t i = 0; i < errors.size(); ++i) {
            plot.series[i].x.push_back(epoch);
            plot.series[i].y.push_back(errors[i]);
        }
        line.update(epoch, loss);
    });
    line.clear();
    lesson.show("errors", plot, "On the digits kept for this.");
    lesson.table(table, "One sample of the places for each digit, never the best of several.");
}

}  // namespace

void run_on_digits(Lesson& lesson, const Settings& settings, const Way& way) {
    const std::string& folder = lesson.options().data;
    const auto digits = [&](const std::string& part) {  // ink about as strong as the recipe has it
        const NoGrad no_grad;
        Images images = read_digits(folder, part);
        images.pixels = images.pixels * 3;
        return images;
    };
    const Images all = digits("train"), test = digits("t10k");
    check(all.size() >= 1000, "{}: expected at least 1,000 digits to train on, found {}", folder,
          all.size());
    const int kept = all.size() / 10;
    const Images train_part =
        range(all, 0, lesson.quick() ? std::min(6000, all.size() - kept) : all.size() - kept);
    const Images valid = range(all, all.size() - kept, all.size());
    const Options& options = lesson.options();
    Rng rng(lesson.seed());
    Eye eye(sizes(settings, 256), rng);
    if (options.load.empty()) {
        lesson.say(
            "{} digits to train on, {} to follow it, {} to test. The recipe is the public "
            "program's: states of 256, batches of 128, {} glimpses of 8 x 8 pixels. Ours differs "
            "in three things: a learning rate of 0.001 that falls along a cosine instead of "
            "0.0003, {} epoch{} instead of about 160, and pixels from 0 to 3, where the recipe "
            "subtracts 0.1307 and divides by 0.3081.",
            number(train_part.size()), number(valid.size()), number(test.size()), settings.glimpses,
            settings.epochs, settings.epochs == 1 ? "" : "s");
        train_on(lesson, train_part, valid, eye, way, settings.epochs, rng);
    } else {
        load_model(eye, options.load);
        lesson.say("The eye was loaded from `{}`: no training. {} digits to test it.", options.load,
                   number(test.size()));
    }
    if (!options.save.empty()) save_model(eye, options.save);

    const double drawn = error(lesson, eye, test, Looking::learned),
                 proposed = error(lesson, eye, test, Looking::steady);
    lesson.say(
        "On the test part {:.2f} % are named wrong with drawn places and {:.2f} % with the "
        "proposed ones. Published with six glimpses: 1.12 % (proceedings), 1.29 % "
        "(preprint), 1.21 % (the public program).",
        drawn, proposed);
    const auto name = [](int label) { return fmt::format("{}", label); };
    lesson.keep(
        "paths", paths(eye, test, Looking::steady, 6, name),
        "Six glimpses in their order. Above each picture what it is, and what the eye says.");
    lesson.claim("test error, one sample of places a digit, %", drawn,
                 at_most(lesson.quick() ? 70 : 2.3));
}

}  // namespace heed::lesson14
