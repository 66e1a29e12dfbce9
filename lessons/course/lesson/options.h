// The options of every lesson, and those a lesson adds. An error message names the option and says
// what was expected.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lessons/course/contents/lesson_number.h"
#include "lessons/course/lesson/checkpoints.h"

namespace heed::course {

// What --data names.
enum class DataIs { file, folder, either };

// The description of a lesson.
struct About {
    LessonNumber number{};   // on the path; or
    int workshop = 0;        // its number as a workshop
    std::string name{};      // as in its folder: "translation" of lessons/11_translation
    std::string title{};     // "Korean to English, from first principles"
    std::string question{};  // the question it answers, in one or two sentences
    std::string data{};      // the format of --data, for --help; empty: there is no --data
    DataIs data_is = DataIs::file;
    std::string own_data = "generated";  // the data without --data, as results.json names it
    bool saves_model = false;            // whether there are --save and --load
    bool trains = true;                  // whether there is --resume
    int rank = 0, processes = 1;         // of the processes that run it together, as under mpirun
};

struct Options {
    bool quick = false;
    std::uint64_t seed = 1;
    int threads = 0;    // 0: one per processor
    int repeat = 0;     // 0: one run; otherwise the number of seeds (repeat.h)
    bool keep = false;  // with repeat: the spread goes to the lesson's folder (other_seeds.h)
    std::string data, out, save, load;
    std::string resume;  // the --out folder of a run that was stopped; `out` is the same then
    bool predict = true;
    bool text = true;
    bool text_everywhere = false;  // not only on a terminal
    bool changes_the_experiment =
        false;           // there is --data, --load or an option of this lesson alone
    RunRecord record{};  // what identifies this run; with --resume, as it was saved
};

// One option. `take` gets the text after it (a switch has none) and throws heed::Error if the text
// is wrong.
struct Option {
    std::string name;  // "--swap"
    std::string help;
    std::string expects;  // "N", "FILE"; empty for a switch
    std::function<void(const std::string&)> take;
};

// The options that all lessons have; they write into `options`.
std::vector<Option> common_options(const About& about, Options& options);

// Reads the command line into `options`. With --resume, the options of the run that was stopped are
// used; it is refused if the command line has others, or if the program or a file has changed. A
// folder with the results of this lesson and no stopped run is accepted too: the run then starts at
// the beginning. Any other folder is refused. Returns the help text if --help was given, otherwise
// an empty string. Throws heed::Error if anything is wrong.
std::string read_options(int argc, const char* const* argv, const About& about,
                         const std::vector<Option>& extra, Options& options);

// The text as a number. They throw heed::Error with the option and what was expected.
std::int64_t parse_whole(const std::string& option, const std::string& text, std::int64_t low,
                         std::int64_t high);
double parse_number(const std::string& option, const std::string& text);

// The text, which must name a file or folder that is there and can be read, or be one of the choices. A pipe is
// refused: what comes out of it can be read only once, and it may never come.
std::string parse_existing(const std::string& option, const std::string& text,
                           DataIs is = DataIs::file);
std::string parse_choice(const std::string& option, const std::string& text,
                         const std::vector<std::string>& choices);

}  // namespace heed::course
