#include "lessons/material/chat/dialogue.h"

#include <algorithm>
#include <iostream>
#include <optional>

#include "lessons/course/contents/course_list.h"
#include "lessons/course/figures/heat_map.h"
#include "lessons/course/report/files.h"
#include "lessons/course/report/page.h"
#include "lessons/course/terminal/markup.h"
#include "lessons/course/terminal/screen.h"
#include "lessons/course/terminal/text.h"
#include "nn/train/stop_signals.h"

namespace heed::chat {
namespace {

constexpr int most_rows = 24, most_columns = 24;

// What a token is in a label: spaces and line ends are made visible.
std::string label_of(const Tokenizer& tokenizer, int id) {
    std::string label = escaped(tokenizer.text_of(id));
    std::replace(label.begin(), label.end(), ' ', '_');
    return label;
}

// What the last answer attended to of its question; empty if there is nothing to see.
course::HeatMap attention_of(const Conversation& talk, const Tokenizer& tokenizer) {
    const auto labels = [&](Conversation::Span span, int most) {
        std::vector<std::string> all;
        for (std::size_t i = span.begin; i < span.end && std::ssize(all) < most; ++i)
            all.push_back(label_of(tokenizer, talk.ids()[i]));
        return all;
    };
    const std::vector<double> all = talk.attention();
    if (all.empty()) return {};
    const std::vector<std::string> rows = labels(talk.last_answer(), most_rows),
                                   columns = labels(talk.question(), most_columns);
    const std::size_t width = talk.question().end - talk.question().begin;
    std::vector<double> shown;
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < columns.size(); ++j) shown.push_back(all[i * width + j]);
    course::HeatMap map = course::attention_map(rows, columns, shown);
    map.title = "Attention of the answer (rows) to the question, mean of all layers and heads";
    map.high = *std::max_element(shown.begin(), shown.end());
    map.softmax = false;  // the rest of each row is attention to other tokens
    return map.high > 0 ? map : course::HeatMap{};
}

// Shows the last answer's attention in the terminal, and all of them so far in out/chat/report.html.
class AttentionReport {
  public:
    explicit AttentionReport(std::string model) : model_(std::move(model)) {}

    void add(const Conversation& talk, const Tokenizer& tokenizer, const std::string& question,
             const std::string& answer, const course::Screen& screen) {
        const course::HeatMap map = attention_of(talk, tokenizer);
        if (map.values.empty()) return;
        fmt::print("{}{}\n", to_text(map, screen), course::signs_in_text({map}, screen));
        body_ += fmt::format("<h2>{}</h2>\n<p>{}</p>\n<figure>{}</figure>\n",
                             course::escape(question), course::escape(answer), to_svg(map));
        const std::string home = course::home_folder(),
                          folder = home.empty() ? "out/chat" : home + "/out/chat",
                          file = folder + "/report.html";
        try {
            course::make_folder(folder);
            course::write_file(file, course::page_html("A conversation",
                                                       fmt::format("<main><h1>A conversation</h1>\n"
                                                                   "<p>{}</p>\n{}</main>\n",
                                                                   course::escape(model_), body_)));
            if (screen.asks) fmt::print("{}", course::fitted(file + "\n", screen.limit()));
        } catch (const std::exception& error) {  // no reason to end the conversation
            course::complain("chat: " + course::words_of(error) + "\n");
        }
    }

  private:
    std::string model_, body_;
};

// Prints what comes piece by piece, with lines that break between words.
class WordByWord {
  public:
    explicit WordByWord(int width) : width_(width) {}

    void add(std::string_view piece) {
        for (const char c : piece) {
            if (c != ' ' && c != '\n') {
                word_ += c;
                continue;
            }
            end_word();
            fmt::print("{}", c);
            column_ = c == '\n' ? 0 : column_ + 1;
        }
        std::fflush(stdout);
    }
    void end_word() {
        const int word = course::display_width(word_);
        if (column_ > 0 && column_ + word > width_) {
            fmt::print("\n");
            column_ = 0;
        }
        fmt::print("{}", word_);
        column_ += word;
        word_.clear();
    }

  private:
    int width_, column_ = 0;
    std::string word_;
};

}  // namespace

void dialogue(const PublishedLanguageModel& model, const DialogueOptions& options,
              const Conversation::Begin& begin) {
    const course::Screen screen = course::screen_of_stdout();
    std::optional<Conversation> talk(std::in_place, model, options.system, begin);
    Rng rng(options.seed);
    AttentionReport report(model.description);
    if (screen.asks)
        fmt::print("{}",
                   course::fitted(model.description + "\nCtrl-C stops an answer; /new begins a new "
                                                      "conversation; /quit, Ctrl-D, or Ctrl-C "
                                                      "here ends it. An empty line asks again.\n",
                                  screen.limit()));
    for (;;) {
        if (screen.asks) fmt::print("\n{}", screen.paint("> ", course::Ink::strong));
        std::fflush(stdout);
        std::string question;
        if (!std::getline(std::cin, question) || question == "/quit") break;
        if (question.empty()) continue;
        if (question == "/new") {
            talk.emplace(model, options.system, begin);
            continue;
        }
        WordByWord answer(screen.now().limit());
        const StopSignals signals;
        const std::string said = talk->answer(
            question, options.answer, rng,
            [&](std::string_view piece) {
                // Control characters from a model do not reach the terminal, and behind Ctrl-C nothing does.
                if (StopSignals::received() == 0) answer.add(escaped(std::string(piece), true));
            },
            [] { return StopSignals::received() != 0; });
        const bool stopped = StopSignals::received() != 0;
        StopSignals::taken();
        if (!stopped) answer.end_word();
        fmt::print("\n");
        if (!stopped && said.find_first_not_of(" \t\r\n") == std::string::npos) {
            std::fflush(stdout);
            course::complain("chat: " + talk->why_empty() + "\n");
        }
        if (options.attention) report.add(*talk, model.tokenizer, question, said, screen.now());
    }
    if (screen.asks && std::cin.eof()) fmt::print("\n");
}

}  // namespace heed::chat
