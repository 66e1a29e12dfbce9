// ./heed chat MODEL: a conversation with a published model, in the terminal. Answers appear word by word.
// Ctrl-C ends an answer; at the prompt it ends the program, as the end of the input does.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <optional>

#include "lessons/chat/conversation.h"
#include "lessons/course/figures/heat_map.h"
#include "lessons/course/terminal/command_line.h"
#include "lessons/course/terminal/screen.h"
#include "lessons/course/terminal/text.h"
#include "nn/train/stop_signals.h"

namespace {

using namespace heed;

struct Options {
    std::string model, system;
    chat::AnswerOptions answer;
    std::uint64_t seed = 1;
    bool attention = false;
};

constexpr int most_rows = 24, most_columns = 24;

// What a token is in a label: spaces and line ends are made visible.
std::string label_of(const Tokenizer& tokenizer, int id) {
    std::string label = escaped(tokenizer.decode({id}));
    std::replace(label.begin(), label.end(), ' ', '_');
    return label;
}

void print_attention(const chat::Conversation& talk, const Tokenizer& tokenizer,
                     const course::Screen& screen) {
    const auto labels = [&](chat::Conversation::Span span, int most) {
        std::vector<std::string> all;
        for (std::size_t i = span.begin; i < span.end && std::ssize(all) < most; ++i)
            all.push_back(label_of(tokenizer, talk.ids()[i]));
        return all;
    };
    const std::vector<double> all = talk.attention();
    if (all.empty()) return;
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
    if (map.high > 0)
        fmt::print("{}{}\n", to_text(map, screen), course::signs_in_text({map}, screen));
}

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

int run(const Options& options) {
    check(!options.model.empty(),
          "expected a model, a GGUF file or a folder; ./heed chat --help says more");
    const course::Screen screen = course::screen_of_stdout();
    const PublishedLanguageModel model = load_language_model(options.model);
    std::optional<chat::Conversation> talk(std::in_place, model, options.system);
    Rng rng(options.seed);
    if (screen.asks)
        fmt::print("{}",
                   course::fitted(model.description + "\nCtrl-C stops an answer; /new begins a new "
                                                      "conversation; an empty line or Ctrl-D ends "
                                                      "it.\n",
                                  screen.limit()));
    for (;;) {
        if (screen.asks) fmt::print("\n{}", screen.paint("> ", course::Ink::strong));
        std::fflush(stdout);
        std::string question;
        if (!std::getline(std::cin, question) || question.empty()) break;
        if (question == "/new") {
            talk.emplace(model, options.system);
            continue;
        }
        WordByWord answer(screen.limit());
        const StopSignals signals;
        talk->answer(
            question, options.answer, rng,
            [&](std::string_view piece) {
                // Control characters from a model do not reach the terminal.
                answer.add(escaped(std::string(piece), true));
            },
            [] { return StopSignals::received() != 0; });
        StopSignals::taken();
        answer.end_word();
        fmt::print("\n");
        if (options.attention) print_attention(*talk, model.tokenizer, screen);
    }
    if (screen.asks && std::cin.eof()) fmt::print("\n");
    return std::fflush(stdout) == 0 ? 0 : 2;
}

}  // namespace

int main(int argc, char** argv) {
    course::check_environment();
    Options options;
    SamplingOptions& sampling = options.answer.sampling;
    CLI::App app{
        "Talks with a published language model: a GGUF file, or a folder with config.json and "
        "safetensors. Questions come from the terminal, or line by line from a pipe.",
        "./heed chat"};
    app.add_option("model", options.model, "the file or folder");
    app.add_option("--system", options.system,
                   "what the model is told first, instead of its own text");
    app.add_option("--temperature", sampling.temperature,
                   "0: the most probable token; 1: as the model says")
        ->check(CLI::Range(0.0, 100.0));
    app.add_option("--top-k", sampling.top_k, "only the K most probable tokens; 0: all")
        ->check(CLI::Range(0, 1 << 24));
    app.add_option("--top-p", sampling.top_p, "only the most probable tokens that sum to P")
        ->check(CLI::Range(0.0, 1.0));
    app.add_option("--length", options.answer.most_tokens, "the most tokens of an answer (512)")
        ->check(CLI::Range(1, 1 << 24));
    app.add_option("--seed", options.seed, "the seed of all random numbers (1)");
    app.add_flag("--attention", options.attention,
                 "after each answer, what of the question it attended to");
    try {
        app.parse(argc, argv);
        return run(options);
    } catch (const CLI::CallForHelp&) {
        fmt::print("{}", course::fitted(app.help(), course::screen_of_stdout().limit()));
        return std::fflush(stdout) == 0 ? 0 : 2;
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);
        course::complain("heed: " + course::command_line_fault(error.what(), "./heed chat") + "\n");
        return 2;
    } catch (const std::exception& error) {
        std::fflush(stdout);
        fmt::print(stderr, "chat: {}\n", error.what());
        return 2;
    }
}
