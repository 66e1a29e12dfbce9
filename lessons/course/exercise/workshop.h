// Compiles an answer together with its judge, and runs it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lessons/course/exercise/answer.h"
#include "lessons/course/exercise/exercise.h"

namespace heed::course {

// With what answers are compiled; ./heed prepares it (CMakeLists.txt, heed_run and heed_answers).
struct Tools {
    std::string compiler;
    std::string build;  // the folder that holds run/ and the libraries
};

struct Outcome {
    enum class Kind {
        solved,
        not_yet,
        not_written,
        does_not_compile,
        crashed,
        ended_early,  // without a word of the judge
        too_long
    };
    Kind kind = Kind::not_yet;
    std::string text;    // what to tell the reader
    double seconds = 0;  // from the file to the verdict
};

// Judges the file. Throws heed::Error if the tools do not work. Three things take their time, and before each of them
// `slow` is called with a sentence for the reader: while another process judges the same exercise, this one waits;
// after a crash it finds where memory was damaged, and after a run that was stopped it runs the solution, which are up
// to half a minute each.
Outcome judge_file(
    const Exercise& exercise, const std::string& file, const Tools& tools,
    const std::function<void(const std::string& why)>& slow = [](const std::string&) {});

struct Compiled {
    std::string program;  // its path; empty if it does not compile
    std::string log;      // what the compiler said
};
Compiled compile_source(const std::string& source, const std::string& program, const Tools& tools);

// One program for several answers, for the tests; `which` of run_answer is the name of the answer.
// The object file is kept as `kept`.HASH.o. It is used again, so that the program is only linked,
// while the answers, their judges, heed's headers, the compiler and its options are the same.
Compiled compile_answers(const std::vector<Answer>& answers, const std::string& program,
                         const std::string& kept, const Tools& tools);
Outcome run_answer(const std::string& program, const std::string& which);

// The first warning about the reader's file that is hardly ever a matter of taste, such as a function without a
// return, with the line of the source. It is shown where the answer is wrong. Empty if there is none.
std::string telling_warning(const std::string& log, const std::string& file);

// What ended a program, by its signal and by what it printed.
std::string cause_of_end(int signal, const std::string& printed);

// The first error of the compiler in the reader's file, with the line of the source; if there is none
// in it, the first error at all.
std::string first_error(const std::string& log, const std::string& file);

}  // namespace heed::course
