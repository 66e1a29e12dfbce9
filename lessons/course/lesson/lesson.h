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
//             lesson.claim("variance", "variance of q·k over width", variance / width,
//                          between(0.95, 1.05));
//         });
//     }
//
// The text of lesson.cpp is shown during the run (story.h): before a line shows a result, all text above
// this line is printed on the terminal, unless --no-text is given. report.html always has it.
//
// The title and the introduction are shown when the body shows its first result. So an option or a file that the
// body refuses is refused before the reader has read a line. Everything a lesson says is printed at once and
// also goes into report.html. Files are written only when the run is over. A run that fails or is stopped leaves the files of the last run as
// they were. What it has trained is saved on the way, and --resume goes on with it (checkpoints.h).
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "lessons/course/contents/woven.h"
#include "lessons/course/figures/figures.h"
#include "lessons/course/lesson/options.h"
#include "lessons/course/lesson/progress.h"
#include "lessons/course/report/claims.h"
#include "lessons/course/report/other_seeds.h"
#include "lessons/course/report/predict.h"
#include "lessons/course/report/report.h"
#include "lessons/course/story/story.h"
#include "lessons/course/story/telling.h"
#include "lessons/course/terminal/table.h"

namespace heed::course {

class ElapsedTime;  // live_line.h

// A format string, and the line of the call.
template <class... Args>
struct Said {
    fmt::format_string<Args...> text;
    Where where{};

    template <class Text>
    consteval Said(const Text& said, Where here = Where::current()) : text(said), where(here) {}
};

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
    // Of several processes that run this lesson together, only rank 0 writes files and asks questions.
    bool first_rank() const { return about_.rank == 0; }

    // --- Text. Format strings as in fmt; prose may contain `code`, *emphasis* and **strong**.
    template <class... Args>
    void say(Said<std::type_identity_t<Args>...> said, Args&&... args) {
        paragraph(fmt::format(said.text, std::forward<Args>(args)...), said.where);
    }
    // Begins a part of the run. If a section of the text has this title, its text is shown first.
    template <class... Args>
    void heading(Said<std::type_identity_t<Args>...> said, Args&&... args) {
        section(fmt::format(said.text, std::forward<Args>(args)...), said.where);
    }
    // Preformatted lines: a matrix, a trace.
    void listing(const std::string& text, Where where = Where::current());
    void table(const Table& table, const std::string& caption = "", Where where = Where::current());

    // --- Figures. `name` is the name of the SVG file in --out. show() also draws in the terminal,
    // keep() does not. Several figures of one kind are drawn side by side.
    void show(const std::string& name, const HeatMap& map, const std::string& caption,
              Where where = Where::current());
    void show(const std::string& name, const LinePlot& plot, const std::string& caption,
              Where where = Where::current());
    void show(const std::string& name, const BarChart& chart, const std::string& caption,
              Where where = Where::current());
    void show(const std::string& name, const Picture& picture, const std::string& caption,
              Where where = Where::current());
    void show(const std::string& name, const Diagram& diagram, const std::string& caption,
              Where where = Where::current());
    void show(const std::string& name, const Arrows& arrows, const std::string& caption,
              Where where = Where::current());
    void show(const std::string& name, const ShadedText& text, const std::string& caption,
              Where where = Where::current());
    void show(const std::string& name, const ScatterPlot& plot, const std::string& caption,
              Where where = Where::current());
    void show(const std::string& name, const std::vector<HeatMap>& maps, const std::string& caption,
              Where where = Where::current());
    void show(const std::string& name, const std::vector<LinePlot>& plots,
              const std::string& caption, Where where = Where::current());
    void show(const std::string& name, const std::vector<Arrows>& planes,
              const std::string& caption, Where where = Where::current());
    void show(const std::string& name, const std::vector<Diagram>& diagrams,
              const std::string& caption, Where where = Where::current());
    void show(const std::string& name, const std::vector<Picture>& pictures,
              const std::string& caption, Where where = Where::current());

    template <class Figure>
    void keep(const std::string& name, const Figure& figure, const std::string& caption,
              Where where = Where::current()) {
        drawing_ = false;
        show(name, figure, caption, where);
        drawing_ = true;
    }

    // A figure of the page that the reader can change (live.h), with the parameters of a model, which
    // `save` writes to a file. `about` says what to try.
    void live(const std::string& name, const std::string& about,
              const std::function<void(const std::string& path)>& save,
              Where where = Where::current());

    // --- Predictions. predict() asks at once, on a terminal and without --no-predict; reveal()
    // shows the answer beside the guess.
    Prediction predict(const std::string& question, Closeness close,
                       Where where = Where::current());
    Prediction predict(const std::string& question, const std::vector<std::string>& choices,
                       Where where = Where::current());
    void reveal(Prediction prediction, double truth, Where where = Where::current());
    void reveal(Prediction prediction, const std::string& truth, Where where = Where::current());

    // --- Claims. Each has a short name of small letters, digits and hyphens, and its text; both are its own.
    // claim() returns whether the claim holds. measured() records a number without a bar, for a text that
    // gives it: a text gives numbers by their names, {exact-match} (contents/woven.h).
    bool claim(const std::string& name, const std::string& text, double measured,
               Expectation expected, Where where = Where::current());
    void measured(const std::string& name, const std::string& text, double value,
                  Where where = Where::current());

    // --- The terminal, for other drawings, and a progress line on it.
    Screen screen() const { return screen_.now(); }
    ProgressLine progress(const std::string& label, std::int64_t steps) {
        begin();
        return ProgressLine(screen(), label, steps);
    }

  private:
    friend class AtCall;
    void paragraph(const std::string& text, Where where);
    void section(const std::string& text, Where where);
    void begin();
    void tell_above(Where where);
    void tell_before_call(Where where);
    void tell(const std::vector<Passage>& passages);
    void print_question_and_title();
    Measured own_numbers() const;
    void record(Claim claim, Where where);
    void print_what_is_saved(bool resumed) const;
    void figure(const std::string& name, const std::vector<std::string>& svgs, const OnScreen& text,
                const std::string& caption, Where where);
    Prediction ask_now(Question question, Where where);
    void print_answer(const Question& question);
    std::string explained(const std::string& message) const;
    void finish(const std::string& command, double seconds);

    About about_;
    Options options_;
    Screen screen_;
    std::vector<Option> extra_;
    std::vector<std::pair<std::string, std::string>> inputs_;  // options and files, as given
    ElapsedTime* elapsed_ = nullptr;                           // while the body runs
    bool running_ = false;                                     // from the start of the body on
    bool begun_ = false;    // the title and the introduction were shown
    int words_ = 0;         // of the text
    std::string note_;      // about the numbers in the text
    bool resumed_ = false;  // the run goes on where it was stopped

    Story story_;
    std::string told_section_;  // the section of the passage that was shown last
    bool shows_text_ = false;   // on the terminal
    Telling telling_{screen_};

    Report report_;
    std::vector<Claim> claims_;
    OtherSeeds other_seeds_;  // what the claims measured with other seeds
    std::vector<Question> questions_;
    std::vector<std::pair<std::string, std::string>> files_;  // name and bytes, written at the end
    bool drawing_ = true;
    bool asking_ = true;         // false once the input has ended
    double seconds_asking_ = 0;  // not counted as part of the run
};

// The lesson as the parameter of a function that shows results from another file than lesson.cpp. Where
// lesson.cpp calls it, the text above the call is shown first, as before every result.
//
//     void show_variances(AtCall lesson, const Tensor& scores) { lesson->table(...); }    // pictures.cpp
//     show_variances(lesson, scores);                                                     // lesson.cpp
class AtCall {
  public:
    AtCall(Lesson& lesson, Where where = Where::current()) : lesson_(&lesson) {
        lesson.tell_before_call(where);
    }
    Lesson* operator->() const { return lesson_; }
    operator Lesson&() const { return *lesson_; }

  private:
    Lesson* lesson_ = nullptr;
};

}  // namespace heed::course
