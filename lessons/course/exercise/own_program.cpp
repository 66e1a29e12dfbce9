#include "lessons/course/exercise/own_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <iomanip>
#include <sstream>

#include "autograd/base/error.h"
#include "lessons/course/exercise/own_options.h"
#include "lessons/course/exercise/wrong.h"
#include "lessons/course/report/files.h"
#include "lessons/course/terminal/process.h"

namespace heed::course {
namespace {

const Exercise& find(const std::vector<Exercise>& all, const std::string& name) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Exercise& e) { return e.name == name; });
    check(found != all.end(), "there is no exercise {}, which the reader's own program needs",
          name);
    return *found;
}

std::vector<Answer> answers_of(const OwnProgram& program, const std::vector<Exercise>& all,
                               const FileOf& file_of) {
    std::vector<Answer> answers;
    for (const OwnPart& part : program.parts) {
        const Exercise& exercise = find(all, part.exercise);
        const std::string file = file_of(exercise);
        answers.push_back(
            {"part_" + exercise.name, file.empty() ? exercise.folder + "/solution.h" : file});
    }
    return answers;
}

// As a literal of C++.
std::string in_quotes(const std::string& text) {
    std::ostringstream literal;
    literal << std::quoted(text);
    return literal.str();
}

}  // namespace

const OwnProgram& own_program(const std::string& name) {
    static const std::vector<OwnPart> of_tape{
        {"logarithm", "logarithm and quotient"},
        {"broadcasting_rule", "rule of broadcasting"},
        {"matrix_product", "product of matrices"},
    };
    static const std::vector<OwnPart> of_translator{
        {"matrix_product", "tape, matrix product"},
        {"softmax_backward", "softmax, backward"},
        {"adam_step", "Adam"},
        {"softmax_without_overflow", "softmax"},
        {"cross_entropy", "cross-entropy"},
        {"said_minus_happened", "cross-entropy, backward"},
        {"one_hot_lookup", "embedding"},
        {"lstm_step", "cell"},
        {"clipping", "clipping"},
        {"greedy", "greedy decoding"},
        {"additive_scores", "scores"},
        {"decoder_step", "decoder step"},
    };
    static const std::vector<OwnPart> of_gpt{
        {"matrix_product", "tape, matrix product"},
        {"softmax_backward", "softmax, backward"},
        {"layer_norm_backward", "layer norm, backward"},
        {"adam_step", "Adam"},
        {"softmax_without_overflow", "softmax"},
        {"cross_entropy", "cross-entropy"},
        {"said_minus_happened", "cross-entropy, backward"},
        {"one_hot_lookup", "embedding"},
        {"backward_by_hand", "attention, backward"},
        {"off_by_one", "causal mask"},
        {"several_heads", "heads"},
        {"sinusoidal", "positions"},
        {"block", "block"},
        {"cache", "cache"},
    };
    static const std::vector<OwnPart> of_eyes{
        {"reinforce", "REINFORCE"},
        {"leave_one_out", "baseline"},
        {"cut_out_a_glimpse", "glimpse"},
    };
    static const std::vector<OwnPart> of_chat{
        {"one_hot_lookup", "embedding", "embedding = {}::my_lookup"},
        {"rms_norm", "norm", "norm = {}::my_rms_norm"},
        {"llama_rotary", "rotation", "rotation = {}::my_rotary"},
        {"grouped_queries", "attention",
         "attention = [](const auto&... x) {{ return {}::my_grouped(x...).context; }}"},
        {"gated_network", "feed-forward network", "network = {}::my_swiglu"},
    };
    static const OwnProgram programs[] = {{"tape", of_tape},
                                          {"translator", of_translator},
                                          {"eyes", of_eyes},
                                          {"gpt", of_gpt},
                                          {"chat", of_chat}};
    for (const OwnProgram& program : programs)
        if (program.name == name) return program;
    fail("there is no program {} of the reader's own", name);
}

std::string own_program_source(const OwnProgram& program, const std::vector<Exercise>& all,
                               const FileOf& file_of, const std::string& folder_of_mistakes) {
    std::vector<Answer> answers = answers_of(program, all, file_of);
    std::string parts, rows;
    for (const OwnPart& part : program.parts) {
        const Exercise& exercise = find(all, part.exercise);
        parts += fmt::format("    {{\"{}\", \"{}\", \"{}\", {}}},\n", exercise.id(), exercise.name,
                             part.what, !file_of(exercise).empty());
        if (folder_of_mistakes.empty() || part.place.empty()) continue;
        const auto add = [&](const std::string& name, const std::string& words,
                             const std::string& file) {
            answers.push_back({name, file});
            rows += fmt::format("    each({}, {}, [](auto& parts) {{ parts.{}; }});\n",
                                in_quotes(exercise.name), in_quotes(words),
                                fmt::format(fmt::runtime(part.place), name));
        };
        add("solution_" + exercise.name, "", exercise.folder + "/solution.h");
        for (const WrongAnswer& wrong : wrong_answers(exercise)) {
            const std::string name = exercise.name + "_" + wrong.name,
                              file = folder_of_mistakes + "/" + name + ".h";
            write_file(file, wrong.source);
            add("wrong_" + name, wrong.words, file);
        }
    }
    return joined_program(answers,
                          "namespace heed::mine {\n"
                          "struct Part { const char *exercise, *name, *what; bool reader; };\n"
                          "const Part parts[] = {\n" +
                              parts + "};\nvoid each_answer([[maybe_unused]] auto&& each) {\n" +
                              rows + "}\n}\n#include \"lessons/mine/" + program.name + ".cpp\"\n");
}

int run_own_program(const OwnProgram& program, const std::vector<Exercise>& all,
                    const FileOf& file_of, const Tools& tools, const std::string& root,
                    const std::vector<std::string>& arguments) {
    const OwnOptions options =
        with_values(usual_options(program.name), arguments);  // before a minute of compiling
    const auto wanted = options.find("--what-breaks");
    const bool mistakes = wanted != options.end() && wanted->second == "yes";
    const std::string path = tools.build + "/exercise/own_" + program.name;
    const std::string folder = mistakes ? path + "_mistakes" : "";
    if (mistakes) make_folder(folder);
    const Compiled compiled =
        compile_source(own_program_source(program, all, file_of, folder), path, tools);
    if (compiled.program.empty()) {
        // A file that compiled with its judge compiles here too, unless it has changed since.
        for (const OwnPart& part : program.parts) {
            const Exercise& exercise = find(all, part.exercise);
            const std::string file = file_of(exercise);
            if (file.empty() || compiled.log.find(file + ":") == std::string::npos) continue;
            fmt::print("{}\n{}NEXT  ./heed exercise {}\n", file, first_error(compiled.log, file),
                       exercise.id());
            return 1;
        }
        fail("the reader's own {} does not compile:\n{}", program.name, compiled.log);
    }
    make_folder(root + "/my");
    std::vector<std::string> words{path, "--my", root + "/my"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::fflush(nullptr);
    // Ctrl-C is for the program; this one waits for its end.
    const auto before = std::signal(SIGINT, SIG_IGN);
    const int status = wait_for(start(words, [&] { std::signal(SIGINT, before); }));
    std::signal(SIGINT, before);
    if (status > 128 && status != 128 + SIGINT && status != 128 + SIGTERM) {
        std::string ids;
        for (const OwnPart& part : program.parts) {
            const Exercise& exercise = find(all, part.exercise);
            if (!file_of(exercise).empty()) ids += (ids.empty() ? "" : ", ") + exercise.id();
        }
        fmt::print("The program crashed (signal {}).\n", status - 128);
        if (!ids.empty())
            fmt::print("Judge the parts that are yours again: {}\nNEXT  ./heed exercise {}\n", ids,
                       ids.substr(0, ids.find(',')));
    }
    return status;
}

}  // namespace heed::course
