// A lesson is a program that asks a question, lets the reader predict the answer, runs an
// experiment, shows the results and checks each of its statements against what it has just
// measured.
//
//     int main(int argc, char** argv) {
//         Lesson lesson({.number = 10, .name = "scores", .title = "Which score function?",
//                        .question = "Does it matter how a query is compared with a key?"});
//         int width = 64;
//         lesson.option("--width", width, "width of queries and keys");
//         return lesson.run(argc, argv, [&] {
//             const Prediction guess = lesson.predict("What is the variance of q·k?", within(2));
//             ...
//             lesson.say("The scores of {} pairs have variance {:.1f}.", pairs, variance);
//             lesson.show("variance", plot, "Variance of the scores against the width.");
//             lesson.reveal(guess, variance);
//             lesson.claim("variance of q·k over width", variance / width, between(0.95, 1.05));
//         });
//     }
//
// Everything a lesson says is printed at once and also goes into report.html. Files are written
// only when the run is over. A run that fails or is stopped leaves the files of the last run as
// they were. What it has trained is saved on the way, and --resume goes on with it (checkpoints.h).
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lessons/course/figures/figures.h"
#include "lessons/course/lesson/options.h"
#include "lessons/course/lesson/progress.h"
#include "lessons/course/report/claims.h"
#include "lessons/course/report/predict.h"
#include "lessons/course/report/report.h"
#include "lessons/course/terminal/table.h"

namespace heed::course {

class ElapsedTime;  // live_line.h

class Lesson {
  public:
    explicit Lesson(About about);

    // --- Before the run: a lesson's own options. Each variable keeps its value unless the option
    // is given. A wrong value is refused with the name of the option. An int must be at least 1, so
    // a lesson may set it to 0 before the run and see afterwards whether the option was given.
    void option(const std::string& name, bool& value, const std::string& help);
    void option(const std::string& name, int& value, const std::string& help);
    void option(const std::string& name, double& value, const std::string& help);
    void option(const std::string& name, std::string& value, const std::string& help);
    void option(const std::string& name, std::string& value,
                const std::vector<std::string>& choices, const std::string& help);
    void input_file(const std::string& name, std::string& path, const std::string& help);

    // Reads the command line, runs the body, writes the results. Returns the exit status: 0 when
    // all claims hold, 1 when one does not, 2 for wrong options and for any exception (its message
    // is printed). Ctrl-C ends the program with status 130 and writes no results; a training that is
    // under way saves a checkpoint first.
    int run(int argc, char** argv, const std::function<void()>& body);

    // --- The options of this run.
    const Options& options() const { return options_; }
    bool quick() const { return options_.quick; }
    std::uint64_t seed() const { return options_.seed; }

    // --- Text. Format strings as in fmt; prose may contain `code`, *emphasis* and **strong**.
    template <class... Args>
    void say(fmt::format_string<Args...> text, Args&&... args) {
        paragraph(fmt::format(text, std::forward<Args>(args)...));
    }
    template <class... Args>
    void heading(fmt::format_string<Args...> text, Args&&... args) {
        section(fmt::format(text, std::forward<Args>(args)...));
    }
    void listing(const std::string& text);  // preformatted lines: a matrix, a trace
    void table(const Table& table, const std::string& caption = "");

    // --- Figures. `name` is the name of the SVG file in --out. show() also draws in the terminal,
    // keep() does not. Several heat maps or pictures are drawn side by side.
    void show(const std::string& name, const HeatMap& map, const std::string& caption);
    void show(const std::string& name, const LinePlot& plot, const std::string& caption);
    void show(const std::string& name, const BarChart& chart, const std::string& caption);
    void show(const std::string& name, const Picture& picture, const std::string& caption);
    void show(const std::string& name, const Diagram& diagram, const std::string& caption);
    void show(const std::string& name, const std::vector<HeatMap>& maps,
              const std::string& caption);
    void show(const std::string& name, const std::vector<Picture>& pictures,
              const std::string& caption);

    template <class Figure>
    void keep(const std::string& name, const Figure& figure, const std::string& caption) {
        drawing_ = false;
        show(name, figure, caption);
        drawing_ = true;
    }

    // --- Predictions. predict() asks at once, on a terminal and without --no-predict; reveal()
    // shows the answer beside the guess.
    Prediction predict(const std::string& question, Closeness close);
    Prediction predict(const std::string& question, const std::vector<std::string>& choices);
    void reveal(Prediction prediction, double truth);
    void reveal(Prediction prediction, const std::string& truth);

    // --- Claims. Returns whether the claim holds.
    bool claim(const std::string& text, double measured, Expectation expected);

    // --- The terminal, for other drawings, and a progress line on it.
    const Screen& screen() const { return screen_; }
    ProgressLine progress(const std::string& label, std::int64_t steps) const {
        return ProgressLine(screen_, label, steps);
    }

  private:
    void paragraph(const std::string& text);
    void section(const std::string& text);
    void print_question_and_title() const;
    void print_what_is_saved(bool resumed) const;
    std::string caption_lines(const std::string& caption) const;
    void figure(const std::string& name, const std::vector<std::string>& svgs,
                const std::string& text, const std::string& caption);
    Prediction ask_now(Question question);
    void print_answer(const Question& question) const;
    std::string explained(const std::string& message) const;
    void finish(const std::string& command, double seconds);

    About about_;
    Options options_;
    Screen screen_;
    std::vector<Option> extra_;
    std::vector<std::pair<std::string, std::string>> inputs_;  // options and files, as given
    ElapsedTime* elapsed_ = nullptr;  // while the body runs
    bool running_ = false;            // from the start of the body on

    Report report_;
    std::vector<Claim> claims_;
    std::vector<Question> questions_;
    std::vector<std::pair<std::string, std::string>> files_;  // name and bytes, written at the end
    bool drawing_ = true;
    bool asking_ = true;         // false once the input has ended
    double seconds_asking_ = 0;  // not counted as part of the run
};

}  // namespace heed::course
