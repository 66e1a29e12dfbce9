#include "lessons/course/lesson/lesson.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <limits>
#include <new>
#include <optional>

#include "autograd/base/error.h"
#include "autograd/base/interrupted.h"
#include "autograd/base/parallel.h"
#include "lessons/course/figures/svg.h"
#include "lessons/course/lesson/checkpoints.h"
#include "lessons/course/lesson/interrupt.h"
#include "lessons/course/lesson/memory.h"
#include "lessons/course/lesson/out_folder.h"
#include "lessons/course/lesson/repeat.h"
#include "lessons/course/live/figure_html.h"
#include "lessons/course/live/web_module.h"
#include "lessons/course/report/files.h"
#include "lessons/course/story/prose.h"
#include "lessons/course/terminal/keys.h"
#include "lessons/course/terminal/live_line.h"
#include "lessons/course/terminal/markup.h"
#include "lessons/course/terminal/screen.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

using Time = std::chrono::steady_clock;

double seconds_since(Time::time_point start) {
    return std::chrono::duration<double>(Time::now() - start).count();
}

// Typing is seen again, however a run ends.
struct RestoreTerminal {
    ~RestoreTerminal() { restore_terminal(); }
};

// Whether ./heed learn has shown the title and the introduction while this program was built.
bool told_while_building() { return std::getenv("HEED_TOLD") != nullptr; }

constexpr const char* about_guesses =
    "Guess before you see the result; Enter skips a question. Your guesses are kept with how sure you were, and "
    "./heed says whether you were sure too often.";

// A paragraph with a mark before its first line.
std::string hanging(const std::string& mark, const std::string& text, const Screen& screen) {
    return wrap(text, screen.measure(), "    ").replace(2, 1, mark) + "\n";
}

// What the reader should know about the numbers in the text: that a quick run is a taste, and whose numbers
// they are. Empty if there is nothing to say.
std::string note_on_numbers(const std::vector<Passage>& passages, const std::string& lesson,
                            bool quick) {
    std::string note =
        quick
            ? "This is a quick run: a taste, with a small budget. The numbers in the text are those of full runs, and where a paragraph is marked (full run), this one may show something else. "
            : "";
    const bool weaves = std::any_of(passages.begin(), passages.end(), [](const Passage& passage) {
        return has_woven_numbers(passage.written);
    });
    std::size_t seeds = 0;
    for (const auto& [claim, numbers] : kept_seeds(kept_seeds_path(lesson), false))
        seeds = std::max(seeds, numbers.size());
    if (weaves && seeds > 0)
        note += fmt::format(
            "The numbers in the text are the medians of {} full runs. Where this run has measured the same, its "
            "own number stands beside them in brackets.",
            seeds);
    return note;
}

// A paragraph with a line at its left.
std::string boxed(const std::string& text, const Screen& screen) {
    const std::string lines = wrap(text, screen.measure() - 2);
    std::string out;
    for (std::string_view rest = lines; !rest.empty(); rest.remove_prefix(rest.find('\n') + 1))
        out +=
            screen.paint("│ ", Ink::accent) + std::string(rest.substr(0, rest.find('\n'))) + "\n";
    return out;
}

std::string caption_lines(const std::string& caption, const Screen& screen) {
    Screen plain = screen;
    plain.colour = false;  // one colour for the whole caption: code and emphasis are not coloured
    return wrap(screen.paint(markup_to_screen(caption, plain), Ink::faint), screen.measure(), "  ");
}

// What a caption leaves of the screen, for the figures that can be lower.
Screen screen_above(const std::string& caption, Screen screen) {
    const std::string lines = caption_lines(caption, screen);
    screen.height -= static_cast<int>(std::count(lines.begin(), lines.end(), '\n'));
    return screen;
}

std::string listing_lines(const std::string& text, const Screen& screen) {
    std::string lines;
    for (std::string_view rest = text; !rest.empty();) {
        const std::string line = printable(rest.substr(0, rest.find('\n')));
        rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
        lines += display_width(line) > screen.width ? wrap(line, screen.width, "  ") : line + "\n";
    }
    return lines;
}

template <class Figure>
std::vector<std::string> drawings(const std::vector<Figure>& figures) {
    std::vector<std::string> svgs;
    for (const Figure& figure : figures) svgs.push_back(to_svg(figure));
    return svgs;
}

// Two heat maps side by side fill the width of the text column, three or four that of the page.
std::vector<std::string> drawings(const std::vector<HeatMap>& maps) {
    std::vector<std::string> svgs;
    const double size = maps.size() == 1 ? 450 : maps.size() == 4 ? 165 : 245;
    for (const HeatMap& map : maps) svgs.push_back(to_svg(map, size));
    return svgs;
}

template <class Figure>
std::string sketches(const std::vector<Figure>& figures, const Screen& screen) {
    std::vector<std::string> blocks;
    for (const Figure& figure : figures) blocks.push_back(to_text(figure, screen));
    return side_by_side(blocks, screen.width);
}

}  // namespace

Lesson::Lesson(About about) : about_(std::move(about)), screen_(screen_of_stdout()) {
    if (about_.workshop > 0) about_.number = LessonNumber::of_workshop(about_.workshop);
    telling_.before_pause = [this] {
        if (elapsed_) elapsed_->pause();
    };
    telling_.after_pause = [this] {
        if (elapsed_) elapsed_->resume();
    };
}

void Lesson::option(const std::string& name, bool& value, const std::string& help) {
    extra_.push_back({name, help, "", [&value](const std::string&) { value = true; }});
}

void Lesson::option(const std::string& name, int& value, const std::string& help) {
    extra_.push_back({name, help, "N", [&value, name](const std::string& text) {
                          constexpr int largest = std::numeric_limits<int>::max();
                          value = static_cast<int>(parse_whole(name, text, 1, largest));
                      }});
}

void Lesson::option(const std::string& name, double& value, const std::string& help) {
    extra_.push_back({name, help, "X", [&value, name](const std::string& text) {
                          value = parse_number(name, text);
                      }});
}

void Lesson::option(const std::string& name, std::string& value, const std::string& help) {
    extra_.push_back({name, help, "TEXT", [&value](const std::string& text) { value = text; }});
}

void Lesson::option(const std::string& name, std::string& value,
                    const std::vector<std::string>& choices, const std::string& help) {
    std::string expects;
    for (const std::string& choice : choices) expects += (expects.empty() ? "" : "|") + choice;
    extra_.push_back({name, help, expects, [&value, name, choices](const std::string& text) {
                          value = parse_choice(name, text, choices);
                      }});
}

void Lesson::input_file(const std::string& name, std::string& path, const std::string& help) {
    extra_.push_back({name, help, "FILE", [this, &path, name](const std::string& text) {
                          path = parse_existing(name, text, DataIs::either);
                          inputs_.emplace_back(name, path);
                      }});
}

// What went wrong, with the option that names the file if it is about a file. A model from a file
// can be the cause of an error far from the file.
std::string Lesson::explained(const std::string& message) const {
    std::vector<std::pair<std::string, std::string>> inputs = inputs_;
    inputs.emplace_back("--data", options_.data);
    inputs.emplace_back("--load", options_.load);
    for (const auto& [option, path] : inputs)
        if (!path.empty() && message.starts_with(escaped(path))) return option + ": " + message;
    const std::string load = escaped(options_.load);
    if (!running_ || load.empty() || message.find(load) != std::string::npos) return message;
    return fmt::format("{} (with the model loaded from {})", message, load);
}

int Lesson::run(int argc, char** argv, const std::function<void()>& body) {
    try {
        check_environment();
        const std::string help = read_options(argc, argv, about_, extra_, options_);
        if (!help.empty()) {
            print_now(fitted(help, screen().limit()));
            check_printed();
            return 0;
        }
        if (first_rank()) check_folder(options_.out);
        check(options_.repeat == 0 || about_.processes == 1, "--repeat: not together with mpirun");
        if (options_.repeat > 0) return run_repeatedly(about_, options_, argc, argv, screen());
        if (options_.threads > 0) set_threads(options_.threads);
        const bool resumed = !options_.resume.empty() && RunRecord::exists(options_.resume);
        resumed_ = resumed;

        std::string command = "./heed learn " + about_.number.typed();
        for (int i = 1; i < argc && !resumed; ++i) command += fmt::format(" {}", argv[i]);
        if (resumed)  // with the options that the run was started with
            for (const auto& [name, value] : options_.record.options)
                command += " " + name + (value.empty() ? "" : " " + value);
        EndOnInterrupt signals;
        std::optional<OutFolder> folder;
        if (first_rank()) folder.emplace(options_.out);
        // Before anything that takes time: a run that goes on and is stopped at once says how to go on.
        Checkpoints checkpoints(options_.out, options_.record, resumed, first_rank());
        if (!options_.changes_the_experiment) other_seeds_ = other_seeds(about_.number, quick());
        const std::vector<Passage> passages =
            passages_of(source_of_lesson(about_.number), about_.name);
        story_ = Story(passages);
        telling_.parts(titles_of(passages));
        if (!options_.text) telling_.without_pauses();
        for (const Passage& passage : passages) words_ += words_in(passage.text);
        note_ = note_on_numbers(passages, about_.name, quick());
        if (screen().asks) hide_typing();
        const RestoreTerminal at_the_end;
        const Time::time_point start = Time::now();
        try {
            const bool as_listed = !options_.quick && options_.data.empty();
            ElapsedTime elapsed(screen(), as_listed ? expected_seconds(about_.number) : 0);
            elapsed_ = &elapsed;
            running_ = true;
            body();
            begin();
            elapsed_ = nullptr;
        } catch (const Interrupted& stopped) {
            elapsed_ = nullptr;
            if (!stopped.saved) complain(std::string(stopped.what()) + "\n");
            if (first_rank()) std::fputs(stopped_text(checkpoints.command()).c_str(), stderr);
            return stopped.exit_status;
        }
        if (!first_rank()) return 0;
        const double seconds = seconds_since(start) - seconds_asking_ - telling_.seconds_waiting();
        tell(story_.rest());
        telling_.finish();
        signals.ignore();
        finish(command, seconds);
        if (checkpoints.started()) checkpoints.discard();
        check_printed();
    } catch (const std::bad_alloc& error) {
        std::fflush(stdout);
        const std::string_view said = error.what();  // that of the standard library is its name
        complain(fmt::format("lesson {}: {}; this machine has {:.3g} GB\n", about_.number,
                             said.starts_with("std::") ? "out of memory" : said,
                             bytes_of_machine() / 1e9));
        return 2;
    } catch (const std::exception& error) {
        std::fflush(stdout);
        complain(fmt::format("lesson {}: {}\n", about_.number,
                             explained(escaped(words_of(error), true))));
        return 2;
    }
    const bool all = std::all_of(claims_.begin(), claims_.end(), [](auto& c) { return c.holds; });
    return all ? 0 : 1;
}

// The title and the introduction, before the first thing that the body shows.
void Lesson::begin() {
    if (begun_) return;
    begun_ = true;
    if (elapsed_) elapsed_->pause();
    print_question_and_title();
    print_what_is_saved(resumed_);
    check_printed();  // or the results of a long run would be lost
    const bool on_terminal = screen().live || screen().asks,
               shows_text =
                   options_.text && (on_terminal || options_.text_everywhere) && first_rank();
    shows_text_ = shows_text && !told_while_building();
    const std::vector<Passage> introduction = story_.introduction();
    tell(introduction);
    if (shows_text && !shows_text_ && !introduction.empty()) telling_.announce(introduction.back());
    shows_text_ = shows_text;
    EndOnInterrupt::results_begin();
    if (elapsed_) elapsed_->resume();
}

void Lesson::print_question_and_title() {
    std::string facts =
        fmt::format("seed {}, {}", options_.seed, options_.quick ? "quick run" : "full run");
    const std::string time = expected_time(about_.number);
    if (!options_.quick && options_.data.empty() && !time.empty())
        facts += ", " + time + " to compute";
    if (options_.text && screen().asks && words_ > 0)
        facts += fmt::format(", {} min to read", minutes_to_read(words_));
    const bool left_out = options_.text && !options_.text_everywhere && words_ > 0 &&
                          !screen().live && !screen().asks;
    if (left_out) facts += "; --with-text prints the text, too";
    telling_.output([&](const Screen& screen) {
        std::string text;
        if (!told_while_building()) text = "\n" + title_lines(about_.number, about_.title, screen);
        text += wrap(screen.paint(about_.question, Ink::italic), screen.measure());
        text += wrap(screen.paint(facts, Ink::faint), screen.measure()) + "\n";
        if (options_.quick) text += boxed(note_, screen) + "\n";
        return text;
    });
}

// What an earlier run has saved in the folder, and whether it is used.
void Lesson::print_what_is_saved(bool resumed) const {
    std::string text;
    if (resumed)
        text = fmt::format("This run goes on where it was stopped: {}", options_.out);
    else if (!options_.resume.empty())
        text = fmt::format(
            "Nothing of a stopped run is saved in {}, so this one starts at the "
            "beginning.",
            options_.resume);
    else if (RunRecord::exists(options_.out))
        text = fmt::format(
            "A run that was stopped is saved in {}. This one starts at the beginning "
            "and replaces it; --resume {} would have gone on with it.",
            options_.out, options_.out);
    if (!text.empty()) print_now(wrap(screen().paint(text, Ink::faint), screen().measure()) + "\n");
}

// --- Text.

void Lesson::section(const std::string& text, Where where) {
    begin();
    tell(story_.up_to(text));
    if (!story_.in_main(where)) tell_above(where);  // else the rest of it comes with its results
    const bool told = text == told_section_;        // the text began with this title
    if (!told || !shows_text_)
        telling_.output([&](const Screen& screen) {
            return wrap(screen.paint(printable(text), Ink::strong), screen.measure()) + "\n";
        });
    if (!told) report_.heading(text);
}

void Lesson::tell_above(Where where) {
    begin();
    tell(story_.above(where));
}

// main() may prepare something before the run, and there is no text above it.
void Lesson::tell_before_call(Where where) {
    if (running_ && !story_.in_main(where)) tell_above(where);
}

// Text of the lesson: into the report, and on a terminal to the reader, who goes on with a key.
void Lesson::tell(const std::vector<Passage>& passages) {
    for (const Passage& passage : passages) {
        report_.passage(passage);
        told_section_ = passage.section;
        if (!shows_text_) continue;
        Passage so_far = passage;
        so_far.text = woven(passage.written, about_.name, own_numbers(), quick());
        telling_.show(so_far);
    }
}

void Lesson::paragraph(const std::string& text, Where where) {
    tell_above(where);
    telling_.output([&](const Screen& screen) {
        return wrap(markup_to_screen(text, screen), screen.measure()) + "\n";
    });
    report_.paragraph(text);
}

// --- Listings, tables and figures.

void Lesson::listing(const std::string& text, Where where) {
    tell_above(where);
    telling_.output([&](const Screen& screen) { return listing_lines(text, screen) + "\n"; });
    report_.listing(text);
}

void Lesson::table(const Table& table, const std::string& caption, Where where) {
    tell_above(where);
    telling_.output([&](const Screen& screen) {
        return table.to_text(screen) + caption_lines(caption, screen) + "\n";
    });
    report_.table(table, caption);
}

void Lesson::figure(const std::string& name, const std::vector<std::string>& svgs,
                    const OnScreen& text, const std::string& caption, Where where) {
    tell_above(where);
    const bool plain = !name.empty() && name.find_first_not_of(
                                            "abcdefghijklmnopqrstuvwxyz0123456789"
                                            "_-") == std::string::npos;
    check(plain, "figure '{}': the name of a figure is a file name: small letters, digits, - and _",
          name);
    check(!svgs.empty(), "figure '{}': nothing to draw", name);
    for (std::size_t i = 0; i < svgs.size(); ++i) {
        const std::string file =
            svgs.size() == 1 ? name + ".svg" : fmt::format("{}-{}.svg", name, i + 1);
        const bool fresh = std::none_of(files_.begin(), files_.end(),
                                        [&](const auto& other) { return other.first == file; });
        check(fresh, "figure '{}': there is already a figure of this name", name);
        files_.emplace_back(file, standalone_svg(svgs[i]));
    }
    report_.figure(svgs, caption);
    if (!drawing_) return;
    telling_.output(
        [&](const Screen& screen) { return text(screen) + caption_lines(caption, screen) + "\n"; });
}

// The parameters go through a file, because a browser, too, reads them from one.
void Lesson::live(const std::string& name, const std::string& about,
                  const std::function<void(const std::string& path)>& save, Where where) {
    namespace fs = std::filesystem;
    tell_above(where);
    const fs::path path =
        fs::temp_directory_path() / fmt::format("heed_{}_{}.safetensors", ::getpid(), name);
    save(path.string());
    report_.live(figure_html(live_figure(name), markup_to_html(about), path.string()));
    std::error_code ignored;
    fs::remove(path, ignored);
    telling_.output([&](const Screen& screen) {
        return caption_lines("In report.html and in the book, with a figure to change: " + about,
                             screen) +
               "\n";
    });
}

void Lesson::show(const std::string& name, const HeatMap& map, const std::string& caption,
                  Where where) {
    figure(
        name, {to_svg(map)},
        [&](const Screen& screen) { return to_text(map, screen) + signs_in_text({map}, screen); },
        caption, where);
}

void Lesson::show(const std::string& name, const LinePlot& plot, const std::string& caption,
                  Where where) {
    figure(
        name, {to_svg(plot)},
        [&](const Screen& screen) { return to_text(plot, screen_above(caption, screen)); }, caption,
        where);
}

void Lesson::show(const std::string& name, const BarChart& chart, const std::string& caption,
                  Where where) {
    figure(
        name, {to_svg(chart)}, [&](const Screen& screen) { return to_text(chart, screen); },
        caption, where);
}

void Lesson::show(const std::string& name, const Picture& picture, const std::string& caption,
                  Where where) {
    figure(
        name, {to_svg(picture)}, [&](const Screen& screen) { return to_text(picture, screen); },
        caption, where);
}

void Lesson::show(const std::string& name, const Diagram& diagram, const std::string& caption,
                  Where where) {
    figure(
        name, {to_svg(diagram)}, [&](const Screen& screen) { return to_text(diagram, screen); },
        caption, where);
}

void Lesson::show(const std::string& name, const Arrows& arrows, const std::string& caption,
                  Where where) {
    figure(
        name, {to_svg(arrows)}, [&](const Screen& screen) { return to_text(arrows, screen); },
        caption, where);
}

void Lesson::show(const std::string& name, const ShadedText& text, const std::string& caption,
                  Where where) {
    figure(
        name, {to_svg(text)}, [&](const Screen& screen) { return to_text(text, screen); }, caption,
        where);
}

void Lesson::show(const std::string& name, const ScatterPlot& plot, const std::string& caption,
                  Where where) {
    figure(
        name, {to_svg(plot)},
        [&](const Screen& screen) { return to_text(plot, screen_above(caption, screen)); }, caption,
        where);
}

void Lesson::show(const std::string& name, const std::vector<HeatMap>& maps,
                  const std::string& caption, Where where) {
    figure(
        name, drawings(maps),
        [&](const Screen& screen) { return sketches(maps, screen) + signs_in_text(maps, screen); },
        caption, where);
}

void Lesson::show(const std::string& name, const std::vector<LinePlot>& plots,
                  const std::string& caption, Where where) {
    std::vector<std::string> svgs;
    for (const LinePlot& plot : plots) svgs.push_back(to_svg(plot, 330));
    figure(
        name, svgs, [&](const Screen& screen) { return sketches(plots, screen); }, caption, where);
}

void Lesson::show(const std::string& name, const std::vector<Arrows>& planes,
                  const std::string& caption, Where where) {
    figure(
        name, drawings(planes), [&](const Screen& screen) { return sketches(planes, screen); },
        caption, where);
}

void Lesson::show(const std::string& name, const std::vector<Diagram>& diagrams,
                  const std::string& caption, Where where) {
    figure(
        name, drawings(diagrams), [&](const Screen& screen) { return sketches(diagrams, screen); },
        caption, where);
}

void Lesson::show(const std::string& name, const std::vector<Picture>& pictures,
                  const std::string& caption, Where where) {
    figure(
        name, drawings(pictures), [&](const Screen& screen) { return sketches(pictures, screen); },
        caption, where);
}

// --- Predictions and claims.

Prediction Lesson::predict(const std::string& question, Closeness close, Where where) {
    Question asked_for;
    asked_for.text = question;
    asked_for.close = std::move(close);
    return ask_now(std::move(asked_for), where);
}

Prediction Lesson::predict(const std::string& question, const std::vector<std::string>& choices,
                           Where where) {
    check(choices.size() >= 2, "question '{}': expected at least 2 choices, found {}", question,
          choices.size());
    Question asked_for;
    asked_for.text = question;
    asked_for.choices = choices;
    return ask_now(std::move(asked_for), where);
}

// A question that main() asks comes before the run, one that stands in the prose after the text above
// it.
Prediction Lesson::ask_now(Question question, Where where) {
    begin();
    if (!story_.in_main(where)) tell_above(where);
    const std::size_t index = questions_.size();
    const std::vector<Question>& before = options_.record.answers;
    if (index < before.size() && before[index].text == question.text) {
        question.answered = before[index].answered;
        question.guess = before[index].guess;
        question.guessed_number = before[index].guessed_number;
        question.confidence = before[index].confidence;
    } else if (options_.predict && screen().asks && asking_ && first_rank()) {
        const Time::time_point start = Time::now();
        const bool before_the_run = questions_.empty() && (story_.empty() || story_.in_main(where));
        const auto above = [&](const Screen& screen) {
            std::string lines;
            if (before_the_run) lines += screen.paint("Before the run", Ink::strong) + "\n\n";
            if (questions_.empty())
                lines += wrap(screen.paint(about_guesses, Ink::faint), screen.measure()) + "\n";
            return lines;
        };
        telling_.make_room(
            [&](const Screen& screen) { return above(screen) + question_lines(question, screen); });
        elapsed_->pause();
        print_now(above(screen()));
        {
            const ShowTyping typing;
            asking_ = ask(question, std::cin, std::cout, screen());
        }
        print_now("\n");
        telling_.has_read();
        elapsed_->resume();
        seconds_asking_ += seconds_since(start);
    }
    if (index == before.size()) options_.record.answers.push_back(question);
    questions_.push_back(std::move(question));
    if (!story_.in_main(where)) report_.question(index);  // others stand beside their answer
    return {index};
}

void Lesson::reveal(Prediction prediction, double truth, Where where) {
    tell_above(where);
    course::reveal(questions_.at(prediction.index), truth);
    report_.question(prediction.index);
    print_answer(questions_[prediction.index]);
}

void Lesson::reveal(Prediction prediction, const std::string& truth, Where where) {
    tell_above(where);
    course::reveal(questions_.at(prediction.index), truth);
    report_.question(prediction.index);
    print_answer(questions_[prediction.index]);
}

void Lesson::print_answer(const Question& question) {
    telling_.output([&](const Screen& screen) {
        std::string text = fmt::format("{} {}", markup_to_screen(question.text, screen),
                                       screen.paint(question.truth, Ink::strong));
        if (question.answered) {
            const std::string verdict = question.right ? screen.paint("✓ right", Ink::good)
                                                       : screen.paint("✗ not so", Ink::bad);
            text += fmt::format(". You said {} ({} % sure): {}", question.guess,
                                question.confidence, verdict);
        }
        return hanging("?", text, screen);
    });
}

bool Lesson::claim(const std::string& name, const std::string& text, double measured,
                   Expectation expected, Where where) {
    record(check_claim(name, text, measured, std::move(expected)), where);
    return claims_.back().holds;
}

void Lesson::measured(const std::string& name, const std::string& text, double value, Where where) {
    record(check_claim(name, text, value, anything()), where);
}

namespace {

// What was measured and expected, and below it, how it is spread over other seeds.
std::string claim_lines(const Claim& claim, const Screen& screen) {
    const std::string mark = !has_bar(claim) ? "·"
                             : claim.holds   ? screen.paint("✓", Ink::good)
                                             : screen.paint("✗", Ink::bad);
    std::string line = fmt::format("{}: {}", markup_to_screen(claim.text, screen),
                                   screen.paint(measured_text(claim), Ink::strong));
    if (has_bar(claim)) line += fmt::format(" (expected {})", claim.expected.words);
    std::string lines = hanging(mark, line, screen);
    if (const std::string spread = spread_in_words(claim); !spread.empty())
        lines.insert(lines.size() - 1,
                     wrap(screen.paint(spread, Ink::faint), screen.measure(), "    "));
    return lines;
}

}  // namespace

void Lesson::record(Claim claim, Where where) {
    tell_above(where);
    check_name(claim, claims_);
    if (const auto found = other_seeds_.find(claim.name); found != other_seeds_.end())
        claim.other_seeds = found->second;
    claim.quick = quick();
    telling_.output([&](const Screen& screen) { return claim_lines(claim, screen); });
    report_.claim(claim);
    claims_.push_back(std::move(claim));
}

Measured Lesson::own_numbers() const {
    Measured own;
    for (const Claim& claim : claims_) own[claim.name] = claim.measured;
    return own;
}

// --- The end: write the files, count the claims that hold, name the next lesson.

void Lesson::finish(const std::string& command, double seconds) {
    Run run{about_.number, about_.name,    about_.title,  about_.question,
            options_.seed, options_.quick, options_.data, seconds,
            threads(),     timestamp(),    command,       note_};
    if (run.data.empty()) run.data = about_.own_data;

    make_folder(options_.out);
    for (const auto& [name, bytes] : files_) write_file(options_.out + "/" + name, bytes);
    write_file(options_.out + "/report.html", report_.html(run, questions_, claims_));
    if (report_.has_live_figure()) copy_web_module(options_.out);
    write_file(options_.out + "/results.json", results_json(run, claims_));

    const auto judged = std::count_if(claims_.begin(), claims_.end(), has_bar);
    const auto held =
        judged - std::count_if(claims_.begin(), claims_.end(), [](auto& c) { return !c.holds; });
    std::string problem;  // with the records
    for (const Question& question : questions_) {
        if (question.answered && question.revealed && problem.empty())
            problem = append_record("predictions.tsv",
                                    prediction_line(about_.number, question, run.date));
    }
    const std::string line =
        fmt::format("{}\t{}\t{}\t{:.1f}\t{}\t{}\t{}", about_.number, about_.name, run.date, seconds,
                    held, judged, options_.quick ? "quick" : "full");
    if (const std::string said = append_record("progress.tsv", line); problem.empty())
        problem = said;

    std::string text;
    if (!problem.empty()) text += wrap(problem, screen().measure());
    for (const Question& question : questions_) {
        if (question.answered && !question.revealed)
            text += hanging(
                "?", markup_to_screen(question.text, screen()) + " The run did not answer this.",
                screen());
    }
    text += screen().paint(fmt::format("{} of {} claims hold", held, judged),
                           held == judged ? Ink::good : Ink::bad);
    text += fmt::format(" after {:.1f} s.\n", seconds);
    for (const Claim& claim : claims_) {
        if (!claim.holds) text += wrap("✗ " + printable(claim.text), screen().measure(), "  ");
    }
    text += fmt::format("The report is {}/report.html\n", options_.out);
    if (const int count = exercises_of(about_.number); count > 0)
        text += wrap(fmt::format("Write it yourself: ./heed exercise {} ({} exercise{})",
                                 about_.number, count, count == 1 ? "" : "s"),
                     screen().measure());
    if (const std::string experiment = experiment_after(about_.number); !experiment.empty())
        text += wrap(fmt::format("The part's open question: ./heed experiment {}", experiment),
                     screen().measure());
    const std::vector<ListedLesson> next = next_after(about_.number);
    if (options_.quick && !next.empty())
        text +=
            wrap(fmt::format("To mark it as done, run it in full: ./heed learn {}", about_.number),
                 screen().measure());
    for (const ListedLesson& lesson : next)
        text += wrap(
            fmt::format("{}: ./heed learn {} ({})", &lesson == &next[0] ? "Next" : "Or a workshop",
                        lesson.number(), lesson.name()),
            screen().measure());
    if (next.empty() && expected_seconds(about_.number) > 0)  // it is in the list, and all are done
        text += "All lessons and workshops are done. Next: ./heed progress\n";
    print_now(text);
}

}  // namespace heed::course
