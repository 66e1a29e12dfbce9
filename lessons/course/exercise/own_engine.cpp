#include "lessons/course/exercise/own_engine.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "autograd/base/error.h"

namespace heed::course {
namespace {

const Exercise& find(const std::vector<Exercise>& all, const std::string& id) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Exercise& e) { return e.id() == id; });
    check(found != all.end(), "there is no exercise {}, which the reader's own engine needs", id);
    return *found;
}

// "05.1" -> "part_05_1"
std::string space_of(std::string id) {
    std::replace(id.begin(), id.end(), '.', '_');
    return "part_" + id;
}

std::vector<Answer> answers_of(const std::vector<Exercise>& all, const FileOf& file_of) {
    std::vector<Answer> answers;
    for (const EnginePart& part : engine_parts()) {
        const Exercise& exercise = find(all, part.exercise);
        const std::string file = file_of(exercise);
        answers.push_back(
            {space_of(part.exercise), file.empty() ? exercise.folder + "/solution.h" : file});
    }
    return answers;
}

}  // namespace

const std::vector<EnginePart>& engine_parts() {
    static const std::vector<EnginePart> parts{
        {"02.3", "tape, matrix product"},
        {"03.1", "softmax, backward"},
        {"03.2", "layer norm, backward"},
        {"04.1", "Adam"},
        {"05.1", "softmax"},
        {"05.2", "cross-entropy"},
        {"05.3", "cross-entropy, backward"},
        {"06.1", "embedding"},
        {"17.2", "attention, backward"},
        {"18.2", "causal mask"},
        {"19.1", "heads"},
        {"20.3", "positions"},
        {"22.1", "block"},
        {"23.1", "cache"},
    };
    return parts;
}

std::string own_engine_program(const std::vector<Exercise>& all, const FileOf& file_of) {
    std::string parts;
    for (const EnginePart& part : engine_parts())
        parts += fmt::format("    {{\"{}\", \"{}\", {}}},\n", part.exercise, part.name,
                             !file_of(find(all, part.exercise)).empty());
    return joined_program(answers_of(all, file_of),
                          "namespace heed::lesson23::mine {\n"
                          "struct Part { const char *exercise, *name; bool reader; };\n"
                          "const Part parts[] = {\n" +
                              parts +
                              "};\n}\n"
                              "#include \"lessons/23_language_model/mine/main.cpp\"\n");
}

int train_own_engine(const std::vector<Exercise>& all, const FileOf& file_of, const Tools& tools,
                     const std::vector<std::string>& arguments) {
    const std::string program = tools.build + "/exercise/own_engine";
    const Compiled compiled = compile_source(own_engine_program(all, file_of), program, tools);
    if (compiled.program.empty()) {
        // A file that compiled with its judge compiles here too, unless it has changed since.
        for (const EnginePart& part : engine_parts()) {
            const std::string file = file_of(find(all, part.exercise));
            if (file.empty() || compiled.log.find(file + ":") == std::string::npos) continue;
            fmt::print("{}\n{}NEXT  ./heed exercise {}\n", file, first_error(compiled.log, file),
                       part.exercise);
            return 1;
        }
        fail("the reader's own engine does not compile:\n{}", compiled.log);
    }
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    std::fflush(nullptr);
    execv(argv[0], argv.data());
    fail("{} cannot be started", program);
}

}  // namespace heed::course
