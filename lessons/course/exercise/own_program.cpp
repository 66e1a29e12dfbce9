#include "lessons/course/exercise/own_program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "autograd/base/error.h"
#include "lessons/course/report/files.h"

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

}  // namespace

const OwnProgram& own_program(const std::string& name) {
    static const OwnProgram programs[] = {
        {"tape",
         {{"logarithm", "logarithm and quotient"},
          {"broadcasting_rule", "rule of broadcasting"},
          {"matrix_product", "product of matrices"}}},
        {"translator",
         {{"matrix_product", "tape, matrix product"},
          {"softmax_backward", "softmax, backward"},
          {"adam_step", "Adam"},
          {"softmax_without_overflow", "softmax"},
          {"cross_entropy", "cross-entropy"},
          {"said_minus_happened", "cross-entropy, backward"},
          {"one_hot_lookup", "embedding"},
          {"lstm_step", "cell"},
          {"clipping", "clipping"},
          {"greedy", "loop that writes"},
          {"additive_scores", "scores"},
          {"decoder_step", "decoder step"}}},
        {"gpt",
         {{"matrix_product", "tape, matrix product"},
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
          {"cache", "cache"}}}};
    for (const OwnProgram& program : programs)
        if (program.name == name) return program;
    fail("there is no program {} of the reader's own", name);
}

std::string own_program_source(const OwnProgram& program, const std::vector<Exercise>& all,
                               const FileOf& file_of) {
    std::string parts;
    for (const OwnPart& part : program.parts) {
        const Exercise& exercise = find(all, part.exercise);
        parts += fmt::format("    {{\"{}\", \"{}\", \"{}\", {}}},\n", exercise.id(), exercise.name,
                             part.what, !file_of(exercise).empty());
    }
    return joined_program(answers_of(program, all, file_of),
                          "namespace heed::mine {\n"
                          "struct Part { const char *exercise, *name, *what; bool reader; };\n"
                          "const Part parts[] = {\n" +
                              parts + "};\n}\n#include \"lessons/mine/" + program.name + ".cpp\"\n");
}

int run_own_program(const OwnProgram& program, const std::vector<Exercise>& all,
                    const FileOf& file_of, const Tools& tools, const std::string& root,
                    const std::vector<std::string>& arguments) {
    const std::string path = tools.build + "/exercise/own_" + program.name;
    const Compiled compiled =
        compile_source(own_program_source(program, all, file_of), path, tools);
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
    std::vector<char*> argv{const_cast<char*>(path.c_str())};
    std::vector<std::string> all_arguments{"--my", root + "/my"};
    all_arguments.insert(all_arguments.end(), arguments.begin(), arguments.end());
    for (const std::string& argument : all_arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    std::fflush(nullptr);
    execv(argv[0], argv.data());
    fail("{} cannot be started", path);
}

}  // namespace heed::course
