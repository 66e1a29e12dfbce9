// ./heed chat MODEL: a conversation with a published model, in the terminal. Answers appear word by word.
// Ctrl-C ends an answer; at the prompt it ends the program, as the end of the input and /quit do.
#include <CLI/CLI.hpp>

#include "autograd/base/input_file.h"
#include "lessons/course/report/files.h"
#include "lessons/course/terminal/command_line.h"
#include "lessons/course/terminal/screen.h"
#include "lessons/course/terminal/text.h"
#include "lessons/material/chat/dialogue.h"

namespace {

using namespace heed;

struct Options {
    std::string model;
    chat::DialogueOptions dialogue;
};

int run(const Options& options) {
    check(!options.model.empty(),
          "expected a model, a GGUF file or a folder; ./heed chat --help says more");
    const PublishedLanguageModel model = load_language_model(options.model);
    with_file_name(options.model, [&] { chat::dialogue(model, options.dialogue); });
    return std::fflush(stdout) == 0 ? 0 : 2;
}

}  // namespace

int main(int argc, char** argv) {
    course::check_environment();
    Options options;
    SamplingOptions& sampling = options.dialogue.answer.sampling;
    CLI::App app{
        "Talks with a published language model: a GGUF file, or a folder with config.json and "
        "safetensors. Questions come from the terminal, or line by line from a pipe.",
        "./heed chat"};
    app.add_option("model", options.model, "the file or folder");
    app.add_option("--system", options.dialogue.system,
                   "what the model is told first, instead of its own text");
    app.add_option("--temperature", sampling.temperature,
                   "0: the most probable token; 1: as the model says")
        ->check(course::number_between(0, 100));
    app.add_option("--top-k", sampling.top_k, "only the K most probable tokens; 0: all")
        ->check(CLI::Range(0, 1 << 24));
    app.add_option("--top-p", sampling.top_p, "only the most probable tokens that sum to P")
        ->check(course::number_between(0, 1));
    app.add_option("--length", options.dialogue.answer.most_tokens,
                   "the most tokens of an answer (512)")
        ->check(CLI::Range(1, 1 << 24));
    app.add_option("--seed", options.dialogue.seed, "the seed of all random numbers (1)");
    app.add_flag("--attention", options.dialogue.attention,
                 "after each answer, what of the question it attended to; all of them in "
                 "out/chat/report.html");
    bool mine = false;
    app.add_flag(
        "--mine", mine,
        "with your own embedding, norm, rotation, attention and network, which are exercises; "
        "then there are --question TEXT, --length N and --what-breaks");
    try {
        app.parse(argc, argv);
        check(!mine,
              "--mine: ./heed chat FILE --mine compiles your functions; this program cannot");
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
        course::complain("chat: " + course::words_of(error) + "\n");
        return 2;
    }
}
